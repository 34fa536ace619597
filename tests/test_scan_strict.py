"""One object that can't be read doesn't end a scan: it is counted, and `--strict` exits with 3."""

import re
import sqlite3
from contextlib import closing, contextmanager

import pytest
from sqlalchemy import make_url

from serve import cli
from tests import engines, mariadb_databases, postgres_databases

TABLES = ("CREATE TABLE shown (id INTEGER PRIMARY KEY)", "CREATE TABLE lost (id INTEGER)")
VIEW = ("CREATE TABLE shown (id INTEGER PRIMARY KEY)", "CREATE TABLE gone (id INTEGER)",
        "CREATE VIEW lost AS SELECT id FROM gone", "DROP TABLE gone")  # fmt: skip
READER = "strict_reader"


@contextmanager
def sqlite(_request, folder):
    path = folder / "strict.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        for statement in VIEW:
            connection.execute(statement)
    yield str(path)


@contextmanager
def duckdb(_request, folder):
    import duckdb as engine  # an absent driver is a failure

    path = folder / "strict.duckdb"
    with closing(engine.connect(str(path))) as connection:
        for statement in VIEW:
            connection.execute(statement)
    yield str(path)


@contextmanager
def postgres(request, _folder):
    server = engines.server("postgres", required=request.config.getoption("require_engines"))
    with (
        postgres_databases.role(server, READER) as reader,
        postgres_databases.database(server, READER, *TABLES) as source,
    ):
        postgres_databases.run(source, f"GRANT SELECT ON shown TO {reader}")
        yield postgres_databases.named(source, username=reader).url


@contextmanager
def mariadb(request, _folder):
    server = engines.server("mariadb", required=request.config.getoption("require_engines"))
    name = mariadb_databases.own(READER)
    drop = (f"DROP DATABASE IF EXISTS {name}", f"DROP USER IF EXISTS {name}")
    grants = (f"GRANT SELECT ON {name}.shown TO {name}", f"GRANT INSERT ON {name}.lost TO {name}")
    made = (f"CREATE DATABASE {name}", f"USE {name}", *TABLES, f"CREATE USER {name}", *grants)
    try:
        mariadb_databases.run(server.url, *drop, *made)
        url = make_url(server.url).set(username=name, password=None, database=name)
        yield url.render_as_string(hide_password=False)
    finally:
        mariadb_databases.run(server.url, *drop)


@pytest.mark.req("SCAN-10")
@pytest.mark.parametrize(
    "database",
    [
        pytest.param(sqlite, id="SQLite: a broken view"),
        pytest.param(duckdb, id="DuckDB: a broken view"),
        pytest.param(postgres, id="PostgreSQL: no right"),
        pytest.param(mariadb, id="MariaDB: no right"),
    ],
)
def test_an_unreadable_object_is_counted_and_only_strict_fails(
    database, request, tmp_path, capsys, monkeypatch
):
    kb = tmp_path / "kb"
    kb.mkdir()
    settings = "name: t\nsource: ${DBLORE_TEST_STRICT}\n"
    (kb / "kb.yaml").write_text(settings, encoding="utf-8")

    with database(request, tmp_path) as url:
        monkeypatch.setenv("DBLORE_TEST_STRICT", url)
        lenient = cli.main(["scan", "--kb", str(kb)])
        said = capsys.readouterr().err
        strict = cli.main(["scan", "--kb", str(kb), "--strict"])
        cli.main(["build", "--kb", str(kb)])
        capsys.readouterr()
        idle = cli.main(["build", "--kb", str(kb), "--strict"])
        said_when_idle = capsys.readouterr().err
        (kb / "kb.yaml").write_text(f"{settings}exclude: [LO*]\n", encoding="utf-8")
        excluded = cli.main(["scan", "--kb", str(kb), "--strict"])

    assert (lenient, strict, idle, excluded) == (0, 3, 3, 0)
    assert re.search(r"1 object couldn't be read: .*lost", said_when_idle)
    assert "1 unreadable" in said
    assert "lost" in said
