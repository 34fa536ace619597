"""How long references take in a catalogue of thousands of tables.

Run: python -m evals.references_speed [--tables N] [--described N] [--examples N] [--json]

A knowledge base is generated: its tables with 20 columns each, texts for all or some of them as
people write them, and examples that join two or three tables. Each figure is the wall time of a
whole process that reads the files and finds the references: from nothing, again, and after the
edit of one description and of one example.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pipeline import artifacts
from pipeline.database.names import name_set
from pipeline.kb import Kb
from pipeline.references.loading import of_kb
from schemas.models import Catalog, Column, Key, Link, Table

_WORDS = sorted(
    name_set("""
    order invoice customer product store shipment payment account ledger price stock batch ticket
    event contract vendor region branch employee asset claim policy route vehicle
    """)
)
_COLUMNS = sorted(
    name_set("""
    customer_id order_date ship_date status_code total_cents currency_code note created_at
    updated_at region_id branch_id is_active quantity unit_price discount_rate external_ref
    owner_id valid_from
    """)
)
_TEXTS = (
    "When it was entered; `valid_from` says from when it counts.",
    "Amount in cents, without discount_rate and tax.",
    "Who is responsible. Foreign key to {other}.id.",
    "What the sales people noted, in their own words, for instance about a late delivery.",
    "Code of the state: 1 new, 2 paid, 9 cancelled.",
    "The customer; see {other}.customer_id for the one who pays.",
)
_PROGRAM = (
    "import json,sys,time\n"
    "from pathlib import Path\n"
    "from pipeline.kb import Kb\n"
    "from pipeline.references.loading import of_kb\n"
    "found=of_kb(Kb(Path(sys.argv[1])))\n"
    "print(json.dumps([len(found.items),len(found.uses),len(found.unresolved)]))\n"
)


def table_names(count: int) -> list[str]:
    """Return that many names of tables."""
    pairs = [f"{one}_{other}" for one in _WORDS for other in _WORDS if one != other]
    return [f"{pairs[n % len(pairs)]}_{n // len(pairs)}" for n in range(count)]


def catalog(names: list[str]) -> Catalog:
    """Return a catalogue of tables with 20 columns each."""
    tables = []
    for number, name in enumerate(names):
        columns = (
            Column("id", "INTEGER", "integer", nullable=False),
            *(Column(column, "TEXT", "text") for column in _COLUMNS),
            Column(f"{name}_code", "TEXT", "text"),
        )
        parent = names[number // 7]
        key = Link(name, ("owner_id",), parent, ("id",))
        tables.append(
            Table(name, name, columns=columns, primary_key=Key(("id",)), foreign_keys=(key,))
        )
    return Catalog("sqlite", "generated", tables=tuple(sorted(tables, key=lambda t: t.name)))


def semantic_text(names: list[str], described: int, examples: int) -> str:
    """Return a semantic.yaml that describes the first tables and has examples."""
    lines = ["tables:"]
    for number, name in enumerate(names[:described]):
        other = names[number // 7]
        lines += [
            f"  {name}:",
            f"    description: One row for each thing of {name}; rows of {other} own it.",
            "    columns:",
        ]
        for place, column in enumerate(["id", *_COLUMNS, f"{name}_code"]):
            text = _TEXTS[(number + place) % len(_TEXTS)].format(other=other)
            lines += [f"      {column}: {json.dumps(text)}"]
    lines.append("examples:")
    lines += [line for n in range(examples) for line in example(names, n)]
    return "\n".join(lines) + "\n"


def example(names: list[str], number: int) -> list[str]:
    """Return the lines of one example."""
    name = names[(number * 37) % len(names)]
    owner, other = names[names.index(name) // 7], names[(number * 53 + 1) % len(names)]
    return [
        f"  - question: How much of {name} is there, question {number}?",
        "    sql: |",
        "      WITH recent AS (",
        f"        SELECT a.id, a.owner_id, SUM(a.total_cents) AS total FROM {name} AS a",
        f"        WHERE a.order_date >= '2025-01-01' AND a.status_code <> {number}",
        "        GROUP BY a.id, a.owner_id",
        "      )",
        "      SELECT b.region_id, COUNT(*) AS n, SUM(r.total) / 100.0 AS total",
        f"      FROM recent AS r JOIN {owner} AS b ON b.id = r.owner_id",
        f"      WHERE EXISTS (SELECT 1 FROM {other} AS c WHERE c.customer_id = b.customer_id)",
        "      GROUP BY b.region_id ORDER BY total DESC",
    ]


@dataclass(frozen=True, slots=True)
class Run:
    """One whole process."""

    seconds: float
    cpu_seconds: float
    """Without what other processes took of the machine meanwhile."""
    found: tuple[int, ...]
    """Items, uses, names that lead to nothing."""


def run(folder: Path) -> Run:
    """Find the references of a knowledge base in a process of its own."""
    used = _cpu_of_children()
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(folder)], capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - started
    return Run(
        round(seconds, 2), round(_cpu_of_children() - used, 2), tuple(json.loads(done.stdout))
    )


def run_here(folder: Path) -> Run:
    """Find the references in this process, without its start."""
    used, started = time.process_time(), time.perf_counter()
    found = of_kb(Kb(folder))
    counts = (len(found.items), len(found.uses), len(found.unresolved))
    seconds = time.perf_counter() - started
    return Run(round(seconds, 2), round(time.process_time() - used, 2), counts)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(
    tables: int, described: int, examples: int, run: Callable[[Path], Run] = run
) -> dict[str, object]:
    """Return the figures for a generated knowledge base."""
    names = table_names(tables)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        artifacts.write(folder / "catalog.json", catalog(names))
        semantic = folder / "semantic.yaml"
        text = semantic_text(names, described, examples)
        semantic.write_text(text, encoding="utf-8")
        first, again = run(folder), run(folder)
        edited = text.replace("question 0?", "question zero?").replace("<> 0\n", "<> 999999\n")
        semantic.write_text(edited.replace("One row", "Each row", 1), encoding="utf-8")
        after = run(folder)
    runs = {"from_nothing": first, "again": again, "after_one_edit": after}
    return {
        "tables": tables,
        "columns": tables * 20,
        "described": described,
        "examples": examples,
        **dict(zip(("items", "uses", "unresolved"), first.found, strict=True)),
        "same_each_time": first.found == again.found == after.found,
        **{f"seconds_{name}": one.seconds for name, one in runs.items()},
        **{f"cpu_seconds_{name}": one.cpu_seconds for name, one in runs.items()},
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=5000)
    parser.add_argument("--described", type=int, nargs="*", default=[500, 5000])
    parser.add_argument("--examples", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    figures = [measure(given.tables, count, given.examples) for count in given.described]
    if given.json:
        print(json.dumps(figures, indent=2))
        return
    for figure in figures:
        print("  ".join(f"{key} {value}" for key, value in figure.items()))


if __name__ == "__main__":
    main()
