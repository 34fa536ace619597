"""What there is to check: the statements that people wrote, made whole where they are parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from pipeline import sql_names
from pipeline.authored import Document, GraphDocument, find_column, relationship_faults
from pipeline.database.grammar import grammar
from pipeline.errors import did_you_mean
from pipeline.joins import JoinGraph, JoinStep, on_clause
from pipeline.statements import EXPRESSION, WHOLE, is_expression, is_query
from schemas.models import (
    Catalog,
    Entity,
    Expectation,
    GlossaryTerm,
    Graph,
    Link,
    Table,
)

Kind = Literal["example", "metric", "term", "relationship", "filter", "name"]


@dataclass(frozen=True, slots=True)
class Written:
    """Where somebody wrote a statement, or the part of one."""

    document: Document | GraphDocument
    keys: tuple[str | int, ...]
    sql: str

    def place(self, whole: str, line: int, column: int) -> str:
        """Return where a place of the whole statement stands in the file; '' if nowhere."""
        own = self.sql.strip()
        begin, lines = whole.find(own), whole.split("\n")
        if begin < 0 or not own or not 1 <= line <= len(lines):
            return ""
        offset = sum(len(text) + 1 for text in lines[: line - 1]) + column - 1 - begin
        if not 0 <= offset <= len(own):
            return ""
        before = self.sql[: self.sql.find(own) + offset]
        found = self.document.positions.within(
            self.keys, before.count("\n") + 1, len(before) - before.rfind("\n")
        )
        return f"{self.document.path.name}:{found[0]}:{found[1]}"


@dataclass(frozen=True, slots=True)
class Check:
    """A statement to run, or the reason why there is none."""

    kind: Kind
    name: str
    place: str
    """`file:line:column`."""
    sql: str = ""
    problem: str = ""
    """Why it can't be run; '' when it can."""
    fix: str = ""
    must_find: bool = False
    """It counts rows, and none is a failure."""
    runs: bool = True
    """It is run and not only proven."""
    expect: Expectation | None = None
    missing: tuple[str, ...] = ()
    """What it names that isn't there, where that is known before it runs."""
    written: Written | None = None

    def place_of(self, line: int, column: int) -> str:
        """Return where in the file a place in the statement stands, as well as that is known."""
        found = self.written.place(self.sql, line, column) if self.written else ""
        return found or self.place


def checks(
    document: Document, entities: GraphDocument, catalog: Catalog, graph: Graph
) -> list[Check]:
    """Return a check for each statement, in the order of the files."""
    semantic = document.semantic
    planner = JoinGraph(graph.links)
    found = [
        Check(
            "example",
            example.question,
            document.place("examples", number),
            example.sql,
            expect=example.expect,
            written=Written(document, ("examples", number, "sql"), example.sql),
        )
        for number, example in enumerate(semantic.examples)
    ]
    found += [
        _metric(
            Check(
                "metric",
                metric.name,
                document.place("metrics", number),
                metric.sql,
                written=Written(document, ("metrics", number, "sql"), metric.sql),
            ),
            catalog.dialect,
        )
        for number, metric in enumerate(semantic.metrics)
    ]
    found += [
        _term(term, Written(document, ("glossary", number, "sql"), term.sql), catalog, planner)
        for number, term in enumerate(semantic.glossary)
        if term.sql
    ]
    found += [
        _relationship(document, number, catalog) for number in range(len(semantic.relationships))
    ]
    return [*found, *_filters(entities, catalog)]


def _metric(check: Check, dialect: str) -> Check:
    """Say what is wrong with an expression; whatever else isn't a query, the guard says better."""
    if not is_expression(check.sql, dialect):
        return check
    return replace(check, problem=EXPRESSION, fix=WHOLE)


def _term(term: GlossaryTerm, written: Written, catalog: Catalog, planner: JoinGraph) -> Check:
    """Make a whole query of what may be a condition or an expression over the term's tables."""
    sql = (term.sql or "").strip()
    place = written.document.place(*written.keys[:-1])
    check = Check("term", term.term, place, sql, written=written)
    if is_query(sql):
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
        counting = f"SELECT COUNT(*) AS matching_rows FROM {source} WHERE {sql}"
        return replace(check, sql=counting)
    return replace(check, sql=f"SELECT {sql} AS value FROM {source}")


def _is_condition(sql: str, dialect: str) -> bool:
    import sqlglot
    from sqlglot import exp

    try:
        tree = sqlglot.parse_one(sql, dialect=grammar(dialect))
    except sqlglot.errors.SqlglotError:
        return True  # the engine will say what is wrong with it
    return isinstance(tree.unnest(), exp.Predicate | exp.Connector | exp.Not | exp.Boolean)


def _relationship(document: Document, number: int, catalog: Catalog) -> Check:
    relationship = document.semantic.relationships[number]
    pairs = list(zip(relationship.from_columns, relationship.to_columns, strict=True))
    check = Check(
        "relationship",
        " and ".join(f"{one} = {other}" for one, other in pairs),
        document.place("relationships", number),
        must_find=True,
    )
    faults = list(relationship_faults(document, number, catalog))
    if faults:
        first = faults[0]
        return replace(
            check,
            place=document.place(*first.place),
            problem=first.message,
            fix=first.fix,
            missing=tuple(fault.message for fault in faults if fault.is_gone),
        )
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


def _filters(document: GraphDocument, catalog: Catalog) -> Iterator[Check]:
    """Yield the conditions of entities: they are proven, for the graph stage counts their rows."""
    by_name = {entity.name.casefold(): entity for entity in reversed(document.graph.entities)}
    for number, entity in enumerate(document.graph.entities):
        if entity.filter:
            keys = ("entities", number, "filter")
            check = Check(
                "filter",
                entity.name,
                document.place(*keys),
                entity.filter,
                runs=False,
                written=Written(document, keys, entity.filter),
            )
            yield _filter(check, entity, by_name, catalog)


def _filter(check: Check, entity: Entity, by_name: dict[str, Entity], catalog: Catalog) -> Check:
    seen: set[str] = set()
    holder: Entity | None = entity
    while holder is not None and not holder.table and holder.name not in seen:
        seen.add(holder.name)
        holder = by_name.get((holder.is_a or "").casefold())
    named = holder.table if holder is not None else ""
    table = catalog.find(named) if named else None
    if table is None:
        what = f"there is no table `{named}`" if named else "no entity that it is names a table"
        fix = did_you_mean(named, catalog.by_name, "name a table that there is")
        return replace(check, problem=what, fix=fix, missing=(what,) if named else ())
    name = sql_names.table(table.name, catalog.dialect)
    sql = f"SELECT COUNT(*) AS matching_rows FROM {name} WHERE ({entity.filter}\n)"
    return replace(check, sql=sql)
