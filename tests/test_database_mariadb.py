"""MariaDB and MySQL: what a session allows, how it ends, and what comes back from it."""

import os
import socket
import threading
import time
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import make_url

from pipeline.database.connect import open_database
from pipeline.database.servers.mysql import MysqlServer
from pipeline.database.servers.mysql_login import granted
from pipeline.database.servers.mysql_warnings import said_plainly
from pipeline.database.values import to_json
from pipeline.errors import QueryError, SourceError
from tests import engines

NAME = f"dblore_my_{os.getpid()}"
READER, WRITER, SINGLE = f"{NAME}_r", f"{NAME}_w", f"{NAME}_s"
LOGIN = {"username": READER, "password": "geheim"}
SETUP = (
    f"CREATE DATABASE {NAME}",
    f"CREATE TABLE {NAME}.shop (id int, bits bit(12), era year, l varchar(9) CHARSET latin1)",
    f"INSERT INTO {NAME}.shop VALUES (1, b'100000000001', '0000', 'caf\u00e9')",
    f"CREATE USER {READER} IDENTIFIED BY 'geheim'",
    f"CREATE USER {SINGLE} WITH MAX_USER_CONNECTIONS 1",
    f"GRANT SELECT ON {NAME}.* TO {SINGLE}",
    f"GRANT SELECT, SHOW VIEW ON {NAME}.* TO {READER}",
    f"CREATE USER {WRITER}",
    f"GRANT SELECT, UPDATE (id) ON {NAME}.shop TO {WRITER}",
    f"GRANT FILE ON *.* TO {WRITER}",
)
CLEAN = (
    f"DROP DATABASE IF EXISTS {NAME}",
    *(f"DROP USER IF EXISTS {user}" for user in (READER, WRITER, SINGLE)),
)


def run(url, *statements):
    import pymysql  # an absent driver skips all of these tests

    at = make_url(url)
    login = {"host": at.host, "port": at.port or 3306, "user": at.username}
    with closing(pymysql.connect(**login, password=at.password or "", ssl_disabled=True)) as raw:
        cursor = raw.cursor()
        for statement in statements:
            cursor.execute(statement)
        raw.commit()


@pytest.fixture(scope="module")
def source(request):
    """A database of its own, as the server's administrator sees it."""
    server = engines.server("mariadb", required=request.config.getoption("require_engines"))
    run(server.url, *CLEAN, *SETUP)
    yield named(server, database=NAME)
    run(server.url, *CLEAN)


def named(source, **parts):
    return replace(
        source, url=make_url(source.url).set(**parts).render_as_string(hide_password=False)
    )


@pytest.fixture(scope="module")
def opened(source):
    with open_database(source) as database:
        yield database


def reply(database, sql, timeout_seconds=10):
    found = []
    said = database.read_rows(
        sql, lambda row: found.append(row) is None, timeout_seconds=timeout_seconds
    )
    rows = [[v if isinstance(v, bytes) else to_json(v) for v in row] for row in found]
    return rows, said.notes


ASKS_FOR_MORE = {
    "client_flag": str(1 << 16),
    "local_infile": "1",
    "charset": "latin1",
    "sql_mode": "ANSI_QUOTES,NO_BACKSLASH_ESCAPES",
}


@pytest.mark.req("SAFE-03", part="MariaDB")
def test_no_session_takes_more_statements_or_other_quotes_whatever_the_url_says(source):
    sql = (
        r"""SELECT "a\"b", @@session.tx_read_only, @@character_set_client, """
        "@@session.sql_mode RLIKE 'ANSI_QUOTES|NO_BACKSLASH_ESCAPES'"
    )
    with open_database(named(source, query=ASKS_FOR_MORE)) as database:
        for _ in range(2):  # the second one in a connection of its own
            with pytest.raises(QueryError) as caught:
                reply(database, "SELECT 1; SELECT 2")
            rows, _notes = reply(database, sql)

            assert "near 'SELECT 2'" in caught.value.problem
            assert rows == [['a"b', 1, "utf8mb4", 0]]


