"""Links as a planner sees them: walked in one direction, strung to paths and trees."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.facts import Cardinality, Link

_REVERSED: dict[Cardinality, Cardinality] = {
    "one_to_many": "many_to_one",
    "many_to_one": "one_to_many",
    "one_to_one": "one_to_one",
    "many_to_many": "many_to_many",
}


@dataclass(frozen=True, slots=True)
class JoinStep:
    """One link, walked from `link.table` to `link.to_table` (`forward`) or back."""

    link: Link
    forward: bool

    @property
    def source(self) -> str:
        """The table that the step leaves."""
        return self.link.table if self.forward else self.link.to_table

    @property
    def target(self) -> str:
        """The table that the step reaches."""
        return self.link.to_table if self.forward else self.link.table

    @property
    def cardinality(self) -> Cardinality:
        """Read in the direction of the step."""
        cardinality = cardinality_of(self.link)
        return cardinality if self.forward else reversed_(cardinality)

    @property
    def to_many(self) -> bool:
        """Whether a row of `source` can meet several rows of `target`."""
        return self.cardinality.endswith("_many")

    @property
    def to_one(self) -> bool:
        """Whether several rows of `source` can share a row of `target`."""
        return self.cardinality.startswith("many_")


@dataclass(frozen=True, slots=True)
class JoinPath:
    """A way from the first to the last of `tables`, one step between each two."""

    tables: tuple[str, ...]
    steps: tuple[JoinStep, ...]
    cost: float
    fans_out: bool
    """It goes from many to one and later from one to many: rows are repeated."""

    @property
    def label(self) -> str:
        """The roles on the way, e.g. `bill to`; '' when no link has one."""
        return ", ".join(step.link.label for step in self.steps if step.link.label)


@dataclass(frozen=True, slots=True)
class JoinTree:
    """Joins that hold tables together: each step leaves a table that is already there."""

    tables: tuple[str, ...]
    """In the order in which they can be joined; bridges included."""
    bridges: tuple[str, ...]
    """Tables that were not asked for and are needed on the way."""
    steps: tuple[JoinStep, ...]
    unconnected: tuple[str, ...]
    """Tables asked for to which no known join leads, or none within `at_most`."""
    fans_out: bool = False
    """A row is shared by several to-many joins: rows are repeated, sums come out too high."""


def reversed_(cardinality: Cardinality) -> Cardinality:
    """Return the cardinality read from the other end."""
    return _REVERSED[cardinality]


def cardinality_of(link: Link) -> Cardinality:
    """Return the link's cardinality; a reference that nobody measured is many to one."""
    if link.evidence is not None and link.evidence.cardinality is not None:
        return link.evidence.cardinality
    return "many_to_one"


def is_usable(link: Link) -> bool:
    """Whether joins may be written with `link`.

    Not when it leads nowhere, was only guessed, or was found to match no row.
    """
    if link.state != "ok":
        return False
    share = link.evidence.matched_share if link.evidence else None
    if link.origin == "inferred":
        return bool(share)
    return link.origin != "verified" or share != 0
