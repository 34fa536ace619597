"""Pairs of a column and a key that names and types let through, before any data is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.profile import name_parts, naming
from pipeline.profile import naming_words as vocabulary
from pipeline.profile.containment import Pair
from pipeline.profile.name_index import NameIndex
from pipeline.profile.name_parts import ColumnName, TableName
from pipeline.profile.naming import Match
from pipeline.text import words
from schemas.facts import Catalog, Column, ColumnProfile, Table, TableProfile, TypeFamily

_KINDS: dict[TypeFamily, str] = {
    "integer": "number", "decimal": "number", "float": "number", "text": "text", "enum": "text",
    "uuid": "uuid", "other": "any",
}  # fmt: skip
_IN_COMPOSITE: dict[TypeFamily, str] = {
    **_KINDS, "date": "time", "timestamp": "time", "boolean": "boolean"
}  # fmt: skip
_LEAST_ROWS = 2
_SEVERAL = 3


@dataclass(frozen=True, slots=True)
class Key:
    """A column that is unique by itself."""

    table: Table
    column: Column
    profile: ColumnProfile
    name: ColumnName
    is_declared: bool
    said: ColumnName
    """Its name as it stands, also where so many keys are called so that it says nothing."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A column that may refer to a key."""

    table: Table
    column: Column
    column_profile: ColumnProfile
    target: Table
    key: Column
    key_profile: ColumnProfile
    key_is_declared: bool
    match: Match

    @property
    def pair(self) -> Pair:
        """What is to be compared."""
        return Pair(self.table, (self.column,), self.target, (self.key,))

    @property
    def blank(self) -> str | int | None:
        """Value of the column that stands for `no row`: 0 or -1 below all keys, an empty text."""
        low, key_low = self.column_profile.minimum, self.key_profile.minimum
        if low is None and self.column.family == "integer":  # a sensitive column's isn't told
            return None if isinstance(key_low, int | float) and key_low <= 0 else 0
        if isinstance(low, int) and isinstance(key_low, int | float) and low < key_low:
            return low if low in (0, -1) else None
        return "" if low == "" and key_low != "" else None


