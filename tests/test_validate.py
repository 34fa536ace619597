"""Every statement that people wrote is run, and what came of it is reported."""

import pytest

from pipeline import artifacts, scan, validate
from pipeline.database.source import resolve
from schemas.models import Graph, KbSettings, Validation

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, country TEXT NOT NULL);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id),
    status TEXT NOT NULL
);
CREATE TABLE legacy (cust INTEGER, kind TEXT, other INTEGER);
INSERT INTO customers VALUES (1, 'a@x.test', 'GB'), (2, 'b@x.test', 'FI');
INSERT INTO orders VALUES (10, 1, 'open'), (11, 1, 'paid'), (12, 2, 'paid');
INSERT INTO legacy VALUES (1, 'a', 77), (2, 'b', 78);
"""

SEMANTIC = """\
examples:
- {question: How many orders?, sql: SELECT COUNT(*) AS orders FROM orders}
- {question: Which are late?, sql: SELECT late FROM orders}
- {question: Remove all?, sql: DELETE FROM orders}
metrics:
- name: orders per country
  sql: >-
    SELECT c.country, COUNT(*) AS n FROM orders o
    JOIN customers c ON c.id = o.customer_id GROUP BY 1
glossary:
- {term: paid order, tables: [orders], sql: "status = 'paid'"}
- {term: British order, tables: [orders, customers], sql: "customers.country = 'GB'"}
- {term: shout, tables: customers, sql: "upper(customers.country)"}
- {term: nowhere, sql: "status = 'paid'"}
- {term: only words, definition: has no SQL}
relationships:
- {from: legacy.cust, to: customers.id}
- {from: legacy.cust, to: customers.id, condition: "legacy.kind = 'a'"}
- {from: legacy.other, to: customers.id}
- {from: legacy.kust, to: customers.id}
tables:
  orders: {columns: {statuss: x}}
"""


@pytest.fixture
def kb(make_db, tmp_path):
    class Built:
        source = resolve(str(make_db(SHOP)), tmp_path, {})
        folder = tmp_path
        account = ""

        def validate(self, text, source="own"):
            (tmp_path / "semantic.yaml").write_text(text, encoding="utf-8")
            self.account = validate.build(
                catalog=tmp_path / "catalog.json",
                semantic=tmp_path / "semantic.yaml",
                graph=tmp_path / "graph.json",
                out=tmp_path / "validation.json",
                report=tmp_path / "validation.md",
                source=self.source if source == "own" else source,
            )
            items = artifacts.read(tmp_path / "validation.json", Validation).items
            return {item.name: item for item in items}

    built = Built()
    catalog = tmp_path / "catalog.json"
    scan.build(source=built.source, settings=KbSettings("shop"), out=catalog)
    links = [
        link
        for table in artifacts.read(catalog, scan.Catalog).tables
        for link in table.foreign_keys
    ]
    artifacts.write(tmp_path / "graph.json", Graph(links=tuple(links)))
    return built


@pytest.mark.req("VAL-01")
def test_each_statement_is_run_and_each_failure_has_its_cause(kb):
    items = kb.validate(SEMANTIC)

    status = {name: item.status for name, item in items.items()}
    assert status == {
        "semantic.yaml:22": "failed",
        "How many orders?": "ok",
        "Which are late?": "failed",
        "Remove all?": "failed",
        "orders per country": "ok",
        "paid order": "ok",
        "British order": "ok",
        "shout": "ok",
        "nowhere": "failed",
        "legacy.cust = customers.id": "ok",
        "legacy.other = customers.id": "failed",
        "legacy.kust = customers.id": "failed",
    }
    assert items["How many orders?"].columns == ("orders",)
    assert items["orders per country"].rows == 2
    assert "late" in items["Which are late?"].cause
    assert items["Remove all?"].cause.startswith("refused: ")
    assert items["legacy.other = customers.id"].cause == "the join finds no row"
    assert items["legacy.kust = customers.id"].cause == "table legacy has no column `kust`"
    assert kb.account == "7 of 12 statements ran, 5 failed, 1 unknown name in semantic.yaml"


def test_a_condition_of_a_join_is_part_of_what_is_run(kb):
    text = (
        "relationships:\n"
        "- {from: legacy.cust, to: customers.id, condition: \"legacy.kind = 'a'\"}\n"
    )

    items = kb.validate(text)

    assert items["legacy.cust = customers.id"].rows == 1


def test_the_report_says_what_to_do_and_leaves_no_room_for_markup(kb):
    kb.validate('examples:\n- {question: "a | <b> `c`\\n# d", sql: SELECT nothing}\n')

    report = (kb.folder / "validation.md").read_text(encoding="utf-8")
    assert report.startswith("# Validation\n\n0 of 1 statements ran, 1 failed.\n")
    assert "| example | a \\| \\<b\\> \\`c\\` \\# d | semantic.yaml:2 |" in report


def test_without_a_database_statements_are_skipped_with_the_reason(kb):
    items = kb.validate(SEMANTIC, source=None)

    assert {i.status for i in items.values() if i.kind != "name"} == {"skipped"}
    assert items["How many orders?"].cause == "the database can't be reached"


def test_a_database_that_cannot_be_opened_skips_and_does_not_raise(kb):
    kb.source.path.unlink()

    items = kb.validate("examples:\n- {question: a, sql: SELECT 1}\n")

    assert items["a"].status == "skipped"


def test_two_runs_write_the_same_bytes(kb):
    kb.validate(SEMANTIC)
    first = (kb.folder / "validation.json").read_bytes(), (kb.folder / "validation.md").read_bytes()

    kb.validate(SEMANTIC)

    assert first == (
        (kb.folder / "validation.json").read_bytes(),
        (kb.folder / "validation.md").read_bytes(),
    )


def test_nothing_to_run_is_said_plainly(kb):
    assert kb.validate("") == {}
    assert kb.account.startswith("no statements to run")
