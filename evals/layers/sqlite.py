"""SQLite: each layer by itself on a copy of one file, and dblore's own session."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from evals.layers.bench import (
    LIMIT_SECONDS,
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
from evals.layers.marks import Marks
from pipeline.database import sqlite_session
from pipeline.database.connect import Row
from pipeline.database.source import resolve

_TRAITS = (
    "SELECT name, sql FROM sqlite_temp_master ORDER BY 1",  # first: it adds to the list of files
    *(f"PRAGMA {name}" for name in (
        "automatic_index", "cache_size", "cell_size_check", "database_list", "defer_foreign_keys",
        "foreign_keys", "ignore_check_constraints", "journal_mode", "legacy_alter_table",
        "locking_mode", "query_only", "recursive_triggers", "synchronous", "temp_store",
        "temp_store_directory", "threads", "trusted_schema", "writable_schema")),
)  # fmt: skip


class SqliteBench(Bench):
    """A SQLite file."""

    dialect = "sqlite"
    ours = frozenset(["all"])
    plain = frozenset(["mode_ro", "query_only", "authorizer"])
    unguarded = ("open", "open_in_transaction")

    def __init__(self, marks: Marks) -> None:
        super().__init__(marks)
        self._path = marks.folder.parent / "shop.sqlite"
        self._pristine = self._path.with_suffix(".pristine")
        with closing(sqlite3.connect(self._pristine)) as connection:
            connection.executescript(";\n".join(shop("sqlite")))

    def restore(self) -> None:
        """Copy the file anew."""
        for old in self._path.parent.glob(self._path.name + "*"):
            old.unlink()
        shutil.copy(self._pristine, self._path)
        with closing(sqlite3.connect(self._path, isolation_level=None)) as connection:
            connection.execute("PRAGMA temp_store_directory=''")  # one setting for the process
            for statement in self.item.setup:
                connection.execute(statement)

    def session(self, layer: str) -> Session:
        """Open the file with that layer."""
        if layer in self.ours:
            ours = OurSession(resolve(str(self._path), Path(), {}))
            _add_file_functions(ours.database.connection, self.marks)  # type: ignore[attr-defined]  # of SQLite
            return ours
        way = Way(before="BEGIN", after="COMMIT") if layer == "open_in_transaction" else Way()
        connection = _connect(self._path, "?mode=ro" if layer == "mode_ro" else "")
        _add_file_functions(connection, self.marks)
        return _Plain(connection, layer, way)

    def world(self) -> World:
        """Return the bytes of the file and of its logs."""
        found = sorted(self._path.parent.glob(self._path.name + "*"))
        texts = [p.read_bytes() for p in found if not p.name.endswith("-shm")]
        return {"state": " ".join(hashlib.sha256(text).hexdigest() for text in texts if text)}

    def locks(self) -> frozenset[str]:
        """Say whether a writer can begin."""
        with closing(sqlite3.connect(self._path, timeout=0, isolation_level=None)) as other:
            try:
                other.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                return frozenset([str(error)])
        return frozenset()

    def traits(self, fetch: Fetch) -> str:
        """Return the settings, the attached files and the temporary objects."""
        said: list[object] = []
        for question in _TRAITS:
            with suppress(Exception):
                said.append((question, [tuple(row) for row in fetch(question)]))
        return repr(said)


class _Plain(PlainSession):
    """A connection of the standard library."""

    def __init__(self, connection: sqlite3.Connection, layer: str, way: Way) -> None:
        super().__init__(connection, way)
        self._seconds = OPEN_SECONDS if layer.startswith("open") else LIMIT_SECONDS
        self._is_authorized = layer == "authorizer"
        if layer == "query_only":
            connection.execute("PRAGMA query_only=1")
        if self._is_authorized:
            sqlite_session.prime(connection)

    def run(self, sql: str, during: Callable[[], None]) -> Ran:
        """Run it with the layer on."""
        deadline = time.monotonic() + self._seconds
        self.connection.set_progress_handler(lambda: time.monotonic() > deadline, 1_000)
        if self._is_authorized:
            self.connection.set_authorizer(sqlite_session.authorize)
        ran = super().run(sql, during)
        self.connection.set_authorizer(None)
        self.connection.set_progress_handler(None, 0)
        if self.way.after is None:
            with suppress(sqlite3.Error):
                self.connection.rollback()
        return ran

    def execute(self, sql: str) -> list[Row]:
        """Run one text; the library has another function for several statements."""
        try:
            return super().execute(sql)
        except (sqlite3.Warning, sqlite3.ProgrammingError) as error:
            if "one statement" not in str(error):
                raise
            self.connection.executescript(sql)
            return []


def _connect(path: Path, options: str = "") -> sqlite3.Connection:
    return sqlite3.connect(path.as_uri() + options, uri=True, isolation_level=None, timeout=1)


def _add_file_functions(connection: sqlite3.Connection, marks: Marks) -> None:
    """Give the library the functions that SQLite's shell has, so that they are there to be stopped.

    Those that would run other code leave a file instead.
    """

    def left(*_: object) -> None:
        (marks.folder / "out" / "reached").touch()

    def readfile(path: str) -> bytes:
        return Path(path).read_bytes()

    def writefile(path: str, content: str | bytes, *_: object) -> int:
        return Path(path).write_bytes(content.encode() if isinstance(content, str) else content)

    connection.create_function("load_extension", -1, left)
    connection.create_function("edit", -1, left)
    connection.create_function("readfile", 1, readfile)
    connection.create_function("writefile", -1, writefile)
