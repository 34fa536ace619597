"""Relations: expanded, given their joins, then counted in the data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pipeline import sql_names
from pipeline.errors import QueryError, RefusedError, did_you_mean
from pipeline.graph import polymorphic
from pipeline.graph.codes import error, failed, warning
from pipeline.graph.conditions import ConditionError, Place, filtered, rewritten
from pipeline.graph.entities import Resolved, status_of
from pipeline.graph.measure import Probe, TooSlowError, cardinality, join_sql
from pipeline.graph.paths import Router, fans_out
from pipeline.joins import JoinStep
from schemas.facts import Cardinality, Catalog, Link
from schemas.knowledge import Relation
from schemas.results import GraphRelation, Problem


@dataclass(slots=True)
class Planned:
    """A relation with its joins: what is measured next."""

    relation: Relation
    subject: str
    predicate: str
    object: str
    ends: tuple[Resolved, Resolved] | None = None
    steps: tuple[JoinStep, ...] = ()
    condition: str | None = None
    """Of the relation, over the aliases `t0`, `t1`, … of its tables."""
    problems: list[Problem] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Subject, predicate and object."""
        return f"{self.subject} {self.predicate} {self.object}".rstrip()


def plan(relation: Relation, by_name: Mapping[str, Resolved], router: Router) -> list[Planned]:
    """Return the relation with its joins; a polymorphic one once per target.

    Args:
        relation: as authored.
        by_name: entities by case-folded name.
        router: knows the links.
    """
    if relation.polymorphic is not None:
        return _expanded(relation, by_name, router)
    planned = Planned(relation, relation.subject, relation.predicate, relation.object)
    _find_ends(planned, by_name)
    if planned.ends is not None:
        steps = router.route(relation, *planned.ends, planned.problems)
        planned.steps = _with_condition(planned, steps or (), router.catalog)
    return [planned]


def _expanded(relation: Relation, by_name: Mapping[str, Resolved], router: Router) -> list[Planned]:
    assert relation.polymorphic is not None
    plans = []
    for target in relation.polymorphic.targets:
        predicate = target.predicate or relation.predicate
        planned = Planned(relation, relation.subject, predicate, target.object)
        _find_ends(planned, by_name)
        if planned.ends is not None:
            step = polymorphic.step(
                relation.polymorphic, target, planned.ends, router.catalog, planned.problems
            )
            planned.steps = _with_condition(planned, (step,) if step else (), router.catalog)
        plans.append(planned)
    return plans


def _find_ends(planned: Planned, by_name: Mapping[str, Resolved]) -> None:
    ends = []
    for role, name in (("subject", planned.subject), ("object", planned.object)):
        if not name:
            message = "it has no object"
            planned.problems.append(error("KG121", message, "write `object:` or `polymorphic:`"))
            continue
        found = by_name.get(name.casefold())
        if found is None:
            known = [resolved.entity.name for resolved in by_name.values()]
            fix = did_you_mean(name, known, f"define the entity {name}")
            planned.problems.append(error("KG101", f"its {role} `{name}` is no entity", fix))
        elif not found.is_usable:
            message = f"its {role} {found.entity.name} failed"
            planned.problems.append(error("KG102", message, "mend the entity first"))
        else:
            ends.append(found)
    if len(ends) == 2:
        planned.ends = (ends[0], ends[1])


def _with_condition(
    planned: Planned, steps: tuple[JoinStep, ...], catalog: Catalog
) -> tuple[JoinStep, ...]:
    """Check the relation's condition; that of a single new link becomes the link's own."""
    text = planned.relation.condition
    if not text or not steps or planned.ends is None:
        return steps
    places = _places(planned.ends, steps, catalog)
    try:
        planned.condition = rewritten(text, places, catalog)
        by_name = rewritten(text, places, catalog, by_name=True)
    except ConditionError as failure:
        problem = error("KG107", f"its condition: {failure.problem}", failure.fix)
        planned.problems.append(problem)
        return steps
    (step, *more) = steps
    if more or step.link.origin != "verified" or step.link.table == step.link.to_table:
        return steps
    terms = [text for text in (step.link.condition, by_name) if text]
    condition = " AND ".join(f"({text})" for text in terms) if len(terms) > 1 else terms[0]
    return (JoinStep(replace(step.link, condition=condition), step.forward),)


