"""A column that refers to several tables is one relation per target and type."""

import pytest

from tests.graph.kit import TARGETS, codes, movement


@pytest.mark.req("KG-05")
def test_a_polymorphic_reference_is_one_relation_per_target_and_type(build):
    built = build(movement())

    ships, caused = built.relations
    assert (ships.predicate, ships.object) == ("ships", "Order")
    assert (ships.pairs, ships.unmatched, ships.cardinality) == (2, 1, "many_to_one")
    assert (caused.predicate, caused.object) == ("is caused by", "Purchase")
    assert (caused.pairs, caused.unmatched) == (2, 0)
    assert [link.condition for link in built.links if link.table == "movement"] == [
        "movement.kind = 'P'",
        "movement.kind = 'S'",
    ]


@pytest.mark.req("KG-05")
def test_types_without_target_and_targets_without_rows_are_told(build):
    built = build(
        movement(targets=TARGETS + ", {type: 'P ', object: Line}, {type: Q, object: Return}")
    )

    untargeted = [p.message for r in built.relations for p in r.problems if p.code == "KG118"]
    assert untargeted == ["stored types without a target: 'X' (1)"]
    last = built.relations[-1]
    assert codes(last) == ["KG113", "KG117"]
    assert "'Q' doesn't occur" in last.problems[1].message
    assert codes(built.relations[2]) == ["KG119"]  # a line's key has two columns


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"column": "ref"}, "did you mean ref_id?", id="column"),
        pytest.param({"type_column": "knd"}, "did you mean kind?", id="type column"),
    ],
)
def test_a_misspelt_polymorphic_column_fails_each_branch(build, change, said):
    built = build(movement(**change))

    assert [codes(item) for item in built.relations] == [["KG119"], ["KG119"]]
    assert said in built.relations[0].problems[0].fix


def test_a_type_is_text_wherever_it_comes_from(build):
    built = build(movement(targets='{type: "\' OR 1=1 --", object: Order}'))

    assert built.relations[0].pairs == 0
    assert built.relations[0].links[0].condition == "movement.kind = ''' OR 1=1 --'"
