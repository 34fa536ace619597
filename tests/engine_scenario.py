"""One shop on every engine that is tested: its DDL, its rows, and what people wrote about it."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass

from tests import engines, mariadb_databases, postgres_databases

TABLES = (
    "CREATE TABLE country (code CHAR(2) PRIMARY KEY, name VARCHAR(40) NOT NULL)",
    (
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, email VARCHAR(80) NOT NULL UNIQUE, "
        "country_code CHAR(2) NOT NULL REFERENCES country (code))"
    ),
    (
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES "
        "customer (id), status VARCHAR(8) NOT NULL, total DECIMAL(10,2) CHECK (total >= 0))"
    ),
    (
        'CREATE TABLE "Order Line" (order_id INTEGER NOT NULL REFERENCES orders (id), '
        '"line no." INTEGER NOT NULL, "select" INTEGER, PRIMARY KEY (order_id, "line no."))'
    ),
    "CREATE TABLE refund (id INTEGER PRIMARY KEY, order_id INTEGER, reason VARCHAR(20))",
    "CREATE VIEW paid AS SELECT id, total FROM orders WHERE status = 'paid'",
)
ROWS = (
    "INSERT INTO country VALUES ('GB', 'Great Britain'), ('FI', 'Finland'), ('SE', 'Sweden')",
    "INSERT INTO customer VALUES "
    + ", ".join(f"({n}, 'c{n}@mail.test', '{('GB', 'FI', 'SE')[n % 3]}')" for n in range(1, 21)),
    "INSERT INTO orders VALUES "
    + ", ".join(
        f"({n}, {n % 20 + 1}, '{('paid', 'open')[n % 4 == 0]}', {n}.50)" for n in range(101, 161)
    ),
    'INSERT INTO "Order Line" VALUES '
    + ", ".join(f"({n}, {line}, {n + line})" for n in range(101, 161) for line in (1, 2)),
    "INSERT INTO refund VALUES " + ", ".join(f"({n}, {100 + 4 * n}, 'late')" for n in range(1, 13)),
)
COMMENTS = (
    "COMMENT ON TABLE orders IS 'What was bought'",
    "COMMENT ON COLUMN orders.total IS 'In euro'",
)
COMMENTS_OF_MYSQL = (
    "ALTER TABLE orders COMMENT 'What was bought'",
    "ALTER TABLE orders MODIFY total DECIMAL(10,2) COMMENT 'In euro' CHECK (total >= 0)",
)

SEMANTIC = """\
tables:
  orders:
    description: One row per order.
    columns:
      status: {description: How far it is., values: {paid: paid in full, open: not paid yet}}
metrics:
  - name: turnover
    definition: Money from paid orders.
    sql: SELECT SUM(total) FROM orders WHERE status = 'paid'
examples:
  - question: How many lines has order 101?
    sql: SELECT COUNT(*) FROM {lines} WHERE order_id = 101
  - question: How much was sold per status?
    sql: >-
      SELECT status, COUNT(*) AS n, SUM(total) AS total, AVG(total) AS mean, MAX(NULL) AS none
      FROM orders GROUP BY status
    expect: {columns: [status, n, total, mean, none], rows: 2,
      checksum: v1-a73365d3d081147af4351d08e6965cf8}
"""
GRAPH = """\
entities:
  - {name: Customer, table: customer}
  - {name: Order, table: orders, kind: event}
  - {name: Paid order, is_a: Order, filter: orders.status = 'paid'}
relations:
  - {subject: Order, predicate: placed_by, object: Customer, cardinality: many_to_one}
"""


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine that the scenario runs on."""

    title: str
    dialect: str
    tested: tuple[str, ...]
    """Versions: of a server the first numbers of its version, else of the package."""
    make: Callable[..., AbstractContextManager[str]]
    """Makes the database, by pytest's request and a folder, and gives `source:`."""
    has_comments: bool = True


def _backticks(text):
    return text.replace('"', "`")


@contextmanager
def _sqlite(_request, folder):
    path = folder / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(";".join((*TABLES, *ROWS)))
    yield str(path)


@contextmanager
def _duckdb(_request, folder):
    import duckdb  # an absent driver is a failure

    path = folder / "shop.duckdb"
    with closing(duckdb.connect(str(path))) as connection:
        connection.execute(";".join((*TABLES, *ROWS, *COMMENTS)))
    yield str(path)


@contextmanager
def _postgres(request, _folder):
    server = engines.server("postgres", required=request.config.getoption("require_engines"))
    ddl = (*TABLES, *ROWS, *COMMENTS)
    with postgres_databases.database(server, "scenario", *ddl) as source:
        yield source.url


@contextmanager
def _mariadb(request, _folder):
    server = engines.server("mariadb", required=request.config.getoption("require_engines"))
    name = mariadb_databases.own("scenario")
    ddl = map(_backticks, (*TABLES, *ROWS, *COMMENTS_OF_MYSQL))
    try:
        mariadb_databases.run(server.url, f"CREATE DATABASE {name}", f"USE {name}", *ddl)
        yield mariadb_databases.named(server, database=name).url
    finally:
        mariadb_databases.run(server.url, f"DROP DATABASE IF EXISTS {name}")


ENGINES = (
    Engine("SQLite", "sqlite", ("3",), _sqlite, has_comments=False),
    Engine("DuckDB", "duckdb", ("2",), _duckdb),
    Engine("PostgreSQL", "postgres", ("15",), _postgres),
    Engine("MariaDB", "mysql", ("10.11",), _mariadb),
)
"""What is `tested` in docs/reference/engines.md."""


def quoted(name, engine):
    """Return a name as SQL of the engine."""
    return f"`{name}`" if engine.dialect == "mysql" else f'"{name}"'
