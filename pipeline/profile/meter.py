"""Measurements of one search: each within its time limit, and what fails is left out."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from pipeline.database.connect import Database
from pipeline.errors import PassingError, QueryError, is_late
from pipeline.profile import containment
from pipeline.profile.candidates import Candidate
from pipeline.profile.containment import Containment, Pair
from pipeline.text import counted
from schemas.facts import Column, Table

QUERY_SECONDS = 10.0
SAMPLE_ROWS = 50_000
"""References that are looked at when all of them took too long."""
_LATE = 0.9
"""Share of the time limit after which a failure is taken for its end."""


class Meter:
    """Counts in a database until time is up; knows what it couldn't count."""

    def __init__(self, database: Database, *, rows: int | None, seconds: float) -> None:
        self._database, self._rows, self._seconds = database, rows, seconds
        self._deadline = time.monotonic() + seconds
        self._late = self._failed = self._missed = 0

    def measure(self, candidate: Candidate, where: str = "") -> Containment | None:
        """Return how much of a column is found in a key; None when there is no telling."""
        return self.of(candidate.pair, where, None if where else candidate.blank)

    def of(self, pair: Pair, where: str = "", blank: str | int | None = None) -> Containment | None:
        """Return how much of some columns is found in a key; None when there is no telling."""
        for rows in dict.fromkeys((self._rows, min(self._rows or SAMPLE_ROWS, SAMPLE_ROWS))):
            left = self._deadline - time.monotonic()
            if left <= 0:
                break
            limit, start = min(left, QUERY_SECONDS), time.monotonic()
            try:
                return containment.contained(
                    self._database, pair, where=where, blank=blank, rows=rows, timeout_seconds=limit
                )
            except QueryError as error:
                if not is_late(error.problem) and time.monotonic() - start < _LATE * limit:
                    self._failed += 1  # types or collations that the engine can't compare
                    return None
            except PassingError:
                self._missed += 1
                return None
        self._late += 1
        return None

    def is_unique(self, table: Table, columns: tuple[Column, ...]) -> bool:
        """Return whether columns are a key; False when there is no telling."""
        return self._told(
            lambda limit: containment.is_unique(self._database, table, columns, seconds=limit)
        )

    def has_loop(self, pair: Pair) -> bool:
        """Return whether a row refers to itself; False when there is no telling."""
        return self._told(lambda limit: containment.has_loop(self._database, pair, seconds=limit))

    def _told(self, ask: Callable[[float], bool]) -> bool:
        left = self._deadline - time.monotonic()
        with suppress(QueryError, PassingError):
            return left > 0 and ask(min(left, QUERY_SECONDS))
        return False

    def notes(self) -> tuple[str, ...]:
        """Return what a reader should know of what wasn't measured."""
        found = []
        if self._late:
            were = f"{counted(self._late, 'possible join')} {_was(self._late)}"
            found.append(f"{were} measured within {self._seconds:g} s")
        if self._failed:
            were = f"{counted(self._failed, 'possible join')} {_was(self._failed)}"
            found.append(f"{were} measured: the database can't compare the columns")
        if self._missed:
            were = f"{counted(self._missed, 'possible join')} {_was(self._missed)}"
            found.append(f"{were} measured: another session locked tables, or cut the connection")
        return tuple(found)


def _was(number: int) -> str:
    return "wasn't" if number == 1 else "weren't"
