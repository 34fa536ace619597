"""Which columns hold codes, so that a card lists their values in full."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.cards import ColumnCard, TableCard
from pipeline.docs.ties import Tie
from pipeline.text import words

MOST_WORDS = 50
MOST_NUMBERS = 25
"""Longer lists of values that nobody explained are no codes."""
STATE_WORDS = frozenset({"status", "state", "stage", "phase"})
KIND_WORDS = frozenset({"type", "kind", "category", "class", "code", "segment", "channel", "group"})


def coded_columns(card: TableCard, ties: Iterable[Tie]) -> tuple[ColumnCard, ...]:
    """Return the columns that hold codes, in catalog order.

    A column is coded when people gave its values a meaning, or when all its values are known, few
    and repeated. Amounts are not; nor are keys and references, which another table explains.
    """
    keys = set(card.table.primary_key.columns) if card.table.primary_key else set()
    keys.update(column for tie in ties if tie.outward for column in tie.link.columns)
    return tuple(c for c in card.columns if _is_coded(c, is_key=c.name in keys))


def best_code(coded: Iterable[ColumnCard]) -> ColumnCard | None:
    """Return the column by which counting rows tells most."""
    usable = [c for c in coded if len(c.codes) > 1]
    return min(usable, key=_rank, default=None)


def _is_coded(column: ColumnCard, *, is_key: bool) -> bool:
    if column.sensitive or not column.codes:
        return False
    if any(code.meaning for code in column.codes):
        return True
    if is_key or column.housekeeping or column.unit:
        return False
    if not column.codes_seen or len(column.codes) < 2:
        return False
    family = column.column.family
    most = {"text": MOST_WORDS, "enum": MOST_WORDS, "boolean": 2, "integer": MOST_NUMBERS}
    counted = sum(code.count or 0 for code in column.codes)
    return len(column.codes) <= most.get(family, 0) and counted >= 2 * len(column.codes)


def _rank(column: ColumnCard) -> tuple[bool, bool, bool]:
    named = set(words(column.name))
    unexplained = not any(code.meaning for code in column.codes)
    return unexplained, not named & STATE_WORDS, not named & KIND_WORDS
