"""Two shops whose knowledge graphs are verified, and the files that the stage reads."""

from pipeline import artifacts, graph, scan
from pipeline.database import source
from schemas.models import Graph, KbSettings, Profile

SHOP = """
BEGIN;
CREATE TABLE customer (
    id INTEGER PRIMARY KEY, no TEXT UNIQUE, kind TEXT NOT NULL, name TEXT, store_id INTEGER
);
CREATE TABLE address (id INTEGER PRIMARY KEY, city TEXT);
CREATE TABLE sales_order (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customer(id),
    bill_to_address_id INTEGER REFERENCES address(id),
    ship_to_address_id INTEGER REFERENCES address(id),
    status TEXT
);
CREATE TABLE order_line (
    order_id INTEGER NOT NULL REFERENCES sales_order(id), line_no INTEGER, product_id INTEGER,
    PRIMARY KEY (order_id, line_no)
);
CREATE TABLE note (customer_no TEXT, body TEXT);
INSERT INTO customer VALUES
    (1, 'C1', 'B', 'Ada', 7), (2, 'C2', 'P', 'Bob', NULL), (3, 'C3', 'P', 'Cy', NULL);
INSERT INTO address VALUES (1, 'York'), (2, 'Turku');
INSERT INTO sales_order VALUES
    (10, 1, 1, 2, 'open'), (11, 1, 1, 1, 'paid'), (12, 2, 2, NULL, 'paid');
INSERT INTO order_line VALUES (10, 1, 5), (10, 2, 6), (11, 1, 5);
INSERT INTO note VALUES ('C1', 'hello'), ('C1', 'again'), ('C2', 'x'), ('gone', 'y'), (NULL, 'z');
COMMIT;
"""


class Bench:
    """A database with the files that the stage reads."""

    def __init__(self, folder, database):
        self.folder = folder
        self.source = source.resolve(str(database), folder, {})
        settings = KbSettings(name="shop", source=str(database))
        scan.build(source=self.source, settings=settings, out=folder / "catalog.json")
        self.profile(Profile())

    def profile(self, profile):
        artifacts.write(self.folder / "profile.json", profile)

    def build(self, knowledge="", semantic="", *, with_source=True):
        (self.folder / "semantic.yaml").write_text(semantic, encoding="utf-8")
        (self.folder / "knowledge_graph.yaml").write_text(knowledge, encoding="utf-8")
        self.account = graph.build(
            catalog=self.folder / "catalog.json",
            profile=self.folder / "profile.json",
            semantic=self.folder / "semantic.yaml",
            knowledge_graph=self.folder / "knowledge_graph.yaml",
            out=self.folder / "graph.json",
            source=self.source if with_source else None,
        )
        return artifacts.read(self.folder / "graph.json", Graph)


KNOWLEDGE = """
entities:
  - {name: Customer, table: customer}
  - {name: Order, table: sales_order}
relations:
  - {subject: Customer, predicate: places, object: Order}
"""

