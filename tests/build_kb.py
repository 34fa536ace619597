"""A small shop as a knowledge base that was never built, and how tests build it."""

import dataclasses
import hashlib
import sqlite3
from contextlib import closing

from pipeline import lock, tasks

SHOP = """
CREATE TABLE countries (code TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, email TEXT, country TEXT NOT NULL REFERENCES countries(code)
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers(id),
    status TEXT NOT NULL,
    amount_cents INTEGER NOT NULL
);
INSERT INTO countries VALUES ('GB', 'Great Britain'), ('FI', 'Finland');
INSERT INTO customers VALUES (1, 'a@x.test', 'GB'), (2, 'b@x.test', 'FI'), (3, NULL, 'FI');
INSERT INTO orders VALUES (10, 1, 'O', 100), (11, 1, 'P', 250), (12, 2, 'P', 75), (13, 3, 'C', 5);
"""
SEMANTIC = """\
database:
  name: Shop
tables:
  orders:
    description: One row per order.
    columns:
      status:
        description: Where the order stands.
        values: {O: open, P: paid, C: cancelled}
metrics:
  - name: revenue
    definition: Paid orders, in cents.
    sql: SELECT SUM(amount_cents) FROM orders WHERE status = 'P'
examples:
  - question: How many orders are open?
    sql: SELECT COUNT(*) FROM orders WHERE status = 'O'
"""
KNOWLEDGE_GRAPH = """\
entities:
  - {name: Customer, table: customers}
  - {name: Order, table: orders, kind: event}
relations:
  - {subject: Order, predicate: placed_by, object: Customer, cardinality: many_to_one}
"""
ALL = tuple(stage.name for stage in tasks.STAGES)


def stages_run(kb, stages=(), **how):
    result = tasks.run(kb, stages, quiet=True, **how)
    assert result.error is None
    return [outcome.stage for outcome in result.done]


def change(kb, sql):
    with closing(sqlite3.connect(kb.folder / "../../source.sqlite")) as connection:
        connection.executescript(sql)


def contents(kb):
    """Every artifact with the hash of its bytes; times that the lock notes are left out."""
    found = {}
    for path in sorted(kb.folder.rglob("*")):
        name = path.relative_to(kb.folder).as_posix()
        if path.is_file() and name != "kb.lock.json" and not name.startswith("build/"):
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    for path in sorted((kb.index / (kb.index / "current").read_text("utf-8").strip()).iterdir()):
        found[f"index/{path.name}"] = hashlib.sha256(path.read_bytes()).hexdigest()
    stages = lock.read(kb).stages
    found["lock"] = repr(sorted((name, dataclasses.astuple(s)) for name, s in stages.items()))
    return found
