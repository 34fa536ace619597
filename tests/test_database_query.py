"""Running SQL: what comes back, what is cut, what is stopped, what can't be written."""

import json
import os
import shutil
import sqlite3
import tempfile
import threading
import time
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from pipeline.database import fingerprint, sqlite, sqlite_session
from pipeline.database.connect import open_database
from pipeline.database.query import Limits, read
from pipeline.database.source import resolve
from pipeline.errors import QueryError, RefusedError, SettingError, SourceError

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
MANY = "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 150)"


@pytest.fixture
def shop(make_db):
    return resolve(str(make_db()), Path(), {})


@pytest.fixture
def catalog(shop):
    with open_database(shop) as database:
        return database.read_catalog()


def test_rows_come_back_as_json_values_with_their_column_names(shop, catalog):
    result = read(shop, "SELECT id, status, note FROM orders ORDER BY id", catalog=catalog)

    assert result.columns == ("id", "status", "note")
    assert result.rows == [[10, "open", None], [11, "paid", "gift"], [12, "paid", None]]
    assert (result.truncated, result.notes) == (False, ())


def test_two_columns_of_one_name_stay_two(shop, catalog):
    result = read(shop, "SELECT id, id FROM orders LIMIT 1", catalog=catalog)

    assert result.columns == ("id", "id")
    assert result.rows == [[10, 10]]


def test_percent_signs_and_colons_are_literal(shop, catalog):
    result = read(shop, "SELECT '100%s' AS \"%d\", ':name' AS \":x\"", catalog=catalog)

    assert result.columns == ("%d", ":x")
    assert result.rows == [["100%s", ":name"]]


def test_values_that_json_lacks_become_text(make_db):
    source = resolve(str(make_db("CREATE TABLE t (v)")), Path(), {})

    result = read(
        source,
        "SELECT 9e999, -9e999, x'00ff', cast(x'63ff64' AS TEXT), 9223372036854775807, 0.1",
        catalog=None,
    )

    assert result.rows == [
        ["Infinity", "-Infinity", "<2 bytes>", "c\ufffdd", 9223372036854775807, 0.1]
    ]
    assert json.loads(json.dumps(result.rows, allow_nan=False)) == result.rows


@pytest.mark.req("SAFE-02", part="SQLite")
def test_rows_beyond_the_limit_are_left_out_and_said(shop, catalog):
    result = read(shop, "SELECT id FROM orders ORDER BY 1", catalog=catalog, limits=Limits(rows=2))

    assert result.rows == [[10], [11]]
    assert result.truncated
    assert result.notes[0].startswith("there are more than 2 rows; these are the first 2")


@pytest.mark.req("SAFE-02", part="SQLite")
def test_as_many_rows_as_the_limit_are_no_cut(shop, catalog):
    result = read(shop, "SELECT id FROM orders", catalog=catalog, limits=Limits(rows=3))

    assert len(result.rows) == 3
    assert not result.truncated


@pytest.mark.req("SAFE-02", part="SQLite")
def test_a_long_value_is_cut_with_a_mark(shop, catalog):
    result = read(
        shop,
        "SELECT replace(hex(zeroblob(50)), '0', 'x')",
        catalog=catalog,
        limits=Limits(cell=10),
    )

    assert result.rows == [["xxxxxxxxxx… (90 more characters)"]]
    assert result.notes == ("1 long value is cut; use substr() for a part",)


@pytest.mark.req("SAFE-02", part="SQLite")
def test_all_rows_together_stay_below_the_limit_of_bytes(shop):
    result = read(
        shop,
        f"{MANY} SELECT 10 + n % 40, replace(hex(zeroblob(45)), '0', 'x') FROM many",
        catalog=None,
        limits=Limits(bytes=1_000),
    )

    assert len(json.dumps(result.rows)) <= 1_100
    assert len(result.rows) == 10
    assert result.notes[0].startswith("only 10 rows fit into 1,000 bytes")


@pytest.mark.req("SAFE-02", part="SQLite")
def test_rows_that_do_not_fit_are_never_held(shop):
    tracemalloc.start()

    result = read(
        shop,
        f"{MANY} SELECT n, replace(hex(zeroblob(500000)), '0', 'x') FROM many LIMIT 150",
        catalog=None,
    )

    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.truncated
    assert most < 10_000_000


@pytest.mark.req("SAFE-02", part="SQLite")
def test_a_row_that_is_too_wide_by_itself_comes_with_shorter_cells(shop):
    wide = "replace(hex(zeroblob(450)), '0', 'x')"

    result = read(shop, f"SELECT {wide}, {wide}", catalog=None, limits=Limits(bytes=1_000))

    assert len(json.dumps(result.rows, ensure_ascii=False)) < 1_000
    assert result.truncated


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), 0.0, -1.0])
def test_a_limit_that_limits_nothing_is_refused(seconds):
    with pytest.raises(SettingError) as caught:
        Limits(seconds=seconds)

    assert caught.value.problem == f"a statement can't be limited to {seconds} seconds"


