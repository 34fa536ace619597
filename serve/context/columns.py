"""Which columns of a chosen table to show in full, and in which order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.cards import ColumnCard, TableCard
from schemas.models import Link
from serve.context.joining import joined_columns
from serve.context.ranking import Ranking
from serve.context.selection import Selection
from serve.knowledge import Facts
from serve.values import ValueMatch

_MOST = {"asked": 14, "person": 6, "time": 6, "place": 6, "bridge": 6, "near": 7}
"""Columns shown in full, at most, by the role of their table."""
_JOINED = 0.25
_KEY = 0.1
_CODES = 0.15
_LIST = 0.12
_LABEL = 0.12
_MEASURE = 0.06
_DESCRIBED = 0.02
"""What makes a column worth showing whatever the question; words of the question give up to 1."""
_SHORT = 20
"""Values of a column that is likely a code."""
_MEASURES = frozenset({"date", "timestamp", "decimal", "float"})
_AMOUNT = re.compile(
    r"(amount|amt|total|price|cost|quantity|qty|cents|balance|status|date|_on|_at|_utc)$",
    re.IGNORECASE,
)
"""Names of what is summed, filtered by or dated."""
_LABELS = ("name", "title", "description")


def columns_to_show(
    facts: Facts,
    ranking: Ranking,
    selection: Selection,
    matches: Sequence[ValueMatch],
    links: Sequence[Link],
) -> dict[str, list[ColumnCard]]:
    """Return the columns of each chosen table, most relevant first; all that `links` join by."""
    joined = joined_columns(links)
    meant: dict[tuple[str, str], float] = {}
    for match in matches:
        place = (match.table, match.column)
        meant[place] = max(meant.get(place, 0.0), match.weight)
    found = {}
    for table, role in selection.tables.items():
        card = facts.cards[table]
        said = ranking.evidence[table].columns
        scored = []
        for place_of, item in enumerate(card.columns):
            told = said.get(item.name, 0.0) + meant.get((table, item.name), 0.0)
            joins = (table, item.name) in joined
            if item.housekeeping and not told and not joins:
                continue
            score = told + _JOINED * joins + _always(card, item)
            scored.append((-score, place_of, item))
        scored.sort(key=lambda entry: entry[:2])
        worth = [item for score, _, item in scored if score] or [item for *_, item in scored]
        most = _MOST[role]
        found[table] = worth[:most]
        found[table] += [item for item in worth[most:] if (table, item.name) in joined]
    return found


def telling(card: TableCard) -> list[ColumnCard]:
    """Return the columns that aren't bookkeeping, in their own order."""
    return [item for item in card.columns if not item.housekeeping]


def is_measure(item: ColumnCard) -> bool:
    """Whether a column holds dates or amounts, also dates that are kept as text."""
    return item.column.family in _MEASURES or item.profile.has_dates_as_text


def _always(card: TableCard, item: ColumnCard) -> float:
    """Return what makes a column worth showing whatever the question."""
    key = card.table.primary_key
    return (
        _KEY * bool(key and item.name in key.columns)
        + _CODES * any(code.meaning for code in item.codes)
        + _LIST * (item.codes_complete and 1 < len(item.codes) <= _SHORT)
        + _LABEL * item.name.casefold().endswith(_LABELS)
        + _MEASURE * (is_measure(item) or bool(_AMOUNT.search(item.name)))
        + _DESCRIBED * bool(item.description)
    )
