"""Has the database changed? Answered in milliseconds, on the standard library alone for SQLite.

Two answers: `structure` (the catalogue) makes `scan` stale, `data` makes the stages that read rows
stale. `UNKNOWN` means that the engine can't tell: the setting `rescan` decides.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from pipeline.database.source import Source
from pipeline.errors import SourceError

UNKNOWN = "unknown"


def structure(source: Source) -> str:
    """Return a hash that changes whenever the structure does.

    Raises:
        SourceError: the database can't be reached.
        SettingError: its driver can't be used.
    """
    if source.dialect == "sqlite" and source.path is not None:
        return _hash(_sqlite_schema(source.path))
    from pipeline.database.connect import open_database

    with open_database(source) as database:
        rows = database.structure_rows()
    return UNKNOWN if rows is None else _hash(rows)


def data(source: Source) -> str:
    """Return a value that changes whenever rows do, or `UNKNOWN`.

    Of a file it is the hash of its bytes and of a write-ahead log that isn't empty.

    Raises:
        SourceError: the database can't be reached.
        SettingError: its driver can't be used.
    """
    if source.path is not None:
        return _hash_files(source.path)
    from pipeline.database.connect import open_database

    with open_database(source) as database:
        rows = database.data_rows()
    return UNKNOWN if rows is None else _hash(rows)


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
    logs = [path.with_name(path.name + suffix) for suffix in ("-wal", ".wal")]  # SQLite's, DuckDB's
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
