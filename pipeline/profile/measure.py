"""Count what one table holds: the SQL of a profile.

One aggregate pass a table (wide tables in chunks), then one grouped query for each column that
deserves a dictionary. What an engine refuses of one column is left out for that column alone.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipeline.database.connect import Database, Row
from pipeline.errors import QueryError
from pipeline.profile import aggregates, sampling, stored_text
from pipeline.profile.aggregates import Counts, Depth
from pipeline.profile.scalars import scalar
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
GATHERED_ROWS = 100_000
"""Rows up to which SQLite copies columns of a wide table before it counts their values: it reads
whole rows for each of them, 16 s for 1,000 rows of 2,000 columns instead of 2."""
_COPY = '"columns copied by dblore"'
"""No table is called so."""
PEEKED_AT = 2000
"""Rows that tell whether the texts of a SQLite column repeat."""
_SELDOM_TWICE = 0.5
"""Share of distinct values above which sorting them is cheaper than SQLite's COUNT(DISTINCT):
0.24 against 0.59 s for 121,317 GUIDs; for values that repeat it is the other way round."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was counted in one table."""

    rows: int
    read: int
    """Rows that were looked at: all of them, or the sample's."""
    sample: Sample | None
    columns: dict[str, Counts]
    estimated: bool = False
    """`rows` is what the engine says, not counted."""


