"""Literals and phrases of a question, linked to what is really stored.

A phrase is compared folded (case, padding, punctuation and plural gone), the longest first, with
stored values and with what codes mean. What several columns hold is shown for all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pipeline.lexicon import folded, stem
from pipeline.text import words
from pipeline.wordlists import STOP_WORDS, WEAK_WORDS
from schemas.models import Scalar
from serve.knowledge import SearchIndex

_LONGEST = 8
"""Words of a phrase."""
_MOST_WORDS = 200
"""Words of a question that are looked at."""
_ALIKE = 40
"""Stored values with the words of the question that are compared more closely."""
_PER_PHRASE = 12
"""Places of one phrase that are returned at most."""
_QUOTED = re.compile(
    r"""(?<![\w'])'([^'\n]{1,80})'(?!\w)|"([^"\n]{1,80})"|[‘“«]([^’”»\n]{1,80})[’”»]"""
)

How = Literal["exact", "words", "part", "meaning"]


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A phrase of the question that a column stores, or that says what one of its codes means."""

    phrase: str
    """The phrase, folded."""
    table: str
    column: str
    value: Scalar
    """Exactly as stored."""
    meaning: str
    """What the code means; '' for a plain value."""
    how: How
    """`exact`; `words`: the same words in another order; `part`: the value contains the phrase."""
    origin: Literal["data", "curated"]
    count: int | None
    weight: float
    """0–1: how much the match says about the table."""


def link_values(
    index: SearchIndex, question: str, called: Mapping[str, float]
) -> tuple[ValueMatch, ...]:
    """Return the stored values that a question speaks of, surest first.

    Args:
        index: where the values are.
        question: any text.
        called: stems that name tables or columns, and how telling they are (0–1); a value that is
            just such a word says little.
    """
    spoken = _folded_words(question)
    quoted = {folded(next(g for g in m.groups() if g)) for m in _QUOTED.finditer(question)}
    found: list[ValueMatch] = []
    taken: set[int] = set()
    for start, end, phrase, rows in _phrases(index, spoken):
        if taken & set(range(start, end)):
            continue
        matches = [
            match
            for row in rows
            if (match := _match(row, phrase, spoken[start:end], phrase in quoted, called))
        ]
        if matches:
            found += matches[:_PER_PHRASE]
            taken |= set(range(start, end))
    found += _alike(index, spoken, taken)
    return tuple(
        sorted(found, key=lambda m: (-m.weight, m.phrase, m.table, m.column, str(m.value)))
    )


def quoted_words(question: str, matches: Iterable[ValueMatch]) -> frozenset[str]:
    """Return the words that the question says only inside stored values of several words.

    Such words name a value (`half-price pedal sale`), not a table or column (`price`).
    """
    spoken = _folded_words(question)
    inside: set[int] = set()
    for match in matches:
        phrase = match.phrase.split()
        if match.how == "exact" and len(phrase) > 1:
            for start in range(len(spoken) - len(phrase) + 1):
                if spoken[start : start + len(phrase)] == phrase:
                    inside |= set(range(start, start + len(phrase)))
    outside = {word for place, word in enumerate(spoken) if place not in inside}
    return frozenset(
        word
        for place, word in enumerate(words(question)[:_MOST_WORDS])
        if place in inside and spoken[place] not in outside
    )


def _folded_words(question: str) -> list[str]:
    return [folded(word) for word in words(question)][:_MOST_WORDS]


Row = tuple[str, str, str, str, int | None, str, str]


def _phrases(index: SearchIndex, spoken: list[str]) -> Iterator[tuple[int, int, str, list[Row]]]:
    """Yield the phrases that are stored, longest first, with the rows that hold them."""
    places: dict[str, tuple[int, int]] = {}
    for size in range(min(_LONGEST, len(spoken)), 0, -1):
        for start in range(len(spoken) - size + 1):
            places.setdefault(" ".join(spoken[start : start + size]), (start, start + size))
    phrases = list(places)
    by_phrase: dict[str, list[Row]] = {}
    for first in range(0, len(phrases), 500):
        part = phrases[first : first + 500]
        marks = ", ".join("?" * len(part))
        for row in index.db.execute(
            'SELECT folded, value, "table", "column", count, meaning, origin FROM value '
            f"WHERE folded IN ({marks}) ORDER BY origin, count DESC, id",
            part,
        ):
            by_phrase.setdefault(row[0], []).append(row)
    for phrase in phrases:
        if phrase in by_phrase:
            yield (*places[phrase], phrase, by_phrase[phrase])


def _match(
    row: Row, phrase: str, spoken: list[str], quoted: bool, called: Mapping[str, float]
) -> ValueMatch | None:
    _, value, table, column, count, meaning, origin = row
    stored: Scalar = json.loads(value)
    telling = [word for word in spoken if word not in STOP_WORDS]
    weight = 1.0
    if not quoted and not meaning:
        if not telling or (len(phrase) < 3 and not phrase.isdigit()):
            return None
        if phrase.replace(" ", "").isdigit():
            if isinstance(stored, int) or len(phrase) < 3:
                return None  # a number of the question is seldom a code that happens to be equal
            weight = 0.5
        if len(telling) == 1 and len(spoken) == 1:
            weight = 0.8 - 0.6 * called.get(stem(telling[0]), 0.0)
            weight -= 0.3 * (telling[0] in WEAK_WORDS)
    if meaning and not telling:
        return None
    if meaning and len(spoken) == 1 and not quoted:
        weight = 0.7 - 0.4 * called.get(stem(telling[0]), 0.0)
        weight -= 0.3 * (telling[0] in WEAK_WORDS)
    return ValueMatch(
        phrase,
        table,
        column,
        stored,
        meaning,
        "meaning" if meaning else "exact",
        "curated" if origin == "curated" else "data",
        count,
        round(max(weight, 0.1), 3),
    )


def _alike(index: SearchIndex, spoken: list[str], taken: set[int]) -> list[ValueMatch]:
    """Return values of several words that the question says in another order or in part."""
    free = [w for i, w in enumerate(spoken) if i not in taken and w not in STOP_WORDS]
    if len(free) < 2:
        return []
    said = " ".join(spoken)
    match = " OR ".join(f'"{word}"' for word in dict.fromkeys(free))
    rows: list[Row] = index.db.execute(
        'SELECT folded, value, "table", "column", count, meaning, origin FROM value '
        "WHERE id IN (SELECT rowid FROM value_words WHERE value_words MATCH ? "
        "ORDER BY bm25(value_words), rowid LIMIT ?) ORDER BY id",
        (match, _ALIKE),
    ).fetchall()
    found: list[ValueMatch] = []
    for form, value, table, column, count, meaning, origin in rows:
        pair = ""
        parts = form.split()
        telling = {w for w in parts if w not in STOP_WORDS}
        shared = telling & set(free)
        if len(telling) > 1 and telling <= set(free):
            how: How = "words"
            weight = 0.9
        elif (pair := _shared_pair(parts, said)) and len(shared) > 1:
            how, weight = "part", 0.3 + 0.4 * len(shared) / len(telling)
        else:
            continue
        if meaning:
            how = "meaning"
        curated: Literal["data", "curated"] = "curated" if origin == "curated" else "data"
        stored: Scalar = json.loads(value)
        phrase = pair if how == "part" else form
        found.append(
            ValueMatch(
                phrase, table, column, stored, meaning, how, curated, count, round(weight, 3)
            )
        )
    return found


def _shared_pair(parts: list[str], said: str) -> str:
    """Return the longest run of two or more words of a value that the question says."""
    padded = f" {said} "
    for size in range(len(parts), 1, -1):
        for start in range(len(parts) - size + 1):
            run = parts[start : start + size]
            if f" {' '.join(run)} " in padded and any(w not in STOP_WORDS for w in run):
                return " ".join(run)
    return ""
