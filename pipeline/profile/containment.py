"""How much of some columns' values is found in a key: one query per pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.database.connect import Database
from pipeline.profile import stored_text
from schemas.facts import Column, Evidence, Table

_LUCK = 0.05
_AS_TEXT = {"mysql": "CHAR", "tsql": "NVARCHAR(4000)", "oracle": "VARCHAR2(4000)"}


@dataclass(frozen=True, slots=True)
class Pair:
    """Columns of a table, and as many of another that are unique there together."""

    table: Table
    columns: tuple[Column, ...]
    target: Table
    keys: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Containment:
    """What was counted."""

    rows: int
    """References: rows without a null."""
    matched: int
    """Of them, those that find a row."""
    distinct: int
    matched_distinct: int
    most: int
    """Rows of the most frequent value."""
    method: Literal["full", "sample"]
    blank: int = 0
    """References that hold a value for `no row`, and find none."""

    @property
    def matched_share(self) -> float:
        """Share of references that find a row; those to `no row` don't count."""
        meant = self.rows - self.blank
        return self.matched / meant if meant else 0.0

    def covered(self, to_distinct: int | None) -> float | None:
        """Return the share of the key's values that are referred to."""
        return min(1.0, self.matched_distinct / to_distinct) if to_distinct else None

    def evidence(
        self, *, to_distinct: int | None, null_share: float | None, is_key: bool
    ) -> Evidence:
        """Return it as an artifact tells it; shares are rounded to six digits.

        Args:
            to_distinct: values of the key that is referred to, if known.
            null_share: share of rows that refer to nothing, if known.
            is_key: the schema says that no two rows refer to the same one.
        """
        covered = self.covered(to_distinct) if self.method == "full" else None
        return Evidence(
            method=self.method,
            rows=self.rows,
            matched_share=round(self.matched / self.rows, 6) if self.rows else 0.0,
            orphans=self.rows - self.matched,
            distinct=self.distinct,
            to_distinct=to_distinct,
            covered_share=None if covered is None else round(covered, 6),
            null_share=None if null_share is None else round(null_share, 6),
            cardinality="one_to_one" if is_key or self._never_twice(to_distinct) else "many_to_one",
        )

    def _never_twice(self, to_distinct: int | None) -> bool:
        """Whether no value comes twice, and that is no luck.

        Of n references at random to N rows none would meet another with a chance of about
        exp(-n² / 2N) (the birthday problem); below `_LUCK` it is taken for a rule.
        """
        if self.method == "sample" or self.most > 1 or not to_distinct:
            return False  # a sample's rows stand side by side, where values seldom come twice
        return math.exp(-(self.rows**2) / (2 * to_distinct)) < _LUCK

    def found(self) -> str:
        """Return the share of references that find a row, in words."""
        meant = self.rows - self.blank
        share = "all" if self.matched == meant else f"{self.matched_share:.1%} of"
        return f"{share} {meant:,} references find a row"


def contained(
    database: Database,
    pair: Pair,
    *,
    where: str = "",
    blank: str | int | None = None,
    rows: int | None = None,
    timeout_seconds: float,
) -> Containment:
    """Count how many references find a row.

    Args:
        database: to ask.
        pair: whose keys are unique, so that the join multiplies nothing.
        where: SQL that rows must satisfy too.
        blank: value of a single column that stands for `no row`.
        rows: look at so many rows at most.
        timeout_seconds: give up then.

    Raises:
        QueryError: the query failed or took too long.
    """
    sql = _statement(database, pair, where=where, blank=blank, rows=rows)
    found = database.fetch(sql, timeout_seconds=timeout_seconds)[0]
    distinct, total, matched_distinct, matched, most, none = (int(v or 0) for v in found)
    method: Literal["full", "sample"] = "full" if rows is None else "sample"
    return Containment(total, matched, distinct, matched_distinct, most, method, none)


def is_unique(
    database: Database, table: Table, columns: Sequence[Column], *, seconds: float
) -> bool:
    """Return whether no two rows of a table hold the same values.

    Raises:
        QueryError: the query failed or took too long.
    """
    names = ", ".join(database.quote(column.name) for column in columns)
    found = database.fetch(
        f"SELECT MAX(g.n) FROM (SELECT COUNT(*) AS n FROM {database.table(table)}"
        f" GROUP BY {names}) AS g",
        timeout_seconds=seconds,
    )
    return int(found[0][0] or 0) == 1


def has_loop(database: Database, pair: Pair, *, seconds: float) -> bool:
    """Return whether a row of a table refers to itself.

    Raises:
        QueryError: the query failed or took too long.
    """
    column, key = (database.quote(c.name) for c in (*pair.columns, *pair.keys))
    sql = f"SELECT COUNT(*) FROM {database.table(pair.table)} WHERE {column} = {key}"
    return bool(database.fetch(sql, timeout_seconds=seconds)[0][0])


def _statement(
    database: Database, pair: Pair, *, where: str, blank: str | int | None, rows: int | None
) -> str:
    columns = [database.quote(column.name) for column in pair.columns]
    keys = [f"k.{database.quote(key.name)}" for key in pair.keys]
    conditions = [f"{column} IS NOT NULL" for column in columns] + ([where] if where else [])
    values = ", ".join(f"{column} AS v{at}" for at, column in enumerate(columns))
    source = database.table(pair.table)
    if rows is not None:
        source = _first(source, rows, database.dialect)
    equal = " AND ".join(
        _equal(key, f"g.v{at}", (pair.keys[at], pair.columns[at]), database.dialect)
        for at, key in enumerate(keys)
    )
    none = "0"
    if blank is not None:
        none = f"SUM(CASE WHEN {_is_blank(blank)} AND {keys[0]} IS NULL THEN g.n ELSE 0 END)"
    return (
        f"SELECT COUNT(*), SUM(g.n), COUNT({keys[0]}),"
        f" SUM(CASE WHEN {keys[0]} IS NULL THEN 0 ELSE g.n END), MAX(g.n), {none}"
        f" FROM (SELECT {values}, COUNT(*) AS n FROM {source}"
        f" WHERE {' AND '.join(conditions)} GROUP BY {', '.join(columns)}) AS g"
        f" LEFT JOIN {database.table(pair.target)} AS k ON {equal}"
    )


def _is_blank(blank: str | int) -> str:
    return f"g.v0 = {int(blank)}" if isinstance(blank, int) else "g.v0 = ''"


def _equal(key: str, value: str, columns: tuple[Column, Column], dialect: str) -> str:
    """Return the comparison; enums and UUIDs equal no text in some engines, but as text they do."""
    families = {column.family for column in columns}
    if families & {"enum", "uuid"} and len({column.native_type for column in columns}) > 1:
        text = _AS_TEXT.get(dialect, "VARCHAR")
        return f"CAST({key} AS {text}) = CAST({value} AS {text})"
    return f"{key} = {stored_text.as_kind_of(*columns, value, dialect)}"


def _first(source: str, rows: int, dialect: str) -> str:
    if dialect == "tsql":
        return f"(SELECT TOP ({int(rows)}) * FROM {source}) AS part"
    return f"(SELECT * FROM {source} LIMIT {int(rows)}) AS part"
