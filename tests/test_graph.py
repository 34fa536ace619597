"""The graph stage: entities hold on the data or say why not, and every link is listed once."""

import json
import re
import sqlite3
from contextlib import closing

import pytest

from pipeline import artifacts, graph, scan
from pipeline.database import source
from pipeline.database.connect import open_database
from pipeline.errors import ArtifactError
from pipeline.graph.codes import CODES
from pipeline.graph.measure import Probe
from schemas.models import (
    Catalog,
    ColumnProfile,
    Entity,
    Evidence,
    Graph,
    KbSettings,
    KnowledgeGraph,
    Link,
    Profile,
    Relation,
    Semantic,
    TableProfile,
)

SHOP = """
BEGIN;
CREATE TABLE customer (
    id INTEGER PRIMARY KEY, no TEXT UNIQUE, kind TEXT NOT NULL, name TEXT, store_id INTEGER
);
CREATE TABLE address (id INTEGER PRIMARY KEY, city TEXT);
CREATE TABLE sales_order (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customer(id),
    bill_to_address_id INTEGER REFERENCES address(id),
    ship_to_address_id INTEGER REFERENCES address(id),
    status TEXT
);
CREATE TABLE order_line (
    order_id INTEGER NOT NULL REFERENCES sales_order(id), line_no INTEGER, product_id INTEGER,
    PRIMARY KEY (order_id, line_no)
);
CREATE TABLE note (customer_no TEXT, body TEXT);
INSERT INTO customer VALUES
    (1, 'C1', 'B', 'Ada', 7), (2, 'C2', 'P', 'Bob', NULL), (3, 'C3', 'P', 'Cy', NULL);
INSERT INTO address VALUES (1, 'York'), (2, 'Turku');
INSERT INTO sales_order VALUES
    (10, 1, 1, 2, 'open'), (11, 1, 1, 1, 'paid'), (12, 2, 2, NULL, 'paid');
INSERT INTO order_line VALUES (10, 1, 5), (10, 2, 6), (11, 1, 5);
INSERT INTO note VALUES ('C1', 'hello'), ('C1', 'again'), ('C2', 'x'), ('gone', 'y'), (NULL, 'z');
COMMIT;
"""


class Bench:
    """A database with the files that the stage reads."""

    def __init__(self, folder, database):
        self.folder = folder
        self.source = source.resolve(str(database), folder, {})
        settings = KbSettings(name="shop", source=str(database))
        scan.build(source=self.source, settings=settings, out=folder / "catalog.json")
        self.profile(Profile())

    def profile(self, profile):
        artifacts.write(self.folder / "profile.json", profile)

    def build(self, knowledge="", semantic="", *, with_source=True):
        (self.folder / "semantic.yaml").write_text(semantic, encoding="utf-8")
        (self.folder / "knowledge_graph.yaml").write_text(knowledge, encoding="utf-8")
        self.account = graph.build(
            catalog=self.folder / "catalog.json",
            profile=self.folder / "profile.json",
            semantic=self.folder / "semantic.yaml",
            knowledge_graph=self.folder / "knowledge_graph.yaml",
            out=self.folder / "graph.json",
            source=self.source if with_source else None,
        )
        return artifacts.read(self.folder / "graph.json", Graph)


@pytest.fixture
def bench(make_db, tmp_path):
    """Return a function that prepares the stage for a database built from SQL."""

    def prepare(sql=SHOP):
        return Bench(tmp_path, make_db(sql))

    return prepare


def codes(item):
    return [problem.code for problem in item.problems]


def entity(bench, text):
    return bench().build(f"entities:\n  - {text}\n").entities[0]


# ── entities ────────────────────────────────────────────────────────────────────────────────────


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


# ── links ───────────────────────────────────────────────────────────────────────────────────────


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


# ── the stage ───────────────────────────────────────────────────────────────────────────────────


KNOWLEDGE = """
entities:
  - {name: Customer, table: customer}
  - {name: Order, table: sales_order}
relations:
  - {subject: Customer, predicate: places, object: Order}
"""


def test_the_same_input_gives_the_same_bytes(bench):
    prepared = bench()
    prepared.build(KNOWLEDGE)
    first = (prepared.folder / "graph.json").read_bytes()
    (prepared.folder / "graph.json").unlink()

    prepared.build(KNOWLEDGE)

    assert (prepared.folder / "graph.json").read_bytes() == first


@pytest.mark.req("KG-10")
def test_people_own_their_file_to_the_byte(bench):
    prepared = bench()
    authored = "# mine\nentities:\n- name: Customer   # odd  spacing\n  table: custmer\n"

    prepared.build(authored)

    assert (prepared.folder / "knowledge_graph.yaml").read_text(encoding="utf-8") == authored


def test_without_a_database_new_items_are_unverified_and_wrong_ones_fail(bench):
    built = bench().build(
        KNOWLEDGE.replace("entities:", "entities:\n  - {name: Typo, table: custmer}"),
        with_source=False,
    )

    assert [item.status for item in built.entities] == ["failed", "unverified", "unverified"]
    assert built.relations[0].status == "unverified"
    assert built.relations[0].cardinality == "one_to_many"


def test_without_a_database_what_was_verified_and_is_unchanged_stays(bench):
    prepared = bench()
    measured = prepared.build(KNOWLEDGE)

    again = prepared.build(
        KNOWLEDGE + "  - {subject: Order, predicate: belongs to, object: Customer}\n",
        with_source=False,
    )

    assert again.entities == measured.entities
    assert again.relations[0] == measured.relations[0]
    assert again.relations[1].status == "unverified"


