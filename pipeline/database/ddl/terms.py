"""What lists in parentheses hold: definitions, the terms of an index or a key, options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pipeline.database.ddl.drafts import Draft
from pipeline.database.ddl.reader import Reader
from pipeline.database.sqlite_ddl import Definition, Token
from schemas.facts import Key

_NESTING = ("ARRAY", "MAP", "STRUCT")


def whole(found: Sequence[Definition], pieces: Sequence[Token]) -> list[Definition]:
    """Join definitions that a comma within a type divided, such as MAP<STRING, INT>."""
    joined: list[Definition] = []
    depth = 0
    for definition in found:
        if depth > 0 and joined:
            last = joined[-1]
            if definition.body and last.body:
                start, end = last.body[0].start, definition.body[-1].end
                last.body = [t for t in pieces if start <= t.start < end]
            last.comments += definition.comments
        else:
            joined.append(definition)
            depth = 0
        depth += _open_brackets(definition.body, is_within=depth > 0)
    return joined


def _open_brackets(body: Sequence[Token], *, is_within: bool) -> int:
    depth = 0
    for before, token in pairwise([Token("mark", "", 0), *body]):
        if token.text == "<" and (is_within or depth or before.word in _NESTING):
            depth += 1
        elif token.text == ">" and (is_within or depth):
            depth -= 1
    return depth


def described(item: Reader) -> str | None:
    """Return the description among the options in parentheses, as BigQuery writes them."""
    for option in item.items():
        if option.word in ("DESCRIPTION", "COMMENT"):
            option.at += 1
            option.take("=")
            return option.literal()
    return None


def index_terms(item: Reader) -> tuple[str, ...]:
    """Read the terms of an index: columns by name, expressions as their text."""
    terms = []
    for part in item.items():
        first, following = part.token, part.ahead()
        is_alone = not following.text or following.kind in ("word", "name")
        if first.kind in ("word", "name") and is_alone:
            name = part.part()
            is_descending = item.lexis.is_mysql and part.word == "DESC"
            terms.append(f"{name} DESC" if is_descending else name)
        elif item.lexis.is_mysql and following.text == "(" and first.kind in ("word", "name"):
            name = part.part()
            part.skip()
            is_descending = part.word == "DESC"
            terms.append(_prefixed(name, part, is_descending))
        else:
            while part.tokens and part.tokens[-1].word in ("ASC", "DESC"):
                part.tokens.pop()
            terms.append(part.span(0, len(part.tokens)))
    return tuple(terms)


def _prefixed(name: str, part: Reader, is_descending: bool) -> str:
    length = part.span(2, part.at - 1)
    return f"{name}({length}){' DESC' if is_descending else ''}"


_PREFIXED = re.compile(r"(?P<column>.*)\((?P<length>\d+)\)(?P<order>(?: DESC)?)", re.DOTALL)
_LENGTH = re.compile(r"(?i)\s*(?:var)?(?:char|binary)\s*\(\s*(\d+)\s*\)")


def settle_prefixes(draft: Draft) -> None:
    """Write MySQL's index terms that reach over the whole column as the column.

    A unique index that so is one of columns becomes a key.
    """
    lengths = {c.name: int(m[1]) for c in draft.columns if (m := _LENGTH.match(c.native_type))}

    def settled(term: str) -> str:
        match = _PREFIXED.fullmatch(term)
        if match is None or int(match["length"]) < lengths.get(match["column"], int(1e9)):
            return term
        return match["column"] + match["order"]

    kept = []
    for index in draft.indexes:
        columns = tuple(map(settled, index.columns))
        is_key = index.unique and columns != index.columns
        if is_key and all(draft.column(name) is not None for name in columns):
            draft.unique.append(Key(columns, index.name))
        else:
            kept.append(replace(index, columns=columns))
    draft.indexes = kept


def bare(item: Reader, inside: Sequence[Token], text: str) -> str:
    """Return a condition without the parentheses that PostgreSQL puts around all of it."""
    reader = Reader(item.lexis, item.sql, inside)
    while reader.token.text == "(":
        reader.skip()
        if not reader.is_done:
            return text
        inner = reader.tokens[1:-1]
        reader = Reader(item.lexis, item.sql, inner)
        text = reader.span(0, len(inner))
    return text