@pytest.mark.req("SAFE-03", part="MariaDB")
@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO shop VALUES (2, 0, 0, '')",
        "CREATE TABLE more (id int)",
        "CREATE TEMPORARY TABLE more (id int)",
        "SELECT * FROM shop FOR UPDATE",
        "COMMIT; SET SESSION TRANSACTION READ WRITE",
        r"SELECT '\'; DROP TABLE shop -- ",
    ],
)
def test_the_session_alone_stops_writes_of_an_administrator(opened, sql):
    with pytest.raises(QueryError):
        reply(opened, sql)

    assert opened.fetch("SELECT count(*) FROM shop") == [(1,)]


def test_nothing_of_a_session_is_left_for_the_next_statement(opened):
    reply(opened, "SELECT get_lock('dblore', 0), @a := 5")

    assert reply(opened, "SELECT is_free_lock('dblore'), @a")[0] == [[1, None]]


VALUES = [
    ("CAST('12345678901234567890.123400' AS DECIMAL(40, 6))", "12345678901234567890.123400"),
    ("18446744073709551615", 18446744073709551615),
    ("CAST('0000-00-00' AS DATE)", "0000-00-00"),
    ("CAST('0000-00-00' AS DATETIME)", "0000-00-00 00:00:00"),
    ("CAST('2026-01-02 03:04:05.123456' AS DATETIME(6))", "2026-01-02 03:04:05.123456"),
    ("CAST('-838:59:59' AS TIME)", "-838:59:59"),
    ("CAST('25:00:00' AS TIME)", "25:00:00"),
    ("TIME('-00:00:01')", "-00:00:01"),
    ("bits", 2049),
    ("era", 0),
    ("l", "café"),
    ("x'00ff'", b"\x00\xff"),
    ("CAST('ä' AS BINARY)", "ä".encode()),
    ("'a\\0b'", "a\0b"),
    ("'😀'", "😀"),
    ("1e300", 1e300),
    ("JSON_OBJECT('a', 12345678901234567890.12345)", '{"a": 12345678901234567890.12345}'),
    ("ST_AsText(POINT(1, 2))", "POINT(1 2)"),
    ("'100% %s %% :a ? {} \\\\n'", r"100% %s %% :a ? {} \n"),
    ("NULL", None),
]


@pytest.fixture(scope="module")
def row(opened):
    """All of them, read in one statement."""
    return reply(opened, f"SELECT {', '.join(sql for sql, _ in VALUES)} FROM shop")[0][0]


@pytest.mark.parametrize("number", [pytest.param(i, id=v[0][:40]) for i, v in enumerate(VALUES)])
def test_no_digit_and_no_date_of_a_mariadb_value_is_lost(row, number):
    assert row[number] == VALUES[number][1]


@pytest.mark.req("SAFE-02", part="MariaDB: what the server cut")
@pytest.mark.parametrize(
    ("sql", "note"),
    [
        pytest.param(
            "SELECT length(group_concat(repeat('x', 9999))) FROM seq_1_to_900",
            "the server cut a value of GROUP_CONCAT",
            id="GROUP_CONCAT",
        ),
        pytest.param(
            "WITH RECURSIVE c AS (SELECT 1 x UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
            "result may be incomplete",
            id="recursion",
        ),
        pytest.param("SELECT repeat('x', @@max_allowed_packet + 1)", "NULL in place", id="repeat"),
        pytest.param("SELECT 1 / 0", "Division by 0", id="division"),
        pytest.param(
            "SELECT CAST(concat('it''s hidden', seq) AS INT) FROM seq_1_to_40",
            "Truncated incorrect INTEGER value: '…'",
            id="casts",
        ),
    ],
)
def test_what_the_server_cut_or_guessed_is_a_note_without_values(opened, sql, note):
    _rows, notes = reply(opened, sql)

    assert len(notes) == 1
    assert note in notes[0]
    assert "hidden" not in notes[0]


