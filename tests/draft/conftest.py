"""A shop whose facts are drafted from."""

import dataclasses

import pytest

from pipeline import artifacts, draft, profile, scan
from pipeline.authored import load_semantic
from pipeline.database.source import resolve
from schemas.models import Catalog, Coverage, KbSettings, Profile

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


@pytest.fixture(scope="module")
def facts(tmp_path_factory):
    import sqlite3
    from contextlib import closing

    folder = tmp_path_factory.mktemp("facts")
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
    return folder


@pytest.fixture
def kb(facts, tmp_path):
    class Drafted:
        catalog = artifacts.read(facts / "catalog.json", Catalog)
        profile = artifacts.read(facts / "profile.json", Profile)
        folder = tmp_path
        account = ""

        def build(self, text="", drafts=""):
            artifacts.write(tmp_path / "catalog.json", self.catalog)
            artifacts.write(tmp_path / "profile.json", self.profile)
            (tmp_path / "semantic.yaml").write_text(text, encoding="utf-8")
            (tmp_path / "drafts.jsonl").write_text(drafts, encoding="utf-8")
            self.account = draft.build(
                catalog=tmp_path / "catalog.json",
                profile=tmp_path / "profile.json",
                semantic=tmp_path / "semantic.yaml",
                drafts=tmp_path / "drafts.jsonl",
                out=tmp_path / "semantic.draft.yaml",
                coverage=tmp_path / "coverage.json",
            )
            return (tmp_path / "semantic.draft.yaml").read_text(encoding="utf-8")

        @property
        def semantic(self):
            return load_semantic(tmp_path / "semantic.draft.yaml")

        @property
        def coverage(self):
            return artifacts.read(tmp_path / "coverage.json", Coverage)

        def comment_on(self, table, text, column=None):
            """Give a table, or a column of it, a database comment."""
            tables = []
            for found in self.catalog.tables:
                changed = found
                if found.name == table and column is None:
                    changed = dataclasses.replace(found, comment=text)
                elif found.name == table:
                    columns = tuple(
                        dataclasses.replace(c, comment=text) if c.name == column else c
                        for c in found.columns
                    )
                    changed = dataclasses.replace(found, columns=columns)
                tables.append(changed)
            self.catalog = dataclasses.replace(self.catalog, tables=tuple(tables))

    return Drafted()
