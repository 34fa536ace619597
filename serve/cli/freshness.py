"""Commands that say what is up to date, and why not: `status`, `why`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pipeline.errors import NotFoundError, did_you_mean
from pipeline.kb import Kb
from serve.cli import arguments
from serve.cli.arguments import Commands, add_database, add_json, add_kb, command, say, tell


def add_commands(commands: Commands) -> None:
    """Add them to the command line."""
    status = command(
        commands,
        "status",
        run_status,
        "Say per stage whether it is up to date, and why not.",
        "dblore status --kb kb/shop",
    )
    why = command(
        commands,
        "why",
        run_why,
        "Say which input made an artifact stale, and what that makes stale in turn.",
        "dblore why graph.json --kb kb/shop",
    )
    why.add_argument("artifact", help="a stage (`docs`) or a file that one writes (`graph.json`)")
    for reading in (status, why):
        add_kb(reading)
        add_database(reading)
        add_json(reading)


def run_status(options: argparse.Namespace) -> int:
    """Print a line per stage."""
    rows = states(options)
    if options.json:
        arguments.print_json(rows)
        return 0
    for row in rows:
        state = "stale: " + "; ".join(row["reasons"]) if row["reasons"] else "up to date"
        measured = f"  (measured {row['measured']})" if row["measured"] else ""
        say(f"{row['kb']}  {row['stage']:<9} {state}{measured}")
    _tell_figures(arguments.kb(options))
    return 0


def _tell_figures(kb: Kb) -> None:
    """Say how far the database is described, and what says more."""
    from pipeline import summary

    told = summary.described(kb)
    for line in told:
        tell(line)
    if told:
        arguments.tell_next([summary.coverage_step(kb)])


def run_why(options: argparse.Namespace) -> int:
    """Print why one artifact is stale and what follows from it."""
    from pipeline import tasks

    kb = arguments.kb(options)
    stage = _stage_of(kb, options.artifact)
    rows = {row["stage"]: row for row in states(options)}
    reasons = rows[stage.name]["reasons"]
    before = [s.name for s in _upstream(stage) if rows[s.name]["reasons"]]
    after = [s.name for s in tasks.STAGES if stage in _upstream(s)]
    if options.json:
        data = {"stage": stage.name, "reasons": reasons, "stale_before": before, "then": after}
        arguments.print_json(data)
        return 0
    written = ", ".join(_written(kb, stage))
    if not reasons and not before:
        say(f"{written}: up to date")
        return 0
    for reason in reasons:
        say(f"{stage.name} must run: {reason}")
    for name in before:
        say(f"{name} must run first: {'; '.join(rows[name]['reasons'])}")
    if after:
        say(f"then, where its result differs: {', '.join(after)}")
    return 0


def states(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return per stage why it is stale, and when it measured."""
    from pipeline import lock, tasks
    from pipeline.staleness import Situation

    kb = arguments.kb(options)
    situation = Situation(kb, database=arguments.database(options))
    situation.settings()
    known = lock.read(kb)
    rows = [
        {
            "kb": str(kb.folder),
            "stage": stage.name,
            "reasons": [str(reason) for reason in situation.reasons(stage, known)],
            "measured": known.measured.get(stage.name),
        }
        for stage in tasks.STAGES
    ]
    situation.digests.save()
    return rows


def _stage_of(kb: Kb, artifact: str) -> Any:
    from pipeline import tasks

    path = Path(artifact).absolute()
    inside = path.is_relative_to(kb.folder.absolute())
    relative = path.relative_to(kb.folder.absolute()).as_posix() if inside else artifact.rstrip("/")
    for stage in tasks.STAGES:
        written = _written(kb, stage)
        if stage.name == artifact or relative in written or Path(artifact).name in written:
            return stage
        if any(relative.startswith(f"{folder}/") for folder in written):
            return stage
    known = list(dict.fromkeys(n for s in tasks.STAGES for n in (s.name, *_written(kb, s))))
    raise NotFoundError(
        f"no stage writes {artifact!r}",
        fix=did_you_mean(artifact, known, f"name one of: {', '.join(known)}"),
    )


def _written(kb: Kb, stage: Any) -> list[str]:
    return [getattr(kb, name).relative_to(kb.folder).as_posix() for name in stage.writes.values()]


def _upstream(stage: Any) -> list[Any]:
    """Return the stages that `stage` depends on, directly or not, in order."""
    from pipeline import tasks

    found = set()
    todo = [stage]
    while todo:
        for other in tasks.needs(todo.pop(), tasks.STAGES):
            if other.name not in found:
                found.add(other.name)
                todo.append(other)
    return [s for s in tasks.STAGES if s.name in found]
