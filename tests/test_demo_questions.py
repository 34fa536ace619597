"""What must hold of the demo's evaluation questions, whatever is in its database."""

from collections import Counter
from pathlib import Path

from evals.yaml_files import read_yaml

ROOT = Path(__file__).resolve().parents[1]


SEMANTIC = read_yaml(ROOT / "kb" / "demo" / "semantic.yaml")
QUESTIONS = read_yaml(ROOT / "evals" / "demo" / "questions.yaml")


def test_the_questions_need_enough_of_each_kind_of_knowledge():
    needs = Counter(need for case in QUESTIONS for need in case["needs"])
    rare = sum(needs[kind] for kind in ("subtype", "polymorphic", "role"))

    assert len(QUESTIONS) >= 44
    assert set(needs) <= {"unnamed", "code", "three_tables", "subtype", "polymorphic", "role"}
    assert needs["unnamed"] >= 22
    assert needs["code"] >= 12
    assert needs["three_tables"] >= 12
    assert rare >= 8
    assert min(needs["subtype"], needs["polymorphic"], needs["role"]) >= 1


def test_three_tables_marks_the_questions_that_need_that_many():
    wrong = [
        case["id"]
        for case in QUESTIONS
        if ("three_tables" in case["needs"]) != (len(case["tables"]) >= 3)
    ]

    assert wrong == []


def test_no_question_is_an_example_that_the_knowledge_base_has_seen():
    seen = {example["question"].lower() for example in SEMANTIC["examples"]}
    asked = [case["question"].lower() for case in QUESTIONS]

    assert seen.isdisjoint(asked)
    assert len(asked) == len(set(asked))