DATABASE = """
BEGIN;
CREATE TABLE customer (id INTEGER PRIMARY KEY, no TEXT UNIQUE, kind TEXT NOT NULL);
CREATE TABLE address (id INTEGER PRIMARY KEY, city TEXT);
CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT, is_kit INTEGER NOT NULL DEFAULT 0);
CREATE TABLE staff (id INTEGER PRIMARY KEY, boss_id INTEGER REFERENCES staff(id));
CREATE TABLE sales_order (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER REFERENCES customer(id),
    bill_to_id INTEGER REFERENCES address(id),
    ship_to_id INTEGER REFERENCES address(id)
);
CREATE TABLE order_line (
    order_id INTEGER NOT NULL REFERENCES sales_order(id),
    line_no INTEGER NOT NULL,
    product_id INTEGER NOT NULL REFERENCES product(id),
    PRIMARY KEY (order_id, line_no)
);
CREATE TABLE returned (
    id INTEGER PRIMARY KEY, order_id INTEGER, line_no INTEGER, reason TEXT,
    FOREIGN KEY (order_id, line_no) REFERENCES order_line(order_id, line_no)
);
CREATE TABLE loose_return (id INTEGER PRIMARY KEY, order_id INTEGER, line_no INTEGER);
CREATE TABLE payment (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES sales_order(id));
CREATE TABLE part (
    kit_id INTEGER NOT NULL REFERENCES product(id),
    component_id INTEGER NOT NULL REFERENCES product(id),
    PRIMARY KEY (kit_id, component_id)
);
CREATE TABLE purchase (id INTEGER PRIMARY KEY);
CREATE TABLE movement (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref_id INTEGER);
CREATE TABLE note (id INTEGER PRIMARY KEY, customer_no TEXT, topic TEXT);
CREATE TABLE island (id INTEGER PRIMARY KEY);

INSERT INTO customer VALUES (1, 'C1', 'B'), (2, 'C2', 'P'), (3, 'C3', 'P');
INSERT INTO address VALUES (1, 'York'), (2, 'Turku');
INSERT INTO product VALUES (1, 'Rope', 0), (2, 'Hook', 0), (3, 'Set', 1), (4, 'Big set', 1);
INSERT INTO staff VALUES (1, NULL), (2, 1), (3, 1), (4, 2);
INSERT INTO sales_order VALUES
    (1, 1, 1, 2), (2, 1, 1, 1), (3, 2, 2, NULL), (4, NULL, 2, NULL), (5, 99, 1, 1);
INSERT INTO order_line VALUES (1, 1, 1), (1, 2, 2), (2, 1, 1), (3, 1, 3);
INSERT INTO returned VALUES (1, 1, 1, 'late'), (2, 1, 1, 'torn'), (3, 3, 1, 'late');
INSERT INTO loose_return VALUES (1, 1, 1), (2, 1, 9), (3, NULL, 1);
INSERT INTO payment VALUES (1, 1), (2, 1), (3, 2);
INSERT INTO part VALUES (3, 1), (3, 2), (4, 1), (4, 3);
INSERT INTO purchase VALUES (1), (2), (7);
INSERT INTO movement VALUES
    (1, 'S', 1), (2, 'S', 1), (3, 'S', 77), (4, 'P', 1), (5, 'P', 2), (6, 'X', 1), (7, 'S', NULL);
INSERT INTO note VALUES (1, 'C1', 'call'), (2, 'C1', 'mail'), (3, 'gone', 'call'), (4, NULL, 'x');
COMMIT;
"""

ENTITIES = """
entities:
  - {name: Customer, table: customer}
  - {name: Business, is_a: Customer, filter: kind = 'B'}
  - {name: Address, table: address}
  - {name: Product, table: product}
  - {name: Kit, is_a: Product, filter: is_kit = 1}
  - {name: Employee, table: staff}
  - {name: Order, table: sales_order}
  - {name: Line, table: order_line}
  - {name: Return, table: returned}
  - {name: Loose Return, table: loose_return}
  - {name: Payment, table: payment}
  - {name: Purchase, table: purchase}
  - {name: Movement, table: movement}
  - {name: Note, table: note}
  - {name: Island, table: island}
  - {name: Broken, table: nowhere}
relations:
"""


def codes(item):
    return [problem.code for problem in item.problems]


def entity(bench, text):
    return bench().build(f"entities:\n  - {text}\n").entities[0]


MOVEMENT = (
    "{{subject: Movement, predicate: is caused by, polymorphic: {{column: {column}, "
    "type_column: {type_column}, targets: [{targets}]}}}}"
)
TARGETS = "{type: S, object: Order, predicate: ships}, {type: P, object: Purchase}"


def movement(column="ref_id", type_column="movement.kind", targets=TARGETS):
    return MOVEMENT.format(column=column, type_column=type_column, targets=targets)
