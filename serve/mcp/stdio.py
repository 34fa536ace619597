"""The server over stdin and stdout, where each line of stdout is JSON-RPC and nothing else.

Nothing heavy is imported here before stdout is safe: a library that prints while it is imported
would break the protocol as well as one that prints later.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from pipeline.database.page import Limits

_INTERRUPTED = 130
"""Exit status: 128 and the number of SIGINT."""


def run_stdio(
    folder: Path,
    *,
    database: str | None = None,
    toolsets: Sequence[str] | None = None,
    limits: Limits | None = None,
    unmask: bool = False,
) -> None:
    """Serve the knowledge base in `folder` until the client closes stdin.

    The parameters are those of `serve.mcp.server.create_server`, and so are the errors.
    """
    end_at_interrupt()
    wire = take_stdout()
    import anyio

    from pipeline.database.page import DEFAULT_LIMITS
    from serve.mcp.server import create_server

    server = create_server(
        folder,
        database=database,
        toolsets=toolsets,
        limits=limits or DEFAULT_LIMITS,
        unmask=unmask,
        warm=True,
    )
    try:
        anyio.run(server.run_over, anyio.wrap_file(wire))
    except* (BrokenPipeError, ConnectionResetError):
        pass  # the client went away in the middle of an answer
    # A thread may still load a model, which libraries take ill while Python ends.
    sys.stderr.flush()
    os._exit(0)


def end_at_interrupt() -> None:
    """Let the first Ctrl-C end the process at once, quietly, with status 130.

    Nothing waits for the thread that reads stdin, nor for a running call: what a server writes,
    the index, is put in place whole or not at all.
    """
    if threading.current_thread() is threading.main_thread():  # no other may set a handler
        signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))


def take_stdout() -> TextIO:
    """Return the real stdout; whatever else writes to it from now on writes to stderr.

    For good: what a library printed and Python still holds back is flushed when the process ends.
    """
    sys.stdout.flush()
    wire = os.dup(1)
    try:
        os.dup2(2, 1)
    except OSError:  # stderr is closed
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    return os.fdopen(wire, "w", encoding="utf-8", newline="\n")
