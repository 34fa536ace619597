"""Knowledge bases and calls that the tests of the MCP server share."""

import sqlite3
from contextlib import closing

from mcp import Client

from pipeline import artifacts, tasks
from pipeline.kb import Kb
from schemas.models import Catalog, Column, Graph, Key, Profile, Table, TableProfile

BUDGET = 12_000
SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, country TEXT NOT NULL);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers(id),
    status TEXT NOT NULL,
    amount_cents INTEGER,
    note TEXT
);
CREATE TABLE islands (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO customers VALUES (1, 'a@x.test', 'GB'), (2, 'b@x.test', 'FI'), (3, 'c@x.test', 'FI');
INSERT INTO orders VALUES (10, 1, 'O', 100, NULL), (11, 1, 'P', 250, 'gift | <b>wrap</b>'),
    (12, 2, 'P', 70, NULL), (13, 2, 'P', 80, NULL);
INSERT INTO islands VALUES (1, 'Sark');
"""
SEMANTIC = """
domains:
  Sales:
    tables: [orders, customers]
tables:
  orders:
    description: What customers bought.
    grain: one order
    columns:
      status:
        description: How far the order is.
        values: {O: open, P: paid}
glossary:
  - term: turnover
    definition: Money from paid orders.
    tables: [orders]
"""


def build_shop(folder):
    """Build a small knowledge base in `folder` by the stages, and return the folder."""
    with closing(sqlite3.connect(folder / "source.sqlite")) as connection:
        connection.executescript(SHOP)
    (folder / "kb.yaml").write_text(
        "name: shop\nsource: source.sqlite\nembedder: none\n", encoding="utf-8"
    )
    (folder / "semantic.yaml").write_text(SEMANTIC, encoding="utf-8")
    assert tasks.run(Kb(folder), quiet=True).error is None
    return folder


def committed_kb(folder, tables, profiles=(), links=()):
    """Write what a build commits, as a fresh clone holds it: no index, no database."""
    kb = Kb(folder)
    tables = tuple(sorted(tables, key=lambda table: table.name))
    artifacts.write(kb.catalog, Catalog("sqlite", "vast", tables=tables))
    known = {p.table: p for p in profiles}
    measured = tuple(known.get(t.name, TableProfile(t.name, rows=7)) for t in tables)
    artifacts.write(kb.profile, Profile(measured))
    artifacts.write(kb.graph, Graph(links=tuple(links)))
    kb.settings.write_text("name: vast\nsource: gone.sqlite\nembedder: none\n", encoding="utf-8")
    return folder


def wide_table(columns):
    comment = "What this one of very many columns means to the people who use it. " * 3
    return Table(
        "wide",
        "wide",
        columns=tuple(Column(f"c{n:03}", "TEXT", "text", comment=comment) for n in range(columns)),
    )


def many_tables(count):
    return [
        Table(
            f"t{n:04}",
            f"t{n:04}",
            columns=(Column("id", "INTEGER", "integer"), Column("parcel", "TEXT", "text")),
            primary_key=Key(("id",)),
            comment=f"The parcels of depot {n}.",
        )
        for n in range(count)
    ]


async def call(server, tool, arguments=None, *, mode="auto"):
    async with Client(server, mode=mode) as client:
        return await client.call_tool(tool, arguments or {})


def text_of(result):
    (block,) = result.content
    return block.text
