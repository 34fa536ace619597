"""What a profile can't read, and what it isn't allowed to."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
import sqlglot

from pipeline.authored import load_settings
from pipeline.database.source import Source
from pipeline.profile import paid, profile_of
from pipeline.profile.aggregates import EXPRESSIONS, Depth, asker, is_approximate
from pipeline.profile.columns import Rules
from pipeline.profile.scalars import scalar
from schemas.facts import Catalog, Column, Table
from schemas.models import ValueCount
from tests.profile_kit import Kit


@pytest.fixture
def kit(make_db, tmp_path):
    """Return a function from SQL to a `Kit`."""
    return lambda sql: Kit(tmp_path, make_db(sql))


@pytest.mark.req("SCAN-10", part="columns of a profile")
def test_a_column_that_cant_be_read_costs_no_other_column_its_figures(kit):
    found = kit(
        "CREATE TABLE t (a INTEGER, v TEXT); INSERT INTO t VALUES (-9223372036854775808, 'x');"
        "CREATE VIEW seen AS SELECT v, abs(a) AS bad, v || 'y' AS w FROM t;"
    )

    profile = found.build()

    table = profile.by_table["seen"]
    assert (table.rows, table.error) == (1, None)
    assert "1 column couldn't be read: seen.bad" in profile.notes
    assert (table.column("bad").nulls, table.column("bad").distinct) == (None, None)
    assert table.column("v").values == (ValueCount("x", 1),)
    assert table.column("w").maximum == "xy"


def test_a_table_that_is_gone_by_now_has_an_error_and_the_rest_goes_on(kit):
    found = kit("CREATE TABLE gone (v TEXT); CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('x');")
    with closing(sqlite3.connect(found.source.path)) as connection:
        connection.execute("DROP TABLE gone")

    tables = found.build().by_table

    assert "no such table" in tables["gone"].error
    assert tables["t"].column("v").values == (ValueCount("x", 1),)
    assert "1 unreadable" in found.account


def test_a_column_named_like_our_own_aliases_gets_its_dictionary(kit):
    found = kit("CREATE TABLE t (n TEXT, v TEXT); INSERT INTO t VALUES ('a', 'b'), ('a', 'c');")

    assert found.build().by_table["t"].column("n").values == (ValueCount("a", 2),)


def test_texts_that_hardly_repeat_are_counted_as_exactly_as_others(kit):
    found = kit(
        "CREATE TABLE t (v TEXT, w TEXT COLLATE NOCASE);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
        "INSERT INTO t SELECT 'text ' || (i % 2500), CASE i % 2 WHEN 0 THEN 'A' ELSE 'a' END"
        " || (i / 2) FROM n; INSERT INTO t VALUES (NULL, NULL);"
    )

    table = found.build().by_table["t"]

    assert (table.column("v").distinct, table.column("v").nulls) == (2500, 1)
    assert table.column("w").distinct == 3000


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.profile_kit import Kit

def killed(step):
    if step.tables == 3:
        os.kill(os.getpid(), signal.SIGKILL)

folder = Path(sys.argv[1])
Kit(folder, folder / "source.sqlite").build(folder / "cache", killed, workers=1)
"""


@pytest.mark.req("PROF-09", part="kill -9")
def test_a_killed_run_keeps_its_finished_tables(kit, tmp_path):
    found = kit(
        "".join(f"CREATE TABLE t{i} (v TEXT); INSERT INTO t{i} VALUES ('x');" for i in range(6))
    )
    found.build()
    clean = found.out.read_bytes()
    found.out.unlink()

    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        cwd=Path(__file__).parent.parent,
        check=False,
    )
    resumed = []
    found.build(tmp_path / "cache", lambda step: resumed.append(step) if step.finished else None)

    assert killed.returncode == -signal.SIGKILL
    assert [step.tables for step in resumed] == [4, 5, 6]
    assert found.out.read_bytes() == clean


CATALOG = Catalog(
    "bigquery", "sales", tables=(Table("t", "t", columns=(Column("v", "STRING", "text"),)),)
)


