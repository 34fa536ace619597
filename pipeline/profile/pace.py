"""How far a profile is: tables, rows, how fast, and how long it may still take."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from time import monotonic as now

from pipeline.database.connect import Database, open_database
from pipeline.database.source import Source
from pipeline.errors import PassingError, QueryError
from pipeline.profile.sampling import row_id
from pipeline.text import counted, thousands
from schemas.facts import Table, TableProfile

log = logging.getLogger("dblore.profile")

_UNKNOWN_ROWS = 1_000
"""Taken for the rows of what the engine tells no size of, such as views."""
_STATEMENT = 200
"""What asking costs beside reading, in rows."""
_SOON, _SOME = 2.0, 0.02
"""Seconds and share of the work before which a rate tells nothing."""
_SIZES = {
    "postgres": """SELECT n.nspname, c.relname, c.reltuples FROM pg_class AS c
        JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm', 'p')""",
    "mysql": """SELECT table_schema, table_name, table_rows FROM information_schema.tables
        WHERE table_schema = DATABASE()""",
    "duckdb": "SELECT schema_name, table_name, estimated_size FROM duckdb_tables()",
}


@dataclass(frozen=True, slots=True)
class Step:
    """How far a profile is."""

    tables: int
    """Finished ones, those of an earlier run included."""
    of_tables: int
    rows: int
    """Read in this run."""
    share: float
    """Of the work, 0–1, as far as the engine tells sizes."""
    rows_a_second: float | None = None
    """None at the beginning."""
    seconds_left: float | None = None
    finished: str = ""
    """The table that is finished now; '' while a long one is read."""

    def __str__(self) -> str:
        """Return it for people."""
        parts = [f"{self.tables} of {counted(self.of_tables, 'table')}", counted(self.rows, "row")]
        if self.rows_a_second is not None:
            parts.append(f"{thousands(round(self.rows_a_second))} rows/s")
        if self.seconds_left is not None and self.tables < self.of_tables:
            parts.append(f"about {_duration(self.seconds_left)} left")
        return ", ".join(parts)


Progress = Callable[[Step], None]


def silent(_step: Step) -> None:
    """Report nothing."""


class Pace:
    """Counts finished tables and rows; knows the time."""

    def __init__(self, todo: Iterable[Table], *, known: int, sizes: Mapping[str, int]) -> None:
        """See the class.

        Args:
            todo: Tables that are to be read.
            known: Tables that an earlier run has read.
            sizes: About how many rows of a table are to be read, where that is known.
        """
        self._sizes = sizes
        self._work = {t.name: _work(t, sizes.get(t.name, _UNKNOWN_ROWS)) for t in todo}
        self._all = sum(self._work.values())
        self._parts: dict[str, float] = {}
        self._of = known + len(self._work)
        self._done = self._rows = 0
        self._started = now()

    def reached(self, table: str, share: float) -> None:
        """Note how much of a table is done; threads that read may call it."""
        self._parts[table] = share

    def step(self, finished: TableProfile | None = None) -> Step:
        """Return how far it is, after a table or just now."""
        if finished is not None:
            self._done += self._work.pop(finished.table, 0)
            self._rows += rows_read(finished)
        parts = [(name, part) for name, part in list(self._parts.items()) if name in self._work]
        done = self._done + sum(self._work[name] * part for name, part in parts)
        rows = self._rows + sum(int(self._sizes.get(name, 0) * part) for name, part in parts)
        share = done / self._all if self._all else 1.0
        passed = now() - self._started
        is_told = passed >= _SOON and share >= _SOME
        return Step(
            self._of - len(self._work),
            self._of,
            rows,
            share,
            rows / passed if is_told else None,
            passed * (1 - share) / share if is_told else None,
            finished.table if finished is not None else "",
        )


def begin(source: Source, todo: Sequence[Table], *, known: int, most: int | None) -> Pace:
    """Return a count of the tables to do, with what the engine tells of their sizes."""
    if not todo:
        return Pace(todo, known=known, sizes={})
    with open_database(source) as database:
        return Pace(todo, known=known, sizes=sizes(database, todo, most=most))


@contextmanager
def told_when_stopped(kept: Callable[[], int]) -> Iterator[None]:
    """Say on Ctrl-C how many tables the next run finds."""
    try:
        yield
    except KeyboardInterrupt:
        number = kept()
        if number:
            have = f"{counted(number, 'table')} {'is' if number == 1 else 'are'} profiled and kept"
            log.warning("stopped: %s; `dblore build` goes on from there", have)
        raise


def rows_read(table: TableProfile) -> int:
    """Return how many rows of a table were looked at."""
    return (table.rows or 0) if table.sample is None else table.sample.rows


def sizes(database: Database, tables: Iterable[Table], *, most: int | None) -> dict[str, int]:
    """Return about how many rows of each table are to be read; without those of no known size.

    It asks for what the engine has at hand: nothing here may take long or fail.

    Args:
        database: with the tables.
        tables: as the catalogue has them.
        most: rows that are read of a table at most.
    """
    try:
        found = _told(database, [table for table in tables if "view" not in table.kind])
    except (QueryError, PassingError):
        return {}
    return {name: min(rows, most or rows) for name, rows in found.items() if rows >= 0}


def _told(database: Database, tables: list[Table]) -> dict[str, int]:
    if database.dialect == "sqlite":
        return _row_ids(database, tables)
    if database.dialect not in _SIZES:
        return {}
    names: dict[tuple[str, str], int] = {}
    bare: dict[str, int] = {}
    for schema, name, rows in database.fetch(_SIZES[database.dialect]):
        if rows is not None:
            names[(schema, name)] = bare[name] = int(rows)
    found = {}
    for table in tables:
        own = table.object_name
        rows = names.get((table.schema, own)) if table.schema else bare.get(own)
        if rows is not None:
            found[table.name] = rows
    return found


def _row_ids(database: Database, tables: list[Table]) -> dict[str, int]:
    """Return the last row id of each table, which SQLite finds at once."""
    found = {}
    for table in tables:
        name = row_id(table)
        if name is None or set(table.options) - {"STRICT"}:  # virtual tables may read all
            continue
        with suppress(QueryError):
            rows = database.fetch(f"SELECT MAX({name}) FROM {database.table(table)}")
            if rows and isinstance(rows[0][0], int):
                found[table.name] = rows[0][0]
    return found


def _work(table: Table, rows: int) -> int:
    return (rows + _STATEMENT) * max(1, len(table.columns))


def _duration(seconds: float) -> str:
    whole = max(1, round(seconds))
    if whole < 100:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 100 else f"{round(minutes / 60)} h"
