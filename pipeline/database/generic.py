"""Every other database, through SQLAlchemy; sessions are read-only where the engine can."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import create_engine, event, exc, pool

from pipeline.database import servers
from pipeline.database.connect import Database, Reply, Row, Take, hand_out
from pipeline.database.source import Source
from pipeline.errors import DbloreError, QueryError, SettingError, SourceError
from schemas.facts import Catalog

log = logging.getLogger("dblore.database")

_DRIVERS = {
    "psycopg": ("PostgreSQL", "postgres"),
    "pymysql": ("MySQL", "mysql"),
    "pyodbc": ("ODBC", "mssql"),
}
_ROWS_A_TRIP = 50
_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\?|%""")


class GenericDatabase(Database):
    """A database behind a SQLAlchemy URL."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.engine = _engine(source)
        event.listen(self.engine, "connect", self._prepare)
        try:
            self.connection = self.engine.connect()
        except (exc.SQLAlchemyError, OSError) as error:
            raise SourceError(
                f"{source.shown} can't be reached: {self._plain(error)}",
                fix="check that the server runs, and host, port, database and login of `source:`",
            ) from error
        if self.dialect not in servers.READ_ONLY:
            log.warning(
                "%s: sessions here can't be made read-only; use a login that may only read",
                source.shown,
            )

    def fetch(
        self, sql: str, parameters: Sequence[Any] = (), *, timeout_seconds: float | None = None
    ) -> list[Row]:
        """Run SQL of our own and return all rows."""
        with self._running(timeout_seconds):
            if not parameters:
                plain = self.connection.execution_options(no_parameters=True)
                return [tuple(row) for row in plain.exec_driver_sql(sql)]
            style = self.engine.dialect.paramstyle
            marked = _marked(sql, style)
            bound: Any = tuple(parameters)
            if style in ("named", "pyformat"):
                bound = {f"p{i}": value for i, value in enumerate(parameters)}
            return [tuple(row) for row in self.connection.exec_driver_sql(marked, bound)]

    def read_rows(self, sql: str, take: Take, *, timeout_seconds: float) -> Reply:
        """Run guarded SQL as it is, without parameters, and read no more rows than asked for."""
        with self._running(timeout_seconds):
            raw = self.connection.connection.driver_connection
            assert raw is not None
            if self.dialect == "postgres":
                return _read_postgres(raw, sql, take)
            cursor = raw.cursor(*servers.streaming_cursor(self.dialect))
            cursor.execute(sql)
            unread = iter(cursor.fetchone, None)
            hand_out(map(tuple, unread), take)
            reply = Reply(tuple(column[0] for column in cursor.description or ()))
            if self.dialect == "mysql" and next(unread, None) is not None:
                _drop_rest(raw, cursor)
                self.connection.invalidate()  # the next statement connects anew
            return reply

    def read_catalog(self, schemas: Sequence[str] = ()) -> Catalog:
        """Return the structure, by SQLAlchemy's bulk reflection."""
        from pipeline.database import generic_catalog

        return generic_catalog.read(self, schemas)

    def structure_rows(self) -> list[Row] | None:
        """Return what the engine's catalogue says, in short."""
        sql = servers.STRUCTURE.get(self.dialect)
        return self.fetch(sql) if sql else None

    def data_rows(self) -> list[Row] | None:
        """Return the engine's change counters."""
        sql = servers.CHANGES.get(self.dialect)
        return self.fetch(sql) if sql else None

    def interrupt(self) -> None:
        """Cancel the running statement on the server."""
        raw = self.connection.connection.driver_connection
        with suppress(Exception):  # it may have ended by itself meanwhile
            if self.dialect == "postgres" and raw is not None:
                raw.cancel_safe(timeout=2)
            elif self.dialect == "mysql" and raw is not None:
                with self.engine.connect() as other:
                    other.exec_driver_sql(f"KILL QUERY {int(raw.thread_id())}")

    def close(self) -> None:
        """Close the connection."""
        with suppress(exc.SQLAlchemyError):
            self.connection.close()
        self.engine.dispose()

    def _prepare(self, raw: Any, _record: Any) -> None:
        cursor = raw.cursor()
        for statement in servers.session_statements(self.dialect, cursor):
            cursor.execute(statement)
        cursor.close()
        raw.commit()
        if self.dialect == "postgres":
            servers.read_times_as_text(raw)

    @contextmanager
    def _running(self, timeout_seconds: float | None) -> Iterator[None]:
        try:
            statement = servers.timeout_statement(
                self.dialect, timeout_seconds, self.connection.dialect
            )
            if statement:
                self.connection.exec_driver_sql(statement)
            yield
        except Exception as error:
            if not isinstance(error, exc.SQLAlchemyError | self.engine.dialect.loaded_dbapi.Error):
                raise
            raise self._failure(error, timeout_seconds) from error
        finally:
            with suppress(exc.SQLAlchemyError):
                self.connection.rollback()

    def _failure(self, error: Exception, timeout_seconds: float | None) -> DbloreError:
        text = self._plain(error)
        if servers.is_late(text):
            after = f" after {timeout_seconds:g} s" if timeout_seconds else ""
            return QueryError(
                f"the statement was stopped{after}: {text}",
                fix="read fewer rows: filter earlier, aggregate, or add a LIMIT",
            )
        if getattr(error, "connection_invalidated", False):
            return SourceError(
                f"the connection to {self.source.shown} broke: {text}",
                fix="check that the server runs, then run the same command again",
            )
        return QueryError(f"the database says: {text}", fix="correct the statement")

    def _plain(self, error: Exception) -> str:
        """Return the driver's own words on one line, without SQL text, links and credentials."""
        cause = getattr(error, "orig", None) or error
        said = getattr(getattr(cause, "diag", None), "message_primary", None)
        arguments: Sequence[Any] = getattr(cause, "args", ())
        if self.dialect == "mysql" and arguments:  # (number, text)
            said = arguments[-1]
        return self.source.safe(" ".join(str(said or cause).split()))


