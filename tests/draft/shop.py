"""The shop whose facts are drafted from, and drawn semantic.yaml files for it."""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from hypothesis import strategies as st

from pipeline import accept, artifacts, profile, scan
from pipeline.authored.yaml_nodes import data_of, parse_bytes
from pipeline.database.source import resolve
from pipeline.kb import Kb
from schemas.models import Catalog, KbSettings
from tests.yaml_books import TEXTS, Writer
from tests.yaml_edits import is_within, keeps

SHOP = """
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, email TEXT, kind TEXT NOT NULL, deleted_at TEXT, updated_at TIMESTAMP
);
CREATE TABLE products (
    sku TEXT PRIMARY KEY, title TEXT, price_cents INTEGER, weight NUMERIC, size TEXT,
    weight_unit TEXT
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id),
    status TEXT NOT NULL, step INTEGER, is_paid INTEGER, total NUMERIC, tax_rate NUMERIC,
    updated_at TIMESTAMP
);
CREATE TABLE order_lines (
    order_id INTEGER REFERENCES orders(id), sku TEXT REFERENCES products(sku), quantity INTEGER,
    PRIMARY KEY (order_id, sku)
);
CREATE TABLE "odd ""name"": #1" ("a: b" TEXT, "line
break" TEXT);
CREATE VIEW open_orders AS
    SELECT o.id, o.status AS state, total * 2 AS doubled FROM orders o WHERE o.status = 'N ';
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO customers SELECT i, 'p' || i || '@mail.test', CASE i % 3 WHEN 0 THEN 'B' ELSE 'P' END,
    CASE WHEN i % 20 = 0 THEN '2024-01-01 10:00:00' END, '2024-02-03 10:00:00' FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
INSERT INTO products SELECT 'SKU-' || i, 'Tent no. ' || i, i * 1000 - 1, i * 1.5, 'M', 'kg' FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
INSERT INTO orders SELECT i, 1 + i % 60, CASE i % 4 WHEN 0 THEN 'N ' WHEN 1 THEN 'P ' ELSE 'S ' END,
    i % 3, i % 2, i * 9.5, 0.1 + (i % 5) * 0.01, '2024-02-03 10:00:00' FROM n;
INSERT INTO order_lines SELECT id, 'SKU-' || (1 + id % 30), 1 + id % 7 FROM orders;
INSERT INTO "odd ""name"": #1" VALUES ('x', 'y'), ('# z', 'a
b');
"""


def write_facts(folder: Path) -> None:
    """Write the catalog and the profile of the shop into a folder."""
    with closing(sqlite3.connect(folder / "shop.sqlite")) as connection:
        connection.executescript(SHOP)
    source = resolve(str(folder / "shop.sqlite"), folder, {})
    scan.build(source=source, settings=KbSettings("shop"), out=folder / "catalog.json")
    profile.build(
        source=source,
        settings=KbSettings("shop"),
        catalog=folder / "catalog.json",
        semantic=folder / "semantic.yaml",
        out=folder / "profile.json",
    )


LISTS = st.lists(TEXTS.filter(str.strip), max_size=2)
COLUMN = TEXTS | st.fixed_dictionaries(
    {},
    optional={
        "description": TEXTS | st.none(),
        "synonyms": LISTS,
        "values": st.dictionaries(st.sampled_from(["N", "P ", "0", "NO"]), TEXTS, max_size=2),
        "unit": TEXTS | st.none(),
    },
)


@st.composite
def meanings(draw, catalog):
    """Draw a semantic.yaml that describes some of a catalog, in any style; and its comments."""
    tables = {}
    chosen = draw(st.lists(st.sampled_from(catalog.tables), max_size=4, unique_by=lambda t: t.name))
    for table in chosen:
        names = [column.name for column in table.columns]
        told = draw(st.dictionaries(st.sampled_from(names), COLUMN | st.none(), max_size=4))
        fields = {"description": TEXTS, "grain": TEXTS, "notes": LISTS, "columns": st.just(told)}
        name = table.name.upper() if draw(st.booleans()) else table.name
        tables[name] = draw(st.none() | st.fixed_dictionaries({}, optional=fields))
    parts = {
        "tables": st.just(tables) | st.none(),
        "database": st.fixed_dictionaries({}, optional={"name": TEXTS, "dialect_notes": LISTS}),
        "relationships": st.just([{"from": "order_lines.sku", "to": "products.sku"}]),
    }
    writer = Writer(draw)
    return writer.document(draw(st.fixed_dictionaries({}, optional=parts))), writer.comments


def check_accept(facts, case):
    """Accept everything into a drawn file: what stood there stands there still, in its order."""
    text, comments = case
    with tempfile.TemporaryDirectory() as folder:
        kb = Kb(Path(folder))
        for path in (kb.catalog, kb.profile):
            path.write_bytes((facts / path.name).read_bytes())
        kb.semantic.write_bytes(text.encode())
        outcome = accept.accept(kb, accept.Choice(), today="2026-01-02")
        after = kb.semantic.read_bytes().decode()
        again = accept.accept(kb, accept.Choice(), today="2026-01-02")
    before, now = (data_of(parse_bytes(t.encode(), kb.semantic)) for t in (text, after))
    assert keeps(before, now)
    assert is_within(text, after)
    assert not [n for n in range(1, comments + 1) if f"# comment {n}." not in after]
    assert after.count("\r\n") in {0, after.count("\n")}
    assert outcome.made or outcome.left or text == after
    assert not again.made


def catalog_of(facts: Path) -> Catalog:
    """Return the catalog that `write_facts` wrote."""
    return artifacts.read(facts / "catalog.json", Catalog)