def test_a_database_that_went_away_is_like_none(bench, caplog):
    prepared = bench()
    assert prepared.source.path is not None
    prepared.source.path.unlink()

    built = prepared.build(KNOWLEDGE)

    assert {item.status for item in built.entities} == {"unverified"}
    assert "nothing is measured" in caplog.text


def test_a_missing_catalogue_says_what_to_build(bench):
    prepared = bench()
    (prepared.folder / "catalog.json").unlink()

    with pytest.raises(ArtifactError) as caught:
        prepared.build()

    assert "catalog.json does not exist" in caught.value.problem
    assert "dblore build" in caught.value.fix


def test_verifying_writes_nothing_to_the_database(bench):
    prepared = bench()
    before = prepared.source.path.read_bytes()

    prepared.build(KNOWLEDGE)

    assert prepared.source.path.read_bytes() == before
    with closing(sqlite3.connect(prepared.source.path)) as connection:
        assert connection.execute("SELECT COUNT(*) FROM customer").fetchone() == (3,)


SLOW = """id IN (
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000000)
    SELECT x FROM n)"""


def test_what_takes_too_long_is_unverified_and_says_so(bench):
    prepared = bench()
    authored = KnowledgeGraph(
        entities=(Entity("Slow", "customer", filter=SLOW), Entity("Order", "sales_order")),
        relations=(Relation("Slow", "places", "Order"),),
    )
    catalog = artifacts.read(prepared.folder / "catalog.json", Catalog)

    with open_database(prepared.source) as database:
        probe = Probe(database, catalog, seconds=0.1)
        built = graph.verify(catalog, Profile(), Semantic(), authored, probe)

    assert [item.status for item in built.entities] == ["unverified", "verified"]
    assert codes(built.by_entity["Slow"]) == ["KG015"]
    assert built.relations[0].status == "unverified"
    assert codes(built.relations[0]) == ["KG112"]
    assert "stopped after 0.1 s" in built.relations[0].problems[0].message


def test_what_takes_long_is_named_while_it_is_checked(bench, caplog):
    prepared = bench()
    authored = KnowledgeGraph(entities=(Entity("Slow", "customer", filter=SLOW),))
    catalog = artifacts.read(prepared.folder / "catalog.json", Catalog)

    with open_database(prepared.source) as database:
        probe = Probe(database, catalog, seconds=0.3)
        probe.patience = 0.1
        graph.verify(catalog, Profile(), Semantic(), authored, probe)

    assert [record.message for record in caplog.records] == [
        "still checking entity Slow; a statement is stopped after 0.3 s"
    ]


def test_what_is_quick_is_not_named(bench, caplog):
    bench().build("entities:\n  - {name: Customer, table: customer}\n")

    assert not caplog.records


def test_what_was_stopped_is_told_and_counted(bench, caplog, monkeypatch):
    monkeypatch.setattr(Probe.__init__, "__defaults__", (0.1,))
    prepared = bench()

    prepared.build(f"entities:\n- name: Slow\n  table: customer\n  filter: {json.dumps(SLOW)}\n")

    assert "knowledge_graph.yaml:2: entity Slow: KG015 counting it was stopped after 0.1 s" in (
        caplog.text
    )
    assert prepared.account.endswith("1 entities, 0 relations, 1 unverified")


MISTAKES = """\
entities:
  - {name: Customer, table: customer}
  - {name: Order, table: sales_order}
  - {name: Order, table: order_line}
  - {name: Order, table: address}
  - {name: Ghost, table: nowhere}
relations:
  - {subject: Customer, predicate: places, object: Order}
  - {subject: Customer, predicate: haunts, object: Ghost}
  - subject: Order
    predicate: is about
    polymorphic:
      column: customer_id
      type_column: nothing
      targets:
        - {type: a, object: Customer}
        - {type: b, object: Ghost}
  - {subject: Customer, predicate: haunts, object: Ghost}
"""


def test_each_error_is_told_with_its_file_and_line(bench, caplog):
    bench().build(
        MISTAKES,
        "relationships:\n- {from: [note.customer_no], to: [customer.no]}\n"
        "- {from: [note.customer_no], to: [customer.nothing]}\n",
    )

    told = [record.message for record in caplog.records]
    starts = [re.match(r"(\S+:\d+: .*?)KG(\d+)", text).groups() for text in told]
    assert starts == [
        ("semantic.yaml:3: ", "202"),
        ("knowledge_graph.yaml:4: entity Order: ", "001"),
        ("knowledge_graph.yaml:5: entity Order: ", "001"),
        ("knowledge_graph.yaml:6: entity Ghost: ", "003"),
        ("knowledge_graph.yaml:9: relation Customer haunts Ghost: ", "102"),
        ("knowledge_graph.yaml:10: relation Order is about Customer: ", "119"),
        ("knowledge_graph.yaml:10: relation Order is about Ghost: ", "102"),
        ("knowledge_graph.yaml:18: relation Customer haunts Ghost: ", "102"),
    ]


def test_codes_have_a_meaning_each_and_sort_by_what_they_are_about():
    assert list(CODES) == sorted(CODES)
    assert len(set(CODES.values())) == len(CODES)
