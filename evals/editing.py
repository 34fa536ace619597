"""Whether edits of people's YAML change a byte beside what they edit, on drawn files.

    python -m evals.editing [--examples 2000] [--json]

Files are drawn in every style (blocks, brackets, quotes, comments, CRLF) with any text. `edits`
sets, appends or removes one entry; `gaps` fills many at once; `accepts` takes all suggestions for a
small shop over into a drawn semantic.yaml. Exit status 1 when an example fails; the smallest is
shown.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings

from tests.draft.shop import catalog_of, check_accept, meanings, write_facts
from tests.yaml_edits import check_edit, check_fill, edits, gaps


@dataclass(frozen=True, slots=True)
class Figures:
    """What was tried of one kind."""

    kind: str
    examples: int
    failed: str
    """The smallest example that fails; '' when none does."""
    seconds: float


def measure(kind: str, strategy: Any, check: Callable[[Any], None], examples: int) -> Figures:
    """Try examples of one kind."""
    tried = 0

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def attempt(case: Any) -> None:
        nonlocal tried
        tried += 1
        check(case)

    began, failed = time.monotonic(), ""
    try:
        attempt()
    except Exception as error:  # noqa: BLE001 - whatever a failing example raises is its verdict
        failed = "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", [])])
    return Figures(kind, tried, failed, round(time.monotonic() - began, 1))


def _accepts(examples: int) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        facts = Path(folder)
        write_facts(facts)
        drawn = meanings(catalog_of(facts))
        return measure("accepts", drawn, partial(check_accept, facts), examples)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.editing", description=__doc__)
    parser.add_argument("--examples", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    figures = [
        measure("edits", edits(), check_edit, options.examples),
        measure("gaps", gaps(), check_fill, options.examples),
        _accepts(options.examples),
    ]
    if options.json:
        sys.stdout.write(json.dumps([asdict(one) for one in figures], indent=1) + "\n")
    else:
        for one in figures:
            verdict = f"fails: {one.failed}" if one.failed else "no byte beside the edits changed"
            sys.stdout.write(f"{one.kind}: {one.examples:,} in {one.seconds} s, {verdict}\n")
    return 1 if any(one.failed for one in figures) else 0


if __name__ == "__main__":
    raise SystemExit(main())
