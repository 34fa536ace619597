"""Entities hold on the data or say why not."""

import pytest

from pipeline import graph
from schemas.models import (
    Catalog,
    Entity,
    KnowledgeGraph,
    Profile,
    Semantic,
)
from tests.graph.kit import codes, entity


@pytest.mark.req("KG-01", part="entities")
@pytest.mark.req("KG-03", part="row counts and key uniqueness")
def test_an_entity_is_counted_and_takes_the_primary_key_of_its_table(bench):
    item = entity(bench, "{name: Order Line, table: ORDER_LINE, kind: event, label: line_no}")

    assert item.status == "verified"
    assert item.table == "order_line"
    assert item.key == ("order_id", "line_no")
    assert (item.rows, item.key_unique) == (3, True)


def test_a_subtype_inherits_table_and_key_and_narrows_the_filter(bench):
    built = bench().build(
        """
entities:
  - {name: Big Shop, is_a: Business, filter: name <> 'Zed'}
  - {name: Business, is_a: Customer, filter: kind = 'B' OR kind = 'X'}
  - {name: Customer, table: customer}
"""
    )

    shop = built.by_entity["Big Shop"]
    assert shop.filter == "(kind = 'B' OR kind = 'X') AND (name <> 'Zed')"
    assert (shop.table, shop.key, shop.rows) == ("customer", ("id",), 1)
    assert [item.entity.name for item in built.entities] == ["Big Shop", "Business", "Customer"]


def test_a_subtype_with_a_table_of_its_own_keeps_its_parents_filter_away(bench):
    built = bench().build(
        """
entities:
  - {name: Party, table: customer, filter: kind = 'B'}
  - {name: Place, table: address, is_a: Party}
"""
    )

    assert built.by_entity["Place"].filter is None
    assert built.by_entity["Place"].rows == 2


@pytest.mark.req("KG-04", part="a key may be composite and defaults to the primary key")
def test_a_key_that_is_not_unique_is_reported_with_figures(bench):
    item = entity(bench, "{name: Note, table: note, key: [customer_no]}")

    assert item.status == "verified"
    assert item.key_unique is False
    assert codes(item) == ["KG013"]
    assert "4 values for 5 rows" in item.problems[0].message


def test_a_table_without_a_key_is_told(bench):
    item = entity(bench, "{name: Note, table: note}")

    assert (item.status, item.key, item.key_unique) == ("verified", (), None)
    assert codes(item) == ["KG014"]


def test_a_filter_that_matches_nothing_is_a_warning(bench):
    item = entity(bench, "{name: Ghost, table: customer, filter: kind = 'Q'}")

    assert (item.status, item.rows) == ("verified", 0)
    assert codes(item) == ["KG011"]


def test_a_filter_that_keeps_every_row_of_the_parent_is_a_warning(bench):
    built = bench().build(
        """
entities:
  - {name: Customer, table: customer}
  - {name: Named, is_a: Customer, filter: name IS NOT NULL}
"""
    )

    assert codes(built.by_entity["Named"]) == ["KG012"]


@pytest.mark.req("KG-02", part="entities: names, nearest names, unsafe filters")
@pytest.mark.req("SAFE-05", part="filters of entities")
@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        pytest.param("{name: A, table: custmer}", "KG003", "did you mean customer?", id="table"),
        pytest.param(
            "{name: A, table: customer, key: [idd]}", "KG004", "did you mean id?", id="key column"
        ),
        pytest.param(
            "{name: A, table: customer, attributes: [nam]}",
            "KG004",
            "did you mean name",
            id="attribute",
        ),
        pytest.param(
            "{name: A, table: customer, label: nmae}", "KG004", "did you mean name", id="label"
        ),
        pytest.param("{name: A, is_a: B}", "KG005", "define the parent", id="no such parent"),
        pytest.param("{name: A, is_a: A}", "KG006", "remove is_a", id="its own parent"),
        pytest.param(
            "{name: A, table: customer, filter: knd = 'B'}",
            "KG009",
            "did you mean kind?",
            id="misspelt filter column",
        ),
        pytest.param(
            "{name: A, table: customer, filter: 'kind = \"B\"'}",
            "KG009",
            "single quotes",
            id="text in double quotes",
        ),
        pytest.param(
            "{name: A, table: customer, filter: kind =}", "KG008", "after WHERE", id="no SQL"
        ),
        pytest.param(
            "{name: A, table: customer, filter: 1 = 1) OR (1 = 1}",
            "KG008",
            "after WHERE",
            id="closes our bracket",
        ),
        pytest.param(
            "{name: A, table: customer, filter: 1 = 1; DROP TABLE customer}",
            "KG008",
            "after WHERE",
            id="two statements",
        ),
        pytest.param(
            "{name: A, table: customer, filter: load_extension('x') = 1}",
            "KG008",
            "",
            id="dangerous function",
        ),
        pytest.param(
            "{name: A, table: customer, filter: id IN (SELECT id FROM sqlite_temp_master)}",
            "KG008",
            "",
            id="table that isn't in the catalogue",
        ),
    ],
)
def test_an_entity_that_does_not_hold_fails_with_code_and_advice(bench, text, code, said):
    item = entity(bench, text)

    assert item.status == "failed"
    assert codes(item) == [code]
    assert said in item.problems[0].fix
    assert item.rows is None


def test_a_filter_may_end_in_a_comment_and_ask_other_tables(bench):
    item = entity(
        bench,
        "{name: Buyer, table: customer, filter: "
        "\"id IN (SELECT customer_id FROM sales_order WHERE status = 'paid') -- paid once\"}",
    )

    assert (item.status, item.rows) == ("verified", 2)


def test_a_circle_of_parents_fails_all_that_are_in_it_or_below(bench):
    built = bench().build(
        """
entities:
  - {name: A, is_a: B}
  - {name: B, is_a: C}
  - {name: C, is_a: B}
  - {name: D, table: customer}
"""
    )

    assert [item.status for item in built.entities] == ["failed", "failed", "failed", "verified"]
    assert codes(built.by_entity["C"]) == ["KG006"]
    assert built.by_entity["C"].problems[0].message == "is_a runs in a circle: B → C → B"
    assert codes(built.by_entity["A"]) == ["KG007"]


def test_of_two_entities_with_one_name_the_second_fails(bench):
    built = bench().build(
        "entities:\n  - {name: Customer, table: customer}\n  - {name: customer, table: address}\n"
    )

    assert [codes(item) for item in built.entities] == [[], ["KG001"]]


def test_an_entity_without_table_or_parent_fails():
    """YAML can't hold one; a proposal can."""
    authored = KnowledgeGraph(entities=(Entity("Nobody"),))

    built = graph.verify(Catalog("sqlite", "x"), Profile(), Semantic(), authored, None)

    assert codes(built.entities[0]) == ["KG002"]
