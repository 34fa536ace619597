"""Do the engines read quotes and comments as the guard does?

    python -m evals.guard_lexing [--dialect NAME] [--texts N] [--seed N] [--json]

Texts are thrown together from quotes, comment signs and what may hide in them. One that the guard
lets pass and an engine runs must give as many columns as the guard's tree has: else one of the two
took code for a comment, or a comment for code. A difference is shrunk to the fewest pieces.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from evals.guard_engines import DIALECTS, database
from pipeline.database import guard
from pipeline.database.connect import Database, open_database
from pipeline.errors import DbloreError, RefusedError

SECONDS = 2.0
_INSIDE = [
    "'", '"', "\\", "/*", "*/", "/", "*", "-- ", "--", "$", "$$", "`", "[", "]", "\n", "''", '""',
    "1", "a", ",", "é", "#", "\\'", "\\\\", "$a$", "/*/", "//", "+", "!", "M!", "``", "\r\n", "{",
]  # fmt: skip
_AROUND = [
    "'{0}'", '"{0}"', "/*{0}*/", "--{0}\n", "-- {0}\n", "$${0}$$", "$a${0}$a$", "E'{0}'", "`{0}`",
    "[{0}]", "#{0}\n", "/*+{0}*/", "N'{0}'", "/*/*{0}*/*/", "/*/**/{0}*/",
]  # fmt: skip
_BETWEEN = [
    "1",
    " ",
    "a",
    "1 AS a",
    "'x'",
    "\n",
    "x'41'",
    "e",
    "-",
    "+",
    "AS",
    "''",
    ", ",
    ", 1 AS ",
]
_LAST = ["", " -- '", ' -- "', " -- `", " -- */", ", 2", "\n, 2"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A text that engine and guard read in different ways."""

    sql: str
    engine: int
    """Columns of the engine's result."""
    guard: int


@dataclass(slots=True)
class Reading:
    """What was found on one engine."""

    texts: int = 0
    judged: int = 0
    """Texts that both took."""
    differences: list[Difference] = field(default_factory=list)
    absent: str | None = None


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare; return 0 when no text was read in two ways, else 1."""
    options = _options(arguments)
    readings = {
        dialect: measure(dialect, options.texts, options.seed)
        for dialect in ([options.dialect] if options.dialect else DIALECTS)
    }
    if options.json:
        shown = {dialect: asdict(reading) for dialect, reading in readings.items()}
        print(json.dumps(shown, ensure_ascii=False, indent=1))
    for dialect, reading in {} if options.json else readings.items():
        print(f"{dialect}: {reading.texts:,} texts, {reading.judged:,} taken by engine and guard")
        for found in reading.differences:
            print(f"  {found.sql!r}: the engine has {found.engine} columns, not {found.guard}")
        if reading.absent:
            print(f"  not here: {reading.absent}")
    return 1 if any(r.differences or r.absent for r in readings.values()) else 0


def measure(dialect: str, texts: int, seed: int) -> Reading:
    """Compare `texts` texts on an engine made for it."""
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            database(dialect, Path(folder)) as source,
            open_database(source) as opened,
        ):
            return compare(opened, texts, Random(seed))
    except Exception as error:  # noqa: BLE001 - each driver has its own for "no server"
        return Reading(absent=f"{type(error).__name__}: {error}")


def compare(opened: Database, texts: int, random: Random) -> Reading:
    """Compare `texts` texts on an open connection."""
    reading = Reading()
    for _ in range(texts):
        pieces = _pieces(random)
        reading.texts += 1
        found = difference(opened, "".join(pieces))
        reading.judged += found is not None
        if found is not None and found.engine != found.guard:
            reading.differences.append(_shrunk(pieces, lambda sql: difference(opened, sql)))
    return reading


def difference(opened: Database, sql: str) -> Difference | None:
    """Return the columns that engine and guard see; None when one of them doesn't take the text."""
    try:
        tree = guard.check(sql, opened.source.dialect, catalog=None)
        reply = opened.read_rows(sql, lambda _row: False, timeout_seconds=SECONDS)
    except (RefusedError, DbloreError):
        return None
    return Difference(sql, len(reply.columns), len(tree.selects))


def _pieces(random: Random) -> list[str]:
    pieces = ["SELECT 1", random.choice([", ", " AS a, ", "/**/, "])]
    for _ in range(random.randint(1, 6)):
        if random.random() < 0.6:
            inside = "".join(random.choices(_INSIDE, k=random.randint(0, 5)))
            pieces.append(random.choice(_AROUND).replace("{0}", inside))
        else:
            pieces.append(random.choice(_BETWEEN))
        pieces.append(random.choice(["", " ", ", "]))
    return [*pieces, random.choice(_LAST)]


def _shrunk(pieces: list[str], judge: Callable[[str], Difference | None]) -> Difference:
    """Return the difference with every piece left out that isn't needed for it."""
    for i in reversed(range(len(pieces))):
        fewer = pieces[:i] + pieces[i + 1 :]
        found = judge("".join(fewer))
        if found is not None and found.engine != found.guard:
            pieces = fewer
    found = judge("".join(pieces))
    assert found is not None
    return found


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.guard_lexing", description=__doc__)
    parser.add_argument("--dialect", choices=DIALECTS, help="try only this engine")
    parser.add_argument("--texts", type=int, default=20_000, help="texts per engine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
