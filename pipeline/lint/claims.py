"""What a description claims about stored values, held against what was measured.

English, and only what is said without a condition: a claim counts where its clause ends with it
("Never empty." but not "Never empty for shops").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.cards import ColumnCard, TableCard
from pipeline.lint.world import shown, stored
from pipeline.text import thousands

_END = r"(?=\s*(?:[.;!)\n]|,(?!\d)|$|\band\b(?!\s+(?:for|when|if|in)\b)))"
_NUMBER = r"-?\d+(?:[.,]\d+)?"
_CONDITION = re.compile(
    r"\b(?:if|when|where|while|unless|until|once|except|only|after|before|for|since|till|during|"
    r"otherwise|usually|mostly|normally|should|must|may|might|can)\b"
)
_FILLED = re.compile(
    rf"\b(?:(?:never|not|cannot be|can't be|can not be) (?:null|empty|blank|missing)"
    rf"|always (?:set|filled|filled in|given|present|populated|known|there))\b{_END}",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    rf"\b(?:never (?:filled|filled in|set|populated)|always (?:null|empty|blank))\b{_END}",
    re.IGNORECASE,
)
_UNIQUE = re.compile(
    rf"\b(?:(?:is|are|always|globally) unique|no duplicates|never (?:repeats|reused))\b{_END}"
    r"|^unique(?=[.;]|$)",
    re.IGNORECASE,
)
_POSITIVE = re.compile(
    rf"\b(?:always (?:positive|non-negative|nonnegative)|never (?:negative|below zero|below 0)"
    rf"|(?:non-negative|nonnegative))\b{_END}",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(rf"\b(?:always negative|never positive)\b{_END}", re.IGNORECASE)
_NOT_ZERO = re.compile(
    rf"\bnever (?:zero|0)\b{_END}|\b(?:greater|more) than (?:zero|0)\b{_END}", re.IGNORECASE
)
_RANGE = re.compile(
    rf"\bbetween (?P<a>{_NUMBER}) and (?P<b>{_NUMBER}){_END}"
    rf"|\b(?:ranges?|values?|goes|runs|scale|is|are) (?:is |are |of )?from (?P<c>{_NUMBER})"
    rf"(?: \([^()]*\))? to (?P<d>{_NUMBER})(?: \([^()]*\))?{_END}"
    rf"|^(?P<e>{_NUMBER})(?: \([^()]*\))?(?: to | ?[–—-] ?)(?P<f>{_NUMBER})(?: \([^()]*\))?{_END}",
    re.IGNORECASE,
)
_CONSTANT = re.compile(
    rf"\b(?:[Aa]lways|[Oo]nly ever) (?P<value>'[^']{{1,40}}'|\"[^\"]{{1,40}}\"|`[^`]{{1,40}}`"
    rf"|[A-Z][A-Z0-9_]+|-?\d+){_END}"
)
_LENGTH = re.compile(
    rf"\b(?:always|exactly) (?P<length>\d{{1,4}}) (?:char(?:acter)?s?|letters?|digits?)"
    rf"(?: long)?{_END}",
    re.IGNORECASE,
)
_TABLE_EMPTY = re.compile(
    rf"\b(?:table|it) (?:is|stays|was always) (?:always |still )?empty\b{_END}", re.IGNORECASE
)
_NUMBERS = ("integer", "decimal", "float")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A claim and what the data shows instead."""

    claim: str
    """As it stands in the description."""
    measured: str


def of_table(card: TableCard, text: str) -> Iterator[Contradiction]:
    """Yield what a description of a table says against its rows."""
    for match in _claims(_TABLE_EMPTY, text):
        if card.profile.rows:
            yield Contradiction(match[0], f"it has {thousands(card.profile.rows)} rows")


def of_column(card: TableCard, column: ColumnCard, text: str) -> Iterator[Contradiction]:
    """Yield what a description of a column says against its values."""
    if not _looked_at(card):
        return
    folded = text.casefold()
    for check, words in _CHECKS:
        if any(map(folded.__contains__, words)):
            yield from check(card, column, text)


