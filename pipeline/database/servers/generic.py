"""Every other database, through SQLAlchemy; what differs between servers is in `servers`."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from typing import Any

from sqlalchemy import event, exc, inspect

from pipeline.database.connect import Database, Reply, Row, Take
from pipeline.database.names import table_id
from pipeline.database.servers import drivers
from pipeline.database.servers.failures import Failures, stopped
from pipeline.database.servers.server import Server, server_for
from pipeline.database.servers.watch import Watch
from pipeline.database.source import Source
from pipeline.errors import DbloreError, QueryError
from schemas.facts import Catalog

_CATALOGS = {
    "postgres": "pipeline.database.servers.postgres_catalog",
    "mysql": "pipeline.database.servers.mysql_catalog",
    "tsql": "pipeline.database.servers.tsql_catalog",
}
"""Modules with `read(fetch, database, schemas)`, by dialect."""
_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\?|%""")
_ASK_SECONDS = 5
_IDLE_SECONDS = 60
"""Longer than this unused, a connection may be one that the server or a firewall has closed."""


class GenericDatabase(Database):
    """A database behind a SQLAlchemy URL."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.engine = drivers.engine(source)
        self.server = server_for(self.dialect, self.engine.dialect.driver, self._another)
        self.failures = Failures(source, self.server)
        self._arguments: tuple[list[Any], dict[str, Any]] | None = None
        event.listen(self.engine, "do_connect", self._arrange)
        event.listen(self.engine, "connect", self._prepare)
        self._connection: Any = None
        self._is_bounded = False
        self._used_at = time.monotonic()
        self._watch: Watch | None = None
        self._warnings: tuple[str, ...] | None = None
        self._live()

    def fetch(
        self, sql: str, parameters: Sequence[Any] = (), *, timeout_seconds: float | None = None
    ) -> list[Row]:
        """Run SQL of our own and return all rows."""
        with self.withholding(sql, parameters), self._running(timeout_seconds) as connection:
            return [tuple(row) for row in self._sent(connection, sql, parameters)]

    def _said_of_names(self, sql: str, _parameters: Sequence[Any]) -> str | None:
        statements = self.server.naming(sql)
        try:
            with self._running(_ASK_SECONDS) as connection:
                for statement in statements:
                    connection.execution_options(no_parameters=True).exec_driver_sql(statement)
        except DbloreError as error:
            return error.problem
        finally:
            if statements:
                self._drop()  # what was prepared would stay
        return None

    def _sent(self, connection: Any, sql: str, parameters: Sequence[Any]) -> Any:
        with self._anything_said():
            if not parameters:
                return connection.execution_options(no_parameters=True).exec_driver_sql(sql)
            style = self.engine.dialect.paramstyle
            bound: Any = tuple(parameters)
            if style in ("named", "pyformat"):
                bound = {f"p{i}": value for i, value in enumerate(parameters)}
            return connection.exec_driver_sql(_marked(sql, style), bound)

    @contextmanager
    def _anything_said(self) -> Iterator[None]:
        """Take whatever an unknown driver raises for the server's words: some keep no rules."""
        try:
            yield
        except Exception as error:
            known: tuple[type[BaseException], ...] = (DbloreError, *self._errors())
            is_driver_known = type(self.server) is not Server
            if is_driver_known or self._watch is None or isinstance(error, known):
                raise
            raise self.failures.of_statement(error, self._watch) from error

    def described(self, sql: str, parameters: Sequence[Any]) -> tuple[tuple[str, ...], list[Row]]:
        """Run SQL of our own and return the names of its columns, and all rows."""
        with self.withholding(sql, parameters), self._running(None) as connection:
            found = self._sent(connection, sql, parameters)
            return tuple(map(str, found.keys())), [tuple(row) for row in found]

    def read_rows(self, sql: str, take: Take, *, timeout_seconds: float) -> Reply:
        """Run guarded SQL as it is, without parameters, in a session that ends with it."""
        return self._alone(
            lambda raw, watch: self.server.read(raw, sql, lambda row: not watch.told and take(row)),
            timeout_seconds,
        )

    def prove(self, sql: str, *, timeout_seconds: float) -> Reply:
        """Have the server look the SQL through, in a session that ends with it."""
        return self._alone(lambda raw, _watch: self.server.prove(raw, sql), timeout_seconds)

    def _alone(self, ask: Callable[[Any, Watch], Reply], timeout_seconds: float) -> Reply:
        """Ask by the driver's own connection; nothing of the session is left afterwards."""
        try:
            with self._running(timeout_seconds) as connection:
                raw, watch = connection.connection.driver_connection, self._watch
                assert watch is not None
                with self._anything_said():
                    reply = ask(raw, watch)
                return replace(reply, notes=tuple(map(self.source.safe, reply.notes)))
        finally:
            self._drop()

    def warnings(self) -> tuple[str, ...]:
        """Return what the login could do beyond reading, as far as the server tells."""
        if self._warnings is None:
            self._warnings = self.server.warnings(self._ask)
        return self._warnings

    def read_catalog(self, schemas: Sequence[str] = ()) -> Catalog:
        """Return the structure, by the engine's own catalogue or else SQLAlchemy's reflection."""
        from pipeline.database.servers import reflection

        if self.dialect not in _CATALOGS:
            return reflection.read(self, schemas)
        try:
            reader = import_module(_CATALOGS[self.dialect])
            found: Catalog = reader.read(self._fetch_raw, self.source.database, schemas)
        except QueryError as error:
            note = (
                "the catalogue isn't read as this engine's own, but through SQLAlchemy, which "
                f"tells less: {error.problem}"
            )
            catalog = reflection.read(self, schemas)
            return replace(catalog, notes=(note, *catalog.notes))
        return found

    def inspector(self) -> Any:
        """Return SQLAlchemy's Inspector of the open connection; after an error of it, `undo`."""
        self._live()
        return inspect(self._connection)

    def undo(self) -> None:
        """End a transaction in which a question failed."""
        with suppress(*self._errors()):
            self._connection.rollback()

    def _fetch_raw(self, sql: str) -> list[Row]:
        """Run SQL of our own; text of a database without an encoding comes as bytes."""
        with self.withholding(sql), self._running(None) as connection:
            self.server.take_bytes(self._raw())
            plain = connection.execution_options(no_parameters=True)
            return [tuple(row) for row in plain.exec_driver_sql(sql)]

    def structure_rows(self) -> list[Row] | None:
        """Return what the engine's catalogue says, in short."""
        return self.server.structure_rows(self._answer)

    def data_rows(self) -> list[Row] | None:
        """Return the engine's change counters."""
        return self._answer(self.server.changes) or None

    def table_stamps(self) -> dict[str, str] | None:
        """Return a value by `schema.table` that changes whenever the table's rows do.

        Tables of which the engine can't tell are missing; None: of none.
        """
        rows = self._answer(self.server.stamps)
        if not rows:
            return None
        texts = (tuple(_text(value) for value in row) for row in rows)
        return {table_id(name, schema): stamp for schema, name, stamp in texts if stamp}

    def _answer(self, sql: str | None) -> list[Row] | None:
        """Return rows; None if there is no such query, or this server doesn't take it."""
        if sql is None:
            return None
        try:
            return self._fetch_raw(sql)
        except QueryError:
            return None

    def interrupt(self) -> None:
        """Cancel the running statement on the server; without one, do nothing."""
        watch = self._watch
        if watch is not None:
            watch.stop("cancelled")

    def close(self) -> None:
        """Close the connection."""
        self._drop()
        self.engine.dispose()

    def _arrange(self, _dialect: Any, _record: Any, arguments: Any, options: Any) -> None:
        self.server.arrange(arguments, options)
        self._arguments = (list(arguments), dict(options))

    def _prepare(self, raw: Any, _record: Any) -> None:
        self.server.prepare(raw)

    def _another(self, **options: Any) -> Any:
        """Open a bare connection with the same login."""
        assert self._arguments is not None
        arguments, usual = self._arguments
        return self.engine.dialect.connect(*arguments, **{**usual, **options})

    def _ask(self, sql: str) -> list[Row]:
        try:
            return self.fetch(sql, timeout_seconds=_ASK_SECONDS)
        except DbloreError:
            return []

    def _live(self) -> None:
        """See to it that there is a connection, and not one that may have died meanwhile."""
        is_old = time.monotonic() - self._used_at > _IDLE_SECONDS
        if self._connection is not None and (is_old or self._connection.invalidated):
            self._drop()
        if self._connection is None:
            self._connection = self._connected()
            self._is_bounded = False

    def _connected(self) -> Any:
        try:
            return self.engine.connect()
        except self._errors() as error:
            if self.server.knows_another_way(getattr(error, "orig", None) or error):
                return self._connected()
            raise self.failures.of_connecting(error) from error

    def _raw(self) -> Any:
        return self._connection.connection.driver_connection

    def _drop(self) -> None:
        """Undo all, and close the connection; the next statement gets a session of its own."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        with suppress(Exception):  # it may be broken
            self.server.leave(connection.connection.driver_connection)
        if type(self.server) is not Server:  # of others it may do no more than complain
            with suppress(*self._errors()):
                connection.invalidate()
        with suppress(*self._errors()):
            connection.close()

    @contextmanager
    def _running(self, timeout_seconds: float | None) -> Iterator[Any]:
        watch = self._watch = Watch(
            lambda: self.server.cancel(self._raw()),
            lambda: self.server.sever(self._raw()),
            timeout_seconds,
        )
        reason = None
        try:
            self._live()
            self._refuse_if_told(watch)
            if timeout_seconds is not None or self._is_bounded:
                self.server.bound(self._raw(), timeout_seconds)
                self._is_bounded = timeout_seconds is not None
            yield self._connection
            reason = watch.reason
        except Exception as error:
            if watch.told is None and not isinstance(error, self._errors()):
                raise
            raise self.failures.of_statement(error, watch) from error
        finally:
            watch.finish()
            self._watch = None
            self._undo(watch)
        if reason is not None:
            raise stopped(reason, timeout_seconds)

    def _refuse_if_told(self, watch: Watch) -> None:
        """Don't begin what was stopped while the connection was made."""
        if watch.told is not None:
            raise stopped(watch.told, watch.seconds)

    def _undo(self, watch: Watch) -> None:
        self._used_at = time.monotonic()
        if watch.told is not None:  # MariaDB may keep a late KILL QUERY for the next statement
            self._drop()
        try:
            if self._connection is not None:
                self._connection.rollback()
        except self._errors():
            self._drop()

    def _errors(self) -> tuple[type[BaseException], ...]:
        driver: type[BaseException] = self.engine.dialect.loaded_dbapi.Error
        return (exc.SQLAlchemyError, driver, OSError, UnicodeError)


def _text(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


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
