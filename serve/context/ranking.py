"""Which tables a question is about: evidence of several kinds, added up per table.

Evidence   words of the question in names, columns and descriptions (weighted by how few tables
           have them), BM25, likeness of meaning, and topics: stored values, code meanings,
           metrics, terms, entities and examples that the question speaks of.

Weights and thresholds were chosen by random search on the development questions of four public
sets and four sample databases; none knows a table or a question.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.lexicon import SAME, related, stem
from pipeline.wordlists import WEAK_WORDS
from serve.knowledge import SearchIndex
from serve.search import Scores, bm25, content_words

FIELD_WEIGHTS = {
    "name": 1.0,
    "synonym": 1.0,
    "column": 0.55,
    "column synonym": 0.6,
    "text": 0.35,
    "prefix": 0.25,
}
"""How much a word of the question tells when it stands in that place."""
WEAK = 0.4
"""Share of its weight that a word keeps which many tables could explain."""
PART_WEIGHTS = {
    "table words": 0.45,
    "column words": 0.5,
    "table meaning": 1.1,
    "column meaning": 0.5,
    "columns meaning": 1.0,
    "item words": 0.3,
    "item meaning": 0.6,
}
"""Of scores that are scaled to 0–1 over the tables of a question."""
WORDS_WEIGHT = 0.65
NAME_WEIGHT = 0.65
TOPIC_WEIGHT = 1.0
NEIGHBOUR = 0.35
"""Share of its best neighbour's score that a table may borrow; a sum would favour hubs."""
VIEW = 0.8
"""A view repeats what its tables hold."""
ALIKE = 0.35
"""Likeness to the question from which a column is worth showing first."""
_DEPTH = 3_000
_SYNONYM_SEARCH = 0.5
"""Share of its BM25 score that a hit by a synonym keeps."""


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A telling word of the question and the stems that may stand for it."""

    word: str
    stems: Mapping[str, float]
    """Stem to factor: 1 for the word itself, less for synonyms."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Something of the question that leads to a table other than by its names."""

    phrase: str
    table: str
    weight: float
    counted: bool = True
    """Explaining it explains something of the question that no word of it stands for."""
    sure: bool = True
    """False: by likeness of meaning alone."""


@dataclass(slots=True)
class Evidence:
    """What speaks for one table; comparable between the tables of one question."""

    words: dict[int, float] = field(default_factory=dict)
    """Number of the query word to how well the table explains it, 0–1."""
    columns: dict[str, float] = field(default_factory=dict)
    """Columns that words of the question name, and how much they tell."""
    topics: dict[str, float] = field(default_factory=dict)
    """Phrase to weight."""
    name_fit: float = 0.0
    """Share of the table's own name that the question says."""
    parts: dict[str, float] = field(default_factory=dict)
    """Scores of PART_WEIGHTS, raw."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The tables of a question, best first, with what speaks for them."""

    asked: tuple[QueryWord, ...]
    scores: Mapping[str, float]
    """Table to score, 0–1, best first; all tables."""
    evidence: Mapping[str, Evidence]
    uncounted: frozenset[str]
    """Phrases of topics that words of the question stand for."""
    matched: bool
    """Some word or topic of the question leads to some table other than by likeness."""


def query_words(question: str, quoted: Collection[str] = ()) -> tuple[QueryWord, ...]:
    """Return the telling words of a question with their synonyms, without those in `quoted`."""
    found: dict[str, QueryWord] = {}
    asked = [word for word in content_words(question) if word not in quoted]
    said = {stem(word) for word in asked}
    for word in asked:
        full = WEAK if word in WEAK_WORDS else 1.0
        others = related(word).items()
        stems = {s: full * share for s, share in others if s not in said}  # else it counts itself
        stems[stem(word)] = full
        found.setdefault(stem(word), QueryWord(word, stems))
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Where a stem stands in the schema."""

    stem: str
    table: str
    column: str
    field: str
    share: float
    factor: float = 1.0
    """Share of its weight that it has in this question."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Where the words of a question stand in the names and texts of the schema."""

    occurrences: tuple[Occurrence, ...]
    rarity: Mapping[str, float]
    """Stem to 0–1: the fewer tables or columns are called by it, the higher."""
    text_rarity: Mapping[str, float]
    """The same for all places, descriptions too."""
    called: Mapping[str, float]
    """Stems that name a table, 1 each."""


