"""The draft stage: its files, drafted texts, coverage, order, and what survives YAML."""

import json
import logging

import pytest
import yaml

from pipeline.authored.writing import comment, flow, key, scalar
from schemas.models import Share


def test_texts_of_a_model_are_marked_as_drafted(kb):
    entry = {"target": "orders.total", "field": "description", "model": "m-1", "date": "2026-01-02"}
    lines = [
        json.dumps({**entry, "text": "Old"}),
        json.dumps({**entry, "text": "What is paid: all in all"}),
        json.dumps({**entry, "target": "orders.status", "field": "values.N ", "text": "new"}),
    ]

    text = kb.build(drafts="\n".join(lines))

    assert kb.semantic.tables["orders"].columns["total"].description == "What is paid: all in all"
    assert "  # drafted by m-1 on 2026-01-02" in text
    assert kb.semantic.tables["orders"].columns["status"].values["N "] == "new"


def test_a_damaged_line_of_drafts_is_left_out_with_a_warning(kb, caplog):
    with caplog.at_level(logging.WARNING, "dblore.draft"):
        kb.build(drafts="no json\n[]\n")

    assert [record.getMessage().partition("drafts.jsonl")[2] for record in caplog.records] == [
        ":1 is no draft and is left out",
        ":2 is no draft and is left out",
    ]


def test_a_name_that_is_not_there_is_a_warning_and_all_else_is_used(kb, caplog):
    with caplog.at_level(logging.WARNING, "dblore.draft"):
        kb.build("tables:\n  orders:\n    description: x\n    columns:\n      totl: y\n")

    (record,) = caplog.records
    assert "semantic.yaml:5:7: table orders has no column `totl`" in record.getMessage()
    assert "did you mean total?" in record.getMessage()
    assert kb.coverage.tables.done == 1


@pytest.mark.req("B8", part="described, codes, units")
def test_coverage_counts_what_is_described(kb):
    kb.build()
    before = kb.coverage
    kb.build(
        """\
tables:
  orders:
    description: Orders
    columns:
      status: {description: x, values: {N: a, P: b, S: c}}
      total: {unit: EUR}
      updated_at: counts from now on, as somebody described it
  products: {hidden: true}
domains: {Sales: {tables: [order*]}}
"""
    )

    after = kb.coverage
    assert before.tables == Share(0, 6)
    assert before.columns == Share(0, 25)
    assert before.codes == Share(0, 3)
    assert before.units == Share(1, 4)
    assert before.domains == ()
    assert after.tables == Share(1, 5)
    assert after.columns == Share(2, 20)
    assert after.codes == Share(1, 3)
    assert after.units == Share(1, 2)
    assert [(d.domain, d.tables) for d in after.domains] == [
        ("Sales", Share(1, 2)),
        ("(no domain)", Share(0, 3)),
    ]


def test_the_most_useful_things_come_first(kb):
    kb.build()

    assert kb.coverage.next[0] == "orders"
    assert len(kb.coverage.next) == 10
    assert next(iter(kb.semantic.tables)) == "orders"
    assert next(iter(kb.semantic.tables["orders"].columns)) in {"status", "step"}


def test_what_people_s_statements_use_comes_first(kb):
    kb.build()
    before = kb.coverage.next
    kb.build(
        """\
examples:
- {question: How heavy is it?, sql: "SELECT MAX(weight) FROM products"}
- {question: What is heavy?, sql: "SELECT title FROM products WHERE weight > 5"}
metrics:
- {name: weight, sql: "SELECT SUM(weight) FROM products"}
"""
    )

    after = kb.coverage.next
    assert before[0] == "orders"
    assert after[0] == "products"
    assert "products.weight" in after
    assert "products.weight" not in before


def test_a_described_database_leaves_an_empty_draft(kb):
    lines = ["tables:"]
    for table in kb.catalog.tables:
        lines += [f"  {key(table.name)}:", "    description: x", "    grain: x", "    columns:"]
        for column in table.columns:
            values = [v.value for v in kb.profile.by_table[table.name].column(column.name).values]
            told = json.dumps({str(value): "x" for value in values})
            lines.append(f"      {key(column.name)}: {{description: x, unit: x, values: {told}}}")

    kb.build("\n".join(lines))

    assert kb.semantic.tables == {}
    assert kb.account.startswith("6/6 tables and 27/27 columns described")


def test_people_s_file_keeps_its_bytes(kb):
    text = "tables:   # mine\n  orders: {description: 'x'}\n"

    kb.build(text)

    assert (kb.folder / "semantic.yaml").read_text(encoding="utf-8") == text


def test_editors_find_the_schema_of_the_draft_where_that_of_semantic_yaml_is(kb):
    line = "# yaml-language-server: $schema=.schemas/semantic.schema.json\n"

    assert kb.build(f"{line}tables: {{}}\n").startswith(line)
    assert "yaml-language-server" not in kb.build("tables: {}\n")


def test_two_builds_write_the_same_bytes(kb):
    assert kb.build() == kb.build()


@pytest.mark.parametrize(
    "text",
    ["", " ", "a", "NO", "null", "~", "1", "012", "1e3", "a: b", "a #b", "- a", "it's", 'say "x"',
     "line\nbreak", "tab\t", "\x00", "\u2028", "é", "😀", "{a}", "[a]", "*a", "&a", "!a", "%a",
     "@a", "`a`", "a\\b", "#a", "key:", "=", "<<", "2024-01-01", "x, y"],
)  # fmt: skip
def test_any_text_survives_the_way_through_yaml(text):
    line = f"{key(text)}: {scalar(text)}  {comment(text)}\nlist: {flow((text, 'b'))}\n"

    data = yaml.safe_load(line)

    assert data["list"] == [text, "b"]
    assert {str(k): v for k, v in data.items() if k != "list"} == {text: text}


def test_half_a_character_becomes_a_replacement():
    assert yaml.safe_load(scalar("a\ud800b")) == "a\ufffdb"
