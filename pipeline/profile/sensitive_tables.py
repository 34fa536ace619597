"""What a table's name says of its rows, and names taken apart into words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from pipeline.profile import words_context as context
from pipeline.profile.kinds import words as word_set
from pipeline.profile.sensitive_words import run_together, skeleton, skeletons, vocabulary
from pipeline.profile.words_tables import IN_TABLES
from pipeline.text import singular, words

_ORDER_WORDS = word_set("with by per for of and mit nach con por avec par")
_PREFIXES = word_set(
    """v vw view dim fact fct stg staging tbl t tb raw src mst ref vista tabla base all my tab
    tabelle k"""
)
_SUFFIXES = word_set(
    """table tbl data info information detail details history hist archive archived bak backup old
    new temp tmp master mst list record records profile profiles raw view all current snapshot v
    entity field fields ext extended extra meta metadata registry register directory lookup export
    import row rows mstr datos dados cadastro fiche daten stamm stammdaten base dim account
    accounts liste tabelle"""
)
_NOUNS = context.PERSONS | context.PLACES | context.THINGS | context.CATALOGUES
"""Plurals of other languages among them."""
_ONE_WORD = word_set(
    """automobile automobiles headphone headphones earphone earphones microphone microphones
    megaphone saxophone xylophone vibraphone gramophone smartphone smartphones pushpin pushpins
    hairpin linchpin crankpin kingpin locale locales postmark birthmark"""
)
"""Words of the language that only look put together."""
_NO_PARTS = word_set("ename vname nname sname gname cname str")
"""Of longer words: `localename` is the name of a locale."""
_SUBJECTS = frozenset(word for _, subjects, _ in IN_TABLES for word in subjects)
_WHOLE = (
    _NOUNS
    | _ONE_WORD
    | _SUBJECTS
    | _PREFIXES
    | _SUFFIXES
    | context.STREETS
    | context.ORGANISATIONS
    | context.MOVES
    | context.VEHICLES
)
"""Words that stay whole though parts of them are known as well."""
_LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i"})
"""Letters that no accent can be taken from."""
_NUMBERED = re.compile(r"([a-z]{3,})(\d)")
"""`zip5`"""
_SHORT_PERSONS = {
    "ptnt": "patient",
    "grdn": "guardian",
    "ownr": "owner",
    "witn": "witness",
    "wtns": "witness",
    "phys": "physician",
    "clmnt": "claimant",
    "stdnt": "student",
    "cstmr": "customer",
    "psgr": "passenger",
    "psngr": "passenger",
    "mbr": "member",
    "mmbr": "member",
    "tchr": "teacher",
    "drvr": "driver",
    "bnfcry": "beneficiary",
    "dpndt": "dependent",
    "aplcnt": "applicant",
    "emplye": "employee",
    "bfcy": "beneficiary",
}
"""Persons as old systems write them."""
_CUSTOMERS = frozenset({("cli",), ("kd",), ("ma",), ("mitarb",), ("klt",)})
"""Whole names of tables of persons: Portuguese and French clients, German customers and staff."""
_SHORT = 2
_LEAST_COMPOUND = 6
"""Nothing that is shorter comes apart safely."""
_MOST_COMPOUND = 64
"""Letters; what is longer is no name, and would take long to divide."""
_LEAST_PART = 4
"""Of one part at least: `export` is no `exp ort`."""


@dataclass(frozen=True, slots=True)
class TableContext:
    """What a table's name says about its rows."""

    own: tuple[str, ...]
    """Words of its own name, in order."""
    all: frozenset[str]
    """All words, plural and singular."""
    is_person: bool
    is_place: bool

    def speaks_of(self, named: frozenset[str]) -> bool:
        """Return whether one of its words is among `named`."""
        return not self.all.isdisjoint(named)


@lru_cache(maxsize=8192)
def column_words(name: str) -> tuple[str, ...]:
    """Return a name's words without accents; `emailaddress` comes apart."""
    split: list[str] = []
    for word in words(without_accents(name)):
        split.extend(_apart(word))
    return tuple(split)


