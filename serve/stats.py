"""Counts per kind, sizes, coverage and the index's model of one knowledge base."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pipeline import artifacts, embedding
from pipeline.errors import ArtifactError
from pipeline.kb import Kb
from pipeline.text import counted, one_line, thousands
from schemas.models import Coverage
from serve.knowledge import KnowledgeBase

_MODELS = {embedding.DEFAULT: "all-MiniLM-L6-v2 int8"}
"""Embedder to its model, where the setting doesn't name one."""


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
    views = {table.name for table in catalog.tables if table.kind.endswith("view")}
    found: dict[str, Any] = {
        "database": f"{one_line(catalog.database)} ({catalog.dialect})",
        "tables": kinds,
        "columns": sum(len(table.columns) for table in catalog.tables),
        "rows": sum(t.rows or 0 for t in facts.profile.tables if t.table not in views),
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
    meta = base.index.meta
    found["index"] = {**dict(sorted(meta.items())), "model": model(meta)}
    found["sizes"] = _sizes(base.kb)
    return found


def model(meta: Mapping[str, str]) -> str:
    """Return the model that made the vectors; '' when there are none."""
    if not meta.get("digest"):
        return ""
    name = meta["embedder"]
    return _MODELS.get(name) or name.partition(":")[2] or name


def told(found: Mapping[str, Any]) -> dict[str, str]:
    """Return what `stats` found as a line each."""
    lines = {name: _line(value) for name, value in found.items()}
    kinds: dict[str, int] = found["tables"]
    lines["tables"] = ", ".join(
        counted(number, kind.replace("_", " ")) for kind, number in kinds.items()
    )
    origins: dict[str, int] = found["links"]
    lines["links"] = ", ".join(f"{thousands(number)} {name}" for name, number in origins.items())
    index = found["index"]
    size = f"{index.get('dimension')} dimensions"
    lines["index"] = f"{index['model']}, {size}" if index["model"] else "words only"
    return {name: line or "none" for name, line in lines.items()}


def _line(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {figure}" for name, figure in value.items())
    return thousands(value) if isinstance(value, int) else str(value)


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
