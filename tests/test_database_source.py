"""What `source:` may name, and what is said when it can't be used."""

import os
import subprocess
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from sqlalchemy import make_url

from pipeline.database import file_names
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
        pytest.param("file:source.sqlite?mode=ro", id="relative URI"),
        pytest.param("file://{base}/source.sqlite#x", id="absolute URI"),
        pytest.param("FILE://localhost{base}/source%2Esqlite", id="URI with a host and quoting"),
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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(
            "denied to user 'bob'@'10.0.0.7' for table `s`.`user`",
            "denied to user '…'@'…' for table `s`.`user`",
            id="login and host",
        ),
        pytest.param(
            "the definer ('eve'@'%') does not exist",
            "the definer ('…'@'…') does not exist",
            id="definer",
        ),
        pytest.param(
            'role "eve" may not read relation "user"',
            'role "…" may not read relation "user"',
            id="role",
        ),
        pytest.param("Login failed for user 'D\\eve'.", "Login failed for user '…'.", id="domain"),
        pytest.param(
            'The server principal "eve" is not', 'The server principal "…" is not', id="p"
        ),
        pytest.param("no rights for bob", "no rights for …", id="login alone"),
        pytest.param("no column 'user' in 'where'", "no column 'user' in 'where'", id="column"),
    ],
)
def test_the_words_of_a_server_lose_the_accounts_that_they_name(tmp_path, text, shown):
    assert resolve("mysql://bob@host/shop", tmp_path, {}).safe(text) == shown


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


def test_a_path_may_start_at_the_home_folder(make_db, tmp_path, monkeypatch):
    path = make_db()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))

    assert resolve("~/source.sqlite", Path("/"), {}).path == path
    assert resolve("sqlite:///~/source.sqlite", Path("/"), {}).path == path


@pytest.mark.skipif(os.name == "nt", reason="Windows follows these paths")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r"C:\data\shop.db", r"C:\data\shop.db is a Windows path"),
        ("C:/data/shop.db", "C:/data/shop.db is a Windows path"),
        ("sqlite:///C:/data/shop.db", "C:/data/shop.db is a Windows path"),
        (r"\\?\C:\data\shop.db", r"C:\data\shop.db is a Windows path"),
        (r"\\server\share\shop.db", r"\\server\share\shop.db is a Windows network path"),
        ("//server/share/shop.db", "//server/share/shop.db is a network path"),
        ("file://server/share/shop.db", "//server/share/shop.db is a network path"),
    ],
)
def test_a_path_of_another_system_is_said_to_be_one(tmp_path, text, said):
    with pytest.raises(SourceError) as caught:
        resolve(text, tmp_path, {})

    assert said in caught.value.problem
    assert "mount" in caught.value.fix


def test_a_file_whose_name_looks_like_a_windows_path_is_a_file(make_db, tmp_path):
    path = make_db(name="C:\\shop.db") if os.name != "nt" else make_db()

    assert resolve(path.name, tmp_path, {}).path == path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/C:/data/x.db", "C:/data/x.db"),
        (r"\\?\C:\data\x.db", r"C:\data\x.db"),
        ("//?/C:/data/x.db", "C:/data/x.db"),
        (r"\\?\UNC\server\share\x.db", r"\\server\share\x.db"),
        (r"\\server\share\x.db", r"\\server\share\x.db"),
        ("/data/x.db", "/data/x.db"),
        ("data/x.db", "data/x.db"),
    ],
)
def test_a_path_loses_what_only_urls_and_windows_calls_put_before_it(text, path):
    assert file_names.plain(text) == path
    assert file_names.foreign(path, windows=True) is None


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("///C:/data/a%20b.db?mode=ro", "C:/data/a b.db"),
        ("/C:/data/x.db", "C:/data/x.db"),
        ("//server/share/x.db", "//server/share/x.db"),
        ("////server/share/x.db", "//server/share/x.db"),
        ("///data/x.db#part", "/data/x.db"),
    ],
)
def test_a_file_uri_gives_its_path(uri, path):
    assert file_names.of_uri(uri) == path


@pytest.mark.parametrize(
    ("path", "database"),
    [
        (PureWindowsPath(r"C:\data\x.db"), "C:/data/x.db"),
        (PureWindowsPath(r"\\server\share\x.db"), "//server/share/x.db"),
        (PurePosixPath("/data/100% x.db"), "/data/100% x.db"),
    ],
)
def test_sqlalchemy_gets_the_whole_path_of_a_file(path, database):
    assert make_url(file_names.url("sqlite", path)).database == database


def test_two_slashes_are_told_from_three(tmp_path):
    with pytest.raises(SettingError) as caught:
        resolve("sqlite://bob:S3cr3t@data/shop.db", tmp_path, {})

    assert caught.value.problem == "sqlite://data/shop.db names a host, which a file doesn't have"
    assert "sqlite:///data/shop.db" in caught.value.fix
    assert "S3cr3t" not in str(caught.value)


def test_the_home_folder_of_nobody_is_an_error(tmp_path):
    with pytest.raises(SourceError):
        resolve("~nobody-of-that-name/shop.db", tmp_path, {})


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
