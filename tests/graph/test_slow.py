"""What takes too long is stopped, named and counted."""

import json

from pipeline import artifacts, graph
from pipeline.database.connect import open_database
from pipeline.graph.measure import Probe
from schemas.models import (
    Catalog,
    Entity,
    KnowledgeGraph,
    Profile,
    Relation,
    Semantic,
)
from tests.graph.kit import codes

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

    assert "knowledge_graph.yaml:2:3: entity Slow: KG015 counting it was stopped after 0.1 s" in (
        caplog.text
    )
    assert prepared.account.endswith("1 entities, 0 relations, 1 unverified")
