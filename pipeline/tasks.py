"""The stages, their order, and how they run: the one door through which artifacts are written.

Only this module and `dodo.py` know doit. A stage is imported when it runs, so that a build with
nothing to do imports none of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from pipeline import artifacts
from pipeline import lock as locks
from pipeline.calling import CACHE, OF_FACTS, call
from pipeline.errors import ArtifactError, DbloreError, SourceError
from pipeline.kb import Kb
from pipeline.logs import log_to
from pipeline.mutex import exclusive
from pipeline.reporter import Outcome, Reporter
from pipeline.staleness import Situation, Stage
from pipeline.state import State
from schemas.lock import StageRecord

Task = dict[str, Any]
"""What a `task_*` function of `dodo.py` yields."""

_FACTS = {"catalog": "catalog", "profile": "profile"}

STAGES = (
    Stage(
        "scan",
        "pipeline.scan:build",
        reads={},
        writes={"out": "catalog"},
        settings=("schemas", "include", "exclude"),
        database="structure",
        extras=("source", "settings"),
        version=4,
    ),
    Stage(
        "profile",
        "pipeline.profile:build",
        reads={"catalog": "catalog", "semantic": "semantic"},
        writes={"out": "profile"},
        settings=("profile",),
        database="data",
        extras=("source", "settings", "marks", "progress", "cache", "again"),
        version=9,
    ),
    Stage(
        "draft",
        "pipeline.draft:build",
        reads={**_FACTS, "semantic": "semantic", "drafts": "drafts"},
        writes={"out": "draft", "coverage": "coverage"},
        extras=("cache",),
        version=7,
    ),
    Stage(
        "graph",
        "pipeline.graph:build",
        reads={**_FACTS, "semantic": "semantic", "knowledge_graph": "knowledge_graph"},
        writes={"out": "graph"},
        settings=("allow_functions", "allow_tables"),
        database="data",
        extras=("source", "again"),
    ),
    Stage(
        "docs",
        "pipeline.docs:build",
        reads={
            **_FACTS,
            "semantic": "semantic",
            "drafts": "drafts",
            "graph": "graph",
            "coverage": "coverage",
        },
        writes={"out": "docs"},
        version=4,
    ),
    Stage(
        "index",
        "pipeline.index:build",
        reads={**_FACTS, "semantic": "semantic", "graph": "graph"},
        writes={"out": "index"},
        settings=("embedder",),
        extras=("embedder", "kept"),
        version=4,
    ),
    Stage(
        "validate",
        "pipeline.validate:build",
        reads={
            **_FACTS,
            "semantic": "semantic",
            "knowledge_graph": "knowledge_graph",
            "graph": "graph",
        },
        writes={"out": "validation", "report": "validation_report"},
        settings=("allow_functions", "allow_tables"),
        database="data",
        extras=("source", "cache", "again"),
        version=3,
    ),
)
"""In the order they run; each reads what people wrote and what stages before it wrote."""

BY_NAME = {stage.name: stage for stage in STAGES}


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a run did."""

    done: tuple[Outcome, ...]
    """Stages that ran, in order."""
    up_to_date: tuple[str, ...]
    """Stages that had nothing to do."""
    error: DbloreError | None = None
    """What ended the run, when something did."""
    unreachable: DbloreError | None = None
    """Why the database couldn't be read, when that was tried; what was known of it stays."""


def stale(kb: Kb) -> dict[str, tuple[str, ...]]:
    """Return which stages of facts and checks are older than their inputs, and why; offline."""
    situation = Situation(kb, offline=True)
    found = {}
    for name in ("scan", "profile", "graph", "validate"):
        reasons = situation.reasons(BY_NAME[name])
        if reasons:
            found[name] = tuple(map(str, reasons))
    return found


