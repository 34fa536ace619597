"""Relations are accepted when their join runs on the data, with what was counted."""

import pytest

from tests.graph.kit import codes


def taken(item):
    return [(link.table, *link.columns) for link in item.links]


@pytest.mark.req("KG-03", part="joined pairs, unmatched references, cardinality, null share")
def test_a_reference_is_counted_with_what_it_misses(relate):
    item = relate("{subject: Order, predicate: is placed by, object: Customer}")

    assert item.status == "verified"
    assert (item.pairs, item.unmatched, item.cardinality) == (3, 1, "many_to_one")
    assert item.links[0].evidence.null_share == 0.2
    assert codes(item) == ["KG114"]
    assert "1 reference finds nothing" in item.problems[0].message


def test_the_same_reference_reads_the_other_way_round(relate):
    item = relate("{subject: Customer, predicate: places, object: Order}")

    assert (item.pairs, item.unmatched, item.cardinality) == (3, 1, "one_to_many")


def test_filters_of_both_ends_apply(relate):
    item = relate("{subject: Business, predicate: places, object: Order}")

    assert (item.pairs, item.cardinality) == (2, "one_to_many")


def test_a_bridge_is_found_and_the_cardinality_is_that_of_the_ends(relate):
    item = relate("{subject: Order, predicate: contains, object: Product}")

    assert taken(item) == [("order_line", "order_id"), ("order_line", "product_id")]
    assert (item.pairs, item.cardinality) == (4, "many_to_many")


def test_a_composite_key_needs_no_via(relate):
    item = relate("{subject: Return, predicate: sends back, object: Line}")

    assert taken(item) == [("returned", "order_id", "line_no")]
    assert (item.pairs, item.unmatched, item.cardinality) == (3, 0, "many_to_one")


@pytest.mark.parametrize(
    "via",
    [
        pytest.param("[returned.order_id, returned.line_no]", id="both columns"),
        pytest.param("[returned.line_no, RETURNED.ORDER_ID]", id="any order and case"),
        pytest.param("[returned.line_no]", id="one of them"),
    ],
)
def test_via_names_a_composite_key_by_its_columns(relate, via):
    item = relate(f"{{subject: Return, predicate: sends back, object: Line, via: {via}}}")

    assert item.status == "verified"
    assert taken(item) == [("returned", "order_id", "line_no")]


@pytest.mark.req("KG-04", part="via picks one of several links, its absence is warned about")
def test_two_roles_without_via_are_warned_about_with_the_alternatives(relate):
    item = relate("{subject: Order, predicate: goes to, object: Address}")

    assert item.status == "verified"
    assert "KG108" in codes(item)
    assert item.problems[0].fix == (
        "choose one: via: [sales_order.bill_to_id] or [sales_order.ship_to_id]"
    )


def test_via_picks_the_role(relate):
    item = relate(
        "{subject: Order, predicate: goes to, object: Address, via: [sales_order.ship_to_id]}"
    )

    assert (item.pairs, item.links[0].label) == (3, "ship to")
    assert codes(item) == []


def test_a_self_reference_reads_from_the_one_who_refers(relate):
    item = relate("{subject: Employee, predicate: reports to, object: Employee}")

    assert (item.pairs, item.cardinality) == (3, "many_to_one")


def test_a_self_reference_declared_one_to_many_reads_the_other_way(relate):
    item = relate(
        "{subject: Employee, predicate: leads, object: Employee, via: [staff.boss_id], "
        "cardinality: one_to_many}"
    )

    assert item.cardinality == "one_to_many"
    assert codes(item) == []


def test_a_bill_of_materials_goes_out_by_one_key_and_back_by_the_other(relate):
    item = relate(
        "{subject: Kit, predicate: is made of, object: Product, "
        "via: [part.kit_id, part.component_id]}"
    )

    assert (item.pairs, item.cardinality) == (4, "many_to_many")
    assert [link.label for link in item.links] == ["kit", "component"]


@pytest.mark.req("KG-04", part="on joins undeclared columns and counts unmatched rows")
def test_on_joins_columns_that_no_key_joins(build):
    built = build(
        "{subject: Note, predicate: is about, object: Customer, "
        "on: note.customer_no = customer.no, description: Whom a note is about}"
    )

    (item,) = built.relations
    assert (item.pairs, item.unmatched, item.cardinality) == (2, 1, "many_to_one")
    (link,) = [link for link in built.links if link.origin == "verified"]
    assert (link.table, link.to_table, link.cost) == ("note", "customer", 1.1)
    assert link.description == "Whom a note is about"
    assert link.evidence.covered_share == round(1 / 3, 6)


def test_on_may_read_either_way_and_name_entities(relate):
    item = relate(
        "{subject: Customer, predicate: has, object: Loose Return, "
        "on: '\"Loose Return\".order_id = Customer.id AND (customer.id = loose_return.line_no)'}"
    )

    assert item.status == "verified"
    assert taken(item) == [("loose_return", "order_id", "line_no")]
    assert (item.pairs, item.unmatched) == (1, 1)


def test_via_joins_an_undeclared_composite_reference_to_the_key(build):
    built = build(
        "{subject: Loose Return, predicate: sends back, object: Line, "
        "via: [loose_return.order_id, loose_return.line_no]}"
    )

    (item,) = built.relations
    assert (item.status, item.pairs, item.unmatched) == ("verified", 1, 1)
    assert item.links[0].evidence.null_share == round(1 / 3, 6)
    assert [link.origin for link in built.links if link.table == "loose_return"] == ["verified"]


def test_a_condition_narrows_the_join_and_travels_with_a_new_link(build):
    built = build(
        "{subject: Note, predicate: calls, object: Customer, "
        "on: note.customer_no = customer.no, condition: topic = 'call'}"
    )

    (item,) = built.relations
    assert (item.pairs, item.unmatched) == (1, 1)
    (link,) = [link for link in built.links if link.origin == "verified"]
    assert link.condition == "note.topic = 'call'"


def test_a_condition_may_speak_of_a_table_on_the_way(relate):
    item = relate(
        "{subject: Order, predicate: opens with, object: Product, "
        "condition: order_line.line_no = 1}"
    )

    assert (item.pairs, item.cardinality) == (3, "many_to_one")


def test_a_path_may_go_through_what_another_relation_states(build):
    built = build(
        "{subject: Note, predicate: led to, object: Order}",
        "{subject: Note, predicate: is about, object: Customer, "
        "on: note.customer_no = customer.no}",
    )

    assert codes(built.relations[0])[0] == "KG109"
    assert "customer" in built.relations[0].problems[0].message
    assert built.relations[1].status == "verified"
