"""What a question leaves unsaid: who holds the names of persons, the dates, the addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pipeline.cards import TableCard
from pipeline.joins import JoinGraph
from pipeline.lexicon import stems
from pipeline.text import words
from pipeline.wordlists import WEAK_WORDS
from serve.context.ranking import Ranking, Schema

_PERSON_NAME = re.compile(
    r"([a-z]{1,3}_)?(first|frst|fst|last|lst|fore|sur|family|given|full|middle|contact|display)_?"
    r"(names?|nm)|[fl]_?(name|nm)",
    re.IGNORECASE,
)
_NAME_OF_PERSON = "name of a person"
"""How the profile begins to say why such a column is sensitive."""
_WHO = frozenset({"who", "whom", "whose", "name", "names", "named"})
_ROLES = (
    "employee|staff|worker|sales ?person|sales ?people|sales(wo)?m[ae]n|seller|agent|rep"
    "|representative|contact|buyer|manager|boss|customer|client|individual|applicant|candidate"
    "|colleague|member|patient|student|teacher|user|doctor|physician|nurse|surgeon|author|person"
    "|people|reviewer|owner|player|driver|guest|dealer|reseller"
)
_WHICH_PERSON = re.compile(
    r"\b(which|what|list|show|rank|each|per|every|by|top|of the|our)\b(\W+\w+){0,2}?"
    rf"\W+({_ROLES})s?\b"
    r"|\bsales ?(people|persons?|reps?)\b",
    re.IGNORECASE,
)
_ROLE = re.compile(rf"({_ROLES})s?", re.IGNORECASE)
_SPOKEN = 0.6
"""Share of the best table's strength from which a word for a role speaks of a table."""
_HOPS = 3
_UNTOLD = 2
"""Tables with names of persons that are shown when a name is all that a question says."""
_ASKED_WHO = re.compile(
    r"(?:^|[.?!;:,]\s*|\b(?:and|by|with|from|to|for|of)\s+)(?:who(?:m|se)?)\b(?!\s+(?:is|are|was|were)\s)",
    re.IGNORECASE,
)
"""`who` that asks, unlike that of `customers who ...`."""
_CAPITALISED = r"[A-ZÀ-ÖØ-Þ][^\W\d_]+"
_NAMES = re.compile(
    rf"{_CAPITALISED}(?:[- ][A-Z]\.?)?(?: {_CAPITALISED})+|{_CAPITALISED}(?=['’]s\b)"
)
"""Capitalised words in a row, or one whose something is."""

_TIME = re.compile(
    r"\b(19|20)\d\d\b|\b(when|year|month|quarter|week|day|date|dated|daily|monthly|yearly|annual"
    r"|today|yesterday|recent|latest|since|until|ago|history|over time"
    r"|january|february|march|april|june|july|august|september|october|november|december)s?\b",
    re.IGNORECASE,
)
_TIME_FAMILIES = frozenset({"date", "timestamp"})
_TIME_NAME = re.compile(r"(^|_)(date|time|on|at|utc|year|month|day)$|date$|time$", re.IGNORECASE)

_PLACES = frozenset(stems("country state province region city town"))
_ADDRESS = stems("address")[0]
_SENT = re.compile(
    r"\b(deliver|ship|send|sent|dispatch|destination|go(es)? to|went (out )?to|bill(ed|ing)"
    r"|invoiced|parcel|package|consignment|freight)\w*|\bto (which|what)\b",
    re.IGNORECASE,
)
_TO_PLACE = re.compile(r"\b(to|into|towards) (the )?[A-Z]\w+")
_WHAT = re.compile(
    r"\bwhat(?:['’]s| (?:is|are|was|were|has been|have been))(?: \w+)?(?: still| now| currently)? "
    r"(?:on|in|at|below|above|under|behind|out|left|lost|sold|bought|sent|kept|inside"
    r"|(?!(?:bill|invoic|charg|plann|call)ed)\w+(?:ed|ing))\b"
    r"|\bwhat(?: else)? (?:did|do|does|have|has|had|can|should)\b[^.?!;]{0,150}?\b"
    r"(?:buy|bought|order(?:ed)?|sell|sold|return(?:ed)?|send|sent|ship(?:ped)?|receive[d]?"
    r"|stock|purchased?|consist|contain|include)\b"
    r"|\bwhat sells\b|\b(?:which|what) (?:things|stuff|gear|pieces|ones)\b",
    re.IGNORECASE,
)
"""Asks for things without saying what they are called."""
_WHERE = re.compile(
    r"\b(where|wherein|whereto|countr(y|ies)|nations?|states?|provinces?|regions?|cit(y|ies)|towns?"
    r"|continents?|abroad|overseas|europe(an)?|places?)\b",
    re.IGNORECASE,
)