@pytest.mark.req("SAFE-02", part="SQLite")
def test_a_statement_that_takes_too_long_is_stopped(shop, catalog):
    begun = time.monotonic()

    with pytest.raises(QueryError) as caught:
        read(shop, ENDLESS, catalog=catalog, limits=Limits(seconds=0.3))

    assert time.monotonic() - begun < 3
    assert caught.value.problem == "the statement ran longer than 0.3 s and was stopped"


def test_a_running_statement_can_be_interrupted_from_another_thread(shop):
    with open_database(shop) as database:
        timer = threading.Timer(0.2, database.interrupt)
        timer.start()
        with pytest.raises(QueryError) as caught:
            database.fetch(ENDLESS, timeout_seconds=30)
        timer.join()

    assert caught.value.problem == "the statement was cancelled"


def test_an_unknown_column_is_answered_with_the_nearest(shop, catalog):
    with pytest.raises(QueryError) as caught:
        read(shop, "SELECT o.statuss FROM orders o", catalog=catalog)

    assert "no such column: o.statuss" in caught.value.problem
    assert caught.value.fix == "did you mean status?"


@pytest.mark.req("SAFE-05", part="the door")
def test_what_the_guard_refuses_never_reaches_the_database(shop, catalog):
    with pytest.raises(RefusedError):
        read(shop, "DELETE FROM orders", catalog=catalog)

    assert read(shop, "SELECT count(*) FROM orders", catalog=catalog).rows == [[3]]


@pytest.mark.req("SAFE-03", part="SQLite")
@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM orders",
        "CREATE TABLE x (a)",
        "CREATE TEMP TABLE x (a)",
        "CREATE TEMP VIEW orders AS SELECT 1",
        "ATTACH ':memory:' AS x",
        "VACUUM INTO '{out}'",
        "PRAGMA query_only = 0",
        "PRAGMA journal_mode = WAL",
        "PRAGMA writable_schema = 1",
        "SELECT * FROM pragma_optimize('0x10002')",
        "SELECT load_extension('x')",
        "SELECT file FROM pragma_database_list",
        "SELECT fts3_tokenizer('simple')",
        "BEGIN IMMEDIATE",
    ],
)
def test_the_session_alone_stops_what_the_guard_would_have_refused(shop, tmp_path, sql):
    before = shop.path.read_bytes()
    out = tmp_path / "out.sqlite"

    with open_database(shop) as database, pytest.raises(QueryError):
        database.read_rows(sql.replace("{out}", str(out)), bool, timeout_seconds=5)

    assert shop.path.read_bytes() == before
    assert not out.exists()


@pytest.mark.req("SAFE-03", part="SQLite")
def test_our_own_connection_cannot_write_either(shop):
    with open_database(shop) as database, pytest.raises(QueryError) as caught:
        database.fetch("DELETE FROM orders")

    assert "readonly" in caught.value.problem


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT value FROM json_each('[1, 2]')",
        "SELECT name FROM pragma_table_info('orders')",
        "SELECT name FROM pragma_table_list",
        "SELECT body FROM notes WHERE notes MATCH 'hello'",
        "SELECT snippet(notes, 0, '<', '>', '…', 5) FROM notes WHERE notes MATCH 'hello'",
        "SELECT id FROM boxes WHERE minx < 1",
        "SELECT count(*) FROM v",
    ],
)
def test_reading_of_every_kind_works_in_the_session(make_db, sql):
    path = make_db(
        "CREATE TABLE orders (id); CREATE VIEW v AS SELECT * FROM orders;"
        "CREATE VIRTUAL TABLE notes USING fts5(body); INSERT INTO notes VALUES ('hello world');"
        "CREATE VIRTUAL TABLE boxes USING rtree(id, minx, maxx);"
        "INSERT INTO boxes VALUES (1, 0, 1);"
    )

    with open_database(resolve(str(path), Path(), {})) as database:
        rows = []
        database.read_rows(sql, lambda row: rows.append(row) or True, timeout_seconds=5)

    assert rows


def test_the_authorizer_is_off_again_after_a_statement(shop):
    with open_database(shop) as database:
        database.read_rows("SELECT 1", bool, timeout_seconds=5)

        assert database.fetch("PRAGMA query_only") == [(1,)]

    assert sqlite_session.authorize(sqlite3.SQLITE_PRAGMA, "query_only", None, None, None) == (
        sqlite3.SQLITE_DENY
    )


def test_parameters_are_bound_and_names_are_quoted(make_db):
    name = '"it\'s ""odd"" ?"'
    path = make_db(f"CREATE TABLE {name} (\"a.b\" TEXT); INSERT INTO {name} VALUES ('x')")

    with open_database(resolve(str(path), Path(), {})) as database:
        table = database.read_catalog().tables[0]
        sql = f"SELECT count(*) FROM {database.table(table)} WHERE {database.quote('a.b')} = ?"

        assert database.fetch(sql, ("x",)) == [(1,)]


