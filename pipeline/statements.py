"""Statements that people wrote: which are whole queries, and which may be shown.

Whether a statement is allowed and runs is validate's to say; docs and index only see to it that
nothing that changes data is ever offered as an example.
"""

from __future__ import annotations

import logging
import re
from dataclasses import replace

from pipeline.database.grammar import grammar, parsed
from schemas.models import Semantic

log = logging.getLogger("dblore.statements")

_QUERY = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*|\(\s*)*(?:select|with)\b", re.IGNORECASE | re.DOTALL
)
_PLACE = re.compile(r" ?\(line (\d+), column (\d+)\)")
EXPRESSION = "its SQL is no query"
"""What is said of a metric that is an expression."""
WHOLE = (
    "write the whole SELECT that computes it; an expression over tables is a term of the glossary, "
    "with `tables:`"
)
"""What to do about it."""


def is_query(sql: str) -> bool:
    """Whether it begins as a query does; else it may be a condition or an expression."""
    return _QUERY.match(sql) is not None


def is_expression(sql: str, dialect: str) -> bool:
    """Whether it is a part of a query that gives a value."""
    from sqlglot import exp

    tree = parsed(sql, dialect)
    return not is_query(sql) and isinstance(tree, exp.Condition) and not isinstance(tree, exp.Query)


def apart(problem: str) -> tuple[str, int, int]:
    """Return what the guard says of a statement without the place in it, its line and column.

    Both are 0 where no place is said.
    """
    place = _PLACE.search(problem)
    if place is None:
        return problem, 0, 0
    bare = problem[: place.start()] + problem[place.end() :]
    return bare, int(place[1]), int(place[2])


def readable(semantic: Semantic, dialect: str) -> Semantic:
    """Return `semantic` without the examples and metrics whose SQL does something but read.

    Args:
        semantic: What people wrote.
        dialect: The sqlglot name of the engine.
    """
    if not semantic.examples and not semantic.metrics:
        return semantic
    return replace(
        semantic,
        examples=tuple(e for e in semantic.examples if is_read(e.sql, dialect)),
        metrics=tuple(m for m in semantic.metrics if is_read(m.sql, dialect)),
    )


def is_read(sql: str, dialect: str) -> bool:
    """Whether `sql` is one query that changes nothing; text that can't be parsed isn't."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    changes = (exp.DML, exp.DDL, exp.Command, exp.Into, exp.Merge, exp.Drop, exp.Alter)
    try:
        trees = [tree for tree in sqlglot.parse(sql, dialect=grammar(dialect)) if tree is not None]
    except (SqlglotError, RecursionError):
        return False
    return (
        len(trees) == 1
        and isinstance(trees[0], exp.Query)
        and not any(
            isinstance(node, changes) and not isinstance(node, exp.Query)
            for node in trees[0].walk()
        )
    )
