"""Which tables to show: those that explain the question, what joins them, and what is near.

Greedy: the next table is the one that explains most of what the tables before it leave open and
ranks high; then the cheapest joins that hold them together; then the next best up to a handful.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pipeline.cards import TableCard
from pipeline.joins import JoinGraph, JoinTree
from schemas.models import Link
from serve.context import unsaid
from serve.context.ranking import Ranking, Schema, best_words

MOST_SEEDS = 7
CANDIDATES = 40
FEW = 5
"""Tables up to which near ones are added: what a question leaves unsaid is mostly next to it."""
FEW_DESCRIBED = 4
"""The same where people described most tables: there the ranking is surer."""
MANY = 7
"""Tables up to which those are added that rank nearly as high as the best."""
GUESSES = 4
"""Tables shown when no word of the question leads to any."""
MOST_TABLES = 12
"""Tables with all bridges."""

_OPEN = 0.09
"""Share of the question that a further table must explain."""
_FLOOR = 0.35
"""Score, of 1, that it must have."""
_PROOF = 0.75
"""Weight of a topic that stands in for it."""
_SAID = 0.7
"""Weight of a topic that lets a view stand for itself."""
_RANK = 0.8
"""Weight of the score beside what is explained."""
_ADJACENT = 0.15
"""What joining a table already chosen is worth."""
_TOPIC = 1.2
"""Weight of a topic beside a word."""
_SAME_TOPIC = 0.3
"""Share of a topic's weight for another table that holds the same value."""
_BRIDGE = 0.08
"""Share of the question that a table must explain for each bridge that it costs."""
_NEAR, _FAR = 0.45, 0.55
"""Scores that a table must have to be added as near one, with and without a join to the others."""
_CALLED = 0.85
"""Score from which a table whose whole name is said is shown, whatever else explains the words."""
_CLOSE = 0.85
"""Score from which a table is shown though there are a few: it is nearly as likely as the best."""
_BETWEEN = 0.15
"""What each further join to a chosen table adds to a near one's score."""

_REFERRED = 0.15
"""What being referred to by a chosen table adds: it says what that one's rows are about."""
_LINK = 0.3
"""Weight of a link's own cost beside the ranks of the tables it joins."""

_RANKS = 0.6
"""What a join through tables of rank 0 costs more than one through the best."""
_COPY = 1.0
"""What a join to a copy or an archive costs more: nothing leads through it."""
_STANDING = 0.5
"""What a join through the most central tables costs less."""

Role = Literal["asked", "person", "time", "place", "bridge", "near"]


@dataclass(frozen=True, slots=True)
class Selection:
    """The tables to show, most important first, and how they join."""

    tables: Mapping[str, Role]
    tree: JoinTree
    guessed: bool = False
    """No word of the question leads to these tables."""


def select(
    question: str,
    ranking: Ranking,
    cards: Mapping[str, TableCard],
    joins: JoinGraph,
    schema: Schema,
) -> Selection:
    """Choose tables for a question."""
    if not ranking.scores:
        return Selection({}, JoinTree((), (), (), ()))
    if not any(one.words or one.topics for one in ranking.evidence.values()):
        named = unsaid.persons(question, [], ranking, cards, joins)
        return _guessed(named, ranking, joins, schema)
    balance = _Balance(ranking, schema)
    joins = _weighted(joins, ranking, schema)
    seeds = _seeds(ranking, balance, schema)
    brought: dict[str, Role] = dict.fromkeys(_called(ranking, schema), "asked")
    brought.update(dict.fromkeys(unsaid.persons(question, seeds, ranking, cards, joins), "person"))
    if unsaid.speaks_of_time(question):
        brought.update(dict.fromkeys(unsaid.heads_with_time(seeds, cards), "time"))
    places = unsaid.destinations(question, seeds, joins)
    places += unsaid.addresses(seeds, cards, joins, schema)
    for table in unsaid.things(question, seeds, schema):
        brought.setdefault(table, "asked")
    for table in places:
        brought.setdefault(table, "place")
    wanted, tree = _connected(list(dict.fromkeys([*seeds, *brought])), brought, balance, joins)
    chosen: dict[str, Role] = {table: brought.get(table, "asked") for table in wanted}
    for table in tree.tables:
        chosen.setdefault(table, "bridge")
    for table in _near(ranking, list(chosen), schema):
        chosen[table] = "near"
    whole = joins.connect(list(chosen), at_most=MOST_TABLES)
    between = [table for table in whole.tables if table not in chosen]
    if len(between) == 1 and len(chosen) < MANY:
        chosen[between[0]] = "bridge"
    elif between:  # near tables are worth one bridge
        whole = tree
    return Selection(chosen, whole, guessed=not ranking.matched)


