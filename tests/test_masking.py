"""Which columns of a result are masked: by position, for statements of every kind."""

import copy
from pathlib import Path

import pytest
import sqlglot
import yaml

from evals.guard_tables import CATALOGS
from pipeline.database import guard
from pipeline.database.masking import lineage as masking
from pipeline.errors import RefusedError

SENSITIVE = {"customers": ("email", "name"), "employees": ("salary",)}

STATEMENTS = Path(__file__).parent / "masking"


def statements(name):
    text = (STATEMENTS / f"{name}.yaml").read_text(encoding="utf-8")
    return [(dialect, item) for dialect, items in yaml.safe_load(text).items() for item in items]


def found(sql, dialect, **changed):
    catalog = CATALOGS.get(dialect, CATALOGS["sqlite"])
    tree = guard.check(sql, dialect, catalog=catalog)
    options = {"catalog": catalog, "sensitive": SENSITIVE, **changed}
    return masking.find(tree, dialect, **options)


@pytest.mark.req("B9", part="lineage")
@pytest.mark.parametrize(("dialect", "item"), statements("hidden"))
def test_just_the_columns_that_carry_a_sensitive_value_are_masked(dialect, item):
    masks = found(item["sql"], dialect)

    assert masks is not None
    assert masks.hidden == tuple(mark == "X" for mark in item["hidden"])


@pytest.mark.req("B9", part="what is free")
@pytest.mark.parametrize(("dialect", "sql"), statements("free"))
def test_counts_tests_ranks_and_conditions_are_not_masked(dialect, sql):
    assert found(sql, dialect) is None


@pytest.mark.req("B9", part="lineage")
@pytest.mark.parametrize(
    "source", ["f('customers', 'email')", "f(customers, email)", "f('main.customers')"]
)
def test_a_function_that_is_told_the_name_of_a_table_may_read_it(source):
    tree = sqlglot.parse_one(f"SELECT bin, count(*) FROM {source}", dialect="duckdb")

    masks = masking.find(tree, "duckdb", catalog=CATALOGS["duckdb"], sensitive=SENSITIVE)

    assert masks.hidden == (True, True)


def test_there_are_statements_of_both_kinds():
    assert len(statements("hidden")) > 70
    assert len(statements("free")) > 60


@pytest.mark.req("B9", part="lineage")
@pytest.mark.parametrize(("dialect", "sql"), statements("unfollowed"))
def test_what_cannot_be_followed_is_masked_whole_and_says_so(dialect, sql):
    masks = found(sql, dialect)

    assert masks is not None
    assert masks.hidden is None
    assert masks.of(3) == (True, True, True)
    assert "name each column plainly" in masks.note(["a", "b", "c"])


@pytest.mark.parametrize(
    "sql",
    [
        "PIVOT customers ON email USING count(*) GROUP BY id",
        "PIVOT customers ON lower(email) USING count(*)",
        "PIVOT (SELECT country AS c, email AS e FROM customers) ON e USING count(*) GROUP BY c",
        "WITH t AS (FROM customers) PIVOT t ON (country || name) USING count(*)",
        "SELECT * FROM (PIVOT customers ON email USING count(*))",
    ],
)
def test_a_pivot_that_makes_column_names_of_values_is_refused(sql):
    with pytest.raises(RefusedError) as caught:
        found(sql, "duckdb")

    assert "customers." in caught.value.problem
    assert "GROUP BY" in caught.value.fix


def test_the_tree_of_the_guard_is_left_as_it_is():
    catalog = CATALOGS["postgres"]
    tree = guard.check(
        "SELECT * FROM customers c JOIN orders o USING (id)", "postgres", catalog=catalog
    )
    before = copy.deepcopy(tree)

    masking.find(tree, "postgres", catalog=catalog, sensitive=SENSITIVE)

    assert tree == before


def test_the_note_names_the_sensitive_columns():
    masks = found("SELECT lower(email) AS e, id FROM customers", "postgres")

    assert masks.origins == ("customers.email",)
    assert masks.note(["e"]).startswith("masked: e (from customers.email")


def test_nothing_is_masked_without_sensitive_columns():
    assert found("SELECT email FROM customers", "sqlite", sensitive={}) is None
    assert found("SELECT email FROM customers", "sqlite", sensitive=None) is None
    assert found("SELECT email FROM customers", "sqlite", sensitive={"customers": ()}) is None


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT id FROM orders WHERE id IN (SELECT id FROM customers)", True),
        ("SELECT count(*) FROM customers", True),
        ("SELECT status FROM orders", False),
    ],
)
def test_a_statement_touches_a_table_even_where_nothing_of_it_shows(sql, expected):
    catalog = CATALOGS["postgres"]
    tree = guard.check(sql, "postgres", catalog=catalog)

    assert masking.touches(tree, "postgres", catalog=catalog, sensitive=SENSITIVE) is expected
    assert masking.touches(tree, "postgres", catalog=catalog, sensitive=None) is False


def test_without_a_catalogue_sensitive_columns_are_known_by_name_and_a_star_is_masked_whole():
    named = found("SELECT id, lower(email) FROM customers", "postgres", catalog=None)
    star = found("SELECT * FROM customers", "postgres", catalog=None)
    other = found("SELECT status FROM orders", "postgres", catalog=None)

    assert named.hidden == (False, True)
    assert star.hidden is None
    assert other is None
