"""Knowledge bases for the tests of the docs stage, and how its pages are read."""

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from pipeline import artifacts, docs, scan
from pipeline.database import source
from pipeline.docs.book import open_book
from schemas.models import (
    Catalog,
    ColumnProfile,
    Coverage,
    Graph,
    KbSettings,
    Profile,
    Semantic,
    Share,
    TableProfile,
    ValueCount,
)

SHOP = """
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, email TEXT, country TEXT NOT NULL, guid TEXT UNIQUE
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    bill_to INTEGER NOT NULL REFERENCES customers(id),
    ship_to INTEGER REFERENCES customers(id),
    status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'H ')),
    placed_on DATE,
    total_cents INTEGER
);
CREATE VIEW open_orders AS SELECT id FROM orders WHERE status = 'open';
CREATE TABLE audit (id INTEGER PRIMARY KEY);
INSERT INTO customers VALUES (1, 'a@x.test', 'GB', 'g1'), (2, 'b@x.test', 'FI', 'g2');
INSERT INTO orders VALUES
    (10, 1, 1, 'open', '2025-01-01', 100), (11, 1, NULL, 'paid', '2025-02-01', 200),
    (12, 2, 1, 'paid', '2025-03-01', 300), (13, 2, 2, 'H ', '2025-04-01', 400),
    (14, 2, 2, 'H ', '2025-05-01', 500), (15, 2, 2, 'open', '2025-06-01', 600);
"""

ODD = (
    "年", "3pointplay", "a.b", "select", "it's", 'x"y', "trailing ", " leading", "back`tick",
    "bra[ck]et", "semi;colon", "per%cent", "sla/sh", "back\\slash", "--comment", "line\nbreak",
    "tab\tchar", "zero\u200bwidth", "%s", ":param", "?", "{brace}", "#hash", "a,b", "a|b", "a(b)",
    "NULL", "123", "```fence", "<b>bold</b>", "%%{init: {}}%%", "direction TB", "pk", "é",
    "e\u0301", "add", "order", "con", "end", "[link](http://x.test)", "😀", "_", "x" * 128,
)  # fmt: skip


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def odd_database(make_db):
    """Build a chain of tables with odd names, each with an odd column, a code and a parent."""
    statements = []
    for number, name in enumerate(ODD):
        parent = ODD[number - 1] if number else name
        statements.append(
            f"CREATE TABLE {quoted(name)} (id INTEGER PRIMARY KEY, {quoted(name + ' ')} TEXT,"
            f" {quoted('code ' + name)} TEXT, {quoted('ref ' + name)} INTEGER"
            f" REFERENCES {quoted(parent)} (id));\n"
            f"INSERT INTO {quoted(name)} VALUES (1, 'v', 'A', 1), (2, 'w', 'A', 1),"
            " (3, 'x', 'B', 1), (4, 'y', 'B', NULL);"
        )
    return make_db("\n".join(statements))


def catalog_of(database):
    found = source.resolve(str(database), Path(), {})
    out = database.parent / "catalog.json"
    scan.build(source=found, settings=KbSettings("test", str(database)), out=out)
    return artifacts.read(out, Catalog)


def profile_of(database, catalog):
    """Measure what the cards show, by plain SQL."""
    tables = []
    with closing(sqlite3.connect(database)) as connection:
        for table in catalog.tables:
            rows = connection.execute(f"SELECT * FROM {quoted(table.object_name)}").fetchall()
            columns = [
                _column_profile(column.name, [row[place] for row in rows])
                for place, column in enumerate(table.columns)
            ]
            tables.append(TableProfile(table.name, len(rows), columns=tuple(columns)))
    return Profile(tuple(tables))


def _column_profile(name, cells):
    kept = [cell for cell in cells if cell is not None]
    counts = sorted({v: kept.count(v) for v in kept}.items(), key=lambda item: (-item[1], item[0]))
    return ColumnProfile(
        name,
        cells.count(None),
        len(counts),
        min(kept, default=None),
        max(kept, default=None),
        values=tuple(ValueCount(*item) for item in counts),
        values_complete=True,
    )


def share():
    return Share(1, 4)


COVERAGE = Coverage(share(), share(), share(), share(), next=("orders.status",))


def book_of(database, *, semantic=None, graph=None, change=lambda profile: profile):
    catalog = catalog_of(database)
    keys = tuple(key for table in catalog.tables for key in table.foreign_keys)
    graph = replace(graph or Graph(), links=(*keys, *(graph.links if graph else ())))
    profile = change(profile_of(database, catalog))
    return open_book(catalog, profile, semantic or Semantic(), graph, COVERAGE)


def built(database, folder, *, semantic_yaml=""):
    """Run the stage from files, as the pipeline does; return the folder of pages."""
    catalog = catalog_of(database)
    keys = tuple(key for table in catalog.tables for key in table.foreign_keys)
    artifacts.write(folder / "catalog.json", catalog)
    artifacts.write(folder / "profile.json", profile_of(database, catalog))
    artifacts.write(folder / "graph.json", Graph(links=keys))
    artifacts.write(folder / "coverage.json", COVERAGE)
    (folder / "semantic.yaml").write_text(semantic_yaml, encoding="utf-8")
    docs.build(
        catalog=folder / "catalog.json",
        profile=folder / "profile.json",
        semantic=folder / "semantic.yaml",
        graph=folder / "graph.json",
        coverage=folder / "coverage.json",
        drafts=folder / "drafts.jsonl",
        out=folder / "docs",
    )
    return folder / "docs"


def fenced(page, language):
    """Return the fenced blocks of one language, closed by a fence as long as the opening one."""
    found = re.finditer(rf"^(`{{3,}}){language}\n(.*?)\n\1$", page, re.MULTILINE | re.DOTALL)
    return [match[2] for match in found]


def cells(row):
    """Split a table row as GitHub does: at pipes that no backslash escapes."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip("|"))]


def without_code(page):
    outside = re.sub(r"^(`{3,}).*?^\1$", "", page, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", outside)


def tables_in(page):
    return [block.splitlines() for block in re.findall(r"(?:^\|.*\n?)+", page, re.MULTILINE)]


def pages_of_catalog(catalog, links=None):
    keys = tuple(key for table in catalog.tables for key in table.foreign_keys)
    graph = Graph(links=keys if links is None else links)
    return docs.pages_of(open_book(catalog, Profile(), Semantic(), graph, COVERAGE))
