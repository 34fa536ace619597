"""What lint says of a real database with somebody's descriptions; its time on a large one.

`python -m evals.lint --kb DIR --descriptions FILE` takes a built knowledge base and a JSON file
`{"tables": {name: {"description": …, "columns": {name: text}}}}`, writes the texts into a copy of
it and counts what each rule finds; `--show DL203` lists them. `--speed` times `dblore lint` as a
whole process on a generated one: `--tables` × 20 columns, profiled, examples that were validated.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from evals import references_speed
from pipeline import artifacts, tasks
from pipeline.authored import load_semantic
from pipeline.kb import Kb
from pipeline.lint import Report, lint
from schemas.models import (
    Catalog,
    CheckedItem,
    ColumnProfile,
    Graph,
    Profile,
    TableProfile,
    Validation,
    ValueCount,
)

_FACTS = ("kb.yaml", "catalog.json", "profile.json", "graph.json", "kb.lock.json")


def main() -> None:
    """Print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kb", type=Path, help="a built knowledge base")
    parser.add_argument("--descriptions", type=Path, help="texts to lint it with")
    parser.add_argument("--show", action="append", default=[], metavar="RULE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--tables", type=int, default=5000)
    parser.add_argument("--described", type=int, nargs="*", default=[500, 5000])
    parser.add_argument("--examples", type=int, default=2000)
    options = parser.parse_args()
    if options.speed:
        for described in options.described:
            print(json.dumps(speed(options.tables, described, options.examples)))
        return
    if options.kb is None:
        parser.error("give --kb DIR, or --speed")
    with tempfile.TemporaryDirectory() as folder:
        copied = copy(options.kb, Path(folder), options.descriptions)
        report = lint(Kb(copied), tasks.stale(Kb(copied)))
    _print(report, options)


def copy(kb: Path, folder: Path, descriptions: Path | None) -> Path:
    """Return a copy of a knowledge base in which the descriptions stand in semantic.yaml."""
    out = folder / kb.name
    out.mkdir()
    for name in _FACTS:
        if (kb / name).exists():
            shutil.copyfile(kb / name, out / name)
    source = kb / "semantic.yaml"
    if descriptions is None:
        shutil.copyfile(source, out / "semantic.yaml")
    else:
        said = json.loads(descriptions.read_text(encoding="utf-8"))
        (out / "semantic.yaml").write_text(semantic(said), encoding="utf-8")
    return out


def semantic(said: dict[str, Any]) -> str:
    """Return semantic.yaml with the descriptions; JSON texts are YAML texts."""
    lines = ["tables:"]
    for name, table in said["tables"].items():
        lines += [f"  {json.dumps(name)}:"]
        lines += [f"    description: {json.dumps(table.get('description') or '')}", "    columns:"]
        lines += [
            f"      {json.dumps(column)}: {json.dumps(text)}"
            for column, text in table.get("columns", {}).items()
            if text
        ]
    return "\n".join(lines) + "\n"


def speed(tables: int, described: int, examples: int) -> dict[str, Any]:
    """Return the wall and CPU seconds of `dblore lint`, from nothing and again."""
    names = references_speed.table_names(tables)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        catalog = references_speed.catalog(names)
        text = references_speed.semantic_text(names, described, examples)
        (folder / "semantic.yaml").write_text(text, encoding="utf-8")
        (folder / "kb.yaml").write_text("name: generated\nsource: none.sqlite\n", encoding="utf-8")
        artifacts.write(folder / "catalog.json", catalog)
        artifacts.write(folder / "profile.json", _profile(catalog))
        links = tuple(link for table in catalog.tables for link in table.foreign_keys)
        artifacts.write(folder / "graph.json", Graph(links=links))
        said = load_semantic(folder / "semantic.yaml").examples
        items = tuple(CheckedItem("example", e.question, "ok", e.sql.strip()) for e in said)
        artifacts.write(folder / "validation.json", Validation(items))
        runs = [_timed(folder), _timed(folder)]
    return {"tables": tables, "described": described, "examples": examples, "runs": runs}


def _profile(catalog: Catalog) -> Profile:
    tables = []
    for table in catalog.tables:
        columns = [
            ColumnProfile(
                column.name,
                nulls=number,
                distinct=1000 - number,
                minimum="2024-01-01" if "date" in column.name else number,
                maximum="2025-12-31" if "date" in column.name else number * 1000,
                values=tuple(ValueCount(str(code), 100) for code in range(9)),
                values_complete="code" in column.name,
            )
            for number, column in enumerate(table.columns)
        ]
        tables.append(TableProfile(table.name, rows=1000, columns=tuple(columns)))
    return Profile(tuple(tables))


def _timed(folder: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "serve.cli", "lint", "--kb", str(folder), "--format", "json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = Counter(finding["rule"] for finding in json.loads(done.stdout))
    return {
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu, 1),
        "memory_mb": round(after.ru_maxrss / 1024),
        "findings": dict(sorted(found.items())),
    }


def _print(report: Report, options: argparse.Namespace) -> None:
    counts = Counter((f.rule.id, f.rule.name) for f in report.findings)
    if options.json:
        print(json.dumps({rule: count for (rule, _), count in sorted(counts.items())}))
        return
    for (rule, name), count in sorted(counts.items()):
        print(f"{rule} {name:<28} {count:>5}")
        for finding in report.findings:
            if finding.rule.id == rule and rule in options.show:
                print(f"    {finding.target}: {finding.message}")
    for note in report.notes:
        print(f"note: {note}")


if __name__ == "__main__":
    main()