def _places(
    ends: tuple[Resolved, Resolved], steps: Sequence[JoinStep], catalog: Catalog
) -> list[Place]:
    tables = [steps[0].source, *(step.target for step in steps)]
    names = {0: (ends[0].entity.name,), len(steps): (ends[1].entity.name,)}
    return [
        Place(catalog.by_name[table], f"t{number}", names.get(number, ()))
        for number, table in enumerate(tables)
    ]


def measured(
    planned: Planned, probe: Probe | None, stored: polymorphic.StoredTypes
) -> GraphRelation:
    """Count a relation that has joins; without a database it stays unverified."""
    result = GraphRelation(
        relation=planned.relation,
        status="unverified",
        subject=_authored(planned, 0),
        predicate=planned.predicate,
        object=_authored(planned, 1),
        links=tuple(step.link for step in planned.steps),
        cardinality=planned.relation.cardinality or _cardinality_of(planned.steps),
    )
    is_complete = False
    if probe is not None and planned.steps and planned.ends and not failed(planned.problems):
        try:
            with probe.checking(f"relation {planned.title}"):
                result = _counted(result, planned, probe)
                if planned.relation.polymorphic is not None:
                    planned.problems += stored.problems(
                        planned.relation, planned.ends[0], planned.object
                    )
            is_complete = True
        except TooSlowError:
            message = f"counting its pairs was {probe.stopped}"
            fix = "index the joined columns"
            planned.problems.append(warning("KG112", message, fix))
        except (QueryError, RefusedError) as failure:
            message = f"its join can't be run: {failure.problem}"
            planned.problems.append(error("KG111", message, failure.fix))
    status = status_of(planned.problems, is_complete=is_complete)
    return replace(result, status=status, problems=tuple(planned.problems))


def _authored(planned: Planned, end: int) -> str:
    if planned.ends is not None:
        return planned.ends[end].entity.name
    return planned.object if end else planned.subject


def _counted(result: GraphRelation, planned: Planned, probe: Probe) -> GraphRelation:
    assert planned.ends is not None
    catalog = probe.catalog
    sources = _sources(planned, catalog)
    join = join_sql(planned.steps, sources, catalog.dialect)
    if planned.condition:
        join += f" WHERE {planned.condition}"
    last = len(planned.steps)
    keys = planned.ends[0].key, planned.ends[1].key
    if fans_out(planned.steps):  # many to many anyway; grouping that many pairs takes minutes
        keys = (), ()
    left = [f"t0.{sql_names.quote(c, catalog.dialect)}" for c in keys[0]]
    right = [f"t{last}.{sql_names.quote(c, catalog.dialect)}" for c in keys[1]]
    meeting = probe.meeting(join, left, right)
    links = _measured_links(planned, sources, probe)
    unmatched = sum(link.evidence.orphans or 0 for link in links if link.evidence)
    if not meeting.pairs:
        planned.problems.append(_pairless(links))
    _judge(planned, unmatched, meeting.cardinality)
    return replace(
        result,
        links=tuple(links),
        pairs=meeting.pairs,
        unmatched=unmatched,
        cardinality=meeting.cardinality or result.cardinality,
    )


def _sources(planned: Planned, catalog: Catalog) -> list[str]:
    """Return what stands for each table in FROM: the ends with their entities' filters."""
    assert planned.ends is not None
    tables = [planned.steps[0].source, *(step.target for step in planned.steps)]
    filters = {0: planned.ends[0].filters, len(planned.steps): planned.ends[1].filters}
    return [
        filtered(catalog.by_name[table], filters.get(number, ()), catalog)
        for number, table in enumerate(tables)
    ]


def _measured_links(planned: Planned, sources: Sequence[str], probe: Probe) -> list[Link]:
    """Return the links with how their references fare.

    References are those of the relation's subtype, when the end that refers is filtered; that a
    reference leads to another subtype than the relation's object isn't held against it.
    """
    links = []
    for number, step in enumerate(planned.steps):
        link = step.link
        source = sources[number if step.forward else number + 1]
        to_table = probe.catalog.by_name[link.to_table]
        evidence = probe.reference(link, source, is_key=to_table.has_key(link.to_columns))
        cardinality = link.evidence.cardinality if link.evidence else None
        links.append(replace(link, evidence=replace(evidence, cardinality=cardinality)))
    return links


