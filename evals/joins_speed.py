"""What inferring joins costs beyond the containment queries themselves.

    python -m evals.joins_speed --kb KB [--runs N] [--json]

Hides the declared keys of a knowledge base, infers joins anew on one connection, then runs by
hand, on the same connection: (a) each statement that was run, and (b) for each join that was
found a plain query for its references, orphans, distinct values and the most of one. Prints the
medians of their ratios, the number of statements, and what failed or wasn't measured.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pipeline import artifacts
from pipeline.authored import load_settings
from pipeline.database.connect import Database, Row, open_database
from pipeline.database.source import resolve
from pipeline.errors import QueryError
from pipeline.kb import Kb
from pipeline.profile import inclusion
from schemas.facts import Catalog, Link, Profile


@dataclass(frozen=True, slots=True)
class Speed:
    """What was timed, in seconds; medians over the runs."""

    tables: int
    joins: int
    statements: int
    infer_seconds: float
    same_seconds: float
    plain_seconds: float
    ratio_to_same: float
    ratio_to_plain: float
    notes: tuple[str, ...]


def main(argv: list[str] | None = None) -> int:
    """Time the inference on one knowledge base."""
    parser = argparse.ArgumentParser(prog="python -m evals.joins_speed", description=__doc__)
    parser.add_argument("--kb", type=Path, required=True, help="a built knowledge base")
    parser.add_argument("--runs", type=int, default=5, help="medians of so many runs")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(argv)
    found = measure(Kb(options.kb), options.runs)
    if options.json:
        print(json.dumps(asdict(found), ensure_ascii=False))
        return 0
    print(f"{found.tables} tables, {found.joins} joins, {found.statements} statements")
    print(f"inferred in {found.infer_seconds:.3f} s")
    print(f"{found.ratio_to_same:.2f} x the same statements ({found.same_seconds:.3f} s)")
    print(f"{found.ratio_to_plain:.2f} x plain ones for its joins ({found.plain_seconds:.3f} s)")
    for note in found.notes:
        print(f"note: {note}")
    return 0


def measure(kb: Kb, runs: int) -> Speed:
    """Infer the joins of a knowledge base several times, and ask by hand after each."""
    catalog = artifacts.read(kb.catalog, Catalog)
    profiles = artifacts.read(kb.profile, Profile).by_table
    settings = load_settings(kb.settings)
    hidden = replace(catalog, tables=tuple(replace(t, foreign_keys=()) for t in catalog.tables))
    times: list[tuple[float, float, float]] = []
    with open_database(resolve(settings.source, kb.folder, os.environ)) as database:
        asked = Asked(database)
        inclusion.infer(database, hidden, profiles)  # the first run reads files from the disk
        for _ in range(runs):
            asked.statements.clear()
            start = time.perf_counter()
            found = inclusion.infer(database, hidden, profiles)
            infer = time.perf_counter() - start
            statements = list(asked.statements)
            plain = [_plain(database, catalog, link) for link in found.links]
            times.append((infer, _seconds(database, statements), _seconds(database, plain)))
    infer, same, by_hand = (statistics.median(column) for column in zip(*times, strict=True))
    return Speed(
        len(catalog.tables),
        len(found.links),
        len(statements),
        round(infer, 4),
        round(same, 4),
        round(by_hand, 4),
        ratio_to_same=round(statistics.median(a / b for a, b, _ in times), 3),
        ratio_to_plain=round(statistics.median(a / c for a, _, c in times), 3),
        notes=found.notes,
    )


class Asked:
    """Writes down the statements that a database is asked."""

    def __init__(self, database: Database) -> None:
        self.statements: list[str] = []
        self._fetch = database.fetch
        database.fetch = self._kept  # type: ignore[method-assign]  # only this connection's

    def _kept(self, sql: str, parameters: Sequence[Any] = (), **options: Any) -> list[Row]:
        self.statements.append(sql)
        return self._fetch(sql, parameters, **options)


def _seconds(database: Database, statements: Sequence[str]) -> float:
    """Return how long statements take one after another; those that fail take time as well."""
    start = time.perf_counter()
    for sql in statements:
        with suppress(QueryError):
            database.fetch(sql)
    return time.perf_counter() - start


def _plain(database: Database, catalog: Catalog, link: Link) -> str:
    """Return what a person would ask of one join: references, orphans, distinct, the most."""
    quote = database.quote
    columns = [f"c.{quote(name)}" for name in link.columns]
    keys = [f"p.{quote(name)}" for name in link.to_columns]
    child, parent = (database.table(catalog.by_name[t]) for t in (link.table, link.to_table))
    names = ", ".join(quote(name) for name in link.columns)
    on = " AND ".join(f"{key} = {column}" for key, column in zip(keys, columns, strict=True))
    there = " AND ".join(f"{column} IS NOT NULL" for column in columns)
    groups = f"SELECT COUNT(*) AS n FROM {child} AS c WHERE {there} GROUP BY {names}"
    return (
        f"SELECT COUNT(*), SUM(CASE WHEN {keys[0]} IS NULL THEN 1 ELSE 0 END),"
        f" (SELECT COUNT(*) FROM ({groups}) AS g), (SELECT MAX(g.n) FROM ({groups}) AS g)"
        f" FROM {child} AS c LEFT JOIN {parent} AS p ON {on} WHERE {there}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
