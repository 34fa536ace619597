"""Build a nasty database's knowledge base, and check a manifest entry by entry.

    python -m evals.nasty (--db SOURCE --manifest FILE | --own ENGINE) [--names] [--json]

SOURCE is a path or URL; `--own` makes the project's own nasty database of an engine. FILE is JSON:
a list of `{difficulty, objects, engines, expect}`, as in tests/nasty/manifest.json. Everything is
built in a temporary folder, with every table and column described by name. Each entry is one
assertion; `--names` adds one for all names at once: every table and column in catalogue, YAML,
docs, search, and each statement that dblore writes run on the database. Exit status 1 when one
fails.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from evals.nasty import checks, names, world
from pipeline.errors import DbloreError
from tests.nasty import building, core

OWN = Path(building.__file__).parent / "manifest.json"


def main(argv: list[str] | None = None) -> int:
    """Check a manifest and report."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.nasty",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--db", help="path or URL of the database")
    parser.add_argument("--own", choices=core.ENGINES, help="the project's own, made anew")
    parser.add_argument("--manifest", type=Path, default=OWN, help="JSON list of entries")
    parser.add_argument("--names", action="store_true", help="check every name and statement too")
    parser.add_argument("--embedder", default="none", help="embedder of the knowledge base")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(argv)
    if bool(options.db) == bool(options.own):
        parser.error("name either --db or --own")
    try:
        return _checked(options)
    except DbloreError as error:
        print(f"{error.problem}\n  fix: {error.fix}", file=sys.stderr)
        return 2


def _checked(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="dblore-nasty-") as made, ExitStack() as stack:
        folder = Path(made)
        url = options.db or stack.enter_context(building.nasty(options.own, folder, required=True))
        started = time.monotonic()
        built = world.build(url, folder / "nasty", embedder=options.embedder)
        stack.callback(built.close)
        seconds = time.monotonic() - started
        outcomes = [_built(built)]
        if not built.problems:
            entries = checks.read_manifest(options.manifest)
            outcomes += [checks.judge(built, entry) for entry in entries]
            outcomes += [_named(built)] if options.names else []
    _report(built, outcomes, seconds, as_json=options.json)
    return 1 if any(outcome.status == "failed" for outcome in outcomes) else 0


def _built(built: world.World) -> checks.Outcome:
    return checks.outcome("the build ends with status 0", built.problems)


def _named(built: world.World) -> checks.Outcome:
    return checks.outcome("every name, everywhere", names.everything(built))


def _report(
    built: world.World, outcomes: list[checks.Outcome], seconds: float, *, as_json: bool
) -> None:
    counts = Counter(outcome.status for outcome in outcomes)
    if as_json:
        report = {
            "engine": built.listing.engine,
            "assertions": counts["passed"] + counts["failed"],
            "passed": counts["passed"],
            "failed": counts["failed"],
            "not_applicable": counts["not applicable"],
            "build_seconds": round(seconds, 2),
            "results": checks.as_json(outcomes),
            "messages": built.messages,
        }
        print(json.dumps(report, ensure_ascii=False))
        return
    for outcome in outcomes:
        print(f"{outcome.status:<14}  {outcome.difficulty}")
        for problem in outcome.problems[:12]:
            print(f"                  {problem.encode('unicode_escape').decode()}")
        if len(outcome.problems) > 12:
            print(f"                  and {len(outcome.problems) - 12} more")
    print(
        f"{built.listing.engine}: {counts['passed'] + counts['failed']} assertions, "
        f"{counts['passed']} passed, {counts['failed']} failed, "
        f"{counts['not applicable']} not applicable; built in {seconds:.1f} s"
    )


if __name__ == "__main__":
    raise SystemExit(main())
