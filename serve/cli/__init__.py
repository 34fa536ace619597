"""The command `dblore`: parses arguments, calls, prints. Data on stdout, talk on stderr.

Exit statuses: 0 done · 1 a check failed · 2 usage or bad input · 3 done in part (`--strict`) ·
4 a source or model can't be reached · 130 interrupted.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pipeline import VERSION
from pipeline.errors import DbloreError
from pipeline.logs import log_to
from serve.cli import authoring, building, checking, freshness, reading, serving, testing

EPILOG = """\
start:    dblore init --db sqlite:///shop.db --kb kb/shop
          dblore build --kb kb/shop
          dblore context --kb kb/shop "Which customers bought most last year?"
          dblore mcp --kb kb/shop

exit status: 0 done, 1 a check failed, 2 bad input, 3 done in part (--strict),
             4 database or model not reached, 130 interrupted
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="dblore",
        description="Turn a SQL database into files that say what it means; lend them to agents.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"dblore {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module in (building, freshness, authoring, checking, reading, serving, testing):
        module.add_commands(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    # Either may be closed.
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for the rest of the process
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = parser().parse_args(arguments)
    if options.command != "mcp":  # its library logs for itself
        log_to(sys.stderr)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except DbloreError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_status
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; what was finished is kept\n")
        return 130
    except BrokenPipeError:
        _give_up_stdout()
        return 0
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EBADF):
            raise
        _give_up_stdout()
        sys.stderr.write(f"error: the output can't be written: {error.strerror}\n")
        return 2
    return status


def _give_up_stdout() -> None:
    """Let nothing more be written there: Python would try so at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