def persons(
    question: str,
    seeds: list[str],
    ranking: Ranking,
    cards: Mapping[str, TableCard],
    joins: JoinGraph,
) -> list[str]:
    """Return the tables with the names of the persons asked for, beyond the seeds.

    When the question names a person, or asks who does something to the persons that a seed holds,
    those next to the seeds are meant; else the nearest, when no seed has such names.
    """
    named = _names_someone(question, ranking)
    other = bool(_ASKED_WHO.search(question))
    if not (named or _WHO & set(words(question)) or _WHICH_PERSON.search(question)):
        return []
    if named and not seeds:
        return [table for table in ranking.scores if _holds_persons(cards[table])][:_UNTOLD]
    role = _role(ranking)
    known = [table for table in seeds if names_persons(cards[table])]
    if known and not named and not other and (not role or role & set(known)):
        return []
    found = _onward(seeds, 1 if known else _HOPS, cards, joins)
    if not found and not (known and ranking.matched):
        return _nearest_persons(seeds, cards, joins)
    near = [table for hops, _, table in found if named and hops == 1]
    found.sort(key=lambda entry: (entry[2] not in role, entry))
    if known and not named and not other:
        found = [entry for entry in found if entry[2] in role]
    return list(dict.fromkeys(near or [table for *_, table in found[:1]]))


def _role(ranking: Ranking) -> set[str]:
    """Return the tables that a word for a role, such as `rep`, speaks of."""
    numbers = {n for n, word in enumerate(ranking.asked) if _ROLE.fullmatch(word.word)}
    best = {n: max(e.words.get(n, 0.0) for e in ranking.evidence.values()) for n in numbers}
    return {
        table
        for table, one in ranking.evidence.items()
        if any(best[n] and one.words.get(n, 0.0) >= _SPOKEN * best[n] for n in numbers)
    }


def _onward(
    seeds: list[str], furthest: int, cards: Mapping[str, TableCard], joins: JoinGraph
) -> list[tuple[int, int, str]]:
    """Return the tables with names of persons that seeds refer to, with hops and turn."""
    found: list[tuple[int, int, str]] = []
    for turn, start in enumerate(seeds[:_HOPS]):
        seen, waiting = {start}, [(0, start)]
        while waiting:
            hops, table = waiting.pop(0)
            if table not in seeds and _holds_persons(cards[table]):
                found.append((hops, turn, table))
                continue
            if hops < furthest:
                for step in joins.neighbours(table):
                    if step.forward and step.target not in seen:  # to the one side only
                        seen.add(step.target)
                        waiting.append((hops + 1, step.target))
    return sorted(found)


def _nearest_persons(
    seeds: list[str], cards: Mapping[str, TableCard], joins: JoinGraph
) -> list[str]:
    """Return the table with names of persons that fewest joins of any direction lead to."""
    seen, waiting = set(seeds), list(seeds)
    for _ in range(_HOPS):
        reached = [step.target for table in waiting for step in joins.neighbours(table)]
        waiting = [table for table in dict.fromkeys(reached) if table not in seen]
        found = [table for table in waiting if _holds_persons(cards[table])]
        if found:
            return found[:1]
        seen |= set(waiting)
    return []


def _names_someone(question: str, ranking: Ranking) -> bool:
    """Whether the question says what reads as a person's name: no stored value, no known word."""
    known = {number for one in ranking.evidence.values() for number in one.words}
    asked = {word.word for word in ranking.asked}
    unknown = {word.word for number, word in enumerate(ranking.asked) if number not in known}
    for match in _NAMES.finditer(question):
        said = words(match[0])
        if match.start() == 0 and said[0] not in asked:
            said = said[1:]
        if said and not WEAK_WORDS & set(said) and unknown.issuperset(said):
            return True
    return False


