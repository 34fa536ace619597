"""Which columns get a list of their values, how long, and which stored values are variants."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.profile.aggregates import Counts
from pipeline.profile.formats import NO_VALUES
from pipeline.profile.kinds import words as word_set
from pipeline.text import words
from schemas.facts import Column, ColumnProfile, Link, Table, TableProfile, ValueCount

FEW = 100
"""Distinct values up to which a list is complete, whatever it holds."""
SOME = 500
"""The same for short texts that repeat."""
LABELS = 2000
"""The same for labels: short texts with blanks or letters that people would type in a question."""
NAMES = 4000
"""The same for columns called name or title: what people ask for by name."""
FREQUENT = 200
"""Most frequent values kept of a longer list."""
MEASURES = 30
"""Distinct amounts, dates and the like up to which a list still reads as a code list."""

_SURE = 0.7
"""Confidence from which an inferred join makes a column a reference."""
_CODE = 12
_SHORT = 60
_LONG = 100
_LABEL_WORDS = word_set(
    """name title label city town country state province region territory district county brand
    model category type class group department product item sku color colour style size genre
    artist album vendor supplier company store shop location site code symbol status culture
    language currency reason method channel segment description desc number bezeichnung ort
    stadt land firma kategorie nom ville pays nombre ciudad pais nome cidade"""
)
_NAME_WORDS = word_set("""name title label bezeichnung titel nom titre nombre titulo nome""")
_NUMBER_WORDS = word_set("number no nr num code ref reference token")
"""Heads of columns whose single values nobody asks for once there are thousands."""
_KEY_WORDS = word_set("id key guid uuid rowguid hash token url uri path node")
_MEASURE_WORDS = word_set(
    """count cnt qty quantity delta total amount amt stock hand units sum num balance score points
    price cost value rate sales revenue width height length depth age duration distance"""
)
_TIMES = frozenset({"date", "time", "timestamp", "interval"})
_NONE = frozenset({"binary", "geometry", "array", "json", "xml", "uuid"})


@dataclass(frozen=True, slots=True)
class Plan:
    """How many values of a column to list at most."""

    limit: int
    whole: bool
    """All its values fit."""


def plan(
    table: Table,
    column: Column,
    counts: Counts,
    rows: int,
    *,
    text_format: str | None = None,
    unit: str | None = None,
) -> Plan | None:
    """Return how much of a column to list; None for keys, measures, free text and the like."""
    distinct = counts.distinct or 0
    if not distinct or column.family in _NONE or NO_VALUES.match(text_format or ""):
        return None
    is_key = column.name in key_columns(table)
    repeats = distinct * 2 <= rows - (counts.nulls or 0)
    is_text = isinstance(counts.minimum, str) or isinstance(counts.maximum, str)
    if column.family in _TIMES or (text_format or "").startswith("ISO"):
        return Plan(distinct, whole=True) if distinct <= MEASURES and repeats else None
    if not is_text:
        if is_key:
            return None
        return _of_numbers(column, counts, repeats=repeats, has_unit=unit is not None)
    return _of_texts(column, counts, distinct, repeats=repeats)


def _of_numbers(column: Column, counts: Counts, *, repeats: bool, has_unit: bool) -> Plan | None:
    distinct = counts.distinct or 0
    if words(column.name)[-1:] == ["id"]:
        return None
    is_whole = column.family not in ("decimal", "float") and not isinstance(counts.maximum, float)
    is_measure = has_unit or bool(set(words(column.name)) & _MEASURE_WORDS)
    most = FEW if is_whole and not is_measure else MEASURES
    if distinct > most or not (repeats or distinct <= 2):  # a flag
        return None
    return Plan(distinct, whole=True)


def _of_texts(column: Column, counts: Counts, distinct: int, *, repeats: bool) -> Plan | None:
    longest, found = counts.max_length or 0, words(column.name)
    head = found[-1] if found else ""
    is_short_list = distinct <= FEW and (repeats or longest <= _CODE)
    if set(found[-2:]) & _KEY_WORDS and not is_short_list:
        return None
    if longest > 2 * _LONG or (longest > _LONG and distinct > FEW // 5):
        return None
    is_label = bool(set(found) & _LABEL_WORDS) and longest <= _LONG
    if distinct <= FEW and (repeats or longest <= _SHORT):
        return Plan(distinct, whole=True)
    if distinct <= SOME and longest <= _SHORT and repeats:
        return Plan(distinct, whole=True)
    if head in _NAME_WORDS and longest <= 2 * _LONG and distinct <= NAMES:
        return Plan(distinct, whole=True)
    if is_label and distinct <= LABELS and longest <= _LONG:
        return Plan(distinct, whole=True)
    if repeats and longest <= _LONG and head not in _NUMBER_WORDS:
        return Plan(FREQUENT, whole=False)
    return Plan(FREQUENT, whole=False) if head in _NAME_WORDS else None


def variants(values: tuple[ValueCount, ...]) -> tuple[tuple[str, ...], ...]:
    """Return groups of stored texts that differ only in case, end blanks or Unicode composition."""
    groups: dict[str, list[str]] = {}
    for found in values:
        if isinstance(found.value, str):
            alike = unicodedata.normalize("NFC", found.value).strip().casefold()
            groups.setdefault(unicodedata.normalize("NFC", alike), []).append(found.value)
    return tuple(tuple(sorted(group)) for group in groups.values() if len(group) > 1)


def key_columns(table: Table) -> frozenset[str]:
    """Return columns that identify rows or refer to other tables."""
    keys: set[str] = set()
    if table.primary_key is not None and len(table.primary_key.columns) == 1:
        keys.update(table.primary_key.columns)
    for unique in table.unique:
        if len(unique.columns) == 1:
            keys.update(unique.columns)
    for link in table.foreign_keys:
        keys.update(link.columns)
    return frozenset(keys)


def without_references(
    tables: Sequence[TableProfile], links: Iterable[Link]
) -> tuple[TableProfile, ...]:
    """Return profiles without lists of the numbers that refer to other rows: they are no codes.

    So it is where the reference is declared, too; texts (`DE`) are what people ask for.
    """
    referring = {
        (link.table, column)
        for link in links
        if link.evidence is not None and (link.evidence.confidence or 0) >= _SURE
        for column in link.columns
    }

    def told(table: str, column: ColumnProfile) -> ColumnProfile:
        is_text = any(isinstance(found.value, str) for found in column.values)
        if is_text or not column.values or (table, column.column) not in referring:
            return column
        return replace(column, values=(), values_complete=False)

    return tuple(
        replace(table, columns=tuple(told(table.table, column) for column in table.columns))
        for table in tables
    )