def test_notes_come_with_rows_that_are_few_too_many(opened):
    said = opened.read_rows("SELECT seq / 0 FROM seq_1_to_300", bool, timeout_seconds=5)

    assert said.notes == ("the server warns: Division by 0",)


@pytest.mark.parametrize(
    ("number", "text", "expected"),
    [
        (1265, "Data truncated for column 'a' at row 7", "Data truncated for column 'a'"),
        (1292, "Incorrect date value: 'it's' for column 'a' at row 1", "Incorrect date value: '…'"),
    ],
)
def test_a_warning_is_the_same_for_every_row_and_holds_no_value(number, text, expected):
    assert said_plainly(number, text) == f"the server warns: {expected}"


def test_fifty_million_rows_are_left_on_the_server(opened):
    found = []

    began = time.monotonic()
    opened.read_rows(
        "SELECT seq FROM seq_1_to_50000000",
        lambda row: found.append(row) or len(found) < 5,
        timeout_seconds=20,
    )

    assert len(found) == 5
    assert time.monotonic() - began < 2
    assert opened.fetch("SELECT 1") == [(1,)]


SLOW = [
    pytest.param("SELECT /*{tag}*/ sleep(30)", id="asleep, ends with a row"),
    pytest.param("SELECT /*{tag}*/ benchmark(9999999999, md5('a'))", id="busy, ends with a row"),
    pytest.param("SELECT /*{tag}*/ max(md5(seq)) FROM seq_1_to_999999999", id="busy"),
    pytest.param("SELECT /*{tag}*/ 1 FROM seq_1_to_9999 a, seq_1_to_9999999 b", id="many rows"),
]  # fmt: skip


@pytest.mark.req("SAFE-02", part="MariaDB")
@pytest.mark.req("MCP-02", part="MariaDB")
@pytest.mark.parametrize("sql", SLOW)
@pytest.mark.parametrize("by", ["deadline", "interrupt"])
def test_a_stopped_statement_is_gone_from_the_server(source, opened, sql, by):
    errors = []

    def statement():
        try:
            reply(database, sql.replace("{tag}", NAME), 0.3 if by == "deadline" else 30)
        except QueryError as error:
            errors.append(error.problem)

    gone = (
        "SELECT count(*) FROM information_schema.processlist "
        f"WHERE info LIKE '%{NAME}%' AND id <> connection_id()"
    )
    with open_database(source) as database:
        running = threading.Thread(target=statement)
        running.start()
        time.sleep(0.3)
        if by == "interrupt":
            database.interrupt()
        until = time.monotonic() + 2
        while opened.fetch(gone) != [(0,)] and time.monotonic() < until:
            time.sleep(0.02)
        left = opened.fetch(gone)
        running.join()

    assert left == [(0,)]
    assert ("longer than 0.3 s" if by == "deadline" else "was cancelled") in errors[0]


def test_a_caller_is_let_go_even_where_the_server_takes_no_connection_to_cancel_over(source):
    with open_database(named(source, username=SINGLE)) as database:
        stopping = threading.Timer(0.1, database.interrupt)
        stopping.start()
        began = time.monotonic()
        with pytest.raises(QueryError) as caught:
            reply(database, "SELECT sleep(4)", 4)
        stopping.join()

    assert caught.value.problem == "the statement was cancelled"
    assert time.monotonic() - began < 3


def test_a_user_that_has_no_connection_left_is_told_so_without_its_password(source):
    login = replace(named(source, **LOGIN), secrets=tuple(LOGIN.values()))
    run(source.url, f"ALTER USER {READER} WITH MAX_USER_CONNECTIONS 1")
    with open_database(login), pytest.raises(SourceError) as caught:
        open_database(login)
    run(source.url, f"ALTER USER {READER} WITH MAX_USER_CONNECTIONS 0")

    assert "has no connection left" in caught.value.problem
    assert READER not in str(caught.value)


