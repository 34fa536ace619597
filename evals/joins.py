"""How well undeclared joins are inferred: every declared key is hidden and inferred anew.

    python -m evals.joins --kb KB… [--gold FILE…] [--json]

Gold: the declared keys of the catalogue, of one column or several, and known undeclared ones:
those below, and those of `--gold`, one a line: `child(a, b) -> parent(x, y)`. An inclusion that
follows from a chain of gold links counts neither way, nor does a join of a materialized view,
which can declare no key. Needs the knowledge base's catalog.json, profile.json and source.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pipeline import artifacts
from pipeline.authored import load_settings
from pipeline.database.connect import open_database
from pipeline.database.source import resolve
from pipeline.kb import Kb
from pipeline.profile import inclusion
from schemas.facts import Catalog, Link, Profile

Side = tuple[str, tuple[str, ...]]
Pair = tuple[Side, Side]

_LINE = re.compile(r"(.+?)\(([^()]+)\) -> (.+?)\(([^()]+)\)")

_MOVEMENTS = {
    "Production__WorkOrder": "WorkOrderID",
    "Purchasing__PurchaseOrderHeader": "PurchaseOrderID",
    "Sales__SalesOrderHeader": "SalesOrderID",
}
_SINGLES: tuple[tuple[str, str, str, str], ...] = (
    ("Production__WorkOrderRouting", "ProductID", "Production__Product", "ProductID"),
    ("Production__TransactionHistoryArchive", "ProductID", "Production__Product", "ProductID"),
    *(
        (f"Production__{log}", "ReferenceOrderID", target, key)
        for log in ("TransactionHistory", "TransactionHistoryArchive")
        for target, key in _MOVEMENTS.items()
    ),
    ("implicit_child", "invoice_id", "invoice", "id"),
    ("comment_on_anything", "commentable_id", "invoice", "id"),
    ("comment_on_anything", "commentable_id", "city", "id"),
    ("legacy_crm_notes", "cust_no", "customer", "cust_no"),
    ("customer_bak_2023", "cust_no", "customer", "cust_no"),
    ("inv_mvmt", "reference_id", "sales_order", "order_id"),
    ("inv_mvmt", "reference_id", "purchase_order", "po_id"),
    ("inv_mvmt", "reference_id", "stock_transfer", "transfer_id"),
)
_FOLDED = tuple(
    (table.lower().replace("__", "."), column.lower(), to.lower().replace("__", "."), key.lower())
    for table, column, to, key in _SINGLES
    if "__" in table
)
"""The same database as PostgreSQL holds it: schemas, names in lower case."""
_KNOWN: tuple[Pair, ...] = tuple(
    ((table, (column,)), (to_table, (key,)))
    for table, column, to_table, key in (*_SINGLES, *_FOLDED)
)
"""Undeclared joins that the makers of AdventureWorks, the demo and other test data had in mind."""


@dataclass(frozen=True, slots=True)
class Score:
    """What was found."""

    gold: int
    found: int
    precision: float
    recall: float
    false: list[str]
    missed: list[str]
    transitive: list[str]


def main(argv: list[str] | None = None) -> int:
    """Score the inference on knowledge bases."""
    parser = argparse.ArgumentParser(prog="python -m evals.joins", description=__doc__)
    parser.add_argument("--kb", type=Path, nargs="+", required=True, help="built knowledge bases")
    parser.add_argument("--gold", type=Path, nargs="+", default=[], help="undeclared joins, listed")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(argv)
    listed = [pair for file in options.gold for pair in read_gold(file.read_text("utf-8"))]
    total = combined([score(Kb(folder), listed) for folder in options.kb])
    if options.json:
        print(json.dumps(asdict(total), ensure_ascii=False))
        return 0
    print(f"{total.gold} joins: precision {total.precision:.3f}, recall {total.recall:.3f}")
    for title, names in (
        ("false", total.false),
        ("missed", total.missed),
        ("transitive", total.transitive),
    ):
        for name in names:
            print(f"  {title}: {name}")
    return 0


def score(kb: Kb, listed: Iterable[Pair] = ()) -> Score:
    """Hide the keys of one knowledge base, infer anew and compare."""
    catalog = artifacts.read(kb.catalog, Catalog)
    profile = artifacts.read(kb.profile, Profile)
    settings = load_settings(kb.settings)
    hidden = replace(catalog, tables=tuple(replace(t, foreign_keys=()) for t in catalog.tables))
    with open_database(resolve(settings.source, kb.folder, os.environ)) as database:
        found = inclusion.infer(database, hidden, profile.by_table)
    return compare(catalog, found.links, listed)


def read_gold(text: str) -> list[Pair]:
    """Return the joins of a list, one a line as `_shown` writes them; `#` begins a comment."""
    pairs: list[Pair] = []
    for line in text.splitlines():
        found = _LINE.fullmatch(line.split("#")[0].strip())
        if found is not None:
            table, columns, to_table, to_columns = found.groups()
            pairs.append(((table, _split(columns)), (to_table, _split(to_columns))))
    return pairs


def compare(catalog: Catalog, found: Iterable[Link], listed: Iterable[Pair] = ()) -> Score:
    """Compare inferred links with a catalogue's declared ones and the known others."""
    profiled = {table.name for table in catalog.tables}
    gold = {
        ((link.table, link.columns), (link.to_table, link.to_columns))
        for table in catalog.tables
        for link in table.foreign_keys
        if link.state == "ok" and link.to_table in profiled
    }
    gold |= {pair for pair in (*_KNOWN, *listed) if all(_has(catalog, *side) for side in pair)}
    derived = {table.name for table in catalog.tables if table.kind == "materialized_view"}
    inferred = {
        ((link.table, link.columns), (link.to_table, link.to_columns))
        for link in found
        if link.table not in derived
    }
    extra = inferred - gold
    transitive = {pair for pair in extra if _follows(pair, gold)}
    hits, false, missed = inferred & gold, extra - transitive, gold - inferred
    return Score(
        len(gold),
        len(hits),
        _share(len(hits), len(hits) + len(false)),
        _share(len(hits), len(gold)),
        sorted(map(_shown, false)),
        sorted(map(_shown, missed)),
        sorted(map(_shown, transitive)),
    )


