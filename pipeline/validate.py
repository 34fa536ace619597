"""Run what people say can be run: examples, metrics, glossary SQL and curated joins.

Reads   catalog.json, semantic.yaml, graph.json and the data
Writes  validation.json  shape: schemas/validation.schema.json
        validation.md    the same for people

A statement runs read-only, guarded and time-limited, as an agent's would. A failed one is a line in
the report and never ends the build. Names in semantic.yaml that the catalog lacks are failures too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pipeline import artifacts, sql_names
from pipeline.authored import (
    Document,
    check_names,
    check_relationship,
    find_column,
    read_semantic,
)
from pipeline.database.grammar import grammar
from pipeline.errors import ArtifactError, DbloreError, PassingError, RefusedError, SourceError
from pipeline.joins import JoinGraph, JoinStep, on_clause
from pipeline.text import one_line, shorten
from schemas.models import (
    Catalog,
    CheckedItem,
    GlossaryTerm,
    Graph,
    Link,
    Table,
    Validation,
)

if TYPE_CHECKING:
    from pipeline.database.source import Source

Kind = Literal["example", "metric", "term", "relationship", "name"]

_IS_QUERY = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*|\(\s*)*(?:select|with)\b", re.IGNORECASE | re.DOTALL
)
_NO_DATABASE = "the database can't be reached"


@dataclass(frozen=True, slots=True)
class _Check:
    """A statement to run, or the reason why there is none."""

    kind: Kind
    name: str
    place: str
    """`file:line`."""
    sql: str = ""
    problem: str = ""
    """Why it can't be run; '' when it can."""
    fix: str = ""
    must_find: bool = False
    """It counts rows, and none is a failure."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of a check, with what only the report for people says."""

    item: CheckedItem
    place: str
    fix: str = ""


def build(
    *,
    catalog: Path,
    semantic: Path,
    graph: Path,
    out: Path,
    report: Path,
    source: Source | None,
    again: Callable[[], None] = lambda: None,
) -> str:
    """Run every statement of `semantic` and write the results to `out` and `report`.

    Raises:
        SettingError: semantic.yaml can't be read.
        ArtifactError: the catalog or graph is missing or damaged.
    """
    facts = artifacts.read(catalog, Catalog)
    document = read_semantic(semantic)
    planner = JoinGraph(artifacts.read(graph, Graph).links)
    ran = _run(_checks(document, facts, planner), facts, source, again)
    outcomes = [*_names(document, facts), *ran]
    if source is None:
        outcomes = _with_earlier(outcomes, out)
    artifacts.write(out, Validation(items=tuple(outcome.item for outcome in outcomes)))
    artifacts.write_text(report, _report(outcomes))
    return _account(outcomes)


def _with_earlier(outcomes: list[_Outcome], out: Path) -> list[_Outcome]:
    """Keep what an earlier run found for statements that are still the same."""
    try:
        earlier = artifacts.read(out, Validation)
    except ArtifactError:
        return outcomes
    known = {(item.kind, item.name, item.sql): item for item in earlier.items}
    return [
        replace(outcome, item=known.get((item.kind, item.name, item.sql), item))
        if (item := outcome.item).status == "skipped"
        else outcome
        for outcome in outcomes
    ]


def _names(document: Document, catalog: Catalog) -> list[_Outcome]:
    told_with_their_join = {
        problem
        for number in range(len(document.semantic.relationships))
        for problem in check_relationship(document, number, catalog)
    }
    outcomes = []
    for problem in check_names(document, catalog):
        place, _, cause = problem.message.partition(": ")
        if problem.severity == "error" and problem not in told_with_their_join:
            item = CheckedItem("name", place, "failed", cause=cause)
            outcomes.append(_Outcome(item, place, problem.fix))
    return outcomes


