"""The process in which the statements of callers run: it may be killed at any time.

It reads requests from its standard input and writes answers to its standard output, one JSON
document a line; the other end is `workers.py`. A thread of its own reads, so that a statement can
be stopped while it runs, on a server too, even when the parent was killed: its input ends then.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, BinaryIO

from pipeline.database.connect import Database, open_database
from pipeline.database.masking.errors import scrubbed
from pipeline.database.masking.masks import Masks
from pipeline.database.page import Limits, Page
from pipeline.database.source import Source
from pipeline.database.tally import Tallying
from pipeline.errors import DbloreError, QueryError

MEMORY_MB = {"sqlite": 512, "duckdb": 2_560}
"""What a statement may add to the process's address space; threads of DuckDB reserve much of it."""
SERVER_MEMORY_MB = 512
DISK_MB = 1_024
"""How large a file it may write: engines sort what is too much for memory in files."""
_SECONDS_TO_LEAVE = 2.0
_LONGEST_NAME = 256
_LONGEST_TEXT = 2_000
_MOST_NOTES = 20
_IDLE_SECONDS = {"sqlite": 2.0, "duckdb": 0.2}
_SERVER_IDLE_SECONDS = 30.0
"""After which what is open is closed: an open DuckDB file keeps its writers out. Of a server only
what was read to connect is kept; `read_rows` gives each statement a session of its own."""

_Answer = dict[str, Any]


