"""All kinds of sensitive data, and every word that a name without gaps may be split into."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pipeline.profile import nouns
from pipeline.profile.kinds import Kind, Phrase, written_out
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


_AS_WRITTEN = frozenset({("personal", "number")})
"""Phrases whose short forms mean something else: a `Personalnr` is any number of an employee's."""
_VOWELS = frozenset("aeiouy")
_LEAST_WRITTEN = 6
_LEAST_SKELETON = 4
"""Letters of a word and of its short form; what is shorter stands for too many."""
_SAME_BEGIN = 3
"""Letters: `passport` and `passeport` are one word."""
_LEAST_PLURAL = 5
"""`pays` is no plural."""
_LEAST_JOINED = 10
"""Letters; shorter words meet by chance."""
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
def rules_written_out() -> Mapping[str, tuple[Rule, ...]]:
    """Return the phrases of several words without short forms, by their first word.

    One that begins with `number` isn't among them: a `no` or `num` there may count or deny.
    """
    found: dict[str, dict[Phrase, Rule]] = defaultdict(dict)
    for of_word in rules().values():
        for rule in of_word:
            plain = written_out(rule.phrase)
            if len(plain) > 1 and plain[0] != "number" and plain not in _AS_WRITTEN:
                found[plain[0]].setdefault(plain, replace(rule, phrase=plain))
    return {word: tuple(of_one.values()) for word, of_one in found.items()}


@cache
def person_rules() -> Mapping[Phrase, tuple[Rule, ...]]:
    """Return the names that count only where a row is a person, by all of their words."""
    found: dict[Phrase, list[Rule]] = defaultdict(list)
    for rank, kind in enumerate(KINDS):
        for phrase in kind.in_person_table:
            rule = Rule(rank, kind, phrase, is_head=False)
            found[phrase].append(rule)
            if (plain := written_out(phrase)) != phrase and plain not in _AS_WRITTEN:
                found[plain].append(rule)
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


@cache
def skeletons() -> Mapping[str, str]:
    """Return words by what is left without vowels, where it stands for one: `psprt`, `cntct`."""
    known = vocabulary()
    found: dict[str, set[str]] = defaultdict(set)
    for word in known:
        if len(word) >= _LEAST_WRITTEN and word.isascii() and not word.endswith("s"):
            found[skeleton(word)].add(word)
    return {
        short: min(of_one, key=lambda word: (len(word), word))
        for short, of_one in found.items()
        if len({word[:_SAME_BEGIN] for word in of_one}) == 1
        and len(short) >= _LEAST_SKELETON
        and short not in known
    }


def skeleton(word: str) -> str:
    """Return a word's first letter and its consonants, doubled ones once."""
    kept = word[:1] + "".join(letter for letter in word[1:] if letter not in _VOWELS)
    return "".join(a for a, b in zip(kept, f"{kept[1:]} ", strict=True) if a != b)


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase that stands in a name."""

    rule: Rule
    start: int
    is_plural: bool


def phrases_in(found: Phrase) -> Iterator[Hit]:
    """Yield the phrases that stand somewhere in a name."""
    return _matches(found, rules())


def short_phrases_in(found: Phrase) -> Iterator[Hit]:
    """Yield those of several words that stand there with short forms of them."""
    return _matches(written_out(found), rules_written_out())


def joined_words(found: Phrase) -> Phrase | None:
    """Return a name with two words as one that is a phrase: `kirchensteuer_merkmal`."""
    for at in range(len(found) - 1):
        word = found[at] + found[at + 1]
        if len(word) >= _LEAST_JOINED and any(len(r.phrase) == 1 for r in rules().get(word, ())):
            return (*found[:at], word, *found[at + 2 :])
    return None


def _matches(found: Phrase, known: Mapping[str, Sequence[Rule]]) -> Iterator[Hit]:
    forms = tuple(map(_forms, found))
    for start, of_word in enumerate(forms):
        rest = forms[start:]
        for form in of_word:
            for rule in known.get(form, ()):
                phrase = rule.phrase
                size = len(phrase)
                if size > len(rest) or (size > 1 and phrase[1] not in rest[1]):
                    continue
                if size < 3 or all(w in same for w, same in zip(phrase, rest, strict=False)):
                    yield Hit(rule, start, is_plural=phrase[-1] != found[start + size - 1])


def _forms(word: str) -> tuple[str, ...]:
    is_plural = len(word) >= _LEAST_PLURAL and word[-1] == "s"
    return (word, word[:-1]) if is_plural else (word,)
