"""DL5xx: joins, entities and relations, as they were measured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pipeline.authored import find_column
from pipeline.lint.rule import GRAPH, SEMANTIC, Found, Keys, Rule
from pipeline.lint.world import World, shown
from schemas.models import Graph, GraphEntity, GraphRelation, Link, Problem, Relationship

_KNOWN_ORPHANS = re.compile(
    r"\b(?:orphan|unmatched|dangling|joins? to nothing|finds? nothing|finds? no|match(?:es)? no|"
    r"no longer exist|doesn't exist|don't exist|never migrated|without a|may be missing|left join|"
    r"lacks?|broken)\b",
    re.IGNORECASE,
)
_UNMEASURED = frozenset({"KG015", "KG112", "KG205"})
_ORPHANS = frozenset({"KG114", "KG207"})
_ELSEWHERE = frozenset(
    {"KG001", "KG003", "KG004", "KG009", "KG101", "KG104", "KG119", "KG202", "KG203"}
)
"""Told by the rules on names."""
_FOLLOWS = frozenset({"KG007", "KG102"})
"""Told at the entity that failed."""
_FINE = frozenset({"KG014", "KG110", "KG116", "KG201"})
"""Worth knowing, nothing that people could mend in their files."""


def _unmeasured(world: World) -> Iterator[Found]:
    if world.graph is None or world.catalog.structure_only:
        return
    curated = {link.key: link for link in world.graph.links if link.origin == "curated"}
    for number, relationship in enumerate(world.semantic.relationships):
        link = _resolved(world, relationship)
        if link is None:
            continue
        found = curated.get(link.key) or _alike(link, curated.values())
        if found is None or found.evidence is None or found.evidence.rows is None:
            yield Found(
                f"relationship {_title(relationship)}",
                f"nobody measured the join {_title(relationship)}",
                f"run {world.command('build')} where the database can be reached",
                ("relationships", number),
            )
    for item in _items(world.graph):
        if item.status == "unverified" or _codes(item.problems) & _UNMEASURED:
            target, place = _graph_place(world, item)
            if not place:
                continue
            why = next((p.message for p in item.problems if p.code in _UNMEASURED), "")
            yield Found(
                target,
                f"nobody measured the {target}" + (f": {why}" if why else ""),
                f"run {world.command('build')} where the database can be reached",
                place,
                GRAPH,
            )


def _items(graph: Graph) -> Iterator[GraphEntity | GraphRelation]:
    yield from graph.entities
    yield from graph.relations


def unmeasured_places(world: World) -> frozenset[tuple[str, Keys]]:
    """Return file and place of the joins and relations that nobody measured."""
    if world.graph is None:
        count = len(world.semantic.relationships)
        places = [(SEMANTIC, ("relationships", number)) for number in range(count)]
        count = len(world.graph_document.graph.relations)
        return frozenset(places + [(GRAPH, ("relations", number)) for number in range(count)])
    known = {item.relation for item in world.graph.relations if item.status == "verified"}
    relations = world.graph_document.graph.relations
    found = {(GRAPH, ("relations", n)) for n, r in enumerate(relations) if r not in known}
    return frozenset(found | {(found.file, found.place) for found in world.found("DL501")})


def _alike(link: Link, curated: Iterable[Link]) -> Link | None:
    ends = {(link.table, link.columns), (link.to_table, link.to_columns)}
    same = [
        other
        for other in curated
        if {(other.table, other.columns), (other.to_table, other.to_columns)} == ends
        and bool(other.condition) == bool(link.condition)
    ]
    return same[0] if same else None


def _resolved(world: World, relationship: Relationship) -> Link | None:
    """Return the relationship as a link; None where a name is wrong."""
    sides = []
    for texts in (relationship.from_columns, relationship.to_columns):
        found = [find_column(text, world.catalog) for text in texts]
        tables = {table.name for table, column in found if table and column}
        if len(tables) != 1 or not all(column for _, column in found):
            return None
        sides.append((tables.pop(), tuple(c.name for _, c in found if c)))
    (table, columns), (to_table, to_columns) = sides
    return Link(table, columns, to_table, to_columns, "curated", condition=relationship.condition)


def _title(relationship: Relationship) -> str:
    pairs = zip(relationship.from_columns, relationship.to_columns, strict=False)
    shown_pairs = " and ".join(f"{one} = {other}" for one, other in pairs)
    return shown_pairs + (f" ({shown(relationship.condition)})" if relationship.condition else "")


def _orphans(world: World) -> Iterator[Found]:
    if world.graph is not None:
        curated = {link.key: link for link in world.graph.links if link.origin == "curated"}
        for number, relationship in enumerate(world.semantic.relationships):
            link = _resolved(world, relationship)
            found = link and (curated.get(link.key) or _alike(link, curated.values()))
            if found and found.evidence and found.evidence.orphans:
                said = [relationship.description]
                if not _is_said(world, said, (found.table, found.to_table)):
                    yield _orphaned(
                        f"relationship {_title(relationship)}",
                        ("relationships", number),
                        found,
                    )
        yield from _unmatched(world)
    for link in world.profile.broken_keys if world.profile else ():
        if not _is_said(world, [link.description or ""], (link.table, link.to_table)):
            yield _orphaned(
                f"foreign key {link.table}.{', '.join(link.columns)}",
                ("tables", link.table, "columns", link.columns[0]),
                link,
            )


def _orphaned(target: str, place: Keys, link: Link) -> Found:
    evidence = link.evidence
    assert evidence is not None
    rows = f" of {evidence.rows:,}" if evidence.rows else ""
    return Found(
        target,
        f"{evidence.orphans or 0:,}{rows} references of the {target} find no row in "
        f"{link.to_table}",
        "say so in the description or a note of the table (an inner join loses those rows), or "
        "mend "
        "the data",
        place,
    )


def _unmatched(world: World) -> Iterator[Found]:
    assert world.graph is not None
    for item in world.graph.relations:
        links = {name for link in item.links for name in (link.table, link.to_table)}
        if item.unmatched and not _is_said(world, [item.relation.description], links):
            target, place = _graph_place(world, item)
            if not place:
                continue  # it isn't written any more
            yield Found(
                target,
                f"{item.unmatched:,} references of the {target} find nothing",
                "say so in its description, or mend the data",
                place,
                GRAPH,
                what=item.object,
            )


def _is_said(world: World, said: list[str], tables: Iterable[str]) -> bool:
    """Whether people know that references are lost, and say so."""
    for name in tables:
        card = world.cards.get(name)
        table = world.catalog.by_name.get(name)
        if card is not None:
            said = [*said, card.description, *card.notes]
        elif table is not None and table.comment:
            said = [*said, table.comment]
    return any(_KNOWN_ORPHANS.search(text) for text in said)


def _failed(world: World) -> Iterator[Found]:
    yield from _problems(world, "error")


def _doubtful(world: World) -> Iterator[Found]:
    yield from _problems(world, "warning")


def _problems(world: World, severity: str) -> Iterator[Found]:
    if world.graph is None:
        return
    told = _UNMEASURED | _ORPHANS | _ELSEWHERE | _FOLLOWS | _FINE
    empty = {e.entity.name for e in world.graph.entities if "KG011" in _codes(e.problems)}
    for item in _items(world.graph):
        target, place = _graph_place(world, item)
        for problem in item.problems:
            follows = problem.code in told or (
                problem.code == "KG113"
                and isinstance(item, GraphRelation)
                and {item.subject, item.object} & empty
            )
            if problem.severity == severity and not follows and place:
                yield _passed_on(target, problem, place, GRAPH)
    for problem in world.graph.problems:
        if problem.severity == severity and problem.code not in told:
            yield _passed_on(problem.message, problem, ("relationships",), "semantic.yaml")


def _passed_on(target: str, problem: Problem, place: Keys, file: str) -> Found:
    return Found(
        target,
        f"{problem.message} ({problem.code})",
        problem.fix or "see what was measured: dblore build, then docs/README.md",
        place,
        file,
        what=problem.code,
    )


def _codes(problems: tuple[Problem, ...]) -> set[str]:
    return {problem.code for problem in problems}


def _graph_place(world: World, item: GraphEntity | GraphRelation) -> tuple[str, Keys]:
    """Return how messages call an item of graph.json, and where it is written."""
    graph = world.graph_document.graph
    if isinstance(item, GraphEntity):
        number = next(
            (n for n, entity in enumerate(graph.entities) if entity.name == item.entity.name), None
        )
        place = () if number is None else ("entities", number)
        return f"entity {item.entity.name}", place
    number = next((n for n, r in enumerate(graph.relations) if r == item.relation), None)
    target = f"relation {item.subject} {item.predicate} {item.object}"
    return target, (() if number is None else ("relations", number))


RULES = (
    Rule(
        "DL501",
        "join-unmeasured",
        "warning",
        "A join under `relationships:`, an entity or a relation that was never run on the data.",
        "It may match nothing, or multiply rows.",
        "Build where the database can be reached.",
        "relationships:\n  - {from: a.x, to: b.x}  # nobody measured the join a.x = b.x",
        _unmeasured,
    ),
    Rule(
        "DL502",
        "references-without-row",
        "warning",
        "A join, relation or declared key some of whose references find no row, and no "
        "description or "
        "note of the tables says so.",
        "An inner join loses those rows silently.",
        "Say it where the tables are described (`join to nothing`, `orphans`), or mend the data.",
        "relationships:\n  - {from: notes.cust_no, to: customers.cust_no}  # 13 of 900 "
        "references …",
        _orphans,
    ),
    Rule(
        "DL503",
        "graph-item-failed",
        "error",
        "An entity, relation or join that failed when it was verified; the code in brackets is "
        "explained in [knowledge_graph.yaml](knowledge-graph.md).",
        "A failed item isn't used: what people wrote has no effect.",
        "Follow the message.",
        "entities:\n  - {name: Late Order, table: orders, filter: state = 9}  # … (KG010)",
        _failed,
    ),
    Rule(
        "DL504",
        "graph-item-doubtful",
        "warning",
        "What verification found to be doubtful: a key that isn't unique, a filter that matches no "
        "row, a cardinality that the data contradicts, a type without a target.",
        "Joins that trust it multiply or lose rows.",
        "Follow the message.",
        "entities:\n  - {name: Price, table: prices, key: [product_id]}  # … isn't unique (KG013)",
        _doubtful,
    ),
)
