"""The way to a database: opened read-only where the engine can.

SQL that dblore builds itself, from identifiers that `quote` quoted, runs through `Database.fetch`.
SQL of a caller, a person or a model goes through `query.read` and nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from pipeline.database.source import Source
from schemas.facts import Catalog, Table

Row = tuple[Any, ...]
Keep = Callable[[Row], Row | None]
"""What to keep of a row; None: that was enough."""


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
            QueryError: the statement failed or took longer than `timeout_seconds`.
            SourceError: the database went away, is locked or damaged.
        """

    @abstractmethod
    def fetch_some(
        self, sql: str, limit: int, *, timeout_seconds: float, keep: Keep = tuple
    ) -> tuple[tuple[str, ...], list[Row]]:
        """Run SQL that the guard let pass; return column names and at most `limit` rows.

        Rows come one by one and `keep` has each at once, so that no more stays in memory than it
        gives back. Whatever the statement did is rolled back. Raises as `fetch` does.
        """

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


def open_database(source: Source) -> Database:
    """Connect to `source`, read-only where the engine can.

    Raises:
        SettingError: the URL or its driver can't be used.
        SourceError: the database can't be reached or opened.
    """
    if source.dialect == "sqlite" and source.path is not None:
        from pipeline.database.sqlite import SqliteDatabase

        return SqliteDatabase(source)
    if source.dialect == "duckdb" and source.path is not None:
        from pipeline.database.duckdb import DuckDatabase

        return DuckDatabase(source)
    from pipeline.database.generic import GenericDatabase

    return GenericDatabase(source)


def take(rows: Iterable[Row], limit: int, keep: Keep) -> list[Row]:
    """Return what `keep` makes of the first `limit` rows, and read no more of them."""
    kept: list[Row] = []
    if limit < 1:
        return kept
    for row in rows:
        piece = keep(row)
        if piece is None:
            break
        kept.append(piece)
        if len(kept) == limit:
            break
    return kept


def split_schema(schema: str | None) -> list[str]:
    """Return the parts of a table's schema; a database before it is a part of its own."""
    return [schema] if schema else []
