"""What people wrote in a knowledge base as it lies on disk, and what of it uses which columns."""

from __future__ import annotations

from pipeline import artifacts, authored
from pipeline.impact.uses import Knowledge
from pipeline.kb import Kb
from pipeline.references.loading import of_kb as references_of
from schemas.facts import Catalog


def of_kb(kb: Kb, catalog: Catalog | None = None) -> Knowledge:
    """Return what is written about a knowledge base's catalogue.

    Args:
        kb: the knowledge base.
        catalog: instead of what catalog.json holds.

    Raises:
        ArtifactError: catalog.json is missing or damaged.
        SettingError: a file of people can't be read.
    """
    catalog = catalog or artifacts.read(kb.catalog, Catalog)
    return Knowledge(
        catalog,
        references_of(kb, catalog),
        authored.read_semantic(kb.semantic).semantic,
        authored.read_knowledge_graph(kb.knowledge_graph).graph,
        authored.read_evaluation(kb.evaluation).questions,
    )
