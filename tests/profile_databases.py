"""The same tables on each engine, for tests of profiles."""

import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path

from pipeline.database.source import resolve
from tests import engines, mariadb_databases, postgres_databases

ENGINES = ("sqlite", "duckdb", "postgres", "mariadb")


@contextmanager
def made(engine, folder, *statements, required):
    """Make a database of `statements` on an engine; it is gone afterwards."""
    if engine in ("sqlite", "duckdb"):
        path = folder / f"source.{engine}"
        (_run_sqlite if engine == "sqlite" else _run_duckdb)(path, statements)
        yield resolve(str(path), Path(), {})
    elif engine == "postgres":
        server = engines.server("postgres", required=required)
        with postgres_databases.database(server, "profile", *statements) as source:
            yield source
    else:
        yield from _on_mariadb(engines.server("mariadb", required=required), statements)


def _run_sqlite(path, statements):
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def _run_duckdb(path, statements):
    import duckdb  # an absent driver is a failure

    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)


def _on_mariadb(server, statements):
    name = mariadb_databases.own("profile")
    mariadb_databases.run(server.url, f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
    try:
        mariadb_databases.run(server.url, f"USE {name}", *statements)
        yield mariadb_databases.named(server, database=name)
    finally:
        mariadb_databases.run(server.url, f"DROP DATABASE {name}")
