"""The columns of a card: what they hold, what they mean, and the codes in full."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.cards import Code, ColumnCard, TableCard
from pipeline.docs import markdown as md
from pipeline.docs.sql import literal
from pipeline.docs.ties import counted, percent
from pipeline.text import shorten, thousands
from schemas.models import ColumnProfile, Scalar, TableProfile

FOLD_ABOVE = 12
"""Longer lists are folded."""
FREQUENT = 5
"""Values shown of a column that has no code list."""
LONGEST_VALUE = 80
"""Characters shown of a value."""
HEADERS = ("column", "type", "key", "null", "distinct", "values", "meaning")


def column_table(
    card: TableCard, coded: Iterable[ColumnCard], dialect: str, referring: dict[str, list[str]]
) -> str:
    """Return the table of all columns.

    Args:
        card: The table.
        coded: Columns whose values stand in a list of their own.
        dialect: How literals are written.
        referring: Per column the tables that it refers to, as finished Markdown.
    """
    listed = {c.name for c in coded}
    sampled = card.profile.sample is not None
    rows = [
        (
            md.code(column.name),
            md.text(_type_text(column)),
            _key_text(card, column, referring),
            _null_text(column, card.profile),
            _distinct_text(column.profile),
            _values_text(column, dialect, listed=column.name in listed, sampled=sampled),
            _meaning_text(column),
        )
        for column in card.columns
    ]
    return md.table(HEADERS, rows)


def code_lists(coded: Iterable[ColumnCard], dialect: str) -> list[str]:
    """Return a block per coded column: every value as a literal, its meaning and its count."""
    return [_code_list(column, dialect) for column in coded]


def value_text(value: Scalar, dialect: str) -> str:
    """Return a stored value as inline code: the literal that SQL takes, cut when very long."""
    if isinstance(value, str) and len(value) > LONGEST_VALUE:
        shown = literal(value[:LONGEST_VALUE], dialect)[:-1]
        return f"{md.code(shown + '…')} ({thousands(len(value))} characters)"
    return md.code(literal(value, dialect))


def _type_text(column: ColumnCard) -> str:
    found = column.column
    parts = [found.native_type or ("" if found.family == "other" else found.family)]
    if found.identity:
        parts.append("(auto-numbered)")
    if found.generated:
        parts.append(f"(computed: {shorten(found.expression or 'expression unknown', 60)})")
    return " ".join(part for part in parts if part)


def _key_text(card: TableCard, column: ColumnCard, referring: dict[str, list[str]]) -> str:
    parts = []
    key = card.table.primary_key
    if key and column.name in key.columns:
        parts.append("PK")
    if any(unique.columns == (column.name,) for unique in card.table.unique):
        parts.append("unique")
    parts.extend(f"→ {target}" for target in referring.get(column.name, ()))
    return ", ".join(parts)


def _null_text(column: ColumnCard, profile: TableProfile) -> str:
    if column.profile.nulls is None:
        return "" if column.column.nullable else "not null"
    rows = profile.sample.rows if profile.sample else profile.rows
    if not rows:
        return ""
    if column.profile.nulls == 0:
        return "0 %" if column.column.nullable else "not null"
    return percent(min(1.0, column.profile.nulls / rows))


def _distinct_text(profile: ColumnProfile) -> str:
    return "" if profile.distinct is None else thousands(profile.distinct)


def _values_text(column: ColumnCard, dialect: str, *, listed: bool, sampled: bool) -> str:
    """Return what the column holds in a few words; a sensitive one shows nothing."""
    profile = column.profile
    if column.sensitive:
        return "*sensitive: not shown*"
    if listed:
        return f"{_count_of(column)}, listed below"
    parts = []
    if column.column.enum_members:
        parts.append("one of " + _listed(column.column.enum_members, dialect))
    if profile.minimum is not None and profile.minimum == profile.maximum:
        how = "in all rows that were read:" if sampled else "always"
        parts.append(f"{how} {value_text(profile.minimum, dialect)}")
    elif column.column.family in ("text", "enum", "uuid") and profile.values:
        parts.append(_frequent(profile, dialect))
    elif profile.minimum is not None and profile.maximum is not None:
        ends = (value_text(v, dialect) for v in (profile.minimum, profile.maximum))
        parts.append(" to ".join(ends))
    if profile.text_format and column.column.family == "text":
        parts.append(md.text(profile.text_format))
    if profile.sentinels:
        parts.append(f"{_listed(profile.sentinels, dialect)} likely stands for none")
    return "; ".join(parts)


def _frequent(profile: ColumnProfile, dialect: str) -> str:
    shown = [v.value for v in profile.values[:FREQUENT]]
    whole = profile.values_complete and len(shown) == len(profile.values)
    return _listed(shown, dialect) if whole else f"e.g. {_listed(shown, dialect)}"


def _listed(values: Iterable[Scalar], dialect: str) -> str:
    return ", ".join(value_text(v, dialect) for v in values)


def _meaning_text(column: ColumnCard) -> str:
    profile = column.profile
    parts = [md.text(column.description)] if column.description else []
    if mark := md.origin(column.description_origin, column.description_source):
        parts[0] = f"{parts[0]} {mark}"
    if column.synonyms:
        parts.append("also: " + ", ".join(md.text(s) for s in column.synonyms))
    if column.unit:
        parts.append(f"unit: {md.text(column.unit)}")
    if profile.time_zone and profile.time_zone != column.unit:
        parts.append(f"time zone: {md.text(profile.time_zone)}")
    if profile.soft_delete:
        parts.append("marks deleted rows")
    if column.column.default is not None and not column.housekeeping:
        parts.append(f"default {md.code(shorten(column.column.default, 60))}")
    if profile.padded and not column.sensitive:
        parts.append(f"blanks at an end of {counted(profile.padded, 'value')}")
    if column.housekeeping:
        parts.append(f"*housekeeping{_why(profile.housekeeping)}*")
    if column.sensitive and profile.sensitive_why:
        parts.append(f"*sensitive{_why(profile.sensitive_why)}*")
    return md.sentence(parts)


def _why(reason: str | None) -> str:
    return f": {md.text(reason)}" if reason else ""


def _count_of(column: ColumnCard) -> str:
    """Return how many values are listed, and of how many when some are missing."""
    stored = sum(1 for code in column.codes if code.count)
    if not stored:
        return f"{counted(len(column.codes), 'value')} that people explained"
    total = column.profile.distinct
    if column.codes_seen or total is None:
        return counted(stored, "value")
    return f"{thousands(stored)} of {counted(total, 'value')}"


def _how_complete(column: ColumnCard) -> str:
    if column.codes_complete:
        return "complete"
    return "all of the rows that were read" if column.codes_seen else "incomplete"


def _code_list(column: ColumnCard, dialect: str) -> str:
    table = md.table(
        ("value", "meaning", "rows"),
        [(value_text(c.value, dialect), md.text(c.meaning), _rows(c)) for c in column.codes],
    )
    whole = f"{_count_of(column)}, {_how_complete(column)}"
    blocks = [f"### Values of {md.name(column.name)}"]
    if len(column.codes) > FOLD_ABOVE:
        blocks.append(md.details(whole, table))
    else:
        blocks += [f"{whole}.", table]
    if column.profile.variants:
        groups = "; ".join(_listed(group, dialect) for group in column.profile.variants)
        blocks.append(f"Alike but for case or blanks: {groups}.")
    return "\n\n".join(blocks)


def _rows(code: Code) -> str:
    if code.count is None:
        return ""
    return thousands(code.count) if code.count else "not in the data"
