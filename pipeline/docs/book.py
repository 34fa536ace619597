"""What all pages share: the cards, their links, the subject areas and where each page is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pipeline.cards import TableCard, cards
from pipeline.database.grammar import grammar
from pipeline.docs import markdown as md
from pipeline.docs.groups import groups
from pipeline.docs.names import file_names
from pipeline.docs.sql import Writer
from pipeline.docs.ties import Tie, cardinality_of, ties
from pipeline.drafts import NONE, Accepted
from pipeline.text import thousands
from schemas.models import (
    Cardinality,
    Catalog,
    Coverage,
    Example,
    Graph,
    GraphEntity,
    Link,
    Problem,
    Profile,
    Semantic,
    Status,
    Table,
)

ENTITY_HEADERS = ("entity", "meaning", "table", "filter", "rows", "state")


@dataclass(frozen=True)
class Book:
    """One knowledge base, ready to be written as pages. Hidden tables have no card here."""

    catalog: Catalog
    semantic: Semantic
    graph: Graph
    coverage: Coverage
    profile_notes: tuple[str, ...]
    cards: dict[str, TableCard]
    hidden: tuple[str, ...]
    ties: dict[str, tuple[Tie, ...]]
    groups: dict[str, list[str]]
    files: dict[str, str]
    """Page of a table, without folder and suffix."""
    er_files: dict[str, str]
    """Page of a subject area, the same way; empty when there are none."""
    writer: Writer
    examples_of: dict[str, list[Example]]
    """Examples that read a table."""
    read_by: dict[str, tuple[str, ...]]
    """Tables that a view reads."""

    @property
    def tables(self) -> dict[str, Table]:
        """All tables by name."""
        return self.catalog.by_name

    @cached_property
    def drawn(self) -> list[str]:
        """Names of what diagrams show: all tables, and the views that have links."""
        return [
            n for n, card in self.cards.items() if "view" not in card.table.kind or self.ties[n]
        ]

    @cached_property
    def group_of(self) -> dict[str, str]:
        """Subject area of each table that has one."""
        return {name: group for group, names in self.groups.items() for name in names}

    @cached_property
    def group_texts(self) -> dict[str, str]:
        """What people say of a subject area."""
        return {domain.name: domain.description for domain in self.semantic.domains}

    def cardinality(self, link: Link) -> Cardinality:
        """Return a link's cardinality, read from `table` to `to_table`."""
        return cardinality_of(link, self.tables)

    def table_link(self, name: str, *, folder: str = "tables/") -> str:
        """Return a link to a table's page, or just its name when it has none.

        `folder` is where the pages of tables are, seen from the page that holds the link.
        """
        file = self.files.get(name)
        if file is None:
            return md.name(name)
        return md.link(md.name(name), f"{folder}{file}.md")

    def entity_row(self, found: GraphEntity, *, with_table: bool = False) -> tuple[str, ...]:
        """Return an entity as a row under ENTITY_HEADERS."""
        entity = found.entity
        meaning = [md.text(entity.description)] if entity.description else []
        if entity.is_a:
            meaning.append(f"a kind of {md.text(entity.is_a)}")
        if entity.synonyms:
            meaning.append("also: " + ", ".join(md.text(s) for s in entity.synonyms))
        return (
            md.text(entity.name),
            md.sentence(meaning),
            self.table_link(found.table) if with_table else "",
            md.code(found.filter) if found.filter else "",
            "" if found.rows is None else thousands(found.rows),
            state_text(found.status, found.problems),
        )


def open_book(
    catalog: Catalog,
    profile: Profile,
    semantic: Semantic,
    graph: Graph,
    coverage: Coverage,
    accepted: Accepted = NONE,
) -> Book:
    """Bring together what the pages show; `accepted` tells which texts a machine drafted."""
    everything = cards(catalog, profile, semantic, graph, accepted)
    shown = {name: card for name, card in everything.items() if not card.hidden}
    tables = {name: card.table for name, card in shown.items()}
    tied = {name: ties(card, tables) for name, card in shown.items()}
    read = _read_by(catalog, shown)
    divided = groups(shown, tied, read)
    return Book(
        catalog,
        semantic,
        graph,
        coverage,
        profile.notes,
        shown,
        tuple(name for name, card in everything.items() if card.hidden),
        tied,
        divided,
        file_names(shown),
        file_names(divided),
        Writer(catalog.dialect),
        _examples_of(catalog, semantic),
        read,
    )


def state_text(status: Status, problems: tuple[Problem, ...]) -> str:
    """Return how far an item of the knowledge graph can be trusted, and why not further."""
    return md.text("; ".join([status, *(problem.message for problem in problems)]))


def _examples_of(catalog: Catalog, semantic: Semantic) -> dict[str, list[Example]]:
    """Return the examples that read each table."""
    found: dict[str, list[Example]] = {}
    for example in semantic.examples:
        for name in _tables_in(example.sql, catalog):
            found.setdefault(name, []).append(example)
    return found


def _read_by(catalog: Catalog, shown: dict[str, TableCard]) -> dict[str, tuple[str, ...]]:
    """Return the tables that each view reads."""
    found: dict[str, tuple[str, ...]] = {}
    for name, card in shown.items():
        if card.table.definition and "view" in card.table.kind:
            read = _tables_in(card.table.definition, catalog)
            found[name] = tuple(other for other in read if other in shown and other != name)
    return found


def _tables_in(sql: str, catalog: Catalog) -> list[str]:
    """Return the tables that a statement names, sorted; none when it can't be parsed."""
    import sqlglot  # a tenth of a second, and not all databases have views or examples

    try:
        tree = sqlglot.parse_one(sql, dialect=grammar(catalog.dialect))
    except sqlglot.errors.SqlglotError:
        return []
    names = {
        table.name
        for node in tree.find_all(sqlglot.exp.Table)
        for written in (node.name, f"{node.db}.{node.name}")
        if (table := catalog.find(written))
    }
    return sorted(names)
