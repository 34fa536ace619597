"""Columns of tables and queries, each with the sensitive columns that it carries values of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

Origins = frozenset[str]
"""Sensitive columns, as `table.column`."""
NONE: Origins = frozenset()


class UnfollowedError(Exception):
    """It can't be told which columns carry what; the text says what stands in the way."""


@dataclass(frozen=True, slots=True)
class Field:
    """One column."""

    name: str | None
    """Folded; None: the engine names it."""
    origins: Origins = NONE
    source: str = ""
    """The folded alias under which FROM has it."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What a table or a query gives."""

    fields: tuple[Field, ...] = ()
    is_whole: bool = True
    """These are all columns, in their order; else just some that are known by name."""
    rest: Origins = NONE
    """What columns that aren't listed carry."""
    unlisted: tuple[Field, ...] = ()
    """Columns that `*` doesn't give, such as a row's number."""
    fed: Origins = NONE
    """What the number of its rows tells of: they are made from values."""
    is_made: bool = False
    """Its rows are no table's but made up, as guesses are that are compared with values."""
    is_constant: bool = False
    """It is one made-up row."""
    asked: Origins = NONE
    """What its conditions ask about."""

    @property
    def origins(self) -> Origins:
        """What any of its columns carries."""
        return union(f.origins for f in self.fields) | self.rest

    def named(self, name: str) -> tuple[Origins, bool] | None:
        """Return what the column of that folded name carries, and whether it surely is one."""
        found = [f.origins for f in (*self.fields, *self.unlisted) if f.name == name]
        if found:
            return union(found), True
        if not self.is_whole:
            return self.rest, False
        unnamed = [f.origins for f in self.fields if f.name is None]
        return (union(unnamed), False) if unnamed else None

    def under(self, alias: str, columns: Sequence[str] = ()) -> Relation:
        """Return it as FROM has it, under a folded alias, with its first columns renamed."""
        if columns and not self.is_whole:
            fields = [Field(name, self.origins, alias) for name in columns]
            return replace(self, fields=tuple(fields), rest=self.origins)
        if len(columns) > len(self.fields):
            raise UnfollowedError("a list of column names that is longer than the table is wide")
        names = [*columns, *(f.name for f in self.fields[len(columns) :])]
        fields = [Field(name, f.origins, alias) for name, f in zip(names, self.fields, strict=True)]
        return replace(self, fields=tuple(fields))


def unknown(origins: Origins, *, fed: Origins = NONE) -> Relation:
    """Return a relation of which only this is known: what its columns carry."""
    return Relation(is_whole=False, rest=origins, fed=fed)


def union(many: Iterable[Origins]) -> Origins:
    """Return all that any of them holds."""
    return NONE.union(*many)


def stacked(upper: Relation, lower: Relation) -> Relation:
    """Return the rows of both: columns that stand at the same position are one."""
    if not (upper.is_whole and lower.is_whole):
        return _both(unknown(upper.origins | lower.origins), upper, lower)
    if len(upper.fields) != len(lower.fields):
        raise UnfollowedError("a set operation whose sides differ in width")
    pairs = zip(upper.fields, lower.fields, strict=True)
    fields = tuple(replace(a, origins=a.origins | b.origins) for a, b in pairs)
    return _both(Relation(fields), upper, lower)


def stacked_by_name(upper: Relation, lower: Relation) -> Relation:
    """Return the rows of both: columns of the same name are one."""
    names = [f.name for f in (*upper.fields, *lower.fields)]
    if not (upper.is_whole and lower.is_whole) or None in names:
        return _both(unknown(upper.origins | lower.origins), upper, lower)
    fields = [
        Field(name, union(f.origins for f in (*upper.fields, *lower.fields) if f.name == name))
        for name in dict.fromkeys(names)
    ]
    return _both(Relation(tuple(fields)), upper, lower)


def _both(relation: Relation, upper: Relation, lower: Relation) -> Relation:
    """Return the relation with what its rows have from both."""
    return replace(
        relation,
        fed=upper.fed | lower.fed,
        asked=upper.asked | lower.asked,
        is_made=upper.is_made or lower.is_made or (upper.is_constant and lower.is_constant),
    )


