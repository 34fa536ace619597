"""Fixtures shared by every test: a real SQLite file built from SQL."""

import sqlite3
from contextlib import closing

import pytest

from pipeline.kb import Kb
from tests import build_kb

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, country TEXT NOT NULL);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers(id),
    status TEXT NOT NULL,
    note TEXT
);
INSERT INTO customers VALUES (1, 'a@x.test', 'GB'), (2, 'b@x.test', 'FI');
INSERT INTO orders VALUES (10, 1, 'open', NULL), (11, 1, 'paid', 'gift'), (12, 2, 'paid', NULL);
"""


def pytest_addoption(parser):
    parser.addoption(
        "--require-engines",
        action="store_true",
        help="fail, instead of skip, where a database server is absent",
    )


@pytest.fixture
def make_db(tmp_path):
    """Return a function that builds a SQLite file from SQL and gives back its path."""

    def make(sql=SHOP, name="source.sqlite"):
        path = tmp_path / name
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(sql)
        return path

    return make


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def shop(tmp_path, make_db):
    """Return a knowledge base over the shop that was never built."""
    folder = tmp_path / "kb" / "shop"
    folder.mkdir(parents=True)
    make_db(build_kb.SHOP)
    (folder / "kb.yaml").write_text("name: shop\nsource: ../../source.sqlite\n", encoding="utf-8")
    (folder / "semantic.yaml").write_text(build_kb.SEMANTIC, encoding="utf-8")
    (folder / "knowledge_graph.yaml").write_text(build_kb.KNOWLEDGE_GRAPH, encoding="utf-8")
    return Kb(folder)


@pytest.fixture
def built(shop):
    """Return the same, built."""
    assert build_kb.stages_run(shop) == list(build_kb.ALL)
    return shop