def _checks(document: Document, catalog: Catalog, planner: JoinGraph) -> list[_Check]:
    semantic = document.semantic
    checks = [
        _Check("example", example.question, document.place("examples", number), example.sql)
        for number, example in enumerate(semantic.examples)
    ]
    checks += [
        _Check("metric", metric.name, document.place("metrics", number), metric.sql)
        for number, metric in enumerate(semantic.metrics)
    ]
    checks += [
        _term(term, document.place("glossary", number), catalog, planner)
        for number, term in enumerate(semantic.glossary)
        if term.sql
    ]
    checks += [
        _relationship(document, number, catalog) for number in range(len(semantic.relationships))
    ]
    return checks


def _term(term: GlossaryTerm, place: str, catalog: Catalog, planner: JoinGraph) -> _Check:
    """Make a whole query of what may be a condition or an expression over the term's tables."""
    sql = (term.sql or "").strip()
    check = _Check("term", term.term, place, sql)
    if _IS_QUERY.match(sql):
        return check
    tables = [found for name in term.tables if (found := catalog.find(name))]
    if not tables:
        return replace(
            check,
            problem="its SQL is no query, and no table is named that it is about",
            fix="write a whole SELECT, or name the tables: `tables: [orders]`",
        )
    tree = planner.connect([table.name for table in tables])
    if tree.unconnected:
        return replace(
            check,
            problem=f"no known join connects {', '.join(table.name for table in tables)}",
            fix="write a whole SELECT, or add the join under `relationships`",
        )
    first = sql_names.table(tree.tables[0], catalog.dialect)
    source = first + _joined(tree.steps, catalog)
    if _is_condition(sql, catalog.dialect):
        return replace(check, sql=f"SELECT COUNT(*) AS matching_rows FROM {source} WHERE {sql}")
    return replace(check, sql=f"SELECT {sql} AS value FROM {source}")


def _is_condition(sql: str, dialect: str) -> bool:
    import sqlglot
    from sqlglot import exp

    try:
        tree = sqlglot.parse_one(sql, dialect=grammar(dialect))
    except sqlglot.errors.SqlglotError:
        return True  # the engine will say what is wrong with it
    return isinstance(tree.unnest(), exp.Predicate | exp.Connector | exp.Not | exp.Boolean)


def _relationship(document: Document, number: int, catalog: Catalog) -> _Check:
    relationship = document.semantic.relationships[number]
    pairs = list(zip(relationship.from_columns, relationship.to_columns, strict=True))
    check = _Check(
        "relationship",
        " and ".join(f"{one} = {other}" for one, other in pairs),
        document.place("relationships", number),
        must_find=True,
    )
    problem = next(check_relationship(document, number, catalog), None)
    if problem is not None:
        place, _, cause = problem.message.partition(": ")
        return replace(check, place=place, problem=cause, fix=problem.fix)
    one, columns = _side(relationship.from_columns, catalog)
    other, to_columns = _side(relationship.to_columns, catalog)
    link = Link(
        one.name, columns, other.name, to_columns, "curated", condition=relationship.condition
    )
    dialect = catalog.dialect
    sql = (
        f"SELECT COUNT(*) AS joined_rows FROM {sql_names.table(one.name, dialect)} AS a "
        f"JOIN {sql_names.table(other.name, dialect)} AS b "
        f"ON {on_clause(link, partial(sql_names.quote, dialect=dialect), ('a', 'b'))}"
    )
    return replace(check, sql=sql)


def _side(texts: tuple[str, ...], catalog: Catalog) -> tuple[Table, tuple[str, ...]]:
    """Return the table and columns of one side of a relationship whose names were checked."""
    found = [find_column(text, catalog) for text in texts]
    table = found[0][0]
    assert table is not None
    return table, tuple(column.name for _, column in found if column is not None)


def _joined(steps: tuple[JoinStep, ...], catalog: Catalog) -> str:
    """Return the JOINs of the steps, tables under their own names."""
    dialect = catalog.dialect
    joins = []
    for step in steps:
        ends = tuple(sql_names.table(t, dialect) for t in (step.link.table, step.link.to_table))
        on = on_clause(step.link, partial(sql_names.quote, dialect=dialect), (ends[0], ends[1]))
        joins.append(f" JOIN {sql_names.table(step.target, dialect)} ON {on}")
    return "".join(joins)


