"""References of a knowledge base as it lies on disk."""

from __future__ import annotations

from pipeline import artifacts, authored
from pipeline.collecting import uncollected
from pipeline.kb import Kb
from pipeline.kept import Kept
from pipeline.references import references
from schemas.facts import Catalog
from schemas.references import References
from schemas.results import Graph


def of_kb(kb: Kb, catalog: Catalog | None = None) -> References:
    """Return what uses what in a knowledge base.

    What is read of statements is kept in `build/`, so that only changed ones are parsed again.

    Args:
        kb: the knowledge base.
        catalog: instead of what catalog.json holds, which needn't exist then.

    Raises:
        ArtifactError: catalog.json is missing or damaged.
        SettingError: a file of people can't be read.
    """
    with uncollected():
        catalog = catalog or artifacts.read(kb.catalog, Catalog)
        kept = Kept(kb.references_cache)
        measured = artifacts.read(kb.graph, Graph) if kb.graph.exists() else None
        return references(
            catalog,
            authored.read_semantic(kb.semantic),
            authored.read_knowledge_graph(kb.knowledge_graph),
            evaluation=authored.read_evaluation(kb.evaluation),
            measured=measured,
            kept=kept,
        )