@lru_cache(maxsize=8192)
def table_context(table: str) -> TableContext:
    """Return what a table's name says about its rows."""
    own = _own_words(table)
    found = frozenset(part for word in column_words(table) for part in _unmarked(word))
    every = found | {singular(word) for word in found}
    head, first = (own[-1], own[0]) if own else ("", "")
    is_other = head in context.PERSONS or head in context.BANKS  # accounts at a bank
    is_place = head in context.PLACES or (not is_other and first in context.PLACES)
    head_first = len(own) > 1 and first in context.HEAD_FIRST_PERSONS
    return TableContext(
        own=own,
        all=every,
        is_person=own in _CUSTOMERS
        or (head in context.PERSONS and not _is_program(head, every))
        or (head_first and every.isdisjoint(context.THINGS)),
        is_place=is_place and every.isdisjoint(context.PERSONS | context.MOVES),
    )


def _is_program(head: str, every: frozenset[str]) -> bool:
    """Whether it is programs that are called so: `oauth_clients`, `build_agents`."""
    return head in context.ROLES_OF_THINGS and not every.isdisjoint(context.OF_PROGRAMS)


def is_short_for(short: str, word: str) -> bool:
    """Whether `short` begins like `word` and has only letters of it, in order."""
    letters = iter(word)
    return short[:1] == word[:1] and all(letter in letters for letter in short)


def without_accents(text: str) -> str:
    """Return a text in plain letters where it has accents."""
    decomposed = unicodedata.normalize("NFKD", text).translate(_LETTERS)
    return unicodedata.normalize(
        "NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f")
    )


def _own_words(table: str) -> tuple[str, ...]:
    """Return the words of a table's own name: no schema, no `tbl_`, nothing after `with`."""
    own = re.split(r"__|\.", without_accents(table))[-1]
    found = [
        part if part in _NOUNS else singular(part)
        for word in column_words(own)
        for part in _unmarked(word)
        if not part.isdigit()
    ]
    for position, word in enumerate(found):
        if position and word in _ORDER_WORDS:
            found = found[:position]
            break
    while len(found) > 1 and found[0] in _PREFIXES:
        found = found[1:]
    while len(found) > 1 and found[-1] in _SUFFIXES:
        found = found[:-1]
    return tuple(found)


def _unmarked(word: str) -> tuple[str, ...]:
    """Return a word without the `v` of a view that is written without gaps: `vsalesperson`."""
    if word[:1] != "v" or word in _WHOLE or word in vocabulary():
        return (word,)
    rest = word.removeprefix("vw") if word.startswith("vw") else word[1:]
    found = _apart(rest)
    return found if len(found) > 1 or singular(rest) in _WHOLE else (word,)


def _as_short(word: str) -> tuple[str, ...] | None:
    """Return what a word stands for that has no vowels (`psprt`), or a number after it."""
    known = vocabulary()
    if word in _SHORT_PERSONS:
        return (_SHORT_PERSONS[word],)
    if word in known or word in _WHOLE:
        return None
    american = word.replace("isation", "ization")
    if american != word and american in known:
        return (american,)
    numbered = _NUMBERED.fullmatch(word)
    if numbered is not None and numbered[1] in known:
        return (numbered[1], numbered[2])
    return (skeletons().get(word, word),) if word == skeleton(word) else None


@cache
def _apart(word: str) -> tuple[str, ...]:
    """Split a word that is nothing but known words put together; else it stays whole."""
    known, phrases = vocabulary(), run_together()
    short = _as_short(word)
    if short is not None:
        return short
    if word in known or word in _WHOLE or not word.isalpha():
        return (word,)
    if not _LEAST_COMPOUND <= len(word) <= _MOST_COMPOUND:
        return (word,)
    best: list[tuple[str, ...] | None] = [(), *([None] * len(word))]
    for end in range(1, len(word) + 1):
        for start in range(end - 1, -1, -1):
            part, before = word[start:end], best[start]
            if before is None or (part not in known and part not in phrases):
                continue
            if part in _NO_PARTS or (len(part) <= _SHORT and end < len(word)):
                continue
            current = best[end]
            if current is None or len(before) + 1 < len(current):
                best[end] = (*before, part)
    parts = best[-1] or (word,)
    if not any(len(part) >= _LEAST_PART for part in parts):
        return (word,)
    return tuple(own for part in parts for own in phrases.get(part, (part,)))
