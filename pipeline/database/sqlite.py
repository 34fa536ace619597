"""SQLite files: opened so that nothing can be written, on the standard library alone."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pipeline.database import sqlite_session
from pipeline.database.connect import Database, Reply, Row, Take, hand_out
from pipeline.database.source import Source
from pipeline.errors import DbloreError, QueryError, SourceError
from schemas.facts import Catalog

OPS_BETWEEN_CHECKS = 10_000  # virtual-machine steps; no measurable cost at this figure
BUSY_SECONDS = 5.0
_LOCKED = frozenset([sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL])
_DAMAGED = frozenset([sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR])
WAL_VERSION = 2  # bytes 18 and 19 of the header: https://www.sqlite.org/fileformat2.html#file_format_version_numbers


class SqliteDatabase(Database):
    """A SQLite file, read-only three times over: `mode=ro`, `query_only`, an authorizer."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        assert source.path is not None
        self.connection = connect(source.path)
        self._stopped = False
        self._primed = False

    def fetch(
        self, sql: str, parameters: Sequence[Any] = (), *, timeout_seconds: float | None = None
    ) -> list[Row]:
        """Run SQL of our own and return all rows."""
        with self._running(timeout_seconds):
            return self.connection.execute(sql, tuple(parameters)).fetchall()

    def read_rows(self, sql: str, take: Take, *, timeout_seconds: float) -> Reply:
        """Run guarded SQL under an authorizer that knows only reading."""
        if not self._primed:
            sqlite_session.prime(self.connection)
            self._primed = True
        with self._running(timeout_seconds), sqlite_session.restricted(self.connection):
            cursor = self.connection.execute(sql)
            hand_out(cursor, take)
            return Reply(tuple(column[0] for column in cursor.description or ()))

    def read_catalog(self, schemas: Sequence[str] = ()) -> Catalog:  # noqa: ARG002 - of the interface
        """Return the structure of the file; a SQLite file has one schema."""
        from pipeline.database import sqlite_catalog

        return sqlite_catalog.read(self)

    def interrupt(self) -> None:
        """Stop the running statement."""
        self._stopped = True
        self.connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    @contextmanager
    def _running(self, timeout_seconds: float | None) -> Iterator[None]:
        self._stopped = False
        deadline = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        if deadline is not None:
            self.connection.set_progress_handler(_past(deadline), OPS_BETWEEN_CHECKS)
        try:
            yield
        except sqlite3.Error as error:
            late = deadline is not None and time.monotonic() >= deadline
            raise self._failure(error, timeout_seconds if late else None) from error
        finally:
            self.connection.set_progress_handler(None, 0)
            with suppress(sqlite3.Error):
                self.connection.rollback()

    def _failure(self, error: sqlite3.Error, late_after: float | None) -> DbloreError:
        text = self.source.safe(error)
        if _code(error) == sqlite3.SQLITE_INTERRUPT:
            if late_after is not None and not self._stopped:
                return QueryError(
                    f"the statement ran longer than {late_after:g} s and was stopped",
                    fix="read fewer rows: filter earlier, aggregate, or add a LIMIT",
                )
            return QueryError("the statement was cancelled", fix="run it again if it is needed")
        return _file_failure(self.source.shown, error) or QueryError(
            f"SQLite says: {text}", fix="correct the statement"
        )


def connect(path: Path) -> sqlite3.Connection:
    """Open a SQLite file so that it can't be written, and read its schema once.

    Raises:
        SourceError: it can't be opened, is locked, damaged or no database.
    """
    uri = file_uri(path) + "?mode=ro"
    try:
        return _open(uri)
    except sqlite3.Error as error:
        if _is_frozen_wal(path):
            # SQLite can't make the -shm file that WAL needs; with no -wal nobody writes, so that
            # the file may be read as it lies there.
            with suppress(sqlite3.Error):
                return _open(uri + "&immutable=1")
        raise _file_failure(str(path), error) or SourceError(
            f"{path} can't be opened: {error}",
            fix="make the file readable; one with a -wal or -journal file beside it also needs "
            "a folder that can be written",
        ) from error


def file_uri(path: Path) -> str:
    """Return the `file:` URI of a path, in the form that SQLite takes on every system."""
    text = path.as_posix()
    if text.startswith("//"):  # a network share
        return "file://" + quote(text)
    return "file:" + quote(text if text.startswith("/") else f"/{text}")


def _open(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        uri, uri=True, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None
    )
    try:
        connection.text_factory = _text
        connection.execute("PRAGMA query_only=1")
        # Not `trusted_schema=0`: SQLite before 3.41 then takes JSON functions for unsafe, and a
        # file that has one in an index doesn't open. The authorizer looks into views as well.
        sqlite_session.confine(connection)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _past(deadline: float) -> Callable[[], bool]:
    return lambda: time.monotonic() >= deadline


def _is_frozen_wal(path: Path) -> bool:
    with suppress(OSError):
        with path.open("rb") as file:
            is_wal = WAL_VERSION in file.read(20)[18:]
        log = path.with_name(path.name + "-wal")
        return is_wal and not (log.exists() and log.stat().st_size)
    return False


def _file_failure(shown: str, error: sqlite3.Error) -> SourceError | None:
    """Return the failure of the file, if it is one; by its code, as any text may be in a name."""
    code = _code(error)
    if code in _LOCKED:
        return SourceError(
            f"{shown} is locked by another program ({error})",
            fix="wait until that program has finished writing, then run the same command again",
        )
    if code in _DAMAGED:
        return SourceError(
            f"{shown} is damaged or encrypted: {error}",
            fix="restore it from a backup, or check it with `PRAGMA integrity_check`",
        )
    return None


def _code(error: sqlite3.Error) -> int | None:
    """Return the primary result code (https://www.sqlite.org/rescode.html), if SQLite gave one."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
