"""Makes the nasty databases."""

import sqlite3
from contextlib import closing, contextmanager

from tests import engines, mariadb_databases, postgres_databases
from tests.nasty import core
from tests.nasty.engines import DUCKDB, GHOST_SQLITE, MARIADB, POSTGRES, SQLITE


@contextmanager
def nasty(engine, folder, *, required, every=1):
    """Make an engine's nasty database; yield its path or URL.

    With `every` it has only one of so many odd names.
    """
    shared = core.statements(engine, every=every)
    if engine == "sqlite":
        yield str(_sqlite(folder / "nasty.sqlite", shared))
    elif engine == "duckdb":
        yield str(_duckdb(folder / "nasty.duckdb", shared))
    elif engine == "postgres":
        server = engines.server("postgres", required=required)
        with postgres_databases.database(server, "nasty") as source:
            made = ["SET synchronous_commit = off", *shared, *POSTGRES]
            postgres_databases.run(source, *made)
            yield source.url
    else:
        server = engines.server("mariadb", required=required)
        name = mariadb_databases.own("nasty")
        mariadb_databases.run(server.url, f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
        try:
            source = mariadb_databases.named(server, database=name)
            made = [*shared, *MARIADB]
            mariadb_databases.run(source.url, f"USE {name}", *made)
            yield source.url
        finally:
            mariadb_databases.run(server.url, f"DROP DATABASE {name}")


def _sqlite(path, shared):
    with closing(sqlite3.connect(path)) as connection:
        for sql in [*shared, *SQLITE, *GHOST_SQLITE]:
            connection.execute(sql)
        connection.commit()
    return path


def _duckdb(path, shared):
    import duckdb  # an absent driver is a failure

    with duckdb.connect(str(path)) as connection:
        for sql in ["BEGIN", *shared, *DUCKDB, "COMMIT"]:
            connection.execute(sql)
    return path