class TableReader:
    """Reads one table or view through an open connection."""

    def __init__(
        self,
        database: Database,
        table: Table,
        rows: int | None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.database, self.table = database, table
        self._cap, self._is_stopped = rows, is_stopped
        self._is_view = table.kind not in ("table", "materialized_view")
        self._seconds = VIEW_SECONDS if self._is_view else None
        self._ask = aggregates.asker(table, database.dialect)
        self._name = database.table(table)
        self._from = self._name
        self._sorted: frozenset[str] = frozenset()
        self._decoded: frozenset[str] = frozenset()
        self._measured: Measured | None = None
        self._gathered: dict[str, tuple[ValueCount, ...]] = {}
        self._rows: list[tuple[Any, ...]] | None = None

    def measure(self) -> Measured:
        """Count rows, and per column nulls, distinct values, range and lengths.

        Raises:
            QueryError: the table can't be read, or a view took longer than `VIEW_SECONDS`.
        """
        rows, estimated, sample = self._narrowed()
        self._read_texts_in_bytes()
        if self.database.dialect == "sqlite" and not self._is_view and sample is None:
            self._sorted = self._seldom_twice()
        read, counts = self._passes()
        if sample is not None and not read:  # the engine's estimate was far off
            part = sampling.first_rows(self.database, self.table, self._cap or 0)
            self._from, sample = part.source, Sample(part.method, 0)
            read, counts = self._passes()
        sample = replace(sample, rows=read) if sample is not None else None
        total = read if rows is None else max(rows, read)
        self._measured = Measured(total, read, sample, counts, estimated)
        return self._measured

    def frequencies(self, column: Column, limit: int) -> tuple[ValueCount, ...]:
        """Return the most frequent values of a column, exactly as stored; ties by value."""
        known = self._known(column)
        if known is not None:
            return known[:limit]
        if self._is_view:
            return self._counted_rows(column, limit) if self._known_rows <= VIEW_ROWS else ()
        select = self._grouped(column, self._from)
        try:
            found = self._fetch(sampling.first(self.database.dialect, select, limit))
        except QueryError:
            self._expect_table()
            return ()
        return _told(found)

    def gather(self, wanted: Sequence[tuple[Column, int]]) -> None:
        """Count the most frequent values of many columns together, if that is cheaper.

        Afterwards `frequencies` has them at hand, up to the limit that stands beside each column.
        """
        is_wide = len(self.table.columns) > COLUMNS_A_PASS
        if self.database.dialect != "sqlite" or self._is_view or not is_wide:
            return
        asked = [(column, limit) for column, limit in wanted if self._known(column) is None]
        if self._measured is None or self._measured.read > GATHERED_ROWS:
            return
        for start in range(0, len(asked), COLUMNS_A_PASS):
            chunk = asked[start : start + COLUMNS_A_PASS]
            copied = ", ".join(self.database.quote(column.name) for column, _ in chunk)
            counted = " UNION ALL ".join(
                f"SELECT {i}, * FROM ({self._grouped(column, _COPY)} LIMIT {limit})"
                for i, (column, limit) in enumerate(chunk)
            )
            try:
                found = self._fetch(
                    f"WITH {_COPY} AS MATERIALIZED (SELECT {copied} FROM {self._from}) {counted}"
                )
            except QueryError as error:  # a damaged value, or a SQLite before 3.35
                self._give_up_on_stops(error)
                continue
            for i, (column, _) in enumerate(chunk):
                self._gathered[column.name] = _told(row[1:] for row in found if row[0] == i)

    def _known(self, column: Column) -> tuple[ValueCount, ...] | None:
        """Return the frequencies that need no query: all rows hold the same, or it was gathered."""
        measured = self._measured
        if measured is not None and not aggregates.is_approximate(self.database.dialect):
            same = measured.columns[column.name].same(measured.read)
            if same is not None:
                return (same,)
        return self._gathered.get(column.name)

    def _grouped(self, column: Column, source: str) -> str:
        """Return the query of a column's values, most frequent first; ties by value."""
        name = self._value(column)
        stored = self._ask.grouped(column, name)
        value, order = stored, stored
        if stored != name and self.database.dialect == "sqlite":
            value = name
        elif stored != name and self.database.dialect == "mysql":
            value = f"MIN({name})"  # all are the same; a bare name would offend ONLY_FULL_GROUP_BY
            order = stored  # by code points, as elsewhere
        return (
            f"SELECT {self._ask.shown(column, value)}, COUNT(*) FROM {source}"
            f" WHERE {name} IS NOT NULL GROUP BY {stored} ORDER BY COUNT(*) DESC, {order}"
        )

    def examples(self, columns: Sequence[Column]) -> dict[str, list[Scalar]]:
        """Return some stored values of each column, long ones cut, spread over the table."""
        if not columns:
            return {}
        source = self._from
        if source == self._name and self._known_rows > EXAMPLES * 4 and not self._is_view:
            source = sampling.part(self.database, self.table, EXAMPLES, self._known_rows).source
        found = self._read_examples(columns, source)
        if source != self._from and not any(found.values()):
            found = self._read_examples(columns, self._from)
        return found

    def outlier(self, column: Column, value: Scalar, aggregate: str) -> tuple[int, Scalar | None]:
        """Return how many rows hold `value`, and the MIN or MAX of all others.

        It is (0, None) where that fails: an engine may refuse to compare with what it stores
        itself, such as a day 0.
        """
        name = self._value(column)
        shown = "?" if isinstance(value, str) else str(value)
        parameters = (value, value) if isinstance(value, str) else ()
        others = f"{aggregate}(CASE WHEN {name} <> {shown} THEN {name} END)"
        sql = (
            f"SELECT SUM(CASE WHEN {name} = {shown} THEN 1 ELSE 0 END),"
            f" {self._ask.shown(column, others)} FROM {self._from}"
        )
        try:
            rows = self._fetch(sql, parameters)
        except QueryError:
            return 0, None
        return int(rows[0][0] or 0), scalar(rows[0][1])

    def _read_texts_in_bytes(self) -> None:
        """Take binary columns for texts where that is what they hold, from here on."""
        found = stored_text.columns(self.database, self.table, self._from, self._fetch)
        if found:
            self._decoded = frozenset(column.name for column in found)
            read = [
                replace(c, family="text", native_type="text") if c in found else c
                for c in self.table.columns
            ]
            self.table = replace(self.table, columns=tuple(read))
            self._ask = aggregates.asker(self.table, self.database.dialect)

    def _value(self, column: Column) -> str:
        """Return the expression of a column's value."""
        name = self.database.quote(column.name)
        if column.name not in self._decoded:
            return name
        return stored_text.read_as_text(name, self.database.dialect)

    @property
    def _known_rows(self) -> int:
        return self._measured.rows if self._measured is not None else 0

    def _narrowed(self) -> tuple[int | None, bool, Sample | None]:
        """Go over to a sample if the table has more rows than may be read."""
        if self._cap is None:
            return None, False, None
        about = sampling.estimate(self.database, self.table)
        rows = self._count() if about is None else about
        if rows <= self._cap:
            return (None, False, None) if about is not None else (rows, False, None)
        part = sampling.part(self.database, self.table, self._cap, rows)
        self._from = part.source
        return rows, about is not None, Sample(part.method, 0)

    def _seldom_twice(self) -> frozenset[str]:
        """Return columns of texts that hardly repeat at the table's beginning."""
        asked = [
            column
            for column in self.table.columns
            if self._ask.holds_text(column) and column.name not in self._ask.unique | self._decoded
        ][:COLUMNS_A_PASS]
        if not asked:
            return frozenset()
        names = [self.database.quote(column.name) for column in asked]
        numbers = ", ".join(f"COUNT({name}), COUNT(DISTINCT {name})" for name in names)
        part = f"SELECT {', '.join(names)} FROM {self._name} LIMIT {PEEKED_AT}"
        try:
            got = self._fetch(f"SELECT {numbers} FROM ({part})")[0]
        except QueryError:
            return frozenset()
        return frozenset(
            column.name
            for column, present, distinct in zip(asked, got[::2], got[1::2], strict=True)
            if present >= PEEKED_AT * _SELDOM_TWICE and distinct > present * _SELDOM_TWICE
        )

    def _passes(self) -> tuple[int, dict[str, Counts]]:
        counts: dict[str, Counts] = {}
        read, failures = 0, []
        for start in range(0, max(1, len(self.table.columns)), COLUMNS_A_PASS):
            chunk = self.table.columns[start : start + COLUMNS_A_PASS]
            try:
                read, found = self._counted(chunk, Depth.ALL)
            except QueryError as error:
                self._give_up_on_stops(error)
                failures.append(error)
                read, found = self._count_read(error), self._halved(chunk)
            counts.update(found)
        if failures and all(found.nulls is None for found in counts.values()):
            raise failures[0]
        return read, counts

    def _halved(self, columns: Sequence[Column]) -> dict[str, Counts]:
        """Count columns of which one or more make the pass fail."""
        if len(columns) <= 1:
            return {column.name: self._shallower(column) for column in columns}
        middle = len(columns) // 2
        found: dict[str, Counts] = {}
        for half in (columns[:middle], columns[middle:]):
            try:
                found.update(self._counted(half, Depth.ALL)[1])
            except QueryError as error:
                self._give_up_on_stops(error)
                found.update(self._halved(half))
        return found

    def _shallower(self, column: Column) -> Counts:
        """Return as much as the engine tells of a column."""
        for depth in (Depth.PLAIN, Depth.DISTINCT, Depth.NULLS):
            try:
                return self._counted([column], depth)[1][column.name]
            except QueryError as error:
                self._give_up_on_stops(error)
        return Counts(None)

    def _counted(self, columns: Sequence[Column], depth: Depth) -> tuple[int, dict[str, Counts]]:
        selected = ["COUNT(*)"]
        for column in columns:
            name = self._value(column)
            apart = self._from if column.name in self._sorted else ""
            selected += self._ask.aggregates(column, name, depth, apart)
        row = self._fetch(f"SELECT {', '.join(selected)} FROM {self._from}")[0]
        read, step = int(row[0]), aggregates.EXPRESSIONS
        return read, {
            column.name: aggregates.counts(read, row[1 + i * step : 1 + (i + 1) * step])
            for i, column in enumerate(columns)
        }

    def _count(self) -> int:
        return int(self._fetch(f"SELECT COUNT(*) FROM {self._name}")[0][0])

    def _count_read(self, cause: QueryError) -> int:
        try:
            return int(self._fetch(f"SELECT COUNT(*) FROM {self._from}")[0][0])
        except QueryError as error:
            raise cause from error

    def _expect_table(self) -> None:
        """Raise if the table itself can't be read any more."""
        self._fetch(f"SELECT 1 FROM {self._name} WHERE 1 = 0")

    def _read_examples(self, columns: Sequence[Column], source: str) -> dict[str, list[Scalar]]:
        names = ", ".join(
            self._ask.sample(column, self._value(column), EXAMPLE_LENGTH) for column in columns
        )
        sql = sampling.first(self.database.dialect, f"SELECT {names} FROM {source}", EXAMPLES)
        try:
            rows = self._fetch(sql)
        except QueryError as error:
            self._give_up_on_stops(error)
            if len(columns) == 1:
                self._expect_table()
                return {columns[0].name: []}
            middle = len(columns) // 2
            return {
                **self._read_examples(columns[:middle], source),
                **self._read_examples(columns[middle:], source),
            }
        return {
            column.name: [v for row in rows if (v := scalar(row[i])) is not None]
            for i, column in enumerate(columns)
        }

    def _counted_rows(self, column: Column, limit: int) -> tuple[ValueCount, ...]:
        readable = self._readable()
        if self._rows is None:
            self._rows = self._read_all(readable)
        if len(self._rows) > VIEW_ROWS:
            return ()
        at = readable.index(column)
        counter = Counter(v for row in self._rows if (v := scalar(row[at])) is not None)
        ordered = sorted(counter.items(), key=lambda item: (-item[1], _order(item[0])))
        return tuple(ValueCount(value, n) for value, n in ordered[:limit])

    def _readable(self) -> list[Column]:
        counted = self._measured.columns if self._measured is not None else {}
        return [
            c for c in self.table.columns if c.name in counted and counted[c.name].nulls is not None
        ]

    def _read_all(self, columns: Sequence[Column]) -> list[Row]:
        names = ", ".join(self._ask.shown(c, self._value(c)) for c in columns)
        select = f"SELECT {names} FROM {self._from}"
        try:
            return self._fetch(sampling.first(self.database.dialect, select, VIEW_ROWS + 1))
        except QueryError as error:
            self._give_up_on_stops(error)
            return []

    def _fetch(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        if self._is_stopped():
            raise QueryError("the profile was stopped", fix="run it again")
        started = time.monotonic()
        try:
            return self.database.fetch(sql, parameters, timeout_seconds=self._seconds)
        except QueryError:
            self._was_late = (
                self._seconds is not None and time.monotonic() - started >= self._seconds
            )
            raise
        except (ValueError, ArithmeticError) as error:
            raise QueryError(
                f"the driver can't read a stored value ({type(error).__name__})",
                fix="leave the column out: exclude its table, or mend the value",
            ) from error

    _was_late = False

    def _give_up_on_stops(self, error: QueryError) -> None:
        """Don't try again what took too long, or what nobody waits for."""
        if self._was_late or self._is_stopped():
            raise error


def _told(rows: Iterable[Sequence[Any]]) -> tuple[ValueCount, ...]:
    return tuple(ValueCount(shown, int(n)) for raw, n in rows if (shown := scalar(raw)) is not None)


def _order(value: Scalar) -> tuple[int, Any]:
    return (1, value) if isinstance(value, str) else (0, value)
