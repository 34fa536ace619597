"""What people write is read as they wrote it, or refused with the place and the remedy."""

import pytest

from pipeline.authored import (
    load_knowledge_graph,
    load_semantic,
    load_settings,
)
from schemas.models import (
    Domain,
    Entity,
    KbSettings,
    PolymorphicTarget,
    ProfileSettings,
    Relationship,
    Semantic,
    SemanticColumn,
)

SEMANTIC = """\
database:
  name: Shop
  description: Sells gear
  dialect_notes: Times are UTC
  housekeeping_columns: [updated_at]
domains:
  Sales: All that is sold
  People: {description: Staff, tables: ["emp*"]}
tables:
  orders:
    description: Orders of shops
    synonyms: [sales, purchases]
    grain: one row per order
    notes: [First note., Second note.]
    domain: Sales
    hidden: true
    columns:
      id: Identifies the order
      status:
        description: How far it is
        synonyms: state
        values: {N: new, P: paid}
        sensitive: false
        unit: letter
relationships:
  - {from: orders.customer_no, to: customers.no, condition: "customers.kind = 'B'"}
  - {from: [a.x, a.y], to: [b.x, b.y], description: Both}
glossary:
  - {term: churn, synonyms: [loss], definition: Gone, sql: SELECT 1, tables: [orders]}
metrics:
  - {name: revenue, sql: SELECT 2, definition: Sum, synonyms: turnover}
examples:
  - {question: How many?, sql: SELECT 3}
"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="semantic.yaml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.mark.req("SEM-01")
def test_every_key_of_semantic_yaml_reaches_its_model(write):
    semantic = load_semantic(write(SEMANTIC))

    assert semantic.name == "Shop"
    assert semantic.dialect_notes == ("Times are UTC",)
    assert semantic.domains == (
        Domain("Sales", "All that is sold"),
        Domain("People", "Staff", ("emp*",)),
    )
    orders = semantic.tables["orders"]
    assert (orders.grain, orders.notes) == ("one row per order", ("First note.", "Second note."))
    assert (orders.domain, orders.hidden) == ("Sales", True)
    assert orders.columns["id"] == SemanticColumn("Identifies the order")
    assert orders.columns["status"] == SemanticColumn(
        "How far it is", ("state",), {"N": "new", "P": "paid"}, sensitive=False, unit="letter"
    )
    assert semantic.relationships[1] == Relationship(
        ("a.x", "a.y"), ("b.x", "b.y"), description="Both"
    )
    assert semantic.glossary[0].tables == ("orders",)
    assert semantic.metrics[0].synonyms == ("turnover",)
    assert semantic.examples[0].sql == "SELECT 3"


@pytest.mark.req("KG-01")
def test_every_key_of_knowledge_graph_yaml_reaches_its_model(write):
    path = write(
        """\
entities:
  - {name: Order, kind: event, description: Bought, synonyms: buy, table: orders, key: id,
     label: no, filter: "kind = 'x'", attributes: [a, b]}
  - {name: Big order, is_a: Order, key: [a, b]}
relations:
  - {subject: Order, predicate: is placed by, object: Customer, cardinality: many_to_one,
     via: orders.customer_id, on: "a.x = b.y", condition: "1 = 1", description: Who}
  - subject: Movement
    predicate: is caused by
    polymorphic:
      column: ref
      type_column: ref_type
      targets:
        - {type: 1, object: Sale}
        - {type: NO, object: Purchase, predicate: comes from}
"""
    )

    graph = load_knowledge_graph(path)

    assert graph.entities[1] == Entity("Big order", is_a="Order", key=("a", "b"))
    assert graph.entities[0].label == "no"
    assert graph.relations[0].via == ("orders.customer_id",)
    assert graph.relations[1].polymorphic.targets == (
        PolymorphicTarget("1", "Sale"),
        PolymorphicTarget("NO", "Purchase", "comes from"),
    )


def test_settings_are_read_and_variables_are_left_alone(write):
    path = write(
        "source: ${DBLORE_DB}\nschemas: [a, b]\nrescan: 6h\n"
        "profile: {rows: 1000, values: false, sensitive: ['^x']}\n",
        "kb.yaml",
    )

    settings = load_settings(path)

    assert settings == KbSettings(
        name=path.parent.name,
        source="${DBLORE_DB}",
        schemas=("a", "b"),
        rescan="6h",
        profile=ProfileSettings(rows=1000, values=False, stated=True, sensitive=("^x",)),
    )


@pytest.mark.parametrize("text", ["profile: false", "profile: {enabled: false}"])
def test_profiling_can_be_switched_off(write, text):
    assert not load_settings(write(text, "kb.yaml")).profile.enabled


@pytest.mark.parametrize(
    "written", ["NO", "012", "1e3", "2024-01-01", "1.10", "0x1F", "1_000", "yes", "true", "7"]
)
def test_a_plain_text_stays_as_it_was_written(write, written):
    path = write(
        f"tables:\n  t:\n    description: {written}\n"
        f"    columns:\n      c: {{values: {{{written}: {written}}}}}\n"
    )

    table = load_semantic(path).tables["t"]

    assert table.description == written
    assert table.columns["c"].values == {written: written}


def test_blanks_in_a_quoted_code_are_kept(write):
    path = write("tables: {t: {columns: {c: {values: {'H ': high, '': none, null: nothing}}}}}")

    assert load_semantic(path).tables["t"].columns["c"].values == {
        "H ": "high",
        "": "none",
        "null": "nothing",
    }


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "null\n", "\ufeff"])
def test_a_file_that_says_nothing_is_an_empty_model(write, text):
    assert load_semantic(write(text)) == Semantic()


def test_an_absent_file_is_an_empty_model_named_after_its_folder(tmp_path):
    assert load_semantic(tmp_path / "semantic.yaml") == Semantic()
    assert load_settings(tmp_path / "kb.yaml") == KbSettings(name=tmp_path.name)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(write):
    path = write(b"\xef\xbb\xbfdatabase:\r\n  name: Shop\r\n")

    assert load_semantic(path).name == "Shop"


def test_an_alias_repeats_what_its_anchor_holds(write):
    path = write(
        "tables:\n  a: {columns: {s: {values: &codes {N: new}}}}\n"
        "  b: {columns: {s: {values: *codes}}}\n"
    )

    assert load_semantic(path).tables["b"].columns["s"].values == {"N": "new"}
