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
    """
n/a, n.a., #n/a, null, (null), (none), nan, -, --, ---, ..., ?, tbd, tba, unknown, (unknown)
not available, not applicable, not specified, unspecified, undefined, (blank), (empty)
#null!, #ref!, #value!, #div/0!, k.a., k. a., unbekannt, inconnu, desconocido, desconhecido
""".strip()
    .replace("\n", ", ")
    .split(", ")
) | {""}
_NINES = frozenset(
    {999, 9999, 99999, 999999, 9999999, 99999999, 999999999, 2147483647, 9223372036854775807}
)
NO_NUMBER = _NINES | {0, -1, 19000101, 99991231, 10101, 253402300799, 253402214400}
"""Numbers that stand for no time, or for its end, where others are times."""
_BELOW = frozenset({-1, -9, -99, -999, -9999, -99999, -999999})
_EARLIEST = frozenset({0, 10101, 19000101})
_LATEST = _NINES | {99991231, 253402300799}
_FOUR_DIGITS = range(1000, 10_000)
_LAST_YEAR, _LAST_DAY = 9999, 99991231
_DAY_FAR = re.compile(r"99991231|29991231|21991231|20991231|30000101")
_DAY_EARLY = re.compile(r"00000000|00010101|17530101|19000101|18991230|18000101")
"""The same as digits: `YYYYMMDD`."""
_RARE = 0.4
"""Share of the values above which a value is a value: up to a third is often unknown."""
_NOT_IN_TIMES = 1000
"""Years, days and seconds as numbers are larger, so that 0 is none."""
_FAR_APART = 5
_MOST_AT_AN_END = 3
_LEAST_DISTINCT = 5
_NOT_COUNTED = frozenset({"code", "no", "nr", "number", "zip"})
_IDS = frozenset({"id", "key"})
_YEARS = frozenset({"year", "jahr", "annee", "ano", "anno", "jaar", "yr"})
_DATED = re.compile(
    r"(?:0?1|3[01]|00|12)(?P<mark>[./-])(?:0?1|12|00|3[01])(?P=mark)(?:9999|2999|2099|1900|0001|0000)\b.*"
)
"""The ends of time as people write them, day or month first."""


def sentinels(
    column: Column,
    counts: Counts,
    values: Sequence[ValueCount],
    read: int,
    outlier: Outlier,
    *,
    examples: Sequence[Scalar] = (),
    is_time: bool = False,
    is_key: bool,
) -> tuple[Scalar, ...]:
    """Return stored values that likely stand for something else, in ascending order.

    Args:
        column: where they are stored.
        counts: of the column.
        values: its dictionary.
        read: rows that were looked at.
        outlier: asks the database about the ends of the range.
        examples: stored values, for a column without a dictionary.
        is_time: its numbers are points in time, or its texts days written as digits.
        is_key: it identifies rows or refers to others: a blank key is a key.
    """
    found: list[Scalar] = []
    if counts.max_length is None and column.family in ("integer", "decimal", "float"):
        if not is_key:
            found += _numbers(column, counts, read, outlier, is_time=is_time)
    elif "birth" not in words(column.name):
        early, far = (_DAY_EARLY, _DAY_FAR) if is_time else (_EARLY, _FAR)
        found += _dates(counts.minimum, "MIN", early, outlier)
        found += reversed(_dates(counts.maximum, "MAX", far, outlier))
    if not is_key:
        texts = [*(v.value for v in values), *(examples if not values else ())]
        found += sorted(
            {v for v in texts if isinstance(v, str) and (is_filler(v) or _DATED.fullmatch(v))}
        )
        if not values and counts.minimum == "":
            found.append("")
    return tuple(dict.fromkeys(found))


def is_filler(text: str) -> bool:
    """Return whether a text says that there is nothing, as `N/A` or `-` do; so does a blank one."""
    return text.strip().casefold() in _FILLERS


def is_no_day(text: str) -> bool:
    """Return whether eight digits stand for no day: 99991231."""
    return bool(_DAY_FAR.fullmatch(text) or _DAY_EARLY.fullmatch(text))


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


def _numbers(
    column: Column, counts: Counts, read: int, outlier: Outlier, *, is_time: bool
) -> list[Scalar]:
    last = set(words(column.name)[-1:])
    least_distinct = 2 if is_time else _LEAST_DISTINCT
    if (counts.distinct or 0) < least_distinct or last & _NOT_COUNTED:
        return []
    found: list[Scalar] = []
    # where all others are points in time, what is none may be as frequent as it likes
    most = (read - (counts.nulls or 0)) * (1 if is_time else _RARE)
    is_time = is_time or (bool(last & _YEARS) and counts.maximum in _FOUR_DIGITS)
    low, high = counts.minimum, counts.maximum
    if isinstance(low, int | float) and (low in _BELOW or (is_time and low in _EARLIEST)):
        rows, others = outlier(low, "MIN")
        least = 0 if low in _BELOW else _NOT_IN_TIMES
        if rows <= most and isinstance(others, int | float) and others >= least:
            found.append(low)
    if isinstance(high, int | float) and high in _LATEST and not last & _IDS:
        rows, others = outlier(high, "MAX")
        if rows <= most and isinstance(others, int | float):
            is_far = others * _FAR_APART < high
            if is_far or (is_time and high in (_LAST_YEAR, _LAST_DAY)):
                found.append(high)
    return found
