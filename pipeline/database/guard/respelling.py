"""What engines read and the parser doesn't: the words are respelled for the parser alone.

The text that was sent still runs. A respelling leaves out or exchanges single words and marks that
compute nothing; every expression stays, at its place, and is parsed and judged as ever. What begins
like a known spelling but doesn't end like it is left as it is, and then can't be parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pipeline.database.guard import respelled_mysql, respelled_others
from pipeline.database.guard.text import MYSQL_FAMILY, Text

Respell = Callable[[Sequence[Any]], list[Any]]

_ALWAYS: dict[str, tuple[tuple[str, Respell], ...]] = {
    "postgres": (("@", respelled_others.absolute),),
    "duckdb": (("@", respelled_others.absolute),),
    "mysql": (("sql_cache", respelled_mysql.cache), ("values", respelled_mysql.rows)),
}
"""What the parser would take for something else; each with a text without which it can't stand."""

_WHEN_UNREAD: dict[str, tuple[Respell, ...]] = {
    "postgres": (
        respelled_others.order_operators,
        respelled_others.xml,
        respelled_others.only,
        respelled_others.similar,
        respelled_others.qualified_literals,
    ),
    "mysql": (
        respelled_others.braces,
        respelled_mysql.modifiers,
        respelled_mysql.json_tables,
        respelled_mysql.group_order,
        respelled_mysql.session_variables,
        respelled_mysql.nulls,
        respelled_mysql.rows_examined,
    ),
    "duckdb": (respelled_others.apply, respelled_others.pivot_order),
    "sqlite": (respelled_others.names,),
    "tsql": (
        respelled_others.braces,
        respelled_others.parse_using,
        respelled_others.use_hints,
    ),
    "oracle": (respelled_others.versions,),
    "bigquery": (respelled_others.query_hints,),
}
"""What the parser trips over."""


def for_parser(text: Text) -> Sequence[Any]:
    """Return the tokens of a statement as the parser takes them as the engine does."""
    tokens: Sequence[Any] = text.tokens
    steps = _ALWAYS.get(_family(text.dialect))
    if steps is None:
        return tokens
    folded = text.sql.casefold()
    for trigger, respell in steps:
        if trigger in folded:
            tokens = respell(tokens)
    return tokens


def for_second_try(text: Text, tokens: Sequence[Any]) -> Sequence[Any] | None:
    """Return tokens that couldn't be parsed in another spelling; None when there is none."""
    respelled = tokens
    for respell in _WHEN_UNREAD.get(_family(text.dialect), ()):
        respelled = respell(respelled)
    same = len(respelled) == len(tokens) and all(
        a is b for a, b in zip(respelled, tokens, strict=True)
    )
    return None if same else respelled


def _family(dialect: str) -> str:
    if dialect in MYSQL_FAMILY:
        return "mysql"
    return {"redshift": "postgres", "fabric": "tsql"}.get(dialect, dialect)
