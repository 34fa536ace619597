"""Words as people and schemas use them: stems, stop words, everyday synonyms, abbreviations.

Index and search must treat words alike, so both take them from here. The lists are short and
general on purpose: what a business calls its own things belongs in semantic.yaml.
"""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path

from pipeline.text import singular, words
from pipeline.wordlists import (
    ABBREVIATIONS,
    IRREGULAR,
    STOP_WORDS,
    SYNONYMS,
    TRANSLATIONS,
)

_VOWEL = re.compile(r"[aeiouy]")
_CLOSED = re.compile(r"[^aeiou][aeiou][^aeiouywx]")


@cache
def stem(word: str) -> str:
    """Return what is left of a lower-case English word without its inflection.

    Lighter than Porter: only what keeps the word's meaning goes (plural, -ing, -ed, -ment).
    """
    if IRREGULAR.get(word) == word:
        return word
    word = IRREGULAR.get(word, word)
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    word = _one_of(word.removesuffix("'s"))
    for suffix in ("ing", "ed"):
        base = word.removesuffix(suffix)
        if base != word and len(base) >= 3 and _VOWEL.search(base) and not word.endswith("eed"):
            word = base + "e" if len(base) == 3 and _CLOSED.fullmatch(base) else base
            break
    base = word.removesuffix("ment")
    if base != word and (len(base) >= 4 or base == "pay"):
        word = base
    doubled = len(word) > 3 and word[-1] == word[-2]
    if doubled and (word[-1] not in "lsz" or (word[-1] == "l" and len(word) > 5)):
        word = word[:-1]
    if len(word) > 4 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def _one_of(word: str) -> str:
    return singular(word) if len(word) > 3 else word.removesuffix("s")


def stems(text: str) -> list[str]:
    """Return the stems of all words of an identifier or a sentence, in order."""
    return [stem(word) for word in words(text)]


def folded(text: str) -> str:
    """Return how values and phrases are compared: case, padding, punctuation and plural gone."""
    return " ".join(singular(w) for w in words(text))


SAME = 0.65
LEADS_TO = 0.5
"""How much of a word's weight a synonym keeps, and a word that it only leads to."""


@cache
def _synonym_table() -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for line in SYNONYMS.strip().splitlines():
        left, directed, right = line.partition(">")
        group = [stem(word) for word in left.split()]
        for word in group:
            meant = [stem(w) for w in right.split()] if directed else group
            share = LEADS_TO if directed else SAME
            for other in meant:
                known = table.setdefault(word, {})
                known[other] = max(known.get(other, 0.0), share)
    return table


@cache
def related(word: str) -> dict[str, float]:
    """Return stems that may stand for a word, and how well.

    They are synonyms, a doer's deed, and what an abbreviation means.
    """
    found = dict(_synonym_table().get(stem(word), {}))
    others = [stem(long) for long in spelled_out(word)]
    for suffix in ("er", "or", "ers", "ors"):
        base = word.removesuffix(suffix)
        if base != word and len(base) >= 3:
            others += [stem(base), stem(base + "e")]
    for other in others:
        found.setdefault(other, SAME)
    if not found:
        found = _family(stem(word))
    found.pop(stem(word), None)
    return found


def _family(deed: str) -> dict[str, float]:
    """Return stems of the doers and the outcome of a deed: supply → supplier, vendor; delivery."""
    known, others = _word_costs(), _synonym_table()
    found: dict[str, float] = {}
    for form in (f"{deed}er", f"{deed}or", f"{deed}{deed[-1:]}er", f"{deed}y"):
        if len(deed) > 2 and form in known:
            found[stem(form)] = LEADS_TO
            for other, share in others.get(stem(form), {}).items():
                found.setdefault(other, LEADS_TO * share)
    return found


_SHORT_PARTS = frozenset({"id", "no", "of", "to", "by", "is", "at", "on", "in", "qty", "cd", "nr"})
_LONGEST_PART = 16
_RARE = 9.5
"""Cost of an abbreviation; the rarest words cost 10."""
_OURS = 9.0
"""Cost of the words of the synonyms: they are words, whatever the tokenizer says."""
_COMMON = 8.3
"""Cost of the words that are among the 2,000 most frequent ones."""


@cache
def _word_costs() -> dict[str, float]:
    """Return the whole words of the tokenizer's vocabulary; common ones cost less.

    The vocabulary stands in order of frequency, so a word's cost is the logarithm of its rank.
    """
    path = Path(__file__).resolve().parent / "minilm" / "tokenizer.json"
    vocabulary: dict[str, int] = json.loads(path.read_bytes())["model"]["vocab"]
    costs = {
        word: math.log(rank + 2)
        for word, rank in vocabulary.items()
        if word.isascii() and word.isalpha() and len(word) > 2
    }
    short = {
        word: _RARE for word in [*ABBREVIATIONS, *TRANSLATIONS] if len(word) > 2
    } | dict.fromkeys(_SHORT_PARTS, 7.0)
    ours = filter(str.isalpha, SYNONYMS.split())
    return short | dict.fromkeys(ours, _OURS) | costs


def is_common(word: str) -> bool:
    """Whether a word is so common in English that it is hardly a short form of another."""
    return word in STOP_WORDS or _word_costs().get(word, _RARE) < _COMMON


@cache
def segments(word: str) -> tuple[str, ...]:
    """Return the words that a lower-case word is run together from: `listprice` → list, price.

    A word that is one, or isn't made of known words, comes back alone.
    """
    known = _word_costs()
    if len(word) < 6 or word in known or not word.isascii() or not word.isalpha():
        return (word,)
    best: list[tuple[float, tuple[str, ...]] | None] = [(0.0, ())]
    for end in range(1, len(word) + 1):
        ways = [
            (before[0] + known[part], (*before[1], part))
            for start in range(max(0, end - _LONGEST_PART), end)
            if (before := best[start]) is not None and (part := word[start:end]) in known
        ]
        best.append(min(ways) if ways else None)
    found = best[-1]
    return found[1] if found else (word,)


def spelled_out(word: str) -> list[str]:
    """Return the English words that an abbreviation, or a word of another language, stands for."""
    return (ABBREVIATIONS.get(word) or TRANSLATIONS.get(word) or "").split()


def split_words(identifier: str) -> list[str]:
    """Return the words of an identifier, those run together taken apart."""
    return [part for word in words(identifier) for part in segments(word)]


def expanded(identifier: str) -> list[str]:
    """Return an identifier's words with abbreviations spelled out after them."""
    found: dict[str, None] = {}
    for word in [
        w for whole in words(identifier) for w in dict.fromkeys((whole, *segments(whole)))
    ]:
        found[word] = None
        for long in spelled_out(word):
            if long not in STOP_WORDS:
                found[long] = None
    return list(found)
