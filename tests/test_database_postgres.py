"""PostgreSQL: what a session allows, how it ends, and what comes back from it."""

import os
import threading
import time
from dataclasses import replace

import pytest
from sqlalchemy import make_url

from pipeline.database.connect import open_database
from pipeline.database.servers.postgres import PostgresServer
from pipeline.database.servers.server import shut
from pipeline.database.values import to_json
from pipeline.errors import QueryError, SourceError
from tests import engines

NAME = f"dblore_pg_{os.getpid()}"
READER, WRITER = f"{NAME}_reader", f"{NAME}_writer"
SETUP = f"""
CREATE ROLE {READER} LOGIN;
CREATE ROLE {WRITER} LOGIN;
CREATE TABLE shop (id int, secret text);
INSERT INTO shop VALUES (1, 'x');
GRANT SELECT ON shop TO {READER}, {WRITER};
GRANT UPDATE (secret) ON shop TO {WRITER};
GRANT pg_read_server_files TO {WRITER};
CREATE SCHEMA shadow;
CREATE FUNCTION shadow.lower(text) RETURNS text LANGUAGE sql AS $$ SELECT 'shadow' $$;
GRANT USAGE ON SCHEMA shadow TO {READER};
CREATE FUNCTION shadow.telling() RETURNS int LANGUAGE plpgsql
    AS $$ BEGIN RAISE WARNING 'cut to 3'; RETURN 1; END $$;
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TYPE pair AS (a int, b text);
ALTER ROLE {READER} SET default_transaction_read_only = off;
ALTER ROLE {READER} SET standard_conforming_strings = off;
"""


def run(url, *statements):
    import psycopg  # an absent driver skips all of these tests

    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture(scope="module")
def server(request):
    return engines.server("postgres", required=request.config.getoption("require_engines"))


@pytest.fixture(scope="module")
def source(server):
    """A database of its own, of an encoding that takes any byte, as its superuser sees it."""
    create = f"CREATE DATABASE {NAME} ENCODING SQL_ASCII LC_COLLATE 'C' LC_CTYPE 'C'"
    run(server.url, f"{create} TEMPLATE template0")
    try:
        url = make_url(server.url).set(database=NAME).render_as_string(hide_password=False)
        run(url, SETUP)
        yield replace(server, url=url)
    finally:
        run(server.url, f"DROP DATABASE {NAME} WITH (FORCE)")
        run(server.url, *(f"DROP ROLE IF EXISTS {role}" for role in (READER, WRITER)))


def named(source, **parts):
    return replace(
        source, url=make_url(source.url).set(**parts).render_as_string(hide_password=False)
    )


@pytest.fixture(scope="module")
def opened(source):
    with open_database(source) as database:
        yield database


def values(database, sql, timeout_seconds=10):
    found = []
    database.read_rows(sql, lambda row: found.append(row) is None, timeout_seconds=timeout_seconds)
    return [[v if isinstance(v, bytes) else to_json(v) for v in row] for row in found]


@pytest.mark.req("SAFE-03", part="PostgreSQL")
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1; SELECT 2",
        "COMMIT; DROP TABLE shop",
        r"SELECT '\'; DROP TABLE shop --'",
        "COMMIT",
        "ROLLBACK",
        "SET default_transaction_read_only = off",
        "COPY shop TO PROGRAM 'true'",
        "LOCK TABLE shop",
        "DO $$ BEGIN PERFORM 1; END $$",
        "INSERT INTO shop VALUES (2)",
        "WITH gone AS (DELETE FROM shop RETURNING id) SELECT * FROM gone",
        "SELECT * INTO copied FROM shop",
        "SELECT * FROM shop FOR UPDATE",
    ],
)
def test_the_server_takes_one_statement_that_reads_even_of_a_superuser(opened, sql):
    with pytest.raises(QueryError):
        values(opened, sql)

    assert values(opened, "SELECT count(*) FROM shop") == [[1]]


