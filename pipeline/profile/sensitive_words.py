"""All kinds of sensitive data, and every word that a name without gaps may be split into."""

from __future__ import annotations

from functools import cache

from pipeline.profile.nouns import MEASURES, NEUTRAL, PERSONS
from pipeline.profile.words_identity import IDENTITY
from pipeline.profile.words_secret import SECRETS

KINDS = (*IDENTITY, *SECRETS)


@cache
def vocabulary() -> frozenset[str]:
    """Return every word that a name written without gaps (`emailaddress`) may be split into."""
    known = set(PERSONS) | {w for w in NEUTRAL | MEASURES if len(w) > 2}
    known |= {"no", "nr", "id", "is", "of", "last", "first", "business", "company", "product"}
    for kind in KINDS:
        for phrase in (*kind.tail, *kind.head, *kind.in_person_table):
            known.update(word for word in phrase if len(word) > 2)  # shorter ones split anything
    return frozenset(known)
