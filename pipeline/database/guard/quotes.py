"""The guard on SQLite's double quotes: what is no column in them, the engine takes for text.

`WHERE "Titel" = 'x'` then compares two texts and finds nothing, without a word
(https://www.sqlite.org/quirks.html#dblquote).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from sqlglot import TokenType, exp

from pipeline.database.guard.tables import Tables
from pipeline.database.guard.text import Text
from pipeline.errors import nearest
from schemas.facts import Table

_ROWIDS = frozenset(["rowid", "oid", "_rowid_"])
_VALUES = re.compile(r"column\d+")  # what the columns of VALUES are called
_LONGEST = 40


def check(text: Text, tables: Tables, found: Sequence[Any]) -> None:
    """Refuse a name in double quotes that no table in reach has as a column.

    Raises:
        RefusedError: with the nearest column.
    """
    read = [node for node in found if isinstance(node, exp.Table) and node.arg_key != "indexed"]
    assert tables.known is not None
    if '"' not in text.sql:
        return
    known = {id(node): tables.scanned(node) for node in read}
    if any(known[id(node)] is None and not tables.is_cte(node) for node in read):
        return  # a function or a system view: its columns aren't known here
    everywhere = [table for table in known.values() if table is not None]
    for node in found:
        if not isinstance(node, exp.Column) or node.table or not _is_in_double_quotes(text, node):
            continue
        reach = _in_reach(node, known)
        allowed = everywhere if reach is None else reach
        sees_aliases = reach is None or not _is_selected(node)  # none in the list that gives them
        if sees_aliases and tables.is_given(node.name.casefold()):
            continue
        if not _is_known(node.name, allowed) and not _is_text_of_a_column(text, node):
            raise _refusal(text, node, allowed or tables.known.tables)


def _is_in_double_quotes(text: Text, node: Any) -> bool:
    name = node.this
    if not isinstance(name, exp.Identifier) or not name.args.get("quoted"):
        return False
    start = name.meta.get("start")
    if isinstance(start, int):
        return text.sql[start : start + 1] == '"'
    return any(
        token.token_type == TokenType.IDENTIFIER
        and token.text == name.name
        and text.sql[token.start] == '"'
        for token in text.tokens
    )


def _in_reach(node: Any, known: dict[int, Table | None]) -> list[Table] | None:
    """Return the tables of the queries around a column; None if one of them isn't stored."""
    found: list[Table] = []
    above = node.parent
    is_in_select = False
    while above is not None:
        if isinstance(above, exp.SetOperation):
            return None
        if isinstance(above, exp.Select):
            is_in_select = True
            start = above.args.get("from_") or above.args.get("from")
            parts = [start, *(above.args.get("joins") or ())]
            for part in (part.this for part in parts if part is not None):
                table = known.get(id(part)) if isinstance(part, exp.Table) else None
                if table is None or part.args.get("joins"):
                    return None
                found.append(table)
        above = above.parent
    return found if is_in_select else None


def _is_selected(node: Any) -> bool:
    """Whether a column stands in the select list of its query."""
    while node.parent is not None and not isinstance(node.parent, exp.Select):
        node = node.parent
    return node.parent is not None and node.arg_key == "expressions"


def _is_known(name: str, reach: Iterable[Table]) -> bool:
    folded = name.casefold()
    if folded in _ROWIDS or _VALUES.fullmatch(folded):
        return True
    for table in reach:
        if any(column.name.casefold() == folded for column in table.columns):
            return True
        if table.kind == "virtual_table" and folded in ("rank", table.object_name.casefold()):
            return True
    return False


def _is_text_of_a_column(text: Text, node: Any) -> bool:
    """Whether it names an unnamed column of a subquery by its text, e.g. `"count(*)"`."""
    name = node.name
    return (
        not name.isidentifier()
        and re.search(rf'(?<!"){re.escape(name)}(?!")', text.sql) is not None
    )


def _refusal(text: Text, node: Any, reach: Iterable[Table]) -> Exception:
    name = node.name
    shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
    literal = shown.replace("'", "''")
    near = nearest(name, [column.name for table in reach for column in table.columns])
    advice = f"text is written in single quotes: '{literal}'"
    if near:
        advice = f"did you mean {' or '.join(near)}? Else {advice}"
    return text.refusal(
        f'"{shown}" is no column of the tables read here, so that SQLite would take it for text',
        text.position(node),
        fix=advice,
    )
