"""Names that one engine tells apart and a reader who folds case doesn't.

In `SELECT (SELECT email FROM (SELECT 1 AS "EMAIL") h) FROM people` PostgreSQL reads people.email.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlglot import exp

_BLIND = {"sqlite", "duckdb", "tsql", "fabric", "bigquery", "mysql"}
_FOLDED_UP = {"oracle", "snowflake", "db2"}
_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def twins_in(tree: Any, dialect: str, sensitive: Iterable[str]) -> list[str]:
    """Return folded names that stand in a statement for more than one name of the engine.

    Only names of sensitive columns, and of tables, aliases and CTEs, can mislead. What the
    outermost SELECT list calls its columns is seen by nobody.

    Args:
        tree: the statement.
        dialect: of it.
        sensitive: the names of sensitive columns as they are stored.
    """
    spelled: dict[str, set[str]] = {}
    mattering: set[str] = set()
    for name in sensitive:
        folded = name.casefold()
        mattering.add(folded)
        spelled.setdefault(folded, set()).add(name if dialect not in _BLIND else _lower(name))
    outermost = {id(item) for item in tree.expressions if isinstance(item, exp.Alias)}
    for node in tree.find_all(exp.Identifier):
        if id(node.parent) in outermost and node.arg_key == "alias":
            continue
        folded = str(node.name).casefold()
        is_table = _names_table(node)
        if is_table:
            mattering.add(folded)
        spelled.setdefault(folded, set()).add(_spelled(node, dialect, is_table=is_table))
    return sorted(name for name in mattering if len(spelled[name]) > 1)


def _names_table(node: Any) -> bool:
    """Whether an identifier names a table, an alias of one or a CTE, not a column."""
    parent, key = node.parent, node.arg_key
    if isinstance(parent, exp.Column):
        return bool(key == "table")
    return isinstance(parent, exp.Table | exp.TableAlias) and key == "this"


def _spelled(node: Any, dialect: str, *, is_table: bool) -> str:
    name = str(node.name)
    if dialect == "mysql" and is_table:
        return name  # of tables case may count, of columns never
    if dialect in _BLIND:
        return _lower(name)
    if node.args.get("quoted"):
        return name
    return name.upper() if dialect in _FOLDED_UP else _lower(name)


def _lower(name: str) -> str:
    return name.translate(_ASCII_LOWER)
