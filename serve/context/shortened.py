"""Words of the question that the schema never spells out, but may have shortened.

`patients` stands as PAT, `staff` as STF, `shift` as SHFT. A name is taken for a word's short form
when the word begins with it, or its consonants do, and the schema spells the word nowhere.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence

from pipeline.lexicon import SAME, is_common
from serve.context.ranking import QueryWord
from serve.knowledge import SearchIndex

_LEAST, _MOST = 3, 6
"""Letters of a short form."""
_SHORT = 0.6
"""How much of a word's weight its short form keeps, when all its letters are there."""
_VOWELS = re.compile(r"(?<=.)[aeiouy]")
_DOUBLED = re.compile(r"(.)\1")


def short_names(index: SearchIndex) -> frozenset[str]:
    """Return the words in names of tables and columns that may be short forms."""
    rows = index.db.execute(
        "SELECT DISTINCT stem FROM word WHERE field IN ('name', 'column') "
        "AND length(stem) BETWEEN ? AND ?",
        (_LEAST, _MOST),
    )
    return frozenset(name for (name,) in rows if name.isalpha() and not is_common(name))


def with_short_forms(
    asked: Sequence[QueryWord], spelled: Iterable[str], names: frozenset[str]
) -> tuple[QueryWord, ...]:
    """Return the words with the short forms that may stand for those not in `spelled`."""
    known = set(spelled)
    found = []
    for word in asked:
        if any(key in known for key, share in word.stems.items() if share >= SAME):
            found.append(word)
            continue
        short: dict[str, float] = {}
        for spelling, share in ((word.word, 1.0), *word.stems.items()):
            for name in names:
                if name not in word.stems and _shortens(name, spelling):
                    short[name] = max(short.get(name, 0.0), round(_SHORT * share, 4))
        found.append(dataclasses.replace(word, stems={**word.stems, **short}))
    return tuple(found)


def _shortens(name: str, word: str) -> bool:
    """Whether a name is the beginning of a word, or of its consonants after the first letter."""
    if len(word) <= len(name) or name[0] != word[0]:
        return False
    if word.startswith(name):
        return True
    bare = _DOUBLED.sub(r"\1", name)
    consonants = _VOWELS.sub("", _DOUBLED.sub(r"\1", word))
    return (
        len(bare) >= _LEAST
        and consonants.startswith(_VOWELS.sub("", bare))
        and (len(_VOWELS.sub("", bare)) >= _LEAST)
    )
