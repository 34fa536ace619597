"""The processes that run callers' statements, seen from the process that asks them.

No engine's own time limit holds for every statement, and none bounds what a value takes in memory
(tests/test_workers.py has some that prove it); a process can be killed. A few are kept warm.
"""

from __future__ import annotations

import atexit
import dataclasses
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pipeline.errors
from pipeline.database.connect import say_once, was_warned_of
from pipeline.database.masking.masks import Masks
from pipeline.database.page import Limits, Result
from pipeline.database.source import Source
from pipeline.database.tally import Tally
from pipeline.errors import DbloreError, QueryError, late

MOST = 4
"""Statements at a time, so that connections are bounded, too; the others wait."""
_KEPT = 2
"""Idle processes of a dialect."""
_LONGEST_ANSWER = 2_000_000
"""Bytes, beside the rows."""
_SECONDS_TO_STOP = 2.0
"""After that a statement that was told to stop loses its process."""


What = Literal["read", "prove", "tally"]


@dataclass(frozen=True, slots=True)
class How:
    """What to do with a statement."""

    what: What = "read"
    """Return the rows; or have the engine look it through without running it; or run it, count the
    rows and sum up their values."""
    order: tuple[int, ...] = ()
    """The places of the columns by which the result is sorted, for `tally`."""


READ = How()


