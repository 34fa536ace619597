"""One statement's time, and how much the process that asks for it grows meanwhile.

The process that asks is a fresh one, which plays the part of a server of ours; it can be killed
when a statement doesn't end.
"""

from __future__ import annotations

import multiprocessing
import time
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any

from evals.bounds_places import Place
from pipeline.database.query import Limits, read
from pipeline.database.source import Source
from pipeline.errors import DbloreError, RefusedError

_PATIENCE = 5
"""Times the limit, and 10 s: after that the statement is given up."""
_SECONDS_TO_GO = 2.0
"""After which no server may still work on a statement."""
_LONGEST_TEXT = 160


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run took."""

    seconds: float
    growth_mib: float
    """Peak memory of the asking process during the run, above what it had before."""
    outcome: str
    """rows, refused, failed, or never ended."""
    text: str
    """The error, or what came back."""
    is_left_running: bool = False


class Measurer(AbstractContextManager["Measurer"]):
    """Runs statements in a process of its own."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._process: Any = None
        self._line: Connection | None = None

    def run(self, place: Place, sql: str, *, is_guarded: bool) -> Figures:
        """Run a statement and return what it took."""
        if self._line is None:
            self._start()
        assert self._line is not None
        self._line.send((place.source, sql, self._limit, is_guarded))
        patience = _PATIENCE * self._limit + 10
        try:
            answer: Figures | None = self._line.recv() if self._line.poll(patience) else None
        except EOFError:  # the process ended
            answer = None
        if answer is None:
            self._end()
            return Figures(patience, 0.0, "never ended", "the asking process was killed")
        return replace(answer, is_left_running=_is_left(place))

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._end()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._line, far_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(far_end,), daemon=True)
        self._process.start()
        far_end.close()

    def _end(self) -> None:
        if self._line is not None:
            self._line.close()
            self._process.kill()
            self._process.join()
            self._line = None


def _is_left(place: Place) -> bool:
    deadline = time.monotonic() + _SECONDS_TO_GO
    while place.is_busy():
        if time.monotonic() > deadline:
            return True
        time.sleep(0.1)
    return False


def _serve(line: Connection) -> None:
    """Measure what comes over the line until nothing more does."""
    warm: set[str] = set()
    with suppress(EOFError):
        while True:
            source, sql, limit, is_guarded = line.recv()
            if source.url not in warm:  # what is imported once isn't the statement's
                _ask(source, "SELECT 1", 30.0, is_guarded=True)
                warm.add(source.url)
            line.send(_measured(source, sql, limit, is_guarded=is_guarded))


def _measured(source: Source, sql: str, limit: float, *, is_guarded: bool) -> Figures:
    before = _reset_peak()
    start = time.perf_counter()
    outcome, text = _ask(source, sql, limit, is_guarded=is_guarded)
    seconds = time.perf_counter() - start
    shown = " ".join(text.split())[:_LONGEST_TEXT]
    return Figures(round(seconds, 3), round(_peak() - before, 1), outcome, shown)


def _ask(source: Source, sql: str, limit: float, *, is_guarded: bool) -> tuple[str, str]:
    limits = Limits(seconds=limit)
    try:
        if is_guarded:
            result = read(source, sql, catalog=None, limits=limits)
        else:
            from pipeline.database.workers import pool

            result = pool().run(source, sql, limits)
    except RefusedError as error:
        return "refused", error.problem
    except DbloreError as error:
        return "failed", error.problem
    return "rows", f"{len(result.rows)} rows; {'; '.join(result.notes)}"


def _reset_peak() -> float:
    """Forget the highest memory so far, where the system can, and return what it is now (MiB)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _peak()


def _peak() -> float:
    """Return the most memory that this process has had (MiB)."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
