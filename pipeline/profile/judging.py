"""What measured candidates are worth: which are offered, and which of several is meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.profile.candidates import Candidate, Candidates
from pipeline.profile.containment import Containment

_STRONG = 0.8
"""Name matches from here on need no help from data but that the values are there."""
_FULL = 0.995
_OFFERED = 0.5
_FEW = 10
_SPOKEN = 0.65
"""A part unknown, then the whole name of a table and `_id`: `promoted_post_id`."""
_ALIKE = 0.06
"""Names whose strengths differ by less are as good as each other; then data decides."""
_HARDLY = 0.001
_PLENTY = 0.5
"""Share of a nearer key's values that must be referred to before it beats the one that is named."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A candidate and what was counted."""

    candidate: Candidate
    data: Containment
    confidence: float

    @property
    def has_no_root(self) -> bool:
        """Every row has another of its table above it; so none of them is, but by a loop."""
        found, data = self.candidate, self.data
        return (
            found.table is found.target
            and not found.column_profile.nulls
            and not (data.rows - data.matched)
        )


def judged(candidate: Candidate, data: Containment) -> Measured | None:
    """Return a measured candidate when names and data together are worth offering."""
    if not data.matched_distinct:
        return None
    telling = _is_telling(candidate, data)
    if data.matched_share < _least_share(candidate.match.strength, telling=telling):
        return None
    sure = confidence(candidate.match.strength, data, is_declared=candidate.key_is_declared)
    return Measured(candidate, data, sure) if sure >= _OFFERED else None


def is_beaten(candidate: Candidate, measured: Sequence[Measured]) -> bool:
    """Return whether a candidate can't win any more, whatever its data: it needn't be measured."""
    return any(
        found.data.matched_share == 1
        and not found.has_no_root
        and found.candidate.match.strength - _ALIKE > candidate.match.strength
        for found in measured
    )


def confidence(strength: float, data: Containment, *, is_declared: bool) -> float:
    """Return how sure a join is, from the strength of its names and what was counted."""
    found = strength * data.matched_share
    found -= 0 if is_declared else 0.05
    found -= 0.1 if data.rows < _FEW else 0
    return round(found, 3)


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
    if not isinstance(column.maximum, int) or not 0.8 * high < column.maximum <= 1.1 * high:
        return False  # beyond the end of a key without gaps nothing was deleted
    is_spoken = candidate.match.is_owner and bool(candidate.match.role)
    if is_spoken and candidate.match.strength >= _SPOKEN and data.distinct >= _FEW:
        return key.distinct > 20
    return key.distinct > 20 and data.distinct > 0.3 * key.distinct


def best(measured: Sequence[Measured], candidates: Candidates) -> Measured | None:
    """Return the join that is meant: of those that hold as much, the nearest key wins."""
    if not measured:
        return None
    most = max(m.data.matched_share for m in measured)
    full = [m for m in measured if m.data.matched_share >= most - 0.01]
    strongest = max(full, key=_rank(candidates))
    same = [
        m for m in full if m.candidate.match.strength >= strongest.candidate.match.strength - _ALIKE
    ]
    strongest = max(same, key=lambda m: (m.candidate.match.is_owner, *_rank(candidates)(m)))
    near = min(
        same,
        key=lambda m: (
            m.candidate.key_profile.distinct or 0,
            not m.candidate.match.is_owner,  # of keys as large the one of what is named
            *_minus(_rank(candidates)(m)),
        ),
    )
    is_nearer = (near.candidate.key_profile.distinct or 0) < (
        strongest.candidate.key_profile.distinct or 0
    )
    if not is_nearer or not strongest.candidate.match.is_owner:
        return near if is_nearer else strongest
    covered = near.data.covered(near.candidate.key_profile.distinct) or 0
    beside = candidates.is_beside(near.candidate.table, near.candidate.target)
    return near if beside or covered >= _PLENTY or _no_luck(near, strongest) else strongest


def _no_luck(near: Measured, strongest: Measured) -> bool:
    """Return whether so many values of a larger key would hardly all be in the nearer one."""
    counts = (near.candidate.key_profile.distinct, strongest.candidate.key_profile.distinct)
    share = (counts[0] or 0) / (counts[1] or 1)
    return share**near.data.distinct < _HARDLY


def _rank(candidates: Candidates) -> Callable[[Measured], tuple[float, ...]]:
    """Return the order of measured candidates: the larger, the likelier."""

    def rank(found: Measured) -> tuple[float, ...]:
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