def combined(scores: list[Score]) -> Score:
    """Return several databases' scores as one, every join counting the same."""
    gold, found = sum(s.gold for s in scores), sum(s.found for s in scores)
    false = [name for s in scores for name in s.false]
    return Score(
        gold,
        found,
        _share(found, found + len(false)),
        _share(found, gold),
        false,
        [name for s in scores for name in s.missed],
        [name for s in scores for name in s.transitive],
    )


def _has(catalog: Catalog, table: str, columns: tuple[str, ...]) -> bool:
    found = catalog.by_name.get(table)
    return found is not None and {c.name for c in found.columns} >= set(columns)


def _split(columns: str) -> tuple[str, ...]:
    return tuple(column.strip() for column in columns.split(","))


def _follows(pair: Pair, gold: set[Pair]) -> bool:
    """Return whether a chain of gold links leads from one side to the other, column by column."""
    steps: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for (table, columns), (to_table, to_columns) in gold:
        for column, to_column in zip(columns, to_columns, strict=True):
            steps.setdefault((table, column), set()).add((to_table, to_column))
    (table, columns), (to_table, to_columns) = pair
    for column, to_column in zip(columns, to_columns, strict=True):
        reached: set[tuple[str, str]] = set()
        frontier = {(table, column)}
        while frontier:
            frontier = {end for start in frontier for end in steps.get(start, ())} - reached
            reached |= frontier
        if (to_table, to_column) not in reached:
            return False
    return True


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


def _shown(pair: Pair) -> str:
    (table, columns), (to_table, to_columns) = pair
    return f"{table}({', '.join(columns)}) -> {to_table}({', '.join(to_columns)})"


if __name__ == "__main__":
    raise SystemExit(main())
