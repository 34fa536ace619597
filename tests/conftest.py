"""Fixtures shared by every test: a real SQLite file built from SQL."""

import sqlite3
from contextlib import closing

import pytest

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
