"""Which tables a question is about: evidence of several kinds, added up per table.

Evidence   words of the question in names, columns and descriptions (weighted by how few tables
           have them), BM25, likeness of meaning, values that columns store, people's items.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.lexicon import STOP_WORDS, related, stem
from pipeline.text import words
from serve.knowledge import SearchIndex
from serve.search import MOST_WORDS, bm25, content_words, dense

FIELD_WEIGHTS = {
    "name": 1.0,
    "synonym": 1.0,
    "column": 0.55,
    "column synonym": 0.6,
    "text": 0.35,
    "prefix": 0.25,
}
"""How much a word of the question tells when it stands in that place."""
RELATED = 0.65
"""Share of a word's weight that a synonym of it keeps."""


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A telling word of the question and the stems that may stand for it."""

    word: str
    stems: Mapping[str, float]
    """Stem to factor: 1 for the word itself, less for synonyms."""


@dataclass(slots=True)
class Evidence:
    """What speaks for one table. Parts are comparable between tables of one question."""

    words: dict[int, float] = field(default_factory=dict)
    """Number of the query word to how well the table explains it, 0–1."""
    columns: dict[str, float] = field(default_factory=dict)
    """Columns that words of the question name, and how much they tell."""
    name_fit: float = 0.0
    """Share of the table's own name that the question says."""
    parts: dict[str, float] = field(default_factory=dict)
    """Named scores: bm25, table meaning, column meaning, values, items, …"""


def query_words(question: str) -> list[QueryWord]:
    """Return the telling words of a question with their synonyms."""
    found: dict[str, QueryWord] = {}
    asked = content_words(question)
    said = {stem(word) for word in asked}
    for word in asked:
        stems = {s: RELATED for s in related(word) if s not in said}  # else it counts as itself
        stems[stem(word)] = 1.0
        found.setdefault(stem(word), QueryWord(word, stems))
    return list(found.values())


class Vocabulary:
    """Where the stems of a question occur in names and texts of the schema."""

    def __init__(self, index: SearchIndex, asked: Iterable[QueryWord], tables: int) -> None:
        wanted = sorted({s for word in asked for s in word.stems})
        self.rows: list[tuple[str, str, str, str, float]] = []
        for first in range(0, len(wanted), 500):
            part = wanted[first : first + 500]
            marks = ", ".join("?" * len(part))
            self.rows += index.db.execute(
                'SELECT stem, "table", "column", field, share FROM word '
                f"WHERE stem IN ({marks})",
                part,
            )
        holders: dict[str, set[str]] = {}
        for found, table, _, where, _ in self.rows:
            if where not in {"text", "prefix"}:
                holders.setdefault(found, set()).add(table)
        self.rarity = {
            s: math.log(1 + tables / len(t)) / math.log(1 + tables) for s, t in holders.items()
        }
        self.named = {
            s for s, _, column, where, _ in self.rows if where in {"name", "synonym"} and not column
        }


def gather(index: SearchIndex, question: str, asked: Sequence[QueryWord], tables: Sequence[str]) -> dict[str, Evidence]:
    found = {table: Evidence() for table in tables}
    vocabulary = Vocabulary(index, asked, len(tables))
    by_stem: dict[str, list[tuple[int, float]]] = {}
    for number, word in enumerate(asked):
        for s, factor in word.stems.items():
            by_stem.setdefault(s, []).append((number, factor))
    fits: dict[str, dict[str, float]] = {}
    for s, table, column, where, share in vocabulary.rows:
        evidence = found.get(table)
        if evidence is None:
            continue
        rarity = vocabulary.rarity.get(s, 1.0)
        for number, factor in by_stem[s]:
            strength = FIELD_WEIGHTS[where] * factor * rarity
            if strength > evidence.words.get(number, 0.0):
                evidence.words[number] = strength
            if where == "name":
                fit = fits.setdefault(table, {})
                fit[s] = max(fit.get(s, 0.0), share * factor)
            if column:
                evidence.columns[column] = max(evidence.columns.get(column, 0), strength)
    for table, fit in fits.items():
        found[table].name_fit = min(1.0, sum(fit.values()))
    _add_bm25(index, asked, found)
    _add_dense(index, question, found)
    return found


def _add_bm25(index: SearchIndex, asked: Sequence[QueryWord], found: dict[str, Evidence]) -> None:
    terms = [w.word for w in asked]
    names = {"table": "table words", "column": "column words"}
    for number, score in bm25(index, terms, limit=3_000):
        part = names.get(index.chunks.kinds[number - 1])
        tables = index.chunks.tables[number - 1]
        if part and tables[0] in found:
            parts = found[tables[0]].parts
            parts[part] = max(parts.get(part, 0.0), score)


def _add_dense(index: SearchIndex, question: str, found: dict[str, Evidence]) -> None:
    scores = dense(index, question)
    if scores is None:
        return
    columns: dict[str, list[float]] = {}
    kinds, tables, refs = index.chunks.kinds, index.chunks.tables, index.chunks.refs
    for number, score in enumerate(scores.tolist()):
        if kinds[number] == "table":
            found[refs[number]].parts["table meaning"] = score
        elif kinds[number] == "column":
            columns.setdefault(tables[number][0], []).append(score)
    for table, likeness in columns.items():
        likeness.sort(reverse=True)
        best = likeness[:3]
        found[table].parts["column meaning"] = best[0]
        found[table].parts["columns meaning"] = sum(best) / 3
