"""Every rule on the demo: it finds its planted fault, and nothing where nothing is wrong."""

import json
from collections import Counter
from pathlib import Path

import pytest
import yaml

from pipeline import tasks
from pipeline.kb import Kb
from pipeline.lint import RULES, lint
from tests import build_kb, demo_kb

PLANTED = {
    file: [(fault["rule"], fault["old"], fault["new"]) for fault in faults]
    for file, faults in yaml.safe_load(
        (Path(__file__).parent / "lint" / "planted.yaml").read_text("utf-8")
    ).items()
}
OF_MEASUREMENT = {"DL502", "DL503", "DL504", "DL602"}
OF_FACTS = {"DL301"}
FOLLOWS = Counter({"DL202": 1})
"""The planted e-mail address is no code of the data; that profile.json changed is told once."""


def planted(kb, faults):
    for file, changes in faults.items():
        text = (kb / file).read_text("utf-8")
        for rule, old, new in changes:
            assert old in text, f"{rule}: {old}"
            text = text.replace(old, new, 1)
        (kb / file).write_text(text, encoding="utf-8")
    return kb


@pytest.mark.req("B14", part="the demo is clean")
def test_nothing_is_found_in_the_demo_but_what_is_ignored_with_a_reason(demo):
    report = lint(Kb(demo), tasks.stale(Kb(demo)))

    assert [f"{f.rule.id} {f.message}" for f in report.findings] == []
    assert report.ignored == 1
    assert report.notes == ()


@pytest.mark.req("B14", part="each rule")
@pytest.mark.req("SEM-06", part="lint")
def test_each_rule_finds_the_fault_planted_for_it_and_nothing_else(demo, tmp_path):
    kb = planted(demo_kb.copied(demo, tmp_path), PLANTED)
    profile = json.loads((kb / "profile.json").read_text("utf-8"))
    table = next(t for t in profile["tables"] if t["table"] == "product_review")
    column = next(c for c in table["columns"] if c["column"] == "helpful_count")
    column["unit"] = "cents"
    (kb / "profile.json").write_text(json.dumps(profile), encoding="utf-8")

    found = Counter(finding.rule.id for finding in lint(Kb(kb), tasks.stale(Kb(kb))).findings)

    once = {rule for changes in PLANTED.values() for rule, _, _ in changes} | OF_FACTS
    assert found == Counter(once) + FOLLOWS
    assert once | OF_MEASUREMENT == {rule.id for rule in RULES}


@pytest.mark.req("B14", part="rules on what was measured")
def test_what_was_measured_is_reported_where_it_is_written(demo, tmp_path):
    faults = {
        "semantic.yaml": [
            ("DL502", "they join to nothing", "they are old"),
            ("DL502", "customers that were never migrated", "former customers"),
            ("DL602", "WHERE own_label = 1", "WHERE own_label = abs(-9223372036854775808)"),
        ],
        "knowledge_graph.yaml": [
            ("DL503", "filter: job_title = 'Buyer'", "filter: abs(-9223372036854775808) = 1"),
            ("DL504", "filter: product_type = 'K'", "filter: product_type = 'X'"),
        ],
    }
    kb = planted(demo_kb.copied(demo, tmp_path, source=True), faults)
    assert tasks.run(Kb(kb), ("graph", "validate"), quiet=True).error is None

    findings = lint(Kb(kb), tasks.stale(Kb(kb))).findings

    assert [(f.rule.id, f.file, f.target) for f in findings] == [
        ("DL602", "semantic.yaml", "term own label"),
        ("DL502", "semantic.yaml", "relationship legacy_crm_notes.cust_no = customer.cust_no"),
        ("DL503", "knowledge_graph.yaml", "entity Buyer"),
        ("DL504", "knowledge_graph.yaml", "entity Kit"),
        ("DL502", "knowledge_graph.yaml", "relation CRM Note is about Customer"),
    ]


@pytest.mark.req("C16")
def test_a_renamed_column_names_its_victims(built):
    build_kb.change(built, "ALTER TABLE orders RENAME COLUMN status TO order_status")
    build_kb.stages_run(built, ("scan",))

    found = [
        (f.rule.id, f.target, f.fix)
        for f in lint(Kb(built.folder), tasks.stale(Kb(built.folder)), ["DL002"]).findings
    ]

    assert [(rule, target) for rule, target, _ in found] == [
        ("DL002", "orders.status"),
        ("DL002", "metric revenue"),
        ("DL002", "example How many orders are open?"),
    ]
    assert all(fix == "did you mean order_status?" for _, _, fix in found)