def vocabulary(index: SearchIndex, asked: Iterable[QueryWord], tables: int) -> Vocabulary:
    """Look the words of a question up in the index."""
    wanted = sorted({s for word in asked for s in word.stems})
    rows: list[Occurrence] = []
    for first in range(0, len(wanted), 500):
        part = wanted[first : first + 500]
        found = index.db.execute(
            'SELECT stem, "table", "column", field, share FROM word '
            f"WHERE stem IN ({', '.join('?' * len(part))})",
            part,
        )
        rows += [Occurrence(*row) for row in found]
    return Vocabulary(
        tuple(rows),
        _rarity((r for r in rows if r.field not in {"text", "prefix"}), tables),
        _rarity(rows, tables),
        {row.stem: 1.0 for row in rows if row.field in {"name", "synonym"}},
    )


def _rarity(rows: Iterable[Occurrence], tables: int) -> dict[str, float]:
    holders: dict[str, set[str]] = {}
    for row in rows:
        holders.setdefault(row.stem, set()).add(row.table)
    scale = math.log(1 + max(tables, 1))
    return {s: math.log(1 + tables / len(held)) / scale for s, held in holders.items()}


def rank(
    index: SearchIndex,
    likeness: Scores | None,
    asked: Sequence[QueryWord],
    found_words: Vocabulary,
    topics: Iterable[Topic],
    schema: Schema,
) -> Ranking:
    """Rank the tables of a schema for a question.

    Args:
        index: The search index.
        likeness: Of each chunk to the question; None to rank by words alone.
        asked: The question's telling words.
        found_words: Where they stand.
        topics: What else leads to tables.
        schema: The tables.
    """
    topics = tuple(topics)
    uncounted = frozenset(topic.phrase for topic in topics if not topic.counted)
    found = {table: Evidence() for table in schema.tables}
    _add_words(found, asked, found_words)
    _add_bm25(index, [word.word for word in asked], found, 1.0)
    _add_bm25(index, _synonyms_of_unknown(asked, found_words), found, _SYNONYM_SEARCH)
    _add_dense(index, likeness, found)
    for topic in topics:
        if topic.table in found:
            held = found[topic.table].topics
            held[topic.phrase] = max(held.get(topic.phrase, 0.0), topic.weight)
    scores = _spread(_scores(found, schema), schema)
    ranked = dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
    matched = any(e.words for e in found.values()) or any(
        topic.sure and topic.table in found for topic in topics
    )
    return Ranking(tuple(asked), ranked, found, uncounted, matched)


@dataclass(frozen=True, slots=True)
class Schema:
    """What ranking needs to know of the tables: their names, which are views, who joins whom."""

    tables: Sequence[str]
    views: frozenset[str]
    neighbours: Mapping[str, Sequence[str]]
    referred: Mapping[str, Sequence[str]]
    """Table to those that its keys refer to: they say what its rows are about."""
    standing: Mapping[str, float]
    """Table to 0–1: how central it is, by rows and by use in what people wrote."""
    described: bool
    """People said of most tables what they mean."""
    short_names: frozenset[str] = frozenset()
    """Words in names that may be short forms of others."""
    goods: str = ""
    """The table of what is traded."""
    spare: frozenset[str] = frozenset()
    """Copies and archives, told by their names."""


def _add_words(found: Mapping[str, Evidence], asked: Sequence[QueryWord], seen: Vocabulary) -> None:
    by_stem: dict[str, list[tuple[int, float]]] = {}
    for number, word in enumerate(asked):
        for key, factor in word.stems.items():
            by_stem.setdefault(key, []).append((number, factor))
    fits: dict[str, dict[str, float]] = {}
    for row in seen.occurrences:
        evidence = found.get(row.table)
        if evidence is None:
            continue
        rarity = seen.text_rarity if row.field in {"text", "prefix"} else seen.rarity
        weight = FIELD_WEIGHTS[row.field] * rarity[row.stem] * row.factor
        if row.field in {"synonym", "column synonym"}:
            weight *= math.sqrt(row.share)  # `item sold` is more than `sold`
        for number, factor in by_stem[row.stem]:
            strength = weight * factor
            evidence.words[number] = max(evidence.words.get(number, 0.0), strength)
            if row.field == "name":
                fit = fits.setdefault(row.table, {})
                fit[row.stem] = max(fit.get(row.stem, 0.0), row.share * factor * row.factor)
            if row.column:
                evidence.columns[row.column] = max(evidence.columns.get(row.column, 0.0), strength)
    for table, fit in fits.items():
        found[table].name_fit = min(1.0, sum(fit.values()))


