"""A kind of sensitive data and the phrases that speak of it.

A phrase stands at the end of a name (`billing email`), but for tails that don't change what is
stored (`email address 2`). Languages that put the head first (`telefono movil`) have lists of
their own, whose phrases may be followed by anything but a word of measure (`telefono tipo`).
"""

from __future__ import annotations

from dataclasses import dataclass

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of sensitive data."""

    title: str
    """How the reason names it."""
    not_in: frozenset[str]
    """Type families that can't hold it."""
    tail: tuple[Phrase, ...] = ()
    """Phrases of head-last languages (English, German, Dutch, Nordic, Turkish, …)."""
    head: tuple[Phrase, ...] = ()
    """Phrases of head-first languages (French, Spanish, Portuguese, Italian, …)."""
    in_person_table: tuple[Phrase, ...] = ()
    """Whole names that are sensitive only in a table of persons."""
    tail_words: frozenset[str] = frozenset()
    """More words that may follow."""


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is written as text."""
    return frozenset(text.split())


def phrases(text: str) -> tuple[Phrase, ...]:
    """Return the phrases of a list that is written as text, with commas between them."""
    return tuple(tuple(part) for phrase in text.split(",") if (part := phrase.split()))


_WRITTEN_OUT = {
    **dict.fromkeys(("no", "nr", "num", "nbr", "nro", "nmbr", "numb"), "number"),
    **dict.fromkeys(("nm", "nam"), "name"),
    **dict.fromkeys(("acct", "acc", "accnt", "acnt"), "account"),
    **dict.fromkeys(("addr", "adr", "addrs"), "address"),
    **dict.fromkeys(("dt", "dte", "dat", "datum"), "date"),
    **dict.fromkeys(("ph", "phn", "fon", "fone"), "phone"),
    **dict.fromkeys(("frst", "fst"), "first"),
    "lst": "last",
    "ln": "line",
    "mid": "middle",
    **dict.fromkeys(("init", "initials"), "initial"),
    **dict.fromkeys(("sal", "slry"), "salary"),
    **dict.fromkeys(("annl", "yrly"), "annual"),
    **dict.fromkeys(("lic", "lcns", "licence"), "license"),
    **dict.fromkeys(("plt",), "plate"),
    **dict.fromkeys(("str", "strt"), "street"),
    **dict.fromkeys(("hse", "hs"), "house"),
    **dict.fromkeys(("pstl",), "postal"),
    **dict.fromkeys(("mob", "mbl"), "mobile"),
    "ins": "insurance",
    "reg": "registration",
    "inj": "injury",
    "disab": "disability",
    "desc": "description",
    **dict.fromkeys(("ans", "answ"), "answer"),
    **dict.fromkeys(("eml", "mail"), "email"),
}
"""Short forms that a phrase of several words may be written with: `acct_nbr`, `geb_dt`."""


def written_out(phrase: Phrase) -> Phrase:
    """Return a phrase of several words without the short forms of those words."""
    return tuple(_WRITTEN_OUT.get(w, w) for w in phrase) if len(phrase) > 1 else phrase


NUMBERS = words("integer decimal float")
TIMES = words("date time timestamp interval")
NOT_TEXT = NUMBERS | TIMES | {"boolean", "binary"}
