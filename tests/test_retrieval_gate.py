"""The gate of retrieval: what words alone must reach on the demo, and that the measure is right."""

import json
from pathlib import Path

import pytest

from evals import retrieval
from pipeline.kb import Kb
from pipeline.staleness import Situation
from serve import golden
from serve.knowledge import KnowledgeBase

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ROOT / "evals" / "demo" / "questions.yaml"
LEAST_COMPLETE = 0.88
MOST_SHOWN = 4.3


@pytest.mark.req("CTX-04")
def test_words_alone_find_the_tables_of_the_demo(demo):
    cases = retrieval.load_cases(QUESTIONS)

    figures = retrieval.measure(KnowledgeBase.open(demo), cases)

    assert figures.questions >= 40
    assert figures.complete >= LEAST_COMPLETE * figures.questions, figures.misses
    assert figures.shown_mean <= MOST_SHOWN
    assert figures.within_budget


@pytest.mark.req("B11", part="the demo")
def test_the_demo_passes_its_own_golden_questions(demo):
    questions = golden.read_questions(demo / "evaluation.yaml")

    found = golden.report(KnowledgeBase.open(demo), questions, source=Situation(Kb(demo)).source())

    assert [result for result in found.results if result.verdict != "passed"] == []
    assert len(found.results) >= 5


@pytest.mark.req("CTX-04")
def test_the_measure_prints_what_it_promises(demo, tmp_path, capsys):
    file = tmp_path / "cases.jsonl"
    lines = [
        {"id": "a", "db": "demo", "question": "How many sales orders?", "tables": ["SALES_ORDER"]},
        {"id": "b", "db": "demo", "question": "How many sales orders?", "tables": ["nowhere"]},
        {"id": "c", "db": "other", "question": "?", "tables": []},
    ]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    status = retrieval.main(
        ["--kb", str(demo), "--questions", str(file), "--db-name", "demo", "--json"]
    )

    printed = json.loads(capsys.readouterr().out)
    assert status == 0
    assert (printed["questions"], printed["complete"]) == (2, 1)
    assert printed["misses"] == [{"id": "b", "missing": ["nowhere"]}]
    assert printed["shown_mean"] > 0


@pytest.mark.parametrize(
    ("needed", "shown", "missing"),
    [
        pytest.param(["Orders"], ["orders"], (), id="case"),
        pytest.param(["sales.orders"], ["orders"], (), id="schema on one side"),
        pytest.param(["orders"], ["sales.orders"], (), id="schema on the other"),
        pytest.param(["sales.orders"], ["stock.orders"], ("sales.orders",), id="two schemas"),
        pytest.param(["a", "b"], ["b"], ("a",), id="one missing"),
    ],
)
def test_names_are_compared_as_people_mean_them(needed, shown, missing):
    assert retrieval.missing_tables(needed, shown) == missing
