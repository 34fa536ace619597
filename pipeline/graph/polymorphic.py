"""References of one column to several tables, told apart by a type column."""

from __future__ import annotations

from pipeline import sql_names
from pipeline.errors import did_you_mean
from pipeline.graph.codes import error, warning
from pipeline.graph.conditions import filtered, literal
from pipeline.graph.entities import Resolved
from pipeline.graph.links import new_link
from pipeline.graph.measure import Probe
from pipeline.joins import JoinStep
from schemas.facts import Catalog, Table
from schemas.knowledge import Polymorphic, PolymorphicTarget, Relation
from schemas.results import Problem

SHOWN_TYPES = 10


def step(
    reference: Polymorphic,
    target: PolymorphicTarget,
    ends: tuple[Resolved, Resolved],
    catalog: Catalog,
    problems: list[Problem],
) -> JoinStep | None:
    """Return the join to one target, restricted to its type; None with a problem."""
    table, there = ends[0].table, ends[1].table
    assert table is not None
    assert there is not None
    column = _column(reference.column, table, problems)
    type_column = _column(reference.type_column, table, problems)
    if column is None or type_column is None:
        return None
    if len(ends[1].key) != 1:
        message = f"{ends[1].entity.name} has no key of one column for {table.name}.{column}"
        problems.append(error("KG119", message, "name the column that is referred to in `key:`"))
        return None
    owner = sql_names.table(table.name, catalog.dialect)
    quoted = sql_names.quote(type_column, catalog.dialect)
    condition = f"{owner}.{quoted} = {literal(target.type, catalog.dialect)}"
    return JoinStep(new_link(table, (column,), there, ends[1].key, condition), forward=True)


def _column(name: str, table: Table, problems: list[Problem]) -> str | None:
    owner, _, bare = name.rpartition(".")
    own = ("", table.name.casefold(), table.object_name.casefold())
    column = table.column(bare) if owner.casefold() in own else table.column(name)
    if column is None:
        columns = [c.name for c in table.columns]
        fix = did_you_mean(bare, columns, f"use one of {', '.join(columns[:8])}")
        message = f"its polymorphic reference: table {table.name} has no column `{name}`"
        problems.append(error("KG119", message, fix))
        return None
    return column.name


class StoredTypes:
    """The types that the data holds, counted once per reference, and told once per relation."""

    def __init__(self, probe: Probe | None) -> None:
        self.probe = probe
        self._counts: dict[tuple[str, tuple[str, ...], str, str], dict[str, int]] = {}
        self._told: set[int] = set()

    def problems(self, relation: Relation, subject: Resolved, target: str) -> list[Problem]:
        """Return what is wrong with the types of one target; untargeted ones on the first."""
        reference = relation.polymorphic
        assert reference is not None
        stored = self._stored(reference, subject)
        mine = [t.type for t in reference.targets if t.object == target]
        problems = [_missing(text, stored) for text in mine if text not in stored]
        others = sorted(set(stored) - {t.type for t in reference.targets})
        if others and id(relation) not in self._told:
            self._told.add(id(relation))
            listed = ", ".join(f"'{text}' ({stored[text]:,})" for text in others[:SHOWN_TYPES])
            more = f" and {len(others) - SHOWN_TYPES} more" if len(others) > SHOWN_TYPES else ""
            message = f"stored types without a target: {listed}{more}"
            problems.append(warning("KG118", message, "add a target per type"))
        return problems

    def _stored(self, reference: Polymorphic, subject: Resolved) -> dict[str, int]:
        assert self.probe is not None
        table = subject.table
        assert table is not None
        column = _column(reference.column, table, [])
        type_column = _column(reference.type_column, table, [])
        assert column is not None
        assert type_column is not None
        known = (table.name, subject.filters, column, type_column)
        if known not in self._counts:
            source = filtered(table, subject.filters, self.probe.catalog)
            self._counts[known] = self.probe.types(source, column, type_column)
        return self._counts[known]


def _missing(text: str, stored: dict[str, int]) -> Problem:
    padded = [value for value in stored if value.strip() == text.strip()]
    known = padded or list(stored)[:SHOWN_TYPES]
    otherwise = f"stored are {', '.join(repr(value) for value in known) or 'none'}"
    fix = f"write it as stored: {padded[0]!r}" if padded else did_you_mean(text, stored, otherwise)
    return warning("KG117", f"type '{text}' doesn't occur in the data", fix)