def _claims(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the claims that no condition stands before in their clause."""
    for match in pattern.finditer(text):
        clause = re.split(r"[.;(\n]", text[: match.start()])[-1]
        if not _CONDITION.search(clause.casefold()):
            yield match


def _looked_at(card: TableCard) -> int:
    """Return how many rows were looked at; 0 when none or unknown."""
    profile = card.profile
    return profile.sample.rows if profile.sample else profile.rows or 0


def _nulls(card: TableCard, column: ColumnCard, text: str) -> Iterator[Contradiction]:
    read, nulls = _looked_at(card), column.profile.nulls
    if nulls is None:
        return
    for match in _claims(_FILLED, text):
        if nulls:
            yield Contradiction(match[0], f"{thousands(nulls)} of {thousands(read)} rows are null")
    for match in _claims(_EMPTY, text):
        filled = read - nulls
        if filled > 0 and column.profile.distinct and column.profile.max_length != 0:
            yield Contradiction(
                match[0], f"{thousands(filled)} of {thousands(read)} rows hold a value"
            )


def _uniqueness(card: TableCard, column: ColumnCard, text: str) -> Iterator[Contradiction]:
    profile = column.profile
    if profile.nulls is None or profile.distinct is None or card.profile.rows_estimated:
        return
    filled = _looked_at(card) - profile.nulls
    for match in _claims(_UNIQUE, text):
        if profile.distinct < filled:
            yield Contradiction(
                match[0],
                f"{thousands(filled)} rows hold {thousands(profile.distinct)} distinct values",
            )


def _signs(_card: TableCard, column: ColumnCard, text: str) -> Iterator[Contradiction]:
    low, high = _number(column.profile.minimum), _number(column.profile.maximum)
    if low is None or high is None:
        return
    for match in _claims(_POSITIVE, text):
        if low < 0:
            yield Contradiction(match[0], f"the least value is {low:g}")
    for match in _claims(_NEGATIVE, text):
        if high > 0:
            yield Contradiction(match[0], f"the largest value is {high:g}")
    for match in _claims(_NOT_ZERO, text):
        zero = any(_number(v.value) == 0 for v in column.profile.values)
        if zero or low == 0 or high == 0:
            yield Contradiction(match[0], "some rows hold 0")


def _ranges(_card: TableCard, column: ColumnCard, text: str) -> Iterator[Contradiction]:
    low, high = _number(column.profile.minimum), _number(column.profile.maximum)
    if column.column.family not in _NUMBERS or low is None or high is None:
        return
    for match in _claims(_RANGE, text):
        ends = [float(part.replace(",", ".")) for part in match.groups() if part is not None]
        if ends[0] > ends[1]:
            continue
        if low < ends[0] or high > ends[1]:
            yield Contradiction(match[0], f"the values go from {low:g} to {high:g}")


def _constants(_card: TableCard, column: ColumnCard, text: str) -> Iterator[Contradiction]:
    profile = column.profile
    if not profile.values_complete or not profile.values or profile.has_dates_as_text:
        return
    if column.column.family in ("date", "time", "timestamp", "boolean"):
        return
    values = {str(v.value).strip().casefold(): stored(v.value) for v in profile.values}
    for match in _claims(_CONSTANT, text):
        said = match["value"].strip("'\"`").strip().casefold()
        others = [shown_as for value, shown_as in values.items() if value != said]
        if others:
            yield Contradiction(match[0], f"other values are stored: {shown(', '.join(others))}")


def _lengths(_card: TableCard, column: ColumnCard, text: str) -> Iterator[Contradiction]:
    short, long = column.profile.min_length, column.profile.max_length
    if short is None or long is None or column.profile.padded:
        return
    for match in _claims(_LENGTH, text):
        if (short, long) != (length := int(match["length"]), length):
            found = f"{short}" if short == long else f"{short} to {long}"
            yield Contradiction(match[0], f"the values have {found} characters")


def _number(value: object) -> float | None:
    """Return a value as a number; decimals are texts in a profile."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str) and re.fullmatch(r"-?\d+(?:\.\d+)?", value):
        return float(value)
    return None


_CHECKS = (
    (_nulls, ("never", "always", "not ", "can't be", "cannot be")),
    (_uniqueness, ("unique", "duplicates", "never re")),
    (_signs, ("always", "never", "negative", "than")),
    (_ranges, tuple("0123456789")),
    (_constants, ("always", "only ever")),
    (_lengths, ("always", "exactly")),
)
"""And the words of which one stands in each such claim: most texts have none."""
