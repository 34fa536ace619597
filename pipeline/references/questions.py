"""What the golden questions of evaluation.yaml use."""

from __future__ import annotations

import re

from pipeline.authored import EvaluationDocument
from pipeline.references.gathering import Gathering, Keys

_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


def gather(document: EvaluationDocument, gathering: Gathering) -> None:
    """Note the items of an evaluation.yaml."""
    file = gathering.of_file(document.path.name, document.positions)
    for number, question in enumerate(document.questions):
        keys: Keys = (number,)
        item = file.item("question", keys, question.id or question.question)
        for place, table in enumerate(question.tables):
            file.table(item, table, (*keys, "tables", place))
        for place, join in enumerate(question.joins):
            for term in _AND.split(join):
                for side in term.split("="):
                    file.place(item, side.strip(), (*keys, "joins", place))
        if question.sql:
            file.sql(item, question.sql, (*keys, "sql"))
