"""Run what people say can be run: examples, metrics, glossary SQL, curated joins, filters.

Reads   catalog.json, profile.json, semantic.yaml, knowledge_graph.yaml, graph.json and the data
Writes  validation.json  shape: schemas/validation.schema.json
        validation.md    the same for people

Each statement is first proven: the guard and the engine look it through without reading data. Then
it runs read-only, guarded and time-limited, as an agent's would, and what is pinned of an example's
result is compared. A failed one is a line in the report and never ends the build. Names in
semantic.yaml that the catalog lacks are failures too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import artifacts
from pipeline.authored import (
    Document,
    name_faults,
    read_knowledge_graph,
    read_semantic,
)
from pipeline.cards import sensitive_columns
from pipeline.checked import account
from pipeline.errors import ArtifactError, SourceError
from pipeline.validate import report as reports
from pipeline.validate.checks import checks
from pipeline.validate.running import NO_DATABASE, Outcome, Run, skipped
from schemas.models import Catalog, CheckedItem, Graph, Profile, Validation

if TYPE_CHECKING:
    from pipeline.database.source import Source

SECONDS = 30.0
"""What one statement may take."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that validation reads; those of people may be absent."""

    catalog: Path
    profile: Path
    """It tells what is sensitive."""
    semantic: Path
    knowledge_graph: Path
    graph: Path


def build(
    *,
    out: Path,
    report: Path,
    source: Source | None,
    cache: Path | None = None,
    again: Callable[[], None] = lambda: None,
    seconds: float = SECONDS,
    **files: Path,
) -> str:
    """Check every statement of people's files and write the results to `out` and `report`.

    Args:
        out: validation.json.
        report: validation.md.
        source: the database; None when it can't be reached.
        cache: where to keep what passed, so that it isn't run again; None: nowhere.
        again: told when a statement wasn't run for a reason that passes.
        seconds: what one statement may take.
        files: what `Inputs` names.

    Raises:
        SettingError: a file of people can't be read.
        ArtifactError: an artifact is missing or damaged.
    """
    inputs = Inputs(**files)
    facts = artifacts.read(inputs.catalog, Catalog)
    known = artifacts.read(inputs.graph, Graph)
    document = read_semantic(inputs.semantic)
    wanted = checks(document, read_knowledge_graph(inputs.knowledge_graph), facts, known)
    if source is None or not wanted:
        ran = [skipped(check, NO_DATABASE) for check in wanted]
    else:
        marked = sensitive_columns(
            facts, artifacts.read(inputs.profile, Profile), document.semantic, known
        )
        run = Run(
            source,
            facts,
            sensitive=marked,
            cache=cache,
            stamps=_stamps(source, facts) if cache is not None else {},
            seconds=seconds,
        )
        ran = run.outcomes(wanted)
        if run.was_kept_out:
            again()
    outcomes = [*_names(document, facts), *ran]
    if source is None:
        outcomes = _with_earlier(outcomes, out)
    artifacts.write(out, Validation(items=tuple(outcome.told for outcome in outcomes)))
    artifacts.write_text(report, reports.report(outcomes))
    unchanged = sum(outcome.is_kept for outcome in outcomes)
    return account([outcome.item for outcome in outcomes]) + (
        f" ({unchanged} unchanged)" if unchanged else ""
    )


def _stamps(source: Source, catalog: Catalog) -> dict[str, str]:
    """Return what tells whether tables, or the structure, changed; nothing where nobody can.

    Servers stamp rows: a column that was renamed since the scan would be none of their business.
    """
    from pipeline.database import fingerprint
    from pipeline.stamps import stamps

    with suppress(SourceError):
        structure = fingerprint.structure(source)
        if structure != fingerprint.UNKNOWN:
            found = stamps(source, catalog)
            return {table: f"{structure} {stamp}" for table, stamp in found.items()}
    return {}


def _with_earlier(outcomes: list[Outcome], out: Path) -> list[Outcome]:
    """Keep what an earlier run found for statements that are still the same."""
    try:
        earlier = artifacts.read(out, Validation)
    except ArtifactError:
        return outcomes
    known = {(item.kind, item.name, item.sql): item for item in earlier.items}
    return [
        Outcome(found, found.place or outcome.place, found.fix)
        if (item := outcome.item).status == "skipped"
        and (found := known.get((item.kind, item.name, item.sql))) is not None
        else outcome
        for outcome in outcomes
    ]


def _names(document: Document, catalog: Catalog) -> list[Outcome]:
    outcomes = []
    for fault in name_faults(document, catalog):
        if fault.severity == "error" and fault.place[0] != "relationships":  # told with their join
            missing = (fault.message,) if fault.is_gone else ()
            item = CheckedItem("name", fault.target, "failed", cause=fault.message, missing=missing)
            outcomes.append(Outcome(item, document.place(*fault.place), fault.fix))
    return outcomes
