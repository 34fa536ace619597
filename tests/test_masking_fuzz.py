"""Masking on real engines: random statements over tables whose sensitive values are known."""

import sqlite3
from random import Random

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evals import masking as eval_masking
from evals.masking_statements import Statements
from pipeline.database import guard
from tests.engines import server

DERANDOMIZED = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
SEEDS = st.integers(min_value=0, max_value=10**9)


@pytest.fixture(scope="module")
def sqlite_run():
    return eval_masking.sqlite_run()


@pytest.fixture(scope="module")
def duckdb_run():
    return eval_masking.duckdb_run()


@pytest.fixture(scope="module")
def postgres_run(request):
    source = server("postgres", required=request.config.getoption("require_engines"))
    with psycopg.connect(source.url.replace("+psycopg", "")) as connection:
        yield eval_masking.postgres_run(connection)


@pytest.mark.req("B9", part="no value shows on SQLite")
@given(seed=SEEDS)
@DERANDOMIZED
def test_no_statement_shows_a_sensitive_value_on_sqlite(seed, sqlite_run):
    sql = Statements(Random(seed), "sqlite").statement()

    became, text = eval_masking.visible(sql, "sqlite", sqlite_run)

    assert not eval_masking.leaks(text), sql
    assert became != "misjudged", sql


@pytest.mark.req("B9", part="no value shows on DuckDB")
@given(seed=SEEDS)
@DERANDOMIZED
def test_no_statement_shows_a_sensitive_value_on_duckdb(seed, duckdb_run):
    sql = Statements(Random(seed), "duckdb").statement()

    became, text = eval_masking.visible(sql, "duckdb", duckdb_run)

    assert not eval_masking.leaks(text), sql
    assert became != "misjudged", sql


@pytest.mark.req("B9", part="no value shows on PostgreSQL")
@given(seed=SEEDS)
@DERANDOMIZED
def test_no_statement_shows_a_sensitive_value_on_postgres(seed, postgres_run):
    sql = Statements(Random(seed), "postgres").statement()

    became, text = eval_masking.visible(sql, "postgres", postgres_run)

    assert not eval_masking.leaks(text), sql
    assert became != "misjudged", sql


def test_the_random_statements_run_and_would_show_values_without_masks(sqlite_run):
    tally = eval_masking.measure("sqlite", sqlite_run, count=60, seed=1)
    shown = 0
    for seed in range(60):
        try:
            _, rows = sqlite_run(Statements(Random(seed), "sqlite").statement())
        except sqlite3.Error:
            continue
        shown += bool(eval_masking.leaks("\n".join(str(cell) for row in rows for cell in row)))

    assert tally.counts["masked"] > 20
    assert tally.counts["open"] > 10
    assert tally.counts.get("failed", 0) + tally.counts.get("refused", 0) < 10
    assert shown > 8


# Forms that the random ones don't make; each runs, and is followed with its exact width.
EXACT = [
    ("sqlite", "SELECT * FROM orders JOIN people USING (id) JOIN contacts USING (id)"),
    ("sqlite", "SELECT * FROM contacts NATURAL JOIN people"),
    ("sqlite", "SELECT * FROM orders FULL JOIN people USING (id)"),
    ("sqlite", "SELECT 'people'.'email', 'people'.* FROM people"),
    ("sqlite", "SELECT (SELECT max(x.email) FROM people x WHERE x.id <= p.id), p.* FROM people p"),
    ("sqlite", "SELECT j.value, j.fullkey FROM people p, json_tree(json_object('e', p.email)) j"),
    ("duckdb", "SELECT * EXCLUDE (people.id) FROM people JOIN orders ON people.id = orders.id"),
    ("duckdb", "SELECT * FROM contacts NATURAL JOIN people"),
    ("duckdb", "SELECT * FROM orders RIGHT JOIN people USING (id)"),
    ("duckdb", "SELECT * FROM orders ASOF JOIN people USING (id)"),
    ("duckdb", "SELECT * FROM orders POSITIONAL JOIN people"),
    ("duckdb", "FROM (SUMMARIZE people)"),
    ("duckdb", "SELECT * FROM people ANTI JOIN orders ON people.id = orders.id"),
    ("duckdb", "SELECT id FROM people UNION BY NAME SELECT email AS x, salary AS id FROM people"),
    ("duckdb", "SELECT key, value FROM people p, json_each(to_json(p))"),
    ("duckdb", "SELECT x.*, #1 FROM people x"),
    ("postgres", "SELECT * FROM contacts JOIN people USING (country, id)"),
    ("postgres", "SELECT * FROM (orders JOIN people USING (id)) JOIN contacts USING (country)"),
    ("postgres", "SELECT * FROM contacts NATURAL JOIN people"),
    ("postgres", "SELECT * FROM orders FULL JOIN people USING (id)"),
    ("postgres", "SELECT (p).*, p::text, ROW(p.*), to_jsonb(p) FROM people p"),
    ("postgres", "SELECT x.b, x.a FROM people p, unnest(ARRAY[p.email]) WITH ORDINALITY x(a, b)"),
    ("postgres", "SELECT k, v FROM people p, jsonb_each_text(to_jsonb(p)) AS j(k, v)"),
    ("postgres", "SELECT mode() WITHIN GROUP (ORDER BY email), array_agg(p) FROM people p"),
    ("postgres", "SELECT regexp_split_to_table(email, '-'), id FROM people"),
]


@pytest.mark.req("B9", part="no value shows in rare forms")
@pytest.mark.parametrize(("dialect", "sql"), EXACT)
def test_rare_forms_show_no_value_and_have_the_expected_width(dialect, sql, request):
    run = request.getfixturevalue(f"{dialect}_run")

    became, text = eval_masking.visible(sql, dialect, run)

    assert became == "masked"
    assert not eval_masking.leaks(text)


def test_the_view_and_the_odd_names_pass_the_guard():
    for sql in ('SELECT "e-mail" FROM "Odd Names"', "SELECT address FROM contacts"):
        assert guard.check(sql, "sqlite", catalog=eval_masking.catalog("sqlite")) is not None
