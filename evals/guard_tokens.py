"""A statement as its dialect's tokens, to be spelled in another way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from sqlglot import Dialect
from sqlglot.errors import SqlglotError

from pipeline.database.names import name_set

T = TypeVar("T")

_STRINGS = name_set("""
    STRING NATIONAL_STRING RAW_STRING HEREDOC_STRING BYTE_STRING HEX_STRING BIT_STRING
    UNICODE_STRING IDENTIFIER
    """)


class Pick(Protocol):
    """Chooses one of a list."""

    def __call__(self, options: Sequence[T], /) -> T:
        """Return one of the options."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its place: `sql[start:end]` is how it is written."""

    kind: str
    raw: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is a keyword or a bare name."""
        return self.raw[:1].isalpha() and self.kind not in _STRINGS

    @property
    def is_name(self) -> bool:
        """Whether it is a name, bare or quoted."""
        return self.kind in ("VAR", "IDENTIFIER")


@dataclass(frozen=True, slots=True)
class Text:
    """A statement, read with the tokenizer of its dialect."""

    sql: str
    dialect: str
    tokens: tuple[Token, ...]

    def gap(self, index: int) -> str:
        """Return what stands before the token: blanks and comments."""
        start = self.tokens[index - 1].end if index else 0
        end = self.tokens[index].start if index < len(self.tokens) else len(self.sql)
        return self.sql[start:end]

    def replaced(self, news: Mapping[int, str]) -> str:
        """Return the text with other tokens at the indices."""
        parts = [self.gap(i) + news.get(i, t.raw) for i, t in enumerate(self.tokens)]
        return "".join(parts) + self.gap(len(self.tokens))

    def with_gaps(self, gaps: Mapping[int, str]) -> str:
        """Return the text with other gaps before the tokens of the indices."""
        parts = [gaps.get(i, self.gap(i)) + t.raw for i, t in enumerate(self.tokens)]
        last = len(self.tokens)
        return "".join(parts) + gaps.get(last, self.gap(last))


Mutation = Callable[[Text, Pick], str | None]


@lru_cache(maxsize=4096)
def read(sql: str, dialect: str) -> Text | None:
    """Return the text with its tokens; None when the dialect can't read it."""
    try:
        found = list(Dialect.get_or_raise(dialect).tokenize(sql))
    except (SqlglotError, RecursionError):
        return None
    return Text(sql, dialect, tuple(_token(sql, token) for token in found))


def _token(sql: str, token: Any) -> Token:
    start, end = token.start, token.end + 1
    return Token(token.token_type.name, sql[start:end], start, end)
