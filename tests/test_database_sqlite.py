"""The SQLite session alone, without the guard: what it lets a statement do, and what not."""

import sqlite3
import threading
import time
from pathlib import Path

import pytest

from pipeline.database import sqlite_session
from pipeline.database.connect import open_database
from pipeline.database.query import read
from pipeline.database.source import resolve
from pipeline.errors import QueryError

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"


def rows_of(database, sql, at_most=100):
    rows = []
    database.read_rows(sql, lambda row: rows.append(row) or len(rows) < at_most, timeout_seconds=5)
    return rows


@pytest.fixture
def shop(make_db):
    return resolve(str(make_db()), Path(), {})


def test_a_running_statement_can_be_interrupted_from_another_thread(shop):
    with open_database(shop) as database:
        timer = threading.Timer(0.2, database.interrupt)
        timer.start()
        with pytest.raises(QueryError) as caught:
            database.fetch(ENDLESS, timeout_seconds=30)
        timer.join()

    assert caught.value.problem == "the statement was cancelled"


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


@pytest.mark.req("SAFE-03", part="SQLite")
def test_two_statements_in_one_text_are_refused_by_the_session(shop):
    with open_database(shop) as database, pytest.raises(QueryError) as caught:
        rows_of(database, "SELECT 1; DELETE FROM orders")

    assert "one statement" in caught.value.problem


def test_half_a_character_in_a_statement_is_its_error(shop):
    with open_database(shop) as database, pytest.raises(QueryError):
        rows_of(database, "SELECT '\ud800'")


OLD_SQLITE = pytest.mark.skipif(
    sqlite3.sqlite_version_info >= (3, 41), reason="takes JSON functions for harmless"
)


@pytest.mark.parametrize(
    ("sql", "is_trusted"),
    [
        pytest.param("CREATE TABLE t (a); CREATE VIEW v AS SELECT upper(a) FROM t", 0, id="plain"),
        pytest.param(JSON_ALL_OVER, 1, id="JSON in an index", marks=OLD_SQLITE),
    ],
)
def test_the_schema_is_trusted_only_where_the_file_opens_no_other_way(make_db, sql, is_trusted):
    with open_database(resolve(str(make_db(sql)), Path(), {})) as database:
        assert database.fetch("PRAGMA trusted_schema") == [(is_trusted,)]


@OLD_SQLITE
def test_the_schema_is_trusted_only_once_a_view_needs_it(make_db):
    path = make_db("CREATE TABLE t (a); CREATE VIEW v AS SELECT json_array(1) AS b")

    with open_database(resolve(str(path), Path(), {})) as database:
        rows_of(database, "SELECT * FROM t")
        before = database.fetch("PRAGMA trusted_schema")
        rows = rows_of(database, "SELECT b FROM v")

        assert (before, rows) == ([(0,)], [("[1]",)])
        assert database.fetch("PRAGMA trusted_schema") == [(1,)]


@pytest.mark.req("SAFE-03", part="SQLite")
@pytest.mark.parametrize("function", ["load_extension('x')", "fts3_tokenizer('simple')"])
def test_a_view_of_a_trusted_schema_cannot_leave_the_file(make_db, function):
    path = make_db(JSON_ALL_OVER + f"CREATE VIEW bad AS SELECT {function} AS a;")

    with open_database(resolve(str(path), Path(), {})) as database:
        assert rows_of(database, "SELECT name FROM names") == [("a",)]
        with pytest.raises(QueryError):
            rows_of(database, "SELECT a FROM bad")


@pytest.fixture
def wide(make_db):
    """A table of 700 columns, and one with a document of 5 MB."""
    columns = ", ".join(f"c{number} INT" for number in range(700))
    path = make_db(
        f"CREATE TABLE wide ({columns}); INSERT INTO wide (c0, c699) VALUES (1, 2);"
        "CREATE TABLE docs (id INTEGER PRIMARY KEY, doc TEXT);"
        "INSERT INTO docs VALUES (7, replace(hex(zeroblob(2500000)), '0', 'x'));"
    )
    return resolve(str(path), Path(), {})


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT id, length(doc), substr(doc, 1, 3) FROM docs", (7, 5_000_000, "xxx")),
        ("SELECT c699 FROM wide", (2,)),
        ("SELECT * FROM wide", (1, *[None] * 698, 2)),
    ],
    ids=["a long document", "one of many columns", "many columns"],
)
def test_long_values_and_wide_tables_can_be_read(wide, sql, expected):
    with open_database(wide) as database:
        assert rows_of(database, sql) == [expected]


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT hex(zeroblob(20000000))", "longer than 32,000,000 bytes"),
        (f"SELECT 1 WHERE 'a' LIKE '{'%a' * 60}'", "pattern"),
    ],
    ids=["a huge value", "a costly pattern"],
)
def test_what_would_cost_too_much_is_stopped_by_a_limit(shop, sql, said):
    with open_database(shop) as database, pytest.raises(QueryError) as caught:
        rows_of(database, sql)

    assert said in caught.value.problem
    assert caught.value.fix != "correct the statement"


def test_a_cancelled_statement_leaves_nothing_for_the_next(shop):
    with open_database(shop) as database:
        timer = threading.Timer(0.1, database.interrupt)
        timer.start()
        with pytest.raises(QueryError):
            rows_of(database, ENDLESS)
        timer.join()
        database.interrupt()  # nothing runs

        assert rows_of(database, "SELECT count(*) FROM orders") == [(3,)]


def test_a_session_stops_at_its_time_limit_and_can_be_used_again(shop):
    with open_database(shop) as database:
        begun = time.monotonic()
        with pytest.raises(QueryError) as caught:
            database.read_rows(ENDLESS, bool, timeout_seconds=0.2)

        assert time.monotonic() - begun < 3
        assert "longer than 0.2 s" in caught.value.problem
        assert rows_of(database, "SELECT 1") == [(1,)]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("-9223372036854775808", -(2**63)),
        ("1e400", float("inf")),
        ("'a' || char(0) || 'b'", "a\0b"),
        ("cast(x'61ff' AS TEXT)", "a\ufffd"),
        ("cast(x'eda080' AS TEXT)", "\ufffd\ufffd\ufffd"),
        ("x'00ff'", b"\0\xff"),
        ("'007'", "007"),
        ("':name %s ? {} $1'", ":name %s ? {} $1"),
        ("0.0 / 0", None),
    ],
)
def test_a_stored_value_comes_as_it_is(shop, sql, expected):
    with open_database(shop) as database:
        assert rows_of(database, f"SELECT {sql}") == [(expected,)]


def test_negative_zero_keeps_its_sign(shop):
    with open_database(shop) as database:
        assert str(rows_of(database, "SELECT -0.0 * 1")[0][0]) == "-0.0"
