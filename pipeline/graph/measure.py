"""What is counted in the data: links, entities and relations, each in a few statements.

Every statement goes through `query.read`: filters and conditions in it are people's or a model's.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pipeline import sql_names
from pipeline.database import query
from pipeline.database.connect import Database
from pipeline.errors import QueryError
from pipeline.graph.conditions import ConditionError, Place, filtered, rewritten
from pipeline.joins import JoinStep, on_clause
from schemas.facts import Cardinality, Catalog, Evidence, Link, Table

log = logging.getLogger("dblore.graph")

VERIFY_SECONDS = 120.0
"""What one statement may take."""
PATIENCE_SECONDS = 10.0
"""After which it is said what is being checked."""


class TooSlowError(Exception):
    """A statement ran into the time limit."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """How the rows of two entities meet."""

    pairs: int
    cardinality: Cardinality | None
    """None when a side has no key, or nothing meets."""


class Probe:
    """Counts in one open database."""

    patience = PATIENCE_SECONDS

    def __init__(
        self, database: Database, catalog: Catalog, seconds: float = VERIFY_SECONDS
    ) -> None:
        self.database = database
        self.catalog = catalog
        self.seconds = seconds

    @contextmanager
    def checking(self, what: str) -> Iterator[None]:
        """Say what is being checked when that takes long."""
        text = "still checking %s; a statement is stopped after %g s"
        timer = threading.Timer(self.patience, log.warning, (text, what, self.seconds))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    @property
    def stopped(self) -> str:
        """What is said of a statement that took too long."""
        return f"stopped after {self.seconds:g} s"

    def counts(self, sql: str) -> list[int]:
        """Run a statement that returns one row of counts; NULL is 0.

        Raises:
            TooSlowError: it took longer than allowed.
            QueryError: the database can't run it.
            RefusedError: the guard doesn't let it pass.
        """
        result = self._read(sql, at_most=1)
        return [int(value or 0) for value in result.rows[0]]

    def rows(self, table: Table, conditions: Sequence[str]) -> int:
        """Count the rows for which the conditions hold."""
        source = filtered(table, conditions, self.catalog)
        return self.counts(f"SELECT COUNT(*) FROM {source} AS t0")[0]

    def distinct(self, table: Table, conditions: Sequence[str], columns: Sequence[str]) -> int:
        """Count the combinations of `columns`; NULL counts as a value."""
        source = filtered(table, conditions, self.catalog)
        listed = ", ".join(self._column("t0", column) for column in columns)
        return self.counts(
            f"SELECT COUNT(*) FROM (SELECT DISTINCT {listed} FROM {source} AS t0) AS d"
        )[0]

    def reference(self, link: Link, source: str, *, is_key: bool) -> Evidence:
        """Count how the references of `source` find a row of the link's other table.

        Args:
            link: its condition decides which rows refer at all.
            source: what stands for the link's table in FROM.
            is_key: the other side's columns are unique, so that a join repeats no row.
        """
        target = self._target(link)
        if not is_key:
            target = f"(SELECT DISTINCT {self._list('d', link.to_columns)} FROM {target} AS d)"
        present = " AND ".join(f"{self._column('f', c)} IS NOT NULL" for c in link.columns)
        plain = replace(link, condition=None)
        total, references, matched = self.counts(
            f"SELECT COUNT(*), SUM(CASE WHEN {present} THEN 1 ELSE 0 END), "
            f"SUM(CASE WHEN {self._column('t', link.to_columns[0])} IS NOT NULL "
            f"THEN 1 ELSE 0 END) FROM {self._referring(link, source)} AS f "
            f"LEFT JOIN {target} AS t ON {on_clause(plain, self._quote, ('f', 't'))}"
        )
        return Evidence(
            method="full",
            rows=references,
            matched_share=_share(matched, references),
            orphans=references - matched,
            null_share=_share(total - references, total),
        )

    def link(self, link: Link) -> Evidence:
        """Measure a link in both directions, on all rows."""
        source = sql_names.table(link.table, self.catalog.dialect)
        evidence = self.reference(link, source, is_key=False)
        referring, most = self._values(self._referring(link, source), link.columns)
        target = self._target(link)
        to_values, to_most = self._values(target, link.to_columns)
        # LEFT JOIN: SQLite gives only its right side an index of its own when that is a subquery.
        covered = self.counts(
            f"SELECT COUNT({self._column('b', link.columns[0])}) FROM "
            f"(SELECT DISTINCT {self._list('t', link.to_columns)} FROM {target} AS t) AS a "
            f"LEFT JOIN (SELECT DISTINCT {self._list('f', link.columns)} "
            f"FROM {self._referring(link, source)} AS f) AS b ON "
            + on_clause(replace(link, condition=None), self._quote, ("b", "a"))
        )[0]
        return replace(
            evidence,
            distinct=referring,
            to_distinct=to_values,
            covered_share=_share(covered, to_values),
            cardinality=cardinality(many_left=most > 1, many_right=to_most > 1),
        )

    def meeting(self, join: str, left: Sequence[str], right: Sequence[str]) -> Meeting:
        """Count pairs and observe the cardinality on the keys of both ends.

        Args:
            join: the FROM clause and what follows it.
            left: the subject's key as SQL; empty when it has none.
            right: the object's.
        """
        if not left or not right:
            return Meeting(self.counts(f"SELECT COUNT(*) {join}")[0], None)
        keys = [f"{column} AS a{n}" for n, column in enumerate(left)]
        keys += [f"{column} AS b{n}" for n, column in enumerate(right)]
        groups = ", ".join((*left, *right))
        grouped = f"SELECT {', '.join(keys)}, COUNT(*) AS n {join} GROUP BY {groups}"
        one = ", ".join(f"a{n}" for n in range(len(left)))
        other = ", ".join(f"b{n}" for n in range(len(right)))
        pairs, most_right = self.counts(
            "SELECT SUM(n), MAX(m) FROM (SELECT SUM(n) AS n, COUNT(*) AS m "
            f"FROM ({grouped}) AS p GROUP BY {one}) AS q"
        )
        if not pairs:
            return Meeting(0, None)
        most_left = self.counts(
            f"SELECT MAX(m) FROM (SELECT COUNT(*) AS m FROM ({grouped}) AS p GROUP BY {other}) AS q"
        )[0]
        return Meeting(pairs, cardinality(many_left=most_left > 1, many_right=most_right > 1))

    def types(self, source: str, column: str, type_column: str) -> dict[str, int]:
        """Count the references per stored type, types as text."""
        quoted = self._column("t0", type_column)
        result = self._read(
            f"SELECT {quoted}, COUNT(*) FROM {source} AS t0 WHERE {self._column('t0', column)} "
            f"IS NOT NULL AND {quoted} IS NOT NULL GROUP BY {quoted} ORDER BY {quoted}",
            at_most=1_000,
        )
        return {str(value): int(count) for value, count in result.rows}

    def _read(self, sql: str, *, at_most: int) -> query.Result:
        limits = query.Limits(rows=at_most, seconds=self.seconds)
        started = time.monotonic()
        try:
            return query.read(self.database, sql, catalog=self.catalog, limits=limits)
        except QueryError as failure:
            if time.monotonic() - started >= self.seconds:
                raise TooSlowError from failure
            raise

    def _values(self, source: str, columns: Sequence[str]) -> tuple[int, int]:
        """Return the distinct values that hold no null, and how often the commonest occurs."""
        present = " AND ".join(f"{self._column('f', c)} IS NOT NULL" for c in columns)
        values, most = self.counts(
            f"SELECT COUNT(*), MAX(n) FROM (SELECT COUNT(*) AS n FROM {source} AS f "
            f"WHERE {present} GROUP BY {self._list('f', columns)}) AS g"
        )
        return values, most

    def _referring(self, link: Link, source: str) -> str:
        """Return the rows of `source`, standing for the link's table, that the link is about."""
        condition = condition_of(link, link.table, "c", self.catalog)
        return f"(SELECT c.* FROM {source} AS c WHERE {condition})" if condition else source

    def _target(self, link: Link) -> str:
        """Return the rows that the link may lead to."""
        name = sql_names.table(link.to_table, self.catalog.dialect)
        condition = condition_of(link, link.to_table, "c", self.catalog)
        if condition and not condition_of(link, link.table, "c", self.catalog):
            return f"(SELECT c.* FROM {name} AS c WHERE {condition})"
        return name

    def _list(self, alias: str, columns: Sequence[str]) -> str:
        return ", ".join(self._column(alias, column) for column in columns)

    def _column(self, alias: str, column: str) -> str:
        return f"{alias}.{self._quote(column)}"

    def _quote(self, identifier: str) -> str:
        return sql_names.quote(identifier, self.catalog.dialect)


def condition_of(link: Link, table: str, alias: str, catalog: Catalog) -> str | None:
    """Return the link's condition over one of its tables; None when it isn't of that one alone."""
    if not link.condition:
        return None
    try:
        return rewritten(link.condition, [Place(catalog.by_name[table], alias)], catalog)
    except ConditionError:
        return None


def join_sql(steps: Sequence[JoinStep], sources: Sequence[str], dialect: str) -> str:
    """Return the FROM clause of a path; the table at place n is called `tn`."""

    def quote(identifier: str) -> str:
        return sql_names.quote(identifier, dialect)

    parts = [f"FROM {sources[0]} AS t0"]
    for number, step in enumerate(steps):
        here, there = f"t{number}", f"t{number + 1}"
        aliases = (here, there) if step.forward else (there, here)
        parts.append(
            f"JOIN {sources[number + 1]} AS {there} ON {on_clause(step.link, quote, aliases)}"
        )
    return " ".join(parts)


def cardinality(*, many_left: bool, many_right: bool) -> Cardinality:
    """Return the cardinality of which each side is many or one."""
    if many_left:
        return "many_to_many" if many_right else "many_to_one"
    return "one_to_many" if many_right else "one_to_one"


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