def run(
    kb: Kb,
    stages: Sequence[str] = (),
    *,
    database: str | None = None,
    offline: bool = False,
    always: bool = False,
    quiet: bool = False,
) -> RunResult:
    """Bring the named stages of `kb` (all of them when none is named) up to date.

    Args:
        kb: The knowledge base.
        stages: Names of stages; others don't run, even when they are stale.
        database: A path or URL that replaces the source in kb.yaml for this run.
        offline: Don't touch the database; facts stay, new graph items become unverified.
        always: Run them also when they are up to date.
        quiet: Show neither progress nor results.

    Returns:
        What was done. A failed stage ends the run and is told in `error`.
    """
    from doit.cmd_base import ModuleTaskLoader
    from doit.doit_cmd import DoitMain

    chosen = [stage for stage in STAGES if not stages or stage.name in stages]
    reporter = Reporter(sys.stderr, {kb.task_name: kb}, quiet=quiet, brief=True)
    runner = _Runner(kb, reporter, Situation(kb, database=database, offline=offline))
    creators: dict[str, Any] = {"DOIT_CONFIG": _config(reporter)}
    for stage in chosen:
        creators[f"task_{stage.name}"] = _creator(runner, stage, needs(stage, chosen))
    main = DoitMain(ModuleTaskLoader(creators), config_filenames=(), extra_config=_BACKEND)
    words = ["run", *(["--always-execute"] if always else []), *(s.name for s in chosen)]
    status = main.run(words)
    if status and runner.error is None:
        raise RuntimeError(f"doit ended with status {status}; its message is above")
    return RunResult(
        tuple(reporter.outcomes),
        tuple(reporter.skipped),
        runner.error,
        runner.situation.unreachable,
    )


def forget_results(kb: Kb, stages: Sequence[str] = ()) -> None:
    """Forget what the named stages (all when none is named) keep of earlier runs.

    The next one reads every table and runs every statement anew.
    """
    for stage in stages or ("*",):
        for kept in kb.build.glob(f"{stage}{CACHE}*"):
            with suppress(OSError):
                kept.unlink()


def config(stream: TextIO, root: Path, folders: Sequence[Path]) -> dict[str, Any]:
    """Return DOIT_CONFIG of bare `doit`.

    Args:
        stream: Where progress and summary go.
        root: The checkout. doit finds our state where it was started there; started elsewhere
            (`doit -f`), it keeps records of its own, which decide nothing.
        folders: The knowledge bases.
    """
    kbs = [Kb(folder) for folder in folders]
    reporter = Reporter(stream, {kb.task_name: kb for kb in kbs})
    log_to(stream)
    for kb in kbs:
        _runners[kb.folder] = _Runner(kb, reporter, Situation(kb))
    found = {**_config(reporter), "default_tasks": [stage.name for stage in STAGES]}
    if Path(os.environ.get("PWD", Path.cwd())).resolve() != root:
        found |= {"backend": "json", "dep_file": str(root / "kb" / ".doit.json")}
    return found


def of_stage(
    stage: str, folders: Sequence[Path], *, after: dict[str, list[str]] | None = None
) -> Iterator[Task]:
    """Yield the doit task of one stage for each knowledge base in `folders`.

    Args:
        stage: The stage's name.
        folders: The knowledge bases that `config` was given.
        after: More tasks to run first, by the knowledge base's name.
    """
    for folder in folders:
        task = _runners[folder].task(BY_NAME[stage], needs(BY_NAME[stage], STAGES))
        task["task_dep"] += (after or {}).get(folder.name, [])
        yield task


def generator(script: Path, out: Path) -> Task:
    """Return the doit task that calls `build(out)` of a script whenever the script changed."""
    sources = sorted([script, *(p for p in (script.parent / "source").glob("*") if p.is_file())])
    return {
        "actions": [(_generate, [script, out])],
        "file_dep": [str(source) for source in sources],
        "targets": [str(out)],
        "clean": True,
    }


def needs(stage: Stage, among: Sequence[Stage]) -> list[Stage]:
    """Return the stages of `among` that write what `stage` reads."""
    read = set(stage.reads.values())
    return [other for other in among if read.intersection(other.writes.values())]


def knowledge_bases(root: Path) -> list[Path]:
    """Return the folders right below `root` that hold a kb.yaml, by name."""
    return sorted(path.parent for path in root.glob("*/kb.yaml"))


