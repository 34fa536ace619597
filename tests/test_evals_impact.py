"""The eval of impacts: is it right about itself, and does a short run hold its bar?"""

import json

import pytest

from evals.impact import __main__ as command
from evals.impact import demo, judge
from evals.impact.mutations import Mutation


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    layer = command.HERE / "demo.yaml"
    return judge.Bench(layer, demo.facts(), tmp_path_factory.mktemp("layer"))


def test_marks_and_references_agree_on_every_use(bench):
    assert judge.unlike(bench) == []


@pytest.mark.req("B1")
def test_what_a_mutation_makes_suspect_is_named_and_nothing_else(bench):
    counts = dict.fromkeys(judge.COUNTS, 2)

    figures, _ = judge.run(bench, 7, counts)

    assert figures.mutations == 14
    assert figures.expected >= 14
    assert (figures.missed, figures.false, figures.unrecognised) == ([], [], [])


def test_an_item_that_is_missed_or_named_in_error_is_told(bench):
    mutation = Mutation("drop", "sales_order", "order_status")
    made = next(m for m in bench.gold.items if m.uses("sales_order", "order_status"))
    other = next(m for m in bench.gold.items if not m.uses("sales_order"))
    kept = made.marks, other.marks
    made.marks, other.marks = set(), made.marks

    verdict = bench.judge(mutation)

    made.marks, other.marks = kept
    assert [line.split()[-1] for line in verdict.false] == [made.id[2]]
    assert [line.split()[-1] for line in verdict.missed] == [other.id[2]]


def test_without_adventureworks_that_part_is_skipped_with_a_reason(capsys, monkeypatch):
    monkeypatch.setattr(demo, "COUNTS", {"drop table": 1})

    status = command.main(["--json"])

    told = json.loads(capsys.readouterr().out)
    assert status == 0
    assert told["demo"]["mutations"] == 1
    assert told["adventureworks"] == {
        "skipped": "no --db FILE or --kb FOLDER with AdventureWorks is given"
    }
