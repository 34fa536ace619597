"""Names as SQL: quoted where they must be, and the database takes them."""

import sqlite3
from contextlib import closing

import pytest

from pipeline import sql_names
from pipeline.database.names import table_id

ODD = [
    "年", "3pointplay", "a.b", "select", "it's", 'x"y', "trailing space ", "", "order", "Group",
    "back`tick", "bra[ck]et", "semi;colon", "--comment", "line\nbreak", "naïve", "%s", "?", "NULL",
]  # fmt: skip


@pytest.mark.req("C4", part="names without a connection")
@pytest.mark.parametrize("name", [name for name in ODD if name])
def test_sqlite_takes_every_name_as_it_was_quoted(name):
    table, column = sql_names.table(table_id(name), "sqlite"), sql_names.quote(name, "sqlite")

    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE TABLE {table} ({column} INTEGER)")
        connection.execute(f"SELECT {table}.{column} FROM {table}")
        found = connection.execute("SELECT name FROM sqlite_master").fetchall()

    assert found == [(name,)]


@pytest.mark.parametrize(
    ("name", "dialect", "expected"),
    [
        pytest.param("orders", "sqlite", "orders", id="a plain name stays as it is"),
        pytest.param("OrderDate", "sqlite", "OrderDate", id="case needs no quotes in SQLite"),
        pytest.param("OrderDate", "postgres", '"OrderDate"', id="PostgreSQL folds to lower case"),
        pytest.param("ORDERS", "snowflake", "ORDERS", id="Snowflake folds to upper case"),
        pytest.param("orders", "snowflake", '"orders"', id="so lower case is quoted there"),
        pytest.param("order", "mysql", "`order`", id="MySQL quotes with backticks"),
        pytest.param("a]b", "tsql", "[a]]b]", id="SQL Server quotes with brackets"),
    ],
)
def test_a_name_is_quoted_as_its_dialect_wants(name, dialect, expected):
    assert sql_names.quote(name, dialect) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("sales.orders", "sales.orders", id="with its schema"),
        pytest.param("sales.order", 'sales."order"', id="each part on its own"),
        pytest.param('sales."a.b"', 'sales."a.b"', id="a dot in a quoted part"),
        pytest.param('"x""y"', '"x""y"', id="a quote in a quoted part"),
        pytest.param('broken"', '"broken"""', id="no name of a scan"),
    ],
)
def test_a_table_is_quoted_part_by_part(name, expected):
    assert sql_names.table(name, "sqlite") == expected
