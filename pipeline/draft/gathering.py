"""Everything that is suggested for one database, and how far it is described."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipeline import needs
from pipeline.authored import Document
from pipeline.draft import overall, suggest
from pipeline.draft.suggest import TableSuggestion
from pipeline.drafts import Drafts
from pipeline.kept import Kept
from pipeline.lineage import Place
from schemas.models import Catalog, Coverage, Link, Profile


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What to say about what isn't described yet, most useful first."""

    coverage: Coverage
    notes: list[tuple[str, str]]
    """Rules for whoever writes SQL, each with why."""
    housekeeping: list[tuple[str, str]]
    """Names of columns, each with why."""
    joins: list[tuple[Link, str]]
    """Each with its evidence."""
    tables: list[TableSuggestion]


def suggestions(
    catalog: Catalog,
    profile: Profile,
    document: Document,
    drafts: Drafts,
    *,
    cache: Path | None = None,
) -> Suggestions:
    """Return what facts, comments and a model's drafts suggest, without what people said.

    What was read of statements is kept in `cache` for the next time.
    """
    semantic = document.semantic
    cards = needs.cards_of(catalog, profile, semantic)
    used = _uses(catalog, document, cache)
    open_needs = needs.assess(cards, catalog, semantic, used)
    waiting = drafts.waiting()
    passed = overall.passed_on(cards, _origins(catalog))
    return Suggestions(
        needs.coverage(open_needs, semantic),
        overall.deletion_notes(cards, semantic, catalog),
        overall.housekeeping(cards, semantic),
        overall.joins(profile.joins, semantic),
        [
            suggest.table(need, waiting, passed.get(need.card.name, {}))
            for need in needs.in_order(open_needs)
        ],
    )


def _uses(catalog: Catalog, document: Document, cache: Path | None) -> needs.Uses:
    """Count what uses each table and column: people's statements and joins, and views."""
    said = document.semantic
    views = any(table.definition for table in catalog.tables)
    if not (views or said.examples or said.metrics or said.glossary or said.relationships):
        return {}
    from pipeline.references import references  # sqlglot is heavy

    return needs.counted(references(catalog, document, kept=Kept(cache)))


def _origins(catalog: Catalog) -> dict[Place, Place]:
    if not any(table.definition for table in catalog.tables):
        return {}
    from pipeline.lineage.views import origins  # sqlglot is heavy, and not all databases have views

    return origins(catalog)
