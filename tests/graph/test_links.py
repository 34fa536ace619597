"""Every link is listed once, with what was measured of it."""

import pytest

from schemas.models import (
    ColumnProfile,
    Evidence,
    Link,
    Profile,
    TableProfile,
)


@pytest.mark.req("B6", part="several keys between two tables stay labelled links")
def test_without_a_knowledge_graph_the_declared_keys_are_listed_with_their_roles(bench):
    prepared = bench()

    built = prepared.build()

    assert [(link.table, link.columns[0], link.label) for link in built.links] == [
        ("order_line", "order_id", None),
        ("sales_order", "bill_to_address_id", "bill to"),
        ("sales_order", "customer_id", None),
        ("sales_order", "ship_to_address_id", "ship to"),
    ]
    assert {link.cost for link in built.links} == {1.0}
    assert prepared.account == "4 links in 1 connected part"


def test_a_unique_reference_is_one_to_one(bench):
    built = bench(
        "CREATE TABLE person (id INTEGER PRIMARY KEY);"
        "CREATE TABLE staff (id INTEGER PRIMARY KEY REFERENCES person(id));"
    ).build()

    assert built.links[0].evidence == Evidence(cardinality="one_to_one")


def test_a_key_that_leads_nowhere_is_a_problem_and_no_link(bench):
    built = bench("CREATE TABLE a (b_id INTEGER REFERENCES missing(id));").build()

    assert built.links == ()
    assert [problem.code for problem in built.problems] == ["KG201"]


def test_a_curated_relationship_is_measured_in_both_directions(bench):
    built = bench().build(
        semantic="""
relationships:
  - from: note.customer_no
    to: customer.no
    description: Whom the note is about
"""
    )

    (link,) = [link for link in built.links if link.origin == "curated"]
    assert link.description == "Whom the note is about"
    assert link.evidence == Evidence(
        method="full",
        rows=4,
        matched_share=0.75,
        orphans=1,
        distinct=3,
        to_distinct=3,
        covered_share=round(2 / 3, 6),
        null_share=0.2,
        cardinality="many_to_one",
    )


def test_a_composite_relationship_with_a_condition_is_one_link(bench):
    built = bench(
        "CREATE TABLE move (kind TEXT, ref INTEGER, line INTEGER);"
        "CREATE TABLE line (order_id INTEGER, line_no INTEGER, PRIMARY KEY (order_id, line_no));"
        "INSERT INTO line VALUES (1, 1), (1, 2);"
        "INSERT INTO move VALUES ('S', 1, 1), ('S', 1, 3), ('P', 9, 9);"
    ).build(
        semantic="""
relationships:
  - from: [move.ref, move.line]
    to: [line.order_id, line.line_no]
    condition: kind = 'S'
"""
    )

    (link,) = built.links
    assert link.columns == ("ref", "line")
    assert link.condition == "move.kind = 'S'"
    assert link.evidence is not None
    assert (link.evidence.rows, link.evidence.orphans) == (2, 1)


@pytest.mark.parametrize(
    ("left", "right", "more", "code", "said"),
    [
        pytest.param("note.customr_no", "customer.no", "", "KG202", "customer_no", id="column"),
        pytest.param("notes.customer_no", "customer.no", "", "KG202", "note", id="table"),
        pytest.param(
            "[order_line.order_id, note.body]",
            "[sales_order.id, sales_order.status]",
            "",
            "KG203",
            "one table",
            id="mixed tables",
        ),
        pytest.param(
            "note.customer_no",
            "customer.no",
            "condition: random_bytes(1) = 2",
            "KG206",
            "",
            id="unsafe condition",
        ),
        pytest.param("note.body", "customer.no", "", "KG204", "check", id="matches nothing"),
    ],
)
@pytest.mark.req("SAFE-05", part="conditions of relationships")
def test_a_relationship_that_does_not_hold_is_told(bench, left, right, more, code, said):
    built = bench().build(
        semantic=f"relationships:\n  - from: {left}\n    to: {right}\n    {more}\n"
    )

    assert [problem.code for problem in built.problems] == [code]
    assert said in built.problems[0].fix


def test_a_join_known_from_two_places_is_one_link_of_the_stronger_origin(bench):
    prepared = bench()
    evidence = Evidence(method="full", rows=4, matched_share=0.75, confidence=0.6)
    prepared.profile(
        Profile(
            joins=(
                Link("note", ("customer_no",), "customer", ("no",), "inferred", evidence=evidence),
                Link("sales_order", ("customer_id",), "customer", ("id",), "inferred"),
                Link("dropped", ("x",), "customer", ("id",), "inferred"),
            )
        )
    )

    inferred = prepared.build()
    both = prepared.build(
        semantic="relationships:\n  - from: customer.no\n    to: note.customer_no\n"
    )

    assert [link.origin for link in inferred.links if link.table == "note"] == ["inferred"]
    assert [link.cost for link in inferred.links if link.table == "note"] == [2.3]
    assert sorted(link.origin for link in both.links) == ["curated", *["declared"] * 4]


def test_bookkeeping_and_empty_tables_make_a_link_dear(bench):
    prepared = bench(
        "CREATE TABLE staff (id INTEGER PRIMARY KEY);"
        "CREATE TABLE doc (owner_id INTEGER REFERENCES staff(id),"
        " modified_by INTEGER REFERENCES staff(id), seen_by INTEGER REFERENCES staff(id));"
    )
    housekeeping = ColumnProfile("seen_by", housekeeping="who looked last")
    prepared.profile(Profile(tables=(TableProfile("doc", rows=3, columns=(housekeeping,)),)))

    costs = {link.columns[0]: link.cost for link in prepared.build().links}

    assert costs == {"owner_id": 1.0, "modified_by": 1.5, "seen_by": 1.5}
