"""Running a caller's SQL: what comes back, what is cut, what is stopped, what is refused."""

import json
import sqlite3
import time
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from pipeline.database import fingerprint
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
        ["Infinity", "-Infinity", "<2 bytes 0x00ff>", "c\ufffdd", 9223372036854775807, 0.1]
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
        "SELECT replace(hex(zeroblob(50)), '0', 'x') AS long",
        catalog=catalog,
        limits=Limits(cell=10),
    )

    assert result.rows == [["xxxxxxxxxx… (90 more characters)"]]
    assert result.notes == ("1 long value is cut (long); use substr() for a part",)


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


def test_parameters_are_bound_and_names_are_quoted(make_db):
    name = '"it\'s ""odd"" ?"'
    path = make_db(f"CREATE TABLE {name} (\"a.b\" TEXT); INSERT INTO {name} VALUES ('x')")

    with open_database(resolve(str(path), Path(), {})) as database:
        table = database.read_catalog().tables[0]
        sql = f"SELECT count(*) FROM {database.table(table)} WHERE {database.quote('a.b')} = ?"

        assert database.fetch(sql, ("x",)) == [(1,)]


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
