"""Write what is still undescribed, with suggestions, and measure how far description has come.

Reads   catalog.json, profile.json, semantic.yaml, drafts.jsonl
Writes  semantic.draft.yaml  the shape of semantic.yaml, without what is described there
        coverage.json        shape: schemas/coverage.schema.json

People's semantic.yaml is read and never written.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from pipeline import artifacts
from pipeline import cards as merging
from pipeline.authored import check_names, read_semantic
from pipeline.draft import drafted, needs, overall, suggest, writing
from pipeline.lineage import Place
from schemas.models import Catalog, Coverage, Graph, Profile, Share

log = logging.getLogger("dblore.draft")


def build(
    *, catalog: Path, profile: Path, semantic: Path, drafts: Path, out: Path, coverage: Path
) -> str:
    """Write the draft to `out` and the coverage to `coverage`.

    Names in `semantic` that the catalog lacks are warned about; all else in it is used.

    Raises:
        SettingError: semantic.yaml can't be read.
        ArtifactError: the catalog or profile is missing or damaged.
    """
    facts = artifacts.read(catalog, Catalog)
    measured = artifacts.read(profile, Profile)
    document = read_semantic(semantic)
    for problem in check_names(document, facts):
        place = f"{semantic.parent}{os.sep}{problem.message}"
        log.warning("%s (%s)", place, problem.fix)
    said = document.semantic
    declared = [link for table in facts.tables for link in table.foreign_keys]
    links = Graph(links=(*declared, *measured.joins))
    cards = merging.cards(facts, measured, said, links)

    open_needs = needs.assess(cards, facts, said)
    covered = needs.coverage(open_needs, said)
    written = drafted.read(drafts)
    passed = overall.passed_on(cards, _origins(facts))
    lines = [
        *writing.header(covered),
        *writing.database(
            overall.deletion_notes(cards, said, facts), overall.housekeeping(cards, said)
        ),
        *writing.relationships(overall.joins(measured.joins, said)),
        *writing.tables(
            [
                suggest.table(need, written, passed.get(need.card.name, {}))
                for need in needs.in_order(open_needs)
            ]
        ),
    ]
    artifacts.write_text(out, "\n".join(lines) + "\n")
    artifacts.write(coverage, covered)
    return _account(covered)


def _account(covered: Coverage) -> str:
    parts = [f"{_share(covered.tables)} tables and {_share(covered.columns)} columns described"]
    if covered.codes.total:
        parts.append(f"{_share(covered.codes)} code lists explained")
    return ", ".join(parts)


def _share(share: Share) -> str:
    return f"{share.done}/{share.total}"


def _origins(facts: Catalog) -> dict[Place, Place]:
    if not any(table.definition for table in facts.tables):
        return {}
    from pipeline.lineage.views import origins  # sqlglot is heavy, and not all databases have views

    return origins(facts)
