"""What the structure itself says of sensitive values: literals in rules, defaults and views.

A scan doesn't know what is sensitive; readers get structure through cards, which call this.
Literals that are personal or secret by themselves go from every column, measured or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from schemas.facts import Check, Column, ColumnProfile, Index, Table

HIDDEN = "hidden: names a sensitive column"
"""Stands for a text that may tell a value of a sensitive column."""

_LEAST_PERSONAL = 6
"""Characters; nothing that is shorter gives itself away."""
_VALUES = tuple(
    re.compile(rf"[NEBXnebx]?'(?:{inside})*'|\"(?:[^\"]|\"\")*\"|(?<![\w.])\d{{9,}}(?![\w.])")
    for inside in (r"[^']|''", r"[^'\\]|''|\\.")
)
"""Literals, where a backslash is nothing special and where it is: an engine may do either."""
_MAY_TELL = re.compile(r"['\"]|\d{9}")
"""What a text with such a literal has in it; most types have none of it."""
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
    table = _without_telling(table)
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


def _without_telling(table: Table) -> Table:
    """Return a table with `'…'` for literals that are personal or secret by themselves."""
    columns = tuple(map(_open_column, table.columns))
    checks = tuple(
        replace(check, expression=_without_personal(check.expression)) for check in table.checks
    )
    indexes = tuple(
        replace(
            index,
            columns=tuple(
                part if table.column(part) else _without_personal(part) for part in index.columns
            ),
            where=_without_personal(index.where) if index.where else index.where,
        )
        for index in table.indexes
    )
    definition = _without_personal(table.definition) if table.definition else table.definition
    found = replace(table, columns=columns, checks=checks, indexes=indexes, definition=definition)
    return table if found == table else found


def _open_column(column: Column) -> Column:
    """Return a column without what is personal in its type, default, expression and members."""
    if any(map(_is_personal, column.enum_members)):
        column = replace(column, enum_members=())
    default = column.default
    if default:  # some engines give it without quotes
        default = _without_personal(default)
        default = "'…'" if _is_personal(default) else default
    expression = _without_personal(column.expression) if column.expression else column.expression
    native = _without_personal(column.native_type)
    if (default, expression, native) == (column.default, column.expression, column.native_type):
        return column
    return replace(column, default=default, expression=expression, native_type=native)


def _without_personal(sql: str) -> str:
    if not _MAY_TELL.search(sql):
        return sql
    for values in _VALUES:
        sql = values.sub(lambda m: "'…'" if _is_personal(m[0]) else m[0], sql)
    return sql


@lru_cache(maxsize=16384)
def _is_personal(literal: str) -> bool:
    """Whether one literal gives away what it is: an address, a number with its check digits."""
    text = re.sub(r"^[NEBXnebx]?(['\"])(.*)\1$", r"\2", literal, flags=re.DOTALL)
    if len(text) < _LEAST_PERSONAL:
        return False
    from pipeline import value_shapes  # compiles for long

    return value_shapes.find([text]) is not None


def _column(column: Column, sensitive: set[str]) -> Column:
    if column.name in sensitive:
        native = re.sub(_LITERAL, "'…'", column.native_type) if column.enum_members else None
        native = native or column.native_type
        column = replace(column, native_type=native, default=None, enum_members=())
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