def beside(left: Relation, right: Relation) -> Relation:
    """Return the columns of both, the left ones first."""
    return Relation(
        (*left.fields, *right.fields),
        left.is_whole and right.is_whole,
        left.rest | right.rest,
        fed=left.fed | right.fed,
        is_made=left.is_made or right.is_made,
        asked=left.asked | right.asked,
    )


@dataclass(slots=True)
class Scope:
    """What the names in one SELECT mean."""

    names: Any
    """The CTEs that can be seen from here."""
    outer: Scope | None = None
    is_soft: bool = False
    """Another scope further out may be meant too."""
    sources: list[tuple[str, Relation]] = field(default_factory=list)
    star: Relation = field(default_factory=Relation)
    """What `*` gives."""
    aliases: dict[str, Origins] = field(default_factory=dict)
    """Names that the SELECT list gives, where later items may use them."""
    frames: Origins = NONE
    """What the frames of the named windows are made from."""

    @property
    def is_made(self) -> bool:
        """Whether some of its rows are made up."""
        return any(relation.is_made for _, relation in self.sources)

    @property
    def fed(self) -> Origins:
        """What the number of its rows tells of."""
        return union(relation.fed for _, relation in self.sources)

    @property
    def origins(self) -> Origins:
        """What any column that FROM gives carries."""
        return union(relation.origins for _, relation in self.sources)

    def under(self, alias: str) -> list[Relation]:
        """Return the tables that FROM has under that folded name."""
        return [relation for name, relation in self.sources if name == alias]

    def column(self, name: str) -> tuple[Origins, bool] | None:
        """Return what a folded name without qualifier carries, if FROM or SELECT may give it.

        The second value tells whether it surely is a name from here.
        """
        found = [hit for _, relation in self.sources if (hit := relation.named(name)) is not None]
        origins = union(hit for hit, _ in found)
        is_sure = any(sure for _, sure in found)
        if name in self.aliases:
            return origins | self.aliases[name], True
        if is_sure:
            return origins, True
        rows = self.under(name)
        if rows:  # the whole row as one value
            return origins | union(relation.origins for relation in rows), True
        return (origins, False) if found else None


def chain(scope: Scope | None) -> Iterable[Scope]:
    """Give the scope and those around it, from the inside out."""
    while scope is not None:
        yield scope
        scope = scope.outer


def of_name(scope: Scope, name: str, *, surely: bool = False) -> Origins | None:
    """Return what a folded name without qualifier carries, None when no scope has it.

    Args:
        scope: where it stands.
        name: the folded name.
        surely: leave out what only might be meant.
    """
    maybe: list[Origins] = []
    is_found = False
    for here in chain(scope):
        hit = here.column(name)
        if hit is None or (surely and not hit[1]):
            continue
        is_found = True
        maybe.append(hit[0])
        if hit[1] and not here.is_soft:
            break
    return union(maybe) if is_found else None


def of_path(scope: Scope, parts: Sequence[str]) -> Origins:
    """Return what `a.b.c` carries; each part may be a table, or a column that has parts."""
    found: list[Origins] = []
    if len(parts) > 1:
        for table, column in pairwise(parts):
            found += _in_tables(scope, table, column)
        first = of_name(scope, parts[0], surely=True) if not found else None
        found += [hit for part in parts[:-1] if (hit := _as_column(scope, part)) is not None]
        if first is not None:
            found.append(first)
    else:
        hit = of_name(scope, parts[0])
        found += [] if hit is None else [hit]
    if not found:  # nobody knows what it is
        return union(here.origins for here in chain(scope))
    return union(found)


def _in_tables(scope: Scope, table: str, column: str) -> list[Origins]:
    found: list[Origins] = []
    for here in chain(scope):
        for relation in here.under(table):
            hit = relation.named(column)
            # A column that the catalogue doesn't know may be the row's number, or one of a struct.
            found.append(relation.origins if hit is None else hit[0])
        if found and not here.is_soft:
            break
    return found


def _as_column(scope: Scope, name: str) -> Origins | None:
    """Return what a column of that name carries, leaving out tables of that name."""
    found = [
        hit[0]
        for here in chain(scope)
        for _, relation in here.sources
        if (hit := relation.named(name)) is not None and hit[1]
    ]
    return union(found) if found else None
