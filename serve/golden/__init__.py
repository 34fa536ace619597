"""Golden questions: does the context of each show what its answer needs, and do answers fit?

No model is asked. Tables and joins are those of the context pack; statements run behind the guard.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from pipeline.authored import EvaluationDocument, read_evaluation
from pipeline.database.source import Source
from pipeline.errors import NotFoundError, did_you_mean
from pipeline.lineage.tables import Tables
from pipeline.references.statements import Statements
from schemas.golden import GoldenCheck, GoldenReport, GoldenResult, Verdict
from schemas.knowledge import GoldenQuestion
from serve.context import context
from serve.context.pack import ContextPack
from serve.golden.execution import Executor
from serve.golden.joins import check_joins
from serve.knowledge import KnowledgeBase

__all__ = ["Asked", "read_questions", "report"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its name in reports, and where it stands."""

    id: str
    question: GoldenQuestion
    file: str
    line: int


def read_questions(path: Path, patterns: Sequence[str] = ()) -> list[Asked]:
    """Return the questions of a file, those that fit one of the patterns if there are any.

    Args:
        path: evaluation.yaml, or a file like it.
        patterns: globs of ids, questions, or what a question `needs`.

    Raises:
        NotFoundError: there is no question, or none that fits.
        SettingError: the file can't be used.
    """
    document = read_evaluation(path)
    every = [
        _asked(document, number, question) for number, question in enumerate(document.questions)
    ]
    if not every:
        state = "asks nothing" if path.exists() else "doesn't exist"
        raise NotFoundError(
            f"there are no golden questions: {path} {state}",
            fix="write some, e.g. `- {question: How many orders were paid?, tables: [orders]}`; "
            "docs/how-to/check-and-test.md says how",
        )
    chosen = [asked for asked in every if not patterns or _fits(asked, patterns)]
    if not chosen:
        known = [name for asked in every for name in (asked.id, *asked.question.needs)]
        raise NotFoundError(
            f"no golden question of {path} fits {' or '.join(patterns)}",
            fix=did_you_mean(patterns[0], known, "give an id or a glob of ids, questions, needs"),
        )
    return chosen


def _asked(document: EvaluationDocument, number: int, question: GoldenQuestion) -> Asked:
    line, _ = document.positions.of((number,))
    return Asked(question.id or str(number + 1), question, document.path.name, line or 1)


def _fits(asked: Asked, patterns: Sequence[str]) -> bool:
    names = [n.casefold() for n in (asked.id, asked.question.question, *asked.question.needs)]
    return any(fnmatchcase(n, p.casefold()) or n == p.casefold() for p in patterns for n in names)


def report(
    kb: KnowledgeBase,
    questions: Sequence[Asked],
    *,
    source: Source | None,
    answers: Mapping[str, str] | None = None,
    seconds: list[float] | None = None,
) -> GoldenReport:
    """Test the questions.

    Args:
        kb: the knowledge base.
        questions: what to ask.
        source: the database; None: statements are skipped.
        answers: SQL by the ids of questions that something else answered; None: nothing did.
        seconds: gets what each question took, which the report leaves out: it is the same each run.

    Raises:
        SourceError: the database can't be reached any more.
        DbloreError: the knowledge base can't be served.
    """
    _ = kb.index  # first: it may have to be built
    statements = Statements(Tables(kb.facts.catalog))
    executor = Executor(kb.facts, source, answers, statements)
    results = []
    for asked in questions:
        begun = time.monotonic()
        results.append(_result(kb, asked, statements, executor))
        if seconds is not None:
            seconds.append(time.monotonic() - begun)
    verdicts = [result.verdict for result in results]
    passed, failed = verdicts.count("passed"), verdicts.count("failed")
    return GoldenReport(
        kb.name,
        kb.revision,
        passed,
        failed,
        verdicts.count("skipped"),
        share=round(100 * passed / (passed + failed), 2) if passed + failed else None,
        recall=_mean([r.recall for r in results]),
        precision=_mean([r.precision for r in results]),
        results=tuple(results),
    )


def _result(
    kb: KnowledgeBase, asked: Asked, statements: Statements, executor: Executor
) -> GoldenResult:
    question = asked.question
    pack = context(kb, question.question)
    result = GoldenResult(
        asked.id,
        question.question,
        "skipped",
        needs=question.needs,
        file=asked.file,
        line=asked.line,
        shown=pack.tables,
    )
    checks: list[GoldenCheck] = []
    needed = question.tables or (statements.read(question.sql).tables if question.sql else ())
    if needed:
        result, check = _tables(kb, result, needed, pack)
        checks.append(check)
    if question.joins:
        checks.append(check_joins(kb.facts, question.joins, pack))
    checks += executor.checks(asked.id, question)
    return replace(result, checks=tuple(checks), verdict=_verdict(checks))


def _verdict(checks: Sequence[GoldenCheck]) -> Verdict:
    found = {check.verdict for check in checks}
    return "failed" if "failed" in found else "passed" if "passed" in found else "skipped"


def _tables(
    kb: KnowledgeBase, result: GoldenResult, needed: Sequence[str], pack: ContextPack
) -> tuple[GoldenResult, GoldenCheck]:
    """Return the result with recall and precision, and whether every needed table is shown."""
    catalog = kb.facts.catalog
    names, unknown = [], []
    for name in needed:
        table = catalog.find(name)
        if table is None:
            unknown.append(name)
        names.append(table.name if table else name)
    names = list(dict.fromkeys(names))
    shown = set(pack.tables)
    missing = tuple(name for name in names if name not in shown)
    found = len(names) - len(missing)
    result = replace(
        result,
        tables=tuple(names),
        missing=missing,
        recall=round(found / len(names), 4),
        precision=round(found / len(shown), 4) if shown else 0.0,
    )
    if unknown:
        offered = did_you_mean(unknown[0], catalog.by_name, "see dblore tables")
        return result, GoldenCheck("tables", "failed", f"there is no table {unknown[0]}: {offered}")
    if missing:
        hidden = [name for name in missing if name not in kb.facts.cards]
        why = f"; {', '.join(hidden)}: hidden in semantic.yaml" if hidden else ""
        has = ", ".join(pack.tables) or "nothing"
        detail = f"missing {', '.join(missing)}; shown {has}{why}"
        return result, GoldenCheck("tables", "failed", detail)
    return result, GoldenCheck("tables", "passed")


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 4) if known else None
