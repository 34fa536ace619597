"""What is read of a table that has more rows than may be read."""

import pytest

from pipeline.cards import ColumnCard, TableCard
from pipeline.docs.columns import column_table
from pipeline.profile import sampling
from schemas.models import Column, Table
from tests.profile_databases import ENGINES, made
from tests.profile_kit import Kit

ROWS = 20_000
DDL = "CREATE TABLE big (id INTEGER PRIMARY KEY, v VARCHAR(20))"
NUMBERS = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {})"
    " SELECT i, 'word ' || (i % 7) FROM n",
    "duckdb": "SELECT i, 'word ' || (i % 7) FROM range(1, {} + 1) AS r(i)",
    "postgres": "SELECT i, 'word ' || (i % 7) FROM generate_series(1, {}) AS r(i)",
    "mariadb": "SELECT seq, CONCAT('word ', seq % 7) FROM seq_1_to_{}",
}
ANALYZE = {"postgres": ("ANALYZE big",), "mariadb": ("ANALYZE TABLE big",)}
METHODS = {
    "sqlite": "hash of the row id",
    "duckdb": "hash of the row id",
    "postgres": "TABLESAMPLE SYSTEM, seed 42",
    "mariadb": "hash of the primary key",
}


@pytest.fixture(scope="module", params=ENGINES)
def big(request, tmp_path_factory):
    """Return an engine, and the kit of a table of `ROWS` rows on it."""
    engine = request.param
    folder = tmp_path_factory.mktemp(engine)
    fill = "INSERT INTO big " + NUMBERS[engine].format(ROWS)
    required = request.config.getoption("--require-engines")
    analyze = ANALYZE.get(engine, ())
    with made(engine, folder, DDL, fill, *analyze, required=required) as source:
        yield engine, Kit(folder, source)


@pytest.mark.req("PROF-04", part="four engines")
def test_a_sample_is_spread_over_the_table_and_says_how_it_was_taken(big):
    engine, kit = big

    table = kit.build(rows=2000).by_table["big"]

    assert (table.rows, table.rows_estimated) == (ROWS, False)
    assert table.sample.method == METHODS[engine]
    assert 1000 < table.sample.rows <= 2000
    assert table.column("id").minimum < ROWS / 4
    assert table.column("id").maximum > ROWS * 3 / 4
    assert not table.column("v").values_complete
    assert len(table.column("v").values) == 7


@pytest.mark.req("PROF-04", part="the same rows again")
def test_a_sample_of_an_unchanged_table_is_the_same(big):
    _, kit = big

    kit.build(rows=500, workers=1)
    first = kit.out.read_bytes()
    kit.build(rows=500)

    assert kit.out.read_bytes() == first


@pytest.mark.req("C20")
def test_a_huge_table_isnt_counted_where_the_engine_knows_about_how_many_rows_it_has(
    big, monkeypatch
):
    engine, kit = big
    monkeypatch.setattr(sampling, "ESTIMATED_FROM", 10_000)

    table = kit.build(rows=1000).by_table["big"]

    assert table.rows_estimated is (engine in ANALYZE)
    assert abs(table.rows - ROWS) < ROWS / 10


def test_a_small_table_is_counted_whatever_the_engine_thinks(big):
    _, kit = big

    table = kit.build(rows=50_000).by_table["big"]

    assert (table.rows, table.rows_estimated, table.sample) == (ROWS, False, None)


def test_a_table_without_row_ids_is_read_from_its_beginning(tmp_path):
    ddl = "CREATE TABLE t (id INTEGER PRIMARY KEY) WITHOUT ROWID"
    fill = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)"
    with made("sqlite", tmp_path, ddl, f"INSERT INTO t {fill} SELECT i FROM n", required=True) as s:
        table = Kit(tmp_path, s).build(rows=10).by_table["t"]

    assert (table.rows, table.sample.method, table.sample.rows) == (50, "first rows", 10)
    assert table.column("id").maximum == 10


@pytest.mark.parametrize(
    ("about", "expected"), [(1_234_567, 1_230_000), (999_600, 1_000_000), (1_000_000, 1_000_000)]
)
def test_an_estimate_keeps_three_digits(about, expected):
    assert sampling.rounded(about) == expected


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("postgres", "SELECT a FROM t LIMIT 5"),
        ("tsql", "SELECT TOP (5) a FROM t"),
        ("oracle", "SELECT a FROM t FETCH FIRST 5 ROWS ONLY"),
    ],
)
def test_each_engine_is_told_in_its_words_how_many_rows_to_give(dialect, expected):
    assert sampling.first(dialect, "SELECT a FROM t", 5) == expected


def test_what_all_rows_of_a_sample_hold_is_a_list_of_codes_and_of_types_but_not_called_complete(
    make_db, tmp_path
):
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)"
    path = make_db(
        "CREATE TABLE invoice (id INTEGER PRIMARY KEY); CREATE TABLE city (id INTEGER PRIMARY KEY);"
        "CREATE TABLE note (id INTEGER PRIMARY KEY, owner_type TEXT, owner_id INT, kind TEXT);"
        f"{numbers} INSERT INTO invoice SELECT i FROM n WHERE i < 90;"
        f"{numbers} INSERT INTO city SELECT i + 500 FROM n WHERE i < 60;"
        f"{numbers} INSERT INTO note SELECT i, CASE WHEN i % 2 THEN 'Invoice' ELSE 'City' END,"
        " CASE WHEN i % 2 THEN 1 + i % 80 ELSE 501 + i % 50 END, 'always' FROM n;"
    )

    found = Kit(tmp_path, path).build(rows=500)

    table = found.by_table["note"]
    assert table.sample is not None
    assert {link.to_table for link in found.joins if link.condition} == {"invoice", "city"}
    types, kind = (Column(name, "TEXT", "text") for name in ("owner_type", "kind"))
    seen = ColumnCard(types, table.column("owner_type"))
    assert (seen.codes_complete, seen.codes_seen) == (False, True)
    alike = ColumnCard(kind, table.column("kind"))
    told = column_table(TableCard(Table("note", "note"), table, (alike,)), (), "sqlite", {})
    assert "in all rows that were read: `'always'`" in told
