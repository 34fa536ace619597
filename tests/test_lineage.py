"""Which columns statements use, held against what SQLite itself reads, and what views pass on."""

import sqlite3
from contextlib import closing

import pytest

from pipeline.lineage.reading import read
from pipeline.lineage.tables import Tables
from pipeline.lineage.views import base_columns, origins
from schemas.models import Catalog, Column, Table

pytestmark = pytest.mark.req("B0", part="statements and views")

COLUMNS = {
    "customers": ("id", "name", "email", "country"),
    "orders": ("id", "customer_id", "amount", "status"),
    "items": ("order_id", "sku", "qty"),
}


def catalog(dialect="sqlite", *views):
    schema = "public" if dialect == "postgres" else None
    tables = [
        Table(name, name, columns=tuple(Column(c, "", "other") for c in columns))
        for name, columns in COLUMNS.items()
    ]
    return Catalog(dialect, "shop", default_schema=schema, tables=(*tables, *views))


def view(name, columns, definition):
    made = tuple(Column(column, "", "other") for column in columns.split())
    return Table(name, name, kind="view", columns=made, definition=definition)


def used(sql, dialect):
    reading = read(sql, Tables(catalog(dialect)))
    assert reading.unknown == ()
    return sorted(f"{table}.{column}" for table, column in reading.columns)


@pytest.fixture(scope="module")
def database():
    with closing(sqlite3.connect(":memory:")) as database:
        for table, columns in COLUMNS.items():
            database.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
        yield database


def read_by_sqlite(database, sql):
    """Return the columns that SQLite asks to read when it prepares a statement."""
    seen = set()

    def note(action, table, column, *_):
        if action == sqlite3.SQLITE_READ and table in COLUMNS and column:
            seen.add(f"{table}.{column}")
        return sqlite3.SQLITE_OK

    database.set_authorizer(note)
    try:
        database.execute(f"EXPLAIN {sql}")
    finally:
        database.set_authorizer(None)
    return sorted(seen)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM customers WHERE country = 'FI' ORDER BY email",
        (
            "SELECT c.name, SUM(amount) AS status FROM orders o JOIN customers AS c"
            " ON c.id = o.customer_id GROUP BY c.name HAVING SUM(amount) > 5 ORDER BY status"
        ),
        "SELECT * FROM items",
        "SELECT o.*, 1 FROM orders o, items WHERE order_id = o.id",
        "SELECT x.total FROM (SELECT amount * 2 AS total, status FROM orders) x WHERE x.status = 1",
        (
            "WITH RECURSIVE t(n) AS (SELECT id FROM orders UNION ALL SELECT n + 1 FROM t"
            " JOIN items ON order_id = n) SELECT n FROM t"
        ),
        "SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders WHERE customer_id = c.id)",
        "SELECT (SELECT MAX(qty) FROM items WHERE order_id = o.id) FROM orders o",
        "SELECT id FROM customers UNION SELECT customer_id FROM orders ORDER BY id",
        "SELECT name FROM customers JOIN orders USING (id)",
        "SELECT RANK() OVER (PARTITION BY status ORDER BY amount) FROM orders",
        "SELECT SUM(qty) OVER w FROM items WINDOW w AS (ORDER BY sku)",
        (
            "SELECT CASE WHEN status = 1 THEN amount END FROM orders WHERE id IN (SELECT order_id"
            " FROM items WHERE sku LIKE 'a%')"
        ),
        "SELECT COUNT(*), COUNT(DISTINCT country) FROM Customers",
        'SELECT "name" FROM main.customers WHERE [email] IS NOT NULL AND `id` > 1',
        "SELECT value FROM orders, json_each(orders.status) WHERE amount > 1",
        (
            "SELECT c.id FROM (customers c LEFT JOIN orders o ON o.customer_id = c.id)"
            " LEFT JOIN items i ON i.order_id = o.id"
        ),
    ],
)
def test_what_a_statement_uses_is_what_sqlite_reads(database, sql):
    if "USING" not in sql:  # SQLite asks for one of the two columns that USING equals
        assert used(sql, "sqlite") == read_by_sqlite(database, sql)
    else:
        assert set(read_by_sqlite(database, sql)) < set(used(sql, "sqlite"))


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        pytest.param(
            "postgres",
            "SELECT l.sku FROM orders o, LATERAL (SELECT * FROM items i WHERE i.order_id = o.id) l",
            "items.order_id items.sku orders.id",
            id="a lateral subquery; of its star only what is asked for",
        ),
        pytest.param(
            "postgres",
            "SELECT (c).name, n FROM customers c, generate_series(1, 3) AS g(n) WHERE id > n",
            "customers.id customers.name",
            id="a field of a row; a function's rows",
        ),
        pytest.param(
            "postgres",
            "SELECT row_to_json(i) FROM items i",
            "items.order_id items.qty items.sku",
            id="a whole row",
        ),
        pytest.param(
            "postgres",
            "SELECT t.count FROM (SELECT COUNT(*) FROM orders GROUP BY Status) t",
            "orders.status",
            id="a column that the engine names",
        ),
        pytest.param(
            "mysql",
            "SELECT `a`.`id` FROM ((`shop`.`orders` `a` JOIN `shop`.`customers` `b`"
            " ON (`a`.`customer_id` = `b`.`id`)))",
            "customers.id orders.customer_id orders.id",
            id="a join in brackets, as MariaDB writes it",
        ),
        pytest.param(
            "mysql",
            "SELECT status, COUNT(*) FROM orders GROUP BY status DESC",
            "orders.status",
            id="a spelling that sqlglot doesn't read",
        ),
        pytest.param(
            "duckdb",
            "FROM orders SELECT * EXCLUDE (amount) REPLACE (id + 1 AS id)",
            "orders.customer_id orders.id orders.status",
            id="a star with exceptions",
        ),
        pytest.param(
            "duckdb",
            "SELECT amount + 1 AS a, a * 2 AS b, [x || status FOR x IN [id]] FROM orders",
            "orders.amount orders.id orders.status",
            id="names of the list; a list comprehension",
        ),
        pytest.param(
            "duckdb",
            "SELECT l.e FROM customers c, (SELECT c.name AS e) l",
            "customers.name",
            id="a subquery that sees its siblings",
        ),
        pytest.param(
            "sqlite",
            "SELECT 1 FROM orders o WHERE EXISTS (SELECT * FROM items i WHERE i.order_id = o.id)",
            "items.order_id orders.id",
            id="a star that nobody asks for",
        ),
        pytest.param(
            "duckdb",
            "PIVOT orders ON status USING SUM(amount)",
            "orders.amount orders.status",
            id="a pivot",
        ),
    ],
)
def test_the_ways_of_other_dialects_are_followed(dialect, sql, expected):
    assert " ".join(used(sql, dialect)) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT nam FROM customers", [("nam", "name", 1, 8)], id="a column"),
        pytest.param("SELECT c.x\nFROM order c", [("order", "orders", 2, 6)], id="a table"),
        pytest.param("SELECT o.id FROM orders", [("o.id", "orders.id", 1, 8)], id="no such alias"),
        pytest.param(
            "SELECT id FROM (SELECT id FROM orders) q WHERE q.amount > 1",
            [("q.amount", None, 1, 48)],
            id="a column that a subquery doesn't give",
        ),
        pytest.param(
            "SELECT i.qty FROM orders JOIN items i USING (order_id)",
            [("order_id", "id", 1, 46)],
            id="a column that one side of USING lacks",
        ),
    ],
)
def test_all_names_that_lead_to_nothing_are_told_and_where(sql, expected):
    reading = read(sql.replace("order c", '"order" c'), Tables(catalog()))

    assert [(u.text, u.nearest, u.line, u.column) for u in reading.unknown] == expected


