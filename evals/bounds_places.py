"""The databases against which the bounds are measured."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from evals import throwaway
from evals.layers.bench import shop
from pipeline.database.source import Source, resolve

_BUSY = {
    "postgres": """SELECT count(*) FROM pg_stat_activity WHERE state = 'active'
        AND backend_type = 'client backend' AND pid <> pg_backend_pid()""",
    "mysql": """SELECT count(*) FROM information_schema.processlist
        WHERE command NOT IN ('Sleep', 'Daemon') AND id <> connection_id()""",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A database, and how to tell whether its server still works on a statement."""

    source: Source
    server: throwaway.Server | None = None

    def is_busy(self) -> bool:
        """Whether our own server still runs somebody's statement."""
        if self.server is None:
            return False
        with closing(self.server.connect()) as connection:
            cursor = connection.cursor()
            cursor.execute(_BUSY[self.source.dialect])
            return bool(cursor.fetchone()[0])


def places(
    dialects: Sequence[str], folder: Path, given: Mapping[str, Source], stack: ExitStack
) -> tuple[dict[str, Place], dict[str, str]]:
    """Return a database for each dialect, and why there is none of the others."""
    found: dict[str, Place] = {}
    missing: dict[str, str] = {}
    for dialect in dialects:
        try:
            given_source = given.get(dialect)
            found[dialect] = (
                Place(given_source) if given_source else _MAKERS[dialect](folder, stack)
            )
        except throwaway.AbsentError as error:
            missing[dialect] = str(error)
    return found, missing


def _sqlite(folder: Path, _stack: ExitStack) -> Place:
    path = folder / "bounds.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(";\n".join(shop("sqlite")))
    return Place(resolve(str(path), Path(), {}))


def _duckdb(folder: Path, _stack: ExitStack) -> Place:
    try:
        import duckdb
    except ModuleNotFoundError as error:
        raise throwaway.AbsentError("duckdb isn't installed") from error
    path = folder / "bounds.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in shop("duckdb"):
            connection.execute(statement)
    return Place(resolve(str(path), Path(), {}))


def _postgres(folder: Path, stack: ExitStack) -> Place:
    server = stack.enter_context(throwaway.postgres(folder))
    return _served(server, f"postgresql://postgres@127.0.0.1:{server.port}/postgres")


def _mysql(folder: Path, stack: ExitStack) -> Place:
    server = stack.enter_context(throwaway.mariadb(folder))
    return _served(server, f"mysql+pymysql://root@127.0.0.1:{server.port}/mysql")


def _served(server: throwaway.Server, url: str) -> Place:
    return Place(resolve(url, Path(), {}), server)


_MAKERS: Mapping[str, Callable[[Path, ExitStack], Place]] = {
    "sqlite": _sqlite,
    "duckdb": _duckdb,
    "postgres": _postgres,
    "mysql": _mysql,
}
