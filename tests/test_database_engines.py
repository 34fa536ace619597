"""DuckDB files, and any database through SQLAlchemy's reflection."""

import socket
import threading
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import make_url

from pipeline import artifacts, scan
from pipeline.database import fingerprint
from pipeline.database.connect import open_database
from pipeline.database.query import Limits, read
from pipeline.database.source import resolve
from pipeline.errors import QueryError, RefusedError, SettingError, SourceError
from schemas.models import Catalog
from schemas.settings import KbSettings
from tests import engines

DUCK = """
CREATE TYPE mood AS ENUM ('sad', 'it''s ok');
CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR NOT NULL UNIQUE, m mood,
                     price DECIMAL(10,2), tags VARCHAR[], CHECK (price > 0));
COMMENT ON TABLE people IS 'who buys';
COMMENT ON COLUMN people.email IS 'where to write';
CREATE TABLE visits (id INTEGER, person_id INTEGER REFERENCES people(id));
CREATE VIEW v AS SELECT id FROM people;
CREATE SCHEMA other; CREATE TABLE other.people (a TIMESTAMP);
CREATE MACRO twice(x) AS x * 2;
INSERT INTO people VALUES (1, 'a@x.test', 'sad', 1.50, ['x']);
"""


@pytest.fixture
def duck(tmp_path):
    import duckdb  # an absent driver is a failure

    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(DUCK)
    return resolve(str(path), Path(), {})


@pytest.fixture
def scanned_duck(duck, tmp_path):
    out = tmp_path / "catalog.json"
    scan.build(source=duck, settings=KbSettings(name="t"), out=out)
    return artifacts.read(out, Catalog)


@pytest.mark.req("SCAN-14", part="DuckDB")
@pytest.mark.req("SCAN-02", part="DuckDB")
def test_a_duckdb_file_is_scanned_with_keys_comments_and_schemas(scanned_duck):
    people = scanned_duck.by_name["people"]

    assert [t.name for t in scanned_duck.tables] == ["other.people", "people", "v", "visits"]
    assert (people.comment, people.column("email").comment) == ("who buys", "where to write")
    assert [c.family for c in people.columns] == ["integer", "text", "enum", "decimal", "array"]
    assert people.column("m").enum_members == ("sad", "it's ok")
    assert people.primary_key.columns == ("id",)
    assert [k.columns for k in people.unique] == [("email",)]
    assert scanned_duck.by_name["visits"].foreign_keys[0].to_table == "people"
    assert [r.name for r in scanned_duck.routines] == ["twice"]


@pytest.mark.req("SCAN-03", part="DuckDB")
def test_a_schema_that_is_chosen_is_part_of_each_name(duck):
    with open_database(duck) as database:
        catalog = database.read_catalog(["main"])

    assert [t.name for t in catalog.tables] == ["main.people", "main.v", "main.visits"]
    assert catalog.by_name["main.visits"].foreign_keys[0].to_table == "main.people"


def test_duckdb_values_come_back_as_json(duck, scanned_duck):
    result = read(
        duck, "SELECT price, tags, {'a': 1}, 'nan'::DOUBLE FROM people", catalog=scanned_duck
    )

    assert result.rows == [["1.50", ["x"], {"a": 1}, "NaN"]]


@pytest.mark.req("SAFE-02", part="DuckDB")
def test_a_duckdb_statement_that_takes_too_long_is_stopped(duck):
    sql = "SELECT count(*) FROM range(100000000000) t(i) WHERE i * i % 7 = 3"

    with pytest.raises(QueryError) as caught:
        read(duck, sql, catalog=None, limits=Limits(seconds=0.3))

    assert "longer than 0.3 s" in caught.value.problem