def _pairless(links: Sequence[Link]) -> Problem:
    if any(link.evidence is not None and link.evidence.rows == 0 for link in links):
        message = "its join finds no pair: no row refers to anything yet"
        return warning("KG113", message, "nothing, if the table is still to be filled")
    fix = "check via, on and condition, and the filters of both entities"
    return warning("KG113", "its join finds no pair", fix)


def _judge(planned: Planned, unmatched: int, observed: Cardinality | None) -> None:
    if unmatched:
        rows = "reference finds" if unmatched == 1 else "references find"
        message = f"{unmatched:,} {rows} nothing on the other side"
        fix = "mend the rows, or say in the description why; a LEFT JOIN keeps them in a result"
        planned.problems.append(warning("KG114", message, fix))
    declared = planned.relation.cardinality
    if declared is None or observed is None or declared == observed:
        return
    if _within(observed, declared):
        if _cardinality_of(planned.steps) == declared:
            return  # the keys allow what was declared; that it hasn't happened yet says little
        message = f"declared {declared}; so far the data shows {observed}"
        fix = f"write `cardinality: {observed}` if it can't be otherwise"
        planned.problems.append(warning("KG116", message, fix))
    else:
        message = f"declared {declared}, the data shows {observed}"
        fix = f"write `cardinality: {observed}`"
        planned.problems.append(warning("KG115", message, fix))


def _within(observed: Cardinality, declared: Cardinality) -> bool:
    """Whether data like `observed` doesn't contradict `declared`."""
    sides = zip(observed.split("_to_"), declared.split("_to_"), strict=True)
    return all(seen == "one" or said == "many" for seen, said in sides)


def _cardinality_of(steps: Sequence[JoinStep]) -> Cardinality | None:
    """Return what the links promise; None when one is unmeasured and no key."""
    if not steps or any(step.link.evidence is None for step in steps):
        return None
    return cardinality(
        many_left=any(step.to_one for step in steps), many_right=any(step.to_many for step in steps)
    )


def enriched(
    links: Sequence[Link], relations: Iterable[GraphRelation], filtered_entities: frozenset[str]
) -> list[Link]:
    """Return the links with what relations measured of them and nothing else did.

    Args:
        links: in any order, which is kept.
        relations: with the evidence of their links.
        filtered_entities: names of entities that are only part of their table; what was counted
            on part of the rows says nothing of the link as such.
    """
    found = {}
    for relation in relations:
        ends = (relation.subject, relation.object)
        if relation.status == "verified" and not filtered_entities & set(ends):
            found.update({link.key: link.evidence for link in relation.links})
    done = []
    for link in links:
        evidence = found.get(link.key)
        is_unmeasured = link.evidence is None or link.evidence.method is None
        done.append(replace(link, evidence=evidence) if evidence and is_unmeasured else link)
    return done


def new_links(relations: Iterable[GraphRelation]) -> list[Link]:
    """Return the links that relations brought in themselves, described by the first of them."""
    found: dict[tuple[str, tuple[str, ...], str, tuple[str, ...], str], Link] = {}
    for relation in relations:
        for link in relation.links:
            if link.origin == "verified" and relation.status == "verified":
                said = f"{relation.subject} {relation.predicate} {relation.object}"
                text = relation.relation.description or said
                found.setdefault(link.key, replace(link, description=text, evidence=None))
    return list(found.values())


def marked(relations: Sequence[GraphRelation]) -> list[GraphRelation]:
    """Return the relations with a warning on each that states again what one above states."""
    seen: set[tuple[str, str, str]] = set()
    done = []
    for item in relations:
        stated = (item.subject.casefold(), item.predicate.casefold(), item.object.casefold())
        if stated in seen:
            fix = "remove one, or name the two apart"
            problem = warning("KG120", "the same relation stands above", fix)
            done.append(replace(item, problems=(*item.problems, problem)))
        else:
            done.append(item)
        seen.add(stated)
    return done
