"""Counts per kind, sizes, coverage and the index's model of one knowledge base."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from pipeline import artifacts
from pipeline.errors import ArtifactError
from pipeline.kb import Kb
from schemas.models import Coverage
from serve.knowledge import KnowledgeBase


def stats(base: KnowledgeBase) -> dict[str, Any]:
    """Return name to figure, or to a dict of figures, in the order to print."""
    facts = base.facts
    catalog, graph, semantic = facts.catalog, facts.graph, facts.semantic
    kinds: dict[str, int] = {}
    for table in catalog.tables:
        kinds[table.kind] = kinds.get(table.kind, 0) + 1
    origins: dict[str, int] = {}
    for link in graph.links:
        origins[link.origin] = origins.get(link.origin, 0) + 1
    found: dict[str, Any] = {
        "database": f"{catalog.database} ({catalog.dialect})",
        "tables": kinds,
        "columns": sum(len(table.columns) for table in catalog.tables),
        "rows": sum(t.rows or 0 for t in facts.profile.tables),
        "links": origins,
        "entities": len(graph.entities),
        "relations": len(graph.relations),
        "metrics": len(semantic.metrics),
        "terms": len(semantic.glossary),
        "examples": len(semantic.examples),
    }
    with suppress(ArtifactError):
        coverage = artifacts.read(base.kb.coverage, Coverage)
        found["described"] = {
            name: f"{share.done}/{share.total}"
            for name, share in (
                ("tables", coverage.tables),
                ("columns", coverage.columns),
                ("codes", coverage.codes),
                ("units", coverage.units),
            )
        }
    found["index"] = dict(sorted(base.index.meta.items()))
    found["sizes"] = _sizes(base.kb)
    return found


def _sizes(kb: Kb) -> dict[str, str]:
    files = {
        "catalog": [kb.catalog],
        "profile": [kb.profile],
        "graph": [kb.graph],
        "docs": [p for p in kb.docs.rglob("*") if p.is_file()],
        "index": [p for p in kb.index.rglob("*") if p.is_file()],
    }
    return {
        name: f"{sum(p.stat().st_size for p in paths if p.exists()) / 1024:,.0f} KiB"
        for name, paths in files.items()
    }
