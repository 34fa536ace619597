"""Respellings of MySQL and MariaDB."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import TokenType

from pipeline.database.guard.respelled import (
    STRINGS,
    calls,
    closing,
    level,
    made,
    without,
    word,
    words,
)
from pipeline.database.names import name_set

_MODIFIERS = name_set("""
    HIGH_PRIORITY SQL_BIG_RESULT SQL_BUFFER_RESULT SQL_CALC_FOUND_ROWS SQL_NO_CACHE SQL_SMALL_RESULT
    STRAIGHT_JOIN
    """)
_KINDS_OF_SELECT = name_set("ALL DISTINCT DISTINCTROW")
_BEFORE_ROWS = name_set("( UNION ALL DISTINCT EXCEPT INTERSECT")
_AFTER_GROUP = frozenset(
    ["HAVING", "ORDER BY", "LIMIT", "WINDOW", "UNION", "EXCEPT", "INTERSECT", "OFFSET", "FETCH"]
)


def _after_select(tokens: Sequence[Any]) -> Iterator[int]:
    """Yield the indexes of the modifiers of each SELECT, DISTINCT among them."""
    for index, token in enumerate(tokens):
        if token.token_type != TokenType.SELECT:
            continue
        for after in range(index + 1, len(tokens)):
            if word(tokens[after]) not in _MODIFIERS | _KINDS_OF_SELECT | {"SQL_CACHE"}:
                break
            yield after


def cache(tokens: Sequence[Any]) -> list[Any]:
    """Leave out SQL_CACHE, which the parser takes for a column: `SELECT SQL_CACHE email`."""
    dropped = set()
    for index in _after_select(tokens):
        if word(tokens[index]) == "SQL_CACHE" and index + 1 < len(tokens):
            after = tokens[index + 1]
            is_column = word(after) in (",", "(", ")", ".", ";", "FROM", "AS")
            dropped |= set() if is_column else {index}
    return without(tokens, dropped)


def modifiers(tokens: Sequence[Any]) -> list[Any]:
    """Leave out what says how a SELECT is to be run, such as SQL_BIG_RESULT."""
    found = [index for index in _after_select(tokens) if word(tokens[index]) in _MODIFIERS]
    return without(tokens, set(found))


def rows(tokens: Sequence[Any]) -> list[Any]:
    """Write `VALUES (1), (2)` as SELECT 1 UNION ALL SELECT 2."""
    found: list[Any] = []
    index = 0
    while index < len(tokens):
        spelled, index = _rows_at(tokens, index)
        found += spelled
    return found


def _rows_at(tokens: Sequence[Any], index: int) -> tuple[list[Any], int]:
    """Return what stands for the token at `index` and for its rows, and where to go on."""
    token = tokens[index]
    first_of_query = index == 0 or word(tokens[index - 1]) in _BEFORE_ROWS
    if token.token_type != TokenType.VALUES or not first_of_query:
        return [token], index + 1
    found: list[Any] = []
    at = index
    while True:
        start = at + 2 if words(tokens, at + 1, 1) == ["ROW"] else at + 1
        close = closing(tokens, start) if words(tokens, start, 1) == ["("] else None
        if close is None or close == start + 1:
            return [token], index + 1
        if at > index:
            found += [made(TokenType.UNION, "UNION", tokens[at])]
            found += [made(TokenType.ALL, "ALL", tokens[at])]
        found.append(made(TokenType.SELECT, "SELECT", tokens[at]))
        found += rows(tokens[start + 1 : close])
        at = close + 1
        if words(tokens, at, 1) != [","]:
            return found, at


def json_tables(tokens: Sequence[Any]) -> list[Any]:
    """Leave out what columns of JSON_TABLE say for missing values: `NULL ON EMPTY`."""
    dropped: set[int] = set()
    for start, close in calls(tokens, "JSON_TABLE"):
        for index in range(start, close):
            if words(tokens, index, 2) == ["EXISTS", "PATH"]:
                dropped.add(index)
            length = _missing(tokens, index)
            dropped |= set(range(index, index + length))
    return without(tokens, dropped)


def _missing(tokens: Sequence[Any], index: int) -> int:
    """Return how many tokens at `index` are such as `DEFAULT '0' ON ERROR`."""
    length = 1
    if word(tokens[index]) == "DEFAULT":
        value = tokens[index + 1]
        length = 2 if value.token_type in (*STRINGS, TokenType.NUMBER) else 0
    elif word(tokens[index]) not in ("NULL", "ERROR"):
        length = 0
    ends = (["ON", "EMPTY"], ["ON", "ERROR"])
    return length + 2 if length and words(tokens, index + length, 2) in ends else 0


def group_order(tokens: Sequence[Any]) -> list[Any]:
    """Leave out the order of groups: `GROUP BY a DESC`."""
    dropped = set()
    for group, token in enumerate(tokens):
        if token.token_type != TokenType.GROUP_BY:
            continue
        for index in level(tokens, group + 1, len(tokens)):
            if word(tokens[index]) in _AFTER_GROUP:
                break
            if tokens[index].token_type in (TokenType.ASC, TokenType.DESC):
                dropped.add(index)
    return without(tokens, dropped)


def session_variables(tokens: Sequence[Any]) -> list[Any]:
    """Write @@session.`sql_mode` without backticks."""
    found = list(tokens)
    for index, token in enumerate(tokens):
        of_session = words(tokens, index - 3, 1) == ["@@"] and words(tokens, index - 1, 1) == ["."]
        is_quoted = token.token_type == TokenType.IDENTIFIER and re.fullmatch(r"\w+", token.text)
        if index >= 3 and of_session and is_quoted:
            found[index] = made(TokenType.VAR, token.text, token)
    return found


def nulls(tokens: Sequence[Any]) -> list[Any]:
    r"""Write `\N` as NULL."""
    found: list[Any] = []
    for token in tokens:
        begins = found and found[-1].text == "\\" and found[-1].end + 1 == token.start
        if begins and token.text == "N" and word(token):
            found[-1] = made(TokenType.NULL, "NULL", found[-1])
        else:
            found.append(token)
    return found


def rows_examined(tokens: Sequence[Any]) -> list[Any]:
    """Leave out `ROWS EXAMINED 1000` of LIMIT, and LIMIT when it says nothing else."""
    dropped: set[int] = set()
    for index in range(1, len(tokens) - 2):
        is_number = tokens[index + 2].token_type == TokenType.NUMBER
        if words(tokens, index, 2) == ["ROWS", "EXAMINED"] and is_number:
            first = index - 1 if word(tokens[index - 1]) == "LIMIT" else index
            dropped |= set(range(first, index + 3))
    return without(tokens, dropped)