def test_an_interrupt_between_statements_stops_no_other_one(opened):
    for _ in range(5):
        opened.interrupt()
        assert reply(opened, "SELECT 1")[0] == [[1]]
        opened.interrupt()
        assert opened.fetch("SELECT 1") == [(1,)]


def test_a_time_limit_is_taken_off_again(opened):
    opened.fetch("SELECT 1", timeout_seconds=0.2)

    assert opened.fetch("SELECT @@max_statement_time") == [(0,)]


def test_a_connection_that_the_server_ends_is_a_source_error_and_the_next_one_works(source):
    with open_database(source) as database:
        thread = database.fetch("SELECT connection_id()")[0][0]
        ending = threading.Timer(0.2, run, [source.url, f"KILL {thread}"])
        ending.start()
        with pytest.raises(SourceError) as caught:
            reply(database, "SELECT sleep(9)")
        ending.join()

        assert "broke" in caught.value.problem
        assert database.fetch("SELECT 1") == [(1,)]


@pytest.mark.parametrize(
    ("parts", "problem", "fix"),
    [
        pytest.param({"database": "nope"}, "can't be opened", "name of the database", id="name"),
        pytest.param(LOGIN | {"password": "wr0ng"}, "doesn't take this login", "user",
                     id="password"),
        pytest.param({"port": 9}, "can't be reached", "host, port", id="down"),
    ],
)  # fmt: skip
def test_why_a_server_does_not_open_is_said_with_what_to_do(source, parts, problem, fix):
    with pytest.raises(SourceError) as caught:
        open_database(named(source, **parts))

    assert problem in caught.value.problem
    assert fix in caught.value.fix
    assert "wr0ng" not in str(caught.value)


def test_a_server_that_accepts_and_never_answers_is_not_waited_for(source):
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(SourceError) as caught:
            open_database(named(source, port=port, query={"connect_timeout": "1"}))

    assert "can't be reached" in caught.value.problem


@pytest.mark.req("SAFE-03", part="MariaDB")
def test_a_login_that_could_write_is_named_with_what_to_do(source):
    with open_database(source) as database:
        administrator = database.warnings()
    with open_database(named(source, username=WRITER)) as database:
        writer = database.warnings()
    with open_database(named(source, **LOGIN)) as database:
        reader = database.warnings()

    assert reader == ()
    assert "has all privileges on *.*" in administrator[0]
    assert "has the privileges FILE, UPDATE" in writer[0]
    assert "GRANT SELECT" in writer[0]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["GRANT USAGE ON *.* TO `a`@`%`"], [], id="nothing"),
        pytest.param(["GRANT SELECT (a, `update`), SHOW VIEW ON `s`.* TO `a`@`%`"], [], id="reads"),
        pytest.param(["GRANT `boss`@`%` TO `a`@`%`"], [], id="a role that isn't active"),
        pytest.param(
            ["GRANT ALL PRIVILEGES ON `s`.* TO `a`@`%` WITH GRANT OPTION"],
            ["has all privileges on `s`.*"],
            id="all",
        ),
        pytest.param(
            ["GRANT SELECT, INSERT (a, b), SUPER ON *.* TO `a`@`%`",
             "GRANT EXECUTE ON PROCEDURE `s`.`p` TO `a`@`%`",
             "GRANT SYSTEM_VARIABLES_ADMIN,SHOW_ROUTINE ON *.* TO `a`@`%`"],
            ["has the privileges INSERT, SUPER, EXECUTE, SYSTEM_VARIABLES_ADMIN"],
            id="as MySQL 8 says it",
        ),
    ],
)  # fmt: skip
def test_grants_beyond_reading_are_listed(lines, expected):
    assert granted(lines) == expected


def test_mysql_has_a_time_limit_of_its_own_name():
    assert MysqlServer("pymysql", bool)._time_limit(1.5) == "SESSION max_execution_time = 1500"
