"""SQL that a reader can copy from the docs and run: quoted names, joins, example queries.

Example queries read no sensitive column, and never sort or count a view whose size is unknown.
A name with a line break or another control character is in none: it would stand at the start of
a line inside the fence, or do something to a terminal.
"""

from __future__ import annotations

import itertools
import unicodedata
from dataclasses import dataclass

from pipeline import sql_names
from pipeline.cards import ColumnCard, TableCard
from pipeline.docs.codes import MOST_NUMBERS, best_code
from pipeline.docs.ties import Tie
from pipeline.soft_deletes import kept
from pipeline.text import words
from schemas.models import Scalar, Table

BACKSLASH_DIALECTS = frozenset({"mysql", "bigquery", "hive", "spark", "databricks", "clickhouse"})
"""In these a backslash in a text literal has a meaning of its own."""


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of control and format characters, halves of characters, line ends."""
SHOWN_ROWS = 10
WIDEST = 76
"""Characters of a SELECT list on one line."""
TIME_FAMILIES = ("date", "timestamp")
_TYPED_MOMENTS = frozenset({"oracle", "trino", "presto", "athena"})
"""In these a text is never compared with a date."""
_NEVER_LAST = ("0", "-", "19")
"""Beginnings of moments that stand for none at the other end: an engine may refuse a day 0."""
NAME_WORDS = frozenset({"name", "title", "label", "description"})


@dataclass(frozen=True, slots=True)
class Others:
    """What the queries of a table need beside its card."""

    cards: dict[str, TableCard]
    coded: tuple[ColumnCard, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A statement and what it answers."""

    title: str
    sql: str


def literal(value: Scalar, dialect: str) -> str:
    """Return a stored value as a SQL literal, blanks kept."""
    if isinstance(value, bool):
        return str(value).upper()
    if not isinstance(value, str):
        return str(value)
    if dialect in BACKSLASH_DIALECTS:
        value = value.replace("\\", "\\\\")
    return "'" + value.replace("'", "''") + "'"


