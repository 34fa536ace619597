"""Tables while the statements about them are read one after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from schemas.facts import Check, Column, Index, Key, Routine, TableKind, Unreadable

Name = tuple[str | None, str]
"""Schema, if one was given, and name; both as the engine stores them."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key as written: the target may come later, or never."""

    columns: tuple[str, ...]
    target: Name
    to_columns: tuple[str, ...]
    """Empty: the target's primary key."""
    name: str | None = None


@dataclass(slots=True)
class Draft:
    """A table or view, so far."""

    name: Name
    kind: TableKind = "table"
    columns: list[Column] = field(default_factory=list)
    primary_key: Key | None = None
    unique: list[Key] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    indexes: list[Index] = field(default_factory=list)
    comment: str | None = None
    definition: str | None = None
    query: str | None = None
    """The SELECT of a view or of CREATE TABLE … AS, whose columns it tells."""
    named: tuple[str, ...] = ()
    """Names that a view gives its columns."""
    options: list[str] = field(default_factory=list)
    parents: list[Name] = field(default_factory=list)
    partition_of: Name | None = None
    partitions: int | None = None
    column_comments: dict[str, str] = field(default_factory=dict)
    """Of views, whose columns are found last."""

    def column(self, name: str) -> int | None:
        """Return the place of a column: exact, or the only one that differs just in case."""
        alike = [i for i, c in enumerate(self.columns) if c.name.casefold() == name.casefold()]
        exact = [i for i in alike if self.columns[i].name == name]
        return exact[0] if exact else alike[0] if len(alike) == 1 else None


@dataclass(frozen=True, slots=True)
class Alias:
    """A type that people made: an enumeration, or a domain upon another type."""

    native_type: str
    members: tuple[str, ...] = ()
    nullable: bool = True
    default: str | None = None
    checks: tuple[Check, ...] = ()
    """About VALUE."""


@dataclass(slots=True)
class Script:
    """What all files together say, so far."""

    folds: bool
    """Unquoted names are put into one case, so that names match exactly or not at all."""
    has_twins: bool
    """Two tables may be called alike but for case."""
    schema: str | None = None
    """In which names without one are; None where the dialect has no default."""
    tables: dict[Name, Draft] = field(default_factory=dict)
    types: dict[str, Alias] = field(default_factory=dict)
    """By name without schema, folded in case."""
    routines: dict[tuple[str, str, str], Routine] = field(default_factory=dict)
    comment: str | None = None
    unreadable: list[Unreadable] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    _alike: dict[tuple[str, str], list[Name]] = field(default_factory=dict)

    def full(self, name: Name) -> Name:
        """Return the name with the schema in which it is looked for."""
        return (name[0] or self.schema, name[1])

    def put(self, draft: Draft) -> None:
        """Add a table; one of that name is replaced."""
        if (known := self.known(draft.name)) is not None:
            self.drop(known.name)
        self.tables[draft.name] = draft
        self._alike.setdefault(_folded(draft.name), []).append(draft.name)

    def known(self, name: Name) -> Draft | None:
        """Return the table whose name a new one of this name would take."""
        return self.tables.get(name) if self.has_twins else self.find(name)

    def drop(self, name: Name) -> Draft | None:
        """Take a table out."""
        draft = self.find(name)
        if draft is None or (self.has_twins and draft.name[1] != name[1]):
            return None
        del self.tables[draft.name]
        self._alike[_folded(draft.name)].remove(draft.name)
        return draft

    def find(self, name: Name) -> Draft | None:
        """Return the table of that name; where case doesn't count, also one that differs in it."""
        full = self.full(name)
        exact = self.tables.get(full)
        if exact is not None:
            return exact
        alike = [] if self.folds else self._alike.get(_folded(full), [])
        if full[0] is None and not alike:
            alike = [known for known in self.tables if known[1] == full[1]]
        return self.tables[alike[0]] if len(alike) == 1 else None

    def drop_indexes(self, names: Iterable[str]) -> None:
        """Take indexes out, whatever table they are on."""
        gone = {name.casefold() for name in names}
        for draft in self.tables.values():
            draft.indexes = [i for i in draft.indexes if i.name.casefold() not in gone]


def _folded(name: Name) -> tuple[str, str]:
    return ((name[0] or "").casefold(), name[1].casefold())
