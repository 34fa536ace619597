"""Whether two knowledge bases of one database, on two engines, have the same catalogue.

    python -m evals.same_catalog KB KB [--json]

Names are folded: lower case, `Schema__Table` is `schema.table`. Compared are tables, their columns,
primary and foreign keys, and the names of views; what only one side has is listed. Exit status 1
when there is a difference.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline import artifacts
from pipeline.kb import Kb
from schemas.facts import Catalog, Table

_VIEWS = ("view", "materialized_view")


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a catalogue holds."""

    tables: int
    columns: int
    primary_keys: int
    foreign_keys: int
    views: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """What both catalogues hold, and what only one of them does."""

    first: Counts
    second: Counts
    only_first: dict[str, list[str]]
    """By kind: tables, columns, primary_keys, foreign_keys, views."""
    only_second: dict[str, list[str]]

    @property
    def is_same(self) -> bool:
        """Neither holds what the other doesn't."""
        return not any((*self.only_first.values(), *self.only_second.values()))


def main(argv: list[str] | None = None) -> int:
    """Compare two knowledge bases."""
    parser = argparse.ArgumentParser(prog="python -m evals.same_catalog", description=__doc__)
    parser.add_argument("kb", type=Path, nargs=2, help="scanned knowledge bases")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(argv)
    first, second = (artifacts.read(Kb(folder).catalog, Catalog) for folder in options.kb)
    found = compare(first, second)
    if options.json:
        print(json.dumps(asdict(found), ensure_ascii=False))
    else:
        for folder, counts in zip(options.kb, (found.first, found.second), strict=True):
            told = ", ".join(f"{v} {k.replace('_', ' ')}" for k, v in asdict(counts).items())
            print(f"{folder}: {told}")
        for folder, only in zip(options.kb, (found.only_first, found.only_second), strict=True):
            for kind, names in only.items():
                for name in names:
                    print(f"  only in {folder}: {kind.replace('_', ' ')}: {name}")
    return 0 if found.is_same else 1


def compare(first: Catalog, second: Catalog) -> Comparison:
    """Compare two catalogues by folded names."""
    one, other = _parts(first), _parts(second)
    return Comparison(
        _counts(one),
        _counts(other),
        {kind: sorted(one[kind] - other[kind]) for kind in one},
        {kind: sorted(other[kind] - one[kind]) for kind in one},
    )


def _parts(catalog: Catalog) -> dict[str, set[str]]:
    """Return all that is compared, as texts, by kind."""
    tables = [table for table in catalog.tables if table.kind not in _VIEWS]
    return {
        "tables": {_folded(table.name) for table in tables},
        "columns": {_column(table, c.name) for table in tables for c in table.columns},
        "primary_keys": {
            f"{_folded(table.name)}({_list(table.primary_key.columns)})"
            for table in tables
            if table.primary_key is not None
        },
        "foreign_keys": {name for table in tables for name in _foreign_keys(table)},
        "views": {_folded(table.name) for table in catalog.tables if table.kind in _VIEWS},
    }


def _foreign_keys(table: Table) -> Iterator[str]:
    for link in table.foreign_keys:
        side = f"{_folded(link.table)}({_list(link.columns)})"
        yield f"{side} -> {_folded(link.to_table)}({_list(link.to_columns)})"


def _counts(parts: dict[str, set[str]]) -> Counts:
    return Counts(**{kind: len(names) for kind, names in parts.items()})


def _column(table: Table, name: str) -> str:
    return f"{_folded(table.name)}.{_folded(name)}"


def _list(names: Iterable[str]) -> str:
    return ", ".join(_folded(name) for name in names)


def _folded(name: str) -> str:
    return name.replace("__", ".").lower()


if __name__ == "__main__":
    raise SystemExit(main())