_BACKEND = {"BACKEND": {"dblore": "pipeline.state:State"}}
_runners: dict[Path, _Runner] = {}


def _config(reporter: Reporter) -> dict[str, Any]:
    return {
        "backend": "dblore",
        "dep_file": "unused: the state is in each knowledge base",
        "reporter": reporter,
        "verbosity": 2,
        "continue": True,
        "minversion": "0.36.0",
    }


def _creator(
    runner: _Runner, stage: Stage, before: Sequence[Stage]
) -> Callable[[], Iterator[Task]]:
    def creator() -> Iterator[Task]:
        yield runner.task(stage, before)

    return creator


def _generate(script: Path, out: Path) -> dict[str, str]:
    import runpy

    runpy.run_path(str(script), run_name="generator")["build"](out)
    return {"account": f"{out.stat().st_size / 1e6:.1f} MB in {out.name}"}


class _Runner:
    """Runs the stages of one knowledge base and remembers what ended it."""

    def __init__(self, kb: Kb, reporter: Reporter, situation: Situation) -> None:
        self.kb, self.reporter, self.situation = kb, reporter, situation
        self.error: DbloreError | None = None
        State.register(kb)
        leftovers = partial(artifacts.remove_leftovers, kb.folder)
        reporter.at_end += [situation.warn_changed, situation.digests.save, leftovers]

    def task(self, stage: Stage, before: Sequence[Stage]) -> Task:
        """Return the doit task of `stage`, to run after the stages `before`."""
        work = _StageTask(self, stage)
        return {
            "basename": stage.name,
            "name": self.kb.task_name,
            "actions": [(work.run,)],
            "targets": [str(getattr(self.kb, name)) for name in stage.writes.values()],
            "task_dep": [f"{earlier.name}:{self.kb.task_name}" for earlier in before],
            "uptodate": [work.is_current],
            "clean": [(_clean, [self.kb, stage.name])],
        }

    def run_stage(self, stage: Stage, seen: StageRecord | None) -> str:
        """Run one stage under the lock of its knowledge base; return its account.

        Args:
            stage: The stage.
            seen: Its record when it was found stale; another one by now means that another run
                was here.
        """
        with exclusive(self.kb):
            lock = locks.read(self.kb)
            if lock.stages.get(stage.name) != seen and not self.situation.reasons(stage, lock):
                return "done by another run"
            try:
                inputs = self.situation.inputs(stage)
                account = call(stage, self.situation, self.reporter)
            except SourceError as error:
                facts: Path = getattr(self.kb, stage.writes["out"])
                if stage.name not in OF_FACTS or not facts.exists():
                    raise
                self.situation.warn_unreachable(error)
                return f"kept the facts of {self.situation.facts_age()}"
            self.situation.finished(stage, inputs)
        return account


class _StageTask:
    """One stage of one knowledge base as doit sees it: a check and an action."""

    def __init__(self, runner: _Runner, stage: Stage) -> None:
        self._runner, self._stage = runner, stage
        self._seen: StageRecord | None = None

    def is_current(self) -> bool:
        """Whether the stage may be skipped. It never raises."""
        lock = locks.read(self._runner.kb)
        self._seen = lock.stages.get(self._stage.name)
        return not self._runner.situation.reasons(self._stage, lock)

    def run(self) -> Any:
        """Run the stage; a foreseen failure becomes its message."""
        try:
            return {"account": self._runner.run_stage(self._stage, self._seen)}
        except DbloreError as error:
            from doit.exceptions import TaskFailed

            self._runner.error = self._runner.error or error
            return TaskFailed(str(error))


def _clean(kb: Kb, stage_name: str) -> None:
    """Delete what a stage wrote and what the lock knows of it (`doit clean`)."""
    import shutil

    for attribute in BY_NAME[stage_name].writes.values():
        path: Path = getattr(kb, attribute)
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    try:
        locks.forget(kb, stage_name)
    except ArtifactError as error:
        raise RuntimeError(str(error)) from error
