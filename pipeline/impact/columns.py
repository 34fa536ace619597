"""Which columns of one table are the same under another name."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.impact.likeness import DataLikeness, data_likeness, name_likeness
from pipeline.text import words
from schemas.facts import Catalog, Column, Profile, Table, TableProfile

_LEAST = 0.6
"""A rename is named from this confidence on."""
_MOST_PAIRS = 2_500
"""More columns than make so many pairs are compared only with those at their place."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Where something is now, and why that is believed."""

    table: str
    column: str | None
    confidence: float
    evidence: str


@dataclass(frozen=True, slots=True)
class Side:
    """A catalogue with its profile."""

    catalog: Catalog
    profile: Profile

    def profiled(self, table: str) -> TableProfile:
        """Return what was counted in a table; nothing where nothing was."""
        return self.profile.by_table.get(table) or TableProfile(table)


def columns_between(before: Table, after: Table, old: Side, new: Side) -> dict[str, Moved]:
    """Return the columns of one table that have another name in the other."""
    kept = {c.name for c in before.columns} & {c.name for c in after.columns}
    lost = [c for c in before.columns if c.name not in kept]
    found = [c for c in after.columns if c.name not in kept]
    if not lost or not found:
        return {}
    judge = ColumnJudge(before, after, old, new)
    judged = {(a.name, b.name): judge.judge(a, b) for a, b in _pairs(lost, found, judge)}
    pairs = surest((moved.confidence, a, b) for (a, b), moved in judged.items())
    return {a: judged[a, b] for a, b in pairs}


def _pairs(
    lost: Sequence[Column], found: Sequence[Column], judge: ColumnJudge
) -> Iterable[tuple[Column, Column]]:
    """Return the pairs to compare: what is spelled alike with that only, the rest all with all."""
    by_letters: dict[str, list[Column]] = defaultdict(list)
    for column in found:
        by_letters[plain(column.name)].append(column)
    pairs, rest = [], []
    taken: set[str] = set()
    for column in lost:
        same = by_letters.get(plain(column.name), [])
        if len(same) == 1 and same[0].name not in taken:
            pairs.append((column, same[0]))
            taken.add(same[0].name)
        else:
            rest.append(column)
    free = [column for column in found if column.name not in taken]
    if len(rest) * len(free) > _MOST_PAIRS:
        return pairs + [(a, b) for a in rest for b in free if judge.place(a, b) >= _NEAR_PLACE]
    return pairs + [(a, b) for a in rest for b in free]


_NEAR_PLACE = 0.5
_BETWEEN = 1.5
"""New columns come last: one between the same two others was there before."""


@lru_cache(maxsize=1 << 18)
def plain(name: str) -> str:
    """Return the letters of a name: how it is written in any style."""
    return "".join(words(name))


def surest(judged: Iterable[tuple[float, str, str]]) -> list[tuple[str, str]]:
    """Return one pair per name, the likeliest first."""
    ranked = sorted(judged, key=lambda item: (-item[0], item[1], item[2]))
    taken: set[tuple[int, str]] = set()
    pairs = []
    for confidence, one, other in ranked:
        if confidence < _LEAST or (0, one) in taken or (1, other) in taken:
            continue
        taken |= {(0, one), (1, other)}
        pairs.append((one, other))
    return pairs


