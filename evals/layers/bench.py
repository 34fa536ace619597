"""One engine's bench: what is watched there, and the sessions in which a statement is run."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from evals.guard_engines import fixtures
from evals.layers.marks import Marks
from pipeline.database.connect import Row, open_database
from pipeline.database.source import Source
from pipeline.errors import DbloreError

LIMIT_SECONDS = 0.8
"""What a layer that bounds time grants; the statements that sleep want 1.2 s."""
OPEN_SECONDS = 3.0
"""The end of a statement that no layer stops."""
_MOST_ROWS = 1_000

Fetch = Callable[[str], Sequence[Row]]
World = Mapping[str, str]
"""What is watched, by kind, as a text that changes when it does."""


@dataclass(frozen=True, slots=True)
class Item:
    """A statement of a corpus."""

    id: str
    dialect: str
    sql: str
    effect: str
    layers: Mapping[str, str]
    """What stops it: stopped, no_effect or not_stopped, by layer."""
    setup: tuple[str, ...] = ()
    """Statements that must have run before."""
    first: tuple[str, ...] = ()
    """Statements that must have run in the same session."""
    is_seen_when_open: bool = True
    """False: without any layer it changes nothing."""


_NO_ITEM = Item("", "", "", "", {})


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a statement."""

    rows: list[Row]
    error: str | None
    seconds: float


class Session(ABC):
    """One connection, for one statement."""

    @abstractmethod
    def run(self, sql: str, during: Callable[[], None]) -> Ran:
        """Run a statement; call `during` while its transaction is open."""

    @abstractmethod
    def fetch(self, sql: str) -> Sequence[Row]:
        """Ask the same connection something."""

    @abstractmethod
    def close(self) -> None:
        """End the connection."""


class OurSession(Session):
    """The session in which dblore runs what its guard let pass."""

    def __init__(self, source: Source) -> None:
        self.database = open_database(source, bounded=True)

    def run(self, sql: str, during: Callable[[], None]) -> Ran:
        """Run it as `query.read` would, without the guard."""
        rows: list[Row] = []

        def take(row: Row) -> bool:
            if not rows:
                during()
            rows.append(row)
            return len(rows) < _MOST_ROWS

        with timed() as seconds:
            try:
                self.database.read_rows(sql, take, timeout_seconds=LIMIT_SECONDS)
                error = None
            except DbloreError as failure:
                error = failure.problem
            except Exception as failure:  # noqa: BLE001 - a fault of ours, which the report shows
                error = f"unforeseen {type(failure).__name__}: {failure}"
        during()
        return Ran(rows, error, seconds())

    def fetch(self, sql: str) -> Sequence[Row]:
        """Ask the connection that ran the statement, if it is still there."""
        return self.database.fetch(sql)

    def close(self) -> None:
        """Close it."""
        self.database.close()


@dataclass(frozen=True, slots=True)
class Way:
    """How a statement is run on a plain connection of the engine's driver."""

    opening: tuple[str, ...] = ()
    """Run as soon as the connection is there."""
    before: str | None = None
    after: str | None = None


class PlainSession(Session):
    """A connection of the engine's driver, with one layer or none."""

    def __init__(self, connection: Any, way: Way) -> None:
        self.connection = connection
        self.way = way
        for statement in way.opening:
            self.execute(statement)

    def run(self, sql: str, during: Callable[[], None]) -> Ran:
        """Run it as the way says."""
        if self.way.before:
            self.execute(self.way.before)
        rows: list[Row] = []
        with timed() as seconds:
            try:
                rows = self.execute(sql)
                error = None
            except Exception as failure:  # noqa: BLE001 - each driver has its own
                error = f"{type(failure).__name__}: {failure}"
        during()
        if self.way.after:
            with suppress(Exception):  # the statement may have broken the connection
                self.execute(self.way.after)
        return Ran(rows, error, seconds())

    def execute(self, sql: str) -> list[Row]:
        """Run one text and return the rows of all statements in it."""
        cursor = self.connection.cursor()
        cursor.execute(sql)
        rows: list[Row] = []
        while True:
            if cursor.description:
                rows += map(tuple, cursor.fetchmany(_MOST_ROWS))
            if not getattr(cursor, "nextset", lambda: None)():
                return rows

    def fetch(self, sql: str) -> Sequence[Row]:
        """Ask the connection something."""
        return self.execute(sql)

    def close(self) -> None:
        """Close it."""
        with suppress(Exception):
            self.connection.close()


class Bench(ABC):
    """A throw-away database of one engine."""

    dialect: str
    ours: frozenset[str]
    """The layers of corpora that stand for dblore's own sessions."""
    plain: frozenset[str]
    """The others, which are each set up by themselves."""
    unguarded: tuple[str, ...]
    """The sessions without any layer."""

    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        self.item = _NO_ITEM

    def prepare(self, item: Item) -> None:
        """Put everything back as it was at first, and watch what this item may touch."""
        self.item = item
        self.restore()

    @abstractmethod
    def restore(self) -> None:
        """Put everything back, and do what the item wants done before."""

    @abstractmethod
    def session(self, layer: str) -> Session:
        """Open a session with that layer."""

    @abstractmethod
    def world(self) -> World:
        """Return what is watched from outside."""

    @abstractmethod
    def locks(self) -> frozenset[str]:
        """Return what a writer would have to wait for."""

    @abstractmethod
    def traits(self, fetch: Fetch) -> str:
        """Return what a session is like."""

    @contextmanager
    def exposing(self) -> Iterator[None]:
        """Put within reach of the process what the statement is after."""
        yield

    def close(self) -> None:  # noqa: B027 - a file needs nothing
        """Let go of everything."""


@contextmanager
def timed() -> Iterator[Callable[[], float]]:
    """Give a function that tells how long the block took."""
    start = time.perf_counter()
    end: list[float] = []
    yield lambda: (end[0] if end else time.perf_counter()) - start
    end.append(time.perf_counter())


def shop(dialect: str) -> list[str]:
    """Return the statements that make the tables."""
    return [
        *fixtures(dialect),
        "CREATE TABLE pk_t(id INT PRIMARY KEY, v VARCHAR(10))",
        "INSERT INTO pk_t VALUES (1, 'a')",
    ]
