"""What the texts of a column look like when all have one shape, and the time zone that they tell.

Blanks and fillers (`N/A`, `-`) aside, every text that was seen must have the shape: a wrong claim
is worse than none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from pipeline.profile.aggregates import Counts
from pipeline.profile.kinds import words as word_set
from pipeline.profile.measure import EXAMPLE_LENGTH
from pipeline.profile.sentinels import is_filler, is_no_day
from pipeline.text import words
from schemas.facts import Column, Scalar

YES_OR_NO = "yes or no"
NUMBERS_AND_TEXTS = "numbers and texts mixed"
"""SQLite stores what it is given, whatever the column's type."""
SEVERAL = "dates in several formats"
_AMBIGUOUS = "dates, day or month first"
_BOTH_ORDERS = "dates, day first and month first mixed"
_COMPACT = "YYYYMMDD"
NO_ORDER = re.compile(r"UUID|JSON|XML|URL|hex digits|number\b|percent|dates|[DM].*Y")
"""Beginnings of formats whose order, as text, tells nothing."""
NO_VALUES = re.compile(r"UUID|JSON|XML|URL|hex digits|number\b|dates|[DM].*Y|Y.*D")
"""Beginnings of formats of which a single value tells nothing."""


@dataclass(frozen=True, slots=True)
class _Format:
    name: str
    test: Callable[[str], bool]
    longest: int | None = None
    """Characters; the longest value of all is known even when only some were looked at."""
    least: int = 1
    """Different texts that must be seen."""


def text_format(
    counts: Counts, examples: Sequence[Scalar], *, family: str = "text", name: str = ""
) -> str | None:
    """Return the one shape of all texts that were seen, or None."""
    ends = [v for v in (counts.minimum, counts.maximum) if v is not None]
    if _mixed(ends):
        return NUMBERS_AND_TEXTS
    # an array in braces or brackets looks like JSON and is none
    if family == "array" or counts.max_length is None:
        return None
    # of numbers that SQLite stores, the examples are texts: their beginnings
    if any(not isinstance(v, str) for v in (*examples, *ends)):
        return None
    stored = {v for v in (*examples, *ends) if isinstance(v, str)}
    if len(stored) == counts.distinct and _is_yes_or_no(stored):
        return YES_OR_NO
    fillers = {text for text in stored if is_filler(text)}
    texts = sorted({t for v in stored - fillers if (t := v[: EXAMPLE_LENGTH + 1].strip())})
    if not texts:
        return None
    blanks = max((len(text) for text in stored), default=0) if counts.padded or fillers else 0
    for shape in _FORMATS:
        fits = shape.longest is None or counts.max_length <= max(shape.longest, blanks)
        told = [t for t in texts if not is_no_day(t)] if shape.name == _COMPACT else texts
        if fits and len(told) >= shape.least and all(map(shape.test, told)):
            return shape.name
    if counts.max_length <= max(_LONGEST_DATE, blanks):
        found = _dates(texts)
        if found is not None:
            return found
    return None if set(words(name)) & _NO_NUMBERS else _numbers(texts)


# ------------------------------------------------------------------ single shapes