def _synonyms_of_unknown(asked: Sequence[QueryWord], seen: Vocabulary) -> list[str]:
    """Return synonyms, as the schema has them, of words that it doesn't have."""
    terms: dict[str, None] = {}
    for word in asked:
        if not any(s in seen.text_rarity for s, share in word.stems.items() if share >= 1):
            same = (s for s, share in word.stems.items() if share >= SAME and s in seen.rarity)
            terms.update(dict.fromkeys(same))
    return list(terms)


def _add_bm25(
    index: SearchIndex, terms: Sequence[str], found: Mapping[str, Evidence], share: float
) -> None:
    parts = {"table": "table words", "column": "column words"}
    places = index.chunks
    for number, score in bm25(index, terms, limit=_DEPTH):
        part = parts.get(places.kinds[number - 1], "item words")
        for table in places.tables[number - 1]:
            if table in found:
                scores = found[table].parts
                scores[part] = max(scores.get(part, 0.0), share * score)


def _add_dense(index: SearchIndex, likeness: Scores | None, found: Mapping[str, Evidence]) -> None:
    if likeness is None:
        return
    by_table: dict[str, list[float]] = {}
    places = index.chunks
    for number, score in enumerate(likeness.tolist()):
        kind, tables = places.kinds[number], places.tables[number]
        if kind == "table" and tables[0] in found:
            found[tables[0]].parts["table meaning"] = score
        elif kind == "column" and tables[0] in found:
            by_table.setdefault(tables[0], []).append(score)
            if score > ALIKE:
                columns = found[tables[0]].columns
                column = places.refs[number][len(tables[0]) + 1 :]
                columns[column] = max(columns.get(column, 0.0), score - ALIKE)
        else:
            for table in tables:
                if table in found:
                    parts = found[table].parts
                    parts["item meaning"] = max(parts.get("item meaning", 0.0), score)
    for table, values in by_table.items():
        best = sorted(values, reverse=True)[:3]
        found[table].parts["column meaning"] = best[0]
        found[table].parts["columns meaning"] = sum(best) / 3


def _scores(found: Mapping[str, Evidence], schema: Schema) -> dict[str, float]:
    totals = dict.fromkeys(schema.tables, 0.0)
    for part, weight in PART_WEIGHTS.items():
        values = {table: e.parts.get(part, 0.0) for table, e in found.items()}
        low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
        if high > low:
            for table, value in values.items():
                totals[table] += weight * (value - low) / (high - low)
    explainable = sum(best_words(found.values()).values()) or 1.0
    shared: dict[str, int] = {}
    for table, evidence in found.items():
        for phrase in evidence.topics:
            shared[phrase] = shared.get(phrase, 0) + (table not in schema.views)
    for table, evidence in found.items():
        totals[table] += WORDS_WEIGHT * sum(evidence.words.values()) / explainable
        totals[table] += NAME_WEIGHT * evidence.name_fit
        for phrase, weight in evidence.topics.items():
            totals[table] += TOPIC_WEIGHT * weight / math.sqrt(shared[phrase] or 1)
        if table in schema.views:
            totals[table] *= VIEW
    return totals


def best_words(evidence: Iterable[Evidence]) -> dict[int, float]:
    """Return how well each query word is explained by the table that explains it best."""
    best: dict[int, float] = {}
    for one in evidence:
        for number, strength in one.words.items():
            best[number] = max(best.get(number, 0.0), strength)
    return best


def _spread(scores: Mapping[str, float], schema: Schema) -> dict[str, float]:
    """Let each table borrow from its best neighbour, and scale so that the best has 1."""
    high = max(scores.values(), default=0.0) or 1.0
    borrowed = {
        table: score / high
        + NEIGHBOUR * max((scores[n] / high for n in schema.neighbours.get(table, ())), default=0.0)
        for table, score in scores.items()
    }
    top = max(borrowed.values(), default=0.0) or 1.0
    return {table: score / top for table, score in borrowed.items()}
