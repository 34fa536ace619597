"""SQLite files: opened so that nothing can be written, on the standard library alone."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import Any, TypeVar
from urllib.parse import quote

from pipeline.database import sqlite_session
from pipeline.database.connect import Database, Reply, Row, Take, hand_out
from pipeline.database.source import Source
from pipeline.errors import DbloreError, QueryError, SourceError, late
from schemas.facts import Catalog

OPS_BETWEEN_CHECKS = 10_000  # virtual-machine steps; no measurable cost at this figure
BUSY_SECONDS = 5.0
_LOCKED = frozenset([sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL])
_DAMAGED = frozenset([sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR])
_UNFINISHED = frozenset([  # extended codes: plain READONLY is a statement that would write
    sqlite3.SQLITE_READONLY_CANTINIT, sqlite3.SQLITE_READONLY_RECOVERY,
    sqlite3.SQLITE_READONLY_ROLLBACK,
])  # fmt: skip
WAL_VERSION = 2  # bytes 18 and 19 of the header: https://www.sqlite.org/fileformat2.html#file_format_version_numbers
_T = TypeVar("_T")


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
        with self.withholding(sql, parameters):
            return self.fetch_structure(sql, parameters, timeout_seconds)

    def _said_of_names(self, sql: str, parameters: Sequence[Any]) -> str | None:
        try:
            self.fetch_structure(f"EXPLAIN {sql}", parameters, None)
        except DbloreError as error:
            return error.problem
        return None

    def fetch_structure(
        self, sql: str, parameters: Sequence[Any] = (), timeout_seconds: float | None = None
    ) -> list[Row]:
        """Run SQL of our own over the schema alone: its errors quote names and no value."""
        with self._running(timeout_seconds):
            return _trusting_at_need(
                self.connection,
                lambda: self.connection.execute(sql, tuple(parameters)).fetchall(),
            )

    def read_rows(self, sql: str, take: Take, *, timeout_seconds: float) -> Reply:
        """Run guarded SQL under an authorizer that knows only reading."""
        # Waits less than the statement may take: a file that is locked isn't one that is slow.
        wait = min(BUSY_SECONDS, timeout_seconds / 2)
        with self._running(timeout_seconds):
            self.connection.execute(f"PRAGMA busy_timeout = {int(1000 * wait)}")
            if not self._primed:
                sqlite_session.prime(self.connection)
                self._primed = True
            return _trusting_at_need(self.connection, lambda: self._read(sql, take))

    def prove(self, sql: str, *, timeout_seconds: float) -> Reply:
        """Compile the SQL; SQLite doesn't say then what its columns are."""
        self.read_rows(f"EXPLAIN {sql}", lambda _row: False, timeout_seconds=timeout_seconds)
        return Reply(())

    def read_catalog(self, schemas: Sequence[str] = ()) -> Catalog:  # noqa: ARG002 - of the interface
        """Return the structure of the file; a SQLite file has one schema."""
        from pipeline.database import sqlite_catalog

        return sqlite_catalog.read(self)

    def interrupt(self) -> None:
        """Stop the running statement."""
        self._stopped = True
        with suppress(sqlite3.ProgrammingError):  # it may be closed by now
            self.connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def _read(self, sql: str, take: Take) -> Reply:
        with sqlite_session.restricted(self.connection):
            cursor = self.connection.execute(sql)
            columns = tuple(column[0] for column in cursor.description or ())
            hand_out(cursor, take)
            cursor.close()  # an open one would keep its lock on the file
            return Reply(columns)

    @contextmanager
    def _running(self, timeout_seconds: float | None) -> Iterator[None]:
        self._stopped = False
        deadline = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        if deadline is not None:
            self.connection.set_progress_handler(_past(deadline), OPS_BETWEEN_CHECKS)
        try:
            yield
        except (sqlite3.Error, sqlite3.Warning, UnicodeEncodeError, MemoryError) as error:
            is_late = deadline is not None and time.monotonic() >= deadline
            raise self._failure(error, timeout_seconds if is_late else None) from error
        finally:
            self.connection.set_progress_handler(None, 0)
            with suppress(sqlite3.Error):
                self.connection.rollback()

    def _failure(self, error: Exception, late_after: float | None) -> DbloreError:
        code = _code(error)
        if code == sqlite3.SQLITE_INTERRUPT:
            if late_after is not None and not self._stopped:
                return late(late_after)
            return QueryError("the statement was cancelled", fix="run it again if it is needed")
        if code == sqlite3.SQLITE_TOOBIG:
            return QueryError(
                f"a value or a row is longer than {sqlite_session.LONGEST_VALUE:,} bytes",
                fix="leave that column out, or build shorter texts",
            )
        if isinstance(error, MemoryError) or code == sqlite3.SQLITE_NOMEM:
            return QueryError(
                "the statement needs more memory than it may have",
                fix="read fewer rows, aggregate, or build shorter texts",
            )
        return _file_failure(self.source.path, error) or QueryError(
            f"SQLite says: {self.source.safe(error)}", fix=_ADVICE.get(str(error), _CORRECT)
        )


