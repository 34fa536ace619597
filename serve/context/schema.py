"""What ranking and selection need to know of the tables, once per build."""

from __future__ import annotations

import math
from weakref import WeakKeyDictionary

from pipeline.text import words
from serve.context.ranking import Schema
from serve.context.shortened import short_names
from serve.context.trade import Trade, trade_of
from serve.knowledge import Facts, SearchIndex

_SPARE = frozenset(
    words("bak backup bkp copy old archive archived arc tmp temp obsolete deprecated unused mig")
)

_traded: WeakKeyDictionary[Facts, Trade] = WeakKeyDictionary()
_known: WeakKeyDictionary[Facts, Schema] = WeakKeyDictionary()


def schema_of(facts: Facts, index: SearchIndex) -> Schema:
    """Return the schema of the tables that are shown."""
    known = _known.get(facts)
    if known is None:
        known = _known[facts] = _schema(facts, index)
    return known


def trade_in(facts: Facts, index: SearchIndex) -> Trade:
    """Return the documents of trade among the tables that are shown."""
    known = _traded.get(facts)
    if known is None:
        known = _traded[facts] = trade_of(facts.cards, _prefixes(index))
    return known


def _schema(facts: Facts, index: SearchIndex) -> Schema:
    neighbours, referred = {}, {}
    for table in facts.cards:
        steps = [step for step in facts.joins.neighbours(table) if step.target != table]
        neighbours[table] = tuple(dict.fromkeys(step.target for step in steps))
        referred[table] = tuple(dict.fromkeys(step.target for step in steps if step.forward))
    described = sum(1 for card in facts.cards.values() if card.description_origin == "human")
    return Schema(
        tables=tuple(facts.cards),
        views=frozenset(t for t, card in facts.cards.items() if "view" in card.table.kind),
        neighbours=neighbours,
        referred=referred,
        standing=_standings(facts, index),
        described=2 * described > len(facts.cards),
        short_names=short_names(index),
        spare=frozenset(t for t in facts.cards if _SPARE & set(words(t))),
        goods=trade_in(facts, index).goods,
    )


def _prefixes(index: SearchIndex) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for key, table in index.db.execute("SELECT stem, \"table\" FROM word WHERE field = 'prefix'"):
        found.setdefault(table, set()).add(key)
    return {table: frozenset(keys) for table, keys in found.items()}


def _standings(facts: Facts, index: SearchIndex) -> dict[str, float]:
    """Return how central each table is: half by its rows, half by what people's items use."""
    places = index.chunks
    uses = dict.fromkeys(facts.cards, 0)
    for kind, tables in zip(places.kinds, places.tables, strict=True):
        for table in tables if kind not in {"table", "column", "entity"} else ():
            if table in uses:
                uses[table] += 1
    rows = {t: card.profile.rows or 0 for t, card in facts.cards.items()}
    most_used = math.log1p(max(uses.values(), default=0)) or 1.0
    most_rows = math.log1p(max(rows.values(), default=0)) or 1.0
    return {
        t: (math.log1p(uses[t]) / most_used + math.log1p(rows[t]) / most_rows) / 2 for t in uses
    }
