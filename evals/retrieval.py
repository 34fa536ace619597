"""How often a context shows every table that the right SQL needs, and how many tables it shows.

    python -m evals.retrieval --kb kb/demo --questions evals/demo/questions.yaml
                              [--embedder none] [--db-name NAME] [--split NAME] [--json]

FILE is a YAML list of cases or JSON lines, each with `question` and `tables` (and `id`); `db` and
`split` are optional. A table is shown when its card or a join through it is in the pack. Names
are compared without case, and without the schema where only one side has it.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import DbloreError
from serve.context import DEFAULT_BUDGET, context
from serve.knowledge import KnowledgeBase

_SCHEMA = re.compile(r"\.|__")


@dataclass(frozen=True, slots=True)
class Case:
    """A question and the tables that its SQL reads."""

    id: str
    question: str
    tables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Miss:
    """A question whose context lacks tables."""

    id: str
    missing: tuple[str, ...]
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured."""

    questions: int
    complete: int
    """Questions whose context shows every table."""
    shown_mean: float
    misses: tuple[Miss, ...]
    milliseconds: float
    """Median of a context, warm."""
    within_budget: bool


def load_cases(path: Path, *, database: str = "", split: str = "") -> list[Case]:
    """Read the cases of a file, of one database and split where these are named."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        entries = [json.loads(line) for line in text.splitlines() if line.strip()]
    else:
        import yaml

        entries = yaml.safe_load(text)
    return [
        Case(str(entry.get("id", number)), entry["question"], tuple(entry["tables"]))
        for number, entry in enumerate(entries, start=1)
        if _wanted(entry, database, split)
    ]


def _wanted(entry: dict[str, Any], database: str, split: str) -> bool:
    return all(
        not wanted or entry.get(key, wanted) == wanted
        for key, wanted in (("db", database), ("split", split))
    )


def measure(kb: KnowledgeBase, cases: Sequence[Case], *, budget: int = DEFAULT_BUDGET) -> Figures:
    """Ask for the context of each case and compare the tables shown with those needed."""
    misses: list[Miss] = []
    shown: list[int] = []
    times: list[float] = []
    within = True
    for case in cases:
        started = time.perf_counter()
        pack = context(kb, case.question, budget=budget)
        times.append(1_000 * (time.perf_counter() - started))
        within = within and len(pack.markdown()) <= budget
        shown.append(len(pack.tables))
        missing = missing_tables(case.tables, pack.tables)
        if missing:
            misses.append(Miss(case.id, missing, pack.tables))
    return Figures(
        questions=len(cases),
        complete=len(cases) - len(misses),
        shown_mean=round(statistics.fmean(shown), 2) if shown else 0.0,
        misses=tuple(misses),
        milliseconds=round(statistics.median(times), 1) if times else 0.0,
        within_budget=within,
    )


def missing_tables(needed: Iterable[str], shown: Iterable[str]) -> tuple[str, ...]:
    """Return the needed tables that aren't shown."""
    names = [name.casefold() for name in shown]
    bare = {_SCHEMA.split(name)[-1] for name in names}

    def is_shown(table: str) -> bool:
        folded = table.casefold()
        parts = _SCHEMA.split(folded)
        if folded in names:
            return True
        if len(parts) == 1:
            return folded in bare
        unqualified = {name for name in names if len(_SCHEMA.split(name)) == 1}
        return parts[-1] in unqualified

    return tuple(table for table in needed if not is_shown(table))


def words_only(kb: KnowledgeBase) -> KnowledgeBase:
    """Return the knowledge base, from now on searched by words alone as with `embedder: none`."""
    index = kb.index
    index.__dict__["embedder"] = None
    return kb


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.retrieval", description=__doc__)
    parser.add_argument("--kb", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True, metavar="FILE")
    parser.add_argument("--embedder", choices=["none"], help="search by words alone")
    parser.add_argument("--db-name", default="", help="only the cases of this `db`")
    parser.add_argument("--split", default="", help="only the cases of this `split`")
    parser.add_argument("--budget", type=int, default=DEFAULT_BUDGET)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    try:
        return _run(options)
    except DbloreError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status


def _run(options: argparse.Namespace) -> int:
    kb = KnowledgeBase.open(options.kb)
    if options.embedder:
        kb = words_only(kb)
    try:
        cases = load_cases(options.questions, database=options.db_name, split=options.split)
    except OSError as error:
        print(f"error: {options.questions} can't be read: {error.strerror}", file=sys.stderr)
        return 2
    if not cases:
        print(f"no case in {options.questions} is wanted", file=sys.stderr)
        return 2
    figures = measure(kb, cases, budget=options.budget)
    print(_json(figures) if options.json else _text(figures))
    return 0


def _json(figures: Figures) -> str:
    return json.dumps(
        {
            "questions": figures.questions,
            "complete": figures.complete,
            "shown_mean": figures.shown_mean,
            "misses": [{"id": m.id, "missing": list(m.missing)} for m in figures.misses],
            "ms_median": figures.milliseconds,
            "within_budget": figures.within_budget,
        },
        ensure_ascii=False,
        indent=1,
    )


def _text(figures: Figures) -> str:
    head = (
        f"{figures.complete} of {figures.questions} questions complete, "
        f"{figures.shown_mean} tables shown, {figures.milliseconds} ms"
    )
    misses = [
        f"  {miss.id}: missing {', '.join(miss.missing)}; shown {', '.join(miss.shown)}"
        for miss in figures.misses
    ]
    return "\n".join([head, *misses])


if __name__ == "__main__":
    raise SystemExit(main())
