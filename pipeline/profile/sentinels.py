"""Stored values that likely stand for `none`, `unknown` or `forever`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pipeline.profile.aggregates import Counts
from pipeline.text import words
from schemas.facts import Column, Scalar, ValueCount

Outlier = Callable[[Scalar, str], tuple[int, Scalar | None]]
"""Value and MIN or MAX → rows that hold the value, and that aggregate of all other rows."""

_FAR = re.compile(
    r"(9999-12-31|9999-01-01|2999-12-31|2199-12-31|2100-12-31|2099-12-31|3000-01-01|2262-04-11)\b.*|infinity"
)
_EARLY = re.compile(
    # from -4713 on: day 0 of the Julian count, as engines write it
    r"(0001-01-01|1753-01-01|1900-01-01|1899-12-30|1899-12-31|1800-01-01|0000-00-00|0000-01-01"
    r"|-?471[34]-\d\d-\d\d)\b.*|-infinity"
)
_FILLERS = frozenset(
    {
        "",
        "n/a",
        "#n/a",
        "null",
        "(null)",
        "-",
        "--",
        "?",
        "tbd",
        "unknown",
        "nan",
        "(none)",
        "not available",
        "unspecified",
    }
)
_NINES = frozenset(
    {999, 9999, 99999, 999999, 9999999, 99999999, 999999999, 2147483647, 9223372036854775807}
)
_RARE = 0.2
"""Share of the values above which a value is a value."""
_FAR_APART = 5
_MOST_AT_AN_END = 3
_LEAST_DISTINCT = 5
_NOT_COUNTED = frozenset({"id", "key", "code", "no", "nr", "number", "zip", "year"})


def sentinels(
    column: Column,
    counts: Counts,
    values: Sequence[ValueCount],
    read: int,
    outlier: Outlier,
    *,
    is_key: bool,
) -> tuple[Scalar, ...]:
    """Return stored values that likely stand for something else, in ascending order.

    Args:
        column: where they are stored.
        counts: of the column.
        values: its dictionary.
        read: rows that were looked at.
        outlier: asks the database about the ends of the range.
        is_key: it identifies rows or refers to others: a blank key is a key.
    """
    found: list[Scalar] = []
    if counts.max_length is None and column.family in ("integer", "decimal", "float"):
        return tuple([] if is_key else _numbers(column, counts, read, outlier))
    if "birth" not in words(column.name):
        found += _dates(counts.minimum, "MIN", _EARLY, outlier)
        found += reversed(_dates(counts.maximum, "MAX", _FAR, outlier))
    if not is_key:
        found += [
            v.value
            for v in values
            if isinstance(v.value, str) and v.value.strip().casefold() in _FILLERS
        ]
        if not values and counts.minimum == "":
            found.append("")
    return tuple(dict.fromkeys(found))


def _dates(
    end: Scalar | None, aggregate: str, pattern: re.Pattern[str], outlier: Outlier
) -> list[Scalar]:
    """Return dates at one end of the range that are none; behind one there may be another."""
    found: list[Scalar] = []
    while isinstance(end, str) and pattern.fullmatch(end) and end not in found:
        found.append(end)
        if len(found) == _MOST_AT_AN_END:
            break
        _, end = outlier(end, aggregate)
    return found


def _numbers(column: Column, counts: Counts, read: int, outlier: Outlier) -> list[Scalar]:
    if (counts.distinct or 0) < _LEAST_DISTINCT or set(words(column.name)[-1:]) & _NOT_COUNTED:
        return []
    found: list[Scalar] = []
    present = read - (counts.nulls or 0)
    low, high = counts.minimum, counts.maximum
    if low == -1:
        rows, others = outlier(low, "MIN")
        if rows <= present * _RARE and isinstance(others, int | float) and others >= 0:
            found.append(low)
    if isinstance(high, int | float) and high in _NINES:
        rows, others = outlier(high, "MAX")
        if (
            rows <= present * _RARE
            and isinstance(others, int | float)
            and others * _FAR_APART < high
        ):
            found.append(high)
    return found
