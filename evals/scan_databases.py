"""Generated databases for measuring scans, on each engine; made for one run and dropped.

A table has twenty columns, a primary key, a foreign key, two indexes, a unique constraint, a check
and, where the engine has them, comments. A server is named by the environment variable of its URL
(`DBLORE_TEST_POSTGRES`, `DBLORE_TEST_MARIADB`) or taken on its usual port, whose login may create
databases.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from pipeline.database.source import Source, resolve
from pipeline.errors import DbloreError

COLUMNS = 20
SERVERS = {
    "postgres": ("DBLORE_TEST_POSTGRES", "postgresql+psycopg://postgres@127.0.0.1:5432/postgres"),
    "mariadb": ("DBLORE_TEST_MARIADB", "mysql+pymysql://root@127.0.0.1:3306/mysql"),
}
ENGINES = ("sqlite", "duckdb", *SERVERS)
_TYPES = ("INTEGER", "VARCHAR(40)", "DECIMAL(10,2)", "DATE")
_AT_ONCE = 50
"""Statements sent together."""


class AbsentError(Exception):
    """No server answers here."""


def tables(engine: str, count: int) -> list[str]:
    """Return the DDL of `count` tables; each refers to the one before."""
    return [statement for number in range(count) for statement in _table(engine, number)]


def _table(engine: str, number: int) -> Iterator[str]:
    comments = engine == "mariadb"
    columns = [
        f"c{n:02d} {_TYPES[n % len(_TYPES)]}{' NOT NULL' if n % 3 == 0 else ''}"
        f"{' DEFAULT 0' if n == 4 else ''}{f' COMMENT {_said(number, n)}' if comments else ''}"
        for n in range(2, COLUMNS)
    ]
    name, before = f"t{number:04d}", f"t{max(0, number - 1):04d}"
    yield (
        f"CREATE TABLE {name} (id INTEGER NOT NULL, parent_id INTEGER, {', '.join(columns)},"
        f" PRIMARY KEY (id), FOREIGN KEY (parent_id) REFERENCES {before} (id),"
        f" CONSTRAINT u{number} UNIQUE (c05, c06), CONSTRAINT k{number} CHECK (c08 > 0))"
        f"{f' COMMENT {_said(number, 0)}' if comments else ''}"
    )
    yield f"CREATE INDEX i{number} ON {name} (c07)"
    yield f"CREATE UNIQUE INDEX j{number} ON {name} (c09, c10)"
    if engine in ("postgres", "duckdb"):
        yield f"COMMENT ON TABLE {name} IS {_said(number, 0)}"
        yield from (
            f"COMMENT ON COLUMN {name}.c{n:02d} IS {_said(number, n)}" for n in range(2, COLUMNS)
        )


def _said(table: int, column: int) -> str:
    return f"'what {column} means in {table}'"


def long_table(engine: str, rows: int) -> tuple[str, str]:
    """Return the DDL of one table with as many rows, and what fills it."""
    series = {
        "sqlite": f"(WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s"
        f" WHERE i < {rows - 1}) SELECT i FROM s) AS s",
        "duckdb": f"range({rows}) AS s(i)",
        "postgres": f"generate_series(CAST(0 AS BIGINT), {rows - 1}) AS s(i)",
    }[engine]
    table = (
        "CREATE TABLE events (id BIGINT PRIMARY KEY, customer_id INTEGER, amount DECIMAL(10,2),"
        " status VARCHAR(8), code VARCHAR(20), note VARCHAR(20), seconds BIGINT)"
    )
    content = (
        "INSERT INTO events SELECT i, (i * 7919) % 1000003, ((i * 31) % 100000) / 100.0,"
        " CASE i % 4 WHEN 0 THEN 'new' WHEN 1 THEN 'paid' WHEN 2 THEN 'sent' ELSE 'void' END,"
        " 'c-' || CAST((i * 104729) % 9999991 AS VARCHAR(20)),"
        " CASE WHEN i % 10 > 0 THEN 'note ' || CAST(i % 5000 AS VARCHAR(20)) END,"
        f" 1577836800 + i * 15 FROM {series}"
    )
    return table, content


@contextmanager
def made(engine: str, *ddl: str) -> Iterator[Source]:
    """Make a database with these statements, and drop it afterwards.

    Raises:
        AbsentError: there is no such server.
    """
    if engine in SERVERS:
        with _on_server(engine, ddl) as source:
            yield source
        return
    with tempfile.TemporaryDirectory(prefix="dblore-eval-") as folder:
        path = Path(folder) / f"made.{engine}"
        (_fill_sqlite if engine == "sqlite" else _fill_duckdb)(path, ddl)
        yield resolve(str(path), Path(), {})


def _fill_sqlite(path: Path, ddl: Sequence[str]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("BEGIN")
        for statement in ddl:
            connection.execute(statement)
        connection.execute("COMMIT")


def _fill_duckdb(path: Path, ddl: Sequence[str]) -> None:
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.execute("BEGIN")
        for statement in ddl:
            connection.execute(statement)
        connection.execute("COMMIT")


@contextmanager
def _on_server(engine: str, ddl: Sequence[str]) -> Iterator[Source]:
    import sqlalchemy

    variable, usual = SERVERS[engine]
    server = resolve(os.environ.get(variable, usual), Path(), os.environ)
    name = f"dblore_eval_{os.getpid()}"
    url = sqlalchemy.make_url(server.url)
    owner = sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT")
    try:
        with owner.connect() as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name}")
    except sqlalchemy.exc.SQLAlchemyError as error:
        raise AbsentError(f"no {engine} server ({variable}): {server.safe(error)}") from error
    own = url.set(database=name)
    try:
        engine_of = sqlalchemy.create_engine(own, isolation_level="AUTOCOMMIT")
        with engine_of.connect() as connection:
            for statement in ddl:
                connection.exec_driver_sql(statement.replace("%", "%%"))  # both drivers halve it
        engine_of.dispose()
        text = own.render_as_string(hide_password=False)
        yield resolve(text, Path(), os.environ)
    finally:
        with owner.connect() as connection:
            force = " WITH (FORCE)" if engine == "postgres" else ""  # of a process that was killed
            connection.exec_driver_sql(f"DROP DATABASE {name}{force}")
        owner.dispose()


def present(engines: Sequence[str]) -> list[str]:
    """Return those of the engines that answer here."""
    from pipeline.database.connect import open_database

    found = []
    for engine in engines:
        if engine in SERVERS:
            variable, usual = SERVERS[engine]
            try:
                with open_database(resolve(os.environ.get(variable, usual), Path(), os.environ)):
                    found.append(engine)
            except DbloreError:
                continue
        else:
            found.append(engine)
    return found
