"""How the items that people wrote, and views, use the columns that they use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from schemas.facts import Catalog, Table
from schemas.knowledge import (
    Entity,
    Example,
    GlossaryTerm,
    GoldenQuestion,
    KnowledgeGraph,
    Metric,
    Relation,
    Relationship,
    Semantic,
)
from schemas.references import Item, References, Use

if TYPE_CHECKING:
    from pipeline.lineage.outputs import Output, Source
    from pipeline.lineage.roles import Role
    from pipeline.lineage.tables import Tables

Place = tuple[str, str]


@dataclass(frozen=True)
class Knowledge:
    """What people wrote about a catalogue, and what of it uses which columns."""

    catalog: Catalog
    references: References
    semantic: Semantic = field(default_factory=Semantic)
    graph: KnowledgeGraph = field(default_factory=KnowledgeGraph)
    questions: tuple[GoldenQuestion, ...] = ()

    def uses(self, table: str, column: str | None = None) -> tuple[Use, ...]:
        """Return the uses of a column, or of a table with all its columns, one per item."""
        found: dict[Item, Use] = {}
        for use in self.references.of(table, column):
            found.setdefault(use.item, use)
        return tuple(found.values())

    def views_on(self, table: str, column: str | None = None) -> tuple[Table, ...]:
        """Return the views whose own text uses a column, or a table."""
        names = dict.fromkeys(u.item.name for u in self.uses(table, column) if _is_view(u.item))
        return tuple(self.catalog.by_name[name] for name in names if name != table)

    def roles(self, item: Item) -> tuple[Role, ...]:
        """Return what the item's statements do with columns; none where it has no statement."""
        known = self._roles.get(item)
        if known is None:
            known = self._roles[item] = tuple(self._read_roles(item))
        return known

    def joined(self, item: Item) -> frozenset[Place]:
        """Return the columns by which an item joins rows to others."""
        found = {role.place for role in self.roles(item) if role.kind == "joined"}
        if item.kind in ("relationship", "relation", "question"):
            placed = self.references.by_item[item]
            found |= {(u.table, u.column) for u in placed if u.column and u.by == "place"}
            if item.kind == "relation" and (said := self.relation(item).polymorphic):
                kind = said.type_column.casefold()
                found = {place for place in found if place[1].casefold() != kind}
        return frozenset(found)

    def outputs(self, view: str) -> dict[str, Output]:
        """Return the columns of a view, each with the stored or view's columns behind it."""
        known = self._outputs.get(view)
        if known is None:
            from pipeline.lineage.views import view_columns

            known = view_columns(self.catalog.by_name[view], self._tables)
            self._outputs[view] = known
        return known

    def entity_key(self, item: Item) -> tuple[str | None, tuple[str, ...]]:
        """Return the table of an entity, and the columns that tell its things apart."""
        used = self.references.by_item[item]
        name = next((use.table for use in used if use.column is None), None)
        table = self.catalog.by_name.get(name or "")
        if table is None:
            return None, ()
        key = self._said_key(self.graph.entities[_number(item)])
        if not key and table.primary_key:
            return name, table.primary_key.columns
        return name, tuple(c.name if (c := table.column(text)) else text for text in key)

    def _said_key(self, entity: Entity) -> tuple[str, ...]:
        """Return the key that people gave an entity, or the nearest of its parents that has one."""
        by_name = {other.name: other for other in self.graph.entities}
        seen = {entity.name}
        while not entity.key and entity.is_a in by_name and entity.is_a not in seen:
            entity = by_name[entity.is_a]
            seen.add(entity.name)
        return entity.key

    def relation(self, item: Item) -> Relation:
        """Return the relation that an item is."""
        return self.graph.relations[_number(item)]

    def meanings(self, item: Item) -> dict[str, str]:
        """Return a code list."""
        table = self.semantic.tables.get(str(item.keys[1]))
        column = table.columns.get(str(item.keys[3])) if table else None
        return column.values if column else {}

    def description(self, item: Item) -> str:
        """Return what is said of a column."""
        table = self.semantic.tables.get(str(item.keys[1]))
        column = table.columns.get(str(item.keys[3])) if table else None
        return column.description if column else ""

    def has_codes(self, item: Item) -> bool:
        """Whether the codes of the column of this item have a list of their own."""
        return bool(self.meanings(item))

    # -- reading ------------------------------------------------------------------------------

    @cached_property
    def _tables(self) -> Tables:
        from pipeline.lineage.tables import Tables

        return Tables(self.catalog)

    @cached_property
    def _roles(self) -> dict[Item, tuple[Role, ...]]:
        return {}

    @cached_property
    def _outputs(self) -> dict[str, dict[str, Output]]:
        return {}

    def _read_roles(self, item: Item) -> Iterator[Role]:
        from pipeline.lineage.parsing import UnreadableError
        from pipeline.lineage.roles import roles

        for sql in self._statements(item):
            try:
                over = () if _is_view(item) else self._over(item)
                yield from roles(sql, self._tables, over, engines_own=_is_view(item))
            except UnreadableError:
                continue  # it is told by the references

    def _statements(self, item: Item) -> tuple[str, ...]:
        if _is_view(item):
            return _given(self.catalog.by_name[item.name].definition)
        if item.file == "knowledge_graph.yaml":
            if item.kind == "filter":
                return _given(self.graph.entities[_number(item)].filter)
            if item.kind == "relation":
                relation = self.relation(item)
                return _given(relation.on, relation.condition)
            return ()
        lists: dict[str, Sequence[Metric | Example | GlossaryTerm | GoldenQuestion]] = {
            "metric": self.semantic.metrics,
            "example": self.semantic.examples,
            "glossary": self.semantic.glossary,
            "question": self.questions,
        }
        if item.kind in lists:
            return _given(lists[item.kind][_number(item)].sql)
        if item.kind == "relationship":
            return _given(self._relationship(item).condition)
        return ()

    def _relationship(self, item: Item) -> Relationship:
        return self.semantic.relationships[_number(item)]

    def _over(self, item: Item) -> list[Source]:
        """Return what the columns of a condition are of, under every name that may stand there."""
        from pipeline.lineage.outputs import Source

        names = {use.table: use.table for use in self.references.by_item[item]}
        sources = []
        for name in names:
            table = self.catalog.by_name[name]
            called = {table.object_name, table.name, *self._entities_of(name)}
            called |= {text.casefold() for text in called}
            shape = self._tables.shape(table, in_any_case=True)
            sources.append(Source(tuple(sorted(called)), shape, table.name))
        return sources

    def _entities_of(self, table: str) -> Iterator[str]:
        by_name = {entity.name: entity for entity in self.graph.entities}
        for entity in self.graph.entities:
            seen, here = set(), entity
            while not here.table and here.is_a in by_name and here.is_a not in seen:
                seen.add(here.is_a)
                here = by_name[here.is_a]
            found = self.catalog.find(here.table) if here.table else None
            if found is not None and found.name == table:
                yield entity.name


def _is_view(item: Item) -> bool:
    return item.kind == "view"


def _number(item: Item) -> int:
    return next(key for key in item.keys if isinstance(key, int))


def _given(*texts: str | None) -> tuple[str, ...]:
    return tuple(text for text in texts if text)
