"""From rows of PostgreSQL's catalogue to tables: columns, keys, checks, indexes, traits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.database.names import table_id
from pipeline.database.servers.postgres_types import Types, listed
from schemas.facts import Check, Column, Index, Key, Link, Table, TableKind

KINDS: dict[str, TableKind] = {
    "r": "table",
    "p": "table",
    "v": "view",
    "m": "materialized_view",
    "f": "foreign_table",
}
_SHOWN = 5
_MATCHES = {"f": "MATCH FULL", "p": "MATCH PARTIAL"}


@dataclass(frozen=True, slots=True)
class Relation:
    """A row of `Queries.relations`."""

    oid: int
    namespace: int
    name: str
    kind: str
    is_partition: bool
    persistence: str
    is_visible: bool
    """An unqualified name means this one."""
    is_readable: bool
    is_partly_readable: bool
    has_row_security: bool
    hides_rows: bool
    """Row security holds for this login."""
    is_populated: bool
    comment: str | None
    definition: str | None
    partition_key: str | None
    server: str | None
    is_of_extension: bool


@dataclass(frozen=True, slots=True)
class Attribute:
    """A row of `Queries.columns`."""

    relation: int
    number: int
    name: str
    native_type: str
    type: int
    not_null: bool
    identity: str
    generated: str
    expression: str | None
    comment: str | None
    is_readable: bool


@dataclass(frozen=True, slots=True)
class Constraint:
    """A row of `Queries.constraints`."""

    relation: int
    name: str
    kind: str
    key: Sequence[int] | None
    target: int
    target_schema: str | None
    target_name: str | None
    target_is_visible: bool | None
    target_columns: Sequence[str] | None
    text: str | None
    is_valid: bool
    is_deferrable: bool
    is_deferred: bool
    match: str
    nulls_are_equal: bool


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A row of `Queries.indexes`."""

    relation: int
    name: str
    is_unique: bool
    is_valid: bool
    key: str
    length: int
    """Columns of the key; those behind are only included."""
    expressions: Sequence[str] | None
    where: str | None
    nulls_are_equal: bool


class Builder:
    """Builds tables; what it is given concerns all of them."""

    def __init__(
        self,
        attributes: Iterable[Attribute],
        types: Types,
        constraints: Iterable[Constraint],
        indexes: Iterable[IndexRow],
    ) -> None:
        self._types = types
        self._attributes: dict[int, list[Attribute]] = defaultdict(list)
        for attribute in attributes:
            self._attributes[attribute.relation].append(attribute)
        self._constraints: dict[int, list[Constraint]] = defaultdict(list)
        for constraint in sorted(constraints, key=lambda k: k.name):
            self._constraints[constraint.relation].append(constraint)
        self._indexes: dict[int, list[IndexRow]] = defaultdict(list)
        for index in sorted(indexes, key=lambda i: i.name):
            self._indexes[index.relation].append(index)

    def hidden(self, relation: int) -> list[Attribute]:
        """Return the columns that the login may not read."""
        return [a for a in self._attributes[relation] if not a.is_readable]

    def table(
        self, relation: Relation, schema: str | None, target: Callable[[Constraint], str]
    ) -> Table:
        """Return one table.

        Args:
            relation: what it is.
            schema: for its name, None if that needs none.
            target: names the table to which a foreign key leads.
        """
        shown = [a for a in self._attributes[relation.oid] if a.is_readable]
        names = {a.number: a.name for a in shown}
        rules = [k for k in self._constraints[relation.oid] if all(n in names for n in k.key or ())]
        name = table_id(relation.name, schema)
        checks = self._checks(rules, shown)
        members = dict(filter(None, (listed(check.expression) for check in checks)))
        return Table(
            name=name,
            object_name=relation.name,
            schema=schema,
            kind=KINDS[relation.kind],
            columns=tuple(self._column(a, members) for a in shown),
            primary_key=next(iter(_keys(rules, "p", names)), None),
            unique=_keys(rules, "u", names),
            foreign_keys=_links(name, rules, names, target),
            checks=checks,
            indexes=tuple(
                found
                for index in self._indexes[relation.oid]
                if (found := _index(index, names)) is not None
            ),
            comment=relation.comment or None,
            definition=relation.definition.strip() if relation.definition else None,
            options=(
                *_traits(relation),
                *_named_traits(rules, self._indexes[relation.oid]),
            ),
        )

    def _column(self, attribute: Attribute, members: Mapping[str, tuple[str, ...]]) -> Column:
        chain = self._types.chain(attribute.type)
        domains = chain[:-1]
        inherited = next((t.default for t in domains if t.default), None)
        is_computed = bool(attribute.generated)
        default = None if is_computed else attribute.expression or inherited
        return Column(
            name=attribute.name,
            native_type=self._types.with_fields(attribute.type, attribute.native_type),
            family=self._types.family(attribute.type, attribute.native_type),
            nullable=not (attribute.not_null or any(t.not_null for t in domains)),
            default=default,
            generated=None
            if not is_computed
            else "virtual"
            if attribute.generated == "v"
            else "stored",
            expression=attribute.expression if is_computed else None,
            identity=bool(attribute.identity) or "nextval(" in (default or ""),
            comment=attribute.comment or None,
            enum_members=tuple(chain[-1].members if chain else ())
            or members.get(attribute.name, ()),
        )

    def _checks(self, rules: Iterable[Constraint], shown: Iterable[Attribute]) -> tuple[Check, ...]:
        # An exclusion has no record of its own; as a check it is withheld where checks are.
        own = [Check(k.text, k.name) for k in rules if k.kind in "cx" and k.text]
        of_domains = [
            check
            for attribute in shown
            for domain in self._types.chain(attribute.type)
            if domain.kind == "d"
            for check in domain.checks(attribute.name)
        ]
        return tuple(sorted([*own, *of_domains], key=lambda c: (c.expression, c.name or "")))


