"""What `source:` may name, and what is said when it can't be used."""

import subprocess
import sys

import pytest

from pipeline.database.source import resolve
from pipeline.errors import SettingError, SourceError

DUCK = b"\x00" * 8 + b"DUCK" + b"\x00" * 64


@pytest.mark.req("SCAN-01")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("source.sqlite", id="relative path"),
        pytest.param("./source.sqlite", id="dotted path"),
        pytest.param("sqlite:///source.sqlite", id="relative URL"),
        pytest.param("sqlite+pysqlite:///source.sqlite", id="URL with a driver"),
        pytest.param("sqlite:///{base}/source.sqlite", id="absolute URL"),
        pytest.param("{base}/source.sqlite", id="absolute path"),
        pytest.param("sqlite:///file:source.sqlite?mode=ro&uri=true", id="URI in a URL"),
        pytest.param("${FOLDER}/source.sqlite", id="variable"),
    ],
)
def test_a_sqlite_file_can_be_named_in_each_usual_way(make_db, tmp_path, text):
    path = make_db()

    source = resolve(text.format(base=tmp_path) if "{base}" in text else text, tmp_path,
                     {"FOLDER": str(tmp_path)})  # fmt: skip

    assert (source.dialect, source.path) == ("sqlite", path)
    assert source.database == "source"


@pytest.mark.req("SCAN-01")
def test_a_duckdb_file_is_known_by_its_first_bytes(tmp_path):
    (tmp_path / "shop.db").write_bytes(DUCK)

    source = resolve("shop.db", tmp_path, {})

    assert source.dialect == "duckdb"


@pytest.mark.req("SCAN-01")
@pytest.mark.parametrize(
    ("text", "dialect", "url"),
    [
        ("postgresql://h/db", "postgres", "postgresql+psycopg://h/db"),
        ("postgres://h/db", "postgres", "postgresql+psycopg://h/db"),
        ("mysql+pymysql://h/db", "mysql", "mysql+pymysql://h/db"),
        ("mariadb://h/db", "mysql", "mariadb+pymysql://h/db"),
        ("mssql+pyodbc://h/db", "tsql", "mssql+pyodbc://h/db"),
        ("snowflake://account/db", "snowflake", "snowflake://account/db"),
    ],
)
def test_a_url_keeps_its_parts_and_gets_the_driver_of_our_extras(tmp_path, text, dialect, url):
    source = resolve(text, tmp_path, {})

    assert (source.dialect, source.url, source.path) == (dialect, url, None)


@pytest.mark.req("SCAN-01")
def test_an_odbc_string_becomes_a_url_that_shows_no_login(tmp_path):
    text = (
        "odbc:Driver={ODBC Driver 18 for SQL Server};Server=h,1433;Database=shop;UID=bob;PWD={a;b}"
    )

    source = resolve(text, tmp_path, {})

    assert source.dialect == "tsql"
    assert source.shown == "odbc://h,1433/shop"
    assert source.url.startswith("mssql+pyodbc:///?odbc_connect=Driver%3D")
    assert source.safe("login failed for bob with a;b") == "login failed for … with …"


@pytest.mark.req("SCAN-08", part="names and driver texts of a source")
@pytest.mark.parametrize(
    ("url", "secrets"),
    [
        ("postgresql://bob:s3cret@host:5432/shop", ["bob", "s3cret"]),
        ("postgresql://bob:s3%21cret@host/shop?sslmode=require", ["bob", "s3%21cret", "s3!cret"]),
        ("postgresql://bob:p@ss/wo?rd@host/shop", ["bob", "p@ss/wo?rd"]),
        ("postgresql://host/shop?user=bob&password=s3cret", ["bob", "s3cret"]),
        ("snowflake://bob:s3cret@account/shop?token=t0k", ["bob", "s3cret", "t0k"]),
    ],
)
def test_no_credential_of_a_url_is_ever_shown(tmp_path, url, secrets):
    source = resolve(url, tmp_path, {})

    said = (
        repr(source) + source.shown + source.safe(f"no login at {url} with {' and '.join(secrets)}")
    )

    for secret in secrets:
        assert secret not in said


