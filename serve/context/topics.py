"""What people defined and the question speaks of: metrics, terms, entities, relations, examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.lexicon import STOP_WORDS, stem
from pipeline.text import words
from schemas.models import Example, GlossaryTerm, GraphEntity, GraphRelation, Metric
from serve.context.ranking import Topic
from serve.knowledge import Facts, SearchIndex

_APART = 0.7
"""Weight of a name whose words stand apart in the question, to one of words in a row."""
_WORD = 0.7
"""Weight of a name of one word."""
_EXAMPLE_WORDS = 0.34
"""Shared telling words, of all of both (Jaccard), from which an example is similar."""
_EXAMPLES = 2
_EXAMPLE_TOPIC = 0.6

Kind = Literal["metric", "term", "entity", "table", "column"]


@dataclass(frozen=True, slots=True)
class Named:
    """A metric, term or entity that the question names."""

    kind: Kind
    name: str
    phrase: str
    """How the question calls it."""
    weight: float
    tables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Similar:
    """An example whose question is like the one asked."""

    example: Example
    likeness: float
    tables: tuple[str, ...]


def named(facts: Facts, index: SearchIndex, question: str) -> tuple[Named, ...]:
    """Return the items that a question names, surest first; one item once."""
    said = [stem(word) for word in words(question)]
    tables = _tables_by_item(index)
    best: dict[tuple[str, str], Named] = {}
    for kind, name, synonyms in _names(facts):
        held = tables.get((kind, name), ())
        own = () if kind in {"table", "column"} else (name,)  # names are ranked word by word
        for phrase in (*own, *synonyms):
            weight = _said(phrase, said)
            if weight and (kind, name) not in best:
                best[kind, name] = Named(kind, name, phrase, weight, held)
            elif weight > best.get((kind, name), Named(kind, name, "", 0, ())).weight:
                best[kind, name] = Named(kind, name, phrase, weight, held)
    return tuple(sorted(best.values(), key=lambda n: (-n.weight, n.kind, n.name)))


def similar(facts: Facts, index: SearchIndex, question: str) -> tuple[Similar, ...]:
    """Return the most similar examples, best first."""
    asked = _telling(question)
    tables = _tables_by_item(index)
    found = []
    for example in facts.semantic.examples:
        theirs = _telling(example.question)
        likeness = len(asked & theirs) / (len(asked | theirs) or 1)
        if likeness >= _EXAMPLE_WORDS:
            held = tables.get(("example", " ".join(example.question.split())), ())
            found.append(Similar(example, round(likeness, 3), held))
    found.sort(key=lambda s: (-s.likeness, s.example.question))
    return tuple(found[:_EXAMPLES])


def topics(items: Iterable[Named], examples: Iterable[Similar]) -> Iterator[Topic]:
    """Yield the tables that items and examples lead to."""
    for item in items:
        for table in item.tables:
            yield Topic(item.phrase.casefold(), table, item.weight)
    for example in examples:
        for table in example.tables:
            yield Topic(f"example {example.example.question}", table, _EXAMPLE_TOPIC)


def relations_of(
    facts: Facts, items: Sequence[Named], tables: Sequence[str]
) -> list[tuple[GraphEntity, GraphRelation]]:
    """Return relations of the entities named whose joins stay within `tables`.

    Each comes with the entity that takes part: a subtype takes part in its parents' relations.
    """
    graph = facts.graph
    shown = set(tables)
    asked = [graph.by_entity[n.name] for n in items if n.kind == "entity" and n.name in graph.by_entity]
    found: dict[tuple[str, str, str], tuple[GraphEntity, GraphRelation]] = {}
    for entity in asked:
        line = ancestry(entity, facts)
        for relation in graph.relations:
            held = {t for link in relation.links for t in (link.table, link.to_table)}
            if relation.status == "failed" or not held <= shown:
                continue
            if {relation.subject, relation.object} & set(line):
                key = (relation.subject, relation.predicate, relation.object)
                found.setdefault(key, (entity, relation))
    return list(found.values())


def ancestry(entity: GraphEntity, facts: Facts) -> list[str]:
    """Return the entity's name and those of the entities that it is one of."""
    line = [entity.entity.name]
    by_name = facts.graph.by_entity
    while (parent := by_name.get(line[-1])) and parent.entity.is_a and parent.entity.is_a not in line:
        line.append(parent.entity.is_a)
    return line


def metric_of(facts: Facts, name: str) -> Metric:
    """Return the metric of that name."""
    return next(m for m in facts.semantic.metrics if m.name == name)


def term_of(facts: Facts, name: str) -> GlossaryTerm:
    """Return the glossary term of that name."""
    return next(t for t in facts.semantic.glossary if t.term == name)


def _names(facts: Facts) -> Iterator[tuple[Kind, str, tuple[str, ...]]]:
    for metric in facts.semantic.metrics:
        yield "metric", metric.name, metric.synonyms
    for term in facts.semantic.glossary:
        yield "term", term.term, term.synonyms
    for card in facts.cards.values():
        yield "table", card.name, tuple(s for s in card.synonyms if " " in s)
        for column in card.columns:
            longer = tuple(s for s in column.synonyms if " " in s)
            if longer and not column.housekeeping:
                yield "column", f"{card.name}.{column.name}", longer
    for item in facts.graph.entities:
        if item.status != "failed":
            yield "entity", item.entity.name, item.entity.synonyms


def _said(phrase: str, said: Sequence[str]) -> float:
    """Return how surely the question says a phrase: 0 when it doesn't."""
    wanted = [stem(word) for word in words(phrase)]
    telling = [s for s, word in zip(wanted, words(phrase), strict=True) if word not in STOP_WORDS]
    if not telling or not set(telling) <= set(said):
        return 0.0
    if len(wanted) == 1:
        return _WORD
    in_a_row = f" {' '.join(wanted)} " in f" {' '.join(said)} "
    return 1.0 if in_a_row else (_APART if len(telling) > 1 else 0.0)


def _telling(text: str) -> set[str]:
    return {stem(word) for word in words(text) if word not in STOP_WORDS}


def _tables_by_item(index: SearchIndex) -> dict[tuple[str, str], tuple[str, ...]]:
    places = index.chunks
    return {
        (kind, ref): tables
        for kind, ref, tables in zip(places.kinds, places.refs, places.tables, strict=True)
    }
