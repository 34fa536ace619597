"""Verify entities and relations on the data, and list every link there is.

Reads   catalog.json        from `scan`
        profile.json        from `profile`
        semantic.yaml       people's relationships; may be absent
        knowledge_graph.yaml people's entities and relations; may be absent
        the data, read-only
Writes  graph.json          shape: schemas/graph.schema.json

An item fails on an error and stands with a warning; `codes.CODES` says what each code means.
Without a database an item that an earlier run verified keeps what was measured as long as it is
the same; every other one is `unverified`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from pipeline import artifacts
from pipeline.authored import (
    Document,
    GraphDocument,
    read_knowledge_graph,
    read_semantic,
    relationship_faults,
)
from pipeline.database.connect import open_database
from pipeline.database.source import Source
from pipeline.errors import ArtifactError, PassingError, SourceError
from pipeline.graph import entities, links, polymorphic, relations
from pipeline.graph.measure import Probe
from pipeline.graph.paths import Router
from pipeline.joins import JoinGraph
from pipeline.text import counted
from schemas.facts import Catalog, Link, Profile
from schemas.knowledge import KnowledgeGraph, Relation, Semantic
from schemas.results import Graph, GraphEntity, GraphRelation, Problem

log = logging.getLogger("dblore.graph")


def build(
    *,
    catalog: Path,
    profile: Path,
    semantic: Path,
    knowledge_graph: Path,
    out: Path,
    source: Source | None,
    again: Callable[[], None] = lambda: None,
) -> str:
    """Verify the knowledge graph and write graph.json; return one line about it.

    Args:
        catalog: catalog.json.
        profile: profile.json.
        semantic: semantic.yaml, or a path where nothing is.
        knowledge_graph: knowledge_graph.yaml, or a path where nothing is: links only.
        out: graph.json; what stands there is kept for items that can't be measured now.
        source: the database; None when it can't be reached.
        again: told when it was reached, but not read for a reason that passes.

    Raises:
        ArtifactError: catalog.json or profile.json is missing.
        SettingError: a YAML file can't be used.
    """
    facts = artifacts.read(catalog, Catalog)
    document = read_knowledge_graph(knowledge_graph)
    meaning = read_semantic(semantic)
    with ExitStack() as stack:
        probe = None
        if source is not None:
            try:
                probe = Probe(stack.enter_context(open_database(source)), facts)
            except SourceError as failure:
                log.warning("%s; nothing is measured", failure.problem)
        known = (facts, artifacts.read(profile, Profile), meaning.semantic, document.graph)
        try:
            graph = verify(*known, probe)
        except PassingError as failure:  # measured is all or nothing: what was stays
            log.warning("%s; nothing is measured before the next build", failure.problem)
            probe = None
            graph = verify(*known, probe)
            again()
    if probe is None:
        graph = _with_earlier(graph, out)
    _tell(graph, document, meaning, facts)
    artifacts.write(out, graph)
    return _account(graph)


def verify(
    catalog: Catalog,
    profile: Profile,
    semantic: Semantic,
    authored: KnowledgeGraph,
    probe: Probe | None,
) -> Graph:
    """Return the graph; without a probe nothing is measured and items are unverified."""
    declared, dangling = links.declared(catalog, profile)
    curated, misstated = links.curated(semantic.relationships, catalog, probe)
    inferred = links.inferred(profile, catalog)
    known = links.finished(links.merged([*declared, *curated, *inferred]), profile)

    resolved = entities.resolve(authored.entities, catalog)
    graph_entities = entities.measured(resolved, profile, probe)
    related, added = _relate(authored, resolved, known, catalog, probe)

    parts = frozenset(item.entity.name for item in graph_entities if item.filter)
    every = links.merged(relations.enriched([*known, *added], related, parts))
    done = links.finished(every, profile)
    return Graph(
        entities=tuple(graph_entities),
        relations=tuple(_relinked(relation, done) for relation in related),
        links=tuple(done),
        problems=(*dangling, *misstated),
    )


def _relate(
    authored: KnowledgeGraph,
    resolved: list[entities.Resolved],
    known: list[Link],
    catalog: Catalog,
    probe: Probe | None,
) -> tuple[list[GraphRelation], list[Link]]:
    """Return the relations as authored and the links that they brought in.

    Those that state new joins come first, since `via` may name them, and those that leave the
    path to the planner last.
    """
    by_name: dict[str, entities.Resolved] = {}
    for item in resolved:
        by_name.setdefault(item.entity.name.casefold(), item)
    stored = polymorphic.StoredTypes(probe)
    done: dict[int, list[GraphRelation]] = {}
    added: list[Link] = []
    for turn in range(3):
        router = Router(catalog, JoinGraph([*known, *added]), [*known, *added])
        for number, relation in enumerate(authored.relations):
            if _turn(relation) == turn:
                plans = relations.plan(relation, by_name, router)
                done[number] = [relations.measured(plan, probe, stored) for plan in plans]
        have = {link.key for link in added}
        items = [item for number in sorted(done) for item in done[number]]
        found = [link for link in relations.new_links(items) if link.key not in have]
        added += [links.measured(link, probe, []) for link in found]
    ordered = [item for number in sorted(done) for item in done[number]]
    return relations.marked(ordered), added


def _turn(relation: Relation) -> int:
    if relation.on or relation.polymorphic:
        return 0
    return 1 if relation.via else 2


def _relinked(relation: GraphRelation, known: list[Link]) -> GraphRelation:
    """Give the relation's links the cost and label that they have in the list of all links."""
    by_key = {link.key: link for link in known}
    done = []
    for link in relation.links:
        same = by_key.get(link.key)
        done.append(replace(link, cost=same.cost, label=same.label) if same else link)
    return replace(relation, links=tuple(done))


