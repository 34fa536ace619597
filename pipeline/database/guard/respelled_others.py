"""Respellings of the other dialects, and of the ODBC escapes that several read."""

from __future__ import annotations

import re
from collections.abc import Sequence
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

_ESCAPES = name_set("D T TS FN OJ")
_ORDERS = ("<", ">")
_NAME = re.compile(r"\w+")
_LITERAL_TYPES = name_set("""
    BOOL BPCHAR BYTEA DATE FLOAT4 FLOAT8 INET INT2 INT4 INT8 INTERVAL JSON JSONB NUMERIC TEXT TIME
    TIMESTAMP TIMESTAMPTZ TIMETZ UUID VARCHAR
    """)
_AFTER_NAME = frozenset(
    ["", ",", ")", ";", "=", "FROM", "AS", "ORDER BY", "GROUP BY", "LIMIT", "ASC", "DESC", "WHERE"]
)


def braces(tokens: Sequence[Any]) -> list[Any]:
    """Write the ODBC escape `{d '2024-01-01'}` with parentheses."""
    found: list[Any] = []
    skips = False
    for index, token in enumerate(tokens):
        if skips:
            skips = False
        elif token.token_type == TokenType.L_BRACE and _ESCAPES.issuperset(
            words(tokens, index + 1, 1)
        ):
            found.append(made(TokenType.L_PAREN, "(", token))
            skips = True
        elif token.token_type == TokenType.R_BRACE:
            found.append(made(TokenType.R_PAREN, ")", token))
        else:
            found.append(token)
    return found


def absolute(tokens: Sequence[Any]) -> list[Any]:
    """Write `@ x`, the absolute value, with another operator that stands before its operand."""
    return [
        made(TokenType.TILDE, "~", token)
        if token.text == "@" and token.token_type == TokenType.PARAMETER
        else token
        for token in tokens
    ]


def order_operators(tokens: Sequence[Any]) -> list[Any]:
    """Leave out `USING <` after ORDER BY."""
    dropped: set[int] = set()
    for index in range(len(tokens) - 1):
        if word(tokens[index]) != "USING":
            continue
        after = words(tokens, index + 1, 6)
        if after[:1] and after[0] in _ORDERS:
            dropped |= {index, index + 1}
        elif after[:4] == ["OPERATOR", "(", "PG_CATALOG", "."] and after[4:5] in (["<"], [">"]):
            dropped |= set(range(index, index + 7)) if after[5:] == [")"] else set()
    return without(tokens, dropped)


def xml(tokens: Sequence[Any]) -> list[Any]:
    """Write XMLPARSE(DOCUMENT x) as a plain call, XMLSERIALIZE(CONTENT x AS t) as a cast."""
    found = list(tokens)
    dropped: set[int] = set()
    for name, tails in (
        ("XMLPARSE", (["PRESERVE", "WHITESPACE"], ["STRIP", "WHITESPACE"])),
        ("XMLSERIALIZE", (["NO", "INDENT"], ["INDENT"])),
    ):
        for start, close in calls(tokens, name):
            first = words(tokens, start + 1, 2)
            if first[:1] not in (["DOCUMENT"], ["CONTENT"]) or first[1] in (")", ",", "."):
                continue
            dropped.add(start + 1)
            if name == "XMLSERIALIZE":
                found[start - 1] = made(TokenType.VAR, "CAST", tokens[start - 1])
            tail = next((t for t in tails if words(tokens, close - len(t), len(t)) == t), [])
            dropped |= set(range(close - len(tail), close))
    return without(found, dropped)


def only(tokens: Sequence[Any]) -> list[Any]:
    """Write FROM ONLY (t) without parentheses."""
    dropped: set[int] = set()
    for start, close in calls(tokens, "ONLY"):
        is_table = start >= 2 and word(tokens[start - 2]) in ("FROM", "JOIN")
        names = tokens[start + 1 : close : 2]
        dots = words(tokens, start + 1, close - start - 1)[1::2]
        if (
            is_table
            and len(names) == len(dots) + 1
            and set(dots) <= {"."}
            and all(_NAME.fullmatch(name.text) and name.token_type not in STRINGS for name in names)
        ):
            dropped |= {start, close}
    return without(tokens, dropped)


def similar(tokens: Sequence[Any]) -> list[Any]:
    """Write SUBSTRING(a SIMILAR b ESCAPE c) with commas, which means the same."""
    found = list(tokens)
    for start, close in calls(tokens, "SUBSTRING"):
        marks = [i for i in level(tokens, start + 1, close) if word(tokens[i]) in _SIMILAR]
        if [word(tokens[i]) for i in marks] == list(_SIMILAR):
            for index in marks:
                found[index] = made(TokenType.COMMA, ",", tokens[index])
    return found


_SIMILAR = ("SIMILAR", "ESCAPE")


