"""What is known of a table or column, in one line for the comment behind it."""

from __future__ import annotations

import re

from pipeline.cards import ColumnCard, TableCard
from pipeline.needs import kinds
from pipeline.text import thousands
from schemas.facts import Scalar

_MIDNIGHT = re.compile(r"(?<=\d)[ T]00:00:00(\.0+)?$")
_SHOWN_TABLES = 3
_SHOWN_VALUES = 8
_LONGEST_VALUES = 80
"""Characters of the values together."""


def of_table(card: TableCard) -> str:
    """Return how large a table is and what it is linked with."""
    parts = []
    if card.table.kind != "table":
        parts.append(card.table.kind.replace("_", " "))
    if card.profile.rows is not None:
        about = "about " if card.profile.rows_estimated else ""
        plural = "" if card.profile.rows == 1 else "s"
        parts.append(f"{about}{thousands(card.profile.rows)} row{plural}")
    firm = [link for link in card.links if kinds.is_firm(link)]
    parts += _named("referenced by", {k.table for k in firm if k.to_table == card.name}, card.name)
    parts += _named("refers to", {k.to_table for k in firm if k.table == card.name}, card.name)
    return "; ".join(parts)


def _named(what: str, tables: set[str], own: str) -> list[str]:
    names = sorted(tables - {own})
    shown = names[:_SHOWN_TABLES]
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return [f"{what} {', '.join(shown)}{more}"] if names else []


def of_column(card: TableCard, column: ColumnCard, *, codes_shown: bool) -> str:
    """Return what is known of a column; of a sensitive one no value."""
    profile, parts = column.profile, [column.column.native_type]
    links = kinds.references(card, column)
    if links:
        ends = [f"{link.to_table}.{', '.join(link.to_columns)}" for link in links]
        parts.append(f"refers to {' or '.join(dict.fromkeys(ends))}")
    rows = card.profile.rows
    if profile.nulls is not None and rows:
        sample = card.profile.sample.rows if card.profile.sample else rows
        if profile.nulls == sample:
            all_rows = "null in all rows that were read" if card.profile.sample else "always null"
            return "; ".join([*filter(None, parts), all_rows])
        if profile.nulls:
            parts.append(f"{_percent(profile.nulls / max(sample, 1))} null")
    if column.sensitive:
        parts.append(
            f"sensitive ({profile.sensitive_why})" if profile.sensitive_why else "sensitive"
        )
        return "; ".join(filter(None, parts))
    if not links and not codes_shown and rows != 0:
        parts += _value_facts(column)
    if profile.padded and rows:
        whose = "" if profile.padded + (profile.nulls or 0) >= rows else "some "
        parts.append(f"{whose}padded with blanks: compare with them, or trim")
    if profile.sentinels:
        parts.append(f"{', '.join(map(_shown, profile.sentinels[:3]))} may stand for none")
    return "; ".join(filter(None, parts))


def _value_facts(column: ColumnCard) -> list[str]:
    profile = column.profile
    numbers = column.column.family in ("integer", "decimal", "float")
    few = len(profile.values) <= _SHOWN_VALUES
    if profile.values_complete and profile.values and (few or not numbers):
        shown = [_shown(v.value) for v in profile.values[:_SHOWN_VALUES]]
        if sum(map(len, shown)) <= _LONGEST_VALUES:
            return [f"values: {', '.join(shown)}{'' if few else ', …'}"]
    parts = []
    if profile.text_format:
        parts.append(profile.text_format)
    if profile.distinct is not None:
        parts.append(f"{thousands(profile.distinct)} distinct")
    ranged = column.column.family not in ("text", "other") or profile.text_format
    if ranged and profile.minimum is not None and profile.minimum != profile.maximum:
        parts.append(f"{_shown(profile.minimum)} to {_shown(profile.maximum or '')}")
    return parts


def _shown(value: Scalar) -> str:
    """Return a value for a comment, in quotes where its ends would be lost."""
    text = _MIDNIGHT.sub("", str(value))
    return text if text and text == text.strip() else f"'{text}'"


def _percent(share: float) -> str:
    if 0 < share < 0.01:
        return "under 1 %"
    return f"{min(round(100 * share), 99)} %"