def _keys(rules: Iterable[Constraint], kind: str, names: Mapping[int, str]) -> tuple[Key, ...]:
    found = (Key(tuple(names[n] for n in k.key or ()), k.name) for k in rules if k.kind == kind)
    return tuple(sorted(found, key=lambda k: (k.columns, k.name or "")))


def _links(
    table: str,
    rules: Iterable[Constraint],
    names: Mapping[int, str],
    target: Callable[[Constraint], str],
) -> tuple[Link, ...]:
    links: dict[object, Link] = {}
    for rule in rules:
        if rule.kind != "f":
            continue
        link = Link(
            table=table,
            columns=tuple(names[n] for n in rule.key or ()),
            to_table=target(rule),
            to_columns=tuple(rule.target_columns or ()),
            name=rule.name,
        )
        links.setdefault(link.key, link)  # the same key twice is one
    return tuple(sorted(links.values(), key=lambda k: (k.columns, k.to_table, k.to_columns)))


def _index(row: IndexRow, names: Mapping[int, str]) -> Index | None:
    """Return an index of the login's columns; one that isn't whole yet makes nothing unique."""
    terms: list[str] = []
    for place, number in enumerate(map(int, row.key.split()[: row.length])):
        term = names.get(number) if number else (row.expressions or ())[place]
        if term is None:
            return None
        terms.append(term)
    return Index(row.name, tuple(terms), row.is_unique and row.is_valid, row.where)


def _traits(relation: Relation) -> Iterable[str]:
    if relation.persistence == "u":
        yield "UNLOGGED"
    if relation.partition_key:
        yield f"PARTITION BY {relation.partition_key}"
    if relation.server:
        yield f"SERVER {relation.server}"
    if relation.has_row_security:
        yield "ROW LEVEL SECURITY"
    if not relation.is_populated:
        yield "WITH NO DATA"


def _named_traits(rules: Iterable[Constraint], indexes: Iterable[IndexRow]) -> Iterable[str]:
    """Yield what keys, checks and indexes have no place for, e.g. `NOT VALID: one, another`."""
    names: dict[str, list[str]] = defaultdict(list)
    for rule in rules:
        if not rule.is_valid:
            names["NOT VALID"].append(rule.name)
        if rule.is_deferrable:
            names["INITIALLY DEFERRED" if rule.is_deferred else "DEFERRABLE"].append(rule.name)
        if rule.kind == "f" and rule.match in _MATCHES:
            names[_MATCHES[rule.match]].append(rule.name)
        if rule.nulls_are_equal:
            names["NULLS NOT DISTINCT"].append(rule.name)
    for index in indexes:
        if not index.is_valid:
            names["INVALID"].append(index.name)
        if index.nulls_are_equal:
            names["NULLS NOT DISTINCT"].append(index.name)
    for trait, found in sorted(names.items()):
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        yield f"{trait}: {', '.join(found[:_SHOWN])}{more}"
