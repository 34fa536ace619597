"""What people defined and the question speaks of: metrics, terms, entities, relations, examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.lexicon import stem
from pipeline.text import one_line, words
from pipeline.wordlists import STOP_WORDS
from schemas.models import Example, GlossaryTerm, GraphEntity, GraphRelation, Metric
from serve.context.ranking import Topic
from serve.knowledge import Facts, SearchIndex
from serve.search import Scores

_APART = 0.7
"""Weight of a name whose words stand apart in the question, to one of words in a row."""
_WORD = 0.7
"""Weight of a name of one word."""
_EXAMPLE_WORDS = 0.34
"""Shared telling words, of all of both (Jaccard), from which an example is similar."""
_EXAMPLE_MEANING = 0.55
"""Likeness of vectors from which it is similar."""
_SAME_WORDS = 0.6
_UNLIKE, _SAME_MEANING = 0.45, 0.72
"""Shared words, and likeness of vectors, from which an example is as good as the same question;
and the likeness of any two questions about one database."""
_LEADING = 0.5
"""Likeness from which an example's tables are likely those of the question."""
_EXAMPLES = 2
_EXAMPLE_TOPIC = 0.8

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
    """0–1; 1 is as good as the same question."""
    tables: tuple[str, ...]


def named(facts: Facts, index: SearchIndex, question: str) -> tuple[Named, ...]:
    """Return the items that a question names, surest first; one item once.

    Of phrases that overlap the longest counts: `delivery address` is no `delivery`.
    """
    said = [stem(word) for word in words(question)]
    tables = _tables_by_item(index)
    found: list[tuple[Named, tuple[range, ...]]] = []
    for kind, name, phrases in _names(facts):
        held = tables.get((kind, name), ())
        for phrase in phrases:
            weight, places = _said(phrase, said)
            if weight:
                found.append((Named(kind, name, phrase, weight, held), places))
    longest = [place for _, places in found for place in places]
    best: dict[tuple[str, str], Named] = {}
    for item, places in sorted(found, key=lambda f: (-f[0].weight, f[0].kind, f[0].name)):
        if not places or any(not _inside_another(place, longest) for place in places):
            best.setdefault((item.kind, item.name), item)
    return tuple(best.values())


def _inside_another(place: range, others: Iterable[range]) -> bool:
    return any(
        len(other) > len(place) and other.start <= place.start and place.stop <= other.stop
        for other in others
    )


def spoken_words(items: Iterable[Named], question: str) -> frozenset[str]:
    """Return the words that the question says only inside names of several words."""
    asked = words(question)
    said = [stem(word) for word in asked]
    inside: set[int] = set()
    for item in items:
        for place in _said(item.phrase, said)[1]:
            if len(place) > 1:
                inside |= set(place)
    outside = {word for number, word in enumerate(said) if number not in inside}
    return frozenset(asked[number] for number in inside if said[number] not in outside)


def similar(
    facts: Facts, index: SearchIndex, question: str, likeness: Scores | None
) -> tuple[Similar, ...]:
    """Return the examples most like the question by words or by meaning, best first."""
    if not facts.semantic.examples:
        return ()
    asked = _telling(question)
    meaning = _example_likeness(index, likeness)
    tables = _tables_by_item(index)
    found = []
    for example in facts.semantic.examples:
        theirs = _telling(example.question)
        shared = len(asked & theirs) / (len(asked | theirs) or 1)
        title = one_line(example.question)
        alike = meaning.get(title, 0.0)
        if shared >= _EXAMPLE_WORDS or alike >= _EXAMPLE_MEANING:
            score = max(shared / _SAME_WORDS, (alike - _UNLIKE) / (_SAME_MEANING - _UNLIKE))
            score = round(min(1.0, score), 3)
            found.append(Similar(example, score, tables.get(("example", title), ())))
    found.sort(key=lambda s: (-s.likeness, s.example.question))
    return tuple(found[:_EXAMPLES])