@pytest.mark.parametrize(
    ("dialect", "definition"),
    [
        ("sqlite", "CREATE VIEW v (who, total, n) AS {}"),
        ("postgres", " {};"),
        ("mysql", "{}"),
        ("duckdb", "CREATE VIEW v AS {};"),
    ],
)
def test_columns_of_views_are_followed_to_the_tables(dialect, definition):
    query = (
        "WITH x AS (SELECT c.name, o.amount, o.id FROM orders o"
        " JOIN customers c ON c.id = o.customer_id)"
        " SELECT name AS who, SUM(amount) AS total, COUNT(*) AS n FROM x GROUP BY name"
    )
    first = view("v", "who total n", definition.format(query))
    second = view("w", "who double", "SELECT who, total * 2 AS double FROM v")

    found = catalog(dialect, first, second)

    assert origins(found) == {
        ("v", "who"): ("customers", "name"),
        ("w", "who"): ("customers", "name"),
    }
    assert base_columns(found)["w", "double"] == {("orders", "amount")}
    assert base_columns(found)["v", "n"] == frozenset()


def test_views_that_read_each_other_or_cannot_be_read_end_the_search():
    found = catalog(
        "sqlite",
        view("a", "id", "CREATE VIEW a AS SELECT id FROM b"),
        view("b", "id", "CREATE VIEW b AS SELECT id FROM a"),
        view("c", "id", "CREATE VIEW c AS SELECT FROM ("),
    )

    assert set(origins(found)) == {("a", "id"), ("b", "id")}
    assert base_columns(found)["a", "id"] == frozenset()


def test_a_column_that_using_merged_is_the_left_one():
    found = catalog(
        "sqlite",
        view(
            "v", "id name", "CREATE VIEW v AS SELECT id, name FROM orders JOIN customers USING (id)"
        ),
        view("w", "id", "CREATE VIEW w AS SELECT id FROM orders FULL JOIN customers USING (id)"),
    )

    assert origins(found) == {("v", "id"): ("orders", "id"), ("v", "name"): ("customers", "name")}
    assert base_columns(found)["w", "id"] == {("orders", "id"), ("customers", "id")}
