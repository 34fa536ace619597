"""What is asked about one column in the pass over its table, in the words of each engine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from pipeline.profile.scalars import scalar
from schemas.facts import Column, Scalar, Table, ValueCount

NOT_COMPARED = frozenset({"binary", "geometry", "array", "json", "xml"})
"""Families that some engine can neither compare nor group."""
TIMES = frozenset({"date", "time", "timestamp"})
_NUMERIC = frozenset({"integer", "decimal", "float", "boolean", "interval"})
_WRITTEN = frozenset({"json", "xml", "array"})
"""Families of values that have a text, whose length tells something."""
_ENFORCED = frozenset({"sqlite", "duckdb", "mysql", "tsql"})
"""Engines on which a key that is declared holds, for all rows that a SELECT finds: warehouses don't
check keys, and in PostgreSQL a key of a parent says nothing of the tables that inherit from it."""
_APPROXIMATE = {
    "bigquery": "APPROX_COUNT_DISTINCT({})",
    "snowflake": "APPROX_COUNT_DISTINCT({})",
    "databricks": "APPROX_COUNT_DISTINCT({})",
    "spark": "APPROX_COUNT_DISTINCT({})",
    "redshift": "APPROXIMATE COUNT(DISTINCT {})",
    "athena": "APPROX_DISTINCT({})",
    "presto": "APPROX_DISTINCT({})",
    "trino": "APPROX_DISTINCT({})",
    "clickhouse": "uniq({})",
}
_TEXT_TYPES = {
    "mysql": "CHAR",
    "duckdb": "VARCHAR",
    "tsql": "NVARCHAR(MAX)",
    "oracle": "VARCHAR2(4000)",
    **dict.fromkeys(("bigquery", "spark", "databricks", "clickhouse"), "STRING"),
    **dict.fromkeys(("athena", "presto", "trino"), "VARCHAR"),
}
_INSTANT = re.compile(r"timestamp(\(\d\))? with time zone|timestamptz")
_DUCKDB_TEXTS = re.compile(r"(varchar|text)\b")
_POSTGRES_TEXTS = re.compile(r"(text|varchar|character varying|char|character|bpchar|name)\b")
_POSTGRES_PADDED = re.compile(r"(char|character|bpchar)\b(?! varying)")
EXPRESSIONS = 7


class Depth(IntEnum):
    """How much is asked; less where an engine refuses a type."""

    ALL = 0
    PLAIN = 1
    """Without lengths, in the engine's own order."""
    DISTINCT = 2
    NULLS = 3
    NOTHING = 4


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted in one column; None where the engine can't."""

    nulls: int | None
    distinct: int | None = None
    minimum: Scalar | None = None
    maximum: Scalar | None = None
    min_length: int | None = None
    max_length: int | None = None
    padded: int | None = None

    def same(self, read: int) -> ValueCount | None:
        """Return the value that all rows with one hold, of `read`; None where they differ.

        A text that was compared as the engine likes (it has no lengths then) isn't sure to be one.
        """
        least = self.minimum
        if self.distinct != 1 or self.nulls is None or least is None or least != self.maximum:
            return None
        if isinstance(least, str) and self.max_length is None:
            return None
        return ValueCount(least, read - self.nulls)