@pytest.mark.req("SAFE-03", part="DuckDB")
@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO visits VALUES (1, 1)",
        "COPY people TO '{out}'",
        "ATTACH '{out}' AS x",
        "SELECT * FROM read_text('{out}')",
        "SET memory_limit = '1GB'",
        "LOAD httpfs",
        "SELECT * FROM secret",
    ],
)
def test_the_duckdb_session_alone_stops_writes_files_and_host_variables(duck, tmp_path, sql):
    secret = [1]  # a replacement scan would find it
    out = tmp_path / "out.csv"

    with open_database(duck) as database, pytest.raises(QueryError):
        database.read_rows(sql.replace("{out}", str(out)), bool, timeout_seconds=5)

    assert secret == [1]
    assert not out.exists()


def test_the_structure_of_a_duckdb_file_has_a_fingerprint(duck):
    assert fingerprint.structure(duck) == fingerprint.structure(duck)
    assert len(fingerprint.data(duck)) == 64


@pytest.fixture
def generic(make_db):
    """A database that only SQLAlchemy is asked about."""
    path = make_db(
        'CREATE TABLE p (id INTEGER PRIMARY KEY, "%s ?" NUMERIC(8,2) NOT NULL DEFAULT 1);'
        "CREATE TABLE c (a INT REFERENCES p(id), b TEXT UNIQUE, CHECK (a > 0));"
        "CREATE INDEX i ON c (a); CREATE VIEW v AS SELECT id FROM p; INSERT INTO p VALUES (1, 2.5);"
    )
    return replace(resolve(str(path), Path(), {}), path=None)


@pytest.mark.req("SCAN-14", part="generic reflection")
def test_any_sqlalchemy_dialect_gives_a_catalogue(generic):
    with open_database(generic) as database:
        catalog = database.read_catalog()

    assert [(t.name, t.kind) for t in catalog.tables] == [
        ("c", "table"), ("p", "table"), ("v", "view"),
    ]  # fmt: skip
    child = catalog.by_name["c"]
    assert [(k.columns, k.to_table, k.to_columns) for k in child.foreign_keys] == [
        (("a",), "p", ("id",))
    ]
    assert [i.name for i in child.indexes] == ["i"]
    assert [k.columns for k in child.unique] == [("b",)]
    assert catalog.by_name["p"].columns[1].family == "decimal"


def test_parameters_and_literal_marks_survive_any_driver(generic):
    with open_database(generic) as database:
        rows = database.fetch("SELECT \"%s ?\", '?' FROM p WHERE id = ?", (1,))

    assert [(float(value), mark) for value, mark in rows] == [(2.5, "?")]


def test_guarded_sql_runs_through_sqlalchemy_as_it_is(generic):
    result = read(generic, "SELECT '100%' AS \":x\", id FROM p", catalog=None)

    assert (result.columns, result.rows) == ((":x", "id"), [["100%", 1]])


def test_an_error_of_any_driver_is_a_query_error_without_sqlalchemys_links(generic):
    with open_database(generic) as database, pytest.raises(QueryError) as caught:
        database.fetch("SELECT nope FROM p")

    assert caught.value.problem == "the database says: no such column: nope"


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.mark.parametrize(("by", "problem"), [("deadline", "longer than"), ("interrupt", "cancel")])
def test_a_statement_of_any_driver_that_can_stop_one_is_stopped(generic, by, problem):
    with open_database(generic) as database:
        stopping = threading.Timer(0.2 if by == "interrupt" else 20, database.interrupt)
        stopping.start()
        with pytest.raises(QueryError) as caught:
            database.read_rows(ENDLESS, bool, timeout_seconds=0.2 if by == "deadline" else 20)
        stopping.cancel()

    assert problem in caught.value.problem


@pytest.mark.req("SAFE-03", part="a warning where sessions can't be read-only")
def test_a_session_that_cannot_be_made_read_only_is_named(generic):
    with open_database(generic) as database:
        assert "can't be made read-only" in database.warnings()[0]


def test_a_server_that_cannot_be_reached_is_a_source_error_without_the_login():
    import psycopg  # noqa: F401  # an absent driver is a failure

    with pytest.raises(SourceError) as caught:
        open_database(resolve("postgresql://bob:s3cret@127.0.0.1:9/shop", Path(), {}))

    assert "postgresql://127.0.0.1:9/shop can't be reached" in caught.value.problem
    assert "bob" not in str(caught.value)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("url", ["klingon://bob:s3cret@h/db", "sqlite+klingon://bob:s3cret@h/db"])
