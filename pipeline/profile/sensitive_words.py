"""All kinds of sensitive data, and every word that a name without gaps may be split into."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from pipeline.profile import nouns
from pipeline.profile.kinds import Kind, Phrase
from pipeline.profile.words_contact import CONTACT
from pipeline.profile.words_context import ORGANISATIONS, PARTS, PERSONS, PLACES, THINGS
from pipeline.profile.words_identity import IDENTITY
from pipeline.profile.words_secret import SECRETS
from pipeline.profile.words_special import SPECIAL

_ORDER = (
    "name of a person",
    "e-mail address",
    "phone number",
    "date or place of birth",
    "national or tax identity number",
    "street or postal address",
)
_ALL = (*IDENTITY, *CONTACT, *SECRETS, *SPECIAL)
KINDS: tuple[Kind, ...] = (
    *(kind for title in _ORDER for kind in _ALL if kind.title == title),
    *(kind for kind in _ALL if kind.title not in _ORDER),
)
"""The first that fits gives the reason."""


_LEAST_RUN = 6
"""Letters of a phrase without gaps; shorter ones are words by chance."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One phrase of one kind."""

    rank: int
    """Position of its kind in `KINDS`."""
    kind: Kind
    phrase: Phrase
    is_head: bool
    """Whether the phrase comes first in a name, as in Romance languages."""


@cache
def rules() -> Mapping[str, tuple[Rule, ...]]:
    """Return the phrases that count anywhere, by their first word."""
    found: dict[str, list[Rule]] = defaultdict(list)
    for rank, kind in enumerate(KINDS):
        for phrases, is_head in ((kind.tail, False), (kind.head, True)):
            for phrase in phrases:
                found[phrase[0]].append(Rule(rank, kind, phrase, is_head))
    return {word: tuple(of_word) for word, of_word in found.items()}


@cache
def person_rules() -> Mapping[Phrase, tuple[Rule, ...]]:
    """Return the names that count only where a row is a person, by all of their words."""
    found: dict[Phrase, list[Rule]] = defaultdict(list)
    for rank, kind in enumerate(KINDS):
        for phrase in kind.in_person_table:
            found[phrase].append(Rule(rank, kind, phrase, is_head=False))
    return {phrase: tuple(of_phrase) for phrase, of_phrase in found.items()}


@cache
def run_together() -> Mapping[str, Phrase]:
    """Return the phrases of several words by what they are without gaps: `dateofbirth`."""
    written = (p for kind in KINDS for p in (*kind.tail, *kind.head, *kind.in_person_table))
    return {
        word: phrase
        for phrase in written
        if len(phrase) > 1 and len(word := "".join(phrase)) >= _LEAST_RUN and word.isalpha()
    }


@cache
def vocabulary() -> frozenset[str]:
    """Return every word that a name written without gaps (`emailaddress`) may be split into."""
    known = set(PERSONS) | PARTS | THINGS | PLACES | ORGANISATIONS
    known |= {w for w in nouns.NEUTRAL | nouns.MEASURES if len(w) > 2}
    known |= {f"{word}s" for word in PERSONS if len(word) > 3}
    known |= {
        "with",
        "addresses",
        "no",
        "nr",
        "id",
        "ip",
        "is",
        "of",
        "last",
        "first",
        "business",
        "company",
        "product",
    }
    for kind in KINDS:
        for phrase in (*kind.tail, *kind.head, *kind.in_person_table):
            known.update(word for word in phrase if len(word) > 2)  # shorter ones split anything
    return frozenset(known)
