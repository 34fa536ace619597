"""What the structure itself says of sensitive values: literals in rules, defaults and views.

A scan doesn't know what is sensitive; readers get structure through cards, which call this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from schemas.facts import Check, Column, ColumnProfile, Index, Table

HIDDEN = "hidden: names a sensitive column"
"""Stands for a text that may tell a value of a sensitive column."""

_LITERAL = r"(?:[NEBXnebx]?'(?:[^']|'')*'|(?<![\w.])[+-]?\d[\w.]*)"
_COMPARES = (
    r"(?:[=<>!]=?|<>|(?<!\w)(?:(?:NOT\s+)?"
    r"(?:LIKE|ILIKE|GLOB|IN|BETWEEN|REGEXP|RLIKE|SIMILAR\s+TO)"
    r"|IS(?:\s+NOT)?(?:\s+DISTINCT\s+FROM)?|WHEN|THEN)(?!\w))"
)


def structure(table: Table, sensitive: Iterable[str], elsewhere: Mapping[str, set[str]]) -> Table:
    """Return a table without texts that may tell values of sensitive columns.

    Args:
        table: as the scan found it.
        sensitive: its own sensitive columns.
        elsewhere: the sensitive columns of every table, by the table's own name.
    """
    own = set(sensitive)
    definition = table.definition
    if definition:
        read = {c for name, found in elsewhere.items() if _names(definition, [name]) for c in found}
        definition = _without_compared(definition, own | read)
    if not own:
        return table if definition == table.definition else replace(table, definition=definition)
    return replace(
        table,
        columns=tuple(_column(column, own) for column in table.columns),
        checks=tuple(
            Check(HIDDEN, check.name) if _names(check.expression, own) else check
            for check in table.checks
        ),
        indexes=tuple(_index(index, own, table) for index in table.indexes),
        definition=definition,
    )


def profile(found: ColumnProfile) -> ColumnProfile:
    """Return a column's profile without its values: a mark may be newer than the profile."""
    return replace(
        found, minimum=None, maximum=None, values=(), values_complete=False, variants=(),
        sentinels=(),
    )  # fmt: skip


def _column(column: Column, sensitive: set[str]) -> Column:
    if column.name in sensitive:
        column = replace(column, default=None, enum_members=())
    if column.expression and (column.name in sensitive or _names(column.expression, sensitive)):
        column = replace(column, expression=HIDDEN)
    return column


def _index(index: Index, sensitive: set[str], table: Table) -> Index:
    where = HIDDEN if index.where and _names(index.where, sensitive) else index.where
    columns = tuple(
        HIDDEN if table.column(part) is None and _names(part, sensitive) else part
        for part in index.columns
    )
    return replace(index, columns=columns, where=where)


def _names(text: str, names: Iterable[str]) -> bool:
    """Whether one of the names stands in the text as a word of its own, in any case."""
    pattern = "|".join(re.escape(name) for name in sorted(names))
    return bool(pattern) and re.search(rf"(?i)(?<!\w)(?:{pattern})(?!\w)", text) is not None


def _without_compared(definition: str, sensitive: set[str]) -> str:
    """Return SQL with `'…'` for literals that are compared with a sensitive column."""
    if not sensitive:
        return definition
    names = "|".join(re.escape(name) for name in sorted(sensitive))
    column = rf"(?<!\w)(?:{names})(?!\w)[\"`\]]?(?:\s*\)|\s*::\s*\w+|\s+COLLATE\s+\w+)*"
    some = rf"\(*\s*{_LITERAL}(?:\s*\)*\s*(?:,|AND|THEN|WHEN)\s*\(*\s*{_LITERAL})*"
    after = re.compile(rf"({column}\s*\(*\s*{_COMPARES}\s*)({some})", re.IGNORECASE)
    before = re.compile(
        rf"({_LITERAL})(\s*\)*\s*{_COMPARES}\s*(?:\w+\s*\(\s*)*(?:[\w\"`\[\]]+\.)?[\"`\[]?{column})",
        re.IGNORECASE,
    )
    masked = after.sub(lambda m: m[1] + re.sub(_LITERAL, "'…'", m[2]), definition)
    return before.sub(lambda m: "'…'" + m[2], masked)
