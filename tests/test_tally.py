"""The checksum of a result is the same on every engine and run, and only where results are."""

import datetime as dt
import sqlite3
from contextlib import closing
from decimal import Decimal

import duckdb
import pytest

from pipeline.database.masking.masks import Masks
from pipeline.database.query import Limits, prove, tally
from pipeline.database.source import resolve
from pipeline.database.tally import Tallying, normal_form
from pipeline.errors import QueryError, RefusedError
from tests import engines

VALUES = """
SELECT 1 AS one, 12.50 AS price, 'Ångström ' AS name, NULL AS none, {moment} AS moment, {blob} AS b
UNION ALL SELECT 2, 1.0 / 3.0, '', 'x', NULL, NULL
UNION ALL SELECT 2, 0.1 + 0.2, '0', NULL, NULL, NULL
"""
WRITTEN = {
    "sqlite": ("'2024-02-29 23:59:59.5'", "X'00FF'"),
    "duckdb": ("TIMESTAMP '2024-02-29 23:59:59.5'", "'\\x00\\xFF'::BLOB"),
    "postgres": ("TIMESTAMP '2024-02-29 23:59:59.5'", "'\\x00ff'::BYTEA"),
    "mariadb": ("CAST('2024-02-29 23:59:59.5' AS DATETIME(6))", "X'00FF'"),
}


def source_of(engine, request, folder):
    if engine in engines.SERVERS:
        required = request.config.getoption("--require-engines")
        return engines.server(engine, required=required)
    path = folder / f"source.{engine}"
    if engine == "sqlite":
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
    else:
        duckdb.connect(str(path)).execute("CREATE TABLE t (a INTEGER, b TEXT)").close()
    return resolve(str(path), folder, {})


@pytest.fixture(params=sorted(WRITTEN))
def engine(request, tmp_path):
    return request.param, source_of(request.param, request, tmp_path)


def checksum(source, sql, **options):
    return tally(source, sql, catalog=None, **options).tally.checksum


def test_a_result_has_the_same_checksum_on_every_engine(engine):
    name, source = engine
    moment, blob = WRITTEN[name]
    sql = VALUES.format(moment=moment, blob=blob)
    if name == "mariadb":  # its own division keeps four digits
        sql = sql.replace("1.0 / 3.0", "CAST(1 AS DOUBLE) / 3")

    found = tally(source, sql, catalog=None)

    assert found.columns == ("one", "price", "name", "none", "moment", "b")
    assert (found.tally.rows, found.tally.has_more) == (3, False)
    assert found.tally.checksum == "v1-41c1a150a7a7a49cf80917d7903b82c4"


def test_the_order_of_rows_counts_where_it_is_asked_for(engine):
    _, source = engine
    one, other = "SELECT 1 AS a UNION ALL SELECT 2", "SELECT 2 AS a UNION ALL SELECT 1"

    assert checksum(source, one) == checksum(source, other)
    assert checksum(source, one, order=(0,)) != checksum(source, other, order=(0,))


def test_a_statement_is_looked_through_without_being_run(engine):
    name, source = engine
    endless = (  # MariaDB ends a recursion by itself
        "SELECT COUNT(*) AS n FROM seq_1_to_1000000 AS a, seq_1_to_1000000 AS b WHERE a.seq < b.seq"
        if name == "mariadb"
        else "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT SUM(n) FROM r"
    )

    columns = prove(source, endless, catalog=None, limits=Limits(seconds=2))

    assert len(columns) == (1 if name in ("duckdb", "postgres") else 0)


@pytest.mark.parametrize(
    "sql",
    [pytest.param("SELECT * FROM nowhere", id="table"), pytest.param("SELECT 1 AS", id="end")],
)
def test_what_is_wrong_with_a_statement_is_found_without_running_it(engine, sql):
    _, source = engine

    with pytest.raises((QueryError, RefusedError)):
        prove(source, sql, catalog=None)


def test_a_result_beyond_the_limit_has_a_number_of_rows_and_no_checksum(tmp_path, request):
    source = source_of("sqlite", request, tmp_path)
    million = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000000) "

    found = tally(source, million + "SELECT n FROM r", catalog=None, limits=Limits(rows=500)).tally

    assert (found.rows, found.has_more, found.checksum) == (500, True, None)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(1, 1.0, id="whole"),
        pytest.param(True, 1, id="truth"),
        pytest.param(0.1 + 0.2, Decimal("0.30"), id="last digits of a sum"),
        pytest.param(-0.0, 0, id="minus zero"),
        pytest.param(Decimal("1E+3"), 1000, id="exponent"),
        pytest.param(float("nan"), Decimal("NaN"), id="not a number"),
        pytest.param(
            dt.datetime.fromisoformat("2024-01-02 03:04:05"), "2024-01-02T03:04:05.000", id="moment"
        ),
        pytest.param("2024-01-02 03:04:05+00:00", "2024-01-02 03:04:05 UTC", id="zone"),
        pytest.param({"b": 1, "a": [None]}, {"a": [None], "b": 1}, id="keys of a structure"),
    ],
)
def test_values_that_people_take_for_the_same_count_as_the_same(one, other):
    assert normal_form(one) == normal_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(None, "", id="nothing"),
        pytest.param(1, "1", id="number and text"),
        pytest.param(b"a", "a", id="bytes and text"),
        pytest.param(10**30, 10**30 + 1, id="long numbers"),
        pytest.param("a", "a ", id="blank at the end"),
        pytest.param(0.1, 0.1 + 1e-9, id="ninth digit"),
        pytest.param(float("inf"), float("-inf"), id="infinities"),
    ],
)
def test_other_values_are_told_apart(one, other):
    assert normal_form(one) != normal_form(other)


def summed(rows, masks=None, columns=("a", "b")):
    counting = Tallying(100, masks)
    for row in rows:
        counting.take(row)
    return counting.tally(columns).checksum


def test_values_cannot_move_between_cells_and_rows_count_as_often_as_they_come():
    assert summed([("ab", "c")]) != summed([("a", "bc")])
    assert summed([(1, 2), (1, 2)]) != summed([(1, 2)])
    assert summed([]) != summed([(None, None)])


def test_rows_that_tie_may_come_in_any_order():
    def of(*rows):
        counting = Tallying(100, order=(0,))
        for row in rows:
            counting.take(row)
        return counting.tally(("a", "b")).checksum

    assert of((1, "a"), (1, "b"), (2, "c")) == of((1, "b"), (1, "a"), (2, "c"))
    assert of((1, "a"), (1, "b"), (2, "c")) != of((2, "c"), (1, "a"), (1, "b"))
    assert of((1, "a"), (2, "b")) != of((1, "a"), (1, "b"))


def test_a_masked_value_counts_as_a_value_and_no_more():
    masks = Masks((False, True), ("people.birth_date",), "00")

    assert summed([(1, "1970-01-01")], masks) == summed([(1, "1980-02-02")], masks)
    assert summed([(1, "1970-01-01")], masks) != summed([(1, None)], masks)
    assert summed([(1, "x")], Masks(None, ("people.birth_date",), "00")) is None
    assert summed([(1, "x")], Masks((True, True), (), "00", names=("other", "b"))) is None


@pytest.mark.parametrize("digits", [400, 4_000, 30_000], ids="{} digits".format)
def test_endless_numbers_and_texts_cost_no_endless_time(digits):
    assert normal_form(Decimal(f"1E+{digits}"))
    assert normal_form(10**digits)
    assert normal_form("x" * 1_000 * digits)
