"""References of two or three columns: `return_item(order_id, line_no)` → `order_line`.

All columns must bear the names of the key's, or all the same role before them; only what belongs
to the target's name may be missing (`order_line_no`, `line_no`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from pipeline.profile import naming_words as vocabulary
from pipeline.profile.candidates import Candidates, together
from pipeline.profile.containment import Containment, Pair
from pipeline.profile.name_parts import ColumnName, TableName, Words, alike
from schemas.facts import Column, Table

_SIZES = (2, 3)
_MOST = 4
"""Combinations of one table's columns that are tried for one key."""
_ALL = 0.98
_MOSTLY = 0.9
_DENSE = 0.5
"""A key that holds this share of all combinations of its columns' values holds most pairs."""
_FEW = 3
_NATURAL, _PLENTY, _MANY = 0.7, 20, 100
"""Titles of pages: references to some that don't exist (yet) are common."""


@dataclass(frozen=True, slots=True)
class CompositeKey:
    """Columns that are unique together, and none of them alone."""

    table: Table
    columns: tuple[Column, ...]
    is_declared: bool


@dataclass(frozen=True, slots=True)
class CompositeCandidate:
    """Columns that may refer to a composite key."""

    pair: Pair
    key: CompositeKey
    strength: float
    role: Words
    affinity: float
    """Share of the words of the target's name that the columns' or their table's names hold."""
    is_owner: bool
    """The names of the columns speak of the target."""
    is_beside: bool
    """The columns bear the key's own names, and their table's begins with the target's."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A column that may stand for one of the key's."""

    column: Column
    strength: float
    role: Words


Measure = Callable[[Pair], "Containment | None"]
Unique = Callable[[Table, tuple[Column, ...]], bool]


def infer(
    candidates: Candidates, measure: Measure, is_unique: Unique
) -> Iterator[tuple[CompositeCandidate, Containment]]:
    """Yield the composite references that data proves: of several keys the nearest.

    Args:
        candidates: the tables, their names and profiles.
        measure: counts how much of a pair's columns is found.
        is_unique: tells whether columns are a key where none is declared.
    """
    search = _Search(candidates)
    proved: dict[tuple[str, tuple[str, ...]], list[tuple[CompositeCandidate, Containment]]] = {}
    for key in search.composite_keys():
        found = list(search.of(key))
        if not found or not (key.is_declared or is_unique(key.table, key.columns)):
            continue
        for candidate in found:
            data = measure(candidate.pair)
            if data is not None and search.is_proved(candidate, data):
                place = (candidate.pair.table.name, _names(candidate.pair.columns))
                proved.setdefault(place, []).append((candidate, data))
    for options in proved.values():
        yield max(options, key=search.rank)


