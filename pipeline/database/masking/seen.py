"""What a column shows somebody who reads it and asks nothing: values, not what tells of them.

Masking of a caller's statement also hides what a caller could ask for (sums, comparisons, who is
found by a guess). A view was written beforehand: there only what shows a value counts.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

_HIDING = (
    exp.Predicate, exp.Count, exp.CountIf, exp.Sum, exp.Avg, exp.Length, exp.StrPosition, exp.Year,
    exp.Extract,
)  # fmt: skip
"""What leaves of a value no more than a number or a yes."""


def parts(node: Any, dialect: str) -> list[Any] | None:
    """Return the parts of an expression that its value shows; None: all of them may."""
    if isinstance(node, exp.Case | exp.If):
        branches = node.args.get("ifs") or [node]
        shown = [branch.args.get("true") for branch in branches]
        return [*shown, node.args.get("default"), node.args.get("false")]
    if isinstance(node, exp.Window | exp.Filter):
        return [node.this]
    if isinstance(node, _HIDING) or (isinstance(node, exp.Sub) and _subtracts(node, dialect)):
        return []
    return None


def _subtracts(node: Any, dialect: str) -> bool:
    """Whether `-` is arithmetic; PostgreSQL's takes parts out of a JSON value as well."""
    if dialect not in ("postgres", "redshift"):
        return True
    texts = (exp.Literal, exp.Array, exp.Anonymous, exp.ParseJSON)
    for part in node.walk():
        if isinstance(part, exp.Cast) and part.is_type("json", "jsonb"):
            return False
        if isinstance(part, texts) and not _is_number_or_time(part):
            return False
    return True


def _is_number_or_time(part: Any) -> bool:
    if isinstance(part, exp.Literal) and not part.is_string:
        return True
    cast = part.parent
    return isinstance(cast, exp.Cast) and cast.is_type(
        *exp.DataType.NUMERIC_TYPES, *exp.DataType.TEMPORAL_TYPES, exp.DType.INTERVAL
    )
