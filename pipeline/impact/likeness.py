"""How alike two columns or two names are: what a rename is recognised by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from pipeline.lexicon import related, stem
from pipeline.text import words
from schemas.facts import ColumnProfile, Scalar

_SPELLING = 0.78
"""Words whose letters agree to at least this share are one word, spelled differently."""
_ENOUGH_DISTINCT = 64
"""Columns with so many distinct values don't agree in them by chance."""
_LONG = 10
"""Bounds of so many characters don't agree by chance."""


@dataclass(frozen=True, slots=True)
class DataLikeness:
    """How far the data of two columns agree."""

    score: float
    """0–1: the share of the facts that agree."""
    weight: float
    """0–1: how much that says; a flag looks like any other flag."""


def name_likeness(old: str, new: str, said_anyway: Sequence[str] = ()) -> float:
    """Return 0–1: whether two identifiers name the same thing.

    Args:
        old: one name.
        new: the other.
        said_anyway: words that both may drop or add, as a column may its table's name.
    """
    before, after = words(old), words(new)
    if "".join(before) == "".join(after):
        return 1.0
    best = _words_likeness(tuple(before), tuple(after))
    said = {stem(word) for word in said_anyway}
    short_before = [w for w in before if stem(w) not in said] or before
    short_after = [w for w in after if stem(w) not in said] or after
    if (short_before, short_after) != (before, after):
        best = max(best, 0.95 * _words_likeness(tuple(short_before), tuple(short_after)))
    spelled = SequenceMatcher(None, "".join(before), "".join(after), autojunk=False).ratio()
    return max(best, spelled * 0.9 if spelled >= _SPELLING else 0.0)


@lru_cache(maxsize=65536)
def _words_likeness(before: tuple[str, ...], after: tuple[str, ...]) -> float:
    if not before or not after:
        return 0.0
    pairs = sorted(
        ((_word_likeness(a, b), i, j) for i, a in enumerate(before) for j, b in enumerate(after)),
        key=lambda pair: (-pair[0], abs(pair[1] - pair[2]), pair[1]),
    )
    taken_before: set[int] = set()
    taken_after: set[int] = set()
    total = 0.0
    for score, i, j in pairs:
        if score > 0 and i not in taken_before and j not in taken_after:
            taken_before.add(i)
            taken_after.add(j)
            total += score * (_weight(before[i]) + _weight(after[j]))
    return total / (sum(map(_weight, before)) + sum(map(_weight, after)))


def _weight(word: str) -> float:
    """Short words such as `id` tell less than the noun before them."""
    return 0.5 if len(word) <= 2 or word in ("code", "key", "num", "flag") else 1.0


@lru_cache(maxsize=65536)
def _word_likeness(a: str, b: str) -> float:
    if a == b or stem(a) == stem(b):
        return 1.0
    if a.isdigit() or b.isdigit():
        return 0.0
    short, long = sorted((a, b), key=len)
    if len(short) >= 2 and short[0] == long[0] and _is_subsequence(short, long):
        return 0.85
    if stem(b) in related(a) or stem(a) in related(b):
        return 0.7
    ratio = SequenceMatcher(None, a, b, autojunk=False).ratio()
    return ratio * 0.9 if ratio >= _SPELLING else 0.0


def _is_subsequence(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def data_likeness(
    old: ColumnProfile | None, new: ColumnProfile | None, rows: tuple[int | None, int | None]
) -> DataLikeness | None:
    """Return how far two columns hold the same data; None where one wasn't measured.

    Args:
        old: what was counted in one column.
        new: what was counted in the other.
        rows: the rows of the two tables.
    """
    if old is None or new is None:
        return None
    scores: list[tuple[float, float]] = []
    _compare_counts(scores, old, new, rows)
    for one, other in ((old.minimum, new.minimum), (old.maximum, new.maximum)):
        if one is not None and other is not None:
            scores.append((_bounds(one, other), 1.5))
        elif (one is None) != (other is None):
            scores.append((0.0, 1.0))
    for one, other in ((old.min_length, new.min_length), (old.max_length, new.max_length)):
        if one is not None and other is not None:
            scores.append((_ratio(one, other), 0.75))
    if old.values and new.values:
        scores.append((_shared_values(old, new), 3.0))
    if (old.text_format or new.text_format) is not None:
        scores.append((float(old.text_format == new.text_format), 1.0))
    if not scores:
        return None
    total = sum(weight for _, weight in scores)
    score = sum(value * weight for value, weight in scores) / total
    return DataLikeness(score, _information(old))


def _compare_counts(
    scores: list[tuple[float, float]],
    old: ColumnProfile,
    new: ColumnProfile,
    rows: tuple[int | None, int | None],
) -> None:
    if old.distinct is not None and new.distinct is not None:
        alike = _ratio(old.distinct, new.distinct)
        if rows[0] and rows[1]:
            scaled = _ratio(old.distinct / rows[0], new.distinct / rows[1])
            alike = max(alike, scaled)
        scores.append((alike, 2.0))
    if old.nulls is not None and new.nulls is not None and rows[0] and rows[1]:
        apart = abs(old.nulls / rows[0] - new.nulls / rows[1])
        scores.append((max(0.0, 1 - 4 * apart), 1.5))


def _information(column: ColumnProfile) -> float:
    """Return how unlikely it is that another column has the same profile by chance."""
    if not column.distinct:
        return 0.1
    if isinstance(column.minimum, str) and len(column.minimum) >= _LONG:
        return 0.7  # bounds such as a moment or a GUID
    told = min(1.0, math.log2(1 + column.distinct) / math.log2(1 + _ENOUGH_DISTINCT))
    texts = sum(isinstance(v.value, str) and len(v.value.strip()) > 2 for v in column.values)
    if column.values and texts >= 2:
        told = max(told, 0.7)  # words agree by chance less than numbers do
    return max(0.1, told)


def _ratio(one: float, other: float) -> float:
    if one == other:
        return 1.0
    low, high = sorted((abs(one), abs(other)))
    if high == 0 or (one < 0) != (other < 0):
        return 0.0
    return max(0.0, 2 * low / high - 1)


def _bounds(one: Scalar, other: Scalar) -> float:
    if isinstance(one, str) != isinstance(other, str):
        return 0.0
    if isinstance(one, str) and isinstance(other, str):
        if one.strip() == other.strip():
            return 1.0
        shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
        return min(0.6, shared / max(len(one), len(other), 1))
    return _ratio(float(one), float(other))


def _shared_values(old: ColumnProfile, new: ColumnProfile) -> float:
    before = {_plain(item.value): item.count for item in old.values}
    after = {_plain(item.value): item.count for item in new.values}
    total = max(sum(before.values()), 1), max(sum(after.values()), 1)
    shared = sum(
        min(before[value] / total[0], after[value] / total[1])
        for value in before.keys() & after.keys()
    )
    return min(1.0, shared)


def _plain(value: Scalar) -> str:
    return str(value).strip()