def _run(
    checks: list[_Check], catalog: Catalog, source: Source | None, again: Callable[[], None]
) -> list[_Outcome]:
    if source is None:
        return [_skipped(check, _NO_DATABASE) for check in checks]
    if not checks:
        return []
    outcomes: list[_Outcome] = []
    for place, check in enumerate(checks):
        try:
            outcomes.append(_ran(check, source, catalog))
        except PassingError as error:
            again()
            outcomes.append(_skipped(check, one_line(error.problem), error.fix))
        except SourceError as error:  # the others wouldn't reach it either
            why = one_line(error.problem)
            return outcomes + [_skipped(missed, why, error.fix) for missed in checks[place:]]
    return outcomes


def _ran(check: _Check, source: Source, catalog: Catalog) -> _Outcome:
    from pipeline.database.query import Limits, read

    item = CheckedItem(check.kind, check.name, "failed", check.sql, check.problem)
    if check.problem:
        return _Outcome(item, check.place, check.fix)
    try:
        result = read(source, check.sql, catalog=catalog, limits=Limits())
    except SourceError:
        raise
    except DbloreError as error:
        refused = "refused: " if isinstance(error, RefusedError) else ""
        item = replace(item, cause=refused + one_line(error.problem))
        return _Outcome(item, check.place, one_line(error.fix))
    if check.must_find and not (result.rows and result.rows[0][0]):
        item = replace(item, cause="the join finds no row", columns=result.columns, rows=0)
        return _Outcome(item, check.place, "correct the columns or the condition, or remove it")
    rows = int(result.rows[0][0]) if check.must_find else len(result.rows)
    return _Outcome(replace(item, status="ok", columns=result.columns, rows=rows), check.place)


def _skipped(check: _Check, why: str, fix: str = "") -> _Outcome:
    item = CheckedItem(check.kind, check.name, "skipped", check.sql, cause=why)
    return _Outcome(item, check.place, fix or "build again when it can be reached")


def _account(outcomes: list[_Outcome]) -> str:
    """Return e.g. `31 of 32 statements ran, 1 failed`."""
    statements = [o.item for o in outcomes if o.item.kind != "name"]
    counts = Counter(item.status for item in statements)
    names = len(outcomes) - len(statements)
    if not outcomes:
        return "no statements to run: semantic.yaml has no examples, metrics or joins"
    parts = [f"{counts['ok']} of {len(statements)} statements ran"]
    parts += [f"{counts[status]} {status}" for status in ("failed", "skipped") if counts[status]]
    if names:
        parts.append(f"{names} unknown name{'s' if names > 1 else ''} in semantic.yaml")
    return ", ".join(parts)


def _report(outcomes: list[_Outcome]) -> str:
    lines = ["# Validation", "", f"{_account(outcomes)}.".capitalize()]
    for status, title in (("failed", "Failed"), ("skipped", "Not run"), ("ok", "Ran")):
        chosen = [outcome for outcome in outcomes if outcome.item.status == status]
        if chosen:
            lines += ["", f"## {title}", "", *_table(status, chosen)]
    return "\n".join(lines) + "\n"


def _table(status: str, outcomes: list[_Outcome]) -> list[str]:
    if status == "ok":
        rows = [
            (o.item.kind, o.item.name, o.place, str(o.item.rows), ", ".join(o.item.columns))
            for o in outcomes
        ]
        heads = ("what", "name", "where", "rows", "columns")
    else:
        rows = [(o.item.kind, o.item.name, o.place, o.item.cause, o.fix) for o in outcomes]
        heads = ("what", "name", "where", "cause", "what to do")
    lines = [heads, ("---",) * len(heads), *rows]
    return [f"| {' | '.join(map(_cell, line))} |" for line in lines]


def _cell(text: str) -> str:
    """Return untrusted text so that it can't leave its table cell or become markup."""
    escaped = re.sub(r"([\\`*_\[\]<>|~#&])", r"\\\1", shorten(one_line(text), 200))
    return escaped or " "
