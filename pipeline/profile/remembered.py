"""A database that is asked each question about joins once, as long as nothing in it changes.

The answer to a statement is kept with the structure and the stamps of the tables that it names.
Only numbers are kept: no value of a column gets into the file.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from pipeline.database.connect import Database, Reply, Row, Take, open_database
from pipeline.database.source import Source
from pipeline.errors import PassingError, QueryError, is_late, late
from pipeline.kept import Kept, digest
from schemas import codec
from schemas.facts import Catalog

VERSION = 1
"""To be raised whenever the same statement comes to mean something else."""
LATE_SECONDS = 10.0
"""A statement that took so long is not asked again either; one that had less time is."""
_LATE = "late"


class RememberedDatabase(Database):
    """Stands before a database, which it opens when there is a question that is new."""

    def __init__(
        self, source: Source, catalog: Catalog, stamps: Mapping[str, str], kept: Kept
    ) -> None:
        super().__init__(source)
        self._kept = kept
        self._database: Database | None = None
        self._used: set[str] = set()
        self.was_kept_out = False
        """Whether a lock, or a cut connection, left a question without an answer."""
        self._tables = {
            self.table(table): digest([codec.to_json(table), stamps[table.name]])
            if table.name in stamps
            else None
            for table in catalog.tables
        }

    def fetch(
        self, sql: str, parameters: Sequence[Any] = (), *, timeout_seconds: float | None = None
    ) -> list[Row]:
        """Run SQL of our own and return all rows, unless they are known."""
        key = self._key(sql, parameters)
        known = None if key is None else self._kept.get(key)
        if known == _LATE and timeout_seconds is not None:
            raise late(timeout_seconds)
        if known is not None and known != _LATE:
            return [tuple(row) for row in known]
        start = time.monotonic()
        try:
            rows = self._opened().fetch(sql, parameters, timeout_seconds=timeout_seconds)
        except QueryError as error:
            if key and is_late(error.problem) and time.monotonic() - start >= LATE_SECONDS:
                self._kept.put(key, _LATE)
            raise
        except PassingError:
            self.was_kept_out = True
            raise
        numbers = _numbers(rows)
        if key and numbers is not None:
            self._kept.put(key, numbers)
        return rows

    def forget_the_rest(self) -> None:
        """Forget answers to what wasn't asked this time."""
        self._kept.keep_only(self._used)

    def read_rows(self, sql: str, take: Take, *, timeout_seconds: float) -> Reply:
        """Run guarded SQL."""
        return self._opened().read_rows(sql, take, timeout_seconds=timeout_seconds)

    def prove(self, sql: str, *, timeout_seconds: float) -> Reply:
        """Have guarded SQL looked through."""
        return self._opened().prove(sql, timeout_seconds=timeout_seconds)

    def read_catalog(self, schemas: Sequence[str] = ()) -> Catalog:
        """Return the structure of the database."""
        return self._opened().read_catalog(schemas)

    def interrupt(self) -> None:
        """Stop the statement that runs now."""
        if self._database is not None:
            self._database.interrupt()

    def close(self) -> None:
        """Give the connection back, if there is one."""
        if self._database is not None:
            self._database.close()

    def _opened(self) -> Database:
        if self._database is None:
            self._database = open_database(self.source)
        return self._database

    def _key(self, sql: str, parameters: Sequence[Any]) -> str | None:
        """Return what an answer depends on, as one hash; None if nobody can tell.

        A name that only looks like a table's makes it depend on more than it needs, never on less.
        """
        read = [known for name, known in self._tables.items() if name in sql]
        if not read or None in read:
            return None
        key = digest([VERSION, sql, list(parameters), read])
        self._used.add(key)
        return key


def _numbers(rows: list[Row]) -> list[list[int | None]] | None:
    """Return rows as whole numbers; None if there is anything else in them."""
    values = [value for row in rows for value in row]
    if all(value is None or _is_whole(value) for value in values):
        return [[None if value is None else int(value) for value in row] for row in rows]
    return None


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) or (isinstance(value, Decimal) and value == int(value))