@pytest.fixture
def frozen_wal():
    """A WAL database without -wal file, in a folder where nothing can be made."""
    folder = Path(tempfile.mkdtemp(prefix="dblore-"))
    path = folder / "wal.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA journal_mode=WAL; CREATE TABLE t AS SELECT 1 AS a;")
    folder.chmod(0o555)
    path.chmod(0o444)
    as_root = os.geteuid() == 0
    if as_root:
        os.seteuid(65534)  # root may write everywhere
    yield path
    if as_root:
        os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX file modes")
def test_a_wal_file_in_a_read_only_folder_can_be_read(frozen_wal):
    source = resolve(str(frozen_wal), Path(), {})

    with open_database(source) as database:
        assert database.fetch("SELECT a FROM t") == [(1,)]


def test_rows_in_the_write_ahead_log_are_seen(make_db):
    path = make_db("PRAGMA journal_mode=WAL; CREATE TABLE t (a)")
    source = resolve(str(path), Path(), {})
    with closing(sqlite3.connect(path)) as writer:
        before = fingerprint.data(source)
        writer.execute("INSERT INTO t VALUES (1)")
        writer.commit()

        with open_database(source) as database:
            assert database.fetch("SELECT a FROM t") == [(1,)]
        assert fingerprint.data(source) != before


def test_a_locked_file_says_so(make_db, monkeypatch):
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    path = make_db()
    source = resolve(str(path), Path(), {})
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")

        with pytest.raises(SourceError) as caught:
            open_database(source)

    assert "is locked by another program" in caught.value.problem
    assert "wait until" in caught.value.fix


@pytest.mark.parametrize(
    "sql",
    ["SELECT * FROM locked_accounts", "SELECT json_extract('{', '$.a')", "SELECT * FROM malformed"],
)
def test_only_the_file_itself_can_be_locked_or_damaged(make_db, sql):
    path = make_db("CREATE VIEW locked_accounts AS SELECT * FROM busy")

    with open_database(resolve(str(path), Path(), {})) as database:
        with pytest.raises(QueryError):
            database.fetch(sql)
        with pytest.raises(QueryError):
            database.read_rows(sql, bool, timeout_seconds=5)


JSON_ALL_OVER = """
CREATE TABLE t (doc TEXT, kind TEXT AS (json_extract(doc, '$.kind')));
CREATE INDEX by_name ON t (json_extract(doc, '$.name'));
CREATE VIEW names AS SELECT json_extract(doc, '$.name') AS name FROM t;
INSERT INTO t VALUES ('{"name": "a", "kind": "b"}');
"""


@pytest.mark.parametrize(
    "sql", ["SELECT kind FROM t", "SELECT name FROM names", "SELECT count(*) FROM t"]
)
def test_json_in_indexes_views_and_generated_columns_is_no_hindrance(make_db, sql):
    source = resolve(str(make_db(JSON_ALL_OVER)), Path(), {})

    with open_database(source) as database:
        catalog = database.read_catalog()

        assert database.fetch(sql)
        assert read(database, sql, catalog=catalog).rows
    assert [table.name for table in catalog.tables] == ["names", "t"]
    assert not catalog.unreadable


@pytest.mark.req("SAFE-03", part="SQLite")
@pytest.mark.parametrize(
    "sql", ["SELECT load_extension('x')", "SELECT * FROM v", "ATTACH ':memory:' AS x"]
)
def test_our_own_statements_cannot_leave_the_file_either(make_db, sql):
    path = make_db("CREATE VIEW v AS SELECT load_extension('x') AS a")

    with open_database(resolve(str(path), Path(), {})) as database, pytest.raises(QueryError):
        database.fetch(sql)


def test_a_damaged_file_says_so(make_db):
    path = make_db()
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * (len(content) - 100))

    with pytest.raises(SourceError) as caught:
        open_database(resolve(str(path), Path(), {}))

    assert "damaged or encrypted" in caught.value.problem


def test_structure_changes_with_the_schema_and_data_with_the_rows(make_db):
    path = make_db()
    source = resolve(str(path), Path(), {})
    structure, data = fingerprint.structure(source), fingerprint.data(source)

    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO customers VALUES (3, 'c@x.test', 'FR')")
        connection.commit()
    with_row = fingerprint.data(source)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE customers ADD COLUMN vip INT")

    assert fingerprint.structure(source) != structure
    assert len({data, with_row, fingerprint.data(source)}) == 3


def test_a_fingerprint_of_a_file_that_went_away_is_a_source_error(make_db):
    path = make_db()
    source = resolve(str(path), Path(), {})
    path.unlink()

    for ask in (fingerprint.structure, fingerprint.data):
        with pytest.raises(SourceError) as caught:
            ask(source)
        assert str(path) in caught.value.problem