@dataclass(frozen=True, slots=True)
class Asker:
    """Builds expressions about the columns of one table."""

    table: Table
    dialect: str
    unique: frozenset[str]
    """Columns whose values the engine keeps distinct."""

    def aggregates(self, column: Column, name: str, depth: Depth, source: str = "") -> list[str]:
        """Return `EXPRESSIONS` aggregates of a column; `NULL` for what isn't asked.

        Args:
            column: of the table.
            name: its quoted name.
            depth: how much to ask.
            source: what it is read from, if sorting it apart is cheaper than counting its values.
        """
        least, most, *lengths = ["NULL"] * 5
        written = self.dialect != "sqlite" and column.family in NOT_COMPARED
        if depth == Depth.ALL and self.holds_text(column):
            lengths = self._lengths(column, self._text(column, name))
        elif depth == Depth.ALL and column.family in _WRITTEN:
            lengths = [*self._lengths(column, self.as_text(name))[:2], "NULL"]
        if depth <= Depth.PLAIN and not written and self._has_order(column):
            ordered = name if depth == Depth.PLAIN else self._ordered(column, name)
            least, most = (self.shown(column, f"{end}({ordered})") for end in ("MIN", "MAX"))
        asks_distinct = depth <= Depth.DISTINCT and not self._is_opaque(column)
        distinct = self._distinct(column, name, depth, source) if asks_distinct else "NULL"
        return [f"COUNT({name})", distinct, least, most, *lengths]

    def holds_text(self, column: Column) -> bool:
        """Return whether its values are texts, as far as the type tells."""
        if self.dialect == "sqlite":  # a type says little of what is stored
            return column.family not in _NUMERIC and column.family not in ("binary", "geometry")
        return column.family in ("text", "enum")

    def as_text(self, name: str) -> str:
        """Return any value's text."""
        return f"CAST({name} AS {_TEXT_TYPES.get(self.dialect, 'TEXT')})"

    def shown(self, column: Column, expression: str) -> str:
        """Return an expression whose value Python can hold whole."""
        if self.dialect == "mysql" and column.native_type.casefold().startswith("bit"):
            return f"CAST({expression} AS UNSIGNED)"
        # Python has no months, no infinity and no year before 1 or after 9999
        if self.dialect in ("duckdb", "postgres") and _INSTANT.match(column.native_type.casefold()):
            return self._in_utc(expression)
        if self.dialect == "duckdb" and column.family in (*TIMES, "interval"):
            return self.as_text(expression)
        if self.dialect == "postgres" and _POSTGRES_PADDED.match(column.native_type.casefold()):
            return self.as_text(expression)  # blanks that fill char(n) are no part of a value
        return expression

    def _in_utc(self, expression: str) -> str:
        """Return a moment's text, which would else be in the time zone of whoever reads it."""
        utc = self.as_text(f"timezone('UTC', {expression})") + " || '+00'"
        if self.dialect == "postgres":
            utc = f"REPLACE({utc}, ' BC+00', '+00 BC')"
        ever = self.as_text(expression)  # infinity
        return f"CASE WHEN isfinite({expression}) THEN {utc} ELSE {ever} END"

    def grouped(self, column: Column, name: str) -> str:
        """Return what tells stored values apart, where the engine's own comparison doesn't."""
        if column.family not in ("text", "enum", "other"):
            return name
        if self.dialect == "mysql" and column.family == "text":
            return f"CAST({name} AS BINARY)"
        if column.native_type.casefold() == "citext":
            return self.as_text(name)
        return self._by_code_points(column, name)

    def _by_code_points(self, column: Column, name: str) -> str:
        """Return a text without its collation, which may call `Open` and `OPEN` equal."""
        if self.dialect == "sqlite" and column.family in ("text", "enum", "other"):
            return f"{name} COLLATE BINARY"
        texts = {"postgres": _POSTGRES_TEXTS, "duckdb": _DUCKDB_TEXTS}.get(self.dialect)
        native = column.native_type.casefold()
        if texts is None or column.family != "text" or not texts.match(native):
            return name
        if self.dialect == "postgres" and _POSTGRES_PADDED.match(native):
            name = self.as_text(name)  # as it is shown: a term of GROUP BY must be the same
        return f'{name} COLLATE "C"'

    def sample(self, column: Column, name: str, length: int) -> str:
        """Return the beginning of a value."""
        part = "SUBSTRING" if self.dialect == "tsql" else "SUBSTR"
        if self.holds_text(column):
            return f"{part}({self._text(column, name)}, 1, {length})"
        if column.family in _WRITTEN:
            return f"{part}({self.as_text(name)}, 1, {length})"
        return self.shown(column, name)

    def _text(self, column: Column, name: str) -> str:
        is_enum = column.family == "enum" and self.dialect == "postgres"
        return self.as_text(name) if is_enum else name

    def _lengths(self, column: Column, text: str) -> list[str]:
        length = {"mysql": "CHAR_LENGTH({})", "tsql": "(LEN({} + '.') - 1)"}
        of = length.get(self.dialect, "LENGTH({})").format
        if self.dialect == "sqlite":
            padded = f"{text} GLOB ' *' OR {text} GLOB '* '"
        elif self.dialect == "duckdb":  # its TRIM takes four times as long
            padded = f"{text} LIKE ' %' OR {text} LIKE '% '"
        else:
            # engines that pad in comparisons call 'a' and 'a ' equal, so that lengths are compared
            padded = f"{of(f'TRIM({text})')} <> {of(text)}"
        is_padded = f"SUM(CASE WHEN {padded} THEN 1 ELSE 0 END)"
        return [
            f"MIN({of(text)})",
            f"MAX({of(text)})",
            "NULL" if column.family in TIMES else is_padded,
        ]

    def _has_order(self, column: Column) -> bool:
        if self.dialect == "sqlite":
            return column.family not in ("binary", "geometry")
        return column.family not in ("boolean", "uuid")  # an order of theirs tells nothing

    def _ordered(self, column: Column, name: str) -> str:
        """Return a text by code points, as other engines order it: locales differ, and are slow."""
        if self.dialect == "mysql" and column.family == "text":
            return f"CONVERT({name} USING utf8mb4) COLLATE utf8mb4_bin"
        return self._by_code_points(column, name)

    def _is_opaque(self, column: Column) -> bool:
        if self.dialect == "sqlite":
            return column.family in ("binary", "geometry")
        return column.family in NOT_COMPARED

    def _distinct(self, column: Column, name: str, depth: Depth, source: str) -> str:
        if column.name in self.unique:
            return f"COUNT({name})"
        if self.dialect in _APPROXIMATE:
            return _APPROXIMATE[self.dialect].format(name)
        if source:
            apart = f"SELECT {name} FROM {source} WHERE {name} IS NOT NULL"
            return f"(SELECT COUNT(*) FROM ({apart} GROUP BY {self.grouped(column, name)}))"
        apart = self.grouped(column, name) if depth == Depth.ALL else name
        if depth == Depth.ALL and apart == name:
            apart = self._ordered(column, name)
        return f"COUNT(DISTINCT {apart})"


def asker(table: Table, dialect: str) -> Asker:
    """Return what asks about a table of a database of that dialect."""
    return Asker(table, dialect, _unique(table) if dialect in _ENFORCED else frozenset())


def is_approximate(dialect: str) -> bool:
    """Return whether distinct values are estimated there."""
    return dialect in _APPROXIMATE


def counts(read: int, got: Sequence[Any]) -> Counts:
    """Return what the aggregates of `Asker.aggregates` counted in `read` rows."""
    present, distinct, least, most, *lengths = got
    return Counts(
        read - int(present), _whole(distinct), scalar(least), scalar(most), *map(_whole, lengths)
    )


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)


def _unique(table: Table) -> frozenset[str]:
    if table.kind != "table":
        return frozenset()
    keys = [key.columns for key in (table.primary_key, *table.unique) if key is not None]
    keys += [index.columns for index in table.indexes if index.unique and index.where is None]
    return frozenset(columns[0] for columns in keys if len(columns) == 1)
