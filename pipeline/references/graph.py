"""What the entities and relations of knowledge_graph.yaml use."""

from __future__ import annotations

from pathlib import Path

from pipeline.authored import GraphDocument
from pipeline.references.gathering import File, Gathering, Keys
from pipeline.references.semantic import named
from pipeline.references.statements import Named
from schemas.facts import Link, Table
from schemas.knowledge import Entity, KnowledgeGraph, Relation
from schemas.references import Item
from schemas.results import Graph


def as_document(measured: Graph) -> GraphDocument:
    """Return what knowledge_graph.yaml said when graph.json was written, without its lines."""
    relations: list[Relation] = []
    for known in measured.relations:  # a polymorphic one stands there once for each target
        is_again = relations[-1:] == [known.relation]
        if not (known.relation.polymorphic and is_again):
            relations.append(known.relation)
    entities = tuple(known.entity for known in measured.entities)
    return GraphDocument(Path("knowledge_graph.yaml"), KnowledgeGraph(entities, tuple(relations)))


def gather(document: GraphDocument, gathering: Gathering, measured: Graph | None) -> None:
    """Note the items of a knowledge_graph.yaml; `measured` tells which joins relations take."""
    file = gathering.of_file(document.path.name, document.positions)
    entities = {entity.name: entity for entity in reversed(document.graph.entities)}
    for number, entity in enumerate(document.graph.entities):
        _entity(entity, ("entities", number), entities, file)
    links: dict[Relation, list[Link]] = {}
    for known in measured.relations if measured else ():
        links.setdefault(known.relation, []).extend(known.links)
    for number, relation in enumerate(document.graph.relations):
        item = file.item(
            "relation",
            ("relations", number),
            " ".join(filter(None, (relation.subject, relation.predicate, relation.object))),
        )
        _relation(relation, item, entities, file)
        for link in links.get(relation, ()):
            for table, columns in ((link.table, link.columns), (link.to_table, link.to_columns)):
                for column in columns:
                    file.use(item, table, column)


def _table_of(entity: Entity, entities: dict[str, Entity]) -> str:
    """Return how the entity's table is called, or its parent's; '' where none is named."""
    seen = {entity.name}
    while not entity.table and entity.is_a in entities and entity.is_a not in seen:
        entity = entities[entity.is_a]
        seen.add(entity.name)
    return entity.table


def _entity(entity: Entity, keys: Keys, entities: dict[str, Entity], file: File) -> None:
    item = file.item("entity", keys, entity.name)
    name = _table_of(entity, entities)
    table = file.table(item, name, (*keys, "table")) if name else None
    if table is not None:
        for number, column in enumerate(entity.key):
            file.column(item, table, column, (*keys, "key", number))
        if entity.label:
            file.column(item, table, entity.label, (*keys, "label"))
        for number, column in enumerate(entity.attributes):
            file.column(item, table, column, (*keys, "attributes", number))
        if entity.filter:
            condition = file.item("filter", (*keys, "filter"), entity.name)
            over = [named(table, entity.name)]
            file.sql(condition, entity.filter, (*keys, "filter"), over)
    file.prose(item, entity.description, (*keys, "description"), (table,) if table else ())


def _relation(relation: Relation, item: Item, entities: dict[str, Entity], file: File) -> None:
    keys = item.keys
    targets = relation.polymorphic.targets if relation.polymorphic else ()
    ends = [(relation.subject, "subject")]
    ends += [(relation.object, "object")] if relation.object else []
    ends += [(target.object, "polymorphic") for target in targets]
    over: dict[str, Named] = {}
    tables: dict[str, Table] = {}
    for name, key in ends:
        entity = entities.get(name)
        table = file.catalog.find(_table_of(entity, entities)) if entity else None
        if entity is None:
            near = next((e for e in entities if e.casefold() == name.casefold()), None)
            file.lack(item, name, f"there is no entity `{name}`", near, (*keys, key))
        elif table is not None:  # else the entity says so
            file.use(item, table.name)
            tables[table.name] = table
            over[name] = named(table, name, any_case=True)
    subject = over.get(relation.subject)
    if relation.polymorphic and subject:
        for key in ("column", "type_column"):
            column = getattr(relation.polymorphic, key)
            file.column(item, subject.table, column, (*keys, "polymorphic", key))
    for number, column in enumerate(relation.via):
        through = file.place(item, column, (*keys, "via", number))
        if through is not None and through.name not in tables:
            tables[through.name] = through
            over[through.name] = named(through, any_case=True)
    for key in ("on", "condition"):
        text = getattr(relation, key)
        if text and len(over) >= len({name for name, _ in ends}):
            file.sql(item, text, (*keys, key), list(over.values()))
    file.prose(item, relation.description, (*keys, "description"), tables.values())