@pytest.mark.req("PROF-07")
def test_an_engine_that_bills_reading_isnt_read_unless_people_say_so(caplog):
    source = Source(url="bigquery://sales", dialect="bigquery", path=None, shown="bigquery://sales")

    profile = profile_of(source, CATALOG, Rules())

    assert profile.tables[0].rows is None
    assert "BigQuery bills the bytes that a query reads" in profile.notes[0]
    assert "1 table (1 column)" in profile.notes[0]
    assert "`profile:`" in caplog.text


@pytest.mark.req("PROF-07")
@pytest.mark.parametrize("dialect", ["bigquery", "snowflake", "databricks", "athena"])
def test_billing_engines_are_known_and_peoples_word_is_enough(dialect):
    assert paid.reason(dialect, CATALOG, is_stated=False)
    assert paid.reason(dialect, CATALOG, is_stated=True) is None
    assert paid.reason("postgres", CATALOG, is_stated=False) is None


@pytest.mark.req("PROF-07", part="what counts as said")
@pytest.mark.parametrize(
    ("text", "stated"),
    [
        pytest.param("name: a", False, id="nothing"),
        pytest.param("profile:", False, id="an empty key"),
        pytest.param("profile: true", True, id="true, which is the default"),
        pytest.param("profile: {workers: 4}", True, id="a default value"),
        pytest.param("profile: {}", True, id="an empty map"),
        pytest.param("profile: false", True, id="false"),
    ],
)
def test_a_profile_setting_counts_as_peoples_word_whatever_it_says(tmp_path, text, stated):
    (tmp_path / "kb.yaml").write_text(text, encoding="utf-8")

    assert load_settings(tmp_path / "kb.yaml").profile.stated is stated


@pytest.mark.req("PROF-05", part="estimates of warehouses")
@pytest.mark.parametrize(
    ("dialect", "expected"),
    [("snowflake", "APPROX_COUNT_DISTINCT(v)"), ("trino", "APPROX_DISTINCT(v)")],
)
def test_warehouses_estimate_distinct_values(dialect, expected):
    table = CATALOG.tables[0]

    asked = asker(table, dialect).aggregates(table.columns[0], "v", Depth.ALL)

    assert asked[1] == expected


@pytest.mark.req("PROF-05", part="one pass a table, in each dialect")
@pytest.mark.parametrize(
    "dialect",
    [
        "sqlite",
        "duckdb",
        "postgres",
        "mysql",
        "tsql",
        "oracle",
        "redshift",
        "clickhouse",
        "bigquery",
        "snowflake",
        "databricks",
        "spark",
        "athena",
        "presto",
        "trino",
    ],
)
def test_the_pass_over_a_table_is_one_statement_that_its_dialect_can_read(dialect):
    families = ("text", "integer", "decimal", "timestamp", "json", "boolean", "binary", "array")
    table = Table("t", "t", columns=tuple(Column(f"c_{f}", f, f) for f in families))
    ask = asker(table, dialect)
    asked = [e for c in table.columns for e in ask.aggregates(c, c.name, Depth.ALL)]

    tree = sqlglot.parse_one(f"SELECT COUNT(*), {', '.join(asked)} FROM t", dialect=dialect)

    assert len(tree.expressions) == 1 + EXPRESSIONS * len(families)
    assert not list(tree.find_all(sqlglot.exp.Command))
    exact = [count for count in tree.find_all(sqlglot.exp.Distinct) if is_approximate(dialect)]
    assert exact == [] or dialect == "redshift"  # APPROXIMATE COUNT(DISTINCT …)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Decimal("1.50"), 1.5),
        (Decimal("NaN"), "nan"),
        (Decimal("-Infinity"), "-inf"),
        (Decimal("12345678901234567.89"), "12345678901234567.89"),
        (Decimal("1E+3"), 1000),
        (Decimal("1E+9000"), "1E+9000"),
        (timedelta(hours=-25, seconds=-1), "-25:00:01"),
        (timedelta(days=1, microseconds=5), "24:00:00.000005"),
        ({"a": 1}, None),
        ("\ud800", None),
    ],
)
def test_a_value_is_told_as_json_can_hold_it(value, expected):
    assert scalar(value) == expected
