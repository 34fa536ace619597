"""Write what is still undescribed, with suggestions, and measure how far description has come.

Reads   catalog.json, profile.json, semantic.yaml, drafts.jsonl
Writes  semantic.draft.yaml  the shape of semantic.yaml, without what is described there
        coverage.json        shape: schemas/coverage.schema.json

People's semantic.yaml is read and never written.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

from pipeline import artifacts
from pipeline import drafts as drafted
from pipeline.authored import name_faults, read_semantic
from pipeline.draft import gathering, marks, writing
from pipeline.draft.proposals import takeable
from pipeline.text import counted
from schemas.models import Catalog, Coverage, Profile, Share

log = logging.getLogger("dblore.draft")


def build(
    *,
    catalog: Path,
    profile: Path,
    semantic: Path,
    drafts: Path,
    out: Path,
    coverage: Path,
    cache: Path | None = None,
) -> str:
    """Write the draft to `out` and the coverage to `coverage`.

    Names in `semantic` that the catalog lacks are warned about; all else in it is used. What was
    read of statements is kept in `cache` for the next build.

    Raises:
        SettingError: semantic.yaml can't be read.
        ArtifactError: the catalog or profile is missing or damaged.
    """
    facts = artifacts.read(catalog, Catalog)
    document = read_semantic(semantic)
    for fault in name_faults(document, facts):
        if fault.place[0] != "relationships":  # the graph stage tells of those
            log.warning("%s: %s (%s)", document.where(*fault.place), fault.message, fault.fix)
    found = gathering.suggestions(
        facts,
        artifacts.read(profile, Profile),
        document,
        drafted.read(drafts),
        cache=cache,
    )
    lines = [
        *_schema_line(semantic),
        *writing.header(found.coverage),
        *writing.database(found.notes, found.housekeeping),
        *writing.relationships(found.joins),
        *writing.tables(found.tables),
    ]
    kept = marks.keep_edited(out)
    if kept is not None:
        log.warning(
            "%s was edited by hand; your version is kept as %s: take its words over with "
            "dblore accept --kb %s --from %s",
            *(out, kept, out.parent, kept),
        )
    artifacts.write_text(out, marks.marked("\n".join(lines) + "\n"))
    covered = replace(found.coverage, suggested=takeable(found))
    artifacts.write(coverage, covered)
    return _account(covered)


def _schema_line(semantic: Path) -> list[str]:
    """Return the line by which editors find the schema of semantic.yaml, for the draft too."""
    try:
        with semantic.open(encoding="utf-8-sig") as file:
            first = file.readline(1000).rstrip()
    except OSError:
        return []
    return [first] if first.startswith("# yaml-language-server: ") and first.isprintable() else []


def _account(covered: Coverage) -> str:
    parts = [f"{_share(covered.tables)} tables and {_share(covered.columns)} columns described"]
    if covered.codes.total:
        parts.append(f"{_share(covered.codes)} code lists explained")
    if covered.suggested:
        parts.append(f"{counted(covered.suggested, 'suggestion')} to accept")
    return ", ".join(parts)


def _share(share: Share) -> str:
    return f"{share.done}/{share.total}"
