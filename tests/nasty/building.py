"""Makes the nasty databases."""

import sqlite3
from contextlib import closing, contextmanager

from tests import engines, mariadb_databases, postgres_databases
from tests.nasty import core
from tests.nasty.engines import DUCKDB, GHOST_SQLITE, MARIADB, POSTGRES, SQLITE

ENGINES = ("sqlite", "duckdb", "postgres", "mariadb")


@contextmanager
def nasty(engine, folder, *, required):
    """Make an engine's nasty database; yield its path or URL."""
    if engine == "sqlite":
        yield str(_sqlite(folder / "nasty.sqlite"))
    elif engine == "duckdb":
        yield str(_duckdb(folder / "nasty.duckdb"))
    elif engine == "postgres":
        server = engines.server("postgres", required=required)
        with postgres_databases.database(server, "nasty") as source:
            made = ["SET synchronous_commit = off", *core.statements("postgres"), *POSTGRES]
            postgres_databases.run(source, *made)
            yield source.url
    else:
        server = engines.server("mariadb", required=required)
        name = mariadb_databases.own("nasty")
        mariadb_databases.run(server.url, f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
        try:
            source = mariadb_databases.named(server, database=name)
            made = [*core.statements("mariadb"), *MARIADB]
            mariadb_databases.run(source.url, f"USE {name}", *made)
            yield source.url
        finally:
            mariadb_databases.run(server.url, f"DROP DATABASE {name}")


def _sqlite(path):
    with closing(sqlite3.connect(path)) as connection:
        for sql in [*core.statements("sqlite"), *SQLITE, *GHOST_SQLITE]:
            connection.execute(sql)
        connection.commit()
    return path


def _duckdb(path):
    import duckdb  # an absent driver is a failure

    with duckdb.connect(str(path)) as connection:
        for sql in ["BEGIN", *core.statements("duckdb"), *DUCKDB, "COMMIT"]:
            connection.execute(sql)
    return path
