"""Undeclared joins: which columns refer to which keys, told by names and proved by data.

Surrogate ids that all run 1…n are contained in each other, so containment alone proves nothing:
names must agree first (`naming`), then every candidate is measured, and what isn't measured isn't
offered. Of several keys that hold all of a column's values the nearest (smallest) one is meant.

Confidence is the strength of the name match (0.7: a role of a person, 0.95: the same name as the
key, which is also its table's) × the share of references that find a row; − 0.05 where the key is
unique by measurement only, − 0.1 where fewer than ten references were there to look at.

Method after Bauckmann, Leser & Naumann, "Efficient and exact computation of inclusion dependencies
for data integration" (2010) and Rostin et al., "A machine learning approach to foreign key
discovery" (WebDB 2009): its features coverage, name and out-of-range values are used here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.database.connect import Database
from pipeline.errors import QueryError
from pipeline.profile import polymorphic
from pipeline.profile.candidates import Candidate, Candidates
from pipeline.profile.containment import Containment, contained
from schemas.facts import Catalog, Evidence, Link, TableProfile

TOTAL_SECONDS = 60.0
QUERY_SECONDS = 10.0

_STRONG = 0.8
"""Name matches from here on need no help from data but that the values are there."""
_FULL = 0.995
_OFFERED = 0.5
_FEW = 10
_PLENTY = 0.5
"""Share of a nearer key's values that must be referred to before it beats the one that is named."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """Joins, and what a reader should know about the search."""

    links: tuple[Link, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Measured:
    candidate: Candidate
    data: Containment
    confidence: float


def infer(
    database: Database,
    catalog: Catalog,
    profiles: Mapping[str, TableProfile],
    *,
    rows: int | None = None,
    seconds: float = TOTAL_SECONDS,
) -> Inferred:
    """Return undeclared joins of a database, measured, in catalogue order.

    Args:
        database: to measure in.
        catalog: its tables; columns under a declared key of their own are left alone.
        profiles: of its tables, by name; they save most measurements.
        rows: read at most so many references of a table.
        seconds: start no measurement after that time.
    """
    search = _Search(
        database,
        Candidates(catalog, profiles, database.quote),
        profiles,
        rows,
        time.monotonic() + seconds,
    )
    branches = polymorphic.infer(search.candidates, search.measure)
    taken = {(link.table, link.columns[0]) for link in branches}
    singles = search.singles(taken)
    order = {table.name: position for position, table in enumerate(catalog.tables)}
    links = sorted((*singles, *branches), key=lambda link: (order[link.table], link.key))
    notes: tuple[str, ...] = ()
    if search.unmeasured:
        notes = (f"{search.unmeasured} possible joins weren't measured within {seconds:g} s",)
    return Inferred(tuple(links), notes)


class _Search:
    """The state of one search: what was measured, and until when."""

    def __init__(
        self,
        database: Database,
        candidates: Candidates,
        profiles: Mapping[str, TableProfile],
        rows: int | None,
        deadline: float,
    ) -> None:
        self.candidates = candidates
        self.unmeasured = 0
        self._database, self._profiles = database, profiles
        self._rows, self._deadline = rows, deadline

    def singles(self, taken: set[tuple[str, str]]) -> list[Link]:
        """Return the best join of every column that has one and isn't `taken`."""
        links = []
        for (table, column), found in self.candidates.by_column().items():
            if (table, column) in taken:
                continue
            measured = [m for c in found if (m := self._judged(c)) is not None]
            best = _best(measured, self.candidates)
            if best is not None:
                links.append(self._link(best))
        return links

    def measure(self, candidate: Candidate, where: str = "") -> Containment | None:
        """Return how much of a column is found in a key; None when there is no telling."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            self.unmeasured += 1
            return None
        try:
            return contained(
                self._database,
                candidate,
                where=where,
                rows=self._rows,
                timeout_seconds=min(left, QUERY_SECONDS),
            )
        except QueryError:
            self.unmeasured += 1
            return None

    def _judged(self, candidate: Candidate) -> _Measured | None:
        """Measure a candidate; return it when names and data together are worth offering."""
        if not self.candidates.may_hold(candidate):
            return None
        data = self.measure(candidate)
        if data is None or not data.rows or not data.matched_distinct:
            return None
        telling = _is_telling(candidate, data)
        if data.matched_share < _least_share(candidate.match.strength, telling=telling):
            return None
        confidence = candidate.match.strength * data.matched_share
        confidence -= 0.05 if not candidate.key_is_declared else 0
        confidence -= 0.1 if data.rows < _FEW else 0
        return _Measured(candidate, data, round(confidence, 3)) if confidence >= _OFFERED else None

    def _link(self, best: _Measured) -> Link:
        candidate = best.candidate
        profile = self._profiles[candidate.table.name]
        nulls = candidate.column_profile.nulls
        evidence = best.data.evidence(
            to_distinct=candidate.key_profile.distinct,
            null_share=nulls / profile.rows if nulls is not None and profile.rows else None,
        )
        return Link(
            candidate.table.name,
            (candidate.column.name,),
            candidate.target.name,
            (candidate.key.name,),
            origin="inferred",
            label=" ".join(candidate.match.role) or None,
            evidence=replace(
                evidence, confidence=best.confidence, reasons=_reasons(best, evidence)
            ),
        )


def _least_share(strength: float, *, telling: bool) -> float:
    """Return the share of references that must find a row.

    Orphans are common in undeclared references (that is why they aren't declared), but a share
    below one of values that are in every surrogate key proves the contrary.
    """
    if strength >= _STRONG:
        return 0.7 if telling else 0.95
    return 0.98 if telling else 2.0


def _is_telling(candidate: Candidate, data: Containment) -> bool:
    """Return whether containment is more than chance: any column of small numbers is in 1…n."""
    column, key = candidate.column_profile, candidate.key_profile
    low, high = key.minimum, key.maximum
    if not isinstance(low, int) or not isinstance(high, int) or not key.distinct:
        return candidate.key.family not in ("integer", "decimal", "float")
    is_dense = low <= 1 and high - low < key.distinct * 1.2
    if not is_dense:
        return data.distinct >= 5 or data.distinct == key.distinct  # as many hits aren't luck
    reaches = isinstance(column.maximum, int) and column.maximum > 0.8 * high
    return reaches and key.distinct > 20 and data.distinct > 0.3 * key.distinct


def _best(measured: Sequence[_Measured], candidates: Candidates) -> _Measured | None:
    """Return the join that is meant: of those that hold as much, the nearest key wins."""
    if not measured:
        return None
    most = max(m.data.matched_share for m in measured)
    full = [m for m in measured if m.data.matched_share >= most - 0.01]
    strongest = max(full, key=_rank(candidates))
    same = [
        m for m in full if m.candidate.match.strength >= strongest.candidate.match.strength - 0.06
    ]
    near = min(
        same, key=lambda m: (m.candidate.key_profile.distinct or 0, *_minus(_rank(candidates)(m)))
    )
    is_nearer = (near.candidate.key_profile.distinct or 0) < (
        strongest.candidate.key_profile.distinct or 0
    )
    if not is_nearer or not strongest.candidate.match.is_owner:
        return near if is_nearer else strongest
    covered = near.data.covered(near.candidate.key_profile.distinct) or 0
    beside = candidates.is_beside(near.candidate.table, near.candidate.target)
    return near if beside or covered >= _PLENTY else strongest


def _rank(candidates: Candidates) -> Callable[[_Measured], tuple[float, ...]]:
    """Return the order of measured candidates: the larger, the likelier."""

    def rank(found: _Measured) -> tuple[float, ...]:
        candidate = found.candidate
        return (
            candidate.match.strength,
            float(candidates.is_beside(candidate.table, candidate.target)),
            candidates.importance(candidate.target),
            -candidates.position(candidate.target),
        )

    return rank


def _minus(rank: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(-value for value in rank)


def _reasons(best: _Measured, evidence: Evidence) -> tuple[str, ...]:
    candidate = best.candidate
    share = "all" if not evidence.orphans else f"{best.data.matched_share:.1%} of"
    found = [candidate.match.reason, f"{share} {best.data.rows:,} references find a row"]
    if not candidate.key_is_declared:
        found.append("the key is unique by measurement, not by declaration")
    return tuple(found)
