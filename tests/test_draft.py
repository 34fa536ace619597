"""The draft holds what is undescribed, with suggestions; coverage counts what is described."""

import dataclasses
import json
import logging

import jsonschema
import pytest
import yaml

from pipeline import artifacts, draft, profile, scan
from pipeline.authored import load_semantic
from pipeline.authored.writing import comment, flow, key, scalar
from pipeline.authored.yaml_nodes import data_of, parse
from pipeline.cards import Code, ColumnCard, TableCard
from pipeline.database.source import resolve
from pipeline.draft import kinds
from schemas.models import (
    Catalog,
    Column,
    ColumnProfile,
    Coverage,
    Evidence,
    KbSettings,
    Link,
    Profile,
    Share,
    Table,
    TableProfile,
)

SHOP = """
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, email TEXT, kind TEXT NOT NULL, deleted_at TEXT, updated_at TIMESTAMP
);
CREATE TABLE products (
    sku TEXT PRIMARY KEY, title TEXT, price_cents INTEGER, weight NUMERIC, size TEXT,
    weight_unit TEXT
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id),
    status TEXT NOT NULL, step INTEGER, is_paid INTEGER, total NUMERIC, tax_rate NUMERIC,
    updated_at TIMESTAMP
);
CREATE TABLE order_lines (
    order_id INTEGER REFERENCES orders(id), sku TEXT REFERENCES products(sku), quantity INTEGER,
    PRIMARY KEY (order_id, sku)
);
CREATE TABLE "odd ""name"": #1" ("a: b" TEXT, "line
break" TEXT);
CREATE VIEW open_orders AS
    SELECT o.id, o.status AS state, total * 2 AS doubled FROM orders o WHERE o.status = 'N ';
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO customers SELECT i, 'p' || i || '@mail.test', CASE i % 3 WHEN 0 THEN 'B' ELSE 'P' END,
    CASE WHEN i % 20 = 0 THEN '2024-01-01 10:00:00' END, '2024-02-03 10:00:00' FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
INSERT INTO products SELECT 'SKU-' || i, 'Tent no. ' || i, i * 1000 - 1, i * 1.5, 'M', 'kg' FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
INSERT INTO orders SELECT i, 1 + i % 60, CASE i % 4 WHEN 0 THEN 'N ' WHEN 1 THEN 'P ' ELSE 'S ' END,
    i % 3, i % 2, i * 9.5, 0.1 + (i % 5) * 0.01, '2024-02-03 10:00:00' FROM n;
INSERT INTO order_lines SELECT id, 'SKU-' || (1 + id % 30), 1 + id % 7 FROM orders;
INSERT INTO "odd ""name"": #1" VALUES ('x', 'y'), ('# z', 'a
b');
"""


@pytest.fixture(scope="module")
def facts(tmp_path_factory):
    import sqlite3
    from contextlib import closing

    folder = tmp_path_factory.mktemp("facts")
    with closing(sqlite3.connect(folder / "shop.sqlite")) as connection:
        connection.executescript(SHOP)
    source = resolve(str(folder / "shop.sqlite"), folder, {})
    scan.build(source=source, settings=KbSettings("shop"), out=folder / "catalog.json")
    profile.build(
        source=source,
        settings=KbSettings("shop"),
        catalog=folder / "catalog.json",
        semantic=folder / "semantic.yaml",
        out=folder / "profile.json",
    )
    return folder


@pytest.fixture
def kb(facts, tmp_path):
    class Drafted:
        catalog = artifacts.read(facts / "catalog.json", Catalog)
        profile = artifacts.read(facts / "profile.json", Profile)
        folder = tmp_path
        account = ""

        def build(self, text="", drafts=""):
            artifacts.write(tmp_path / "catalog.json", self.catalog)
            artifacts.write(tmp_path / "profile.json", self.profile)
            (tmp_path / "semantic.yaml").write_text(text, encoding="utf-8")
            (tmp_path / "drafts.jsonl").write_text(drafts, encoding="utf-8")
            self.account = draft.build(
                catalog=tmp_path / "catalog.json",
                profile=tmp_path / "profile.json",
                semantic=tmp_path / "semantic.yaml",
                drafts=tmp_path / "drafts.jsonl",
                out=tmp_path / "semantic.draft.yaml",
                coverage=tmp_path / "coverage.json",
            )
            return (tmp_path / "semantic.draft.yaml").read_text(encoding="utf-8")

        @property
        def semantic(self):
            return load_semantic(tmp_path / "semantic.draft.yaml")

        @property
        def coverage(self):
            return artifacts.read(tmp_path / "coverage.json", Coverage)

        def comment_on(self, table, text, column=None):
            """Give a table, or a column of it, a database comment."""
            tables = []
            for found in self.catalog.tables:
                changed = found
                if found.name == table and column is None:
                    changed = dataclasses.replace(found, comment=text)
                elif found.name == table:
                    columns = tuple(
                        dataclasses.replace(c, comment=text) if c.name == column else c
                        for c in found.columns
                    )
                    changed = dataclasses.replace(found, columns=columns)
                tables.append(changed)
            self.catalog = dataclasses.replace(self.catalog, tables=tuple(tables))

    return Drafted()