class Writer:
    """Writes SQL over the tables of one catalog."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self._as = " " if dialect == "oracle" else " AS "

    def name(self, identifier: str) -> str:
        """Return an identifier as SQL."""
        return sql_names.quote(identifier, self.dialect)

    def table(self, table: Table) -> str:
        """Return a table's name as SQL, with its schema where it needs one."""
        parts = [table.schema, table.object_name] if table.schema else [table.object_name]
        return ".".join(self.name(part) for part in parts)

    def join(self, tie: Tie, other: Table) -> str:
        """Return the JOIN clause that brings in the other end of a tie; names are in full."""
        here, there, alias = self.table(tie.table), self.table(other), ""
        if tie.table.object_name == other.object_name:
            there = "parent" if tie.outward else "child"
            there = f"{there}2" if tie.table.object_name.casefold() == there else there
            alias = f"{self._as}{there}"
        return f"JOIN {self.table(other)}{alias} ON {tie.on(self.name, here, there)}"

    def queries(self, card: TableCard, ties: tuple[Tie, ...], others: Others) -> list[Query]:
        """Return one to three statements that show how to use a table; all run as they are.

        Args:
            card: The table.
            ties: Its joins, the most telling first.
            others: The cards of all tables, and the coded columns of this one.
        """
        if not is_seen(card.name):
            return []
        first = self._first_rows(card)
        if card.profile.rows is None and card.table.kind != "table":
            return [first] if first else []
        found = [first, self._count_by_code(card, others.coded)]
        usable = [
            tie
            for tie in ties
            if not tie.link.condition
            and tie.other in others.cards
            and is_seen("".join((tie.other, *tie.link.columns, *tie.link.to_columns)))
        ]
        outward = min((t for t in usable if t.outward), key=lambda t: _nulls(card, t), default=None)
        if outward:
            found.append(self._with_parent(card, outward, others.cards[outward.other]))
        elif usable:
            found.append(self._count_children(card, usable[0], others.cards[usable[0].other]))
        return [query for query in found if query]

    def _first_rows(self, card: TableCard) -> Query | None:
        columns = telling(card, at_most=8)
        if not columns:
            return None
        names = [self.name(c.name) for c in columns]
        newest = next((c for c in columns if c.column.family in TIME_FAMILIES), None)
        source, kept = [f"FROM {self.table(card.table)}"], self._kept(card)
        if newest is None or card.profile.rows is None:
            return Query("Some rows", self._limited(names, [*source, *_where(kept)]))
        source += _where([*kept, *self._known(newest)])
        order = f"ORDER BY {self.name(newest.name)} DESC"
        return Query(f"The rows with the latest {newest.name}", self._limited(names, source, order))

    def _count_by_code(self, card: TableCard, coded: tuple[ColumnCard, ...]) -> Query | None:
        best = best_code(tuple(column for column in coded if is_seen(column.name)))
        if best is None:
            return None
        column, count = self.name(best.name), _free_name("row_count", card)
        lines = [
            f"SELECT {column}, COUNT(*) AS {count}",
            f"FROM {self.table(card.table)}",
            *_where([] if best.profile.soft_delete else self._kept(card)),
            f"GROUP BY {column}",
            f"ORDER BY {count} DESC;",
        ]
        return Query(f"Rows per {best.name}", "\n".join(lines))

    def _with_parent(self, card: TableCard, tie: Tie, other: TableCard) -> Query | None:
        here, there = self._aliases(card.table, other.table)
        mine, theirs = telling(card, at_most=4), naming(other)
        joined = tie.link.to_columns if tie.outward else tie.link.columns
        theirs = [c for c in theirs if c.name not in joined] or theirs
        if not mine or not theirs:
            return None
        columns = [f"{here}.{self.name(c.name)}" for c in mine]
        for column in theirs:
            result = _free_name(column.name, card, f"{other.table.object_name}_{column.name}")
            renamed = "" if result == column.name else f" AS {self.name(result)}"
            columns.append(f"{there}.{self.name(column.name)}{renamed}")
        source = self._joined(tie, here, other.table, there) + _where(self._kept(card, here))
        return Query(f"Rows with their {tie.role}", self._limited(columns, source))

    def _count_children(self, card: TableCard, tie: Tie, other: TableCard) -> Query | None:
        here, there = self._aliases(card.table, other.table)
        columns = [f"{here}.{self.name(c.name)}" for c in naming(card)]
        if not columns:
            return None
        count = _free_name("row_count", card)
        source = self._joined(tie, here, other.table, there)
        source += _where([*self._kept(card, here), *self._kept(other, there)])
        source.append(f"GROUP BY {', '.join(columns)}")
        order = f"ORDER BY {count} DESC"
        sql = self._limited([*columns, f"COUNT(*) AS {count}"], source, order)
        return Query(f"Which have the most rows in {other.name}", sql)

    def _kept(self, card: TableCard, alias: str = "") -> list[str]:
        """Return the conditions that leave out deleted rows."""
        marks = (column for column in card.columns if is_seen(column.name))
        found = (kept(column, self.dialect, alias) for column in marks if not column.sensitive)
        return [condition for condition in found if condition]

    def _known(self, column: ColumnCard) -> list[str]:
        """Return the condition that leaves out moments that stand for none; those sort first."""
        late = [v for v in column.profile.sentinels if not str(v).startswith(_NEVER_LAST)]
        if not late:
            return []
        typed = f"{column.column.family.upper()} " if self.dialect in _TYPED_MOMENTS else ""
        name, found = self.name(column.name), [typed + literal(v, self.dialect) for v in late]
        if len(found) == 1:
            return [f"{name} <> {found[0]}"]
        return [f"{name} NOT IN ({', '.join(found)})"]

    def _aliases(self, table: Table, other: Table) -> tuple[str, str]:
        """Return short names for two tables of one statement."""
        here = self._alias(table)
        there = self._alias(other)
        return here, there if there != here else f"{there}2"

    def _alias(self, table: Table) -> str:
        """Return a table's initials, without a prefix such as `Sales__`."""
        own = table.object_name.rpartition("__")[2]
        initials = "".join(word[0] for word in words(own))
        plain = initials if initials.isascii() and initials.isalpha() else "t"
        return plain if self.name(plain) == plain else f"{plain}1"

    def _joined(self, tie: Tie, here: str, other: Table, there: str) -> list[str]:
        return [
            f"FROM {self.table(tie.table)}{self._as}{here}",
            f"JOIN {self.table(other)}{self._as}{there} ON {tie.on(self.name, here, there)}",
        ]

    def _limited(self, columns: list[str], source: list[str], order: str = "") -> str:
        top = f" TOP ({SHOWN_ROWS})" if self.dialect == "tsql" else ""
        names = ", ".join(columns)
        names = f" {names}" if len(names) <= WIDEST else "\n    " + ",\n    ".join(columns)
        lines = [f"SELECT{top}{names}", *source, *([order] if order else [])]
        if self.dialect in ("oracle", "db2"):
            lines.append(f"FETCH FIRST {SHOWN_ROWS} ROWS ONLY")
        elif self.dialect != "tsql":
            lines.append(f"LIMIT {SHOWN_ROWS}")
        return "\n".join(lines) + ";"


