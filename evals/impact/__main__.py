"""Which items a change makes suspect, and which renames are recognised.

    python -m evals.impact [--db FILE | --kb FOLDER] [--seed N] [--cases N] [--json]
    python -m evals.impact --kb FOLDER --change rename TABLE.COLUMN NEW

Sixty seeded mutations (renames, drops, other types, new codes, lost uniqueness) of AdventureWorks
are compared with the catalogue before; the items named are held against `adventureworks.yaml`,
where every name of a table or column is marked, so that what an item uses is known without any
parser. The same, shorter, on the demo's schema. Then renames at random, and exchanges that are
none. AdventureWorks is read from `--db` (its SQLite file) or `--kb` (scanned and profiled);
without either that part is skipped. Exit status 1: an item is missed or named in error.

`--change` says one change of the knowledge base in `--kb` and lists what it makes suspect.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evals.impact import demo, renames
from evals.impact.judge import COUNTS, Bench, run, unlike
from evals.impact.mutations import Facts
from pipeline import artifacts, tasks
from pipeline.errors import DbloreError
from pipeline.impact import impact, named_change
from pipeline.impact.loading import of_kb
from pipeline.impact.named import FORMS
from pipeline.kb import Kb
from schemas.facts import Catalog, Profile

HERE = Path(__file__).resolve().parent
_MARK_OF_ADVENTUREWORKS = "Sales__SalesOrderHeader"


def main(argv: list[str] | None = None) -> int:
    """Judge the mutations, or list what one change makes suspect."""
    options = _options(argv)
    try:
        if options.change:
            return _say(options)
        told = dict(_parts(options))
    except DbloreError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_status
    if options.json:
        print(json.dumps(told, ensure_ascii=False))
    else:
        for name, part in told.items():
            _print(name, part)
    judged = [part for part in told.values() if "skipped" not in part]
    return int(any(part["missed"] or part["false"] or part["unlike"] for part in judged))


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals.impact",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--db", type=Path, help="the SQLite file of AdventureWorks")
    parser.add_argument("--kb", type=Path, help="a knowledge base of it, scanned and profiled")
    parser.add_argument("--seed", type=int, default=1, help="of all that is random")
    parser.add_argument("--cases", type=int, default=50, help="random renames per kind")
    parser.add_argument("--change", nargs="+", metavar="WORD", help="; ".join(FORMS))
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(argv)
    if options.change and not options.kb:
        parser.error("--change needs --kb")
    return options


def _parts(options: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(HERE / "demo.yaml", demo.facts(), Path(folder))
        yield "demo", _judged(bench, options, demo.COUNTS)
        facts = _adventureworks(options, Path(folder))
        if isinstance(facts, str):
            yield "adventureworks", {"skipped": facts}
            return
        bench = Bench(HERE / "adventureworks.yaml", facts, Path(folder))
        told = _judged(bench, options, COUNTS)
        tallies = renames.run(bench.facts, options.seed, options.cases)
        yield "adventureworks", {**told, "renames": [asdict(tally) for tally in tallies]}


def _judged(bench: Bench, options: argparse.Namespace, counts: dict[str, int]) -> dict[str, Any]:
    figures, _ = run(bench, options.seed, counts)
    return {**asdict(figures), "unlike": unlike(bench)}


def _adventureworks(options: argparse.Namespace, folder: Path) -> Facts | str:
    if options.kb is None and options.db is None:
        return "no --db FILE or --kb FOLDER with AdventureWorks is given"
    kb = Kb(options.kb or folder / "adventureworks")
    if options.db is not None:
        if not options.db.is_file():
            return f"{options.db} is no file"
        kb.folder.mkdir()
        settings = f"name: adventureworks\nsource: {options.db.resolve()}\n"
        (kb.folder / "kb.yaml").write_text(settings, encoding="utf-8")
        result = tasks.run(kb, ("scan", "profile"), quiet=True)
        if result.error:
            raise result.error
    facts = Facts(artifacts.read(kb.catalog, Catalog), artifacts.read(kb.profile, Profile))
    if facts.catalog.find(_MARK_OF_ADVENTUREWORKS) is None:
        return f"it is not AdventureWorks: it has no table {_MARK_OF_ADVENTUREWORKS}"
    return facts


def _print(name: str, part: dict[str, Any]) -> None:
    if "skipped" in part:
        print(f"{name}: skipped: {part['skipped']}")
        return
    print(
        f"{name}: {part['mutations']} mutations, {part['items']} items of which "
        f"{part['examples']} examples; {part['expected']} suspects expected, "
        f"{len(part['missed'])} missed, {len(part['false'])} named in error, "
        f"{len(part['unrecognised'])} changes not recognised ({part['seconds']} s)"
    )
    for kind in ("missed", "false", "unrecognised", "unlike"):
        for line in part[kind]:
            print(f"  {kind}: {line}")
    for tally in part.get("renames", ()):
        told = f"{tally['right']} of {tally['cases']} right, {tally['false']} false"
        print(f"  {tally['kind']}: {told}")
        for line in tally["examples"][:5]:
            print(f"    {line}")


def _say(options: argparse.Namespace) -> int:
    kb = Kb(options.kb)
    knowledge = of_kb(kb)
    change = named_change(options.change, knowledge.catalog)
    found = impact([change], knowledge)
    if options.json:
        print(json.dumps([asdict(one) for one in found], ensure_ascii=False))
        return 0
    print(f"{change.change_class}: {change.kind.replace('_', ' ')}: {change.target}")
    for one in found:
        place = f"{one.item.file}:{one.item.line}" if one.item.line else one.item.file
        print(f"  {one.severity:<7} {place} {one.item.path} ({one.item.name}): {one.reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
