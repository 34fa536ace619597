"""Tables while the statements about them are read one after another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from schemas.facts import Check, Column, Index, Key, Routine, TableKind, Unreadable

Name = tuple[str | None, str]
"""Schema, if one was given, and name; both as the engine stores them."""


class UnreadError(Exception):
    """A statement that isn't as DDL is; the message says what stands where."""


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

    def own(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return columns by the names that the table gives them; others as they are."""
        places = [self.column(name) for name in names]
        return tuple(
            name if place is None else self.columns[place].name
            for name, place in zip(names, places, strict=True)
        )

    def put_column(self, name: str, **what: object) -> None:
        """Say something else of a column.

        Raises:
            UnreadError: there is no such column.
        """
        place = self.column(name)
        if place is None:
            raise UnreadError(f"{self.name[1]} has no column {name}")
        self.columns[place] = replace(self.columns[place], **what)  # type: ignore[arg-type]  # fields of Column

    def drop_constraint(self, name: str) -> None:
        """Take out keys, checks and indexes of that name."""

        def stays(item: Key | Reference | Check) -> bool:
            return (item.name or "").casefold() != name.casefold()

        if self.primary_key is not None and not stays(self.primary_key):
            self.primary_key = None
        self.unique = [key for key in self.unique if stays(key)]
        self.references = [link for link in self.references if stays(link)]
        self.checks = [check for check in self.checks if stays(check)]
        self.indexes = [i for i in self.indexes if i.name.casefold() != name.casefold()]


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
    """By `type_key`."""
    parts: dict[str, tuple[Column, ...]] = field(default_factory=dict)
    """Of types that have several, by `type_key`."""
    routines: dict[tuple[Name, str, object], Routine] = field(default_factory=dict)
    """By name, kind, and the arguments or, of a trigger, the table's name."""
    comment: str | None = None
    unreadable: list[Unreadable] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    _alike: dict[tuple[str, str], list[Name]] = field(default_factory=dict)

    def type_key(self, name: str) -> str:
        """Return what tells a type from others: types are called without their schema."""
        return name if self.folds else name.casefold()

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

    def rename_column(self, draft: Draft, before: str, after: str) -> None:
        """Give a column another name, in all keys too.

        Raises:
            UnreadError: there is no such column.
        """
        place = draft.column(before)
        if place is None:
            raise UnreadError(f"{draft.name[1]} has no column {before}")
        own = draft.columns[place].name
        if any(column.name == after != own for column in draft.columns):
            raise UnreadError(f"{draft.name[1]} has a column {after} already")
        draft.columns[place] = replace(draft.columns[place], name=after)

        def put(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(after if name == own else name for name in names)

        if draft.primary_key:
            draft.primary_key = replace(draft.primary_key, columns=put(draft.primary_key.columns))
        draft.unique = [replace(key, columns=put(key.columns)) for key in draft.unique]
        draft.indexes = [
            replace(index, columns=tuple(renamed_term(term, own, after) for term in index.columns))
            for index in draft.indexes
        ]
        draft.references = [replace(r, columns=put(r.columns)) for r in draft.references]
        for other in self.tables.values():
            other.references = [
                replace(r, to_columns=put(r.to_columns)) if r.target == draft.name else r
                for r in other.references
            ]

    def move(self, draft: Draft, name: Name) -> None:
        """Give a table another name; keys to it follow, as they do in databases."""
        before = draft.name
        self.drop(before)
        draft.name = name
        self.put(draft)
        for other in self.tables.values():
            other.references = [
                replace(r, target=name) if r.target == before else r for r in other.references
            ]
            if other.partition_of == before:
                other.partition_of = name

    def drop_indexes(self, names: Iterable[str]) -> None:
        """Take indexes out, whatever table they are on."""
        gone = {name.casefold() for name in names}
        for draft in self.tables.values():
            draft.indexes = [i for i in draft.indexes if i.name.casefold() not in gone]


_BEHIND = re.compile(r"(?:\(\d+\))?(?: DESC)?")
"""What a term of MySQL's indexes has behind the column: a length, a direction."""


def is_term_of(term: str, column: str) -> bool:
    """Whether a term of an index is that column, or the first characters of it."""
    return term.startswith(column) and _BEHIND.fullmatch(term[len(column) :]) is not None


def renamed_term(term: str, before: str, after: str) -> str:
    """Return a term of an index after a column got another name."""
    return after + term[len(before) :] if is_term_of(term, before) else term


def _folded(name: Name) -> tuple[str, str]:
    return ((name[0] or "").casefold(), name[1].casefold())
