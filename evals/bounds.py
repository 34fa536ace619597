"""Whether statements that exhaust time, memory, rows or the parser end in time.

    python -m evals.bounds [FILE…] [--dialect NAME] [--limit 2] [--json]

A list is YAML with `id`, `dialect`, `kind` and `sql` (without FILE: guard_bounds.yaml beside this
module); a text that ends in `...` or counts its constants is written out. Each statement goes
through `query.read`, the guard included, and once more without the guard when that refuses it,
from a process that has done nothing else. Bar: it ends within 1.5 × the limit + 0.5 s, that
process grows by at most 64 MiB, and 2 s later no server still works on it.

Servers are made for the run and destroyed, unless `--postgres URL` or `--mariadb URL` name some.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evals import throwaway
from evals.bounds_measure import Figures, Measurer
from evals.bounds_places import Place, places
from evals.yaml_files import read_yaml
from pipeline.database.source import resolve

OWN = Path(__file__).with_name("guard_bounds.yaml")
DIALECTS = ("sqlite", "duckdb", "postgres", "mysql")
GROWTH_MIB = 64.0
_MANY = 5_000
"""Levels of nesting where none are named: more than any engine takes, in 10,000 characters."""
_WIDE = 2_500
"""Columns where none are counted: more than SQLite's 2,000."""
_CONSTANTS = re.compile(r"\(\s*(\d+) constants\s*\)")
_NESTED = re.compile(r"(?s)(?P<head>.*?)\(+\s*\.\.\.(?:\s*(?P<levels>\d+) levels)?\s*")
_REPEATED = re.compile(r"(?s)(?P<head>.*?)(?P<unit>\S.{0,30}?)(?P=unit)+\.\.\.\s*")


@dataclass(frozen=True, slots=True)
class Item:
    """One statement of a list, in one dialect."""

    id: str
    dialect: str
    kind: str
    sql: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What a statement took."""

    id: str
    dialect: str
    kind: str
    door: Figures
    """Through the guard."""
    without_guard: Figures | None
    """Of those that the guard refuses."""


@dataclass(frozen=True, slots=True)
class Over:
    """A figure beyond the bar."""

    id: str
    dialect: str
    way: str
    why: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return 0 when everything stays within the bar, else 1."""
    options = _options(arguments)
    raw = [item for file in options.files for item in read_yaml(file)]
    with throwaway.workspace() as folder, ExitStack() as stack:
        given = {
            dialect: resolve(url, Path(), os.environ)
            for dialect, url in (("postgres", options.postgres), ("mysql", options.mariadb))
            if url
        }
        found, missing = places(wanted(raw, options.dialect), folder, given, stack)
        items = read_items(raw, list(found))
        measured = list(measure(items, found, options.limit))
    result = {
        "limit": options.limit,
        "bar": {"seconds": longest(options.limit), "growth_mib": GROWTH_MIB},
        "items": [asdict(m) for m in measured],
        "over": [asdict(o) for m in measured for o in beyond(m, options.limit)],
        "skipped": missing,
    }
    if options.json:
        print(json.dumps(result, ensure_ascii=False, indent=1))
    else:
        _print(result, measured)
    return 1 if result["over"] or not measured else 0


def wanted(raw: Sequence[Mapping[str, Any]], dialect: str | None) -> list[str]:
    """Return the dialects of which a database is needed."""
    named = {item["dialect"] for item in raw}
    if named and not named & set(DIALECTS):
        named.add(DIALECTS[0])  # for the items that are for any
    return [name for name in DIALECTS if name in named and dialect in (None, name)]


def read_items(raw: Sequence[Mapping[str, Any]], dialects: Sequence[str]) -> list[Item]:
    """Return the items for these dialects; one that is for any dialect, once for each."""
    return [
        Item(item["id"], dialect, item["kind"], expanded(item["sql"]))
        for item in raw
        for dialect in dialects
        if item["dialect"] == dialect or item["dialect"].startswith("any")
    ]


def expanded(sql: str) -> str:
    """Write out a statement that is only described."""
    text = _CONSTANTS.sub(lambda m: f"({', '.join(map(str, range(int(m[1]))))})", sql)
    if nested := _NESTED.fullmatch(text):
        levels = int(nested["levels"] or _MANY)
        return nested["head"] + "(" * levels + "1" + ")" * levels
    if repeated := _REPEATED.fullmatch(text):
        return (repeated["head"] + repeated["unit"] * _WIDE).rstrip(",")
    return text


def measure(items: Sequence[Item], found: Mapping[str, Place], limit: float) -> Iterator[Measured]:
    """Run the items one after another."""
    with Measurer(limit) as measurer:
        for item in items:
            place = found[item.dialect]
            door = measurer.run(place, item.sql, is_guarded=True)
            bare = None
            if door.outcome == "refused":
                bare = measurer.run(place, item.sql, is_guarded=False)
            yield Measured(item.id, item.dialect, item.kind, door, bare)


def longest(limit: float) -> float:
    """Return how many seconds a statement with that limit may take."""
    return 1.5 * limit + 0.5


def beyond(measured: Measured, limit: float) -> Iterator[Over]:
    """Yield what is beyond the bar."""
    for way, figures in (("door", measured.door), ("without guard", measured.without_guard)):
        if figures is None:
            continue
        if figures.seconds > longest(limit):
            yield Over(measured.id, measured.dialect, way, f"took {figures.seconds:.2f} s")
        if figures.growth_mib > GROWTH_MIB:
            yield Over(measured.id, measured.dialect, way, f"grew by {figures.growth_mib:.0f} MiB")
        if figures.is_left_running:
            yield Over(measured.id, measured.dialect, way, "still runs on the server after 2 s")


def _print(result: Mapping[str, Any], measured: Sequence[Measured]) -> None:
    for item in measured:
        for way, figures in (("", item.door), (" without guard", item.without_guard)):
            if figures is not None:
                print(
                    f"{item.id} {item.dialect} {item.kind}{way}: {figures.seconds:.2f} s, "
                    f"+{figures.growth_mib:.1f} MiB, {figures.outcome}: {figures.text}"
                )
    for over in result["over"]:
        print(f"OVER {over['id']} {over['dialect']} ({over['way']}): {over['why']}")
    for dialect, why in result["skipped"].items():
        print(f"skipped {dialect}: {why}")
    print(f"{len(measured)} statements, {len(result['over'])} over the bar")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals.bounds",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", type=Path, default=[OWN], metavar="FILE")
    parser.add_argument("--dialect", help="run only items of this dialect")
    parser.add_argument("--limit", type=float, default=2.0, help="seconds that a statement may run")
    parser.add_argument("--postgres", metavar="URL", help="a PostgreSQL server to use")
    parser.add_argument("--mariadb", metavar="URL", help="a MariaDB server to use")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
