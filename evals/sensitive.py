"""How well sensitive columns are told from look-alikes.

    python -m evals.sensitive [--columns FILE …] [--json]

FILE is YAML: a list of `{table, column, type, sensitive, samples?, schema?, language?, class?}`.
Columns with a `schema` are judged with the other columns of their table; `sensitive: null` marks
one that could be argued and isn't counted. Without FILE: the project's own columns.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from pipeline.database.families import family
from pipeline.profile import sensitive
from schemas.facts import Column, Table

OWN = Path(__file__).resolve().parent.parent / "tests" / "sensitive"


@dataclass(frozen=True, slots=True)
class Score:
    """What was found."""

    columns: int
    recall: float
    precision: float
    missed: list[str]
    false: list[str]


def main(argv: list[str] | None = None) -> int:
    """Score the detector on the columns of files."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.sensitive",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--columns", type=Path, nargs="+", help="YAML lists of labelled columns")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(argv)
    columns = read(options.columns or sorted(OWN.glob("*.yaml")))
    found = score(columns)
    if options.json:
        print(json.dumps(asdict(found), ensure_ascii=False))
        return 0
    _print(columns, found)
    return 0


def read(files: Iterable[Path]) -> list[dict[str, Any]]:
    """Return the labelled columns of all files."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast where it is built
    return [
        item
        for path in files
        for item in yaml.load(path.read_text(encoding="utf-8"), loader) or ()  # noqa: S506  # both are safe
    ]


def score(columns: Sequence[dict[str, Any]]) -> Score:
    """Return recall and precision over labelled columns."""
    tables = _tables(columns)
    hits, missed, false = 0, [], []
    counted = [item for item in columns if item["sensitive"] is not None]
    for item in counted:
        reason = _judged(item, tables)
        name = f"{item['table']}.{item['column']}" + (f" ({reason})" if reason else "")
        if reason and item["sensitive"]:
            hits += 1
        elif reason:
            false.append(name)
        elif item["sensitive"]:
            missed.append(name)
    return Score(
        len(counted),
        round(hits / (hits + len(missed)), 4) if hits + len(missed) else 1.0,
        round(hits / (hits + len(false)), 4) if hits + len(false) else 1.0,
        missed,
        false,
    )


def _print(columns: Sequence[dict[str, Any]], found: Score) -> None:
    print(f"{found.columns} columns: recall {found.recall:.3f}, precision {found.precision:.3f}")
    for key in ("language", "class"):
        groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for item in columns:
            groups[str(item.get(key, "none"))].append(item)
        groups.pop("none", None)
        for name, items in sorted(groups.items()):
            of_group = score(items)
            precision = f", precision {of_group.precision:.3f}" if key == "language" else ""
            print(f"  {name}: {of_group.columns}, recall {of_group.recall:.3f}{precision}")
    for title, names in (("missed", found.missed), ("false", found.false)):
        for name in names:
            print(f"  {title}: {name}")


def _judged(item: dict[str, Any], tables: dict[tuple[str, str], Table]) -> str | None:
    table, column = str(item["table"]), _column(item)
    by_name = None
    if "schema" in item:
        by_name = sensitive.why_by_name(tables[str(item["schema"]), table], column)
    samples = item.get("samples") or ()
    return by_name or sensitive.why(table, column.name, column.family, samples)


def _tables(columns: Sequence[dict[str, Any]]) -> dict[tuple[str, str], Table]:
    """Return the tables whose columns are judged together."""
    grouped: dict[tuple[str, str], list[Column]] = defaultdict(list)
    for item in columns:
        if "schema" in item:
            grouped[str(item["schema"]), str(item["table"])].append(_column(item))
    return {key: Table(key[1], key[1], columns=tuple(found)) for key, found in grouped.items()}


def _column(item: dict[str, Any]) -> Column:
    native = str(item.get("type", ""))
    return Column(str(item["column"]), native, family(native, "sqlite"))


if __name__ == "__main__":
    raise SystemExit(main())
