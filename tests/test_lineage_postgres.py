"""What views use, held against what PostgreSQL itself notes of their dependencies."""

from pathlib import Path

import pytest

from pipeline.authored import Document
from pipeline.database.connect import open_database
from pipeline.references import references
from schemas.models import Semantic
from tests import engines, postgres_databases

psycopg = pytest.importorskip("psycopg")

pytestmark = pytest.mark.req("B0", part="views on PostgreSQL")

DDL = """
    CREATE SCHEMA "Sales";
    CREATE TABLE customers (id int PRIMARY KEY, name text, email text, country text, tags text[]);
    CREATE TABLE "Sales"."Order" ("Id" int PRIMARY KEY, customer_id int, amount numeric, doc jsonb);
    CREATE TABLE items (order_id int, sku text, qty int, id int);
    CREATE VIEW plain AS SELECT name, upper(country) AS country FROM customers WHERE email <> '';
    CREATE VIEW joined AS SELECT c.*, o.amount FROM customers c
        LEFT JOIN "Sales"."Order" o ON o.customer_id = c.id;
    CREATE VIEW of_view AS SELECT country, SUM(amount) AS total FROM joined GROUP BY country;
    CREATE VIEW with_cte AS WITH RECURSIVE t(n) AS (SELECT id FROM customers UNION ALL
        SELECT n + i.qty FROM t JOIN items i ON i.order_id = n) SELECT MAX(n) AS n FROM t;
    CREATE VIEW lateral_join AS SELECT o."Id", l.sku, j.key FROM "Sales"."Order" o,
        LATERAL (SELECT i.sku FROM items i WHERE i.order_id = o."Id" LIMIT 1) l,
        jsonb_each(o.doc) j;
    CREATE VIEW both_ids AS SELECT id, name, qty FROM customers JOIN items USING (id);
    CREATE VIEW windowed AS SELECT sku, rank() OVER (PARTITION BY order_id ORDER BY qty) FROM items;
    CREATE VIEW stacked AS SELECT name FROM customers UNION SELECT sku FROM items
        WHERE EXISTS (SELECT FROM "Sales"."Order" o WHERE o."Id" = order_id);
    CREATE MATERIALIZED VIEW kept AS SELECT unnest(tags) AS tag, count(*) FROM customers GROUP BY 1;
"""
DEPENDENCIES = """
    SELECT v.relname, t.relname, a.attname
    FROM pg_depend d
    JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
    JOIN pg_class v ON v.oid = w.ev_class
    JOIN pg_class t ON d.refclassid = 'pg_class'::regclass AND t.oid = d.refobjid
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
    WHERE d.refobjsubid > 0 AND v.oid <> t.oid AND v.relnamespace = 'public'::regnamespace
"""


def test_views_use_what_postgresql_notes_that_they_depend_on(request):
    server = engines.server("postgres", required=request.config.getoption("require_engines"))
    statements = [text for text in DDL.split(";") if text.strip()]
    with postgres_databases.database(server, "lineage", *statements) as source:
        with open_database(source) as database:
            catalog = database.read_catalog()
        address = source.url.replace("postgresql+psycopg", "postgresql")
        with psycopg.connect(address) as connection:
            noted = connection.execute(DEPENDENCIES).fetchall()

    found = references(catalog, Document(Path("semantic.yaml"), Semantic()))

    assert found.unresolved == ()
    assert {item.name for item in found.items} == {view for view, _, _ in noted}
    assert {
        (use.item.name, catalog.by_name[use.table].object_name, use.column)
        for use in found.uses
        if use.column
    } == set(noted)
