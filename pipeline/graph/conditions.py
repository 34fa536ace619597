"""SQL conditions that people or models wrote: parsed alone, checked by the guard, re-qualified.

A condition is never pasted before it has been parsed by itself: what would close our bracket or
add a statement is then no condition any more. The whole statement passes the guard as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline import sql_names
from pipeline.database import guard
from pipeline.database.grammar import grammar
from pipeline.errors import DbloreError, did_you_mean
from schemas.facts import Catalog, Table

MAX_CHARACTERS = 20_000
"""Longer text costs the parser seconds; no condition needs it."""

Expression = Any
"""Of sqlglot, which has no types that mypy reads."""


class ConditionError(ValueError):
    """The condition can't be used."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.fix = fix


class UnknownColumnError(ConditionError):
    """The condition names a column that isn't there."""


@dataclass(frozen=True, slots=True)
class Place:
    """A table as it stands in a join: how conditions may call it, and its alias."""

    table: Table
    alias: str
    names: tuple[str, ...] = ()
    """What it is called besides its own name, e.g. the entity's name."""

    def is_called(self, name: str) -> bool:
        """Whether conditions mean this place by `name`."""
        own = (self.table.name, self.table.object_name, *self.names)
        return name.casefold() in (text.casefold() for text in own)


def parse(condition: str, dialect: str) -> Expression:
    """Return the tree of one SQL condition.

    Raises:
        ConditionError: it is no condition, or more than one.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    fix = "write one condition as it would stand after WHERE, e.g. status = 'open'"
    if len(condition) > MAX_CHARACTERS:
        raise ConditionError(f"it is longer than {MAX_CHARACTERS:,} characters", fix)
    try:
        trees = sqlglot.parse(condition, read=grammar(dialect))
    except (SqlglotError, RecursionError) as failure:
        text = str(failure).splitlines()[0] if str(failure) else type(failure).__name__
        raise ConditionError(f"it is no SQL condition: {text}", fix) from failure
    if len(trees) != 1 or not isinstance(trees[0], exp.Condition):
        raise ConditionError("it is no single SQL condition", fix)
    return trees[0]


def check_filter(condition: str, table: Table, catalog: Catalog) -> None:
    """Check a filter over one table, as far as that goes without a database.

    Raises:
        UnknownColumnError: it names a column that the table doesn't have.
        ConditionError: it isn't safe.
    """
    place = Place(table, "")
    for column in _own_columns(parse(condition, catalog.dialect)):
        _find(column, [place])
    _guard(f"SELECT COUNT(*) FROM {filtered(table, [condition], catalog)} AS t0", catalog)


def filtered(table: Table, conditions: Sequence[str], catalog: Catalog) -> str:
    """Return the table, or the part of it for which the conditions hold, as SQL for FROM."""
    name = sql_names.table(table.name, catalog.dialect)
    if not conditions:
        return name
    terms = " AND ".join(f"({text}\n)" for text in conditions)  # a `--` ends with its line
    return f"(SELECT * FROM {name} WHERE {terms})"


def rewritten(
    condition: str, places: Sequence[Place], catalog: Catalog, *, by_name: bool = False
) -> str:
    """Return a condition over joined tables with every column qualified.

    Args:
        condition: columns are bare, `table.column` or `entity.column`.
        places: a bare column belongs to the first place that has it; two tables with it are
            an error.
        catalog: gives the dialect.
        by_name: qualify by the tables' names, as `Link.condition` wants it, not by alias.

    Raises:
        ConditionError: it isn't safe, or a column is unknown or ambiguous.
    """
    from sqlglot import exp

    tree = parse(condition, catalog.dialect)
    if tree.find(exp.Query):
        raise ConditionError(
            "it holds a subquery", "use the columns of the joined tables, or an entity's `filter`"
        )

    def qualify(node: Expression) -> Expression:
        if not isinstance(node, exp.Column):
            return node
        place, column = _find(node, places)
        owner = sql_names.table(place.table.name, catalog.dialect) if by_name else place.alias
        return exp.Var(this=f"{owner}.{sql_names.quote(column, catalog.dialect)}")

    text: str = tree.transform(qualify).sql(dialect=grammar(catalog.dialect), comments=False)
    from_clause = ", ".join(
        f"{sql_names.table(p.table.name, catalog.dialect)} AS {p.alias}" for p in places
    )
    if not by_name:
        _guard(f"SELECT COUNT(*) FROM {from_clause} WHERE ({text})", catalog)
    return text


def equalities(
    condition: str, places: Sequence[Place], catalog: Catalog
) -> list[tuple[Place, str, Place, str]]:
    """Read `a.x = b.y [AND …]`; returns place and column of both sides of each term.

    Raises:
        ConditionError: a term isn't column = column, or a column is unknown.
    """
    from sqlglot import exp

    fix = "write `a.x = b.y [AND …]` with columns of the subject and the object"
    tree = parse(condition, catalog.dialect).unnest()
    terms = list(tree.flatten()) if isinstance(tree, exp.And) else [tree]
    found = []
    for term in (term.unnest() for term in terms):
        sides = (term.this, term.expression) if isinstance(term, exp.EQ) else ()
        if not sides or not all(isinstance(side, exp.Column) for side in sides):
            said = term.sql(dialect=grammar(catalog.dialect))
            raise ConditionError(f"`{said}` joins no columns", fix)
        place, column = _find(sides[0], places)
        other, to_column = _find(sides[1], places, but=place)
        if place is other:
            raise ConditionError(f"both sides are of {place.table.name}", fix)
        found.append((place, column, other, to_column))
    return found


def literal(value: str, dialect: str) -> str:
    """Return a text as an SQL literal."""
    from sqlglot import exp

    text: str = exp.Literal.string(value).sql(dialect=grammar(dialect))
    return text


def both(conditions: Sequence[str]) -> str | None:
    """Return conditions joined by AND; None when there are none."""
    texts = list(dict.fromkeys(conditions))
    if len(texts) < 2:
        return texts[0] if texts else None
    return " AND ".join(f"({text})" for text in texts)


def _guard(sql: str, catalog: Catalog) -> None:
    try:
        guard.check(sql, catalog.dialect, catalog=catalog)
    except DbloreError as refusal:
        raise ConditionError(refusal.problem, refusal.fix) from refusal


def _own_columns(tree: Expression) -> Iterator[Expression]:
    """Yield the columns outside subqueries, which have tables of their own."""
    from sqlglot import exp

    for node in tree.walk(prune=lambda node: isinstance(node, exp.Query)):
        if isinstance(node, exp.Column):
            yield node


def _find(
    column: Expression, places: Sequence[Place], *, but: Place | None = None
) -> tuple[Place, str]:
    """Return the place and the exact name of a column; `but` only when no other place fits."""
    qualifier = ".".join(part for part in (column.catalog, column.db, column.table) if part)
    called = [p for p in places if not qualifier or p.is_called(qualifier)]
    if not called:
        names = [p.table.name for p in places]
        raise UnknownColumnError(
            f"`{qualifier}` isn't one of its tables",
            did_you_mean(qualifier, names, f"use {' or '.join(dict.fromkeys(names))}"),
        )
    holding = [p for p in called if p.table.column(column.name) is not None]
    if not holding:
        columns = [c.name for p in called for c in p.table.columns]
        tables = " or ".join(dict.fromkeys(p.table.name for p in called))
        quoted = bool(column.this.args.get("quoted"))
        raise UnknownColumnError(
            f"{tables} has no column `{column.name}`",
            did_you_mean(
                column.name,
                columns,
                "put text in single quotes" if quoted else f"use one of {', '.join(columns[:8])}",
            ),
        )
    others = [p for p in holding if p is not but]
    if not qualifier and but is None and len({p.table.name for p in holding}) > 1:
        tables = " and ".join(dict.fromkeys(p.table.name for p in holding))
        raise ConditionError(
            f"`{column.name}` is a column of {tables}",
            f"write {holding[0].table.name}.{column.name}",
        )
    place = (others or holding)[0]
    exact = place.table.column(column.name)
    assert exact is not None
    return place, exact.name