@pytest.mark.req("SAFE-03", part="PostgreSQL")
def test_what_a_role_has_set_for_itself_undoes_nothing(source):
    sql = (
        r"SELECT current_setting('default_transaction_read_only'), '\', "
        "current_setting('transaction_read_only')"
    )

    with open_database(named(source, username=READER)) as database:
        rows = values(database, sql)

    assert rows == [["on", "\\", "on"]]


def test_functions_of_the_system_come_before_those_of_the_same_name(source):
    path = {"options": "-c search_path=shadow,pg_catalog"}

    with open_database(named(source, query=path)) as database:
        rows = values(database, "SELECT lower('A'), current_schema()::text")

    assert rows == [["a", "shadow"]]


def test_nothing_of_a_session_is_left_for_the_next_statement(opened):
    values(opened, "SELECT pg_advisory_lock(77), set_config('datestyle', 'German', false)")

    assert values(opened, "SELECT pg_try_advisory_lock(77), date '2026-01-02'") == [
        [True, "2026-01-02"]
    ]
    here = "SELECT oid FROM pg_database WHERE datname = current_database()"
    held = f"FROM pg_locks WHERE locktype = 'advisory' AND database = ({here})"
    assert opened.fetch(f"SELECT count(*) {held}") == [(0,)]


def test_rows_that_nobody_wants_are_not_computed(opened):
    sql = "SELECT n, CASE WHEN n > 2 THEN pg_sleep(9) END FROM generate_series(1, 9) n"
    found = []

    began = time.monotonic()
    opened.read_rows(sql, lambda row: found.append(row) or len(found) < 2, timeout_seconds=5)

    assert [row[0] for row in found] == [1, 2]
    assert time.monotonic() - began < 3


def test_a_trip_to_the_server_brings_fewer_rows_when_they_are_long(opened):
    sql = (
        "SELECT n, CASE WHEN n > 6 THEN pg_sleep(9)::text ELSE repeat('x', 300000) END "
        "FROM generate_series(1, 9) n"
    )
    found = []

    opened.read_rows(sql, lambda row: found.append(row[0]) or len(found) < 5, timeout_seconds=5)

    assert found == [1, 2, 3, 4, 5]


JSON = '{"a": 12345678901234567890.12345678901234567890, "b": [1.10, 1e400]}'
VALUES = [
    ("12345678901234567890.123400::numeric", "12345678901234567890.123400"),
    ("'NaN'::numeric", "NaN"),
    ("'-Infinity'::numeric", "-Infinity"),
    ("'NaN'::float8", "NaN"),
    ("1.1::float4", 1.1),
    ("9223372036854775807", 9223372036854775807),
    ("10::numeric ^ 40", "1" + "0" * 40 + ".0000000000000000"),
    ("true", True),
    ("'infinity'::date", "infinity"),
    ("'0044-03-15 BC'::date", "0044-03-15 BC"),
    ("'99999-12-31 24:00'::timestamp", "100000-01-01 00:00:00"),
    ("'24:00'::time", "24:00:00"),
    ("'24:00+02'::timetz", "24:00:00+02"),
    ("interval '1 year -2 days 25:00:00.5'", "1 year -2 days +25:00:00.5"),
    ("'6f1c0001-0000-4000-8000-000000000001'::uuid", "6f1c0001-0000-4000-8000-000000000001"),
    (r"'\x00ff'::bytea", b"\x00\xff"),
    ("B'0101'", "0101"),
    ("ARRAY[[1, NULL], [2, 3]]", [[1, None], [2, 3]]),
    ("ARRAY['a', NULL, 'b,\"c']", ["a", None, 'b,"c']),
    ("ARRAY[1.10, 2]", ["1.10", "2"]),
    ("ARRAY['infinity'::date]", ["infinity"]),
    (f"'{JSON}'::json", JSON),
    ("'{\"a\": 1.10}'::jsonb", '{"a": 1.10}'),
    ("ARRAY['{\"a\": 1.10}'::jsonb]", ['{"a": 1.10}']),
    ("'[1,5)'::int4range", "[1,5)"),
    ("'10.0.0.1'::inet", "10.0.0.1"),
    ("'(1,2)'::point", "(1,2)"),
    ("ROW(1, 'a', NULL)", "(1,a,)"),
    ("ROW(1, 'a b')::pair", '(1,"a b")'),
    ("'ok'::mood", "ok"),
    ("ARRAY['ok'::mood]", "{ok}"),
    ("to_tsvector('simple', 'a')", "'a':1"),
    ("'ab'::char(4)", "ab  "),
    (r"E'\377a'", "\ufffda"),
    (r"ARRAY[E'\377']", ["\ufffd"]),
    ("'😀'", "😀"),
    (r"'100% %s %% :a ? {} \n'", r"100% %s %% :a ? {} \n"),
    ("NULL", None),
]