def test_a_driver_that_is_not_there_is_a_setting_error(url):
    source = replace(resolve("klingon://bob:s3cret@h/db", Path(), {}), url=url)

    with pytest.raises(SettingError) as caught:
        open_database(source)

    assert "s3cret" not in str(caught.value)
    assert "install" in caught.value.fix


@pytest.fixture(params=sorted(engines.SERVERS))
def server(request):
    """A real server."""
    return engines.server(request.param, required=request.config.getoption("require_engines"))


@pytest.mark.req("SAFE-03", part="PostgreSQL, MariaDB")
def test_a_servers_session_alone_stops_writes_and_second_statements(server):
    with open_database(server) as database:
        for sql in ("CREATE TABLE dblore_x (a INT)", "SELECT 1; SELECT 2", "COMMIT; SELECT 1"):
            with pytest.raises(QueryError):
                database.read_rows(sql, bool, timeout_seconds=5)


@pytest.mark.req("SAFE-02", part="PostgreSQL, MariaDB")
@pytest.mark.parametrize("limits", [Limits(bytes=5_000), Limits(rows=3), Limits(rows=300)])
def test_a_servers_rows_beyond_a_limit_stay_there_and_the_session_goes_on(server, limits):
    sql = (
        "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 300) "
        "SELECT n, repeat('x', 100) AS x FROM many ORDER BY n"
    )

    with open_database(server) as database:
        first = read(database, sql, catalog=None, limits=limits)
        second = read(database, "SELECT 1 AS one", catalog=None)

    assert first.truncated == (limits.rows != 300)
    assert [row[0] for row in first.rows] == list(range(1, len(first.rows) + 1))
    assert len(first.rows) <= min(limits.rows, limits.bytes // 100)
    assert second.rows == [[1]]


@pytest.mark.req("SAFE-02", part="PostgreSQL, MariaDB")
def test_a_servers_slow_statement_is_stopped_by_the_server(server):
    sleep = "pg_sleep(9)" if server.dialect == "postgres" else "sleep(9)"

    with open_database(server) as database, pytest.raises((QueryError, RefusedError)):
        database.read_rows(f"SELECT {sleep} UNION ALL SELECT {sleep}", bool, timeout_seconds=0.3)


def pooler(server):
    """Listen as a pooler does that refuses settings in the first packet, and return its port."""

    def serve():
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            first = client.recv(4096)
            while first and first[4:8] != b"\0\3\0\0":  # a question for encryption
                client.send(b"N")
                first = client.recv(4096)
            if b"\0options\0" in first:
                said = b"SFATAL\0C08P01\0Munsupported startup parameter: options\0\0"
                client.send(b"E" + (len(said) + 4).to_bytes(4, "big") + said)
                client.close()
                continue
            upstream = socket.create_connection(server)
            upstream.send(first)
            for pair in ((client, upstream), (upstream, client)):
                threading.Thread(target=pump, args=pair, daemon=True).start()

    def pump(source, target):
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        target.close()

    listening = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, daemon=True).start()
    return listening


def test_a_pooler_that_refuses_settings_at_the_start_gets_them_afterwards(request):
    server = engines.server("postgres", required=request.config.getoption("require_engines"))
    url = make_url(server.url)
    found = []

    with closing(pooler((url.host, url.port or 5432))) as listening:
        url = url.set(host="127.0.0.1", port=listening.getsockname()[1])
        behind = replace(server, url=url.render_as_string(hide_password=False))
        with open_database(behind) as database:
            for _ in range(2):
                database.read_rows(
                    "SELECT current_setting('default_transaction_read_only')",
                    lambda row: found.append(row) is None,
                    timeout_seconds=5,
                )

    assert found == [("on",), ("on",)]
