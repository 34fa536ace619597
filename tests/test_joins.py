"""The join planner finds the cheapest joins, tells roles apart and sees repeated rows coming."""

import random
import time

import pytest

from pipeline.joins import JoinGraph, is_usable, on_clause, qualified
from schemas.models import Evidence, Link


def link(spec, **more):
    """`lines.order_id>orders.id`; several columns are divided by commas."""
    left, right = spec.split(">")
    (table, columns), (to_table, to_columns) = left.split("."), right.split(".")
    return Link(table, tuple(columns.split(",")), to_table, tuple(to_columns.split(",")), **more)


SHOP = (
    "orders.customer_id>customers.id",
    "lines.order_id>orders.id",
    "lines.product_id>products.id",
    "payments.order_id>orders.id",
    "products.supplier_id>suppliers.id",
)


def shop(*extra):
    return JoinGraph([*map(link, SHOP), *extra])


def quote(name):
    return f'"{name}"'


def test_a_path_takes_the_fewest_joins_in_walking_order():
    (path,) = shop().path("customers", "products")

    assert path.tables == ("customers", "orders", "lines", "products")
    assert [step.forward for step in path.steps] == [False, False, True]
    assert [step.cardinality for step in path.steps] == [
        "one_to_many", "one_to_many", "many_to_one",
    ]  # fmt: skip
    assert not path.fans_out


def test_many_to_one_and_then_one_to_many_is_seen_as_fan_out():
    (path,) = shop().path("lines", "payments")

    assert path.tables == ("lines", "orders", "payments")
    assert path.fans_out
    assert path.cost == 4.0


def test_a_bridge_between_two_tables_is_no_fan_out():
    (path,) = shop().path("orders", "products")

    assert path.tables == ("orders", "lines", "products")
    assert not path.fans_out


def test_a_longer_way_without_fan_out_beats_a_shared_parent():
    links = [
        link("a.region_id>region.id"), link("b.region_id>region.id"),
        link("ab.a_id>a.id"), link("abc.ab_id>ab.id"), link("abc.b_id>b.id"),
    ]  # fmt: skip

    path = JoinGraph(links).path("a", "b")[0]

    assert path.tables == ("a", "ab", "abc", "b")


@pytest.mark.req("B6", part="several keys between two tables stay labelled paths")
def test_two_roles_of_one_table_are_two_labelled_paths():
    bill = link("orders.bill_to_id>addresses.id", label="bill to")
    ship = link("orders.ship_to_id>addresses.id", label="ship to")

    paths = JoinGraph([ship, bill]).path("orders", "addresses")

    assert [path.label for path in paths] == ["bill to", "ship to"]
    assert {path.cost for path in paths} == {1.0}


def test_alternatives_come_cheapest_first_and_at_most_as_many_as_asked():
    direct = link("lines.customer_id>customers.id", cost=1.5)

    paths = shop(direct).path("lines", "customers", at_most=2)

    assert [path.tables for path in paths] == [
        ("lines", "customers"),
        ("lines", "orders", "customers"),
    ]
    assert len(shop(direct).path("lines", "customers", at_most=1)) == 1


def test_a_table_meets_itself_by_its_own_reference():
    (path,) = JoinGraph([link("staff.boss_id>staff.id")]).path("staff", "staff")

    assert path.tables == ("staff", "staff")
    assert path.steps[0].forward


def test_a_table_meets_itself_by_a_round_trip_over_a_bridge():
    parts = [link("bom.assembly_id>products.id"), link("bom.component_id>products.id")]

    (path,) = JoinGraph(parts).path("products", "products")

    assert path.tables == ("products", "bom", "products")
    assert [step.forward for step in path.steps] == [False, True]


def test_tables_that_nothing_joins_have_no_path():
    assert shop().path("orders", "weather") == ()
    assert shop(link("weather.day>days.day")).path("orders", "weather") == ()


@pytest.mark.parametrize(
    ("candidate", "usable"),
    [
        pytest.param(link("a.x>b.id"), True, id="declared"),
        pytest.param(link("a.x>b.id", state="external"), False, id="leads nowhere"),
        pytest.param(link("a.x>b.id", origin="inferred"), False, id="guessed, not measured"),
        pytest.param(
            link("a.x>b.id", origin="inferred", evidence=Evidence(matched_share=0.98)),
            True,
            id="inferred and measured",
        ),
        pytest.param(
            link("a.x>b.id", origin="verified", evidence=Evidence(matched_share=0.0)),
            False,
            id="matches no row",
        ),
    ],
)
@pytest.mark.req("B6", part="an unmeasured candidate is never joined with")
def test_only_links_that_are_more_than_a_guess_are_planned_with(candidate, usable):
    assert is_usable(candidate) is usable
    assert bool(JoinGraph([candidate]).path("a", "b")) is usable


