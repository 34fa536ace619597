"""The DuckDB session alone, without the guard: what it lets a statement do, and its values."""

import json
import subprocess
import sys
import threading
import time
import tracemalloc
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pipeline.database.connect import open_database
from pipeline.database.source import resolve
from pipeline.database.values import to_json
from pipeline.errors import QueryError, SourceError


def build(path, sql):
    import duckdb  # an absent driver is a failure

    with duckdb.connect(str(path)) as connection:
        connection.execute(sql)
    return path


@pytest.fixture
def make_duck(tmp_path):
    """Return a function that builds a DuckDB file and gives back its path."""
    return lambda sql="CREATE TABLE t AS SELECT 1 AS a": build(tmp_path / "made.duckdb", sql)


@pytest.fixture(scope="module")
def duck(tmp_path_factory):
    """One open session for all: what a statement leaves behind, the next test sees."""
    path = build(tmp_path_factory.mktemp("duck") / "t.duckdb", "CREATE TABLE t AS SELECT 1 AS a")
    with open_database(resolve(str(path), Path(), {}), bounded=True) as database:
        yield database


def rows_of(database, sql, at_most=100):
    rows = []
    database.read_rows(sql, lambda row: rows.append(row) or len(rows) < at_most, timeout_seconds=5)
    return rows


@pytest.mark.req("SAFE-03", part="DuckDB")
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1; CREATE TEMP TABLE x (a INT)",
        "SELECT 1; SELECT 2",
        "CREATE TEMP TABLE x (a INT)",
        "CREATE TEMP MACRO m(a) AS a",
        "WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone",
        "PREPARE p AS SELECT 1",
        "SET VARIABLE v = 1",
        "SET threads = 1",
        "USE temp",
        "CHECKPOINT",
        "BEGIN",
        "CALL pragma_version()",
        "PRAGMA database_list",
        "EXPLAIN ANALYZE SELECT 1",
        "SELECT nextval('s')",
        "SELECT ?",
        "SELECT $1",
        "-- nothing",
        "SELECT '\ud800'",
    ],
)
def test_only_one_query_runs(duck, sql):
    with pytest.raises(QueryError):
        rows_of(duck, sql)

    assert rows_of(duck, "SELECT count(*) FROM t") == [(1,)]
    assert duck.fetch("SELECT table_name FROM duckdb_tables() WHERE temporary") == []


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("access_mode", "read_only"),
        ("enable_external_access", "false"),
        ("autoinstall_known_extensions", "false"),
        ("autoload_known_extensions", "false"),
        ("python_enable_replacements", "false"),
        ("lock_configuration", "true"),
        ("max_temp_directory_size", "0 bytes"),
        ("threads", "2"),
    ],
)
def test_the_session_is_set_up_and_locked(duck, setting, value):
    found = duck.fetch("SELECT value FROM duckdb_settings() WHERE name = ?", (setting,))

    assert found == [(value,)]


@pytest.mark.parametrize(
    "sql",
    [
        "VALUES (1)",
        "FROM t",
        "TABLE t",
        "SELECT a FROM t; -- ; the end;",
        "WITH c AS (SELECT 1 AS a) SELECT a FROM c",
        "SELECT a FROM (PIVOT t ON a USING count(*) GROUP BY a)",
    ],
)
def test_each_form_of_a_query_runs(duck, sql):
    assert rows_of(duck, sql)[0][0] == 1


def test_a_pivot_runs_and_keeps_its_dates(duck):
    sql = "PIVOT (SELECT a, DATE 'infinity' AS d FROM t) ON a USING count(*)"

    assert rows_of(duck, sql) == [("infinity", 1)]


@pytest.mark.parametrize("also", ["", ", DATE '2020-01-01'"], ids=["as it is", "with a cast"])
def test_literals_that_look_like_parameters_are_literal(duck, also):
    row = rows_of(duck, f"SELECT ':name', '%s', '?', '{{}}', $$;$1$$ {also};  -- ? ;")[0]

    assert row[:5] == (":name", "%s", "?", "{}", ";$1")


