"""How well sensitive columns are told from look-alikes.

    python -m evals.sensitive --columns FILE [--json]

FILE is YAML: a list of `{table, column, type, samples?, sensitive, id?}`.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from pipeline.database.families import family
from pipeline.profile import sensitive


@dataclass(frozen=True, slots=True)
class Score:
    """What was found."""

    columns: int
    recall: float
    precision: float
    missed: list[str]
    false: list[str]


def main(argv: list[str] | None = None) -> int:
    """Score the detector on the columns of a file."""
    parser = argparse.ArgumentParser(prog="python -m evals.sensitive", description=__doc__)
    parser.add_argument("--columns", type=Path, required=True, help="YAML list of labelled columns")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(argv)
    found = score(yaml.safe_load(options.columns.read_text(encoding="utf-8")))
    if options.json:
        print(json.dumps(asdict(found), ensure_ascii=False))
        return 0
    print(f"{found.columns} columns: recall {found.recall:.3f}, precision {found.precision:.3f}")
    for title, names in (("missed", found.missed), ("false", found.false)):
        for name in names:
            print(f"  {title}: {name}")
    return 0


def score(columns: list[dict[str, Any]]) -> Score:
    """Return recall and precision over labelled columns."""
    hits, missed, false = 0, [], []
    for item in columns:
        table, column = str(item["table"]), str(item["column"])
        samples = item.get("samples") or ()
        reason = sensitive.why(table, column, family(str(item.get("type", "")), "sqlite"), samples)
        name = f"{table}.{column}" + (f" ({reason})" if reason else "")
        if reason and item["sensitive"]:
            hits += 1
        elif reason:
            false.append(name)
        elif item["sensitive"]:
            missed.append(name)
    return Score(
        len(columns),
        round(hits / (hits + len(missed)), 4) if hits + len(missed) else 1.0,
        round(hits / (hits + len(false)), 4) if hits + len(false) else 1.0,
        missed,
        false,
    )


if __name__ == "__main__":
    raise SystemExit(main())