class ColumnJudge:
    """Judges whether a column of one table is a column of the other."""

    def __init__(self, before: Table, after: Table, old: Side, new: Side) -> None:
        self.before, self.after = before, after
        self.old, self.new = old.profiled(before.name), new.profiled(after.name)
        self.data = tuple({c.column: c for c in t.columns} for t in (self.old, self.new))
        self.said = (*words(before.object_name), *words(after.object_name))
        self.places = (_places(before), _places(after))
        self.ranks = tuple({c.name: i for i, c in enumerate(t.columns)} for t in (before, after))

    def judge(self, a: Column, b: Column) -> Moved:
        """Return how sure it is that `a` is called `b` now."""
        name = name_likeness(a.name, b.name, self.said)
        rows = (self.old.rows, self.new.rows)
        data = data_likeness(self.data[0].get(a.name), self.data[1].get(b.name), rows)
        place = self.place(a, b)
        keys = _key_likeness(self.before, a.name, self.after, b.name)
        if a.enum_members and b.enum_members:
            keys += 1.0 if a.enum_members == b.enum_members else -1.0
        confidence = _sure(name, data, place, keys, _type_likeness(a, b))
        return Moved(self.after.name, b.name, confidence, _told(name, data, place, a, b))

    def place(self, a: Column, b: Column) -> float:
        """Return 1 or more where both stand at one place, −1 where a new one stands last."""
        before, after = self.places[0][a.name], self.places[1][b.name]
        is_last_new = after[1] is None and before[1] is not None
        if before == after:
            return _BETWEEN if None not in before else float(len(self.before.columns) > 1)
        same = (before[0] == after[0]) + (before[1] == after[1])
        if same:
            return -0.5 if is_last_new else 0.5
        ranks = (self.ranks[0][a.name], self.ranks[1][b.name])
        if ranks[0] == ranks[1] and len(self.before.columns) == len(self.after.columns):
            return 0.8
        return -1.0 if is_last_new else -0.25


def _places(table: Table) -> dict[str, tuple[str | None, str | None]]:
    names = [column.name for column in table.columns]
    return {
        name: (names[i - 1] if i else None, names[i + 1] if i + 1 < len(names) else None)
        for i, name in enumerate(names)
    }


def _sure(
    name: float, data: DataLikeness | None, place: float, keys: float, type_likeness: float
) -> float:
    """Return 0–1. The weights were set by hand and measured by `evals.impact`."""
    total = -4.2 + 6.0 * name + 1.6 * place + 1.5 * keys + 2.0 * (type_likeness - 0.5)
    if data is not None:
        # A flag looks like any other flag: agreement of few values says little.
        agreement = max(-1.5, (data.score - 0.75) / 0.25)
        total += 5.0 * data.weight * agreement
    return round(1 / (1 + math.exp(-total)), 3)


def _told(name: float, data: DataLikeness | None, place: float, a: Column, b: Column) -> str:
    parts = [f"names {name:.0%} alike"]
    if data is not None:
        parts.append(f"data {data.score:.0%} alike")
    if place >= 0.8:
        parts.append("same position")
    if a.native_type.casefold() == b.native_type.casefold():
        parts.append(f"same type {a.native_type}".strip())
    return ", ".join(parts)


_NEAR = (
    frozenset({"integer", "decimal", "float", "boolean"}),
    frozenset({"text", "enum", "uuid", "json", "xml"}),
    frozenset({"date", "timestamp"}),
)


def _type_likeness(a: Column, b: Column) -> float:
    if a.family == b.family:
        return 1.0 if a.native_type.casefold() == b.native_type.casefold() else 0.8
    return 0.2 if any({a.family, b.family} <= near for near in _NEAR) else -0.75


def _key_likeness(before: Table, a: str, after: Table, b: str) -> float:
    """Return 1 where both have the same part in keys, 0 where neither has one, else −1."""
    one, other = _roles(before, a), _roles(after, b)
    if not one and not other:
        return 0.0
    return 1.0 if one == other else -1.0


def _roles(table: Table, column: str) -> frozenset[tuple[str, str]]:
    found = set()
    if table.primary_key and column in table.primary_key.columns:
        found.add(("primary", str(table.primary_key.columns.index(column))))
    if any(key.columns == (column,) for key in table.unique):
        found.add(("unique", ""))
    for link in table.foreign_keys:
        if column in link.columns:
            found.add(("reference", link.to_columns[link.columns.index(column)]))
    return frozenset(found)
