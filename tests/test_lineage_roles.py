"""What part a column plays in a statement: shown, matched, compared, joined, computed."""

import textwrap

import pytest

from pipeline.database.ddl import catalog as ddl
from pipeline.lineage.roles import roles
from pipeline.lineage.tables import Tables

SHOP = """
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL,
    city VARCHAR(40) DEFAULT 'here');
CREATE TABLE sales_order (
    order_id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customer (customer_id),
    status INTEGER NOT NULL CHECK (status IN (1, 5, 9)),
    total_cents INTEGER NOT NULL,
    ordered_on DATE NOT NULL
);
CREATE VIEW v_order AS SELECT o.order_id, o.status AS state, o.total_cents FROM sales_order o;
CREATE VIEW v_open AS SELECT v.order_id FROM v_order v WHERE v.state = 1;
"""


def catalog(folder, sql=SHOP, dialect="sqlite"):
    path = folder / "schema.sql"
    path.write_text(sql, encoding="utf-8")
    return ddl.read([path], dialect, "shop")


@pytest.mark.parametrize(
    ("sql", "column", "expected"),
    [
        ("SELECT status FROM sales_order", "status", {"shown"}),
        ("SELECT 1 FROM sales_order WHERE TRIM(status) IN ('a', 'b')", "status", {"matched"}),
        ("SELECT 1 FROM sales_order WHERE status NOT IN (1)", "status", {"matched open"}),
        ("SELECT CASE status WHEN 1 THEN 2 END FROM sales_order", "status", {"matched open"}),
        ("WITH x AS (SELECT status AS s FROM sales_order) SELECT 1 FROM x WHERE s <> 1", "status",
         {"shown", "matched open"}),
        (
            "WITH x AS (SELECT TRIM(status) AS s FROM sales_order) SELECT 1 FROM x WHERE s <> 'a'",
            "status", {"shown", "matched open"},
        ),
        ("SELECT SUM(total_cents) / 100 FROM sales_order", "total_cents", {"computed"}),
        ("SELECT 1 FROM customer JOIN sales_order USING (customer_id)", "customer_id", {"joined"}),
        ("SELECT 1 FROM customer NATURAL JOIN sales_order", "customer_id", {"joined"}),
        ("SELECT 1 FROM customer WHERE customer_id IN (SELECT o.customer_id FROM sales_order o)",
         "customer_id", {"joined"}),
        ("SELECT 1 FROM sales_order WHERE ordered_on > DATE('now')", "ordered_on", {"compared"}),
    ],
)  # fmt: skip
def test_the_part_of_a_column_in_a_statement(tmp_path, sql, column, expected):
    tables = Tables(catalog(tmp_path))

    found = {
        role.kind + (" open" if role.is_open else "")
        for role in roles(textwrap.dedent(sql), tables)
        if role.place[1] == column
    }

    assert found == expected
