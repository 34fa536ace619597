"""The condition that leaves out rows that are marked as deleted."""

from __future__ import annotations

from pipeline import sql_names
from pipeline.cards import ColumnCard
from pipeline.text import words

_INVERTED = frozenset(("active", "current", "enabled", "valid", "visible"))


def kept(column: ColumnCard, dialect: str, alias: str = "") -> str | None:
    """Return the condition that keeps the rows that aren't deleted; None without a known one.

    Args:
        column: What may mark them.
        dialect: The sqlglot name of the engine.
        alias: What stands for the table in the statement.
    """
    if not column.profile.soft_delete:
        return None
    name = sql_names.quote(column.name, dialect)
    name = f"{alias}.{name}" if alias else name
    inverted = bool(set(words(column.name)) & _INVERTED)
    values = {str(v.value) for v in column.profile.values}
    if column.column.family == "boolean" and dialect in ("postgres", "duckdb"):
        return f"{name} = {'TRUE' if inverted else 'FALSE'}"
    if column.column.family in ("boolean", "integer", "decimal") and values <= {
        "0", "1", "True", "False",
    }:  # fmt: skip
        return f"{name} = {1 if inverted else 0}"
    for yes, no in (("Y", "N"), ("y", "n"), ("T", "F"), ("yes", "no"), ("true", "false")):
        if values and values <= {yes, no}:
            return f"{name} = '{yes if inverted else no}'"
    return f"{name} IS NULL" if column.column.nullable and not inverted else None
