"""DuckDB: a file opened read-only and no more, and dblore's own session."""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from evals.layers.bench import (
    OPEN_SECONDS,
    Bench,
    Fetch,
    OurSession,
    PlainSession,
    Ran,
    Session,
    Way,
    World,
    shop,
)
from evals.layers.marks import SECRET, Marks
from pipeline.database.source import resolve

_TRAITS = (
    "SELECT name, value FROM duckdb_settings() ORDER BY 1",
    "PRAGMA disable_profiling",  # else a statement that turns it on has all of these explained
    "SELECT database_name, path FROM duckdb_databases() ORDER BY 1",
    "SELECT name FROM duckdb_secrets() ORDER BY 1",
    "SELECT * FROM duckdb_variables() ORDER BY 1",
    "SELECT name FROM duckdb_prepared_statements() ORDER BY 1",
    "SELECT table_name FROM duckdb_tables() WHERE temporary ORDER BY 1",
    "SELECT view_name FROM duckdb_views() WHERE temporary AND NOT internal ORDER BY 1",
    "SELECT extension_name, loaded, installed FROM duckdb_extensions() ORDER BY 1",
    "SELECT current_schema(), current_database()",
)
_MACROS = "SELECT function_name FROM duckdb_functions() WHERE NOT internal ORDER BY 1"  # slow
_READ = re.compile(r"(?i)\b(?:FROM|JOIN)\s+\"?(\w+)")
_DRIVERS = (__name__, "pipeline.database.duckdb")
"""Modules in which statements are run: DuckDB looks for variables where it is called."""


class DuckBench(Bench):
    """A DuckDB file."""

    dialect = "duckdb"
    ours = frozenset(["read_only_file_and_locked_config"])
    plain = frozenset(["read_only_file"])
    unguarded = ("open", "open_in_transaction")

    def __init__(self, marks: Marks) -> None:
        super().__init__(marks)
        self._path = marks.folder.parent / "shop.duckdb"
        self._pristine = self._path.with_suffix(".pristine")
        with duckdb.connect(str(self._pristine)) as connection:
            for statement in [*shop("duckdb"), "CREATE SEQUENCE orders_seq"]:
                connection.execute(statement)

    def restore(self) -> None:
        """Copy the file anew."""
        for old in self._path.parent.glob(self._path.name + "*"):
            old.unlink()
        shutil.copy(self._pristine, self._path)
        if self.item.setup:
            with duckdb.connect(str(self._path)) as connection:
                for statement in self.item.setup:
                    connection.execute(statement)

    def session(self, layer: str) -> Session:
        """Open the file with that layer."""
        if layer in self.ours:
            return OurSession(resolve(str(self._path), Path(), {}))
        way = Way(before="BEGIN", after="COMMIT") if layer == "open_in_transaction" else Way()
        home = str(self.marks.folder.parent / "extensions")
        connection = duckdb.connect(
            str(self._path),
            read_only=not layer.startswith("open"),
            config={"extension_directory": home, "secret_directory": home},
        )
        return _Plain(connection, way)

    def world(self) -> World:
        """Return the bytes of the file and of its log."""
        found = sorted(self._path.parent.glob(self._path.name + "*"))
        return {"state": " ".join(hashlib.sha256(p.read_bytes()).hexdigest() for p in found)}

    def locks(self) -> frozenset[str]:
        """Return nothing: DuckDB has no locks that a statement could take."""
        return frozenset()

    def traits(self, fetch: Fetch) -> str:
        """Return the settings, the attached files and the temporary objects."""
        said: list[object] = []
        has_macro = re.search(r"(?i)\b(macro|function)\b", self.item.sql)
        for question in (*_TRAITS, _MACROS) if has_macro else _TRAITS:
            with suppress(Exception):
                said.append((question, fetch(question)))
        return repr(said)

    @contextmanager
    def exposing(self) -> Iterator[None]:
        """Give the process variables of the names that the statement reads."""
        if self.item.effect != "host":
            yield
            return
        import numpy as np

        names = set(_READ.findall(self.item.sql))
        modules = [vars(sys.modules[name]) for name in _DRIVERS if name in sys.modules]
        added = [(module, name) for module in modules for name in names - set(module)]
        for module, name in added:
            module[name] = np.array([SECRET])
        try:
            yield
        finally:
            for module, name in added:
                del module[name]


class _Plain(PlainSession):
    """A connection that ends what runs for too long."""

    def run(self, sql: str, during: Callable[[], None]) -> Ran:
        """Run it."""
        timer = threading.Timer(OPEN_SECONDS, self.connection.interrupt)
        timer.start()
        try:
            return super().run(sql, during)
        finally:
            timer.cancel()

    def execute(self, sql: str) -> list[tuple[Any, ...]]:
        """Run one text, in the frame in which DuckDB looks for variables."""
        self.connection.execute(sql)
        return self.connection.fetchmany(1_000) if self.connection.description else []