class Call:
    """One call of `read`, which another thread may cancel."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stop: Callable[[], None] | None = None
        self.is_cancelled = False

    def cancel(self) -> None:
        """Stop the statement, or keep it from starting."""
        with self._lock:
            self.is_cancelled = True
            if self._stop is not None:
                self._stop()

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """Call `stop` when the call is cancelled while the block runs, or was before.

        Raises:
            QueryError: it was cancelled before.
        """
        with self._lock:
            if self.is_cancelled:
                raise cancelled()
            self._stop = stop
        try:
            yield
        finally:
            with self._lock:
                self._stop = None


class Workers:
    """A few processes, lent to one statement at a time."""

    def __init__(self, most: int = MOST) -> None:
        self._free = threading.Condition()
        self._most = most
        self._busy = 0
        self._idle: list[_Worker] = []
        self._started: set[str] = set()
        self._asked: set[str] = set()

    def run(
        self,
        source: Source,
        sql: str,
        limits: Limits,
        *,
        how: How = READ,
        masks: Masks | None = None,
        is_quiet: bool = False,
        call: Call | None = None,
    ) -> Result:
        """Run a statement as it stands in a process of its own and return its rows.

        Args:
            source: what to open.
            sql: what the guard let pass.
            limits: what it may cost and return.
            how: what to do with it.
            masks: what to mask in the rows.
            is_quiet: leave values out of what the engine warns of.
            call: by which another thread can cancel it.

        Raises:
            QueryError: it failed, took too long or too much memory, or was cancelled.
            SourceError: the database can't be reached.
            SettingError: its driver isn't there.
        """
        call = call or Call()
        with self._lent(source.dialect, limits.seconds, call) as worker:
            request = self._request(source, sql, limits, masks)
            asked = {**request, "how": how.what, "order": how.order, "quiet": is_quiet}
            answer = worker.ask(asked, limits.seconds, call)
        say_once(source, answer.get("warnings", ()))
        if "error" in answer:
            raise cancelled() if call.is_cancelled else _error(*answer["error"])
        return Result(
            tuple(answer["columns"]),
            answer["rows"],
            answer["truncated"],
            tuple(answer["notes"]),
            tuple(answer["masked"]),
            answer["has_more"],
            Tally(**answer["tally"]) if how.what == "tally" else None,
        )

    def warm(self, dialect: str) -> None:
        """Start a process for that dialect, if there was none yet, so that it is there in time."""
        with self._free:
            if dialect not in self._started:
                self._started.add(dialect)
                self._idle.append(_Worker(dialect))

    def close(self) -> None:
        """End the idle processes; busy ones end with their statements."""
        with self._free:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.end()

    def _request(
        self, source: Source, sql: str, limits: Limits, masks: Masks | None
    ) -> dict[str, Any]:
        return {
            "source": {
                "url": source.url,
                "dialect": source.dialect,
                "path": str(source.path) if source.path else None,
                "shown": source.shown,
                "secrets": source.secrets,
            },
            "sql": sql,
            "limits": dataclasses.asdict(limits),
            "masks": dataclasses.asdict(masks) if masks else None,
            "warn": self._is_first(source),
        }

    def _is_first(self, source: Source) -> bool:
        """Whether nobody was told yet what is to be known of the database."""
        with self._free:
            is_new = source.shown not in self._asked
            self._asked.add(source.shown)
        return is_new and not was_warned_of(source)

    @contextmanager
    def _lent(self, dialect: str, patience: float, call: Call) -> Iterator[_Worker]:
        worker = self._taken(dialect, patience, call)
        try:
            yield worker
        except Exception:
            worker.kill()  # whatever happened, it may still be busy
            raise
        except BaseException:  # ^C: nobody waits, and the process tells the server
            worker.leave()
            self._release()
            raise
        finally:
            if not worker.is_left:
                self._give_back(worker)

    def _taken(self, dialect: str, patience: float, call: Call) -> _Worker:
        deadline = time.monotonic() + patience
        with call.stopping(self._wake), self._free:
            while self._busy >= self._most:
                left = deadline - time.monotonic()
                if call.is_cancelled:
                    raise cancelled()
                if left <= 0:
                    raise QueryError(
                        f"{self._busy} other statements ran for all of {patience:g} s",
                        fix="try again later, or make the statements that run shorter",
                    )
                self._free.wait(left)
            self._busy += 1
            self._started.add(dialect)
            found = next((w for w in self._idle if w.dialect == dialect), None)
            if found is not None:
                self._idle.remove(found)
                if found.is_alive():
                    return found
                found.end()
        try:
            return _Worker(dialect)
        except OSError as error:
            self._release()
            raise QueryError(
                f"no process can be started for the statement: {error.strerror}",
                fix="try again later; the system is short of processes, memory or open files",
            ) from error
        except BaseException:
            self._release()
            raise

    def _give_back(self, worker: _Worker) -> None:
        kept = False
        with self._free:
            same = sum(other.dialect == worker.dialect for other in self._idle)
            if worker.is_usable() and same < _KEPT:
                self._idle.append(worker)
                kept = True
        if not kept:
            worker.end()
        self._release()

    def _release(self) -> None:
        with self._free:
            self._busy -= 1
            self._free.notify()

    def _wake(self) -> None:
        """Have those who wait look whether they were cancelled."""
        threading.Thread(target=self._notify_all, daemon=True).start()

    def _notify_all(self) -> None:
        with self._free:
            self._free.notify_all()


class _Worker:
    """One process."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self._number = 0
        self._numbering = threading.Lock()
        self._sending = threading.Lock()
        self._is_broken = False
        self.is_left = False
        self._why: str | None = None
        root = str(Path(pipeline.errors.__file__).parent.parent)
        start = "import sys; sys.path.insert(0, sys.argv[2]); from pipeline.database import worker"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"{start}; worker.main()", dialect, root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a ^C at the terminal is ours to handle
        )

    def ask(self, request: dict[str, Any], seconds: float, call: Call) -> dict[str, Any]:
        """Send a statement and wait for its answer, at most as long as it may take."""
        number = self._next_number()
        patience = hard_limit(seconds)
        timer = self._kill_after(patience, "late")
        try:
            with call.stopping(self._stop):
                self._send({**request, "number": number, "patience": patience + 1})
                line = self._receive(_LONGEST_ANSWER + 4 * int(request["limits"]["bytes"]))
        finally:
            timer.cancel()
            self._next_number()  # what would kill this statement is too late now
        if line.endswith(b"\n"):  # else it was killed while it answered
            answer: dict[str, Any] = json.loads(line)
            self._is_broken = bool(answer.get("broken"))
            return answer
        raise self._end_of(seconds)

    def is_alive(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    def is_usable(self) -> bool:
        """Whether it can run another statement."""
        return not self._is_broken and self.is_alive()

    def kill(self) -> None:
        """End the process at once."""
        self._is_broken = True
        self._process.kill()

    def end(self) -> None:
        """End the process and forget it."""
        self.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _next_number(self) -> int:
        with self._numbering:
            self._number += 1
            return self._number

    def leave(self) -> None:
        """Forget the process, which stops its statement and ends by itself."""
        self.is_left = True
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def _stop(self) -> None:
        """Have the statement end soon; its process, if it doesn't."""
        self._send({"stop": self._number})
        self._kill_after(_SECONDS_TO_STOP, "cancelled")

    def _kill_after(self, seconds: float, why: str) -> threading.Timer:
        """Kill the process then, if it still runs the statement that it runs now."""
        timer = threading.Timer(seconds, self._kill_for, [why, self._number])
        timer.daemon = True
        timer.start()
        return timer

    def _kill_for(self, why: str, number: int) -> None:
        with self._numbering:
            if number == self._number:
                self._why = why
                self.kill()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with self._sending, suppress(OSError, ValueError):  # it may have ended: no answer comes
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def _receive(self, most: int) -> bytes:
        """Return the answer's line; of one that is too long only a part, which is none."""
        assert self._process.stdout is not None
        return self._process.stdout.readline(most)

    def _end_of(self, seconds: float) -> QueryError:
        """Return why there was no answer."""
        self._is_broken = True
        self._process.wait()
        if self._why == "cancelled":
            return cancelled()
        if self._why == "late":
            return late(seconds)
        return QueryError(
            f"the statement ended the process that ran it (status {self._process.returncode}), "
            "as one does that needs too much memory",
            fix="build shorter texts and lists: filter earlier, aggregate, or select fewer columns",
        )


def hard_limit(seconds: float) -> float:
    """Return after how many seconds a statement's process is killed.

    Its engine is told to stop at `seconds`; what is beyond that is for engines that react late.
    """
    return seconds + min(0.25 * seconds, 2.0) + 0.4


def cancelled() -> QueryError:
    """Return the error of a call that was cancelled."""
    return QueryError("the statement was cancelled", fix="run it again if it is needed")


def _error(kind: str, problem: str, fix: str) -> DbloreError:
    found: type[DbloreError] = getattr(pipeline.errors, kind)
    return found(problem, fix)


@cache
def pool() -> Workers:
    """Return the processes of this process; they end with it."""
    workers = Workers()
    atexit.register(workers.close)
    return workers
