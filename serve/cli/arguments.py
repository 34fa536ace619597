"""Options that several commands share, and how their values are found."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pipeline.errors import SettingError
from pipeline.kb import Kb

Commands = Any
"""What argparse's `add_subparsers` returns; its type is private there."""


def command(
    commands: Commands, name: str, run: Callable[[argparse.Namespace], int], text: str, example: str
) -> argparse.ArgumentParser:
    """Add a command with the options that all have; return its parser."""
    added: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text,
        description=text,
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    added.set_defaults(run=run)
    return added


def add_kb(parser: argparse.ArgumentParser) -> None:
    """Add `--kb`."""
    parser.add_argument(
        "--kb", metavar="DIR", help="knowledge base (default: $DBLORE_KB, else the only one here)"
    )


def add_database(parser: argparse.ArgumentParser) -> None:
    """Add `--db` and `--odbc`."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--db",
        metavar="URL",
        help="database path or URL (default: `source` in kb.yaml, else $DBLORE_DB)",
    )
    group.add_argument("--odbc", metavar="STRING", help="ODBC connection string, instead of --db")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def kb(options: argparse.Namespace) -> Kb:
    """Return the knowledge base that the options or the environment name, or the only one here.

    Raises:
        SettingError: there is no such one.
    """
    text = options.kb or os.environ.get("DBLORE_KB")
    if not text:
        return Kb(_only_one())
    folder = Path(text)
    if not folder.is_dir():
        raise SettingError(
            f"there is no folder {folder}",
            fix=f"make a knowledge base: dblore init --db URL --kb {folder}",
        )
    return Kb(folder)


def _only_one() -> Path:
    """Return the knowledge base of the current folder: itself, or the only one below `kb/`."""
    if Path("kb.yaml").is_file():
        return Path()
    found = sorted(path.parent for path in Path("kb").glob("*/kb.yaml"))
    if len(found) == 1:
        return found[0]
    there = f"; here are {', '.join(map(str, found))}" if found else ""
    raise SettingError(
        f"no knowledge base given{there}",
        fix="give --kb DIR or set the environment variable DBLORE_KB",
    )


def database(options: argparse.Namespace) -> str | None:
    """Return the database that the options name; None leaves it to kb.yaml, then to DBLORE_DB."""
    if options.odbc:
        return f"odbc:{options.odbc}"
    return options.db or None


def new_database(options: argparse.Namespace) -> str | None:
    """Return the database that the options or DBLORE_DB name, where no kb.yaml could."""
    return database(options) or os.environ.get("DBLORE_DB") or None


def print_json(data: Any) -> None:
    """Print data as JSON on stdout."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def say(text: str) -> None:
    """Print a line of data on stdout."""
    sys.stdout.write(text + "\n")


def tell(text: str) -> None:
    """Print a line of talk on stderr."""
    sys.stderr.write(text + "\n")


def tell_next(steps: Iterable[tuple[str, str]]) -> None:
    """Print what to do next: commands or files, and what they are good for."""
    tell("\nnext:")
    for step, what in steps:
        tell(f"  {what}:\n    {step}")
