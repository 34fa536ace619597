"""Count what one table holds: the SQL of a profile.

One aggregate pass a table (wide tables in chunks), then one grouped query for each column that
deserves a dictionary. SQL is plain enough for every engine; where they differ, a comment says so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from pipeline.database.connect import Database
from pipeline.errors import QueryError
from schemas.facts import Column, Sample, Scalar, Table, ValueCount

VIEW_SECONDS = 2.5
"""What a view may cost; a base table may take what it takes."""
COLUMNS_A_PASS = 60
"""× 7 expressions, far below SQLite's 2,000 result columns; more would only cost memory."""
EXAMPLES = 400
EXAMPLE_LENGTH = 2000
VIEW_ROWS = 20_000
"""Rows up to which a view is read at once for its dictionaries: a query a column would run it anew
each time. Larger views get none; their tables have them."""

_UNORDERED = frozenset({"binary", "geometry", "array", "json", "xml"})
"""Families that some engine can neither compare nor group."""
_NUMERIC = frozenset({"integer", "decimal", "float", "boolean", "interval"})
_TIMES = frozenset({"date", "time", "timestamp"})
_HASH = 2654435761  # Knuth's multiplicative hash, The Art of Computer Programming 3, 6.4
_HASH_RANGE = 4294967296


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted in one column; None where the engine can't."""

    nulls: int
    distinct: int | None = None
    minimum: Scalar | None = None
    maximum: Scalar | None = None
    min_length: int | None = None
    max_length: int | None = None
    padded: int | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What was counted in one table."""

    rows: int
    read: int
    """Rows that were looked at: all of them, or the sample's."""
    sample: Sample | None
    columns: dict[str, Counts]