def _with_earlier(graph: Graph, out: Path) -> Graph:
    """Keep what an earlier run measured of items that are still the same."""
    try:
        earlier = artifacts.read(out, Graph)
    except ArtifactError:
        return graph
    old_entities = {_entity_key(item): item for item in earlier.entities}
    old_relations = {_relation_key(item): item for item in earlier.relations}
    old_links = {link.key: link for link in earlier.links}
    kept = [
        old_entities.get(_entity_key(item), item) if item.status == "unverified" else item
        for item in graph.entities
    ]
    same = {item.entity.name for item in kept if item.status == "verified"}
    return replace(
        graph,
        entities=tuple(kept),
        relations=tuple(
            old_relations.get(_relation_key(item), item)
            if item.status == "unverified" and {item.subject, item.object} <= same
            else item
            for item in graph.relations
        ),
        links=tuple(_link_with_earlier(link, old_links.get(link.key)) for link in graph.links),
    )


def _entity_key(item: GraphEntity) -> tuple[object, ...]:
    return (repr(item.entity), item.table, item.key, item.filter)


def _relation_key(item: GraphRelation) -> tuple[object, ...]:
    joins = tuple(link.key for link in item.links)
    return (repr(item.relation), item.subject, item.predicate, item.object, joins)


def _link_with_earlier(link: Link, earlier: Link | None) -> Link:
    is_unmeasured = link.evidence is None or link.evidence.method is None
    if earlier is None or not is_unmeasured or link.origin != earlier.origin:
        return link
    return replace(link, evidence=earlier.evidence or link.evidence)


_TOO_SLOW = frozenset({"KG015", "KG112", "KG205"})
"""Codes of what was not measured in time: it is said, for the item stays unverified."""


def _tell(graph: Graph, document: GraphDocument, meaning: Document, catalog: Catalog) -> None:
    """Log what failed or took too long, with its line; other warnings stay in graph.json."""
    for problem in graph.problems:
        _tell_of(_place_of(problem, meaning, catalog), problem)
    for number, entity in enumerate(graph.entities):
        place = document.where("entities", number)
        for problem in entity.problems:
            _tell_of(f"{place}: entity {entity.entity.name}: ", problem)
    for relation in graph.relations:
        name = f"{relation.subject} {relation.predicate} {relation.object}".rstrip()
        place = document.where("relations", _number(relation.relation, document.graph.relations))
        for problem in relation.problems:
            _tell_of(f"{place}: relation {name}: ", problem)


def _number(relation: Relation, among: Sequence[Relation]) -> int:
    """Return the place of a relation; of equal ones it is the very one that counts."""
    for number, other in enumerate(among):
        if other is relation:
            return number
    return among.index(relation) if relation in among else 0


def _place_of(problem: Problem, meaning: Document, catalog: Catalog) -> str:
    """Return `semantic.yaml:line:column: ` of what is wrong in a relationship; '' for others."""
    for number, relationship in enumerate(meaning.semantic.relationships):
        called = re.escape(links.title(relationship))
        if re.search(rf"{called}(?=: | pairs | names )", problem.message):
            fault = next(relationship_faults(meaning, number, catalog), None)
            place = fault.place if fault is not None else ("relationships", number)
            return f"{meaning.where(*place)}: "
    return ""


def _tell_of(where: str, problem: Problem) -> None:
    if problem.severity == "error" or problem.code in _TOO_SLOW:
        log.warning("%s%s %s (%s)", where, problem.code, problem.message, problem.fix)


def _account(graph: Graph) -> str:
    parts = len(JoinGraph(graph.links).parts())
    text = f"{counted(len(graph.links), 'link')} in {counted(parts, 'connected part')}"
    items: list[GraphEntity | GraphRelation] = [*graph.entities, *graph.relations]
    if not items:
        return text
    text += f", {len(graph.entities)} entities, {len(graph.relations)} relations"
    for status in ("failed", "unverified"):
        count = sum(item.status == status for item in items)
        if count:
            text += f", {count} {status}"
    return text