def _full(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda text: bool(compiled.fullmatch(text))


def _json(text: str) -> bool:
    if len(text) >= EXAMPLE_LENGTH:  # the end was cut off
        return bool(re.match(r'[{\[]\s*["\d{\[]', text))
    if text[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


_DAY = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_CLOCK_TIME = r"(?:[01]\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?"
_ZONE = r" ?(?:Z|[+-]\d\d:?(?:\d\d)?)"
_FORMATS = (
    _Format("UUID", _full(r"\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?"), 38),
    _Format("ISO date", _full(_DAY), 10),
    _Format("ISO timestamp with zone", _full(rf"{_DAY}[T ]{_CLOCK_TIME}{_ZONE}"), 36),
    _Format("ISO timestamp", _full(rf"{_DAY}[T ]{_CLOCK_TIME}"), 29),
    _Format("ISO date or timestamp", _full(rf"{_DAY}(?:[T ]{_CLOCK_TIME}(?:{_ZONE})?)?"), 36),
    _Format("time of day", _full(_CLOCK_TIME), 18),
    _Format("ISO month", _full(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])"), 7),
    # three of them aren't eight-digit codes by chance
    _Format(_COMPACT, _full(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"), 8, 3),
    _Format("URL", _full(r"(?:https?|ftp)://[^\s]+|www\.[^\s]+")),
    _Format("JSON", _json),
    _Format("XML", _full(r"(?s)<[\w?!].*")),
    _Format("hex digits", _full(r"(?:0x)?(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{16,}")),
)

# ------------------------------------------------------------------ dates that people write

_LONGEST_DATE = len("September 30, 2025 12:59:59.000 PM")
_TAIL = r"(?P<clock>[ T,]+\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[AaPp]\.?[Mm]\.?)?)?"
_NUMERIC = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)" + _TAIL)
_YEAR_FIRST = re.compile(r"(\d{4})([./])(\d{1,2})\2(\d{1,2})" + _TAIL)
_MONTHS = (
    "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mrz|mai|okt|dez|janv|fév|avr|juin|juil"
    "|août|déc|ene|abr|ago|dic|fev|set|out"
)
_NAMED = re.compile(rf"(?i)(\d{{1,2}})([ .-]+)(?:{_MONTHS})[^\W\d]*\.?[ .-]+(\d{{4}}|\d\d)" + _TAIL)
_NAMED_FIRST = re.compile(rf"(?i)(?:{_MONTHS})[^\W\d]*\.? (\d{{1,2}}),? (\d{{4}})" + _TAIL)
_ISO = re.compile(rf"{_DAY}(?:[T ]{_CLOCK_TIME}(?:{_ZONE})?)?")
_UNTIL = 12
"""Months."""


@dataclass(frozen=True, slots=True)
class _Written:
    """A date as it is written."""

    pattern: str
    """With `{}` where an order of day and month stands, if it is open."""
    first: int = 0
    second: int = 0


def _dates(texts: Sequence[str]) -> str | None:
    written = [_written(text) for text in texts]
    found = [one for one in written if one is not None]
    if len(found) < len(written):
        return None
    patterns = {one.pattern for one in found}
    if len(patterns) > 1:
        return SEVERAL
    pattern = patterns.pop()
    if "{}" not in pattern:
        return pattern if pattern != "ISO" else None
    first, second = max(one.first for one in found), max(one.second for one in found)
    if first > _UNTIL and second > _UNTIL:
        return _BOTH_ORDERS
    is_dotted = "." in pattern  # nobody writes the month first then
    if first > _UNTIL or (is_dotted and second <= _UNTIL):
        return pattern.format("DD", "MM")
    if second > _UNTIL:
        return pattern.format("MM", "DD")
    return _AMBIGUOUS if "YYYY" in pattern else None


def _written(text: str) -> _Written | None:
    """Return how a date is written; None for what is none."""
    if _ISO.fullmatch(text):
        return _Written("ISO")
    numeric = _NUMERIC.fullmatch(text)
    if numeric:
        first, second = int(numeric[1]), int(numeric[3])
        is_short = len(numeric[4]) == 2  # `1.2.10` is a version
        if is_short and (len(numeric[1]) < 2 or len(numeric[3]) < 2):
            return None
        if not 0 < min(first, second) <= _UNTIL or max(first, second) > 31:
            return None
        mark, year = numeric[2], "YY" if is_short else "YYYY"
        return _Written(mark.join(("{}", "{}", year)) + _clock(numeric), first, second)
    year_first = _YEAR_FIRST.fullmatch(text)
    if year_first:
        month, day = int(year_first[3]), int(year_first[4])
        fits = 0 < month <= _UNTIL and 0 < day <= 31
        mark = year_first[2]
        return _Written(mark.join(("YYYY", "MM", "DD")) + _clock(year_first)) if fits else None
    named = _NAMED.fullmatch(text)
    if named and 0 < int(named[1]) <= 31:
        mark = "-" if "-" in named[2] else " "
        return _Written(mark.join(("DD", "Mon", "Y" * len(named[3]))) + _clock(named))
    named = _NAMED_FIRST.fullmatch(text)
    return _Written("Mon DD, YYYY" + _clock(named)) if named and 0 < int(named[1]) <= 31 else None


def _clock(match: re.Match[str]) -> str:
    return " HH:MM" if match["clock"] else ""


# ------------------------------------------------------------------ numbers, yes and no

_NO_NUMBERS = word_set("version ver release revision rev section chapter path no nr code id key")
_POINT = re.compile(r"[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+|0|[1-9]\d*)?(?P<decimals>\.\d+)?")
_COMMA = re.compile(r"[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|0|[1-9]\d*)(?P<decimals>,\d+)?")
_SHARE = re.compile(r"[+-]?\d+(?:[.,]\d+)? ?%")
_LEAST = 5
"""Different numbers that must be seen: a few could as well be versions."""


def _numbers(texts: Sequence[str]) -> str | None:
    """Return how numbers with decimals are written; plain digits may be codes."""
    if all(map(_SHARE.fullmatch, texts)):
        return "percent sign after numbers"
    if len(texts) < _LEAST:
        return None
    for title, pattern in (("number", _POINT), ("number, decimal comma", _COMMA)):
        found = [pattern.fullmatch(text) for text in texts]
        if all(found) and 2 * sum(bool(m and m["decimals"]) for m in found) >= len(texts):
            return title
    return None


_YES_NO = (
    *(("y", "n"), ("yes", "no"), ("true", "false"), ("t", "f"), ("1", "0"), ("j", "n")),
    *(("ja", "nein"), ("oui", "non"), ("si", "no"), ("sí", "no"), ("sim", "não"), ("ja", "nee")),
    *(("wahr", "falsch"), ("vrai", "faux"), ("tak", "nie"), ("ja", "nej"), ("sim", "nao")),
)


def _is_yes_or_no(stored: set[str]) -> bool:
    """Return whether texts are the two words of a pair, or of several pairs, and nothing else."""
    told = {t for text in stored if not is_filler(text) and (t := text.strip().casefold())}
    pairs = [set(pair) for pair in _YES_NO if set(pair) <= told]
    return bool(pairs) and set().union(*pairs) == told


def _mixed(ends: Sequence[Scalar]) -> bool:
    """Return whether the least value is a number and the greatest a text, as only SQLite has it."""
    if len(ends) < 2 or isinstance(ends[0], str) or not isinstance(ends[1], str):
        return False
    try:
        Decimal(ends[1])  # infinity, or more digits than JSON's numbers have
    except InvalidOperation:
        return True
    return False


# ------------------------------------------------------------------ time zones

_ZONES = {
    "utc": "UTC",
    "gmt": "UTC",
    "zulu": "UTC",
    "local": "local time",
    "lcl": "local time",
}
_OFFSET = re.compile(r"(Z|[+-]\d\d(?::?\d\d)?)$")
_WHEN = word_set("date at on time ts timestamp datetime dt am datum fecha data tms")


def time_zone(column: Column, text_format: str | None, examples: Sequence[Scalar]) -> str | None:
    """Return the zone that a name's suffix or every value's suffix tells, or None."""
    found = words(column.name)
    is_time = column.family in ("timestamp", "time") or (text_format or "").startswith(
        "ISO timestamp"
    )
    is_time = is_time or (
        column.family in ("text", "integer", "date", "other") and bool(set(found) & _WHEN)
    )
    if is_time and len(found) > 1 and found[-1] in _ZONES:
        return _ZONES[found[-1]]
    if text_format != "ISO timestamp with zone":
        return None
    ends = {m[1] for v in examples if isinstance(v, str) and (m := _OFFSET.search(v.strip()))}
    return _offset(ends.pop()) if len(ends) == 1 else None


def _offset(written: str) -> str:
    hours, minutes = written[:3], written[3:].lstrip(":") or "00"
    return "UTC" if written == "Z" or (hours[1:], minutes) == ("00", "00") else f"{hours}:{minutes}"
