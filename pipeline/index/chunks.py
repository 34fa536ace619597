"""What can be found: one chunk per table, column, metric, term, entity, relation and example.

`title` is how a thing is called, `text` all that is said about it. Hidden tables, housekeeping
columns and values of sensitive columns are in no chunk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.cards import ColumnCard, TableCard
from pipeline.database.grammar import grammar
from pipeline.lexicon import expanded
from pipeline.text import one_line, shorten
from schemas.models import Catalog, Chunk, Graph, GraphEntity, GraphRelation, Semantic

_TEXT_LIMIT = 1_000
"""Characters; the embedder reads some 250 words and BM25 punishes length."""
_MEANINGS = 40
"""Code meanings that a column's text spells out at most."""
_COLUMNS = 80
"""Column names that a table's text lists at most."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk with what the index stores beside it."""

    chunk: Chunk
    words: str
    """The title with identifiers split, and synonyms: the second, heavier search column."""
    dense: str
    """What is embedded."""


def entries(
    catalog: Catalog, shown: Mapping[str, TableCard], semantic: Semantic, graph: Graph
) -> list[Entry]:
    """Return the entries in their fixed order: tables, columns, then people's items by kind."""
    found: list[Entry] = []
    for card in shown.values():
        found.append(_table(card))
        found.extend(_column(card, column) for column in card.columns if not column.housekeeping)
    found.extend(_semantic_items(catalog, shown, semantic))
    found.extend(_entity(e) for e in graph.entities if e.table in shown and e.status != "failed")
    found.extend(
        _relation(relation, graph)
        for relation in graph.relations
        if relation.status != "failed" and all(t in shown for t in _relation_tables(relation))
    )
    return found


def split(identifier: str) -> str:
    """Return an identifier as searchable words, abbreviations spelled out beside themselves."""
    return " ".join(expanded(identifier))


def _entry(chunk: Chunk, words: Iterable[str], dense: str) -> Entry:
    joined = " ".join(dict.fromkeys(w for w in words if w))
    return Entry(chunk, joined, shorten(one_line(dense), _TEXT_LIMIT))


def _sentences(parts: Iterable[str]) -> str:
    """Return what is said as one text; a part that ends a sentence gets no second full stop."""
    said = [part for text in parts if (part := one_line(text))]
    ended = [part if part.endswith((".", "!", "?", "…")) else f"{part}." for part in said[:-1]]
    return shorten(" ".join([*ended, *said[-1:]]), _TEXT_LIMIT)


def _table(card: TableCard) -> Entry:
    columns = [split(c.name) for c in card.columns if not c.housekeeping][:_COLUMNS]
    said = [card.description, card.grain or "", *card.notes]
    text = _sentences([*said, ", ".join(columns)])
    called = [split(card.name), *card.synonyms]
    dense = f"{', '.join(called)}: {card.description} {', '.join(columns)}"
    return _entry(Chunk("table", card.name, (card.name,), card.name, text), called, dense)


def _column(card: TableCard, column: ColumnCard) -> Entry:
    meanings = [] if column.sensitive else [c.meaning for c in column.codes if c.meaning]
    said = [column.description, ", ".join(meanings[:_MEANINGS]), column.unit or ""]
    text = _sentences(said)
    reference = f"{card.name}.{column.name}"
    called = [split(column.name), *column.synonyms]
    dense = f"{split(card.name)}: {', '.join(called)}. {text}"
    return _entry(Chunk("column", reference, (card.name,), reference, text), called, dense)


def _semantic_items(
    catalog: Catalog, shown: Mapping[str, TableCard], semantic: Semantic
) -> Iterator[Entry]:
    for metric in semantic.metrics:
        tables = _visible(tables_of_sql(metric.sql, catalog), shown)
        chunk = Chunk("metric", metric.name, tables, metric.name, one_line(metric.definition))
        called = (split(metric.name), *metric.synonyms)
        yield _entry(chunk, called, f"{', '.join(called)}. {metric.definition}")
    for term in semantic.glossary:
        named = tuple(t.name for name in term.tables if (t := catalog.find(name)))
        tables = _visible((*named, *tables_of_sql(term.sql or "", catalog)), shown)
        chunk = Chunk("term", term.term, tables, term.term, one_line(term.definition))
        called = (split(term.term), *term.synonyms)
        yield _entry(chunk, called, f"{', '.join(called)}. {term.definition}")
    for example in semantic.examples:
        tables = _visible(tables_of_sql(example.sql, catalog), shown)
        question = one_line(example.question)
        yield _entry(Chunk("example", question, tables, question, ""), (question,), question)


def _entity(item: GraphEntity) -> Entry:
    entity = item.entity
    called = (split(entity.name), *entity.synonyms)
    chunk = Chunk("entity", entity.name, (item.table,), entity.name, one_line(entity.description))
    return _entry(chunk, called, f"{', '.join(called)}. {entity.description}")


def _relation(item: GraphRelation, graph: Graph) -> Entry:
    subject, obj = graph.by_entity.get(item.subject), graph.by_entity.get(item.object)
    ends = tuple(e.table for e in (subject, obj) if e)
    tables = tuple(dict.fromkeys((*ends, *_relation_tables(item))))
    title = f"{item.subject} {item.predicate} {item.object}"
    said = item.relation.description
    chunk = Chunk("relation", title, tables, title, one_line(said))
    return _entry(chunk, (split(title),), f"{split(title)}. {said}")


def _relation_tables(item: GraphRelation) -> tuple[str, ...]:
    return tuple(dict.fromkeys(t for link in item.links for t in (link.table, link.to_table)))


def _visible(tables: Iterable[str], shown: Mapping[str, TableCard]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(t for t in tables if t in shown))


def tables_of_sql(sql: str, catalog: Catalog) -> tuple[str, ...]:
    """Return the tables of the catalog that a statement or expression names, in its order.

    What doesn't parse names none: `validate` reports it.
    """
    if not sql.strip():
        return ()
    import sqlglot
    from sqlglot import exp

    try:
        tree = sqlglot.parse_one(sql, read=grammar(catalog.dialect))
    except sqlglot.errors.SqlglotError:
        return ()
    found: dict[str, None] = {}
    nodes: Iterator[Any] = tree.find_all(exp.Table, exp.Column)
    for node in nodes:
        if isinstance(node, exp.Table):
            name = f"{node.db}.{node.name}" if node.db else node.name
        else:
            name = f"{node.db}.{node.table}" if node.db else node.table
        table = catalog.find(name)
        if table:
            found[table.name] = None
    return tuple(found)
