"""Tokens for the respellings: how they are told, found and made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import TokenType
from sqlglot.tokenizer_core import Token

from pipeline.database.guard.text import Text

STRINGS = (TokenType.STRING, TokenType.NATIONAL_STRING)


def word(token: Any) -> str:
    """Return a token's text in capitals; '' for what stands in quotes."""
    return "" if token.token_type.name in Text.QUOTED else token.text.upper()


def words(tokens: Sequence[Any], start: int, count: int) -> list[str]:
    """Return `count` tokens from `start` on as words, fewer at the end."""
    return [word(token) for token in tokens[max(start, 0) : max(start + count, 0)]]


def made(kind: TokenType, text: str, at: Any) -> Any:
    """Return a token that stands for another, at its place."""
    return Token(kind, text, at.line, at.col, at.start, at.end)


def closing(tokens: Sequence[Any], start: int) -> int | None:
    """Return where the parenthesis closes that opens at `start`."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += _step(tokens[index])
        if depth == 0:
            return index
    return None


def level(tokens: Sequence[Any], start: int, end: int) -> Iterator[int]:
    """Yield the indexes from `start` to `end` that stand in no inner parenthesis."""
    depth = 0
    for index in range(start, end):
        step = _step(tokens[index])
        depth += min(step, 0)
        if depth < 0:
            return
        if depth == 0 and step == 0:
            yield index
        depth += max(step, 0)


def calls(tokens: Sequence[Any], name: str) -> Iterator[tuple[int, int]]:
    """Yield where `name(` opens and where it closes; a method or a name of a schema is none."""
    for index in range(len(tokens) - 1):
        if word(tokens[index]) != name or word(tokens[index + 1]) != "(":
            continue
        close = closing(tokens, index + 1)
        if close is not None and words(tokens, index - 1, min(index, 1)) != ["."]:
            yield index + 1, close


def without(tokens: Sequence[Any], dropped: set[int]) -> list[Any]:
    """Return the tokens but those at some indexes."""
    return [token for index, token in enumerate(tokens) if index not in dropped]


def _step(token: Any) -> int:
    if token.token_type == TokenType.L_PAREN:
        return 1
    return -1 if token.token_type == TokenType.R_PAREN else 0
