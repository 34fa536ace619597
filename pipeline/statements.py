"""Statements that people wrote, as far as they may be shown: what isn't a read is left out.

Whether a statement is allowed and runs is validate's to say; docs and index only see to it that
nothing that changes data is ever offered as an example.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from pipeline.database.grammar import grammar
from schemas.models import Semantic

log = logging.getLogger("dblore.statements")


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