EXACT = [
    ("INTERVAL '1 month 3 days 4 us'", "1 month 3 days 00:00:00.000004"),
    ("INTERVAL '-300000 years'", "-300000 years"),
    ("170141183460469231731687303715884105727::HUGEINT", 2**127 - 1),
    ("340282366920938463463374607431768211455::UHUGEINT", 2**128 - 1),
    ("repeat('9', 38)::DECIMAL(38,0)", "9" * 38),
    ("('0.' || repeat('0', 37) || '1')::DECIMAL(38,38)", "0." + "0" * 37 + "1"),
    ("TIMESTAMP_NS '2020-01-01 00:00:00.123456789'", "2020-01-01 00:00:00.123456789"),
    ("'2020-01-01 02:00:00.5+02'::TIMESTAMPTZ AT TIME ZONE 'UTC'", "2020-01-01 00:00:00.5"),
    ("'infinity'::DATE", "infinity"),
    ("'-infinity'::TIMESTAMP", "-infinity"),
    ("DATE '9999-12-31'", "9999-12-31"),
    ("DATE '4712-01-01 (BC)'", "4712-01-01 (BC)"),
    ("TIMESTAMP '294247-01-10 04:00:54.775806'", "294247-01-10 04:00:54.775806"),
    ("TIME '24:00:00'", "24:00:00"),
    ("'12:00:00+15:59:59'::TIMETZ", "12:00:00+15:59:59"),
    ("'0101'::BIT", "0101"),
    ("'00000000-0000-0000-0000-000000000007'::UUID", "00000000-0000-0000-0000-000000000007"),
    ("'\\x00\\xff'::BLOB", "<2 bytes 0x00ff>"),
    ("'a'::ENUM('a', 'b')", "a"),
    ("[[1], [NULL], NULL]", [[1], [None], None]),
    ("[1, 2]::INT[2]", [1, 2]),
    ("[DATE 'infinity']::DATE[1]", ["infinity"]),
    ("""{'a "b"': 1, 'date': [INTERVAL '1 month']}""", {'a "b"': 1, "date": ["1 month"]}),
    ("MAP {'a': INTERVAL '1 month'}", {"a": "1 month"}),
    ("MAP {DATE 'infinity': [1.50]}", {"infinity": ["1.50"]}),
    ("row(INTERVAL '1 month', 2)", "(1 month, 2)"),
    ("union_value(a := INTERVAL '1 month')", "1 month"),
    ("""'{"a": 1.10}'::JSON""", '{"a": 1.10}'),
    ("'nan'::DOUBLE", "NaN"),
    ("'-inf'::FLOAT", "-Infinity"),
]


@pytest.mark.parametrize(("sql", "expected"), EXACT, ids=[sql for sql, _ in EXACT])
def test_a_value_of_any_type_loses_nothing(duck, sql, expected):
    value = to_json(rows_of(duck, f"SELECT {sql} AS x")[0][0])

    assert value == expected
    json.dumps(value, allow_nan=False)


def test_columns_keep_names_and_order_where_values_are_cast(duck):
    sql = (
        "SELECT i AS a, DATE '2020-01-01' AS a, i + 1 AS \"b;\" FROM range(9) x(i) ORDER BY i DESC"
    )
    rows = []

    reply = duck.read_rows(sql, lambda row: rows.append(row) or True, timeout_seconds=5)

    assert reply.columns == ("a", "a", "b;")
    assert rows == [(i, "2020-01-01", i + 1) for i in reversed(range(9))]


@pytest.mark.req("SAFE-02", part="DuckDB")
@pytest.mark.parametrize("column", ["i", "i, DATE '2020-01-01'"], ids=["as it is", "with a cast"])
def test_rows_are_read_no_further_than_wanted(duck, column):
    tracemalloc.start()
    begun = time.monotonic()

    rows = rows_of(duck, f"SELECT {column} FROM range(200000000) t(i)", at_most=200)

    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(rows) == 200
    assert time.monotonic() - begun < 3
    assert most < 5_000_000


@pytest.mark.req("SAFE-02", part="DuckDB")
@pytest.mark.parametrize(
    "sql",
    ["SELECT sleep_ms(9000)", "SELECT count(*) FROM range(100000000000) t(i) WHERE i % 7 = 3"],
)
def test_a_statement_is_cancelled_at_once_and_the_next_one_runs(duck, sql):
    timer = threading.Timer(0.2, duck.interrupt)
    begun = time.monotonic()
    timer.start()

    with pytest.raises(QueryError) as caught:
        rows_of(duck, sql)
    timer.join()
    duck.interrupt()  # nothing runs

    assert time.monotonic() - begun < 3
    assert caught.value.problem == "the statement was cancelled"
    assert rows_of(duck, "SELECT a FROM t") == [(1,)]


