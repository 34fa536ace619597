"""SQL Server over ODBC: what can be told without a server."""

import struct
import sys
from pathlib import Path

import pytest

from pipeline.database.connect import open_database
from pipeline.database.servers.mysql import MysqlServer
from pipeline.database.servers.server import odbc_words
from pipeline.database.servers.tsql import TsqlServer, datetimeoffset
from pipeline.database.source import resolve
from pipeline.errors import SettingError

ODBC = "Driver={ODBC Driver 18 for SQL Server};Server=db.test;Database=shop;UID=bob;PWD=s3cret"


@pytest.fixture
def server():
    return TsqlServer("pyodbc", bool)


@pytest.mark.parametrize(
    "text", [f"odbc:{ODBC}", "mssql://bob:s3cret@db.test/shop", "mssql+pyodbc://bob:s3cret@dsn"]
)
def test_without_its_driver_a_source_says_what_to_install(text, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyodbc", None)  # as if it weren't there

    with pytest.raises(SettingError) as caught:
        open_database(resolve(text, Path(), {}))

    assert "needs the ODBC driver, which isn't installed" in caught.value.problem
    assert caught.value.fix == 'install it: pip install "dblore[mssql]"'
    assert "s3cret" not in str(caught.value)


@pytest.mark.req("SAFE-03", part="SQL Server asks for a replica that only reads")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(ODBC, f"{ODBC};ApplicationIntent=ReadOnly", id="Microsoft's driver"),
        pytest.param(f"{ODBC}; ", f"{ODBC};ApplicationIntent=ReadOnly", id="semicolon at the end"),
        pytest.param(
            f"{ODBC};Application Intent=ReadWrite", f"{ODBC};Application Intent=ReadWrite", id="set"
        ),
        pytest.param("Driver=FreeTDS;Server=h", "Driver=FreeTDS;Server=h", id="another driver"),
        pytest.param("DSN=shop", "DSN=shop", id="a named source"),
    ],
)
def test_a_connection_says_that_it_only_reads(server, given, expected):
    arguments, options = [given], {}

    server.arrange(arguments, options)
    server.arrange(arguments, options)  # nothing is added twice

    assert arguments == [expected]
    assert options == {"timeout": 10}


@pytest.mark.parametrize(
    ("state", "text", "kind"),
    [
        ("HYT00", "[HYT00] [Microsoft]Query timeout expired (0) (SQLExecDirectW)", "late"),
        ("HY008", "[HY008] [Microsoft]Operation canceled (0) (SQLExecDirectW)", "stopped"),
        ("42000", "[42000] [SQL Server]Lock request time out period exceeded. (1222)", "locked"),
        ("08S01", "[08S01] [Microsoft]Communication link failure (0) (SQLFetch)", "broken"),
        ("28000", "[28000] [SQL Server]Login failed for user 'bob'. (18456)", "login"),
        ("42000", "[42000] [SQL Server]Cannot open database 'x'. (4060)", "database"),
        ("42S22", "[42S22] [SQL Server]Invalid column name 'a'. (207)", None),
    ],
)
def test_what_an_error_means_is_told_by_state_and_number(server, state, text, kind):
    assert server.kind(Exception(state, text)) == kind


def test_a_message_is_shown_without_names_of_drivers_and_calls():
    text = (
        "[42S22] [Microsoft][ODBC Driver 18 for SQL Server][SQL Server]Invalid column name 'a(1)'. "
        "(207) (SQLExecDirectW); [42000] more (8180)"
    )

    assert odbc_words(text) == "Invalid column name 'a(1)'."


@pytest.mark.req("SAFE-03", part="SQL Server: what the login may do")
@pytest.mark.parametrize(
    ("flags", "said"),
    [
        pytest.param((0, 0, 0, 0, 0, 0, 0, 0, 0), None, id="only reads"),
        pytest.param((1, 1, 1, 1, 1, 1, 1, 1, 1), "it is a sysadmin of the server;", id="sysadmin"),
        pytest.param((0, 0, 1, 0, 1, 1, 1, 0, None), "it is a db_datawriter, may insert rows, may "
                     "update rows and may delete rows;", id="writer"),
    ],
)  # fmt: skip
def test_a_login_is_always_told_that_nothing_but_itself_forbids_writing(server, flags, said):
    first, *more = server.warnings(lambda _sql: [flags])

    assert "can't be made read-only" in first
    assert len(more) == (said is not None)
    if said:
        assert said in more[0]
        assert "db_datareader" in more[0]


@pytest.mark.parametrize(
    "error",
    [
        Exception("HY018", "[HY018] [ma-3.1.15][10.11]Query was cut (1969) (SQLExecDirectW)"),
        Exception("HY000", "[HY000] [MySQL][ODBC 8.0(w) Driver][mysqld-8.0.1]Query was cut (3024)"),
    ],
)
def test_what_an_error_of_mysql_means_is_told_over_odbc_too(error):
    server = MysqlServer("pyodbc", bool)

    assert server.kind(error) == "late"
    assert server.said(error) == "Query was cut"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((2026, 1, 2, 3, 4, 5, 123_456_700, 5, 30), "2026-01-02 03:04:05.1234567+05:30"),
        ((1, 1, 1, 0, 0, 0, 0, 0, -30), "0001-01-01 00:00:00-00:30"),
    ],
)
def test_a_time_with_an_offset_loses_no_digit(parts, expected):
    assert datetimeoffset(struct.pack("<hHHHHHIhh", *parts)) == expected
    assert datetimeoffset(None) is None
