"""Everything that is suggested for one database, and how far it is described."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline import cards as merging
from pipeline.draft import needs, overall, suggest
from pipeline.draft.suggest import TableSuggestion
from pipeline.drafts import Drafts
from pipeline.lineage import Place
from schemas.models import Catalog, Coverage, Graph, Link, Profile, Semantic


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
    catalog: Catalog, profile: Profile, semantic: Semantic, drafts: Drafts
) -> Suggestions:
    """Return what facts, comments and a model's drafts suggest, without what `semantic` says."""
    declared = [link for table in catalog.tables for link in table.foreign_keys]
    links = Graph(links=(*declared, *profile.joins))
    cards = merging.cards(catalog, profile, semantic, links)
    open_needs = needs.assess(cards, catalog, semantic)
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


def _origins(catalog: Catalog) -> dict[Place, Place]:
    if not any(table.definition for table in catalog.tables):
        return {}
    from pipeline.lineage.views import origins  # sqlglot is heavy, and not all databases have views

    return origins(catalog)
