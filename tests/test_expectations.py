"""What the text of a statement tells of its results."""

import pytest

from pipeline.expectations import nature


@pytest.mark.parametrize(
    ("sql", "order"),
    [
        pytest.param("SELECT a, b FROM t", (), id="none"),
        pytest.param("SELECT a, b FROM t ORDER BY b DESC, 1", (1, 0), id="name and number"),
        pytest.param(
            "SELECT a, COUNT(*) AS n FROM t GROUP BY a ORDER BY COUNT(*)", (1,), id="same"
        ),
        pytest.param("SELECT t.a, b FROM t ORDER BY t.a, c, b", (0,), id="up to what is hidden"),
        pytest.param("SELECT a FROM t ORDER BY c", (), id="hidden"),
        pytest.param("SELECT * FROM t ORDER BY a", (), id="star"),
        pytest.param("SELECT a FROM t UNION SELECT b FROM u ORDER BY 1", (0,), id="union"),
        pytest.param("(SELECT a FROM t ORDER BY a)", (0,), id="brackets"),
        pytest.param("WITH x AS (SELECT 1 AS a) SELECT a FROM x ORDER BY A", (0,), id="with"),
        pytest.param("SELECT a FROM (SELECT a FROM t ORDER BY a) s", (), id="inside"),
        pytest.param("SELECT FROM (", (), id="no SQL"),
    ],
)
def test_a_result_is_sorted_by_columns_that_it_has(sql, order):
    assert nature(sql, "sqlite").order == order


@pytest.mark.parametrize(
    ("dialect", "sql", "why"),
    [
        pytest.param("postgres", "SELECT now()", "current_timestamp", id="now"),
        pytest.param(
            "postgres", "SELECT * FROM t WHERE d < CURRENT_DATE", "current_date", id="day"
        ),
        pytest.param("postgres", "SELECT 'today'::date", "'today'", id="text"),
        pytest.param("mysql", "SELECT NOW(), SYSDATE()", "now", id="mysql"),
        pytest.param("mysql", "SELECT UUID()", "uuid", id="uuid"),
        pytest.param("duckdb", "SELECT today()", "current_date", id="duckdb"),
        pytest.param("sqlite", "SELECT date()", "date()", id="without arguments"),
        pytest.param("sqlite", "SELECT strftime('%Y')", "current_timestamp", id="strftime"),
        pytest.param("tsql", "SELECT GETDATE()", "current_timestamp", id="tsql"),
        pytest.param("sqlite", "SELECT date(d), 'Now or never' FROM t", "", id="neither"),
    ],
)
def test_what_is_another_tomorrow_is_known_by_its_text(dialect, sql, why):
    assert nature(sql, dialect).passing == why


def test_a_choice_of_the_engine_is_known_by_its_text():
    assert nature("SELECT a FROM t LIMIT 1", "sqlite").loose == "LIMIT without ORDER BY"
    assert nature("SELECT a FROM t ORDER BY a LIMIT 1", "sqlite").loose == ""
    inner = "SELECT COUNT(*) FROM (SELECT a FROM t LIMIT 5) s"
    assert nature(inner, "sqlite").loose == "LIMIT without ORDER BY"
    assert nature("SELECT f(a) FROM t", "sqlite").known is False
