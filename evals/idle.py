"""Whole processes by the clock, and what one that has nothing to do is held against.

The measure is a plain doit of seven trivial tasks, run in turns with what is measured, so that
both meet the same machine.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_PLAIN_DODO = '''
DOIT_CONFIG = {"verbosity": 0}


def touch(targets):
    with open(targets[0], "w", encoding="utf-8") as file:
        file.write("made")


def task_stage():
    """Seven tasks in a row, each made from the one before."""
    for number in range(7):
        yield {
            "name": str(number),
            "actions": [touch],
            "file_dep": [f"{number}.txt"],
            "targets": [f"{number + 1}.txt"],
        }
'''


@dataclass(frozen=True, slots=True)
class Command:
    """A command line and the folder that it runs in."""

    line: Sequence[str]
    folder: Path = ROOT


@dataclass(frozen=True, slots=True)
class Taken:
    """What a process took, in seconds."""

    wall: float
    processor: float


def plain_doit(folder: Path) -> Command:
    """Write seven trivial tasks into `folder` and return what runs them."""
    folder.mkdir(exist_ok=True)
    (folder / "dodo.py").write_text(_PLAIN_DODO, encoding="utf-8")
    (folder / "0.txt").write_text("made", encoding="utf-8")
    return Command((sys.executable, "-m", "doit"), folder)


def build_of(kb: Path) -> Command:
    """Return the `dblore build` of a knowledge base."""
    return Command((sys.executable, "-m", "serve.cli", "build", "--kb", str(kb)))


def warmed(commands: Mapping[str, Command]) -> Mapping[str, Command]:
    """Run each command once, so that there is nothing left to do, and return them."""
    for command in commands.values():
        run(command)
    return commands


def in_turns(commands: Mapping[str, Command], runs: int) -> dict[str, Taken]:
    """Return the medians of what commands take that run one after the other, `runs` times."""
    found: dict[str, list[Taken]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(run(command))
    return {
        name: Taken(
            statistics.median(taken.wall for taken in times),
            statistics.median(taken.processor for taken in times),
        )
        for name, times in found.items()
    }


def run(command: Command) -> Taken:
    """Run a command; one that fails ends the measurement."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    processor, started = _processor(), time.perf_counter()
    done = subprocess.run(
        command.line,
        cwd=command.folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    taken = Taken(time.perf_counter() - started, _processor() - processor)
    if done.returncode:
        raise SystemExit(f"{' '.join(command.line)} failed:\n{done.stdout}{done.stderr}")
    return taken


def ms(seconds: float) -> float:
    """Return milliseconds, as figures show them."""
    return round(1000 * seconds, 1)


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
