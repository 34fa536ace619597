"""DuckDB files: read-only, cut off from the file system and the network, configuration locked."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from pipeline.database import duckdb_limits, duckdb_reading
from pipeline.database.connect import Database, Reply, Row, Take, hand_out
from pipeline.database.source import Source
from pipeline.errors import DbloreError, QueryError, SettingError, SourceError, late
from schemas.facts import Catalog

CONFIG = {  # a process can open a file in one configuration only, so it never varies
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}
_SETTLED = ("SET GLOBAL TimeZone = 'UTC'", "SET GLOBAL lock_configuration = true")
"""What is set once a file is open; without ICU there is no zone to set, nor anything that asks."""
_settling = threading.Lock()
_BIND_SECONDS = 5.0
_OF_NAMES = re.compile(r"DuckDB says: (Binder|Parser|Catalog) Error: ")
BOUNDS = {  # for a process that runs callers' statements and nothing else
    "memory_limit": "512MB",
    "max_temp_directory_size": "0KB",
    "threads": "2",
}


class DuckDatabase(Database):
    """A DuckDB file."""

    def __init__(self, source: Source, *, bounded: bool = False) -> None:
        super().__init__(source)
        limits = BOUNDS if bounded else duckdb_limits.of_build()
        self.connection = _connect(source, CONFIG | limits)
        self._late = False
        self._stopped = False

    def fetch(
        self, sql: str, parameters: Sequence[Any] = (), *, timeout_seconds: float | None = None
    ) -> list[Row]:
        """Run SQL of our own and return all rows."""
        with self.withholding(sql), self._running(timeout_seconds):
            rows: list[Row] = self.connection.execute(sql, list(parameters)).fetchall()
            return rows

    def read_rows(self, sql: str, take: Take, *, timeout_seconds: float) -> Reply:
        """Run guarded SQL, if DuckDB too takes it for one statement that reads."""
        with self._running(timeout_seconds):
            columns, exact = duckdb_reading.prepared(self.connection, sql)
            hand_out(iter(self.connection.execute(exact).fetchone, None), take)
            return Reply(columns)

    def prove(self, sql: str, *, timeout_seconds: float) -> Reply:
        """Bind the SQL; the columns of a PIVOT without a list are known only when it has run."""
        with self._running(timeout_seconds):
            return Reply(duckdb_reading.bound(self.connection, sql))

    def _said_of_names(self, sql: str, _parameters: Sequence[Any]) -> str | None:
        """Bind the SQL; other errors than these can come of files that binding looks into."""
        try:
            self.prove(sql, timeout_seconds=_BIND_SECONDS)
        except DbloreError as error:
            return error.problem if _OF_NAMES.match(error.problem) else None
        return None

    def shape(self, sql: str) -> list[tuple[str, str]]:
        """Return the names and types of the columns of a query of our own, which isn't run."""
        with self.withholding(sql), self._running(None):
            relation = self.connection.sql(sql)
            return list(zip(relation.columns, map(str, relation.types), strict=True))

    def read_catalog(self, schemas: Sequence[str] = ()) -> Catalog:
        """Return the structure of the file."""
        from pipeline.database import duckdb_catalog

        return duckdb_catalog.read(self, self.source.database, schemas)

    def structure_rows(self) -> list[Row]:
        """Return the catalogue's own rows."""
        from pipeline.database import duckdb_catalog

        return duckdb_catalog.rows_of_structure(self)

    def interrupt(self) -> None:
        """Stop the running statement."""
        self._stopped = True
        self._interrupt()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    @contextmanager
    def _running(self, timeout_seconds: float | None) -> Iterator[None]:
        import duckdb

        self._late = self._stopped = False
        timer = threading.Timer(timeout_seconds, self._stop) if timeout_seconds else None
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            yield
        except (duckdb.Error, RuntimeError, UnicodeEncodeError, MemoryError) as error:
            raise self._failure(error, timeout_seconds) from error
        finally:
            if timer is not None:
                timer.cancel()
            with suppress(duckdb.Error):
                self.connection.rollback()

    def _stop(self) -> None:
        self._late = True
        self._interrupt()

    def _interrupt(self) -> None:
        import duckdb

        with suppress(duckdb.Error):  # it may be closed by now
            self.connection.interrupt()

    def _failure(self, error: Exception, timeout_seconds: float | None) -> DbloreError:
        import duckdb

        if self._late:
            return late(timeout_seconds)
        if self._stopped:
            return QueryError("the statement was cancelled", fix="run it again if it is needed")
        if isinstance(error, MemoryError | duckdb.OutOfMemoryException):
            return QueryError(
                "the statement needs more memory than it may have",
                fix="read fewer rows, aggregate, or build shorter texts",
            )
        if isinstance(error, duckdb.IOException | duckdb.FatalException) or _is_damage(error):
            return SourceError(
                f"{self.source.shown} can't be read: {_first_line(self.source, error)}",
                fix="check that the file is whole and still there, or restore it from a backup",
            )
        return QueryError(
            f"DuckDB says: {_first_line(self.source, error)}", fix="correct the statement"
        )


def _connect(source: Source, config: Mapping[str, str]) -> Any:
    try:
        import duckdb
    except ModuleNotFoundError as error:
        raise SettingError(
            f"{source.shown} needs the DuckDB driver, which isn't installed",
            fix='install it: pip install "dblore[duckdb]"',
        ) from error
    try:
        connection = duckdb.connect(str(source.path), read_only=True, config=dict(config))
        _settle(connection)
    except duckdb.Error as error:
        text = _first_line(source, error)
        said = text.replace(str(source.path), "")
        fix = next((fix for words, fix in _OPENING.items() if words in said), _ANY_OPENING)
        raise SourceError(f"{source.shown} can't be opened: {text}", fix=fix) from error
    return connection


def _settle(connection: Any) -> None:
    """Have moments shown in UTC, not as on this machine, and let no statement change a setting.

    All connections of a process share the settings of a file, and the first one locks them.
    """
    import duckdb

    with _settling:
        locked = connection.execute("SELECT current_setting('lock_configuration')").fetchone()
        if not locked[0]:
            zone, lock = _SETTLED
            with suppress(duckdb.Error):
                connection.execute(zone)
            connection.execute(lock)


_ANY_OPENING = "close the program that has it open for writing, or update duckdb"
_OPENING = {  # DuckDB gives no codes; a wording that changed gets the general advice
    "set lock": "close the program that has it open for writing, or wait until it has finished",
    "encrypted": "make an unencrypted copy of it for dblore: ATTACH both files, "
    "then COPY FROM DATABASE … TO …",
    "different configuration": "close the other connection of this process to it",
    "version number": "update duckdb: pip install --upgrade duckdb",
    "Could not read enough bytes": "copy it anew: its end is missing",
    "checksum": "restore it from a backup: it is damaged",
}


def _is_damage(error: Exception) -> bool:
    return str(error).startswith("Corrupt database")


def _first_line(source: Source, error: Exception) -> str:
    return (source.safe(error).splitlines() or [""])[0]
