"""Write into semantic.yaml what the results of its examples are now: columns, rows, checksum.

A statement runs twice: what comes out differently isn't pinned, nor is what its text says will be
another tomorrow. Values of sensitive columns never enter a checksum (see `database/tally.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from pipeline import artifacts
from pipeline.authored import Document, read_semantic
from pipeline.authored.editing import Put, edit_file
from pipeline.cards import sensitive_columns
from pipeline.database import query
from pipeline.database.masking.masks import Sensitive
from pipeline.database.page import Limits, Result
from pipeline.database.source import Source
from pipeline.database.tally import MOST_ROWS
from pipeline.errors import DbloreError, NotFoundError, SourceError, did_you_mean
from pipeline.expectations import nature
from pipeline.kb import Kb
from pipeline.mutex import exclusive
from pipeline.statements import apart
from pipeline.ties import at_the_cut
from schemas.models import Catalog, Example, Expectation, Graph, Profile, RowRange

SECONDS = 30.0
_AT_A_TIME = 2
_TIES = "rows tie at the cut of LIMIT, so the engine chooses which of them come"
_TOTAL = "end ORDER BY with a column that tells all rows apart, e.g. the key"


@dataclass(frozen=True, slots=True)
class Pin:
    """What was done about one example."""

    question: str
    place: str
    """`file:line:column` before anything was written: of what is refused, else of the example."""
    expect: Expectation | None
    """What is pinned now; None when nothing is."""
    notes: tuple[str, ...] = ()
    """What isn't pinned, and why."""
    error: DbloreError | None = None
    """Why it can't be pinned: the statement fails."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the statements run on."""

    source: Source
    catalog: Catalog
    sensitive: Sensitive
    values: bool
    """Whether anything may be kept of values."""


def pin(kb: Kb, source: Source, targets: Sequence[str] = (), *, values: bool = True) -> list[Pin]:
    """Pin examples of semantic.yaml; the file changes at their `expect` and nowhere else.

    Args:
        kb: the knowledge base, which was scanned and profiled.
        source: its database.
        targets: questions, or globs of questions, that are pinned also where they are already;
            none: every example that isn't pinned yet.
        values: False pins no checksum.

    Raises:
        NotFoundError: no example has such a question.
        SettingError: semantic.yaml can't be read, or not be edited there.
        ArtifactError: the knowledge base was never built.
        SourceError: the database can't be reached.
    """
    with exclusive(kb):
        return _pinned(kb, source, targets, values=values)


def _pinned(kb: Kb, source: Source, targets: Sequence[str], *, values: bool) -> list[Pin]:
    document = read_semantic(kb.semantic)
    catalog = artifacts.read(kb.catalog, Catalog)
    sensitive = sensitive_columns(
        catalog,
        artifacts.read(kb.profile, Profile),
        document.semantic,
        artifacts.read(kb.graph, Graph),
    )
    asked = _Asked(source, catalog, sensitive, values)
    numbers = _chosen(document, targets)
    with ThreadPoolExecutor(_AT_A_TIME) as threads:
        found = list(threads.map(partial(_pin, document, asked), numbers))
    edits = [
        Put(("examples", number, "expect"), _written(pinned.expect))
        for number, pinned in zip(numbers, found, strict=True)
        if pinned.expect is not None and pinned.expect != document.semantic.examples[number].expect
    ]
    if edits:
        edit_file(kb.semantic, edits)
    return found


def _chosen(document: Document, targets: Sequence[str]) -> list[int]:
    examples = document.semantic.examples
    if not targets:
        return [n for n, example in enumerate(examples) if example.expect is None]
    chosen: set[int] = set()
    for target in targets:
        fitting = [n for n, example in enumerate(examples) if _is_called(example, target)]
        if not fitting:
            questions = [example.question for example in examples]
            raise NotFoundError(
                f"no example of {document.path} has the question {target!r}",
                fix=did_you_mean(target, questions, "give a question as it stands there, or '*'"),
            )
        chosen.update(fitting)
    return sorted(chosen)


def _is_called(example: Example, target: str) -> bool:
    question, wanted = example.question.casefold().strip(), target.casefold().strip()
    return question == wanted or fnmatchcase(question, wanted)


def _pin(document: Document, asked: _Asked, number: int) -> Pin:
    example = document.semantic.examples[number]
    nothing = Pin(example.question, document.where("examples", number), None)
    told = nature(example.sql, asked.catalog.dialect)
    try:
        results = [_tallied(asked, example.sql, order=told.order) for _ in range(2)]
    except SourceError:
        raise
    except DbloreError as error:
        why, line, column = apart(error.problem)
        if line:
            place = document.positions.within(("examples", number, "sql"), line, column)
            where = f"{document.path}:{place[0]}:{place[1]}"
            return replace(nothing, place=where, error=type(error)(why, error.fix))
        return replace(nothing, error=error)
    first, second = results
    assert first.tally is not None
    assert second.tally is not None
    if told.passing:
        why = f"{told.passing} gives something else another time: only the columns are pinned"
        return replace(nothing, expect=Expectation(first.columns), notes=(why,))
    if first.tally.rows != second.tally.rows:
        why = "it gives another number of rows each time: only the columns are pinned"
        return replace(nothing, expect=Expectation(first.columns), notes=(why,))
    rows = RowRange(first.tally.rows, None if first.tally.has_more else first.tally.rows)
    checksum, notes = _checksum(asked, told.loose, first, second)
    if checksum is not None:
        limits = Limits(seconds=SECONDS)
        cut = at_the_cut(asked.source, example.sql, asked.catalog, limits)
        if cut == "ties":
            checksum, notes = None, (*notes, f"no checksum: {_TIES}; {_TOTAL}")
        elif cut == "unknown":
            notes = (*notes, f"rows may tie at the cut of LIMIT; {_TOTAL}")
    return replace(nothing, expect=Expectation(first.columns, rows, checksum), notes=notes)


def _checksum(
    asked: _Asked, loose: str, first: Result, second: Result
) -> tuple[str | None, tuple[str, ...]]:
    """Return the checksum to pin, if any, and what is to be said of it."""
    assert first.tally is not None
    assert second.tally is not None
    if first.tally.has_more:
        return None, (f"no checksum: it has more than {MOST_ROWS:,} rows",)
    if first.tally.checksum != second.tally.checksum:
        return None, ("no checksum: it gives other values, or another order, each time",)
    if loose:
        return None, (f"no checksum: {loose} lets the engine choose the rows",)
    if not asked.values:
        return None, ("no checksum: kb.yaml says `values: false`",)
    if first.tally.checksum is None or len(first.masked) == len(first.columns):
        return None, ("no checksum: every column is sensitive, or may be",)
    if first.masked:
        return first.tally.checksum, (
            f"values of {', '.join(first.masked)} don't enter the checksum: they are sensitive",
        )
    return first.tally.checksum, ()


def _tallied(asked: _Asked, sql: str, *, order: tuple[int, ...]) -> Result:
    return query.tally(
        asked.source,
        sql,
        catalog=asked.catalog,
        limits=Limits(rows=MOST_ROWS, seconds=SECONDS),
        sensitive=asked.sensitive,
        order=order,
    )


def _written(expect: Expectation) -> dict[str, Any]:
    """Return what is written for an expectation."""
    found: dict[str, Any] = {"columns": list(expect.columns)}
    rows = expect.rows
    if rows is not None:
        found["rows"] = rows.min if rows.min == rows.max else {"min": rows.min}
    if expect.checksum is not None:
        found["checksum"] = expect.checksum
    return found
