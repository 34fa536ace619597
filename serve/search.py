"""Search over all chunks: BM25 on words and, where there are vectors, likeness, fused."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

from pipeline.text import words
from pipeline.wordlists import STOP_WORDS
from schemas.models import Chunk, ChunkKind
from serve.knowledge import KnowledgeBase, SearchIndex

if TYPE_CHECKING:  # loaded when a question is embedded
    import numpy as np

Scores: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.float32]]"
"""Each chunk's likeness to a question."""

RANK_CONSTANT = 60
"""k of Reciprocal Rank Fusion: Cormack, Clarke & Büttcher, SIGIR 2009."""
_DEPTH = 100
"""Hits of each list that are fused."""
MOST_WORDS = 48
"""Distinct words of a query that are looked up; a question of 10,000 characters stays fast."""
_WEIGHTS = "1.0, 3.0, 1.0"
"""Of title, words and text in BM25; names weigh as in the measured prototype."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a query found."""

    kind: str
    ref: str
    title: str
    text: str
    tables: tuple[str, ...]
    score: float
    """Higher is better; comparable within one search."""

    @property
    def chunk(self) -> Chunk:
        """What was found, as the index holds it."""
        kind = cast("ChunkKind", self.kind)
        return Chunk(kind, self.ref, self.tables, self.title, self.text)


def search(
    kb: KnowledgeBase, query: str, *, limit: int = 10, kinds: Collection[str] = ()
) -> list[Hit]:
    """Return the best hits for `query`, which may be any text.

    Args:
        kb: where to search.
        query: words, a question, an identifier.
        limit: hits at most.
        kinds: chunk kinds to keep (`table`, `column`, `metric`, …); all when empty.
    """
    index = kb.index
    wanted = set(kinds)
    terms = content_words(query)
    lists = [[number for number, _ in bm25(index, terms, limit=10 * _DEPTH)]]
    if not terms:
        lists.append(_spelled(index, query))
    scores = dense(index, query)
    if scores is not None:
        lists.append([int(row) + 1 for row in (-scores).argsort(kind="stable")[: 10 * _DEPTH]])
    chunk_kinds = index.chunks.kinds
    kept = [[n for n in ranked if not wanted or chunk_kinds[n - 1] in wanted] for ranked in lists]
    fused = fuse(ranked[:_DEPTH] for ranked in kept)
    return [_hit(index, number, score) for number, score in fused[: max(limit, 0)]]


def _spelled(index: SearchIndex, query: str) -> list[int]:
    """Return the chunks whose title holds a query without any word, such as `?`; nearest first."""
    sought = query.strip().encode("utf-8", "replace").decode()
    rows = index.db.execute(
        "SELECT id FROM chunk WHERE instr(title, ?) ORDER BY length(title), id LIMIT ?",
        (sought, _DEPTH),
    )
    return [int(number) for (number,) in rows] if sought else []


def content_words(text: str) -> list[str]:
    """Return the distinct words of a text that say what it is about; all when none does."""
    found = list(dict.fromkeys(words(text)))
    telling = [word for word in found if word not in STOP_WORDS]
    return (telling or found)[:MOST_WORDS]


def bm25(index: SearchIndex, terms: Sequence[str], *, limit: int) -> list[tuple[int, float]]:
    """Return chunk ids with their BM25 score (higher is better), best first."""
    if not terms:
        return []
    rows = index.db.execute(
        f"SELECT rowid, -bm25(chunk_words, {_WEIGHTS}) AS score FROM chunk_words "
        "WHERE chunk_words MATCH ? ORDER BY score DESC, rowid LIMIT ?",
        (" OR ".join(f'"{term}"' for term in terms), limit),
    )
    return [(int(number), float(score)) for number, score in rows]


def dense(index: SearchIndex, query: str) -> Scores | None:
    """Return each chunk's likeness to `query`, -1 to 1; None when there are no vectors."""
    vectors, model = index.vectors, index.embedder
    if vectors is None or model is None or not query.strip():
        return None
    scores: Scores = vectors @ model.embed([query[:2_000]])[0]
    return scores


def fuse(ranked: Iterable[Sequence[int]]) -> list[tuple[int, float]]:
    """Fuse rankings by reciprocal rank; ties go to the lower id."""
    scores: dict[int, float] = {}
    for ranking in ranked:
        for place, number in enumerate(ranking, start=1):
            scores[number] = scores.get(number, 0.0) + 1 / (RANK_CONSTANT + place)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def _hit(index: SearchIndex, number: int, score: float) -> Hit:
    title, text = index.db.execute(
        "SELECT title, text FROM chunk WHERE id = ?", (number,)
    ).fetchone()
    places = index.chunks
    return Hit(
        places.kinds[number - 1],
        places.refs[number - 1],
        title,
        text,
        places.tables[number - 1],
        round(score, 6),
    )
