"""Changed copies of a catalogue and its profile: one change at a time, as a database makes it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from pipeline.text import words
from schemas.facts import (
    Catalog,
    Column,
    ColumnProfile,
    Key,
    Link,
    Profile,
    Scalar,
    Table,
    TableProfile,
    ValueCount,
)

_SHORT = {
    "quantity": "qty", "number": "no", "amount": "amt", "description": "desc", "date": "dt",
    "account": "acct", "customer": "cust", "address": "addr", "department": "dept", "order": "ord",
    "product": "prod", "employee": "emp", "category": "cat", "sales": "sls", "code": "cd",
}  # fmt: skip
_OTHER = {
    "status": "state", "total": "amount", "name": "title", "comment": "note", "date": "day",
    "type": "kind", "qty": "quantity", "price": "rate", "group": "section", "vendor": "supplier",
    "customer": "client", "employee": "staff", "start": "begin", "end": "finish", "city": "town",
    "history": "log", "location": "place", "due": "payable", "freight": "shipping",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Facts:
    """A catalogue with what was measured."""

    catalog: Catalog
    profile: Profile


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change, by the names before it."""

    kind: str
    """rename, drop, retype, new_code, not_unique."""
    table: str
    column: str | None = None
    new: str = ""
    """The new name, type or code."""
    adapts_views: bool = False
    """The engine gives the views the new name."""

    def __str__(self) -> str:
        place = f"{self.table}.{self.column}" if self.column else self.table
        tail = " (views adapted)" if self.adapts_views else ""
        return " ".join(filter(None, (self.kind, place, self.new))) + tail


def renamed(facts: Facts, table: str, column: str | None, new: str) -> Facts:
    """Return the facts after a rename; keys, references and checks follow, views don't."""
    if column is None:
        return _rename_table(facts, table, new)

    def name(found: str, text: str) -> str:
        return new if found == table and text == column else text

    return _mapped(facts, lambda found: found, name)


def _rename_table(facts: Facts, table: str, new: str) -> Facts:
    return _mapped(facts, lambda name: new if name == table else name, lambda _, column: column)


def _mapped(
    facts: Facts, table_name: Callable[[str], str], column_name: Callable[[str, str], str]
) -> Facts:
    def link(found: Link) -> Link:
        return replace(
            found,
            table=table_name(found.table),
            columns=tuple(column_name(found.table, c) for c in found.columns),
            to_table=table_name(found.to_table),
            to_columns=tuple(column_name(found.to_table, c) for c in found.to_columns),
        )

    def key(found: Key | None, table: str) -> Key | None:
        if found is None:
            return None
        return replace(found, columns=tuple(column_name(table, c) for c in found.columns))

    def structure(table: Table) -> Table:
        names = {c.name: column_name(table.name, c.name) for c in table.columns}
        name = table_name(table.name)
        return replace(
            table,
            name=name,
            object_name=name if name != table.name else table.object_name,
            columns=tuple(replace(c, name=names[c.name]) for c in table.columns),
            primary_key=key(table.primary_key, table.name),
            unique=tuple(k for u in table.unique if (k := key(u, table.name))),
            foreign_keys=tuple(link(found) for found in table.foreign_keys),
            checks=tuple(
                replace(c, expression=re.sub(r"\w+", lambda m: names.get(m[0], m[0]), c.expression))
                for c in table.checks
            ),
            indexes=tuple(
                replace(i, columns=tuple(names.get(c, c) for c in i.columns)) for i in table.indexes
            ),
        )

    def data(table: TableProfile) -> TableProfile:
        columns = (replace(c, column=column_name(table.table, c.column)) for c in table.columns)
        return replace(table, table=table_name(table.table), columns=tuple(columns))

    tables = sorted(map(structure, facts.catalog.tables), key=lambda t: t.name)
    return Facts(
        replace(facts.catalog, tables=tuple(tables)),
        replace(
            facts.profile,
            tables=tuple(map(data, facts.profile.tables)),
            joins=tuple(map(link, facts.profile.joins)),
            broken_keys=tuple(map(link, facts.profile.broken_keys)),
        ),
    )


def dropped(facts: Facts, table: str, column: str | None) -> Facts:
    """Return the facts without a table or column; what hung on it is gone too."""

    def stays(link: Link) -> bool:
        ends = ((link.table, link.columns), (link.to_table, link.to_columns))
        return not any(t == table and (column is None or column in c) for t, c in ends)

    def structure(found: Table) -> Table:
        found = replace(found, foreign_keys=tuple(filter(stays, found.foreign_keys)))
        if found.name != table or column is None:
            return found
        primary = found.primary_key
        return replace(
            found,
            columns=tuple(c for c in found.columns if c.name != column),
            primary_key=None if primary and column in primary.columns else primary,
            unique=tuple(k for k in found.unique if column not in k.columns),
            checks=tuple(c for c in found.checks if column not in re.findall(r"\w+", c.expression)),
            indexes=tuple(i for i in found.indexes if column not in i.columns),
        )

    tables = [structure(t) for t in facts.catalog.tables if column or t.name != table]
    profiles = [
        replace(t, columns=tuple(c for c in t.columns if t.table != table or c.column != column))
        for t in facts.profile.tables
        if column or t.table != table
    ]
    return Facts(
        replace(facts.catalog, tables=tuple(tables)),
        replace(
            facts.profile,
            tables=tuple(profiles),
            joins=tuple(filter(stays, facts.profile.joins)),
            broken_keys=tuple(filter(stays, facts.profile.broken_keys)),
        ),
    )