def qualified_literals(tokens: Sequence[Any]) -> list[Any]:
    """Write pg_catalog.date '2024-01-01' without the schema."""
    dropped: set[int] = set()
    for index in range(len(tokens) - 3):
        is_type = word(tokens[index + 2]) in _LITERAL_TYPES
        is_free = words(tokens, index - 1, min(index, 1)) != ["."]
        is_text = tokens[index + 3].token_type == TokenType.STRING
        if words(tokens, index, 2) == ["PG_CATALOG", "."] and is_type and is_free and is_text:
            dropped |= {index, index + 1}
    return without(tokens, dropped)


def apply(tokens: Sequence[Any]) -> list[Any]:
    """Take DuckDB's `apply(…)` for a function, not for a join."""
    return [
        made(TokenType.VAR, token.text, token)
        if token.token_type == TokenType.APPLY
        and words(tokens, index + 1, 1) == ["("]
        and words(tokens, index - 1, min(index, 1)) not in (["CROSS"], ["OUTER"])
        else token
        for index, token in enumerate(tokens)
    ]


def pivot_order(tokens: Sequence[Any]) -> list[Any]:
    """Write `PIVOT … ORDER BY a` as FROM (PIVOT …) ORDER BY a."""
    if word(tokens[0]) not in ("PIVOT", "PIVOT_WIDER", "UNPIVOT", "PIVOT_LONGER"):
        return list(tokens)
    for index in level(tokens, 0, len(tokens)):
        if word(tokens[index]) in ("ORDER BY", "LIMIT", "OFFSET"):
            start, end = tokens[0], tokens[index]
            opening = [made(TokenType.FROM, "FROM", start), made(TokenType.L_PAREN, "(", start)]
            close = made(TokenType.R_PAREN, ")", end)
            return [*opening, *tokens[:index], close, *tokens[index:]]
    return list(tokens)


def names(tokens: Sequence[Any]) -> list[Any]:
    """Take SQLite's word GLOB for a name where no operand follows it."""
    found = list(tokens)
    for index, token in enumerate(tokens):
        after = (words(tokens, index + 1, 1) or [""])[0]
        is_end = index + 1 == len(tokens)
        if token.token_type == TokenType.GLOB and (is_end or (after and after in _AFTER_NAME)):
            found[index] = made(TokenType.VAR, token.text, token)
    return found


def parse_using(tokens: Sequence[Any]) -> list[Any]:
    """Write PARSE(x AS t USING 'en-US') as a cast."""
    found = list(tokens)
    dropped: set[int] = set()
    for name, cast in (("PARSE", "CAST"), ("TRY_PARSE", "TRY_CAST")):
        for start, close in calls(tokens, name):
            is_culture = tokens[close - 1].token_type in STRINGS
            if close - start > 2 and is_culture and word(tokens[close - 2]) == "USING":
                found[start - 1] = made(TokenType.VAR, cast, tokens[start - 1])
                dropped |= {close - 2, close - 1}
    return without(found, dropped)


def use_hints(tokens: Sequence[Any]) -> list[Any]:
    """Leave out USE HINT('…'), which bears on the plan alone, in OPTION (…)."""
    dropped: set[int] = set()
    for start, close in calls(tokens, "OPTION"):
        inner = set(range(start + 1, close))
        hints: set[int] = set()
        for index in sorted(inner):
            if words(tokens, index, 3) != ["USE", "HINT", "("]:
                continue
            end = closing(tokens, index + 2) or index
            texts = tokens[index + 3 : end]
            if all(t.token_type in STRINGS or word(t) == "," for t in texts):
                comma = index - 1 if word(tokens[index - 1]) == "," else end + 1
                hints |= set(range(index, end + 1)) | ({comma} & inner)
        dropped |= hints if hints != inner else set(range(start - 1, close + 1))
    return without(tokens, dropped)


def versions(tokens: Sequence[Any]) -> list[Any]:
    """Leave out VERSIONS BETWEEN SCN MINVALUE AND MAXVALUE of a table."""
    dropped: set[int] = set()
    for index in range(len(tokens) - 5):
        begin = words(tokens, index, 3)
        ends = [tokens[index + 3], tokens[index + 5]]
        plain = all(
            word(t) in ("MINVALUE", "MAXVALUE") or t.token_type == TokenType.NUMBER for t in ends
        )
        is_clause = begin[:2] == ["VERSIONS", "BETWEEN"] and begin[2] in ("SCN", "TIMESTAMP")
        if is_clause and plain and word(tokens[index + 4]) == "AND":
            dropped |= set(range(index, index + 6))
    return without(tokens, dropped)


def query_hints(tokens: Sequence[Any]) -> list[Any]:
    """Leave out BigQuery's hints: `@{join_method=hash_join}`."""
    dropped: set[int] = set()
    for index in range(len(tokens) - 1):
        if words(tokens, index, 2) != ["@", "{"]:
            continue
        at = index + 2
        while words(tokens, at + 1, 1) == ["="] and at + 3 < len(tokens):
            at += 3
            if word(tokens[at]) != ",":
                break
            at += 1
        if at > index + 2 and words(tokens, at, 1) == ["}"]:
            dropped |= set(range(index, at + 1))
    return without(tokens, dropped)
