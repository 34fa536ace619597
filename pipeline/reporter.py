"""What a build shows: a line per stage as it runs, then a summary and what to try next."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TextIO

from pipeline.kb import Kb
from pipeline.state import State

_LINE_SECONDS = 5.0
"""Without a terminal, a long stage tells its progress this often."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One stage that ran."""

    kb: str
    stage: str
    account: str
    """What it did, in a line."""
    seconds: float


class Step(Protocol):
    """How far a stage is; `str` says it to people."""

    @property
    def share(self) -> float:
        """Of the work that is done, 0–1."""


class Reporter:
    """A doit reporter. One instance belongs to one run."""

    desc = "one line per stage, then a summary"

    def __init__(
        self, stream: TextIO, kbs: dict[str, Kb], *, quiet: bool = False, brief: bool = False
    ) -> None:
        """See the class.

        Args:
            stream: Where it writes.
            kbs: The knowledge bases by their name in tasks.
            quiet: Write nothing.
            brief: Leave it to the caller to tell what a foreseen failure was.
        """
        self._stream, self._kbs, self._quiet, self._brief = stream, kbs, quiet, brief
        self._started: dict[str, float] = {}
        self._running: str | None = None
        self._progress = _Progress(stream)
        self.outcomes: list[Outcome] = []
        self.skipped: list[str] = []
        self.failures: list[str] = []
        self._told: set[str] = set()
        self.at_end: list[Callable[[], None]] = []
        """Called when the run is over."""

    def progress(self, step: Step) -> None:
        """Show how far the running stage is."""
        if not self._quiet:
            self._progress.show(step)

    def initialize(self, tasks: object, selected_tasks: object) -> None:
        """Called by doit before the first task."""
        del tasks, selected_tasks
        State.running = True

    def get_status(self, task: Any) -> None:
        """Called by doit before it checks a task."""

    def execute_task(self, task: Any) -> None:
        """Called by doit when a task starts."""
        self._started[task.name] = time.monotonic()
        self._running = task.name
        if task.actions and not self._quiet:
            self._progress.begin(_title(task))

    def add_success(self, task: Any) -> None:
        """Called by doit when a task is done."""
        self._running = None
        if not task.actions:
            return
        values = task.values
        seconds = time.monotonic() - self._started.get(task.name, time.monotonic())
        stage, _, kb = task.name.partition(":")
        outcome = Outcome(kb, stage, str(values.get("account", "done")), seconds)
        self.outcomes.append(outcome)
        self._progress.end()
        self._say(f"{_title(task)} {outcome.account}  ({seconds:.1f} s)")

    def add_failure(self, task: Any, fail: Any) -> None:
        """Called by doit when a task fails, and for each task that needs it."""
        self._running = None
        self._progress.end()
        if not task.actions:
            return
        if type(fail).__name__ == "UnmetDependency":
            self._say(f"{_title(task)} left out: a stage before it failed")
            return
        self.failures.append(task.name)
        foreseen = type(fail).__name__ == "TaskFailed"
        message = fail.message if foreseen else fail.get_msg()
        again = message in self._told
        self._told.add(message)
        if again:
            self._say(f"{_title(task)} FAILED, as above")
        elif foreseen and self._brief:
            self._say(f"{_title(task)} FAILED")
        else:
            self._say(f"{_title(task)} FAILED\n{message.strip()}")

    def skip_uptodate(self, task: Any) -> None:
        """Called by doit for a task that has nothing to do."""
        if task.actions:
            self.skipped.append(task.name)

    def skip_ignore(self, task: Any) -> None:
        """Called by doit for a task that the user told it to ignore."""
        self._say(f"{_title(task)} ignored, as told by `doit ignore`")

    def cleanup_error(self, exception: Any) -> None:
        """Called by doit when its own cleaning fails."""
        self._say(exception.get_msg())

    def runtime_error(self, msg: str) -> None:
        """Called by doit for errors of its own."""
        self.failures.append(msg)
        self._say(msg)

    def teardown_task(self, task: Any) -> None:
        """Called by doit before a task's teardown; ours have none."""

    def complete_run(self) -> None:
        """Called by doit at the end: the summary."""
        State.running = False
        self._progress.end()
        for call in self.at_end:
            call()
        if self._quiet or self._running is not None:  # interrupted
            return
        if not self.outcomes and not self.failures:
            for name in dict.fromkeys(n.partition(":")[2] for n in self.skipped if ":" in n):
                self._say(f"{name}: up to date")
            return
        from pipeline import summary

        for name in dict.fromkeys(outcome.kb for outcome in self.outcomes):
            if name in self._kbs and not self.failures:
                done = [outcome for outcome in self.outcomes if outcome.kb == name]
                with suppress(BrokenPipeError):
                    summary.show(self._kbs[name], done, self._stream)

    def _say(self, text: str) -> None:
        if not self._quiet:
            try:
                self._stream.write(text + "\n")
                self._stream.flush()
            except BrokenPipeError:  # whoever read has gone; the build goes on
                self._quiet = True


class _Progress:
    """A bar on a terminal, a plain line now and then elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._title = ""
        self._bar: Any = None
        self._last = 0.0

    def begin(self, title: str) -> None:
        self._title, self._last = title, time.monotonic()

    def show(self, step: Step) -> None:
        if self._stream.isatty():
            self._show_bar(step)
        elif time.monotonic() - self._last >= _LINE_SECONDS:
            self._last = time.monotonic()
            self._stream.write(f"{self._title} {step}\n")
            self._stream.flush()

    def end(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _show_bar(self, step: Step) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
            from rich.table import Column

            shown = Column(no_wrap=True, overflow="ellipsis")
            columns = (
                TextColumn("{task.description}", markup=False, table_column=shown),
                BarColumn(bar_width=20),
                TaskProgressColumn(),
                TextColumn("{task.fields[what]}", markup=False, table_column=shown),
            )
            self._bar = Progress(*columns, console=Console(file=self._stream), transient=True)
            self._bar.start()
            self._bar.add_task(self._title, total=1.0, what="")
        self._bar.update(self._bar.task_ids[0], completed=step.share, what=str(step))


def _title(task: Any) -> str:
    stage, _, kb = task.name.partition(":")
    return f"{stage:<9} {kb}:" if kb else f"{stage}:"
