"""The table at the end of a build."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from pipeline import artifacts
from pipeline.authored import find_column, read_semantic
from pipeline.checked import account
from pipeline.errors import ArtifactError, SettingError
from pipeline.kb import Kb
from pipeline.text import counted
from schemas.models import Catalog, CheckedItem, Coverage, Graph, Share, Validation

if TYPE_CHECKING:
    from pipeline.reporter import Outcome


def show(kb: Kb, done: Sequence[Outcome], stream: TextIO) -> None:
    """Print what each stage did, what the knowledge base holds now, and what to try next."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    table = Table(title=f"{kb.folder}", title_justify="left", title_style="bold")
    table.add_column("stage")
    table.add_column("what it did")
    table.add_column("seconds", justify="right")
    for outcome in done:
        table.add_row(outcome.stage, Text(outcome.account), f"{outcome.seconds:.1f}")
    console.print()
    console.print(table)
    for line in facts(kb):
        console.print(Text(line), soft_wrap=True)
    console.print(Text("\nnext:", style="bold"))
    for step, what in next_steps(kb):
        console.print(Text(f"  {what}:\n    {step}"), soft_wrap=True)


def facts(kb: Kb) -> list[str]:
    """Return lines that say what the knowledge base holds."""
    lines = []
    with suppress(ArtifactError):
        catalog = artifacts.read(kb.catalog, Catalog)
        graph = artifacts.read(kb.graph, Graph)
        columns = sum(len(table.columns) for table in catalog.tables)
        views = sum(1 for table in catalog.tables if table.kind.endswith("view"))
        tables = len(catalog.tables) - views
        lines.append(
            f"{counted(tables, 'table')}, {counted(views, 'view')}, {counted(columns, 'column')}, "
            f"{counted(len(graph.links), 'link')}, "
            f"{counted(len(graph.entities), 'entity')}, {counted(len(graph.relations), 'relation')}"
        )
        if catalog.structure_only:
            lines.append(f"{catalog.structure_only}: no data was read")
    lines += described(kb)
    with suppress(ArtifactError):
        failed = _failed(kb)
        if failed:
            said = account(artifacts.read(kb.validation, Validation).items)
            lines.append(f"{said}: see {kb.validation_report}")
    return lines


def _failed(kb: Kb) -> list[CheckedItem]:
    validation = artifacts.read(kb.validation, Validation)
    return [item for item in validation.items if item.status == "failed"]


def next_steps(kb: Kb) -> list[tuple[str, str]]:
    """Return what is worth doing now: the command or file, and what it is good for."""
    steps = []
    with suppress(ArtifactError):
        if _failed(kb):  # nobody should serve what is known to be wrong
            steps = [
                (f"dblore validate --kb {kb.folder}", "see what failed, and mend it"),
                (f"dblore lint --kb {kb.folder}", "see what else is wrong in your files"),
            ]
    steps += [
        (f'dblore context --kb {kb.folder} "your question"', "see what an agent gets"),
        (f"dblore mcp --kb {kb.folder}", "serve it to an agent"),
        (f"{kb.docs / 'README.md'}", "read it yourself"),
    ]
    return [*steps, *authoring_steps(kb)[:1], coverage_step(kb)]


def described(kb: Kb) -> list[str]:
    """Return the line that says how far the database is described; none before a build."""
    with suppress(ArtifactError):
        coverage = artifacts.read(kb.coverage, Coverage)
        shares = (
            (coverage.tables, "tables"),
            (coverage.columns, "columns"),
            (coverage.codes, "code lists"),
            (coverage.units, "units"),
        )
        said = [f"{_share(share)} {what}" for share, what in shares if share.total]
        return [f"described: {', '.join(said)}"] if said else []
    return []


def authoring_steps(
    kb: Kb, *, looked: bool = False, changed: bool = True, pays: str | None = None
) -> list[tuple[str, str]]:
    """Return what to do next to describe the database: the command, and what it is good for.

    Args:
        kb: The knowledge base.
        looked: What would be taken over was just shown.
        changed: The build may be older than semantic.yaml.
        pays: The table or column that it pays most to describe; of coverage.json when None.
    """
    try:
        coverage = artifacts.read(kb.coverage, Coverage)
    except ArtifactError:
        return [(f"dblore build --kb {kb.folder}", "build it first")]
    steps = []
    if coverage.suggested:
        suggested = counted(coverage.suggested, "suggestion")
        look = "" if looked else " --dry-run"
        what = f"take {suggested} over"
        if not looked:
            what = f"look at {suggested}; without --dry-run they are taken over"
        steps.append((f"dblore accept --kb {kb.folder} --all{look}", what))
    waiting = _waiting(kb)
    if waiting:
        places = counted(len(waiting), "place")
        what = (
            f"write your words between the quotes that wait there, and keep the quotes ({places})"
        )
        steps.append((f"{kb.semantic}:{waiting[0]}", what))
    elif pays or coverage.next:
        table = _table_of(kb, pays or coverage.next[0])
        what = f"make room for your words on {table} in {kb.semantic}"
        steps.append((f"dblore accept --kb {kb.folder} {shlex.quote(table)} --blank", what))
    if changed or waiting:
        steps.append((f"dblore build --kb {kb.folder}", "bring docs and search up to date"))
    steps.append((f"dblore lint --kb {kb.folder}", "check what was written against the facts"))
    return steps


def coverage_step(kb: Kb) -> tuple[str, str]:
    """Return the command that says how far the database is explained."""
    return (
        f"dblore coverage --kb {kb.folder}",
        "see how far the database is explained, and what it pays to document",
    )


def checked_steps(kb: Kb, *, found: bool) -> list[tuple[str, str]]:
    """Return what to do after lint, which `found` something or nothing; reads one small file."""
    steps = []
    if found:
        steps.append((f"dblore lint --kb {kb.folder}", "mend what is named, then look again"))
    with suppress(ArtifactError):
        pays = artifacts.read(kb.coverage, Coverage).next[:1]
        steps += [
            (
                f"dblore accept --kb {kb.folder} {shlex.quote(name)} --blank",
                f"make room for your words on {name}, which pays most",
            )
            for name in pays
        ]
    return [*steps, coverage_step(kb)]


def _waiting(kb: Kb) -> tuple[int, ...]:
    """Return the lines of semantic.yaml that wait for words."""
    with suppress(SettingError):
        return read_semantic(kb.semantic).waiting
    return ()


def _table_of(kb: Kb, name: str) -> str:
    """Return the table of `table` or `table.column`."""
    with suppress(ArtifactError):
        found, _ = find_column(name, artifacts.read(kb.catalog, Catalog))
        return found.name if found else name
    return name


def _share(share: Share) -> str:
    return f"{share.done}/{share.total}"