_CORRECT = "correct the statement"
_ADVICE = {
    "LIKE or GLOB pattern too complex": "shorten the pattern to 100 bytes, or use = or instr()",
    "too many columns in result set": "name the columns that are needed in place of *",
}


def _trusting_at_need(connection: sqlite3.Connection, run: Callable[[], _T]) -> _T:
    """Run it, and again with a trusted schema if the file can't be read without.

    SQLite refuses when it compiles the statement, so that no row came before.
    """
    try:
        return run()
    except sqlite3.Error as error:
        if not sqlite_session.is_distrust(error):
            raise
        sqlite_session.trust_schema(connection)
        return run()


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
        raise (
            _file_failure(path, error)
            or _unfinished(path)
            or SourceError(
                f"{path} can't be opened: {error}",
                fix="make the file readable for the user that runs dblore"
                if path.exists()
                else "there is no such file: put it back, or correct `source:` in kb.yaml",
            )
        ) from error


def file_uri(path: PurePath) -> str:
    """Return the `file:` URI of a path, in the form that SQLite takes on every system."""
    text = path.as_posix()
    if text.startswith("//"):  # a network share: SQLite wants the authority left empty
        return "file://" + quote(text)
    return "file:" + quote(text if text.startswith("/") else f"/{text}")


def _open(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        uri, uri=True, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None
    )
    try:
        connection.text_factory = _text
        sqlite_session.confine(connection)
        read_schema = "SELECT count(*) FROM sqlite_master"
        _trusting_at_need(connection, lambda: connection.execute(read_schema).fetchone())
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _past(deadline: float) -> Callable[[], bool]:
    return lambda: time.monotonic() >= deadline


def _is_frozen_wal(path: Path) -> bool:
    """Return whether it is a WAL file without a log, in a folder where none can be made."""
    with suppress(OSError):
        with path.open("rb") as file:
            is_wal = WAL_VERSION in file.read(20)[18:]
        return is_wal and not _beside(path, "-wal") and not _can_be_written(path.parent)
    return False


def _beside(path: Path, suffix: str) -> bool:
    """Return whether SQLite's helper file is there and holds anything."""
    with suppress(OSError):
        return path.with_name(path.name + suffix).stat().st_size > 0
    return False


def _can_be_written(folder: Path) -> bool:
    """Find out by making a file, as SQLite would: a right says nothing on mounts and for root."""
    if not os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        return False
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _file_failure(path: Path | None, error: Exception) -> SourceError | None:
    """Return the failure of the file, if it is one; by its code, as any text may be in a name."""
    code = _code(error)
    if code in _LOCKED:
        return SourceError(
            f"{path} is locked by another program ({error})",
            fix="wait until that program has finished writing, then run the same command again",
        )
    if getattr(error, "sqlite_errorcode", None) in _UNFINISHED and path is not None:
        return _unfinished(path)
    if code in _DAMAGED:
        return SourceError(
            f"{path} is damaged or encrypted: {error}",
            fix="restore it from a backup, or check it with `PRAGMA integrity_check`",
        )
    return None


def _unfinished(path: Path) -> SourceError | None:
    """Return what a program left beside the file, and only a program that writes can put in."""
    for suffix, title in (("-wal", "write-ahead log"), ("-journal", "rollback journal")):
        if _beside(path, suffix):
            return SourceError(
                f"{path} has a {title} beside it ({path.name}{suffix}) with work that isn't in "
                "the file yet, and dblore never writes",
                fix="read it once with a program that may write, on copies of both files if their "
                f"folder is read-only: sqlite3 {path.name} 'SELECT count(*) FROM sqlite_master'",
            )
    return None


def _code(error: Exception) -> int | None:
    """Return the primary result code (https://www.sqlite.org/rescode.html), if SQLite gave one."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
