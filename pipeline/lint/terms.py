"""DL4xx: words of the business, and figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipeline.lint.rule import GRAPH, SEMANTIC, Found, Keys, Rule
from pipeline.lint.world import World, listed, shown
from pipeline.text import singular, words
from schemas.models import Entity


@dataclass(frozen=True, slots=True)
class _Called:
    """A word that people use for a thing."""

    word: str
    thing: str
    is_name: bool
    place: Keys
    file: str = SEMANTIC
    group: str = ""
    """Words of one group must tell its things apart."""
    related: frozenset[str] = frozenset()
    """Things that it may be called like."""


def _ambiguous(world: World) -> Iterator[Found]:
    by_word: dict[tuple[str, str], list[_Called]] = defaultdict(list)
    for called in (*_tables(world), *_columns(world), *_terms(world), *_entities(world)):
        by_word[called.group, _normal(called.word)].append(called)
    for (_, word), calls in by_word.items():
        if not word:
            continue
        for called in calls:
            others = sorted(
                {
                    other.thing
                    for other in calls
                    if other.thing != called.thing and other.thing not in called.related
                }
            )
            if others and not called.is_name and _is_last(called, calls, others):
                yield Found(
                    called.thing,
                    f"`{shown(called.word)}` is a synonym of {called.thing} and of {others[0]}",
                    "keep it where people mean it by default, and make the other one longer, e.g. "
                    f"`{shown(called.word)} of …`",
                    called.place,
                    called.file,
                    what=word,
                )


def _is_last(called: _Called, calls: list[_Called], others: list[str]) -> bool:
    """Whether to tell it here: once a pair, at the later place, never at a name."""
    rivals = [c for c in calls if c.thing in others and not c.is_name]
    return not rivals or called is max((called, *rivals), key=calls.index)


def _normal(word: str) -> str:
    return " ".join(singular(part) for part in words(word))


def _tables(world: World) -> Iterator[_Called]:
    for table in world.tables:
        card = table.card
        for number, synonym in enumerate(table.said.synonyms):
            place = ("tables", table.written, "synonyms", number)
            yield _Called(synonym, card.name, is_name=False, place=place, group="tables")
    for name in world.catalog.by_name:
        known = world.cards.get(name)
        if known is None or not known.hidden:
            yield _Called(name, name, is_name=True, place=("tables", name), group="tables")


def _columns(world: World) -> Iterator[_Called]:
    alike = {c.table.card.name for c in world.columns if c.said.synonyms}
    for column in world.columns:
        if column.table.card.name not in alike:
            continue  # names of columns alone are no two words for one thing
        group = f"columns of {column.table.card.name}"
        yield _Called(
            column.card.name, column.target, is_name=True, place=column.place, group=group
        )
        for number, synonym in enumerate(column.said.synonyms):
            place = (*column.place, "synonyms", number)
            yield _Called(synonym, column.target, is_name=False, place=place, group=group)


def _terms(world: World) -> Iterator[_Called]:
    terms, metrics = world.semantic.glossary, world.semantic.metrics
    named = [(f"term {t.term}", t.term, t.synonyms, ("glossary", n)) for n, t in enumerate(terms)]
    named += [
        (f"metric {m.name}", m.name, m.synonyms, ("metrics", n)) for n, m in enumerate(metrics)
    ]
    for thing, name, synonyms, entry in named:
        yield _Called(name, thing, is_name=True, place=entry, group="terms")
        for number, synonym in enumerate(synonyms):
            place = (*entry, "synonyms", number)
            yield _Called(synonym, thing, is_name=False, place=place, group="terms")


def _entities(world: World) -> Iterator[_Called]:
    entities = world.graph_document.graph.entities
    by_name = {entity.name: entity for entity in entities}
    for number, entity in enumerate(entities):
        thing = f"entity {entity.name}"
        related = frozenset(
            f"entity {other.name}"
            for other in entities
            if _root(other, by_name) == _root(entity, by_name)
        )
        calls: list[tuple[str, bool, Keys]] = [(entity.name, True, ("entities", number))]
        calls += [
            (synonym, False, ("entities", number, "synonyms", index))
            for index, synonym in enumerate(entity.synonyms)
        ]
        for word, is_name, place in calls:
            yield _Called(word, thing, is_name, place, GRAPH, "entities", related)


def _root(entity: Entity, by_name: dict[str, Entity]) -> str:
    seen = set()
    while entity.is_a in by_name and entity.name not in seen:
        seen.add(entity.name)
        entity = by_name[entity.is_a]
    return entity.name


def _doubled(world: World) -> Iterator[Found]:
    semantic = world.semantic
    yield from _twice("metric", "metrics", (metric.name for metric in semantic.metrics))
    yield from _twice("term", "glossary", (term.term for term in semantic.glossary))
    yield from _twice("example", "examples", (example.question for example in semantic.examples))
    yield from _twice(
        "entity", "entities", (e.name for e in world.graph_document.graph.entities), GRAPH
    )


def _twice(kind: str, key: str, names: Iterable[str], file: str = SEMANTIC) -> Iterator[Found]:
    first: dict[str, int] = {}
    for number, name in enumerate(names):
        folded = " ".join(name.casefold().split())
        if folded in first:
            yield Found(
                f"{kind} {shown(name)}",
                f"the {kind} `{shown(name)}` is there twice (entries {first[folded] + 1} and "
                f"{number + 1})",
                "merge the two, or give one another name",
                (key, number),
                file,
            )
        first.setdefault(folded, number)


def _undefined(world: World) -> Iterator[Found]:
    for number, metric in enumerate(world.semantic.metrics):
        if not metric.definition.strip():
            yield Found(
                f"metric {metric.name}",
                f"the metric `{shown(metric.name)}` has no definition",
                "add `definition:` with what it counts and what it leaves out",
                ("metrics", number),
            )
    for number, term in enumerate(world.semantic.glossary):
        if not term.definition.strip() and not (term.sql or "").strip():
            yield Found(
                f"term {term.term}",
                f"the term `{shown(term.term)}` has neither a definition nor SQL",
                "add `definition:`",
                ("glossary", number),
            )


def _grainless(world: World) -> Iterator[Found]:
    made: dict[str, list[str]] = {}
    for number, metric in enumerate(world.semantic.metrics):
        for name in world.used_by(("metrics", number)):
            made.setdefault(name, []).append(f"`{shown(metric.name)}`")
    written = {table.card.name: table.written for table in world.tables}
    for name in sorted(made):
        card, table = world.cards.get(name), world.catalog.by_name[name]
        is_said = card is not None and (card.grain or card.hidden)
        if table.kind == "table" and not is_said:
            yield Found(
                name,
                f"nobody said what one row of {name} is; metrics are made of it: "
                + listed(made[name], 3),
                "add `grain: one row per …`",
                ("tables", written.get(name, name)),
            )


RULES = (
    Rule(
        "DL401",
        "synonym-of-two",
        "warning",
        "A synonym that two tables share, or two columns of one table, two terms or metrics, or "
        "two "
        "entities that aren't kinds of one another; also one that is another's name.",
        "A question with that word leads to either.",
        "Leave it with the one that people mean by default.",
        "brand: {synonyms: [label]}\ntag: {synonyms: [label]}  # `label` is a synonym of tag and "
        "of brand",
        _ambiguous,
    ),
    Rule(
        "DL402",
        "stated-twice",
        "error",
        "Two metrics, terms, entities or examples with one name or question.",
        "Which of the two an agent sees is chance.",
        "Merge them, or rename one.",
        "metrics:\n  - {name: Sales, sql: …}\n  - {name: sales, sql: …}  # the metric `sales` is "
        "there twice",
        _doubled,
    ),
    Rule(
        "DL403",
        "metric-without-definition",
        "warning",
        "A metric without `definition:`; a glossary term with neither a definition nor SQL.",
        "SQL says how a figure is computed, not what it is meant to count and to leave out.",
        "Add one sentence.",
        "metrics:\n  - {name: net sales, sql: …}  # the metric `net sales` has no definition",
        _undefined,
    ),
    Rule(
        "DL404",
        "metric-without-grain",
        "info",
        "A table without `grain:` that metrics are made of.",
        "Whether a figure counts orders, lines or pieces follows from what one row is.",
        "Add `grain: one row per …` to the table.",
        "orders: {description: …}  # the metric `net sales` is made of orders, whose grain "
        "nobody said",
        _grainless,
    ),
)