def _guessed(named: list[str], ranking: Ranking, joins: JoinGraph, schema: Schema) -> Selection:
    """Return the tables closest in meaning and most central: no word leads anywhere.

    First those that hold the names of persons, when the question names one.
    """
    scores = {
        table: score + _STANDING * schema.standing.get(table, 0.0)
        for table, score in ranking.scores.items()
        if table not in schema.views or len(schema.views) == len(schema.tables)
    }
    best = sorted(scores, key=lambda table: (-scores[table], table))
    best = list(dict.fromkeys([*named, *best]))[:GUESSES]
    return Selection(dict.fromkeys(best, "near"), joins.connect(best[:1]), guessed=True)


def _weighted(joins: JoinGraph, ranking: Ranking, schema: Schema) -> JoinGraph:
    """Return the joins around the best tables, cheaper where they lead through high ranks.

    Two tables often meet in several others; the one that the question also speaks of is meant.
    """
    scores = ranking.scores
    around = dict.fromkeys(list(scores)[:CANDIDATES])
    for table in list(around):
        around.update(dict.fromkeys(step.target for step in joins.neighbours(table)))
    links = {
        step.link.key: step.link
        for table in around
        for step in joins.neighbours(table)
        if step.target in around
    }

    def cost(link: Link) -> float:
        ends = (link.table, link.to_table)
        ranks = sum(scores.get(t, 0.0) for t in ends) / 2
        standing = sum(schema.standing.get(t, 0.0) for t in ends) / 2
        worth = _RANKS * (1 - ranks) - _STANDING * standing
        worth += _COPY * bool(schema.spare & set(ends))
        return round(max(_LINK * link.cost + worth, 0.01), 6)

    return JoinGraph(dataclasses.replace(link, cost=cost(link)) for link in links.values())


class _Balance:
    """What of the question is explained and what is open."""

    def __init__(self, ranking: Ranking, schema: Schema) -> None:
        self.evidence = ranking.evidence
        self.held: dict[str, int] = {}
        best: dict[str, float] = {}
        for table, one in ranking.evidence.items():
            for phrase, weight in one.topics.items():
                self.held[phrase] = self.held.get(phrase, 0) + (table not in schema.views)
                if phrase not in ranking.uncounted:
                    best[phrase] = max(best.get(phrase, 0.0), weight)
        words_total = sum(best_words(ranking.evidence.values()).values())
        self.total = words_total + _TOPIC * sum(best.values()) or 1.0

    def gain(self, table: str, chosen: Iterable[str], *, shared: bool = True) -> float:
        """Return the share of the question that `table` explains beyond `chosen`."""
        others = [self.evidence[t] for t in chosen]
        own = self.evidence[table]
        gain = sum(
            max(0.0, strength - max((o.words.get(number, 0.0) for o in others), default=0.0))
            for number, strength in own.words.items()
        )
        for phrase, weight in own.topics.items():
            before = max((o.topics.get(phrase, 0.0) for o in others), default=0.0)
            if weight > before:
                gain += _TOPIC * (weight - before)
            elif shared and weight >= 0.8 and self.held[phrase] <= 3:
                gain += _TOPIC * _SAME_TOPIC * weight
        return gain / self.total

    def named(self, table: str) -> bool:
        """Whether the question says the table's whole name, or what hardly another holds."""
        return self.evidence[table].name_fit >= 1 or self.proven(table)

    def only_here(self, table: str) -> bool:
        """Whether the question says something that views hold, and no table."""
        topics = self.evidence[table].topics
        return any(w >= _SAID and not self.held[phrase] for phrase, w in topics.items())

    def proven(self, table: str) -> bool:
        """Whether the question says something that this table holds, and at most one other."""
        topics = self.evidence[table].topics
        return any(w >= _PROOF and self.held[phrase] <= 2 for phrase, w in topics.items())