@pytest.fixture(scope="module")
def row(opened):
    """All of them, read in one statement."""
    return values(opened, f"SELECT {', '.join(sql for sql, _ in VALUES)}")[0]


@pytest.mark.parametrize("number", [pytest.param(i, id=v[0][:40]) for i, v in enumerate(VALUES)])
def test_no_digit_and_no_date_of_a_postgres_value_is_lost(row, number):
    assert row[number] == VALUES[number][1]


def test_a_statement_with_a_lone_surrogate_is_refused_before_the_server_sees_it(opened):
    with pytest.raises(QueryError) as caught:
        values(opened, "SELECT '\ud800'")

    assert "isn't valid Unicode" in caught.value.problem


def test_columns_are_known_where_there_are_no_rows_and_notices_come_back(opened):
    result = opened.read_rows("SELECT 1 AS a, 2 AS a WHERE false;", bool, timeout_seconds=5)
    said = opened.read_rows("SELECT shadow.telling(), shadow.telling() -- x", bool,
                            timeout_seconds=5)  # fmt: skip

    assert (result.columns, result.notes) == (("a", "a"), ())
    assert said.notes == ("PostgreSQL says: cut to 3",)


SLOW = [
    pytest.param("SELECT pg_sleep(30)", id="asleep"),
    pytest.param("SELECT count(*) FROM generate_series(1, 3000000000) n", id="busy"),
    pytest.param("SELECT a FROM generate_series(1, 9999) a, generate_series(1, 9999999) b",
                 id="many rows"),
]  # fmt: skip


@pytest.mark.req("SAFE-02", part="PostgreSQL")
@pytest.mark.req("MCP-02", part="PostgreSQL")
@pytest.mark.parametrize("sql", SLOW)
@pytest.mark.parametrize("by", ["deadline", "interrupt", "broken connection"])
def test_a_stopped_statement_is_gone_from_the_server(source, opened, sql, by):
    errors = []

    def statement():
        try:
            values(database, sql, 0.3 if by == "deadline" else 30)
        except (QueryError, SourceError) as error:
            errors.append(error.problem)

    with open_database(source) as database:
        pid = database.fetch("SELECT pg_backend_pid()")[0][0]
        running = threading.Thread(target=statement)
        running.start()
        time.sleep(0.3)
        if by == "interrupt":
            database.interrupt()
        elif by == "broken connection":
            shut(database._connection.connection.driver_connection.fileno())
        gone = f"SELECT count(*) FROM pg_stat_activity WHERE pid = {pid} AND state = 'active'"
        until = time.monotonic() + 2
        while opened.fetch(gone) != [(0,)] and time.monotonic() < until:
            time.sleep(0.02)
        left = opened.fetch(gone)
        running.join()

    assert left == [(0,)]
    assert {"deadline": "longer than 0.3 s", "interrupt": "was cancelled"}.get(
        by, "broke"
    ) in errors[0]


def test_an_interrupt_between_statements_stops_no_other_one(opened):
    for _ in range(5):
        opened.interrupt()
        assert values(opened, "SELECT 1") == [[1]]
        opened.interrupt()
        assert opened.fetch("SELECT 1") == [(1,)]


