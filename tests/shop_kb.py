"""A small web shop as a knowledge base, built through the stages, for the tests of serving."""

import sqlite3
from contextlib import closing

from pipeline import tasks
from pipeline.kb import Kb

STAGES = ("scan", "profile", "graph", "index")

SQL = """
CREATE TABLE person (
    person_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, modified_date TEXT
);
CREATE TABLE sales_rep (
    person_id INTEGER PRIMARY KEY REFERENCES person(person_id), commission NUMERIC, region TEXT
);
CREATE TABLE customer (
    customer_id INTEGER PRIMARY KEY, company TEXT, country TEXT,
    rep_id INTEGER REFERENCES sales_rep(person_id)
);
CREATE TABLE "Order Header" (
    order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(customer_id),
    status INTEGER, order_date TEXT, total NUMERIC
);
CREATE TABLE order_line (
    order_id INTEGER REFERENCES "Order Header"(order_id), line_no INTEGER,
    product_id INTEGER REFERENCES product(product_id), qty INTEGER,
    PRIMARY KEY (order_id, line_no)
);
CREATE TABLE product (
    product_id INTEGER PRIMARY KEY, product_name TEXT, size CHAR(3), category TEXT
);
CREATE TABLE secret_log (id INTEGER PRIMARY KEY, password TEXT, note TEXT);
INSERT INTO person VALUES (1, 'Ann', 'Zweig', '2024-01-01'), (2, 'Bo', 'Ytter', '2024-01-01');
INSERT INTO sales_rep VALUES (1, 0.1, 'North'), (2, 0.2, 'South');
INSERT INTO customer VALUES (1, 'Alpha', 'Sweden', 1), (2, 'Beta', 'Sweden ', 2),
    (3, 'Gamma', 'Norway', 2);
INSERT INTO "Order Header" VALUES (1, 1, 6, '2024-02-01', 10), (2, 2, 5, '2024-03-01', 20),
    (3, 3, 5, '2024-04-01', 30), (4, 3, 6, '2024-04-02', 30);
INSERT INTO order_line VALUES (1, 1, 1, 2), (2, 1, 2, 1), (3, 1, 3, 4), (4, 1, 3, 1);
INSERT INTO product VALUES (1, 'Mountain Bike', 'H  ', 'Bikes'), (2, 'Helmet, Red', 'S  ', 'Gear'),
    (3, 'Half-Price Lamp', 'S  ', 'Gear'), (4, 'Sock', 'S  ', 'Norway');
INSERT INTO secret_log VALUES (1, 'hunter2', 'x');
"""

SEMANTIC = """
database:
  name: Bike shop
  dialect_notes: ["Totals are in euro."]
tables:
  Order Header:
    description: An order that a customer placed.
    synonyms: [purchase]
    grain: one row per order
    columns:
      status:
        description: How far it has come.
        values: {"5": "shipped", "6": "cancelled, never shipped"}
  secret_log: {description: Internal., hidden: true}
glossary:
  - term: backlog
    definition: Orders that wait.
    sql: SELECT COUNT(*) FROM "Order Header" WHERE status = 5
metrics:
  - name: net sales
    synonyms: [turnover]
    definition: Totals of orders that were not cancelled.
    sql: SELECT SUM(total) FROM "Order Header" WHERE status <> 6
examples:
  - question: Which products were ordered most?
    sql: SELECT product_id, SUM(qty) FROM order_line GROUP BY product_id
"""

GRAPH = """
entities:
  - {name: Customer, table: customer, synonyms: [client]}
  - {name: Nordic Customer, is_a: Customer, filter: "country = 'Norway'", synonyms: [northerner]}
  - {name: Order, table: Order Header}
relations:
  - {subject: Customer, predicate: places, object: Order, cardinality: one_to_many}
"""


def make_kb(folder, sql=SQL, semantic=SEMANTIC, graph=GRAPH, embedder="none", stages=STAGES):
    """Build a knowledge base in `folder` from SQL text and return the folder."""
    kb = folder / "kb"
    kb.mkdir(parents=True)
    with closing(sqlite3.connect(folder / "shop.sqlite")) as connection:
        connection.executescript(sql)
    files = {"semantic.yaml": semantic, "knowledge_graph.yaml": graph}
    files["kb.yaml"] = f"name: shop\nsource: ../shop.sqlite\nembedder: {embedder}\n"
    for name, text in files.items():
        if text:
            (kb / name).write_text(text, encoding="utf-8")
    run(kb, stages)
    return kb


def run(kb, stages=STAGES):
    """Run stages and return their accounts by stage."""
    result = tasks.run(Kb(kb), stages, quiet=True)
    if result.error:
        raise result.error
    return {outcome.stage: outcome.account for outcome in result.done}
