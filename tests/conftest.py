"""Fixtures shared by every test: a real SQLite file built from SQL."""

import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from pipeline.kb import Kb
from tests import build_kb, demo_kb

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
        return make_sqlite(tmp_path / name, sql)

    return make


def make_sqlite(path, sql):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(sql)
    return path


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """Return the demo, built once for all processes of the test run; to read only."""
    base = tmp_path_factory.getbasetemp()
    return demo_kb.built(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def shop(tmp_path):
    """Return a knowledge base over the shop that was never built."""
    return shop_in(tmp_path)


@pytest.fixture(scope="session")
def built_shop(tmp_path_factory):
    """Return the folder of such a one that is built, for copies."""
    folder = tmp_path_factory.mktemp("built")
    assert build_kb.stages_run(shop_in(folder)) == list(build_kb.ALL)
    return folder


@pytest.fixture
def built(built_shop, tmp_path):
    """Return the same, built."""
    shutil.copytree(built_shop, tmp_path, dirs_exist_ok=True)
    return Kb(tmp_path / "kb" / "shop")


def shop_in(folder):
    kb = Kb(folder / "kb" / "shop")
    kb.folder.mkdir(parents=True)
    make_sqlite(folder / "source.sqlite", build_kb.SHOP)
    kb.settings.write_text("name: shop\nsource: ../../source.sqlite\n", encoding="utf-8")
    kb.semantic.write_text(build_kb.SEMANTIC, encoding="utf-8")
    kb.knowledge_graph.write_text(build_kb.KNOWLEDGE_GRAPH, encoding="utf-8")
    return kb