def _holds_persons(card: TableCard) -> bool:
    return "view" not in card.table.kind and names_persons(card)


def names_persons(card: TableCard) -> bool:
    """Whether a table has a column for the names of persons."""
    return any(
        _PERSON_NAME.fullmatch(column.name)
        or (column.profile.sensitive_why or "").startswith(_NAME_OF_PERSON)
        for column in card.columns
    )


def destinations(question: str, seeds: list[str], joins: JoinGraph) -> list[str]:
    """Return the addresses that seeds refer to, and the places of these that the question says.

    Only when it asks where something is sent: then the seller's own territories aren't meant.
    """
    to_place = _TO_PLACE.search(question)
    if not (to_place or _WHERE.search(question)) or not _SENT.search(question):
        return []
    said = set(stems(question))
    above = [s.target for seed in seeds for s in joins.neighbours(seed) if s.forward and to_place]
    for seed in dict.fromkeys([*seeds, *above]):
        homes = [
            step.target
            for step in joins.neighbours(seed)
            if step.forward and stems(step.target)[-1:] == [_ADDRESS]
        ]
        if homes:
            return [homes[0], *_places_of(homes[0], said & _PLACES, joins)]
    return []


def _places_of(address: str, said: set[str], joins: JoinGraph) -> list[str]:
    """Return the tables from an address to the nearest that is called as a place that is said."""
    ways = [[address]]
    for _ in range(2):
        ways = [
            [*way, step.target]
            for way in ways
            for step in joins.neighbours(way[-1])
            if step.forward and step.target not in way
        ]
        for way in ways:
            if said & set(stems(way[-1])):
                return way[1:]
    return []


def things(question: str, seeds: list[str], schema: Schema) -> list[str]:
    """Return the table of goods when the question asks what, without a name for it.

    Seeds must refer to it: themselves, or by their lines.
    """
    goods = schema.goods
    if not goods or goods in seeds or not _WHAT.search(question):
        return []
    holders = [table for table, others in schema.referred.items() if goods in others]
    reached = {seed for table in holders for seed in (table, *schema.referred[table])}
    return [goods] if reached & set(seeds) else []


def addresses(
    seeds: list[str], cards: Mapping[str, TableCard], joins: JoinGraph, schema: Schema
) -> list[str]:
    """Return the addresses by which other seeds are in a place that is a seed.

    A country has many roles; that of the address is meant unless the question says another.
    """
    others = [seed for seed in seeds if stems(seed)[-1:] and stems(seed)[-1] not in _PLACES]
    found: dict[str, None] = {}
    for place in seeds:
        if place in others or place not in cards:
            continue
        for step in joins.neighbours(place):
            table = step.target
            is_address = not step.forward and stems(table)[-1:] == [_ADDRESS]
            near = schema.neighbours.get(table, ())
            if is_address and table not in schema.views and any(seed in near for seed in others):
                found.setdefault(table)
    return [table for table in found if table not in seeds]


def heads_with_time(seeds: list[str], cards: Mapping[str, TableCard]) -> list[str]:
    """Return the tables that date the rows of seeds that have no time of their own.

    A line of an order is dated by the order: its key is part of the line's.
    """
    found: dict[str, None] = {}
    for table in seeds:
        card = cards[table]
        if card.table.primary_key is None or tells_time(card):
            continue
        key = set(card.table.primary_key.columns)
        for link in card.links:
            other = cards.get(link.to_table)
            if link.table == table and other and set(link.columns) < key and tells_time(other):
                found.setdefault(other.name)
    return [table for table in found if table not in seeds]


def speaks_of_time(question: str) -> bool:
    """Whether a question says when."""
    return bool(_TIME.search(question))


def tells_time(card: TableCard) -> bool:
    """Whether a table has a date or time that is no bookkeeping."""
    return any(
        not column.housekeeping
        and (
            column.column.family in _TIME_FAMILIES
            or column.profile.has_dates_as_text
            or _TIME_NAME.search(column.name)
        )
        for column in card.columns
    )
