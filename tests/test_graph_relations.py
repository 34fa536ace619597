"""Relations are accepted when their join runs on the data, with what was counted."""

import pytest

from pipeline import artifacts, graph, scan
from pipeline.database import source
from schemas.models import Graph, KbSettings, Profile

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


@pytest.fixture
def build(make_db, tmp_path):
    """Return a function that verifies relations, given as lines of YAML, and returns the graph."""
    database = source.resolve(str(make_db(DATABASE)), tmp_path, {})
    settings = KbSettings(name="shop", source=str(database.path))
    scan.build(source=database, settings=settings, out=tmp_path / "catalog.json")
    artifacts.write(tmp_path / "profile.json", Profile())

    def run(*relations):
        text = ENTITIES + "".join(f"  - {relation}\n" for relation in relations)
        (tmp_path / "knowledge_graph.yaml").write_text(text, encoding="utf-8")
        graph.build(
            catalog=tmp_path / "catalog.json",
            profile=tmp_path / "profile.json",
            semantic=tmp_path / "semantic.yaml",
            knowledge_graph=tmp_path / "knowledge_graph.yaml",
            out=tmp_path / "graph.json",
            source=database,
        )
        return artifacts.read(tmp_path / "graph.json", Graph)

    return run


@pytest.fixture
def relate(build):
    """Return a function that verifies one relation."""
    return lambda relation: build(relation).relations[0]


def codes(item):
    return [problem.code for problem in item.problems]


def taken(item):
    return [(link.table, *link.columns) for link in item.links]


# ── joins ───────────────────────────────────────────────────────────────────────────────────────


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


# ── polymorphic references ──────────────────────────────────────────────────────────────────────

MOVEMENT = (
    "{{subject: Movement, predicate: is caused by, polymorphic: {{column: {column}, "
    "type_column: {type_column}, targets: [{targets}]}}}}"
)
TARGETS = "{type: S, object: Order, predicate: ships}, {type: P, object: Purchase}"


def movement(column="ref_id", type_column="movement.kind", targets=TARGETS):
    return MOVEMENT.format(column=column, type_column=type_column, targets=targets)


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


# ── cardinality and fan-out ─────────────────────────────────────────────────────────────────────


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