class Worker:
    """Runs one statement after another."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers
        self._queue: queue.Queue[_Answer | None] = queue.Queue()
        self._lock = threading.Lock()
        self._running: Database | None = None
        self._stopped: set[int] = set()
        self._kept: tuple[Source, object, Database] | None = None
        self._is_bounded = False

    def serve(self) -> None:
        """Answer requests until there are no more."""
        threading.Thread(target=self._listen, daemon=True).start()
        while (request := self._next()) is not None:
            answer = self._answer(request)
            self._answers.write(json.dumps(answer).encode() + b"\n")
            self._answers.flush()
            if answer.get("broken"):
                return

    def _next(self) -> _Answer | None:
        while True:
            try:
                return self._queue.get(timeout=self._patience())
            except queue.Empty:
                self._drop()

    def _patience(self) -> float | None:
        if self._kept is None:
            return None
        return _IDLE_SECONDS.get(self._kept[0].dialect, _SERVER_IDLE_SECONDS)

    def _listen(self) -> None:
        for line in self._requests:
            request = json.loads(line)
            if "stop" in request:
                self._stop(request["stop"])
            else:
                self._queue.put(request)
        self._queue.put(None)
        self._stop(None)
        threading.Timer(_SECONDS_TO_LEAVE, os._exit, [1]).start()

    def _stop(self, number: int | None) -> None:
        """Stop the statement of that number, or whatever runs."""
        with self._lock:
            if number is not None:
                self._stopped.add(number)
            if self._running is not None:
                self._running.interrupt()

    def _answer(self, request: _Answer) -> _Answer:
        try:
            return self._run(request)
        except DbloreError as error:
            self._drop()
            told = [_cut(error.problem, _LONGEST_TEXT), _cut(error.fix, _LONGEST_TEXT)]
            return {"error": [type(error).__name__, *told]}
        except MemoryError:
            return {"error": list(_TOO_MUCH), "broken": True}

    def _run(self, request: _Answer) -> _Answer:
        source = _source(request["source"])
        limits = Limits(**request["limits"])
        masks = Masks(**request["masks"]) if request["masks"] else None
        page = Page(limits, masks)
        counting = Tallying(limits.rows, masks, order=request["order"])
        _alarm(request["patience"])
        try:
            database = self._open(source)
            with self._stoppable(database, request["number"]):
                sql, seconds = request["sql"], limits.seconds
                if request["how"] == "prove":
                    reply = database.prove(sql, timeout_seconds=seconds)
                else:
                    take = page.take if request["how"] == "read" else counting.take
                    reply = database.read_rows(sql, take, timeout_seconds=seconds)
            warnings = database.warnings() if request["warn"] else ()
        finally:
            _alarm(0)
        if request["quiet"]:
            reply = replace(reply, notes=tuple(scrubbed(n, request["sql"]) for n in reply.notes))
        if source.dialect == "duckdb" and "pivot" in request["sql"].casefold():
            self._drop()  # it leaves the values behind, as a type for the time of a session
        names = tuple(_cut(name, _LONGEST_NAME) for name in reply.columns)
        notes = tuple(_cut(note, _LONGEST_TEXT) for note in reply.notes[:_MOST_NOTES])
        result = page.result(replace(reply, columns=names, notes=notes))
        return {
            "columns": result.columns,
            "rows": result.rows,
            "truncated": result.truncated,
            "notes": result.notes,
            "masked": result.masked,
            "has_more": result.has_more,
            "tally": asdict(counting.tally(reply.columns)),
            "warnings": warnings,
        }

    def _open(self, source: Source) -> Database:
        """Return a connection: the last one, if it is one to the same file still."""
        stamp = _stamp(source.path)
        if self._kept is not None:
            kept, kept_stamp, database = self._kept
            if (kept, kept_stamp) == (source, stamp):
                return database
            self._drop()
        database = open_database(source, bounded=True)
        self._kept = (source, stamp, database)
        if not self._is_bounded:
            _bound(MEMORY_MB.get(source.dialect, SERVER_MEMORY_MB))
            self._is_bounded = True
        return database

    def _drop(self) -> None:
        if self._kept is not None:
            kept, self._kept = self._kept, None
            kept[2].close()

    @contextmanager
    def _stoppable(self, database: Database, number: int) -> Iterator[None]:
        """Let the statement be stopped while the block runs, or not start when it was before."""
        with self._lock:
            if number in self._stopped:
                raise QueryError("the statement was cancelled", fix="run it again if it is needed")
            self._running = database
        try:
            yield
        finally:
            with self._lock:
                self._running = None
                self._stopped.clear()


_TOO_MUCH = (
    "QueryError",
    "the statement needs more memory than a statement may have",
    "build shorter texts and lists: filter earlier, aggregate, or select fewer columns",
)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"


def _source(fields: _Answer) -> Source:
    path = fields["path"]
    return Source(
        url=fields["url"],
        dialect=fields["dialect"],
        path=Path(path) if path else None,
        shown=fields["shown"],
        secrets=tuple(fields["secrets"]),
    )


def _stamp(path: Path | None) -> object:
    """Return what tells a file from another one of the same name."""
    if path is None:
        return None
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


def _bound(megabytes: int) -> None:
    """Let the process have no more memory than that on top of what it has, where the system can."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return
    _limit(resource.RLIMIT_FSIZE, DISK_MB * 2**20)
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        _limit(resource.RLIMIT_AS, pages * resource.getpagesize() + megabytes * 2**20)


def _limit(kind: int, most: int) -> None:
    import resource

    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(kind, (most, hard))


def _alarm(seconds: float) -> None:
    """Have the kernel end this process then, whatever it does; 0: not any more."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _prepare(dialect: str) -> None:
    """Load what a database of that dialect needs before the first statement comes."""
    with suppress(ImportError):
        if dialect == "duckdb":
            import duckdb  # noqa: F401 - loaded for its effect
        elif dialect == "sqlite":
            import pipeline.database.sqlite
        else:
            import pipeline.database.servers.generic  # noqa: F401 - loaded for its effect


def main() -> None:
    """Serve standard input and output; nothing else may write there."""
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ^C is the parent's business
    _prepare(sys.argv[1] if len(sys.argv) > 1 else "")
    with suppress(BrokenPipeError):
        Worker(sys.stdin.buffer, answers).serve()
    os._exit(0)  # threads of a driver must not keep it


if __name__ == "__main__":
    main()
