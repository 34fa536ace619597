"""Write the knowledge base as Markdown: a front page, a card per table, diagrams.

Reads   catalog.json, profile.json, graph.json, coverage.json; semantic.yaml and drafts.jsonl when
        they are there
Writes  docs/README.md, docs/tables/<table>.md, docs/er.md, docs/er/<area>.md

The folder belongs to this stage: files of tables that are gone are removed. Nothing here looks
at the database, and no cell value of a sensitive column is written.
"""

from __future__ import annotations

from pathlib import Path

from pipeline import artifacts
from pipeline.authored import load_semantic
from pipeline.docs import er
from pipeline.docs.book import Book, open_book
from pipeline.docs.card import card_page
from pipeline.docs.overview import overview_page
from pipeline.drafts import read
from pipeline.statements import readable
from pipeline.text import counted
from schemas.models import Catalog, Coverage, Graph, Profile

__all__ = ["build"]


def build(
    *,
    catalog: Path,
    profile: Path,
    semantic: Path,
    drafts: Path,
    graph: Path,
    coverage: Path,
    out: Path,
) -> str:
    """Write all pages below `out` and remove every other file there.

    Raises:
        ArtifactError: an input is missing or damaged, or `out` can't be written.
        SettingError: `semantic` can't be used.
    """
    facts = artifacts.read(catalog, Catalog)
    book = open_book(
        facts,
        artifacts.read(profile, Profile),
        readable(load_semantic(semantic), facts.dialect),
        artifacts.read(graph, Graph),
        artifacts.read(coverage, Coverage),
        read(drafts).accepted(),
    )
    pages = pages_of(book)
    artifacts.write_folder(out, pages)
    return f"{counted(len(book.cards), 'card')}, {counted(len(pages), 'page')}"


def pages_of(book: Book) -> dict[str, str]:
    """Return every page: its path below the folder, and its Markdown."""
    pages = {"README.md": overview_page(book)}
    if book.drawn:
        pages["er.md"] = er.whole_page(book)
    for group, file in book.er_files.items():
        pages[f"er/{file}.md"] = er.group_page(book, group)
    for name, file in book.files.items():
        pages[f"tables/{file}.md"] = card_page(book, book.cards[name])
    return pages
