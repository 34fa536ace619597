"""Has the database changed? Answered in milliseconds, without SQLAlchemy wherever that can be.

Two answers: `structure` (the catalogue) makes `scan` stale, `data` makes the stages that read rows
stale. `UNKNOWN` means that the engine can't tell: the setting `rescan` decides.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.database import file_names
from pipeline.database.names import matches_glob, table_id
from pipeline.database.source import Source
from pipeline.errors import SourceError

UNKNOWN = "unknown"
UNSURE = "unsure"
"""Begins a table's stamp that moves with any other table's rows."""
_NARROWED = frozenset({"postgres"})
"""Dialects of servers that follow views to their tables: elsewhere a view within the scope may
read a table out of it."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The tables whose rows matter, as kb.yaml has it; without any setting all do."""

    schemas: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def holds(self, schema: str, table: str) -> bool:
        """Whether rows of that table matter."""
        names = (table, table_id(table), f"{schema}.{table}", table_id(table, schema))
        if self.schemas and schema.casefold() not in {name.casefold() for name in self.schemas}:
            return False
        if self.include and not any(matches_glob(names, glob) for glob in self.include):
            return False
        return not any(matches_glob(names, glob) for glob in self.exclude)


EVERYTHING = Scope()


def structure(source: Source) -> str:
    """Return a hash that changes whenever the structure does.

    Raises:
        SourceError: the database can't be reached.
        SettingError: its driver can't be used.
    """
    return fingerprints(source, ("structure",))["structure"]


def data(source: Source, scope: Scope = EVERYTHING) -> str:
    """Return a value that changes whenever rows do, or `UNKNOWN`.

    After a space stands what may also change when they don't.

    Of a file it is the hash of its bytes and of a write-ahead log that isn't empty. Some servers
    tell of each table; then only tables within `scope` count.

    Raises:
        SourceError: the database can't be reached.
        SettingError: its driver can't be used.
    """
    return fingerprints(source, ("data",), scope)["data"]


def fingerprints(
    source: Source,
    kinds: tuple[str, ...] = ("structure", "data"),
    scope: Scope = EVERYTHING,
) -> dict[str, str]:
    """Return `structure` and `data` at one go: a server is connected to once.

    Raises:
        SourceError: the database can't be reached.
        SettingError: its driver can't be used.
    """
    if source.path is not None:
        return {kind: _of_file(source, source.path, kind) for kind in kinds}
    rows = _asked(source, kinds)
    if "data" in rows:
        rows["data"] = _within(rows["data"] or None, scope, source.dialect)
    return {kind: UNKNOWN if (r := rows[kind]) is None else _parts(r, kind) for kind in kinds}


def unsure_tables(source: Source) -> tuple[str, ...]:
    """Return the tables of which a server can't tell whether their rows changed."""
    rows = _asked(source, ("data",))["data"] or []
    return tuple(table_id(_text(row[1]), _text(row[0])) for row in rows if _is_unsure(row))


def _of_file(source: Source, path: Path, kind: str) -> str:
    if kind == "data":
        return _hash_files(path)
    if source.dialect == "sqlite":
        return _hash(_sqlite_schema(path))
    from pipeline.database.connect import open_database

    with open_database(source) as database:
        rows = database.structure_rows()
    return UNKNOWN if rows is None else _hash(rows)


def _asked(source: Source, kinds: tuple[str, ...]) -> dict[str, list[Any] | None]:
    from pipeline.database.servers import bare

    found = bare.answers(
        source,
        lambda server, ask: [
            server.structure_rows(ask) if kind == "structure" else ask(server.changes)
            for kind in kinds
        ],
    )
    if found is not None:
        return dict(zip(kinds, found, strict=True))
    from pipeline.database.connect import open_database

    with open_database(source) as database:
        return {
            kind: database.structure_rows() if kind == "structure" else database.data_rows()
            for kind in kinds
        }


def _parts(rows: list[Any], kind: str) -> str:
    unsure = [row for row in rows if kind == "data" and _is_unsure(row)]
    sure = _hash(row for row in rows if row not in unsure) if unsure else _hash(rows)
    return f"{sure} {_hash(unsure)}" if unsure else sure


def _is_unsure(row: Any) -> bool:
    """Whether the last value of a row says that it only stands in for what changes."""
    return _text(row[-1]).startswith(UNSURE)


def _within(rows: list[Any] | None, scope: Scope, dialect: str) -> list[Any] | None:
    """Return the rows on tables that matter; each begins with schema and name."""
    if rows is None or scope == EVERYTHING or dialect not in _NARROWED:
        return rows
    return [row for row in rows if scope.holds(_text(row[0]), _text(row[1]))]


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _sqlite_schema(path: Path) -> list[Any]:
    import sqlite3

    from pipeline.database.sqlite import connect

    with closing(connect(path)) as connection:
        try:
            return connection.execute(
                "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
            ).fetchall()
        except sqlite3.Error as error:
            raise SourceError(
                f"the schema of {path} can't be read: {error}",
                fix="wait for the program that writes it, or run `PRAGMA integrity_check` on it",
            ) from error


def _hash_files(path: Path) -> str:
    logs = [path.with_name(path.name + suffix) for suffix in file_names.WRITE_AHEAD]
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
        for log in logs:
            if log.exists() and log.stat().st_size:
                with log.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
    except OSError as error:
        raise SourceError(
            f"{path} can't be read: {error.strerror or type(error).__name__}",
            fix="make the file readable, or correct `source:` in kb.yaml",
        ) from error
    return digest.hexdigest()


def _hash(rows: Iterable[Any]) -> str:
    text = json.dumps([list(row) for row in rows], default=str, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
