"""README.md: the front page of a knowledge base."""

from __future__ import annotations

from pipeline.cards import TableCard
from pipeline.docs import markdown as md
from pipeline.docs.book import ENTITY_HEADERS, Book, state_text
from pipeline.docs.card import KINDS, origin_text
from pipeline.docs.ties import counted
from pipeline.text import shorten, thousands
from schemas.models import GraphRelation, Share

GENERATED = (
    "This folder is written by dblore; what you change here is lost with the next build. "
    "What the database means is written in `semantic.yaml` and `knowledge_graph.yaml`: "
    "edit these, then run `dblore build`."
)
DIALECTS = {
    "sqlite": "SQLite",
    "duckdb": "DuckDB",
    "postgres": "PostgreSQL",
    "mysql": "MySQL",
    "tsql": "SQL Server",
    "oracle": "Oracle",
    "snowflake": "Snowflake",
    "bigquery": "BigQuery",
}
SHORT_MEANING = 140


def overview_page(book: Book) -> str:
    """Return the front page."""
    title = book.semantic.name or book.catalog.database
    return md.page(
        [
            f"# {md.name(title)}",
            *_description(book),
            _counts(book),
            f"> {GENERATED}",
            *_coverage(book),
            *_areas(book),
            *_tables(book),
            *_entities(book),
            *_relations(book),
            *_metrics(book),
            *_glossary(book),
            *_examples(book),
            *_rules(book),
            *_notes(book),
        ]
    )


def _description(book: Book) -> list[str]:
    if book.semantic.description:
        return [md.text(book.semantic.description)]
    if book.catalog.comment:
        return [f"{md.text(book.catalog.comment)} *(database comment)*"]
    return []


def _counts(book: Book) -> str:
    cards = book.cards.values()
    kinds = [sum(c.table.kind in kinds for c in cards) for kinds in (_STORED, _VIEWS)]
    rows = sum(c.profile.rows or 0 for c in cards if c.table.kind in _STORED)
    links = {
        link.key: link.origin for ties in book.ties.values() for link in (t.link for t in ties)
    }
    origins = [
        f"{sum(found == origin for found in links.values())} {words}"
        for origin, words in _ORIGINS.items()
        if origin in links.values()
    ]
    facts = [
        DIALECTS.get(book.catalog.dialect, book.catalog.dialect),
        *([book.catalog.structure_only] if book.catalog.structure_only else []),
        counted(kinds[0], "table"),
        *([counted(kinds[1], "view")] if kinds[1] else []),
        counted(sum(len(c.columns) for c in cards), "column"),
        *([counted(rows, "row")] if any(c.profile.rows is not None for c in cards) else []),
        f"{counted(len(links), 'link')}{' (' + ', '.join(origins) + ')' if origins else ''}",
    ]
    pages = [md.link("entity-relationship diagram", "er.md")] if book.drawn else []
    return " · ".join([*(md.text(fact) for fact in facts), *pages])


_STORED = ("table", "virtual_table", "foreign_table")
_VIEWS = ("view", "materialized_view")
_ORIGINS = {
    "declared": "declared",
    "curated": "added by people",
    "verified": "from the knowledge graph",
    "inferred": "inferred from data",
}


def _coverage(book: Book) -> list[str]:
    found = book.coverage
    if not any(share.total for share in (found.tables, found.columns, found.codes, found.units)):
        return []
    headers = ("part", "tables described", "columns described", "codes explained", "units known")
    rows = [
        (md.name(d.domain), *(_share(s) for s in (d.tables, d.columns, d.codes, d.units)))
        for d in found.domains
    ]
    total = (found.tables, found.columns, found.codes, found.units)
    rows.append(("**all**" if rows else "all", *(_share(share) for share in total)))
    blocks = ["## Coverage", md.table(headers, rows)]
    if found.next:
        blocks.append("Describe next: " + ", ".join(md.code(name) for name in found.next) + ".")
    return blocks


def _share(share: Share) -> str:
    if not share.total:
        return ""
    return f"{thousands(share.done)} of {thousands(share.total)}"


def _areas(book: Book) -> list[str]:
    if not book.groups:
        return []
    rows = [
        (
            md.link(md.name(group), f"er/{book.er_files[group]}.md"),
            md.text(book.group_texts.get(group, "")),
            ", ".join(book.table_link(name) for name in names),
        )
        for group, names in book.groups.items()
    ]
    note = (
        "" if book.semantic.domains else "Nobody has named domains; names and links suggest these."
    )
    return ["## Subject areas", note, md.table(("area", "meaning", "tables"), rows)]


