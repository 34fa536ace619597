"""ODBC strings: what becomes of them, what is refused, and that no password is shown."""

from urllib.parse import unquote_plus

import pytest

from pipeline.database import odbc
from pipeline.database.source import resolve
from pipeline.errors import SettingError


@pytest.mark.req("SCAN-01")
def test_an_odbc_string_becomes_a_url_that_shows_no_login(tmp_path):
    text = (
        "odbc:Driver={ODBC Driver 18 for SQL Server};Server=h,1433;Database=shop;UID=bob;PWD={a;b}"
    )

    source = resolve(text, tmp_path, {})

    assert source.dialect == "tsql"
    assert source.shown == "odbc://h,1433/shop"
    assert source.url.startswith("mssql+pyodbc:///?odbc_connect=Driver%3D")
    assert unquote_plus(source.url).endswith(text.removeprefix("odbc:"))
    assert source.safe("login failed for bob with a;b") == "login failed for … with …"


@pytest.mark.req("SCAN-01")
@pytest.mark.parametrize(
    ("driver", "dialect"),
    [
        ("{SQL Server Native Client 11.0}", "tsql"),
        ("/opt/microsoft/lib64/libmsodbcsql-18.3.so.2.1", "tsql"),
        ("FreeTDS", "tsql"),
        ("{MySQL ODBC 9.0 Unicode Driver}", "mysql"),
        ("{MariaDB ODBC 3.1 Driver}", "mysql"),
    ],
)
def test_the_driver_tells_the_dialect(tmp_path, driver, dialect):
    source = resolve(f"odbc: driver = {driver} ; SERVER=h;", tmp_path, {})

    assert source.dialect == dialect


def test_a_dsn_alone_is_a_sql_server(tmp_path):
    source = resolve("odbc:DSN=sales;UID=bob;PWD=s3cret", tmp_path, {})

    assert (source.dialect, source.shown) == ("tsql", "odbc://sales/")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A={x;y};B=z", [("A", "x;y"), ("B", "z")]),
        ("PWD={a}}b}", [("PWD", "a}b")]),
        ("PWD={{a};UID=b", [("PWD", "{a"), ("UID", "b")]),
        ("PWD={a;b", [("PWD", "a;b")]),
        ("PWD=a=b;;UID=", [("PWD", "a=b"), ("UID", "")]),
        (" a b = c ", [("a b", "c")]),
    ],
)
def test_values_are_taken_out_of_their_braces(text, expected):
    assert odbc.pairs(text) == expected


@pytest.mark.req("SCAN-01")
@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Driver={PostgreSQL Unicode}", "postgresql://"),
        ("Driver=/usr/lib/psqlodbcw.so", "postgresql://"),
        ("Driver={SQLite3 ODBC Driver}", "sqlite:///"),
        ("Driver={Oracle in instantclient}", "oracle+oracledb://"),
        ("Driver={Sybase ASE}", "dialect+driver://"),
    ],
)
def test_a_driver_of_another_engine_is_answered_with_its_url(tmp_path, text, form):
    with pytest.raises(SettingError) as caught:
        resolve(f"odbc:{text};Server=h;UID=bob;PWD=s3cret", tmp_path, {})

    assert form in caught.value.fix
    assert "s3cret" not in str(caught.value)


@pytest.mark.req("SCAN-08", part="ODBC strings")
@pytest.mark.parametrize(
    "text",
    [
        "Driver={SQL Server};PWD={s3cret",
        "Driver={SQL Server};PWD={s3}cret}",
        "Driver={SQL Server};UID=bob;s3cret",
        "Server=h;UID=bob;PWD=s3cret",
        "s3cret",
        "=s3cret",
        "mssql://bob:s3cret@h/db",
    ],
)
def test_a_malformed_string_is_an_error_that_does_not_show_it(tmp_path, text):
    with pytest.raises(SettingError) as caught:
        resolve(f"odbc:{text}", tmp_path, {})

    assert "s3cret" not in str(caught.value)
    assert caught.value.fix


@pytest.mark.req("SCAN-08", part="ODBC strings")
def test_a_password_in_a_url_with_an_odbc_string_is_never_shown(tmp_path):
    url = (
        "mssql+pyodbc:///?odbc_connect=Driver%3D%7Bx%7D%3BUID%3Dbob%3BPWD%3D%7Ba%3B%7D%7Ds3cret%7D"
    )

    source = resolve(url, tmp_path, {})

    assert "s3cret" not in repr(source) + source.safe(f"{url} bob a;}}s3cret")
