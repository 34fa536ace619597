"""What a profile costs beside its floor: `python -m evals.profile_speed SOURCE… [--json]`.

The floor is one hand-written SELECT a table (nulls, exact distinct values, MIN, MAX) and one a
column for its five most frequent values, on one connection. Both are run in turns; joins, which
are inferred afterwards, have a measurement of their own.

SOURCE is what `source:` of kb.yaml may be. The bar is meant for AdventureWorks as a whole.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline import profile
from pipeline.database.connect import Database, open_database
from pipeline.database.source import Source, resolve
from pipeline.profile.columns import Rules
from schemas.facts import Catalog, Column, Table, TableProfile
from schemas.settings import ProfileSettings

LIMIT_RATIO = 1.3
_TOP = 5
_COUNTED_ONLY = frozenset({"binary", "json", "xml", "geometry", "array"})
"""Families that some engine can't group, or that nobody wants to be grouped."""
_NO_ENDS = frozenset({"boolean", "uuid"})
"""Families of which PostgreSQL has no MIN."""


def figures(source: Source, *, runs: int = 3, workers: int | None = None) -> dict[str, Any]:
    """Return what the floor and the profile of a database's tables take, views aside."""
    settings = ProfileSettings() if workers is None else ProfileSettings(workers=workers)
    with open_database(source) as database:
        whole = database.read_catalog()
    catalog = replace(whole, tables=tuple(t for t in whole.tables if t.kind == "table"))
    floors: list[tuple[float, float]] = []
    ours: list[tuple[float, float]] = []
    read: tuple[TableProfile, ...] = ()
    for _ in range(runs):
        started = _clocks()
        _floor(source, catalog)
        floors.append(_since(started))
        started = _clocks()
        read, _ = profile.tables_of(source, catalog, Rules(settings))
        ours.append(_since(started))
    floor, own = (statistics.median(wall for wall, _ in taken) for taken in (floors, ours))
    floor_cpu, own_cpu = (statistics.median(cpu for _, cpu in taken) for taken in (floors, ours))
    return {
        "tables": len(catalog.tables),
        "columns": sum(len(table.columns) for table in catalog.tables),
        "unreadable": sum(table.error is not None for table in read),
        "workers": settings.workers,
        "runs": runs,
        "floor_ms": round(1000 * floor),
        "profile_ms": round(1000 * own),
        "ratio": round(own / floor, 2),
        "floor_cpu_ms": round(1000 * floor_cpu),
        "profile_cpu_ms": round(1000 * own_cpu),
    }


def _clocks() -> tuple[float, float]:
    """Return the time, and for how long this process has worked."""
    return time.perf_counter(), time.process_time()


def _since(started: tuple[float, float]) -> tuple[float, float]:
    wall, cpu = _clocks()
    return wall - started[0], cpu - started[1]


def _floor(source: Source, catalog: Catalog) -> None:
    with open_database(source) as database:
        for table in catalog.tables:
            database.fetch(_counts(database, table))
            for column in table.columns:
                if column.family not in _COUNTED_ONLY:
                    database.fetch(_most_frequent(database, table, column))


def _counts(database: Database, table: Table) -> str:
    asked = ["COUNT(*)"]
    for column in table.columns:
        name = database.quote(column.name)
        asked.append(f"COUNT({name})")
        if column.family in _COUNTED_ONLY:
            continue
        asked.append(f"COUNT(DISTINCT {name})")
        if column.family not in _NO_ENDS:
            asked += [f"MIN({name})", f"MAX({name})"]
    return f"SELECT {', '.join(asked)} FROM {database.table(table)}"


def _most_frequent(database: Database, table: Table, column: Column) -> str:
    name = database.quote(column.name)
    return (
        f"SELECT {name}, COUNT(*) FROM {database.table(table)}"
        f" GROUP BY {name} ORDER BY COUNT(*) DESC LIMIT {_TOP}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; status 1 if a profile took longer than `LIMIT_RATIO` of its floor."""
    parser = argparse.ArgumentParser(prog="python -m evals.profile_speed", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("sources", nargs="+", metavar="SOURCE")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--workers", type=int, help="connections (default: as kb.yaml has it)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = {}
    for text in options.sources:
        source = resolve(text, Path(), {})
        found[source.shown] = figures(source, runs=options.runs, workers=options.workers)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        for shown, measured in found.items():
            print(shown)
            for name, value in measured.items():
                print(f"  {name:<16} {value}")
    return int(any(measured["ratio"] > LIMIT_RATIO for measured in found.values()))


if __name__ == "__main__":
    sys.exit(main())
