"""Words that stand nowhere in the schema, led to tables by likeness of meaning alone.

`manuals` is a document, a `file format` a media type. Single words are what a sentence model is
worst at, so this counts only where most of the question is such words, and only a little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.wordlists import WEAK_WORDS
from serve.context.ranking import QueryWord, Topic, Vocabulary
from serve.knowledge import SearchIndex

_MOST = 4
"""Words that are embedded; each takes a few milliseconds."""
_SHARE = 0.5
"""Share of the question's words that must stand nowhere."""
_SHORTEST = 4
_LIKE = 0.35
"""Likeness that a table or column must have to a word."""
_CLEAR = 0.03
"""How much less than the best one."""
_WEIGHT = 0.4


def leads(
    index: SearchIndex, asked: Sequence[QueryWord], seen: Vocabulary, topics: Sequence[Topic]
) -> Iterator[Topic]:
    """Yield the tables most like the words that neither the schema nor a topic explains."""
    words = _unexplained(asked, seen, topics)
    model, vectors = index.embedder, index.vectors
    if not words or len(words) < _SHARE * len(asked) or model is None or vectors is None:
        return
    words = words[:_MOST]
    likeness = vectors @ model.embed(words).T
    places = index.chunks
    for number, word in enumerate(words):
        best: dict[str, float] = {}
        for kind, tables, score in zip(
            places.kinds, places.tables, likeness[:, number].tolist(), strict=True
        ):
            if kind in {"table", "column"}:
                best[tables[0]] = max(best.get(tables[0], 0.0), score)
        top = max(best.values(), default=0.0)
        for table, score in best.items():
            if score >= max(_LIKE, top - _CLEAR):
                yield Topic(f"like {word}", table, _WEIGHT * score / top, sure=False)


def _unexplained(
    asked: Sequence[QueryWord], seen: Vocabulary, topics: Sequence[Topic]
) -> list[str]:
    explained = {row.stem for row in seen.occurrences}
    said = {part for topic in topics for part in topic.phrase.split()}
    return [
        word.word
        for word in asked
        if not explained & set(word.stems)
        and word.word not in WEAK_WORDS | said
        and word.word.isalpha()
        and len(word.word) >= _SHORTEST
    ]