def retyped(facts: Facts, table: str, column: str, native: str) -> Facts:
    """Return the facts with another type of a column."""
    from pipeline.database.families import family

    def change(found: Column) -> Column:
        return replace(found, native_type=native, family=family(native, facts.catalog.dialect))

    return _with_column(facts, table, column, change)


def with_code(facts: Facts, table: str, column: str, code: Scalar) -> Facts:
    """Return the facts with a new value in a column's dictionary."""

    def change(found: ColumnProfile) -> ColumnProfile:
        values = (*found.values, ValueCount(code, 3))
        return replace(found, values=values, distinct=(found.distinct or 0) + 1)

    return _with_profile(facts, table, column, change)


def not_unique(facts: Facts, table: str, column: str) -> Facts:
    """Return the facts with a column whose key is gone and whose values repeat."""

    def structure(found: Table) -> Table:
        if found.name != table:
            return found
        primary = found.primary_key
        return replace(
            found,
            primary_key=None if primary and primary.columns == (column,) else primary,
            unique=tuple(k for k in found.unique if k.columns != (column,)),
            indexes=tuple(i for i in found.indexes if i.columns != (column,) or not i.unique),
        )

    def change(found: ColumnProfile) -> ColumnProfile:
        return replace(found, distinct=max(1, (found.distinct or 0) - 5))

    tables = tuple(structure(t) for t in facts.catalog.tables)
    changed = replace(facts, catalog=replace(facts.catalog, tables=tables))
    return _with_profile(changed, table, column, change)


def grown(facts: Facts, chance: random.Random) -> Facts:
    """Return the facts some weeks later: more rows, more distinct values, later maxima."""

    def column(found: ColumnProfile, rows: int, factor: float) -> ColumnProfile:
        distinct, nulls = found.distinct, found.nulls
        if distinct and distinct > 60:
            distinct = int(distinct * (1 + (factor - 1) * chance.random()))
        counts = tuple(replace(v, count=int(v.count * factor)) for v in found.values)
        if nulls:
            nulls = min(rows, int(nulls * factor))
        maximum = found.maximum
        if isinstance(maximum, int) and (found.distinct or 0) > 200:
            maximum = int(maximum * factor)
        return replace(found, distinct=distinct, nulls=nulls, values=counts, maximum=maximum)

    def table(found: TableProfile) -> TableProfile:
        if not found.rows or found.rows < 50:
            return found
        factor = 1 + 0.08 * chance.random()
        rows = int(found.rows * factor)
        columns = tuple(column(c, rows, factor) for c in found.columns)
        return replace(found, rows=rows, columns=columns)

    return replace(
        facts, profile=replace(facts.profile, tables=tuple(map(table, facts.profile.tables)))
    )


def added(facts: Facts, table: str, column: Column, data: ColumnProfile, position: int) -> Facts:
    """Return the facts with a new column."""

    def structure(found: Table) -> Table:
        if found.name != table:
            return found
        columns = list(found.columns)
        columns.insert(position, column)
        return replace(found, columns=tuple(columns))

    def profile(found: TableProfile) -> TableProfile:
        if found.table != table:
            return found
        return replace(found, columns=(*found.columns, data))

    return Facts(
        replace(facts.catalog, tables=tuple(map(structure, facts.catalog.tables))),
        replace(facts.profile, tables=tuple(map(profile, facts.profile.tables))),
    )


def new_name(old: str, chance: random.Random) -> str:
    """Return another name for the same thing, as people rename: style, short, long, other word."""
    parts = words(old)
    ways = [
        "_".join(parts),
        "".join(part.title() for part in parts) + "Value",
        "_".join(_SHORT.get(part, part) for part in parts),
        "_".join(_OTHER.get(part, part) for part in parts),
        "".join(_OTHER.get(part, part).title() for part in parts),
        "".join(part[:4].title() for part in parts),
        "the_" + "_".join(parts),
    ]
    fit = [way for way in dict.fromkeys(ways) if way.casefold() != old.casefold()]
    return chance.choice(fit)


def _with_column(
    facts: Facts, table: str, column: str, change: Callable[[Column], Column]
) -> Facts:
    tables = tuple(
        replace(t, columns=tuple(change(c) if c.name == column else c for c in t.columns))
        if t.name == table
        else t
        for t in facts.catalog.tables
    )
    return replace(facts, catalog=replace(facts.catalog, tables=tables))


def _with_profile(
    facts: Facts, table: str, column: str, change: Callable[[ColumnProfile], ColumnProfile]
) -> Facts:
    tables = tuple(
        replace(t, columns=tuple(change(c) if c.column == column else c for c in t.columns))
        if t.table == table
        else t
        for t in facts.profile.tables
    )
    return replace(facts, profile=replace(facts.profile, tables=tables))