@pytest.mark.req("SCAN-01")
@pytest.mark.parametrize(
    ("environ", "state"), [({}, "is not set"), ({"DB": ""}, "is empty")], ids=["unset", "empty"]
)
def test_a_variable_that_has_no_value_is_named(tmp_path, environ, state):
    with pytest.raises(SettingError) as caught:
        resolve("postgresql://${DB}", tmp_path, environ)

    assert caught.value.problem == f"the environment variable DB, which the source names, {state}"
    assert "export DB=" in caught.value.fix


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("bob:S3cr3t@host/x", id="no scheme"),
        pytest.param("postgresql:/bob:S3cr3t@host/x", id="one slash"),
        pytest.param("postgresql ://bob:S3cr3t@host/x", id="blank in the scheme"),
        pytest.param("postgres:bob:S3cr3t@host/x?password=S3cr3t", id="no slash"),
        pytest.param("//bob:S3cr3t@host/x", id="slashes only"),
        pytest.param("postgresql:\\\\bob:S3cr3t@host\\x", id="backslashes"),
        pytest.param("mysql:/bob:p@S3cr3t@host/x", id="@ in the password"),
    ],
)
def test_a_mistyped_url_is_told_from_a_path_and_its_login_is_not_shown(tmp_path, text):
    with pytest.raises(SettingError) as caught:
        resolve(text, tmp_path, {})

    assert "S3cr3t" not in str(caught.value)
    assert "is no URL" in caught.value.problem
    assert "://" in caught.value.fix


def test_a_file_whose_name_looks_like_a_login_is_a_file(make_db, tmp_path):
    path = make_db(name="a:b@c.sqlite")

    assert resolve("a:b@c.sqlite", tmp_path, {}).path == path


def test_an_at_sign_in_a_password_ends_no_login(tmp_path):
    source = resolve("mysql://bob:p@S3cr3t@host/x?ssl=a@b", tmp_path, {})

    assert source.shown == "mysql://host/x"
    assert source.url == "mysql+pymysql://bob:p%40S3cr3t@host/x?ssl=a@b"
    assert "S3cr3t" not in source.safe("no host S3cr3t@host; no user p@S3cr3t; p%40S3cr3t")


@pytest.mark.parametrize("text", ["a\0b", "a\nb", "sqlite:///a\0b", "caf\udce9.sqlite"])
def test_what_can_be_no_path_is_refused(tmp_path, text):
    with pytest.raises(SettingError) as caught:
        resolve(text, tmp_path, {})

    assert caught.value.problem.isprintable()


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        pytest.param("gone.db", None, "there is no file", id="missing"),
        pytest.param("empty.db", b"", "is empty", id="empty"),
        pytest.param("text.db", b"id,name\n1,a\n", "is neither a SQLite nor a DuckDB", id="text"),
    ],
)
def test_a_file_that_is_no_database_says_so(tmp_path, name, content, problem):
    if content is not None:
        (tmp_path / name).write_bytes(content)

    with pytest.raises(SourceError) as caught:
        resolve(name, tmp_path, {})

    assert problem in caught.value.problem
    assert str(tmp_path / name) in caught.value.problem
    assert caught.value.fix


def test_a_folder_is_no_database(tmp_path):
    with pytest.raises(SourceError) as caught:
        resolve(".", tmp_path, {})

    assert "is a folder" in caught.value.problem


def test_a_sqlite_url_of_a_duckdb_file_is_an_error_that_tells_which_it_is(tmp_path):
    (tmp_path / "shop.db").write_bytes(DUCK)

    with pytest.raises(SourceError) as caught:
        resolve("sqlite:///shop.db", tmp_path, {})

    assert "is a DuckDB file, not SQLite" in caught.value.problem


@pytest.mark.parametrize("text", ["", "  ", "sqlite://", "sqlite:///:memory:", "odbc:"])
def test_a_source_that_names_nothing_is_a_setting_error(tmp_path, text):
    with pytest.raises(SettingError) as caught:
        resolve(text, tmp_path, {})

    assert "source" in caught.value.fix


def test_a_source_and_its_fingerprint_need_no_heavy_library(make_db):
    program = (
        "import sys; from pathlib import Path; from pipeline.database import fingerprint, source\n"
        f"s = source.resolve({str(make_db())!r}, Path('.'), {{}})\n"
        "fingerprint.structure(s), fingerprint.data(s)\n"
        "print(sorted({'sqlalchemy', 'sqlglot', 'jsonschema', 'duckdb'} & set(sys.modules)))"
    )

    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout

    assert found.strip() == "[]"
