"""Cardinalities are corrected by the data; paths that fan out are refused."""

import pytest

from tests.graph.kit import codes, movement


@pytest.mark.req("KG-03", part="a contradicted cardinality is corrected")
def test_a_cardinality_that_the_data_contradicts_is_corrected(relate):
    item = relate("{subject: Customer, predicate: places, object: Order, cardinality: one_to_one}")

    assert item.cardinality == "one_to_many"
    assert item.relation.cardinality == "one_to_one"
    assert item.problems[-1].code == "KG115"
    assert item.problems[-1].message == "declared one_to_one, the data shows one_to_many"
    assert item.problems[-1].fix == "write `cardinality: one_to_many`"


def test_a_cardinality_wider_than_keys_and_data_is_told(relate):
    item = relate("{subject: Return, predicate: returns, object: Line, cardinality: many_to_many}")

    assert codes(item) == ["KG116"]


def test_a_cardinality_that_the_keys_allow_stands_though_the_data_is_narrower(relate):
    item = relate(
        "{subject: Payment, predicate: pays, object: Order, cardinality: many_to_one, "
        "condition: payment.id <> 2}"
    )

    assert item.cardinality == "one_to_one"
    assert codes(item) == []


@pytest.mark.req("KG-06")
def test_a_path_that_fans_out_is_refused_with_advice_that_works(build):
    refused = build("{subject: Line, predicate: is paid by, object: Payment}").relations[0]

    assert refused.status == "failed"
    assert codes(refused) == ["KG109"]
    assert refused.pairs is None
    advised = refused.problems[0].fix.partition("via: ")[2]
    accepted = build(
        f"{{subject: Line, predicate: is paid by, object: Payment, via: {advised}}}"
    ).relations[0]
    assert accepted.status == "verified"
    assert codes(accepted) == ["KG110"]
    assert (accepted.pairs, accepted.cardinality) == (5, "many_to_many")


# ── what fails ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.req("KG-02", part="relations: names, paths, conditions")
@pytest.mark.req("SAFE-05", part="conditions and joins of relations")
@pytest.mark.parametrize(
    ("relation", "code", "said"),
    [
        pytest.param(
            "{subject: Custmer, predicate: p, object: Order}",
            "KG101",
            "did you mean Customer?",
            id="misspelt entity",
        ),
        pytest.param(
            "{subject: Broken, predicate: p, object: Order}",
            "KG102",
            "mend the entity",
            id="failed",
        ),
        pytest.param(
            "{subject: Order, predicate: p, object: Island}", "KG103", "`on:`", id="no path"
        ),
        pytest.param(
            "{subject: Order, predicate: p, object: Customer, via: [sales_order.custmer_id]}",
            "KG104",
            "did you mean customer_id?",
            id="misspelt via",
        ),
        pytest.param(
            "{subject: Order, predicate: p, object: Customer, via: [sales_order.bill_to_id]}",
            "KG105",
            "go on with",
            id="via that ends elsewhere",
        ),
        pytest.param(
            "{subject: Order, predicate: p, object: Customer, via: [part.kit_id]}",
            "KG105",
            "via: [sales_order.customer_id]",
            id="via that begins elsewhere",
        ),
        pytest.param(
            "{subject: Note, predicate: p, object: Customer, on: note.customer_no = customer.num}",
            "KG106",
            "use one of",
            id="misspelt on",
        ),
        pytest.param(
            "{subject: Note, predicate: p, object: Customer, on: note.topic LIKE customer.no}",
            "KG106",
            "a.x = b.y",
            id="on that is no equality",
        ),
        pytest.param(
            "{subject: Note, predicate: p, object: Customer, on: note.customer_no = note.topic}",
            "KG106",
            "a.x = b.y",
            id="on within one table",
        ),
        pytest.param(
            "{subject: Order, predicate: p, object: Customer, condition: knd = 'B'}",
            "KG107",
            "did you mean kind?",
            id="misspelt condition",
        ),
        pytest.param(
            "{subject: Order, predicate: p, object: Customer, condition: id = 1}",
            "KG107",
            "write sales_order.id",
            id="ambiguous condition",
        ),
        pytest.param(
            "{subject: Order, predicate: p, object: Customer, condition: load_extension('x') = 1}",
            "KG107",
            "",
            id="unsafe condition",
        ),
        pytest.param(
            "{subject: Order, predicate: p, object: Customer, "
            "condition: customer.id IN (SELECT id FROM staff)}",
            "KG107",
            "filter",
            id="subquery in a condition",
        ),
    ],
)
def test_a_relation_that_does_not_hold_fails_with_code_and_advice(relate, relation, code, said):
    item = relate(relation)

    assert item.status == "failed"
    assert codes(item) == [code]
    assert said in item.problems[0].fix
    assert item.pairs is None


def test_a_join_that_finds_nothing_stands_with_a_warning(relate):
    item = relate("{subject: Note, predicate: p, object: Customer, on: note.topic = customer.no}")

    assert (item.status, item.pairs) == ("verified", 0)
    assert codes(item) == ["KG113", "KG114"]


def test_a_relation_stated_twice_is_told(build):
    built = build(
        "{subject: Order, predicate: is placed by, object: Customer}",
        "{subject: order, predicate: IS PLACED BY, object: Customer}",
    )

    assert "KG120" not in codes(built.relations[0])
    assert "KG120" in codes(built.relations[1])


def test_relations_stay_in_the_order_they_were_written(build):
    built = build(
        "{subject: Order, predicate: a, object: Customer}",
        movement(),
        "{subject: Note, predicate: b, object: Customer, on: note.customer_no = customer.no}",
        "{subject: Customer, predicate: c, object: Order, via: [sales_order.customer_id]}",
    )

    assert [item.predicate for item in built.relations] == ["a", "ships", "is caused by", "b", "c"]