class Candidates:
    """All tables' names taken apart, their keys, and the pairs that may be joins."""

    def __init__(
        self, catalog: Catalog, profiles: Mapping[str, TableProfile], quote: Callable[[str], str]
    ) -> None:
        self.quote, self.dialect = quote, catalog.dialect
        self.tables = [
            table
            for table in catalog.tables
            if table.kind in ("table", "materialized_view", "foreign_table")
            and (found := profiles.get(table.name)) is not None
            and found.rows
        ]
        self._profiles = profiles
        self._positions = {table.name: at for at, table in enumerate(catalog.tables)}
        common = name_parts.common_prefix(self.tables)
        names = {t.name: name_parts.table_name(t, common) for t in self.tables}
        names = name_parts.with_bare_names(names, _references(self.tables))
        self.names = naming.with_staff(names)
        self._stems = frozenset(
            "".join(stem) for name in self.names.values() for stem in name.called
        )
        self._columns: dict[tuple[str, str], ColumnName] = {}
        self.keys = self._told_apart([k for table in self.tables for k in self._keys(table)])
        self._own = {(key.table.name, key.column.name): key for key in self.keys}
        self._in_table: dict[str, list[int]] = {}
        for number, key in enumerate(self.keys):
            self._in_table.setdefault(key.table.name, []).append(number)
        self._index = NameIndex([(key.said, self.names[key.table.name]) for key in self.keys])
        self._named = self._named_tables()

    def by_column(self) -> dict[tuple[str, str], list[Candidate]]:
        """Return the candidates of every column that has some, strongest names first."""
        found: dict[tuple[str, str], list[Candidate]] = {}
        for table in self.tables:
            declared = {link.columns for link in table.foreign_keys if link.state == "ok"}
            for column in table.columns:
                if (column.name,) in declared:
                    continue
                candidates = self._of(table, column)
                if candidates:
                    found[(table.name, column.name)] = candidates
        return found

    def profile(self, table: Table, column: Column) -> ColumnProfile:
        """Return the profile of a column."""
        return self._profiles[table.name].column(column.name) or ColumnProfile(column.name)

    def column_name(self, table: Table, column: Column) -> ColumnName:
        """Return a column's name taken apart."""
        place = (table.name, column.name)
        if place not in self._columns:
            self._columns[place] = name_parts.column_name(
                column, self.names[table.name], self._stems
            )
        return self._columns[place]

    def unglued(self, word: str) -> tuple[str, ...]:
        """Return a word without a table's name that it begins with, and that: `auftrags jahr`."""
        for size in range(len(word) - 3, 4, -1):
            if word[:size] in self._stems or (
                word[: size - 1] in self._stems and word[size - 1] in "sn"
            ):
                return (word[:size], word[size:])
        return (word,)

    def candidate(self, table: Table, column: Column, key: Key, match: Match) -> Candidate:
        """Return the pair of a column and a key."""
        return Candidate(
            table,
            column,
            self.profile(table, column),
            key.table,
            key.column,
            key.profile,
            key.is_declared,
            match,
        )

    def may_hold(self, candidate: Candidate) -> bool:
        """Return whether the profiles let a key hold (most of) a column's values."""
        column, key = candidate.column_profile, candidate.key_profile
        if not column.distinct or not key.distinct:
            return False
        if column.distinct > 2 * key.distinct:
            return False
        ends = (column.minimum, column.maximum, key.minimum, key.maximum)
        if all(isinstance(v, int | float) for v in ends):
            low, high, key_low, key_high = ends
            return not (low > key_high or high < key_low)  # type: ignore[operator]  # all four are numbers
        return True

    def may_join(self, candidate: Candidate) -> bool:
        """Return whether the types of a column and a key go together."""
        kind = _KINDS.get(candidate.column.family)
        return kind is not None and _together(kind, _KINDS.get(candidate.key.family))

    def is_beside(self, table: Table, target: Table) -> bool:
        """Return whether a table's name holds the target's: `EmployeePayHistory`, `Employee`."""
        own, other = self.names[table.name].words, self.names[target.name].stems[-1]
        size = len(other)
        return len(own) > size and any(
            own[i : i + size] == other for i in range(len(own) - size + 1)
        )

    def has_key(self, table: Table) -> bool:
        """Return whether a column of a table is unique by itself, as far as is known."""
        return table.name in self._in_table

    def rows(self, table: Table) -> int:
        """Return the number of a table's rows."""
        return self._profiles[table.name].rows or 0

    def importance(self, table: Table) -> float:
        """Return how much of a hub a table is: columns elsewhere named after it, then its width."""
        return self._named.get(table.name, 0) + len(table.columns) / 1000

    def position(self, table: Table) -> int:
        """Return a table's place in the catalogue."""
        return self._positions[table.name]

    def _of(self, table: Table, column: Column) -> list[Candidate]:
        profile = self.profile(table, column)
        kind = _KINDS.get(column.family)
        name, owner = self.column_name(table, column), self.names[table.name]
        if kind is None or not profile.distinct or column.generated:
            return []
        if profile.housekeeping and not naming.is_person_role(name):
            return []
        if name.is_plural and not name.suffix and kind == "number":  # `pages` counts them
            return []
        own_key = self._own.get((table.name, column.name))
        if own_key is not None and self._is_root(own_key.name, owner):
            return []
        found = []
        for key in self._near(table, name):
            same_table = key.table is table
            if self._is_of_its_own(table, name, key):
                continue
            if (same_table and key.column is column) or not _together(
                kind, _KINDS.get(key.column.family)
            ):
                continue
            match = naming.match(
                name, owner, key.name, self.names[key.table.name], same_table=same_table
            ) or self._beside(table, name, key)
            if match is None or (own_key is not None and not self._leads_up(own_key, key, match)):
                continue
            found.append(self.candidate(table, column, key, match))
        is_alone = len(found) == 1 and found[0].match.strength == naming.PERSON_ROLE
        if is_alone and not self.names[found[0].target.name].is_staff:
            # there is but one table of people that may be meant
            found = [replace(found[0], match=replace(found[0].match, strength=0.8))]
        return sorted(found, key=lambda c: (-c.match.strength, self._positions[c.target.name]))

    def _is_of_its_own(self, table: Table, name: ColumnName, key: Key) -> bool:
        """Return whether a number means a column beside it: `reply_to_post_number`."""
        if name.suffix not in ("number", "code") or key.name.suffix != "id":
            return False
        others = (self.column_name(table, column).words for column in table.columns)
        return any(
            1 < len(other) < len(name.words) and name.words[-len(other) :] == other
            for other in others
        )

    def _near(self, table: Table, name: ColumnName) -> list[Key]:
        """Return the keys that may be meant, and the table's own, in catalogue order."""
        numbers = self._index.near(name, self.names[table.name]) | set(
            self._in_table.get(table.name, ())
        )
        if name.stem == ("parent",):  # of `sales_order_payment` it is `sales_order`
            numbers |= self._index.called(self.names[table.name].words)
        return [self.keys[number] for number in sorted(numbers)]

    def _beside(self, table: Table, name: ColumnName, key: Key) -> Match | None:
        """`catalog_product_price.entity_id` refers to `catalog_product.entity_id`."""
        is_same = name.words == key.said.words and key.said is not key.name
        if not is_same or not self.is_beside(table, key.table):
            return None
        return Match(0.85, "both columns have the same name, and the tables belong together")

    def _told_apart(self, keys: list[Key]) -> list[Key]:
        """Return keys; a name that several have and no table bears means no more than `id`."""
        counts = Counter(key.name.words for key in keys)
        owned = {
            key.name.words
            for key in keys
            if self._is_root(key.name, self.names[key.table.name])
            or "".join(key.name.stem) in self._stems
        }
        return [
            replace(key, name=name_parts.as_generic(key.name))
            if counts[key.name.words] >= _SEVERAL and key.name.words not in owned
            else key
            for key in keys
        ]

    def _is_root(self, name: ColumnName, owner: TableName) -> bool:
        """Return whether a table's key bears its own name: `product.product_id`, `product.id`."""
        return name.is_generic or any(
            name.stem and "".join(name.stem) == "".join(stem) for stem in owner.called
        )

    def _leads_up(self, own: Key, key: Key, match: Match) -> bool:
        """Return whether a key may refer to another: a larger one, or the hub of two alike."""
        if (own.profile.distinct or 0) != (key.profile.distinct or 0):
            return (own.profile.distinct or 0) < (key.profile.distinct or 0)
        if match.is_owner:
            return True
        mine, other = self.importance(own.table), self.importance(key.table)
        return (other, -self._positions[key.table.name]) > (mine, -self._positions[own.table.name])

    def _keys(self, table: Table) -> list[Key]:
        """Return a table's single-column keys; measured ones only where none is declared.

        A table in partitions must hold what parts it in its primary key, beside its own number.
        """
        declared = [table.primary_key] if table.primary_key else []
        unique_indexes = [i.columns for i in table.indexes if i.unique and not i.where]
        sets = [k.columns for k in (*declared, *table.unique)] + unique_indexes
        names = dict.fromkeys(c[0] for c in sets if len(c) == 1)
        found = [self._key(table, c, is_declared=True) for n in names if (c := table.column(n))]
        found = [
            key for key in found if key.name.suffix or _KINDS.get(key.column.family) != "number"
        ]
        inside = table.primary_key.columns if table.primary_key else None
        if not found and (inside is None or len(inside) > 1):
            found = [
                self._key(table, column, is_declared=False)
                for column in table.columns
                if (inside is None or column.name in inside)
                and self._is_measured_key(table, column)
            ]
        return [key for key in found if key.profile.distinct and _KINDS.get(key.column.family)]

    def _key(self, table: Table, column: Column, *, is_declared: bool) -> Key:
        name = self.column_name(table, column)
        if table.primary_key is not None and table.primary_key.columns == (column.name,):
            name = name_parts.as_primary(name)
        profile = self.profile(table, column)
        if self._profiles[table.name].sample is not None:  # what was read isn't all there is
            profile = replace(profile, distinct=self.rows(table), minimum=None, maximum=None)
        return Key(table, column, profile, name, is_declared, name)

    def _is_measured_key(self, table: Table, column: Column) -> bool:
        profile, rows = self.profile(table, column), self._profiles[table.name].rows or 0
        whole = self._profiles[table.name].sample is None
        if not whole or rows < _LEAST_ROWS or profile.nulls or profile.distinct != rows:
            return False
        name = self.column_name(table, column)
        if not name.suffix:
            return False
        names = self.names[table.name]
        return name.is_generic or any("".join(name.stem) == "".join(stem) for stem in names.called)

    def _named_tables(self) -> dict[str, int]:
        """Return how many columns elsewhere are named after each table."""
        owners: dict[str, list[str]] = {}
        for table in self.tables:
            for stem in self.names[table.name].stems:
                owners.setdefault("".join(stem), []).append(table.name)
        counts: dict[str, int] = {}
        for table in self.tables:
            for column in table.columns:
                joined = "".join(self.column_name(table, column).stem)
                for owner in owners.get(joined, ()):
                    if owner != table.name:
                        counts[owner] = counts.get(owner, 0) + 1
        return counts


def _references(tables: Sequence[Table]) -> set[name_parts.Words]:
    """Return the stems of all columns that are called `something_id`, without polymorphic ones."""
    found = set()
    for table in tables:
        names = [tuple(words(column.name)) for column in table.columns]
        is_typed = any(name[-1:] in (("type",), ("model",), ("class",)) for name in names)
        open_ones = vocabulary.ANYTHING if is_typed else frozenset()
        found |= {name[:-1] for name in names if name[-1:] == ("id",) and not set(name) & open_ones}
    return found


def together(column: Column, key: Column) -> bool:
    """Return whether a column may stand for one of several key columns, by their types."""
    kind = _IN_COMPOSITE.get(column.family)
    other = _IN_COMPOSITE.get(key.family)
    return kind is not None and ({kind, other} == {"time", "text"} or _together(kind, other))


def _together(kind: str, other: str | None) -> bool:
    return other is not None and (
        kind == other or "any" in (kind, other) or {kind, other} == {"text", "uuid"}
    )