def _tables(book: Book) -> list[str]:
    rows = [_table_row(book, card) for card in book.cards.values()]
    headers = ("table", "meaning", "kind", "rows", "columns", "refers to")
    blocks = ["## Tables", md.table(headers, rows) if rows else "The database has no tables."]
    if book.hidden:
        blocks.append("Hidden: " + ", ".join(md.code(name) for name in book.hidden) + ".")
    if book.catalog.external:
        names = ", ".join(md.code(name) for name in book.catalog.external)
        blocks.append(f"Outside the scope, but referred to: {names}.")
    return blocks


def _what_a_row_is(grain: str) -> str:
    """Return a grain as a sentence; people write `one row per order`, `one order` or `order`."""
    words = grain.split(None, 2)
    is_said = [word.casefold() for word in words[:2]] in (["one", "row"], ["a", "row"])
    is_said |= bool(words) and words[0].casefold() in ("each", "every", "rows")
    return grain if is_said or not grain else f"one row is {grain}"


def _table_row(book: Book, card: TableCard) -> tuple[str, ...]:
    meaning = card.description or _what_a_row_is(card.grain or "")
    rows = card.profile.rows
    about = "~" if card.profile.rows_estimated else ""
    referred = dict.fromkeys(tie.other for tie in book.ties[card.name] if tie.outward)
    return (
        book.table_link(card.name),
        md.text(shorten(meaning, SHORT_MEANING)),
        KINDS[card.table.kind],
        "" if rows is None else f"{about}{thousands(rows)}",
        str(len(card.columns)),
        ", ".join(book.table_link(name) for name in referred),
    )


def _entities(book: Book) -> list[str]:
    rows = [book.entity_row(found, with_table=True) for found in book.graph.entities]
    return ["## Entities", md.table(ENTITY_HEADERS, rows)] if rows else []


def _relations(book: Book) -> list[str]:
    headers = ("relation", "meaning", "joins", "rows meet", "state")
    rows = [_relation_row(found) for found in book.graph.relations]
    return ["## Relations", md.table(headers, rows)] if rows else []


def _relation_row(found: GraphRelation) -> tuple[str, ...]:
    joined = [
        f"{md.code(link.table)} → {md.code(link.to_table)} ({origin_text(link)})"
        for link in found.links
    ]
    facts = []
    if found.cardinality:
        facts.append(found.cardinality.replace("_", " "))
    if found.pairs is not None:
        facts.append(f"{thousands(found.pairs)} pairs")
    if found.unmatched:
        facts.append(f"{thousands(found.unmatched)} unmatched")
    return (
        md.text(f"{found.subject} {found.predicate} {found.object}"),
        md.text(found.relation.description),
        ", ".join(joined),
        ", ".join(facts),
        state_text(found.status, found.problems),
    )


def _metrics(book: Book) -> list[str]:
    blocks = []
    for metric in book.semantic.metrics:
        blocks += [
            f"### {md.text(metric.name)}",
            md.text(metric.definition),
            _also(metric.synonyms),
            md.fence(metric.sql),
        ]
    return ["## Metrics", *blocks] if blocks else []


def _glossary(book: Book) -> list[str]:
    terms = book.semantic.glossary
    rows = [
        (
            md.text(term.term),
            md.sentence((md.text(term.definition), _also(term.synonyms))),
            ", ".join(_term_tables(book, term.tables)),
        )
        for term in terms
    ]
    if not rows:
        return []
    blocks = ["## Glossary", md.table(("term", "meaning", "tables"), rows)]
    for term in terms:
        if term.sql:
            blocks += [f"{md.bold(term.term)} in SQL".strip(), md.fence(term.sql)]
    return blocks


def _term_tables(book: Book, names: tuple[str, ...]) -> list[str]:
    found = ((name, book.catalog.find(name)) for name in names)
    return [book.table_link(table.name if table else name) for name, table in found]


def _also(synonyms: tuple[str, ...]) -> str:
    return "also: " + ", ".join(md.text(s) for s in synonyms) if synonyms else ""


def _examples(book: Book) -> list[str]:
    blocks = []
    for example in book.semantic.examples:
        blocks += [md.bold(example.question), md.fence(example.sql)]
    return ["## Examples", *blocks] if blocks else []


def _rules(book: Book) -> list[str]:
    notes = book.semantic.dialect_notes
    return ["## SQL of this database", md.bullets(md.text(note) for note in notes)] if notes else []


def _notes(book: Book) -> list[str]:
    blocks = []
    notes = [*book.catalog.notes, *book.profile_notes]
    if notes:
        blocks.append(md.bullets(md.text(note) for note in notes))
    if book.catalog.unreadable:
        rows = [
            (md.code(u.name), md.text(u.kind), md.text(u.error_class), md.text(u.problem))
            for u in book.catalog.unreadable
        ]
        headers = ("could not be read", "kind", "error", "what happened")
        blocks.append(md.table(headers, rows))
    if book.graph.problems:
        blocks.append(md.bullets(md.text(problem.message) for problem in book.graph.problems))
    return ["## Notes of the scan", *blocks] if blocks else []