def test_a_connection_that_the_server_ends_is_a_source_error_and_the_next_one_works(source, opened):
    with open_database(source) as database:
        pid = database.fetch("SELECT pg_backend_pid()")[0][0]
        ending = threading.Timer(0.2, run, [source.url, f"SELECT pg_terminate_backend({pid})"])
        ending.start()
        with pytest.raises(SourceError) as caught:
            values(database, "SELECT pg_sleep(9)")
        ending.join()

        assert "broke" in caught.value.problem
        assert database.fetch("SELECT 1") == [(1,)]


@pytest.mark.parametrize(
    ("parts", "problem", "fix"),
    [
        pytest.param({"database": "nope"}, "can't be opened", "name of the database", id="name"),
        pytest.param({"username": "nobody"}, "doesn't take this login", "user", id="role"),
        pytest.param({"port": 9}, "can't be reached", "host, port", id="down"),
    ],
)
def test_why_a_server_does_not_open_is_said_with_what_to_do(source, parts, problem, fix):
    with pytest.raises(SourceError) as caught:
        open_database(named(source, **parts))

    assert problem in caught.value.problem
    assert fix in caught.value.fix


def test_a_connection_that_was_idle_for_long_is_not_trusted(source):
    with open_database(source) as database:
        pid = database.fetch("SELECT pg_backend_pid()")[0][0]
        run(source.url, f"SELECT pg_terminate_backend({pid})")
        database._used_at -= 3600

        assert database.fetch("SELECT 1") == [(1,)]


def test_a_role_that_has_no_connection_left_is_told_so(source):
    run(source.url, f"ALTER ROLE {WRITER} CONNECTION LIMIT 0")

    with pytest.raises(SourceError) as caught:
        open_database(named(source, username=WRITER))
    run(source.url, f"ALTER ROLE {WRITER} CONNECTION LIMIT -1")

    assert "has no connection left" in caught.value.problem


@pytest.mark.parametrize(
    ("wanted", "given"), [(None, 10), ("3", 3), ("900", 10), ("0", 1), ("soon", 10)]
)
def test_a_server_that_never_answers_is_not_waited_for_longer_than_ten_seconds(wanted, given):
    options = {"connect_timeout": wanted} if wanted else {}

    PostgresServer("psycopg", bool).arrange([], options)

    assert options["connect_timeout"] == given


@pytest.mark.req("SAFE-03", part="PostgreSQL")
def test_a_login_that_could_write_is_named_once_with_what_to_do(source):
    found = {}
    for role in (None, WRITER, READER):
        with open_database(named(source, username=role) if role else source) as database:
            found[role] = database.warnings()
            assert database.warnings() is found[role]

    assert found[READER] == ()
    assert "is a superuser" in found[None][0]
    assert "may change rows of 1 table and is a member of pg_read_server_files" in found[WRITER][0]
    assert "GRANT SELECT" in found[WRITER][0]


def test_a_caller_sees_what_the_server_says_of_a_faulty_statement(opened):
    with pytest.raises(QueryError) as caught:
        values(opened, "SELECT nope FROM shop")

    assert caught.value.problem == 'the database says: column "nope" does not exist'


def test_a_foreign_table_whose_server_is_away_is_an_error_of_the_statement(source, opened):
    setup = (
        "CREATE EXTENSION postgres_fdw",
        "CREATE SERVER away FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '1')",
        "CREATE USER MAPPING FOR PUBLIC SERVER away",
        "CREATE FOREIGN TABLE there (a INT) SERVER away",
    )
    if not opened.fetch("SELECT 1 FROM pg_available_extensions WHERE name = 'postgres_fdw'"):
        pytest.skip("this server has no postgres_fdw")
    run(source.url, *setup)

    with pytest.raises(QueryError) as caught:
        opened.fetch("SELECT * FROM there")

    assert "could not connect" in caught.value.problem