def _seeds(ranking: Ranking, balance: _Balance, schema: Schema) -> list[str]:
    """Return the tables that explain the question, in the order chosen.

    A view is a seed only when it ranks first of all, or the question speaks of what no table
    has: otherwise it repeats what its tables hold.
    """
    candidates = list(ranking.scores)[:CANDIDATES]
    candidates += [t for t in list(ranking.scores)[CANDIDATES:] if balance.proven(t)]
    only_views = len(schema.views) == len(schema.tables)
    chosen: list[str] = []
    while len(chosen) < MOST_SEEDS:
        best: tuple[float, int, str] | None = None
        joined = {n for table in chosen for n in schema.neighbours.get(table, ())}
        for place, table in enumerate(candidates):
            if table in chosen:
                continue
            repeats = table in schema.views and not only_views and not balance.only_here(table)
            if repeats and (place or chosen):
                continue
            gain, score = balance.gain(table, chosen), ranking.scores[table]
            if chosen and (gain < _OPEN or (score < _FLOOR and not balance.named(table))):
                continue
            worth = gain + _RANK * score + (_ADJACENT if table in joined else 0.0)
            if best is None or (worth, -place) > best[:2]:
                best = (worth, -place, table)
        if best is None:
            break
        chosen.append(best[2])
    return chosen


def _called(ranking: Ranking, schema: Schema) -> list[str]:
    """Return the tables that rank high and whose whole names the question says."""
    return [
        table
        for table, score in list(ranking.scores.items())[:CANDIDATES]
        if score >= _CALLED
        and ranking.evidence[table].name_fit >= 1
        and table not in schema.views
        and table not in schema.spare
    ]


def _connected(
    wanted: list[str], kept: Collection[str], balance: _Balance, joins: JoinGraph
) -> tuple[list[str], JoinTree]:
    """Join the tables; drop those that explain too little for the bridges they cost."""
    tree = joins.connect(wanted, at_most=MOST_TABLES)
    for table in reversed(wanted[1:]):
        if table in kept or len(tree.tables) <= len(wanted):
            continue
        rest = [t for t in wanted if t != table]
        without = joins.connect(rest, at_most=MOST_TABLES)
        saved = len(tree.tables) - len(without.tables) - 1
        least = _BRIDGE * (saved if saved > 1 else 0.5)
        if saved > 0 and balance.gain(table, rest, shared=False) < least:
            wanted, tree = rest, without
    return wanted, tree


def _near(ranking: Ranking, chosen: list[str], schema: Schema) -> list[str]:
    """Return the next best tables while there are few, first those between chosen ones."""
    found: list[str] = []
    candidates = list(ranking.scores)[:CANDIDATES]
    few = FEW_DESCRIBED if schema.described else FEW
    while len(chosen) + len(found) < MANY:
        least = _CLOSE if len(chosen) + len(found) >= few else 0.0
        best: tuple[float, int, str] | None = None
        for place, table in enumerate(candidates):
            if table in chosen or table in found:
                continue
            joined = sum(table in schema.neighbours.get(other, ()) for other in [*chosen, *found])
            score = ranking.scores[table]
            if score < max(least, _NEAR if joined else _FAR) or (least and table in schema.views):
                continue
            worth = score * (1 + _BETWEEN * max(0, joined - 1))
            worth += _REFERRED * (table in schema.referred.get(chosen[0], ()))
            if best is None or (worth, -place) > best[:2]:
                best = (worth, -place, table)
        if best is None:
            break
        found.append(best[2])
    return found


def given(tables: Iterable[str], joins: JoinGraph) -> Selection:
    """Return the selection of tables that the caller chose."""
    wanted = list(dict.fromkeys(tables))
    tree = joins.connect(wanted, at_most=max(MOST_TABLES, len(wanted)))
    chosen: dict[str, Role] = dict.fromkeys(wanted, "asked")
    for table in tree.tables:
        chosen.setdefault(table, "bridge")
    return Selection(chosen, tree)
