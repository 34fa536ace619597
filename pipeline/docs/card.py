"""One page per table: its knowledge card."""

from __future__ import annotations

from pipeline.cards import ColumnCard, TableCard
from pipeline.docs import markdown as md
from pipeline.docs.book import ENTITY_HEADERS, Book
from pipeline.docs.codes import coded_columns
from pipeline.docs.columns import code_lists, column_table
from pipeline.docs.sql import Others
from pipeline.docs.ties import Tie, counted, evidence_text
from pipeline.text import one_line, thousands
from pipeline.withheld import HIDDEN
from schemas.models import Key, Link, Table

KINDS = {
    "table": "table",
    "view": "view",
    "materialized_view": "materialized view",
    "virtual_table": "virtual table",
    "foreign_table": "foreign table",
}


def card_page(book: Book, card: TableCard) -> str:
    """Return the page of one table."""
    ties = book.ties[card.name]
    coded = coded_columns(card, ties)
    dialect = book.catalog.dialect
    return md.page(
        [
            f"# {md.name(card.name)}",
            *_meaning(card),
            _facts(book, card),
            _reads(book, card),
            _notes(card),
            "## Columns",
            column_table(card, coded, dialect, _referring(book, ties)),
            *code_lists(coded, dialect),
            *_keys(card.table),
            *_joins(book, card, ties),
            *_entities(book, card),
            *_queries(book, card, coded),
            *_definition(card.table),
        ]
    )


def origin_text(link: Link) -> str:
    """Return who says that two tables join."""
    return {"declared": "declared key", "curated": "people", "verified": "knowledge graph"}.get(
        link.origin, "inferred from data"
    )


def _meaning(card: TableCard) -> list[str]:
    described = md.text(card.description)
    if mark := md.origin(card.description_origin, card.description_source):
        described += f" {mark}"
    synonyms = ", ".join(md.text(s) for s in card.synonyms)
    return [
        described,
        " ".join(["**Grain:**", md.text(card.grain), md.origin(card.grain_origin)]).rstrip()
        if card.grain
        else "",
        f"**Also called:** {synonyms}" if synonyms else "",
    ]


def _facts(book: Book, card: TableCard) -> str:
    table, profile = card.table, card.profile
    facts = [KINDS[table.kind]]
    if profile.rows is not None:
        about = "about " if profile.rows_estimated else ""
        facts.append(f"{about}{counted(profile.rows, 'row')}")
    facts.append(counted(len(card.columns), "column"))
    if card.structure_only:
        facts.append(card.structure_only)
    if profile.sample:
        sample = f"{thousands(profile.sample.rows)} rows, {md.text(profile.sample.method)}"
        facts.append(f"figures from a sample ({sample})")
    if table.partitions:
        facts.append(f"{thousands(table.partitions)} partitions")
    facts.extend(md.text(option) for option in table.options)
    group = book.group_of.get(card.name)
    if group and group in book.er_files:
        target = f"../er/{book.er_files[group]}.md"
        facts.append(f"drawn in {md.link(md.name(group), target)}")
    if profile.error:
        facts.append(f"**data not read**: {md.text(profile.error)}")
    return " · ".join([*facts, md.link("all tables", "../README.md")])


def _reads(book: Book, card: TableCard) -> str:
    read = ", ".join(book.table_link(name, folder="") for name in book.read_by.get(card.name, ()))
    return f"**Reads:** {read}" if read else ""


def _notes(card: TableCard) -> str:
    return md.bullets(md.text(note) for note in card.notes)


def _referring(book: Book, ties: tuple[Tie, ...]) -> dict[str, list[str]]:
    """Return per column the tables that it refers to on its own or as part of a key."""
    found: dict[str, dict[str, None]] = {}
    for tie in ties:
        if tie.outward:
            for column in tie.link.columns:
                found.setdefault(column, {})[book.table_link(tie.other, folder="")] = None
    return {column: list(targets) for column, targets in found.items()}


def _keys(table: Table) -> list[str]:
    lines = []
    if table.primary_key:
        lines.append(f"Primary key {_columns(table.primary_key)}")
    lines.extend(f"Unique {_columns(key)}" for key in table.unique)
    lines.extend(f"Check {_rule(check.expression)}" for check in table.checks)
    for index in table.indexes:
        names = ", ".join(map(_rule, index.columns))
        only = f" where {_rule(index.where)}" if index.where else ""
        unique = "Unique index" if index.unique else "Index"
        lines.append(f"{unique} {md.code(index.name)} on {names}{only}")
    return ["## Keys and rules", md.bullets(lines)] if lines else []


def _rule(expression: str) -> str:
    return f"*{HIDDEN}*" if expression == HIDDEN else md.code(one_line(expression))


def _columns(key: Key) -> str:
    return ", ".join(md.code(column) for column in key.columns)


def _joins(book: Book, card: TableCard, ties: tuple[Tie, ...]) -> list[str]:
    blocks = []
    for title, outward in (
        ("This table refers to", True),
        ("Tables that refer to this one", False),
    ):
        chosen = [tie for tie in ties if tie.outward == outward]
        if chosen:
            blocks += [f"### {title}", _join_table(book, chosen)]
    if broken := _broken(card):
        blocks += ["### Keys that lead nowhere", broken]
    return ["## Joins", *blocks] if blocks else []


def _join_table(book: Book, ties: list[Tie]) -> str:
    rows = []
    for tie in ties:
        other = book.cards[tie.other].table
        rows.append(
            (
                book.table_link(tie.other, folder=""),
                md.text(tie.link.label or ""),
                tie.cardinality.replace("_", " "),
                md.code(book.writer.join(tie, other)),
                origin_text(tie.link),
                md.text(evidence_text(tie.link)),
                md.text(tie.link.description or ""),
            )
        )
    headers = ("table", "role", "rows", "join", "known from", "measured", "meaning")
    return md.table(headers, rows)


def _broken(card: TableCard) -> str:
    why = {
        "missing_table": "there is no such table",
        "missing_column": "there is no such column",
        "external": "outside the scope of this knowledge base",
    }
    lines = []
    for link in card.links:
        if link.table == card.name and link.state in why:
            here = ", ".join(md.code(c) for c in link.columns)
            there = ", ".join(md.code(c) for c in link.to_columns)
            target = f"{md.code(link.to_table)} {there}".rstrip()
            lines.append(f"{here} → {target}: {why[link.state]}")
    return md.bullets(lines)


def _entities(book: Book, card: TableCard) -> list[str]:
    rows = [book.entity_row(e) for e in book.graph.entities if e.table == card.name]
    return ["## Entities", md.table(ENTITY_HEADERS, rows)] if rows else []


def _queries(book: Book, card: TableCard, coded: tuple[ColumnCard, ...]) -> list[str]:
    if card.profile.error or not card.columns:
        return []
    blocks = []
    for example in book.examples_of.get(card.name, ()):
        question = f"{md.bold(example.question)} *(written by people)*".strip()
        blocks += [question, md.fence(example.sql)]
    others = Others(book.cards, coded)
    for query in book.writer.queries(card, book.ties[card.name], others):
        blocks += [md.bold(query.title), md.fence(query.sql)]
    return ["## Example queries", *blocks] if blocks else []


def _definition(table: Table) -> list[str]:
    return ["## Definition", md.fence(table.definition)] if table.definition else []