class _Search:
    """All columns by the ends of their names, and what can be made of them."""

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        self._by_end: dict[str, dict[str, list[Column]]] = defaultdict(lambda: defaultdict(list))
        for table in candidates.tables:
            for column in table.columns:
                words = self._words(table, column)
                for at in range(len(words)):
                    self._by_end["".join(words[at:])][table.name].append(column)
        self._tables = {table.name: table for table in candidates.tables}

    def composite_keys(self) -> Iterator[CompositeKey]:
        """Yield composite keys: declared ones, and a guess for each table that has no key."""
        for table in self.candidates.tables:
            sets = list(self._declared(table))
            singles = {name for names in sets if len(names) == 1 for name in names}
            minimal = [n for n in sets if len(n) in _SIZES and not singles & set(n)]
            for names in {frozenset(n): n for n in reversed(minimal)}.values():
                columns = tuple(c for name in names if (c := table.column(name)) is not None)
                if len(columns) == len(names):
                    yield CompositeKey(table, columns, is_declared=True)
            if not sets and not self.candidates.has_key(table):
                yield from self._guessed(table)

    def of(self, key: CompositeKey) -> Iterator[CompositeCandidate]:
        """Yield what may refer to a key by names, types and counts."""
        parts = [self._parts(key, column) for column in key.columns]
        tables = set.intersection(*(set(found) for found in parts))
        for name in sorted(tables, key=lambda name: self.candidates.position(self._tables[name])):
            choices = [found[name] for found in parts]
            combined = [c for c in product(*choices) if self._is_sound(key, name, c)]
            combined.sort(key=lambda c: -sum(part.strength for part in c))
            for combination in combined[:_MOST]:
                yield self._candidate(key, self._tables[name], combination)

    def is_proved(self, candidate: CompositeCandidate, data: Containment) -> bool:
        """Return whether data says more than chance would."""
        if candidate.is_owner:
            return bool(data.matched_distinct) and data.matched_share >= _MOSTLY
        if self._is_natural(candidate.key):
            return data.matched_share >= _NATURAL and data.matched_distinct >= _PLENTY
        return (
            data.matched_share >= _ALL
            and data.distinct >= _FEW
            and (candidate.is_beside or self._is_reference(candidate.key))
            and not self._is_chance(candidate.key)
        )

    def rank(self, found: tuple[CompositeCandidate, Containment]) -> tuple[float, ...]:
        """Return the order of proved references: best named, then the nearest key."""
        candidate, data = found
        return (
            candidate.is_owner,
            round(candidate.affinity, 2),
            round(candidate.strength, 2),
            round(data.matched_share, 2),
            -(self.candidates.rows(candidate.pair.target) or 0),
            -self.candidates.position(candidate.pair.target),
        )

    def _declared(self, table: Table) -> Iterator[tuple[str, ...]]:
        if table.primary_key:
            yield table.primary_key.columns
        for key in table.unique:
            yield key.columns
        for index in table.indexes:
            if index.unique and not index.where:
                yield index.columns

    def _guessed(self, table: Table) -> Iterator[CompositeKey]:
        """Yield the first two or three columns, where they could be a key by their counts."""
        rows = self.candidates.rows(table)
        for size in _SIZES if rows else ():
            columns = table.columns[:size]
            profiles = [self.candidates.profile(table, column) for column in columns]
            counts = [found.distinct or 0 for found in profiles]
            if len(columns) < size or any(found.nulls or found.nulls is None for found in profiles):
                return
            if max(counts) < (rows or 0) <= math.prod(counts):
                yield CompositeKey(table, columns, is_declared=False)

    def _parts(self, key: CompositeKey, column: Column) -> Mapping[str, Sequence[_Part]]:
        """Return the columns of each table that may stand for a column of a key."""
        forms = _forms(self.candidates.column_name(key.table, column), self._names_of(key.table))
        found: dict[str, list[_Part]] = defaultdict(list)
        found[key.table.name] = [_Part(column, 0.95, ())]
        for words, strength in forms.items():
            for table, columns in self._by_end.get("".join(words), {}).items():
                taken = {part.column.name for part in found[table]}
                for other in columns:
                    role = self._role(table, other, words, key.table)
                    if other.name not in taken and role is not None and together(other, column):
                        found[table].append(_Part(other, strength - 0.1 * bool(role), role))
        if self.candidates.column_name(key.table, column).stem == ():
            found[key.table.name] += self._above(key.table, column)
        return {table: parts for table, parts in found.items() if parts}

    def _role(self, table: str, column: Column, words: Words, target: Table) -> Words | None:
        """Return what stands before some words of a name; None where that can't be a role."""
        name = self._words(self._tables[table], column)
        end = "".join(words)
        start = next((at for at in range(len(name)) if "".join(name[at:]) == end), None)
        own = {word for stem in self._names_of(target).stems for word in stem}
        return None if start is None else tuple(w for w in name[:start] if not _says(own, w))

    def _words(self, table: Table, column: Column) -> Words:
        """Return a column's words; one that begins with a table's name is two: `auftragsjahr`."""
        found = self.candidates.column_name(table, column).words
        parts: list[str] = []
        for word in found:
            parts += self.candidates.unglued(word)
        return tuple(parts)

    def _above(self, table: Table, key: Column) -> Iterator[_Part]:
        """Yield columns such as `parent_id` of a table whose key is (tenant_id, id)."""
        for column in table.columns:
            name = self.candidates.column_name(table, column)
            if name.suffix and _is_above(name.stem) and together(column, key):
                yield _Part(column, 0.85, name.stem)

    def _names_of(self, table: Table) -> TableName:
        return self.candidates.names[table.name]

    def _is_sound(self, key: CompositeKey, table: str, parts: tuple[_Part, ...]) -> bool:
        """Return whether columns may refer to a key together, before any data is read."""
        columns = tuple(part.column for part in parts)
        if len({column.name for column in columns}) < len(columns):
            return False
        roles = {part.role for part in parts if part.role}
        source = self._tables[table]
        if len(roles) > 1 or (source is key.table and columns == key.columns):
            return False
        if any(set(link.columns) == set(_names(columns)) for link in source.foreign_keys):
            return False
        if source is key.table and not (roles and _is_above(next(iter(roles)))):
            return False
        if _numbers_itself(source, _names(columns)):
            return False
        return self._leads_up(key, source, columns) and self._may_hold(key, source, columns)

    def _leads_up(self, key: CompositeKey, source: Table, columns: tuple[Column, ...]) -> bool:
        """Return whether a key may refer to another: a larger one, or the hub of two alike."""
        names = set(_names(columns))
        if not any(set(found) <= names for found in self._declared(source)):
            return True
        rows, other = self.candidates.rows(source) or 0, self.candidates.rows(key.table) or 0
        if rows != other:
            return rows < other
        mine, its = (self.candidates.importance(table) for table in (source, key.table))
        here, there = (self.candidates.position(table) for table in (source, key.table))
        return (its, -there) > (mine, -here)

    def _may_hold(self, key: CompositeKey, source: Table, columns: tuple[Column, ...]) -> bool:
        for column, other in zip(columns, key.columns, strict=True):
            mine = self.candidates.profile(source, column)
            its = self.candidates.profile(key.table, other)
            if not mine.distinct or not its.distinct or mine.distinct > 2 * its.distinct:
                return False
        return True

    def _candidate(
        self, key: CompositeKey, source: Table, parts: tuple[_Part, ...]
    ) -> CompositeCandidate:
        stem = self._names_of(key.table).stems[-1]
        said = {word for part in parts for word in self._words(source, part.column)}
        around = said | set(self._names_of(source).words)
        return CompositeCandidate(
            Pair(source, tuple(part.column for part in parts), key.table, key.columns),
            key,
            sum(part.strength for part in parts) / len(parts),
            next((part.role for part in parts if part.role), ()),
            sum(_says(around, word) for word in stem) / len(stem),
            self._is_owner(key, said)
            or self._is_part_of(key, source, [part.column.name for part in parts]),
            self._is_beside(key, source, parts),
        )

    def _is_beside(self, key: CompositeKey, source: Table, parts: tuple[_Part, ...]) -> bool:
        """`lab_result_comment(order_no, line_no)` refers to `lab_result`, whose key that is.

        Not where it is its own table's key, too: then `line_no` may number its own rows.
        """
        stem, names = self._names_of(key.table).stems[-1], self._names_of(source).words
        begins = len(names) > len(stem) and names[: len(stem)] == stem
        is_same = all(
            self._words(source, part.column) == self._words(key.table, column)
            for part, column in zip(parts, key.columns, strict=True)
        )
        return begins and is_same and not source.has_key([part.column.name for part in parts])

    def _is_owner(self, key: CompositeKey, said: set[str]) -> bool:
        """Return whether columns' names speak of a key's table, beyond what the key must say."""
        stem = self._names_of(key.table).stems[-1]
        if _says(said, stem[-1]) and 2 * sum(_says(said, word) for word in stem) >= len(stem):
            return True
        of_key = {word for column in key.columns for word in self._words(key.table, column)}
        return any(_says(said - of_key, word) for word in stem)

    def _is_reference(self, key: CompositeKey) -> bool:
        """Return whether all columns of a key name a thing: neither a date nor a running number.

        Two tables that number what belongs to a product aren't each other's.
        """
        return all(self._names_a_thing(key.table, column) for column in key.columns)

    def _names_a_thing(self, table: Table, column: Column) -> bool:
        name, profile = self._name(table, column), self.candidates.profile(table, column)
        if profile.distinct == 1:  # a client or a tenant that is alone says nothing
            return True
        if name.is_generic or set(name.words) & vocabulary.LABELS:
            return False
        return bool(name.suffix) or (column.family == "text" and profile.text_format is None)

    def _is_natural(self, key: CompositeKey) -> bool:
        """Return whether one column holds so many texts that none is found in a key by chance."""
        rows = self.candidates.rows(key.table)
        counts = [
            self.candidates.profile(key.table, column).distinct or 0
            for column in key.columns
            if column.family == "text"
        ]
        return max(counts, default=0) >= max(_MANY, _DENSE * rows)

    def _is_part_of(self, key: CompositeKey, source: Table, names: Sequence[str]) -> bool:
        """Return whether a table's primary key is a longer form of another's."""
        own = source.primary_key.columns if source.primary_key else ()
        other = key.table.primary_key
        is_main = other is not None and set(other.columns) == set(names)
        return is_main and set(names) < set(own)

    def _name(self, table: Table, column: Column) -> ColumnName:
        return self.candidates.column_name(table, column)

    def _is_chance(self, key: CompositeKey) -> bool:
        """Return whether a key holds so many of all combinations that most pairs are in it."""
        counts = {c.name: self.candidates.profile(key.table, c).distinct or 1 for c in key.columns}
        several = [column for column in key.columns if counts[column.name] > 1]
        if len(several) == 1:  # the others hold one value: what counts is this one
            return several[0].family != "text"
        return self.candidates.rows(key.table) > _DENSE * math.prod(counts.values())