def _where(conditions: list[str]) -> list[str]:
    return [f"WHERE {' AND '.join(conditions)}"] if conditions else []


def is_seen(name: str) -> bool:
    """Whether a name is one line of characters that do nothing but stand there."""
    return not any(unicodedata.category(c) in _UNSEEN for c in name)


def telling(card: TableCard, *, at_most: int) -> list[ColumnCard]:
    """Return the columns that tell most of a row, in catalog order: none that is sensitive."""
    shown = [
        c
        for c in card.columns
        if is_seen(c.name)
        and not c.sensitive
        and not c.housekeeping
        and c.column.family not in ("binary", "geometry", "xml")
        and not (c.profile.nulls and c.profile.nulls == card.profile.rows)
    ]
    key = card.table.primary_key.columns if card.table.primary_key else ()
    times = [c.name for c in shown if c.column.family in TIME_FAMILIES]
    ranked = sorted(shown, key=lambda c: _rank(c, is_key=c.name in key, later=c.name in times[1:]))
    chosen = {c.name for c in ranked[:at_most]}
    return [c for c in shown if c.name in chosen]


def _nulls(card: TableCard, tie: Tie) -> int:
    """Return in how many tenths of the rows a reference is null: whose is full tells most."""
    rows = card.profile.rows or 0
    counted = [c.profile.nulls or 0 for c in card.columns if c.name in tie.columns]
    return round(10 * max(counted, default=0) / rows) if rows else 0


def _rank(column: ColumnCard, *, is_key: bool, later: bool) -> int:
    """Return how far back a column stands when there isn't room for all."""
    if is_key:
        return 0
    if column.profile.distinct == 1:
        return 3
    family = column.column.family
    tells = (
        family in ("text", "enum", "boolean", "decimal", *TIME_FAMILIES)
        or column.unit is not None
        or any(code.meaning for code in column.codes)
        or (column.codes_complete and len(column.codes) <= MOST_NUMBERS)
    )
    return 1 if tells and not later else 2


def naming(card: TableCard) -> list[ColumnCard]:
    """Return the key and a column that names a row; empty when nothing may be shown."""
    shown = telling(card, at_most=len(card.columns))
    key = card.table.primary_key.columns if card.table.primary_key else ()
    keys = [c for c in shown if c.name in key]
    names = [c for c in shown if c.name not in key and c.column.family in ("text", "enum")]
    names.sort(key=lambda c: not NAME_WORDS.intersection(words(c.name)))
    return [*keys, *names[:1]] or shown[:1]


def _free_name(wanted: str, card: TableCard, *others: str) -> str:
    """Return a result name that no column of `card` has: `wanted`, one of `others`, or numbered."""
    taken = {c.name.casefold() for c in card.columns}
    numbered = (f"{wanted}_{number}" for number in itertools.count(2))
    tried = itertools.chain((wanted, *others), numbered)
    return next(name for name in tried if name.casefold() not in taken)
