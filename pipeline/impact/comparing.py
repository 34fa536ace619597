"""What changed between two catalogues and the profiles measured with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from pipeline.impact import drift
from pipeline.impact.columns import Moved, Side
from pipeline.impact.moves import Moves, find_moves
from pipeline.impact.types import changed_type
from schemas.changes import Change, ChangeClass, ChangeKind
from schemas.facts import Catalog, Check, Column, Key, Link, Profile, Table

_ORDER = {"breaking": 0, "risky": 1, "additive": 2, "cosmetic": 3}


def changes(
    old: Catalog, new: Catalog, old_profile: Profile | None, new_profile: Profile | None
) -> tuple[Change, ...]:
    """Return every difference, the worst class first, then by what changed.

    Args:
        old: the catalogue before.
        new: the catalogue now.
        old_profile: what the data showed before; None leaves data out of the comparison.
        new_profile: what they show now.
    """
    before = Side(old, old_profile or Profile())
    after = Side(new, new_profile or Profile())
    moves = find_moves(before, after)
    found = list(_Comparison(before, after, moves).all())
    if old_profile is not None and new_profile is not None:
        found += drift.changes(before, after, moves)
    return tuple(
        sorted(found, key=lambda c: (_ORDER[c.change_class], c.table, c.columns, c.kind, c.values))
    )


_EXACT = frozenset(("postgres", "redshift", "mysql", "snowflake", "oracle"))
"""Dialects that tell some names apart by case alone."""


class _Comparison:
    """Compares the structure of two sides whose renames are known."""

    def __init__(self, old: Side, new: Side, moves: Moves) -> None:
        self.old, self.new, self.moves = old.catalog, new.catalog, moves
        self._arrived = {(m.table, m.column) for m in moves.columns.values()}
        self._touched = {*moves.tables, *(table for table, _ in moves.columns)}
        self._touched |= {moved.table for moved in moves.columns.values()}

    def all(self) -> Iterator[Change]:
        """Yield the differences of all tables."""
        arrived = {self.moves.table(table.name) for table in self.old.tables}
        for before in self.old.tables:
            after = self.new.by_name.get(self.moves.table(before.name))
            if after is None:
                yield Change("table_dropped", "breaking", before.name, (), _shape(before))
                continue
            yield from self._table(before, after)
        for after in self.new.tables:
            if after.name not in arrived:
                yield Change("table_added", "additive", after.name, (), _shape(after))

    def _table(self, before: Table, after: Table) -> Iterator[Change]:
        name = before.name
        if before == after and not self._touched & {
            name,
            *(k.to_table for k in before.foreign_keys),
        }:
            return
        moved = self.moves.tables.get(name)
        if moved is not None:
            is_same = moved.table.casefold() == name.casefold()
            change_class = self._class_of_rename(is_same=is_same)
            yield Change(
                "table_renamed", change_class, name, (), moved.evidence, moved.table,
                confidence=moved.confidence,
            )  # fmt: skip
        if before.kind != after.kind:
            told = f"{before.kind} before, {after.kind} now"
            yield Change("table_kind_changed", "risky", name, (), told)
        yield from self._columns(before, after)
        yield from self._keys(before, after)
        yield from self._references(before, after)
        yield from self._texts(before, after)
        if (before.comment or "") != (after.comment or ""):
            yield Change("comment_changed", "cosmetic", name, (), "the table's comment changed")

    def _columns(self, before: Table, after: Table) -> Iterator[Change]:
        taken = set()
        there = {column.name: column for column in after.columns}
        for column in before.columns:
            moved = self.moves.columns.get((before.name, column.name))
            now = there.get(self.moves.column(before.name, column.name))
            if moved is not None:
                yield self._moved(before, column, after, moved)
                now = self.new.by_name[moved.table].column(moved.column or "")
            if now is None:
                told = f"{column.native_type or column.family} column"
                yield Change("column_dropped", "breaking", before.name, (column.name,), told)
                continue
            taken.add(now.name)
            if "view" not in before.kind:  # a view's column is what its tables make of it
                yield from self._column(before.name, column, now)
        for column in after.columns:
            is_known = column.name in taken or (after.name, column.name) in self._arrived
            if not is_known:
                told = f"{column.native_type or column.family} column"
                yield Change("column_added", "additive", before.name, (column.name,), told)
        kept = [self.moves.column(before.name, c.name) for c in before.columns]
        here = {c.name for c in after.columns}
        if [n for n in kept if n in here] != [c.name for c in after.columns if c.name in kept]:
            told = "its columns stand in another order"
            yield Change("order_changed", "cosmetic", before.name, (), told)

    def _moved(self, before: Table, column: Column, after: Table, moved: Moved) -> Change:
        kind: ChangeKind = "column_renamed" if moved.table == after.name else "column_moved"
        name = moved.column or column.name
        is_same = name.casefold() == column.name.casefold() and kind == "column_renamed"
        return Change(
            kind, self._class_of_rename(is_same=is_same), before.name, (column.name,),
            moved.evidence, moved.table, (name,), confidence=moved.confidence,
        )  # fmt: skip

    def _class_of_rename(self, *, is_same: bool) -> ChangeClass:
        """Most engines find a name whatever its case."""
        return "cosmetic" if is_same and self.new.dialect not in _EXACT else "breaking"

    def _column(self, table: str, before: Column, after: Column) -> Iterator[Change]:
        def change(kind: ChangeKind, change_class: ChangeClass, evidence: str) -> Change:
            return Change(kind, change_class, table, (before.name,), evidence)

        retyped = changed_type(before, after, same_dialect=self.old.dialect == self.new.dialect)
        if retyped is not None:
            yield change(*retyped)
        if before.nullable != after.nullable:
            if after.nullable:
                yield change("became_nullable", "risky", "NOT NULL before, nullable now")
            else:
                yield change("became_not_null", "additive", "nullable before, NOT NULL now")
        yield from _members(table, before, after)
        if (before.default or "") != (after.default or "") and not before.identity:
            told = f"default {before.default or 'none'} before, {after.default or 'none'} now"
            yield change("default_changed", "cosmetic", told)
        if before.expression != after.expression and not _same_but_for(
            before.expression or "", after.expression or "", self._renamed
        ):
            yield change("expression_changed", "risky", "it is computed in another way")
        if (before.comment or "") != (after.comment or ""):
            yield change("comment_changed", "cosmetic", "its comment changed")

    def _keys(self, before: Table, after: Table) -> Iterator[Change]:
        lost = _unique_sets(before)
        now = {frozenset(columns) for columns in _unique_sets(after)}
        kept = set()
        for columns, what in lost.items():
            mapped = [self.moves.column(before.name, column) for column in columns]
            kept.add(frozenset(mapped))
            if all(after.column(column) for column in mapped) and frozenset(mapped) not in now:
                told = f"the {what} is gone: nothing keeps the values unique"
                yield Change("key_lost", "risky", before.name, columns, told)
        for columns, what in _unique_sets(after).items():
            if frozenset(columns) not in kept:
                yield Change("key_added", "additive", before.name, columns, f"a new {what}")

    def _references(self, before: Table, after: Table) -> Iterator[Change]:
        def mapped(link: Link) -> tuple[object, ...]:
            to = self.moves.table(link.to_table)
            own = tuple(self.moves.column(link.table, c) for c in link.columns)
            return own, to, tuple(self.moves.column(link.to_table, c) for c in link.to_columns)

        now = {(k.columns, k.to_table, k.to_columns): k for k in after.foreign_keys}
        kept = {mapped(link) for link in before.foreign_keys}
        for link in before.foreign_keys:
            own, to, _ = mapped(link)
            is_whole = all(after.column(str(c)) for c in own) if isinstance(own, tuple) else False
            if mapped(link) not in now and is_whole and str(to) in self.new.by_name:
                yield _reference("foreign_key_lost", "risky", before.name, link)
        for key, link in now.items():
            if key not in kept:
                yield _reference("foreign_key_added", "additive", before.name, link)

    def _texts(self, before: Table, after: Table) -> Iterator[Change]:
        """Compare checks and the definitions of views; an engine adapts them when it renames."""
        pairs = ((c.name, self.moves.column(before.name, c.name)) for c in before.columns)
        own = _folded(pairs)
        gone = [c for c in before.checks if not _is_among(c, after.checks, own)]
        come = [
            c for c in after.checks if not _is_among(c, before.checks, {(b, a) for a, b in own})
        ]
        if gone or come:
            told = [f"gone: {c.expression}" for c in gone] + [f"new: {c.expression}" for c in come]
            named = sorted(_named_in(gone, before) | (_named_in(come, after) & _names(before)))
            yield Change("check_changed", "risky", before.name, tuple(named), "; ".join(told))
        if "view" in before.kind and not _same_but_for(
            before.definition or "", after.definition or "", self._renamed
        ):
            yield Change("view_changed", "risky", before.name, (), "its definition changed")

    @cached_property
    def _renamed(self) -> set[tuple[str, str]]:
        pairs = [
            (old.rpartition(".")[2], moved.table.rpartition(".")[2])
            for old, moved in self.moves.tables.items()
        ]
        moved_columns = self.moves.columns.items()
        return _folded(
            [*pairs, *((column, m.column or column) for (_, column), m in moved_columns)]
        )


def _folded(pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    return {(before.casefold(), after.casefold()) for before, after in pairs}


def _shape(table: Table) -> str:
    what = table.kind.replace("_", " ")
    return f"{what} of {len(table.columns)} columns"


def _members(table: str, before: Column, after: Column) -> Iterator[Change]:
    """Yield what came to an enumeration, and what left it."""
    if not before.enum_members or not after.enum_members:
        return
    come = tuple(m for m in after.enum_members if m not in before.enum_members)
    gone = tuple(m for m in before.enum_members if m not in after.enum_members)
    if come:
        told = f"new in the enumeration: {', '.join(come)}"
        yield Change("code_appeared", "risky", table, (before.name,), told, values=come)
    if gone:
        told = f"no longer in the enumeration: {', '.join(gone)}"
        yield Change("code_vanished", "breaking", table, (before.name,), told, values=gone)


def _reference(kind: ChangeKind, change_class: ChangeClass, table: str, link: Link) -> Change:
    to = f"{link.to_table}({', '.join(link.to_columns)})"
    told = f"reference to {to}"
    return Change(kind, change_class, table, link.columns, told, link.to_table, link.to_columns)


def _unique_sets(table: Table) -> dict[tuple[str, ...], str]:
    """Return the columns that the schema keeps unique together, each set once."""
    keys: list[tuple[Key | None, str]] = [(table.primary_key, "primary key")]
    keys += [(key, "unique key") for key in table.unique]
    found: dict[tuple[str, ...], str] = {}
    seen = set()
    for key, what in keys:
        if key is not None and key.columns and frozenset(key.columns) not in seen:
            found[key.columns] = what
            seen.add(frozenset(key.columns))
    for index in table.indexes:
        is_plain = all(table.column(column) for column in index.columns)
        if index.unique and not index.where and is_plain and frozenset(index.columns) not in seen:
            found[index.columns] = "unique index"
            seen.add(frozenset(index.columns))
    return found


def _names(table: Table) -> set[str]:
    return {column.name for column in table.columns}


def _named_in(checks: Iterable[Check], table: Table) -> set[str]:
    said = {word for check in checks for word in _tokens(check.expression)}
    return {column.name for column in table.columns if column.name.casefold() in said}


def _is_among(check: Check, others: Iterable[Check], renamed: set[tuple[str, str]]) -> bool:
    return any(_same_but_for(check.expression, o.expression, renamed) for o in others)


def _same_but_for(one: str, other: str, renamed: set[tuple[str, str]]) -> bool:
    """Whether two texts differ in nothing but names that changed."""
    before, after = _tokens(one), _tokens(other)
    if len(before) != len(after):
        return False
    return all(a == b or (a, b) in renamed for a, b in zip(before, after, strict=True))


def _tokens(sql: str | None) -> list[str]:
    """Return the words and signs of SQL, without quotes and a closing semicolon."""
    return re.findall(r"\w+|[^\w\s\"`\[\];]", (sql or "").casefold())
