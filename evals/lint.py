"""What lint says of a real database with somebody's descriptions; its time on a large one.

`python -m evals.lint --kb DIR --descriptions FILE` takes a built knowledge base and a JSON file
`{"tables": {name: {"description": …, "columns": {name: text}}}}`, writes the texts into a copy of
it and counts what each rule finds; `--show DL203` lists them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from pipeline.kb import Kb
from pipeline.lint import Report, lint

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
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copied = copy(options.kb, Path(folder), options.descriptions)
        report = lint(Kb(copied))
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
