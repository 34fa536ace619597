"""How the guard does on corpora of statements that must be refused or must pass.

    python -m evals.guard --refuse FILE… --allow FILE… [--dialect NAME] [--json]
    python -m evals.guard --speed [--json]

A corpus is a YAML list of items with `id`, `dialect` and `sql`; an item of a refuse corpus may
say in `names` what its refusal must name, and then counts only if it does.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals import guard_speed
from evals.guard_tables import CATALOGS
from evals.yaml_files import read_yaml
from pipeline.database import guard
from pipeline.errors import RefusedError


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return 0 when every statement was judged rightly, else 1."""
    options = _options(arguments)
    if options.speed:
        return _speed(options)
    refuse = judge(options.refuse, options.dialect)
    allow = judge(options.allow, options.dialect)
    misses = [r for r in refuse if not _is_refused_by_name(r)]
    barred = [r for r in allow if r["refused"] is not None]
    result = {
        "refuse": {
            "total": len(refuse),
            "refused": len(refuse) - len(misses),
            "misses": [_shown(r) for r in misses],
        },
        "allow": {
            "total": len(allow),
            "allowed": len(allow) - len(barred),
            "misses": [_shown(r) for r in barred],
        },
    }
    if options.json:
        print(json.dumps(result, ensure_ascii=False, indent=1))
    else:
        _print(result, refuse if options.verbose else [])
    return 1 if misses or barred else 0


def _speed(options: argparse.Namespace) -> int:
    result = guard_speed.measure()
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        for kind, median in result["median_milliseconds"].items():
            print(f"{kind}: {median:.2f} ms")
    return 0 if result["largest"] <= result["limit"] else 1


def _is_refused_by_name(item: dict[str, Any]) -> bool:
    problem = (item["refused"] or "").partition("\n")[0]
    return bool(problem) and str(item.get("names", "")).casefold() in problem.casefold()


def judge(files: Sequence[Path], dialect: str | None) -> list[dict[str, Any]]:
    """Return the items of the corpora with `refused`: the guard's text, or None if it let pass."""
    judged: list[dict[str, Any]] = []
    for file in files:
        items = read_yaml(file)
        judged += [
            {**item, "refused": refusal(item["sql"], item["dialect"])}
            for item in items
            if dialect in (None, item["dialect"])
        ]
    return judged


def refusal(sql: str, dialect: str) -> str | None:
    """Return what the guard says against a statement; None when it passes."""
    try:
        guard.check(sql, dialect, catalog=CATALOGS.get(dialect))
    except RefusedError as error:
        return str(error)
    return None


def _shown(item: dict[str, Any]) -> dict[str, Any]:
    return {key: item.get(key) for key in ("id", "dialect", "class", "sql", "refused")}


def _print(result: dict[str, Any], refused: Sequence[dict[str, Any]]) -> None:
    for item in refused:
        print(f"{item['id']}: {item['sql'][:100]!r}\n    {item['refused']}")
    for kind, right in (("refuse", "refused"), ("allow", "allowed")):
        part = result[kind]
        for item in part["misses"]:
            print(f"MISS {kind} {item['id']} ({item['dialect']}): {item['sql']}")
            if item["refused"]:
                print(f"    {item['refused']}")
        print(f"{kind}: {part[right]} of {part['total']} {right}")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.guard", description=__doc__)
    parser.add_argument("--refuse", nargs="+", type=Path, default=[], metavar="FILE")
    parser.add_argument("--allow", nargs="+", type=Path, default=[], metavar="FILE")
    parser.add_argument("--dialect", help="judge only items of this dialect")
    parser.add_argument("--speed", action="store_true", help="measure what a check costs")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--verbose", action="store_true", help="print every refusal")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