def _engine(source: Source) -> Any:
    try:
        return create_engine(source.url, poolclass=pool.NullPool, hide_parameters=True)
    except ModuleNotFoundError as error:
        title, extra = _DRIVERS.get(error.name or "", (error.name or "database", ""))
        package = f'"dblore[{extra}]"' if extra else error.name
        raise SettingError(
            f"{source.shown} needs the {title} driver, which isn't installed",
            fix=f"install it: pip install {package}",
        ) from error
    except (exc.SQLAlchemyError, ValueError) as error:
        raise SettingError(
            f"SQLAlchemy can't use the URL of {source.shown}: {source.safe(error)}",
            fix="write it as dialect+driver://…, and install that dialect's package",
        ) from error


def _read_postgres(raw: Any, sql: str, take: Take) -> Reply:
    """Read through a named cursor: only the rows asked for travel.

    psycopg declares it by the extended protocol, which takes one statement and no more.
    """
    with raw.cursor(name="dblore") as cursor:
        cursor.execute(sql)
        cursor.itersize = _ROWS_A_TRIP
        hand_out(map(tuple, cursor), take)
        return Reply(tuple(column.name for column in cursor.description or ()))


def _drop_rest(raw: Any, cursor: Any) -> None:
    """Leave unread rows with the server: PyMySQL would read all of them to close a cursor."""
    cursor._result.unbuffered_active = False  # noqa: SLF001 - it has no public way to do so
    cursor.close()
    raw._force_close()  # noqa: SLF001


def _marked(sql: str, style: str) -> str:
    """Return SQL with the driver's own markers in place of `?`, quoted text left alone."""
    count = 0

    def marker(match: re.Match[str]) -> str:
        nonlocal count
        text = match[0]
        if text != "?":
            return text.replace("%", "%%") if style in ("format", "pyformat") else text
        number = count
        count += 1
        return {
            "qmark": "?",
            "format": "%s",
            "pyformat": f"%(p{number})s",
            "named": f":p{number}",
            "numeric": f":{number + 1}",
            "numeric_dollar": f"${number + 1}",
        }[style]

    return _QUOTED.sub(marker, sql)