def _example_likeness(index: SearchIndex, likeness: Scores | None) -> dict[str, float]:
    if likeness is None:
        return {}
    places = index.chunks
    return {
        places.refs[number]: float(likeness[number])
        for number, kind in enumerate(places.kinds)
        if kind == "example"
    }


def topics(items: Iterable[Named], examples: Iterable[Similar]) -> Iterator[Topic]:
    """Yield the tables that items and examples lead to.

    An entity of two tables would be a choice; SQL that reads two tables needs both.
    """
    for item in items:
        together = item.kind in {"metric", "term"} and len(item.tables) > 1
        for table in item.tables:
            phrase = item.phrase.casefold()
            yield Topic(f"{phrase} in {table}" if together else phrase, table, item.weight)
    for example in examples:
        for table in example.tables if example.likeness >= _LEADING else ():
            phrase = f"example {example.example.question} in {table}"
            yield Topic(phrase, table, _EXAMPLE_TOPIC * example.likeness)


def relations_of(
    facts: Facts, items: Sequence[Named], tables: Sequence[str]
) -> list[tuple[GraphEntity, GraphRelation]]:
    """Return relations of the entities named whose joins stay within `tables`.

    Each comes with the entity that takes part: a subtype takes part in its parents' relations.
    """
    graph = facts.graph
    shown = set(tables)
    asked = [
        graph.by_entity[n.name] for n in items if n.kind == "entity" and n.name in graph.by_entity
    ]
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
    while (
        (parent := by_name.get(line[-1])) and parent.entity.is_a and parent.entity.is_a not in line
    ):
        line.append(parent.entity.is_a)
    return line


def metric_of(facts: Facts, name: str) -> Metric:
    """Return the metric of that name."""
    return next(m for m in facts.semantic.metrics if m.name == name)


def term_of(facts: Facts, name: str) -> GlossaryTerm:
    """Return the glossary term of that name."""
    return next(t for t in facts.semantic.glossary if t.term == name)


def _names(facts: Facts) -> Iterator[tuple[Kind, str, tuple[str, ...]]]:
    """Yield the items with all that they are called; of tables and columns only long synonyms.

    Their names and single words are ranked word by word.
    """
    for metric in facts.semantic.metrics:
        yield "metric", metric.name, (metric.name, *metric.synonyms)
    for term in facts.semantic.glossary:
        yield "term", term.term, (term.term, *term.synonyms)
    for card in facts.cards.values():
        yield "table", card.name, tuple(s for s in card.synonyms if " " in s)
        for column in card.columns:
            longer = tuple(s for s in column.synonyms if " " in s)
            if longer and not column.housekeeping:
                yield "column", f"{card.name}.{column.name}", longer
    for item in facts.graph.entities:
        if item.status != "failed":
            yield "entity", item.entity.name, (item.entity.name, *item.entity.synonyms)


def _said(phrase: str, said: Sequence[str]) -> tuple[float, tuple[range, ...]]:
    """Return how surely the question says a phrase (0 when it doesn't), and where in a row."""
    parts = words(phrase)
    wanted = [stem(word) for word in parts]
    size = len(wanted)
    if not wanted or not set(wanted) & set(said):
        return 0.0, ()
    places = tuple(
        range(start, start + size)
        for start in range(len(said) - size + 1)
        if list(said[start : start + size]) == wanted
    )
    telling = [s for s, word in zip(wanted, parts, strict=True) if word not in STOP_WORDS]
    if places:
        return (1.0 if size > 1 else _WORD if telling else 0.0), places
    apart = len(telling) > 1 and set(telling) <= set(said)
    return (_APART if apart else 0.0), ()


def _telling(text: str) -> set[str]:
    return {stem(word) for word in words(text) if word not in STOP_WORDS}


def _tables_by_item(index: SearchIndex) -> dict[tuple[str, str], tuple[str, ...]]:
    places = index.chunks
    return {
        (kind, ref): tables
        for kind, ref, tables in zip(places.kinds, places.refs, places.tables, strict=True)
    }
