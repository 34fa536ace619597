"""What evaluation.yaml holds: golden questions. `schemas/evaluation.schema.json` says the same."""

from __future__ import annotations

import re

import yaml

from pipeline.authored.reading import (
    Place,
    Reading,
    listing,
    needed_text,
    optional_text,
    record,
    text,
    texts,
)
from pipeline.authored.shapes import EXPECTATION
from pipeline.text import one_line, shorten
from schemas.knowledge import GoldenQuestion

_JOIN = re.compile(r"\S\.\S[^=]*=[^=]*\S\.\S")


def _joins(reading: Reading, node: yaml.Node, place: Place) -> tuple[str, ...]:
    """Read joins written `table.column = table.column`."""
    joins = texts(reading, node, place)
    for join in joins:
        if not _JOIN.search(join):
            reading.refuse(
                node,
                place,
                f"expected `table.column = table.column`, found `{shorten(one_line(join), 60)}`",
                "write both columns with their tables; join pairs of columns by AND",
            )
    return joins


_QUESTION_KEYS = record(
    GoldenQuestion,
    {
        "id": text,
        "question": needed_text,
        "tables": texts,
        "joins": _joins,
        "sql": optional_text,
        "expect": EXPECTATION,
        "needs": texts,
    },
    required=("question",),
)


def _question(reading: Reading, node: yaml.Node, place: Place) -> GoldenQuestion | None:
    faults = len(reading.faults)
    question: GoldenQuestion | None = _QUESTION_KEYS(reading, node, place)
    is_told = len(reading.faults) > faults
    if question is not None and not (
        is_told or question.tables or question.joins or question.sql or question.expect
    ):
        fix = "add `tables: […]`, `joins: […]`, `sql: …` or `expect: {…}`"
        reading.refuse(node, place, "lacks an answer", fix)
    return question


def evaluation(reading: Reading, node: yaml.Node, place: Place) -> tuple[GoldenQuestion, ...]:
    """Read evaluation.yaml: a list of questions, no two with the same id."""
    questions = listing(_question)(reading, node, place)
    seen: dict[str, int] = {}
    for number, question in enumerate(questions):
        if question is None or not question.id:
            continue
        if question.id in seen:
            reading.refuse(
                node.value[number],
                (*place, number),
                f"question {seen[question.id] + 1} has the id `{question.id}` too",
                "give each question an id of its own, or leave ids out",
            )
        seen.setdefault(question.id, number)
    return questions
