"""Whether somebody who knows nothing of dblore gets a database described by what it says next.

    python -m evals.newcomer --db northwind.sqlite [--goal 60] [--json]

A robot starts with `dblore init` and from then on only does what stands below `next:` of the last
command, an editor included: where it is told to write, it writes a sentence. It stops when
`dblore coverage` says GOAL percent overall, and fails when it is told nothing that it hasn't done
in vain, or when `dblore lint` finds an error.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from serve import cli

_STEPS = 200
_PLACE = re.compile(r"(?P<file>.+\.yaml):(?P<line>\d+)")
_DESCRIBING = ("accept", "build", "draft", "lint")


@dataclass(frozen=True, slots=True)
class Journey:
    """What the robot did."""

    steps: tuple[str, ...]
    coverage: float
    """Percent overall, at the end."""
    lint_errors: int
    seconds: float


def travel(database: Path, folder: Path, goal: float) -> Journey:
    """Follow what is said next until `goal` percent are described."""
    began = time.monotonic()
    kb = folder / "kb"
    start = f"dblore init --db {shlex.quote(str(database))} --kb {shlex.quote(str(kb))}"
    steps: list[str] = []
    told, covered = [start], 0.0
    while told and len(steps) < _STEPS and covered < goal:
        step = told[0]
        steps.append(step)
        place = _PLACE.fullmatch(step)
        if place is not None:
            _write_words(Path(place["file"]))
            told = told[1:]  # the next one of those that were told with it
            continue
        told = _told(_run(step))
        if (kb / "coverage.json").exists():
            covered = json.loads(_run(f"dblore coverage --json --kb {shlex.quote(str(kb))}"))[
                "parts"
            ]["overall"]
            covered = 100 * covered
    lint = json.loads(_run(f"dblore lint --format json --kb {shlex.quote(str(kb))}"))
    errors = json.dumps(lint).count('"error"')
    return Journey(tuple(steps), round(covered, 1), errors, round(time.monotonic() - began, 1))


def _told(output: str) -> list[str]:
    """Return the steps below the last `next:` that are about describing."""
    _, found, below = output.rpartition("next:")
    lines = [line.strip() for line in below.splitlines()] if found else []
    return [
        line
        for line in lines
        if _PLACE.fullmatch(line) or (line.startswith("dblore ") and line.split()[1] in _DESCRIBING)
    ]


def _write_words(path: Path) -> None:
    """Write something between all quotes that wait; an editor would do the same."""
    text = path.read_text(encoding="utf-8")
    told = iter(range(1, text.count("''") + 1))
    words = re.sub(r"(?<=: )''", lambda _: f"Words number {next(told)} of a newcomer", text)
    path.write_text(words, encoding="utf-8")


def _run(step: str) -> str:
    """Run a command in this process; return what it prints.

    Raises:
        RuntimeError: it ended with another status than 0 or, where it checks, 1.
    """
    words = shlex.split(step)[1:]
    said, talk = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(talk):
        status = cli.main(words)
    if status not in (0, 1):
        raise RuntimeError(f"{step} ended with {status}: {talk.getvalue()}")
    return said.getvalue() + ("" if "--json" in words or "json" in words else talk.getvalue())


def main(arguments: Sequence[str] | None = None) -> int:
    """Travel and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.newcomer", description=__doc__)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--goal", type=float, default=60.0, metavar="PERCENT")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        journey = travel(options.db.resolve(), Path(folder), options.goal)
    if options.json:
        sys.stdout.write(json.dumps(asdict(journey), indent=1) + "\n")
    else:
        for step in journey.steps:
            sys.stdout.write(f"  {step}\n")
        sys.stdout.write(
            f"{len(journey.steps)} steps, {journey.coverage} % described, "
            f"{journey.lint_errors} errors of lint, {journey.seconds} s\n"
        )
    return 0 if journey.coverage >= options.goal and not journey.lint_errors else 1


if __name__ == "__main__":
    raise SystemExit(main())
