"""Undeclared joins on each engine: the same ones, whatever types can't be compared."""

import pytest

from tests.join_databases import profiled_source
from tests.profile_databases import ENGINES, made

TABLES = (
    "CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, city VARCHAR(20))",
    "CREATE TABLE sales_order (order_id INTEGER PRIMARY KEY, customer_id INTEGER)",
    """CREATE TABLE sales_order_line (order_id INTEGER, line_no INTEGER, qty INTEGER,
    PRIMARY KEY (order_id, line_no))""",
    "CREATE TABLE return_item (return_id INTEGER PRIMARY KEY, order_id INTEGER, line_no INTEGER)",
    "CREATE TABLE remark (id INTEGER PRIMARY KEY, target_type VARCHAR(30), target_id INTEGER)",
)


def insert(table, count, *columns):
    """Return one INSERT of `count` rows; columns are functions of the row's number."""
    rows = ", ".join(
        "(" + ", ".join(repr(column(i)) for column in columns) + ")" for i in range(1, count + 1)
    )
    return f"INSERT INTO {table} VALUES {rows}"


def number(i):
    return i


DATA = (
    insert("customer", 40, number, lambda _: "Ulm"),
    insert("sales_order", 90, number, lambda i: i % 40 + 1),
    insert("sales_order_line", 90, lambda i: (i - 1) // 2 + 1, lambda i: i % 2 + 1, number),
    insert("return_item", 30, number, lambda i: i + 10, lambda i: i % 2 + 1),
    insert(
        "remark",
        60,
        number,
        lambda i: "Customer" if i % 2 else "App\\Sales_Order",
        lambda i: i // 2 + 1,
    ).replace("\\\\", "{backslash}"),
)


@pytest.mark.req("SCAN-06", part="four engines")
@pytest.mark.req("B6", part="the same figures on four engines")
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_yields_the_same_joins_with_the_same_figures(engine, tmp_path, request):
    backslash = "\\\\" if engine == "mariadb" else "\\"
    data = [sql.replace("{backslash}", backslash) for sql in DATA]

    required = request.config.getoption("--require-engines")
    with made(engine, tmp_path, *TABLES, *data, required=required) as source:
        joins = profiled_source(source, tmp_path).joins

    found = {
        (link.table, link.columns, link.to_table): (
            link.evidence.rows,
            link.evidence.orphans,
            link.evidence.cardinality,
        )
        for link in joins
    }
    assert found == {
        ("sales_order", ("customer_id",), "customer"): (90, 0, "many_to_one"),
        ("sales_order_line", ("order_id",), "sales_order"): (90, 0, "many_to_one"),
        ("return_item", ("order_id",), "sales_order"): (30, 0, "one_to_one"),
        ("return_item", ("order_id", "line_no"), "sales_order_line"): (30, 0, "one_to_one"),
        ("remark", ("target_id",), "customer"): (30, 0, "one_to_one"),
        ("remark", ("target_id",), "sales_order"): (30, 0, "one_to_one"),
    }


@pytest.mark.req("SCAN-06", part="PostgreSQL")
def test_types_that_equal_no_others_cost_a_pair_and_never_the_stage(tmp_path, request):
    statements = (
        "CREATE TYPE land AS ENUM ('DE', 'FR', 'US')",
        "CREATE TABLE country (country_code text PRIMARY KEY, x int)",
        "CREATE TABLE shop (shop_id uuid PRIMARY KEY, country_code land)",
        "CREATE TABLE visit (visit_id int PRIMARY KEY, shop_id text)",
        'CREATE TABLE tag (tag_code text COLLATE "C" PRIMARY KEY, x int)',
        'CREATE TABLE tagged (tagged_id int PRIMARY KEY, tag_code text COLLATE "POSIX")',
        "CREATE TABLE shape (shape_id int PRIMARY KEY, place point, page xml, doc json)",
        "INSERT INTO country VALUES ('DE', 1), ('FR', 1), ('US', 1)",
        """INSERT INTO shop SELECT md5(i::text)::uuid, (ARRAY['DE','FR'])[i % 2 + 1]::land
        FROM generate_series(1, 30) i""",
        """INSERT INTO visit SELECT i, md5((i % 30 + 1)::text)::uuid::text
        FROM generate_series(1, 60) i""",
        "INSERT INTO tag SELECT 'T' || i, i FROM generate_series(1, 30) i",
        "INSERT INTO tagged SELECT i, 'T' || (i % 30 + 1) FROM generate_series(1, 60) i",
    )

    required = request.config.getoption("--require-engines")
    with made("postgres", tmp_path, *statements, required=required) as source:
        found = profiled_source(source, tmp_path)

    assert {(link.table, *link.columns, link.to_table) for link in found.joins} == {
        ("shop", "country_code", "country"),
        ("visit", "shop_id", "shop"),
    }
    assert [note for note in found.notes if "can't compare" in note] == [
        "1 possible join wasn't measured: the database can't compare the columns"
    ]