def test_a_closed_connection_can_be_interrupted(make_duck, make_db):
    for path in (make_duck(), make_db()):
        database = open_database(resolve(str(path), Path(), {}))
        database.close()

        database.interrupt()  # a request to cancel that came too late

        with open_database(database.source) as another:
            assert another.fetch("SELECT 1") == [(1,)]


def test_a_limit_of_time_holds_while_rows_are_read(duck):
    with pytest.raises(QueryError) as caught:
        duck.read_rows("SELECT i FROM range(2000000000) t(i)", lambda _: True, timeout_seconds=0.3)

    assert "longer than 0.3 s" in caught.value.problem


def test_what_needs_more_memory_than_there_is_says_so(duck):
    with pytest.raises(QueryError) as caught:
        duck.read_rows(
            "SELECT list(i || repeat('x', 100)) FROM range(20000000) t(i)",
            lambda _: True,
            timeout_seconds=60,
        )

    assert "more memory" in caught.value.problem


HOLD = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print(1, flush=True); sys.stdin.read()"


@contextmanager
def writing(path):
    """Hold the file open for writing in another process."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        yield


def test_a_file_that_another_program_writes_says_so(make_duck):
    source = resolve(str(make_duck()), Path(), {})

    with writing(source.path), pytest.raises(SourceError) as caught:
        open_database(source)

    assert "can't be opened" in caught.value.problem
    assert caught.value.fix.startswith("close the program that has it open for writing")


def test_a_closed_connection_leaves_the_file_to_writers(make_duck):
    import duckdb

    path = make_duck()
    with open_database(resolve(str(path), Path(), {})) as database:
        rows_of(database, "SELECT i FROM range(200000000) t(i)", at_most=1)

    with closing(duckdb.connect(str(path))) as writer:
        writer.execute("INSERT INTO t VALUES (2)")

        assert writer.execute("SELECT a FROM t ORDER BY a").fetchall() == [(1,), (2,)]


def encrypted(path):
    import duckdb

    with duckdb.connect(config={"force_mbedtls_unsafe": "true"}) as connection:
        path.unlink()
        connection.execute(f"ATTACH '{path}' AS e (ENCRYPTION_KEY 'k'); CREATE TABLE e.t (a INT)")


def cut(path):
    path.write_bytes(path.read_bytes()[:5_000])


def overwritten(path):
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))


@pytest.mark.parametrize(
    ("spoil", "fix"),
    [(encrypted, "unencrypted copy"), (cut, "its end is missing"), (overwritten, "damaged")],
)
def test_a_file_that_cannot_be_opened_says_what_to_do(make_duck, spoil, fix):
    path = make_duck()
    spoil(path)

    with pytest.raises(SourceError) as caught:
        open_database(resolve(str(path), Path(), {}))

    assert str(path) in caught.value.problem
    assert fix in caught.value.fix


LEFT_LOG = """
import duckdb, os, sys
connection = duckdb.connect(sys.argv[1])
connection.execute("INSERT INTO t VALUES (2)")
os._exit(0)
"""


def test_rows_of_a_program_that_stopped_midway_are_seen_and_nothing_is_written(make_duck):
    path = make_duck()
    subprocess.run([sys.executable, "-c", LEFT_LOG, str(path)], check=True)
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}

    with open_database(resolve(str(path), Path(), {})) as database:
        rows = rows_of(database, "SELECT a FROM t ORDER BY a")

    assert rows == [(1,), (2,)]
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_damage_that_shows_while_rows_are_read_is_no_fault_of_the_statement(make_duck):
    path = make_duck("CREATE TABLE t AS SELECT i::VARCHAR || hash(i) AS a FROM range(200000) x(i)")
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 300_000] = b"\xff" * 300_000
    path.write_bytes(content[: len(path.read_bytes())])

    with (
        pytest.raises(SourceError) as caught,
        open_database(resolve(str(path), Path(), {})) as database,
    ):
        rows_of(database, "SELECT max(a) FROM t")

    assert str(path) in caught.value.problem
