"""Dumps of real databases say the same as a scan of the database itself."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import make_url

from pipeline.database.connect import open_database
from pipeline.database.ddl import catalog
from pipeline.database.source import resolve
from tests import ddl_kit, engines, mariadb_databases, postgres_databases
from tests.postgres_nasty import EVERYTHING

MARIADB = (
    """
    CREATE TABLE customer (
        id INT AUTO_INCREMENT PRIMARY KEY,
        kind ENUM('a', 'b;c') NOT NULL DEFAULT 'a' COMMENT 'It''s a code',
        doc JSON, made TIMESTAMP NULL, n DECIMAL(9, 2) UNIQUE
    ) COMMENT 'Who buys'
    """,
    """
    CREATE TABLE `odd ``;` (
        id BIGINT UNSIGNED PRIMARY KEY, c INT, `x y` TEXT, KEY (c),
        total BIGINT AS (id * 2) STORED, CHECK (id > 0),
        FOREIGN KEY (c) REFERENCES customer (id) ON DELETE SET NULL
    )
    """,
    "CREATE VIEW v AS SELECT c.kind, o.id FROM customer c JOIN `odd ``;` o ON o.c = c.id",
)


def agree(live, told):
    """Assert that two catalogues say alike what DDL can tell."""
    live, told = (
        replace(c, tables=tuple(t for t in c.tables if not _is_odd(t))) for c in (live, told)
    )
    for name in ("name", "object_name", "schema", "kind", "comment"):
        values = [[getattr(t, name) for t in found.tables] for found in (told, live)]
        assert values[0] == values[1]
    for one, other in zip(told.tables, live.tables, strict=True):
        assert [_column(c, one.kind) for c in one.columns] == [
            _column(c, other.kind) for c in other.columns
        ], one.name
        assert (one.primary_key, one.unique, one.indexes, one.partitions) == (
            other.primary_key, other.unique, other.indexes, other.partitions
        ), one.name  # fmt: skip
        assert list(map(ddl_kit.key, one.foreign_keys)) == list(
            map(ddl_kit.key, other.foreign_keys)
        )


def _is_odd(table):
    """A name that PostgreSQL's own catalogue hides needs its schema, which DDL can't know."""
    return table.object_name == "pg_class"


def _column(column, kind):
    """What must agree; whether a view's column may be null, and its exact type, isn't told."""
    if "view" in kind:
        return column.name, column.comment
    said = replace(column, expression=None)
    return replace(said, default=None if said.default is None else "some")


def dumped(tool, *arguments):
    """Return what a dump program writes; skip where there is none."""
    program = shutil.which(tool)
    if program is None:
        pytest.skip(f"{tool} isn't installed")
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, encoding="utf-8", check=False
    )
    if "version mismatch" in done.stderr:
        pytest.skip(f"{tool} is older than the server")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.req("SCAN-15", part="pg_dump")
def test_pg_dump_says_what_a_scan_says(tmp_path, request):
    server = engines.server("postgres", required=request.config.getoption("require_engines"))
    with postgres_databases.database(server, "ddl", EVERYTHING) as source:
        with open_database(source) as database:
            live = database.read_catalog()
        url = make_url(source.url).set(drivername="postgresql")
        text = dumped("pg_dump", "--schema-only", url.render_as_string(hide_password=False))

    path = tmp_path / "dump.sql"
    path.write_text(text, encoding="utf-8")
    agree(live, catalog.read([path], "postgres", live.database))


@pytest.mark.req("SCAN-15", part="mariadb-dump")
def test_mariadb_dump_says_what_a_scan_says(tmp_path, request):
    server = engines.server("mariadb", required=request.config.getoption("require_engines"))
    name = mariadb_databases.own("ddl")
    tool = "mariadb-dump" if shutil.which("mariadb-dump") else "mysqldump"
    try:
        mariadb_databases.run(
            server.url, f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}",
            f"USE {name}", *MARIADB
        )  # fmt: skip
        with open_database(mariadb_databases.named(server, database=name)) as database:
            live = database.read_catalog()
        at = make_url(server.url)
        login = [f"-h{at.host}", f"-P{at.port or 3306}", f"-u{at.username}"]
        login += [f"-p{at.password}"] if at.password else []
        text = dumped(tool, *login, "--no-data", "--skip-ssl", name)
    finally:
        mariadb_databases.run(server.url, f"DROP DATABASE IF EXISTS {name}")

    path = tmp_path / "dump.sql"
    path.write_text(text, encoding="utf-8")
    told = catalog.read([path], "mysql", live.database)
    agree(live, told)


@pytest.mark.req("SCAN-15", part="SQLite's own text")
def test_the_text_that_sqlite_keeps_says_what_a_scan_says(tmp_path, make_db):
    path = make_db("""
        CREATE TABLE a (id INTEGER PRIMARY KEY, -- its number
            b TEXT NOT NULL DEFAULT ('x'), "c d" REFERENCES a, UNIQUE (b));
        CREATE TABLE w (k TEXT, v NUMERIC(5, 2), PRIMARY KEY (k)) WITHOUT ROWID;
        CREATE INDEX of_b ON a (b DESC, lower(b)) WHERE b > 1;
        CREATE VIEW v AS SELECT * FROM a;
    """)
    with closing(sqlite3.connect(path)) as connection:
        kept = connection.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL").fetchall()
    text = ";\n".join(sql for (sql,) in kept)
    with open_database(resolve(str(path), tmp_path, {})) as database:
        live = database.read_catalog()

    script = tmp_path / "schema.sql"
    script.write_text(text, encoding="utf-8")
    agree(live, catalog.read([script], "sqlite", live.database))


@pytest.mark.req("SCAN-15")
def test_virtual_tables_of_a_sqlite_dump_hide_the_tables_beneath_them(tmp_path, make_db):
    path = make_db(
        "CREATE VIRTUAL TABLE ft USING fts5(title,\n  'it''s', body);"
        "CREATE VIRTUAL TABLE place USING rtree(id, x0, x1);"
        "CREATE TABLE after_them (id INTEGER PRIMARY KEY);"
    )
    dump = tmp_path / "dump.sql"
    with closing(sqlite3.connect(path)) as connection:
        dump.write_text("\n".join(connection.iterdump()), encoding="utf-8")
    with open_database(resolve(str(path), tmp_path, {})) as database:
        live = database.read_catalog()

    found = catalog.read([dump], "sqlite", live.database)

    assert {t.name: t.kind for t in found.tables} == {t.name: t.kind for t in live.tables}
    assert [t.name for t in found.tables] == ["after_them", "ft", "place"]