@pytest.mark.req("SEM-02", part="without --in-place")
def test_every_undescribed_table_and_column_is_listed_in_the_shape_of_semantic_yaml(kb):
    kb.build()

    listed = {name: set(table.columns) for name, table in kb.semantic.tables.items()}
    expected = {
        t.name: {c.name for c in t.columns if c.name != "updated_at"} for t in kb.catalog.tables
    }
    assert listed == expected
    schema = json.loads((artifacts.SCHEMAS / "semantic.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(data_of(parse(kb.folder / "semantic.draft.yaml")), schema)


def test_the_draft_is_the_same_for_every_yaml_reader(kb):
    text = kb.build()

    assert set(yaml.safe_load(text)["tables"]) == {t.name for t in kb.catalog.tables}


def test_what_is_described_is_not_listed_again(kb):
    kb.build("tables: {orders: {description: Orders, grain: one, columns: {total: Sum}}}")

    orders = kb.semantic.tables["orders"]
    assert orders.description == ""
    assert orders.grain is None
    assert orders.columns["total"].description == ""
    assert "customer_id" in orders.columns


def test_codes_are_listed_as_stored_with_their_counts(kb):
    text = kb.build()

    assert kb.semantic.tables["orders"].columns["status"].values == {"N ": "", "P ": "", "S ": ""}
    assert "'N ': ''  # measured: 50 rows" in text
    assert kb.semantic.tables["orders"].columns["step"].values == {"0": "", "1": "", "2": ""}
    assert kb.semantic.tables["orders"].columns["is_paid"].values == {}
    assert kb.semantic.tables["products"].columns["title"].values == {}


def test_only_codes_without_a_meaning_are_asked_for(kb):
    kb.build("tables: {orders: {columns: {status: {description: x, values: {N: new, P: paid}}}}}")

    assert kb.semantic.tables["orders"].columns["status"].values == {"S ": ""}


@pytest.mark.req("SEM-02", part="without --in-place")
def test_database_comments_are_reused_and_say_so(kb):
    kb.comment_on("orders", "What customers bought")
    kb.comment_on("orders", "Step: 0 = begun; 1 = packed, 2: gone.", column="step")

    text = kb.build()

    assert "    description: What customers bought  # from: database comment" in text
    assert kb.semantic.tables["orders"].columns["step"].values == {
        "0": "begun",
        "1": "packed",
        "2": "gone",
    }
    assert "          1: packed  # from: database comment; measured: 67 rows" in text


def test_values_of_sensitive_columns_are_never_shown(kb):
    text = kb.build("tables: {products: {columns: {title: {sensitive: true}}}}")

    assert "@mail.test" not in text
    assert "Tent no." not in text
    assert "email: ''  # TEXT; sensitive" in text


def test_the_grain_is_guessed_from_keys(kb):
    text = kb.build()

    assert "    grain: one row per order_id, sku  # from: primary key" in text
    assert kb.semantic.tables["order_lines"].description == "Connects orders and products."


def test_keys_and_references_say_what_they_are(kb):
    kb.build()

    columns = kb.semantic.tables["orders"].columns
    assert columns["id"].description == "Identifies the order."
    assert columns["customer_id"].description == "Customer of the order; refers to customers."


def test_a_column_that_a_view_passes_on_says_where_it_comes_from(kb):
    kb.build("tables: {orders: {columns: {id: The number on the bill}}}")

    columns = kb.semantic.tables["open_orders"].columns
    assert columns["id"].description == "The number on the bill"
    assert columns["state"].description == "The same as orders.status."
    assert columns["doubled"].description == ""


def test_units_are_asked_for_and_suggested_where_facts_tell(kb):
    text = kb.build()

    orders = kb.semantic.tables["orders"].columns
    assert "        unit: ''" in text
    assert orders["tax_rate"].unit == "fraction of 1"
    products = kb.semantic.tables["products"].columns
    assert products["weight"].unit == "the unit that weight_unit names"
    assert products["price_cents"].unit is None


@pytest.mark.req("SEM-04", part="detected")
def test_bookkeeping_is_proposed_once_and_asks_for_nothing(kb):
    text = kb.build()

    assert kb.semantic.housekeeping_columns == ("updated_at",)
    assert "in 2 tables" in text
    kb.build("database: {housekeeping_columns: [updated_at]}")
    assert kb.semantic.housekeeping_columns == ()


def test_deleted_rows_are_a_note_until_somebody_notes_it(kb):
    kb.build()

    note = "Leave out deleted rows of customers, unless asked for them: deleted_at IS NULL."
    assert kb.semantic.dialect_notes == (note,)
    kb.build("database: {dialect_notes: [Mind deleted_at]}")
    assert kb.semantic.dialect_notes == ()


def test_measured_joins_are_suggested_with_their_evidence(kb):
    sure = Link(
        "order_lines", ("sku",), "customers", ("kind",), "inferred",
        evidence=Evidence("full", rows=1200, matched_share=1.0),
    )  # fmt: skip
    unsure = dataclasses.replace(
        sure, columns=("quantity",), evidence=Evidence("full", rows=9, matched_share=0.7)
    )
    kb.profile = dataclasses.replace(kb.profile, joins=(sure, unsure))

    text = kb.build()

    (join,) = kb.semantic.relationships
    assert (join.from_columns, join.to_columns) == (("order_lines.sku",), ("customers.kind",))
    assert "# measured: all of 1,200 references find a row" in text
    kb.build("relationships: [{from: customers.kind, to: order_lines.sku}]")
    assert kb.semantic.relationships == ()


def test_the_condition_of_a_measured_join_is_kept(kb):
    join = Link(
        "order_lines", ("quantity",), "orders", ("id",), "inferred",
        condition="order_lines.sku = 'SKU-1'", evidence=Evidence("full", 40, 1.0),
    )  # fmt: skip
    other = dataclasses.replace(join, to_table="customers", condition="order_lines.sku = 'x: y'")
    kb.profile = dataclasses.replace(kb.profile, joins=(join, other))

    kb.build()

    found = {join.to_columns: join.condition for join in kb.semantic.relationships}
    assert found == {
        ("orders.id",): "order_lines.sku = 'SKU-1'",
        ("customers.id",): "order_lines.sku = 'x: y'",
    }
    assert kb.semantic.tables["order_lines"].columns["quantity"].description == (
        "Quantity of the order line; refers to customers or orders, depending on its type."
    )


@pytest.mark.parametrize(
    ("name", "family", "values", "coded"),
    [
        pytest.param("status", "integer", (1, 2, 5), True, id="numbered status"),
        pytest.param("whim", "integer", (0, 1, 2), True, id="small numbers from 0"),
        pytest.param("stars", "integer", (1, 2, 3, 4, 5), False, id="plural is a count"),
        pytest.param("reorder_point", "integer", (5, 10, 15), False, id="far apart"),
        pytest.param("quantity", "integer", (1, 2, 3), False, id="measure"),
        pytest.param("is_paid", "integer", (0, 1), False, id="yes or no"),
        pytest.param("kind", "text", ("P ", "B "), True, id="letters"),
        pytest.param("active", "text", ("Y", "N"), False, id="yes or no in letters"),
        pytest.param("status", "text", ("open", "paid", "cancelled"), False, id="plain words"),
        pytest.param("country", "text", ("GB", "FI", "SE"), False, id="public codes"),
        pytest.param("size", "text", ("44", "46", "48", "M"), False, id="sizes"),
        pytest.param("agent_init", "text", ("BMD", "AKL"), False, id="initials"),
    ],
)
def test_codes_are_told_from_words_counts_and_answers(name, family, values, coded):
    column = ColumnCard(
        Column(name, "", family),
        ColumnProfile(name),
        codes=tuple(Code(value, count=9) for value in values),
        codes_complete=True,
    )
    card = TableCard(Table("t", "t", columns=(column.column,)), TableProfile("t"), (column,))

    assert kinds.is_coded(card, column) is coded


def test_texts_of_a_model_are_marked_as_drafted(kb):
    entry = {"target": "orders.total", "field": "description", "model": "m-1", "date": "2026-01-02"}
    lines = [
        json.dumps({**entry, "text": "Old"}),
        json.dumps({**entry, "text": "What is paid: all in all"}),
        json.dumps({**entry, "target": "orders.status", "field": "values.N ", "text": "new"}),
    ]

    text = kb.build(drafts="\n".join(lines))

    assert kb.semantic.tables["orders"].columns["total"].description == "What is paid: all in all"
    assert "  # drafted by m-1 on 2026-01-02" in text
    assert kb.semantic.tables["orders"].columns["status"].values["N "] == "new"


def test_a_damaged_line_of_drafts_is_left_out_with_a_warning(kb, caplog):
    with caplog.at_level(logging.WARNING, "dblore.draft"):
        kb.build(drafts="no json\n[]\n")

    assert [record.getMessage().partition("drafts.jsonl")[2] for record in caplog.records] == [
        ":1 is no draft and is left out",
        ":2 is no draft and is left out",
    ]


def test_a_name_that_is_not_there_is_a_warning_and_all_else_is_used(kb, caplog):
    with caplog.at_level(logging.WARNING, "dblore.draft"):
        kb.build("tables:\n  orders:\n    description: x\n    columns:\n      totl: y\n")

    (record,) = caplog.records
    assert "semantic.yaml:5: table orders has no column `totl`" in record.getMessage()
    assert "did you mean total?" in record.getMessage()
    assert kb.coverage.tables.done == 1


@pytest.mark.req("B8", part="described, codes, units")
def test_coverage_counts_what_is_described(kb):
    kb.build()
    before = kb.coverage
    kb.build(
        """\
tables:
  orders:
    description: Orders
    columns:
      status: {description: x, values: {N: a, P: b, S: c}}
      total: {unit: EUR}
      updated_at: counts from now on, as somebody described it
  products: {hidden: true}
domains: {Sales: {tables: [order*]}}
"""
    )

    after = kb.coverage
    assert before.tables == Share(0, 6)
    assert before.columns == Share(0, 25)
    assert before.codes == Share(0, 3)
    assert before.units == Share(1, 4)
    assert before.domains == ()
    assert after.tables == Share(1, 5)
    assert after.columns == Share(2, 20)
    assert after.codes == Share(1, 3)
    assert after.units == Share(1, 2)
    assert [(d.domain, d.tables) for d in after.domains] == [
        ("Sales", Share(1, 2)),
        ("(no domain)", Share(0, 3)),
    ]


def test_the_most_useful_things_come_first(kb):
    kb.build()

    assert kb.coverage.next[0] == "orders"
    assert len(kb.coverage.next) == 10
    assert next(iter(kb.semantic.tables)) == "orders"
    assert next(iter(kb.semantic.tables["orders"].columns)) in {"status", "step"}


def test_a_described_database_leaves_an_empty_draft(kb):
    lines = ["tables:"]
    for table in kb.catalog.tables:
        lines += [f"  {key(table.name)}:", "    description: x", "    grain: x", "    columns:"]
        for column in table.columns:
            values = "{'N ': x, 'P ': x, 'S ': x, B: x, P: x, 0: x, 1: x, 2: x}"
            lines.append(f"      {key(column.name)}: {{description: x, unit: x, values: {values}}}")

    kb.build("\n".join(lines))

    assert kb.semantic.tables == {}
    assert kb.account.startswith("6/6 tables and 27/27 columns described")


def test_people_s_file_keeps_its_bytes(kb):
    text = "tables:   # mine\n  orders: {description: 'x'}\n"

    kb.build(text)

    assert (kb.folder / "semantic.yaml").read_text(encoding="utf-8") == text


def test_two_builds_write_the_same_bytes(kb):
    assert kb.build() == kb.build()


@pytest.mark.parametrize(
    "text",
    ["", " ", "a", "NO", "null", "~", "1", "012", "1e3", "a: b", "a #b", "- a", "it's", 'say "x"',
     "line\nbreak", "tab\t", "\x00", "\u2028", "é", "😀", "{a}", "[a]", "*a", "&a", "!a", "%a",
     "@a", "`a`", "a\\b", "#a", "key:", "=", "<<", "2024-01-01", "x, y"],
)  # fmt: skip
def test_any_text_survives_the_way_through_yaml(text):
    line = f"{key(text)}: {scalar(text)}  {comment(text)}\nlist: {flow((text, 'b'))}\n"

    data = yaml.safe_load(line)

    assert data["list"] == [text, "b"]
    assert {str(k): v for k, v in data.items() if k != "list"} == {text: text}


def test_half_a_character_becomes_a_replacement():
    assert yaml.safe_load(scalar("a\ud800b")) == "a\ufffdb"