def test_connecting_tables_adds_the_bridges_between_them():
    tree = shop().connect(["customers", "products"])

    assert tree.tables == ("customers", "orders", "lines", "products")
    assert tree.bridges == ("orders", "lines")
    assert tree.unconnected == ()


def test_each_step_of_a_tree_leaves_a_table_that_is_already_there():
    tree = shop().connect(["suppliers", "customers", "payments", "lines"])

    there = {"suppliers"}
    for step in tree.steps:
        assert step.source in there
        there.add(step.target)
    assert there == set(tree.tables)
    assert tree.fans_out  # an order has many lines and many payments


def test_three_tables_meet_at_the_table_they_share():
    hub = [link(f"hub.{name}_id>{name}.id") for name in "abc"]
    detour = [link("x.a_id>a.id"), link("x.b_id>b.id")]

    tree = JoinGraph([*hub, *detour]).connect(["a", "b", "c"])

    assert len(tree.steps) == 3
    assert tree.bridges == ("hub",)


def test_tables_out_of_reach_are_told_apart():
    tree = shop(link("weather.day>days.day")).connect(["orders", "weather", "lines", "ghost"])

    assert tree.tables == ("orders", "lines")
    assert tree.unconnected == ("weather", "ghost")


def test_a_tree_keeps_within_its_limit():
    tree = shop().connect(["customers", "orders", "suppliers"], at_most=3)

    assert tree.tables == ("customers", "orders")
    assert tree.unconnected == ("suppliers",)


def test_nothing_connects_to_nothing():
    assert shop().connect([]).tables == ()
    assert shop().connect(["orders"]).tables == ("orders",)


def test_the_order_of_the_links_changes_nothing():
    links = [*map(link, SHOP), link("lines.alt_order_id>orders.id")]
    shuffled = random.Random(3).sample(links, len(links))

    assert JoinGraph(links).path("customers", "suppliers") == JoinGraph(shuffled).path(
        "customers", "suppliers"
    )
    assert JoinGraph(links).connect(["suppliers", "payments"]) == JoinGraph(shuffled).connect(
        ["suppliers", "payments"]
    )


def test_connected_parts_come_largest_first():
    parts = shop(link("weather.day>days.day")).parts()

    assert [len(part) for part in parts] == [6, 2]


def test_an_on_clause_joins_composite_keys_by_and():
    composite = link("returns.order_id,line_no>lines.order_id,line_no")

    sql = on_clause(composite, quote, ("r", "l"))

    assert sql == 'r."order_id" = l."order_id" AND r."line_no" = l."line_no"'


def test_a_condition_travels_with_the_join_under_its_aliases():
    moved = link(
        "moves.ref_id>orders.id",
        condition="moves.kind = 'orders.id' OR \"moves\".kind IS NULL AND orders.open = 1",
    )

    sql = on_clause(moved, quote, ("m", "o"))

    assert sql == (
        'm."ref_id" = o."id" AND (m."kind" = \'orders.id\' OR m."kind" IS NULL AND o."open" = 1)'
    )


def test_a_condition_finds_tables_with_a_schema_or_odd_names():
    aliases = {"sales.orders": "s", "Order Details": "d"}

    assert qualified("sales.orders.x = 1", aliases, quote) == 's."x" = 1'
    assert qualified('"Order Details".y = other.z', aliases, quote) == 'd."y" = other.z'


@pytest.mark.parametrize(
    ("tables", "links", "most_ms"),
    [pytest.param(68, 90, 20, id="68 tables"), pytest.param(5000, 8000, 1000, id="5,000 tables")],
)
def test_planning_is_fast(tables, links, most_ms):
    chance = random.Random(1)
    made = [
        link(f"t{n}.up>t{min(chance.randrange(n), chance.randrange(n))}.id")
        for n in range(1, tables)
    ]
    ends = [(chance.randrange(tables), chance.randrange(tables)) for _ in range(links - tables)]
    made += [link(f"t{a}.x{n}>t{b}.id") for n, (a, b) in enumerate(ends)]
    graph = JoinGraph(made)

    started = time.perf_counter()
    graph.path("t7", f"t{tables - 1}")
    graph.connect(["t3", "t7", "t11", f"t{tables - 1}"])

    assert (time.perf_counter() - started) * 1000 < most_ms  # measured: 1 and 120 ms