def _forms(key: ColumnName, target: TableName) -> dict[Words, float]:
    """Return how the names of columns end that stand for a key's, and how sure that is.

    `id` of `orders` is `order_id` elsewhere; `rate_month` of `fx_rate` may be `fx_month`.
    """
    if not key.stem and key.suffix:
        return {stem + key.words: 0.93 for stem in target.stems}
    own = {word for stem in target.stems for word in stem}
    rest = tuple(word for word in key.words if not _says(own, word))
    is_said = bool(rest) and not set(rest) <= vocabulary.SUFFIXES
    plain = tuple(next((o for o in own if alike((o,), (word,))), word) for word in key.words)
    return (
        {key.words: 0.95}
        | ({plain: 0.93} if plain != key.words else {})
        | ({rest: 0.85} if is_said and rest != key.words else {})
    )


def _says(said: set[str], word: str) -> bool:
    """Return whether one of some words is another but for an ending: `Auftrags`, `Auftrag`."""
    return any(alike((other,), (word,)) for other in said)


def _numbers_itself(table: Table, columns: Sequence[str]) -> bool:
    """Return whether a column of a reference counts the rows under another key of its table.

    In `return_item`, whose key is (return_id, line_no), `line_no` is no order's.
    """
    key = table.primary_key.columns if table.primary_key else ()
    return len(key) > 1 and key[-1] in columns and not set(key[:-1]) & set(columns)


def _is_above(role: Words) -> bool:
    return bool(set(role) & (vocabulary.SELF | vocabulary.SELF_OF_PEOPLE))


def _names(columns: Sequence[Column]) -> tuple[str, ...]:
    return tuple(column.name for column in columns)