class TableReader:
    """Reads one table or view through an open connection."""

    def __init__(self, database: Database, table: Table, rows: int | None) -> None:
        self.database, self.table = database, table
        self._cap = rows
        self._is_view = table.kind not in ("table", "materialized_view")
        self._seconds = VIEW_SECONDS if self._is_view else None
        self._name = database.table(table)
        self._from = self._name
        self._rows: list[tuple[Any, ...]] | None = None

    def measure(self) -> Measured:
        """Count rows, and per column nulls, distinct values, range and lengths.

        Raises:
            QueryError: the table can't be read, or a view took longer than `VIEW_SECONDS`.
        """
        rows, sample = None, None
        if self._cap is not None:
            rows = self._count()
            if rows > self._cap:
                self._from, method = self._sample(rows)
                sample = Sample(method, 0)
        counts: dict[str, Counts] = {}
        read = 0
        for start in range(0, max(1, len(self.table.columns)), COLUMNS_A_PASS):
            chunk = self.table.columns[start : start + COLUMNS_A_PASS]
            read, found = self._pass(chunk)
            counts.update(found)
        if sample is not None:
            sample = Sample(sample.method, read)
        return Measured(read if rows is None else rows, read, sample, counts)

    def frequencies(self, column: Column, limit: int) -> tuple[ValueCount, ...]:
        """Return the most frequent values of a column, exactly as stored; ties by value."""
        if self._is_view:
            return self._counted_rows(column, limit) if self._known_rows <= VIEW_ROWS else ()
        name = self.database.quote(column.name)
        found = self.database.fetch(
            f"SELECT {name}, COUNT(*) AS n FROM {self._from} WHERE {name} IS NOT NULL"
            f" GROUP BY {name} ORDER BY n DESC, {name} LIMIT {int(limit)}"
        )
        return tuple(
            ValueCount(value, int(n)) for raw, n in found if (value := scalar(raw)) is not None
        )

    def examples(self, columns: Sequence[Column]) -> dict[str, list[Scalar]]:
        """Return some stored values of each column, long ones cut, spread over the table."""
        if not columns:
            return {}
        names = ", ".join(self._example(column) for column in columns)
        where = self._spread(EXAMPLES * 4) if self._from == self._name else ""
        sql = f"SELECT {names} FROM {self._from}{where} LIMIT {EXAMPLES}"
        rows = self.database.fetch(sql, timeout_seconds=self._seconds)
        return {
            column.name: [v for row in rows if (v := scalar(row[i])) is not None]
            for i, column in enumerate(columns)
        }

    def outlier(self, column: Column, value: Scalar, aggregate: str) -> tuple[int, Scalar | None]:
        """Return how many rows hold `value`, and the MIN or MAX of all others.

        It is (0, None) where that fails: an engine may refuse to compare with what it stores
        itself, such as a day 0.
        """
        name = self.database.quote(column.name)
        shown = "?" if isinstance(value, str) else str(value)
        parameters = (value, value) if isinstance(value, str) else ()
        sql = (
            f"SELECT SUM(CASE WHEN {name} = {shown} THEN 1 ELSE 0 END),"
            f" {aggregate}(CASE WHEN {name} <> {shown} THEN {name} END) FROM {self._from}"
        )
        try:
            rows = self.database.fetch(sql, parameters, timeout_seconds=self._seconds)
        except QueryError:
            return 0, None
        return int(rows[0][0] or 0), scalar(rows[0][1])

    def _count(self) -> int:
        rows = self.database.fetch(
            f"SELECT COUNT(*) FROM {self._name}", timeout_seconds=self._seconds
        )
        return int(rows[0][0])

    def _pass(self, columns: Sequence[Column]) -> tuple[int, dict[str, Counts]]:
        """Run one aggregate query; return the rows read and each column's counts."""
        selected, readers = ["COUNT(*)"], []
        for column in columns:
            expressions, reader = self._aggregates(column)
            readers.append((column.name, len(selected), reader))
            selected += expressions
        row = self.database.fetch(
            f"SELECT {', '.join(selected)} FROM {self._from}", timeout_seconds=self._seconds
        )[0]
        read = int(row[0])
        return read, {name: reader(read, row[at:]) for name, at, reader in readers}

    def _aggregates(
        self, column: Column
    ) -> tuple[list[str], Callable[[int, tuple[Any, ...]], Counts]]:
        name = self.database.quote(column.name)
        expressions = [f"COUNT({name})"]
        as_text = self.database.dialect == "sqlite" and column.family in ("json", "xml", "array")
        if column.family in _UNORDERED and not as_text:
            return expressions, lambda read, got: Counts(read - int(got[0]))
        expressions += [f"COUNT(DISTINCT {name})"]
        orders = column.family != "boolean" or self.database.dialect == "sqlite"
        expressions += [f"MIN({name})", f"MAX({name})"] if orders else ["NULL", "NULL"]
        if self._holds_text(column):
            # LENGTH of both sides: engines that pad in comparisons call 'a' and 'a ' equal
            length = "CHAR_LENGTH" if self.database.dialect == "mysql" else "LENGTH"
            differs = f"{length}(TRIM({name})) <> {length}({name})"
            is_padded = f"SUM(CASE WHEN {differs} THEN 1 ELSE 0 END)"
            expressions += [
                f"MIN({length}({name}))",
                f"MAX({length}({name}))",
                "NULL" if column.family in _TIMES else is_padded,
            ]
            return expressions, _text_counts
        return expressions, _plain_counts

    def _holds_text(self, column: Column) -> bool:
        if self.database.dialect == "sqlite":  # a type says little of what is stored
            return column.family not in _NUMERIC and column.family not in ("binary", "geometry")
        return column.family in ("text", "enum")

    def _example(self, column: Column) -> str:
        name = self.database.quote(column.name)
        if self._holds_text(column):
            return f"SUBSTR({name}, 1, {EXAMPLE_LENGTH})"
        return name

    def _sample(self, rows: int) -> tuple[str, str]:
        """Return a FROM item of about as many rows as the cap, and how they are picked."""
        assert self._cap is not None
        where = self._spread(self._cap, rows)
        method = "hash of the row id" if where else "first rows"
        inner = f"SELECT * FROM {self._name}{where} LIMIT {int(self._cap)}"
        return f"({inner}) AS sampled", method

    def _spread(self, wanted: int, rows: int | None = None) -> str:
        """Return a WHERE that keeps about `wanted` rows, always the same; '' if it can't."""
        if self.database.dialect != "sqlite" or self.table.kind != "table":
            return ""
        if "WITHOUT ROWID" in self.table.options:
            return ""
        taken = {column.name.casefold() for column in self.table.columns}
        rowid = next((name for name in ("rowid", "_rowid_", "oid") if name not in taken), None)
        if rowid is None:
            return ""
        if rows is None:
            rows = self._known_rows
        if rows <= wanted:
            return ""
        threshold = math.ceil(_HASH_RANGE * wanted / rows * 1.1)
        return f" WHERE (({rowid} * {_HASH}) & {_HASH_RANGE - 1}) < {threshold}"

    _known_rows = 0

    def knows_rows(self, rows: int) -> None:
        """Tell how many rows the table has, so that examples can be spread over it."""
        self._known_rows = rows

    def _counted_rows(self, column: Column, limit: int) -> tuple[ValueCount, ...]:
        if self._rows is None:
            names = ", ".join(self.database.quote(c.name) for c in self.table.columns)
            self._rows = self.database.fetch(
                f"SELECT {names} FROM {self._from} LIMIT {VIEW_ROWS + 1}",
                timeout_seconds=self._seconds,
            )
        if len(self._rows) > VIEW_ROWS:
            return ()
        at = self.table.columns.index(column)
        counter = Counter(v for row in self._rows if (v := scalar(row[at])) is not None)
        ordered = sorted(counter.items(), key=lambda item: (-item[1], _order(item[0])))
        return tuple(ValueCount(value, n) for value, n in ordered[:limit])


def scalar(value: Any) -> Scalar | None:
    """Return a driver's value as JSON can hold it; None for null, bytes and damaged text."""
    if value is None or isinstance(value, bytes | bytearray | memoryview):
        return None
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        # U+FFFD stands where bytes weren't UTF-8, a lone surrogate can't be written
        damaged = "\ufffd" in value or any("\ud800" <= c <= "\udfff" for c in value)
        return None if damaged else value
    if isinstance(value, datetime | date | time):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return str(value) if isinstance(value, UUID) else None


def _plain_counts(read: int, got: tuple[Any, ...]) -> Counts:
    return Counts(read - int(got[0]), int(got[1]), scalar(got[2]), scalar(got[3]))


def _text_counts(read: int, got: tuple[Any, ...]) -> Counts:
    return Counts(
        read - int(got[0]),
        int(got[1]),
        scalar(got[2]),
        scalar(got[3]),
        None if got[4] is None else int(got[4]),
        None if got[5] is None else int(got[5]),
        None if got[6] is None else int(got[6]),
    )


def _order(value: Scalar) -> tuple[int, Any]:
    return (1, value) if isinstance(value, str) else (0, value)


def failure(error: QueryError) -> str:
    """Return why a table couldn't be read, as it is written to profile.json."""
    return error.problem
