"""Words that lead to tables and columns, and stored values that a question may quote."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pipeline.cards import TableCard
from pipeline.lexicon import folded, segments, spelled_out, stem
from pipeline.text import words
from pipeline.wordlists import NOISE_WORDS
from schemas.models import Scalar

_SCHEMA_SEPARATOR = re.compile(r"\.|__")
_PREFIX_TABLES = 3
_PREFIX_SHARE = 0.3
_VALUE_LENGTH = 80
"""Longer values are prose; nobody quotes them whole."""
_MEANING_HEAD = re.compile(r"[,;:(.–—]| - ")


@dataclass(frozen=True, slots=True)
class Word:
    """A stem that a table or one of its columns is called by."""

    stem: str
    table: str
    column: str
    """'' for the table itself."""
    field: str
    """`name`, `prefix`, `synonym`, `column`, `column synonym` or `text`."""
    share: float
    """Its part, 0–1, of the words of that name."""


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A value, or what a code means, in the form that phrases of a question are compared in."""

    folded: str
    value: Scalar
    table: str
    column: str
    count: int | None
    meaning: str
    """'' for a plain value; else the meaning that was folded."""
    origin: str
    """`data` or `curated`."""


def dictionary_words(shown: Mapping[str, TableCard]) -> Iterator[Word]:
    """Return the words of every table, its columns and their descriptions, in card order."""
    prefixes = _prefixes(shown)
    for card in shown.values():
        prefix, core = _name_parts(card.name, prefixes)
        for text, field in ((core, "name"), (prefix, "prefix")):
            yield from _words(words(" ".join(text)), card.name, "", field)
        for synonym in card.synonyms:
            yield from _words(words(synonym), card.name, "", "synonym")
        yield from _text(_prose(card.description, card.grain or ""), card.name, "")
        for column in card.columns:
            if column.housekeeping:
                continue
            yield from _words(words(column.name), card.name, column.name, "column")
            for synonym in column.synonyms:
                yield from _words(words(synonym), card.name, column.name, "column synonym")
            yield from _text(_prose(column.description), card.name, column.name)


def dictionary_values(shown: Mapping[str, TableCard]) -> Iterator[StoredValue]:
    """Return the values and code meanings of columns that are neither sensitive nor bookkeeping."""
    for card in shown.values():
        for column in card.columns:
            if column.sensitive or column.housekeeping:
                continue
            for code in column.codes:
                entry = (code.value, card.name, column.name, code.count)
                text = str(code.value)
                if len(text) <= _VALUE_LENGTH and not isinstance(code.value, bool | float):
                    yield StoredValue(folded(text), *entry, "", "data")
                if code.meaning:
                    head = _MEANING_HEAD.split(code.meaning)[0]
                    for form in dict.fromkeys((folded(code.meaning), folded(head))):
                        if form and len(form) <= 2 * _VALUE_LENGTH:
                            yield StoredValue(form, *entry, code.meaning, "curated")


def literal(value: Scalar) -> str:
    """Return a stored value as JSON, which keeps its type, padding and case."""
    return json.dumps(value, ensure_ascii=False)


def _words(found: list[str], table: str, column: str, field: str) -> Iterator[Word]:
    parts = [part for word in found for part in segments(word)]
    if not parts:
        return
    share = round(1 / len(set(parts)), 4)
    spelled: dict[str, float] = {}
    for part in parts:
        spelled[stem(part)] = share
        for long in spelled_out(part):
            spelled.setdefault(stem(long), share)
    for word in found:
        spelled.setdefault(stem(word), round(share * len(segments(word)), 4))
    for key, part_share in spelled.items():
        yield Word(key, table, column, field, part_share)


def _text(found: list[str], table: str, column: str) -> Iterator[Word]:
    for key in dict.fromkeys(map(stem, found)):
        yield Word(key, table, column, "text", 0.0)


def _prose(*texts: str) -> list[str]:
    return [word for text in texts for word in words(text) if len(word) > 2]


def _prefixes(tables: Iterable[str]) -> frozenset[str]:
    """Return leading words that say where tables belong rather than what they hold."""
    names = list(tables)
    parts = Counter(
        _SCHEMA_SEPARATOR.split(name)[0] for name in names if _SCHEMA_SEPARATOR.search(name)
    )
    found = {part for part, _ in parts.items()}
    leading = Counter(name.split("_")[0] for name in names if "_" in name.strip("_"))
    enough = max(_PREFIX_TABLES, int(_PREFIX_SHARE * len(names)) + 1)
    found |= {part for part, count in leading.items() if count >= enough and part}
    return frozenset(found)


def _name_parts(name: str, prefixes: frozenset[str]) -> tuple[list[str], list[str]]:
    """Split a table's name into the words of its prefix and those that name its content."""
    prefix: list[str] = []
    rest = name
    pieces = _SCHEMA_SEPARATOR.split(name)
    if len(pieces) > 1 and pieces[0] in prefixes:
        prefix += words(" ".join(pieces[:-1]))
        rest = pieces[-1]
    if rest == name or "_" in rest:
        head, _, tail = rest.partition("_")
        if tail and head in prefixes:
            prefix += words(head)
            rest = tail
    found = words(rest)
    core = [w for w in found if w not in NOISE_WORDS] or found
    prefix += [w for w in found if w not in core]
    return prefix, core
