"""The way to a database: opened read-only where the engine can.

SQL that dblore builds itself, from identifiers that `quote` quoted, runs through `Database.fetch`.
SQL of a caller, a person or a model goes through `query.read` and nothing else.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from pipeline.database.source import Source, no_database
from pipeline.errors import QueryError, SourceError
from schemas.facts import Catalog, Table

log = logging.getLogger("dblore.database")
_said: set[str] = set()

Row = tuple[Any, ...]
Take = Callable[[Row], bool]
"""Gets one row after another; False: that was enough."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a statement of a caller brought, besides the rows."""

    columns: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What the engine warns of, such as a value that it cut without an error."""


class Database(AbstractContextManager["Database"], ABC):
    """One open connection; use each in one thread at a time and close it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.dialect = source.dialect

    def quote(self, identifier: str) -> str:
        """Return the identifier as SQL of this dialect, quoted, whatever it holds."""
        if self.dialect in ("mysql", "bigquery", "hive", "spark", "databricks", "clickhouse"):
            return "`" + identifier.replace("`", "``") + "`"
        if self.dialect == "tsql":
            return "[" + identifier.replace("]", "]]") + "]"
        return '"' + identifier.replace('"', '""') + '"'

    def table(self, table: Table) -> str:
        """Return the table's qualified name as SQL."""
        parts = [*split_schema(table.schema), table.object_name]
        return ".".join(self.quote(part) for part in parts)

    @abstractmethod
    def fetch(
        self, sql: str, parameters: Sequence[Any] = (), *, timeout_seconds: float | None = None
    ) -> list[Row]:
        """Run SQL of our own and return all rows; each `?` outside quotes takes a parameter.

        Raises:
            QueryError: the statement failed or took longer than `timeout_seconds`; no value that
                is stored is quoted, see `withholding`.
            SourceError: the database went away, is locked or damaged.
        """

    @contextmanager
    def withholding(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[None]:
        """Let no error of the block quote what is stored; what runs in it is SQL of our own.

        What the engine also says when it only looks up the names in the SQL stays as it is.
        """
        try:
            yield
        except (QueryError, SourceError) as error:
            from pipeline.database.masking.errors import is_engines, scrubbed

            text = scrubbed(error.problem, sql, is_ours=True)
            if is_engines(error.problem) and (
                self._said_of_names(sql, parameters) == error.problem
            ):
                raise
            # without its cause, which holds the engine's words
            raise type(error)(text, error.fix) from None

    def _said_of_names(self, _sql: str, _parameters: Sequence[Any]) -> str | None:
        """Return the problem that the engine has with SQL of our own before it reads a row."""
        return None

    @abstractmethod
    def read_rows(self, sql: str, take: Take, *, timeout_seconds: float) -> Reply:
        """Run SQL that the guard let pass, as it stands; hand its rows to `take` one by one.

        It is read no further than `take` wants, and rolled back. Raises as `fetch` does.
        """

    @abstractmethod
    def prove(self, sql: str, *, timeout_seconds: float) -> Reply:
        """Have the engine look up all that SQL which the guard let pass names, and run nothing.

        The reply holds the columns of the result where the engine tells them. Raises as `fetch`.
        """

    def warnings(self) -> tuple[str, ...]:
        """Return what people should know of this connection, e.g. that its login could write."""
        return ()

    @abstractmethod
    def read_catalog(self, schemas: Sequence[str] = ()) -> Catalog:
        """Return the structure of the database, without system objects.

        Raises:
            SourceError: the catalogue can't be read at all.
        """

    def structure_rows(self) -> list[Row] | None:
        """Return rows that change whenever the structure does; None if the engine can't tell."""
        return None

    def data_rows(self) -> list[Row] | None:
        """Return rows that change whenever stored rows do; None if the engine can't tell."""
        return None

    def table_stamps(self) -> dict[str, str] | None:
        """Return a value by `schema.table` that changes whenever the table's rows do.

        Tables of which the engine can't tell are missing; None: of none.
        """
        return None

    @abstractmethod
    def interrupt(self) -> None:
        """Stop the statement that runs now; may be called from another thread."""

    @abstractmethod
    def close(self) -> None:
        """Give the connection back; nothing is committed."""

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()


def open_database(source: Source, *, bounded: bool = False) -> Database:
    """Connect to `source`, read-only where the engine can.

    Args:
        source: what to open.
        bounded: for a caller's statement in a process of its own: with the engine's limits on
            memory and disk, which a build must not have.

    Raises:
        SettingError: the URL or its driver can't be used.
        SourceError: the database can't be reached or opened, or there is none.
    """
    if source.kind != "database":
        raise no_database(source)
    if source.dialect == "sqlite" and source.path is not None:
        from pipeline.database.sqlite import SqliteDatabase

        return SqliteDatabase(source)
    if source.dialect == "duckdb" and source.path is not None:
        from pipeline.database.duckdb import DuckDatabase

        return DuckDatabase(source, bounded=bounded)
    from pipeline.database.servers.generic import GenericDatabase

    return GenericDatabase(source)


def say_once(source: Source, warnings: Iterable[str]) -> None:
    """Log what is to be known of a database; once a process."""
    for warning in warnings:
        text = f"{source.shown}: {warning}"
        if text not in _said:
            _said.add(text)
            log.warning("%s", text)


def was_warned_of(source: Source) -> bool:
    """Whether something was said of that database."""
    return any(text.startswith(f"{source.shown}: ") for text in _said)


def hand_out(rows: Iterable[Row], take: Take) -> None:
    """Give rows to `take` until it has enough, and read no more of them."""
    for row in rows:
        if not take(row):
            break


def split_schema(schema: str | None) -> list[str]:
    """Return the parts of a table's schema; a database before it is a part of its own."""
    return [schema] if schema else []
