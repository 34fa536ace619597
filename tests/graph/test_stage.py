"""The graph stage: its files, its messages, and a database that is not there."""

import re
import sqlite3
from contextlib import closing

import pytest

from pipeline.errors import ArtifactError
from pipeline.graph.codes import CODES
from tests.graph.kit import KNOWLEDGE


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
    starts = [re.match(r"\S+/(\S+:\d+:\d+: .*?)KG(\d+)", text).groups() for text in told]
    assert starts == [
        ("semantic.yaml:3:35: ", "202"),
        ("knowledge_graph.yaml:4:5: entity Order: ", "001"),
        ("knowledge_graph.yaml:5:5: entity Order: ", "001"),
        ("knowledge_graph.yaml:6:5: entity Ghost: ", "003"),
        ("knowledge_graph.yaml:9:5: relation Customer haunts Ghost: ", "102"),
        ("knowledge_graph.yaml:10:5: relation Order is about Customer: ", "119"),
        ("knowledge_graph.yaml:10:5: relation Order is about Ghost: ", "102"),
        ("knowledge_graph.yaml:18:5: relation Customer haunts Ghost: ", "102"),
    ]


def test_codes_have_a_meaning_each_and_sort_by_what_they_are_about():
    assert list(CODES) == sorted(CODES)
    assert len(set(CODES.values())) == len(CODES)
