"""Names and words: splitting identifiers, labels for people, one-line text."""

from __future__ import annotations

import re
from functools import lru_cache

_BOUNDARIES = (
    re.compile(r"(?<=[a-z0-9])(?=[A-Z])"),
    re.compile(r"(?<=[A-Z])(?=[A-Z][a-z])"),
    re.compile(r"(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])"),
)
_NOT_WORD = re.compile(r"[\W_]+", re.UNICODE)
_LONGEST_NAME = 64
"""Characters; what is longer is a text, which comes once."""


def words(identifier: str) -> list[str]:
    """Split an identifier into lower-case words: `SalesOrderID` → sales, order, id."""
    return list(_words(identifier) if len(identifier) <= _LONGEST_NAME else _split(identifier))


@lru_cache(maxsize=65536)
def _words(name: str) -> tuple[str, ...]:
    return _split(name)  # the same names stand in thousands of tables


def _split(text: str) -> tuple[str, ...]:
    return tuple(_parted(text).casefold().split())


def label(identifier: str) -> str:
    """Return an identifier as words for people: `bill_to_id` → `bill to id`."""
    return " ".join(_parted(identifier).lower().split())  # casefold writes `größe` with `ss`


def _parted(identifier: str) -> str:
    text = identifier
    for boundary in _BOUNDARIES:
        text = boundary.sub(" ", text)
    return _NOT_WORD.sub(" ", text)


def singular(word: str) -> str:
    """Return the likely singular of an English lower-case word; others come back unchanged."""
    if len(word) <= 3 or word.endswith(("ss", "us", "is", "news")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word.removesuffix("s")


def one_line(text: str) -> str:
    """Return untrusted text as one line: breaks, tabs and control characters become blanks."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def shorten(text: str, limit: int) -> str:
    """Return at most `limit` characters of `text`, cut at a word, with `…` when cut."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip() + "…"


def thousands(number: float) -> str:
    """Return a number for people: 1234567 → `1,234,567`."""
    return f"{number:,}"


def counted(number: int, noun: str) -> str:
    """Return a count for people: `1 table`, `2 entities`, `1,200 rows`."""
    is_ies = noun.endswith("y") and noun[-2] not in "aeiou"
    plural = noun[:-1] + "ies" if is_ies else noun + "s"
    return f"{thousands(number)} {noun if number == 1 else plural}"
