"""The command that tests: test."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import SettingError, SourceError
from serve.cli import arguments
from serve.cli.arguments import Commands, add_database, add_json, add_kb, command, say, tell

if TYPE_CHECKING:
    from schemas.golden import GoldenReport, GoldenResult

_MARKS = {"passed": "green", "failed": "red", "skipped": "yellow"}


def add_commands(commands: Commands) -> None:
    """Add the commands of this module."""
    test = command(
        commands,
        "test",
        run_test,
        "Ask the golden questions of evaluation.yaml; exit 1 when one fails.",
        "dblore test --kb kb/shop --format junit > test.xml",
    )
    add_kb(test)
    add_database(test)
    add_json(test)
    setting = test.add_argument
    setting("--format", choices=["text", "json", "junit"], default="text", help="default: text")
    setting("--fail-under", type=float, metavar="N", help="percent that must pass (default: 100)")
    setting(
        "--filter",
        action="append",
        default=[],
        metavar="GLOB",
        help="only questions with this id, text, or entry of `needs`; repeatable",
    )
    setting("--answers", metavar="FILE", help="SQL to compare: JSON lines with `id` and `sql`")
    setting("--questions", metavar="FILE", help="another file than evaluation.yaml of the base")
    setting(
        "--offline",
        action="store_true",
        help="run no statement: tables, joins, and the names in statements",
    )


def run_test(options: argparse.Namespace) -> int:
    """Test golden questions and print what came of them."""
    from serve.golden import read_questions, report
    from serve.knowledge import KnowledgeBase

    kb = arguments.kb(options)
    least = 100.0 if options.fail_under is None else options.fail_under
    if not 0 <= least <= 100:
        raise SettingError(
            f"--fail-under {least:g} is no percentage", fix="give a number from 0 to 100"
        )
    path = Path(options.questions) if options.questions else kb.evaluation
    questions = read_questions(path, options.filter)
    answers = _answers(options, {asked.id for asked in read_questions(path)})
    needs_source = answers is not None or any(asked.question.sql for asked in questions)
    source = _source(options, answers) if needs_source and not options.offline else None
    seconds: list[float] = []
    found = report(
        KnowledgeBase.open(kb.folder), questions, source=source, answers=answers, seconds=seconds
    )
    _print(found, "json" if options.json else options.format, path, seconds)
    is_enough = found.share is not None and found.share >= least
    if not is_enough:
        share = "none could be tested" if found.share is None else f"{found.share:g} % passed"
        tell(f"{share}, {least:g} % must pass")
    return 0 if is_enough else 1


def _answers(options: argparse.Namespace, known: set[str]) -> dict[str, str] | None:
    if not options.answers:
        return None
    from serve.golden.answers import read_answers

    if options.offline:
        raise SettingError("--answers are run, --offline runs nothing", fix="leave one of them out")
    found = read_answers(Path(options.answers))
    unknown = sorted(found.keys() - known)
    if unknown:
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        tell(f"note: no question has the id {', '.join(unknown[:3])}{more} of an answer")
    return found


def _source(options: argparse.Namespace, answers: Mapping[str, str] | None) -> Any:
    """Return the database; None, said, where it can't be reached and nothing depends on it."""
    from pipeline.database.connect import open_database
    from pipeline.staleness import Situation

    try:
        source = Situation(arguments.kb(options), database=arguments.database(options)).source()
        open_database(source).close()
    except (SourceError, SettingError) as error:
        if answers is not None:
            raise
        tell(f"note: {error.problem}; no statement is run")
        return None
    return source


def _print(report: GoldenReport, form: str, path: Path, seconds: list[float]) -> None:
    if form == "json":
        from schemas import codec

        arguments.print_json(codec.to_json(report))
    elif form == "junit":
        from serve.golden.junit import junit

        sys.stdout.write(junit(report, path.parent, seconds))
    elif sys.stdout.isatty():
        _print_table(report, path)
    else:
        _print_lines(report, path)


def _print_table(report: GoldenReport, path: Path) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("", "id", "question", "what is wrong", "where")
    for result in report.results:
        mark = Text(result.verdict, style=_MARKS[result.verdict])
        place = f"{path}:{result.line}" if result.verdict != "passed" else ""
        texts = (result.id, result.question, "\n".join(_faults(result)), place)
        table.add_row(mark, *(Text(_visible(text)) for text in texts))
    Console().print(table)
    say(_summary(report))


def _print_lines(report: GoldenReport, path: Path) -> None:
    for result in report.results:
        say(f"{result.verdict:<8}{_visible(result.id)}  {_visible(result.question)}")
        for fault in _faults(result):
            say(f"        {_visible(fault)}")
        if result.verdict != "passed":
            say(f"        {path}:{result.line}")
    say(_summary(report))


def _faults(result: GoldenResult) -> list[str]:
    faults = [f"{c.name}: {c.detail}" for c in result.checks if c.verdict == "failed"]
    return faults + [
        f"{check.name}: not run: {check.detail}"
        for check in result.checks
        if check.verdict == "skipped"
    ]


def _summary(report: GoldenReport) -> str:
    """Return e.g. `5 of 6 questions pass; recall 92 %, precision 61 % of tables`."""
    counted = len(report.results)
    text = f"{report.passed} of {counted} question{'s' if counted != 1 else ''} pass"
    if report.skipped:
        text += f", {report.skipped} not run"
    if report.recall is not None and report.precision is not None:
        text += f"; tables: recall {report.recall:.0%}, precision {report.precision:.0%}"
    return text


def _visible(text: str) -> str:
    """Return text on one line whose control characters, which a terminal may obey, are gone."""
    return "".join(c if c.isprintable() else " " for c in text)
