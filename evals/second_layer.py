"""Which layer below the guard stops what: statements that must be refused, run without the guard.

    python -m evals.second_layer [--refuse FILE…] [--dialect NAME] [--json]

A corpus is a YAML list of items (without FILE: second_layer.yaml beside this module). Those with
`verified: true` and `second_layer` are run, first with no layer at all, so that it is known that
their effect shows here, then with each layer that is named. Layers that stand for dblore's own
sessions run in those, and may stop more than the item says; the others are set up by themselves
and must do just what it says.

The statements do what they say: give it only corpora that you trust. They run against files and
servers which the eval makes for itself and destroys; it takes no URL.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evals import throwaway
from evals.layers.bench import Bench, Item
from evals.layers.marks import Marks
from evals.layers.observe import Seen, observed
from evals.yaml_files import read_yaml

OWN = Path(__file__).with_suffix(".yaml")
_STRICTNESS = {"stopped": 0, "no_effect": 1, "not_stopped": 2}
_IN_SESSION = re.compile(r"\s+in the same session\s*$")


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a layer did with a statement, against what the corpus says of it."""

    id: str
    dialect: str
    layer: str
    said: str
    found: str
    judgement: str
    """same, stricter, less, or other (a layer by itself that isn't as the corpus says)."""
    effects: tuple[str, ...]
    error: str | None
    sql: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A statement, or one layer of it, that wasn't judged."""

    id: str
    why: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return 0 when every layer does what the corpora say, else 1."""
    options = _options(arguments)
    items = [i for i in read_items(options.refuse) if options.dialect in (None, i.dialect)]
    verdicts: list[Verdict] = []
    skipped: list[Skipped] = []
    with throwaway.workspace() as folder:
        for found in judge(items, folder):
            if isinstance(found, Skipped):
                skipped.append(found)
            else:
                verdicts.append(found)
    result = summary(verdicts, skipped)
    if options.json:
        print(json.dumps(result, ensure_ascii=False, indent=1))
    else:
        _print(result)
    return 1 if result["disagree"] or not verdicts else 0


def read_items(files: Sequence[Path]) -> list[Item]:
    """Return the items of the corpora whose effect was seen."""
    found: list[Item] = []
    for file in files:
        for raw in read_yaml(file):
            if raw.get("verified") and raw.get("second_layer"):
                setup, first = read_setup(raw.get("setup", ""))
                found.append(
                    Item(
                        id=raw["id"],
                        dialect=raw["dialect"],
                        sql=raw["sql"],
                        effect=raw["effect"],
                        layers=raw["second_layer"],
                        setup=setup,
                        first=first,
                        is_seen_when_open=bool(raw.get("observed", True)),
                    )
                )
    return found


def judge(items: Sequence[Item], folder: Path) -> Iterator[Verdict | Skipped]:
    """Run items on throw-away databases in `folder` and say how each layer did."""
    for dialect in dict.fromkeys(item.dialect for item in items):
        own = [item for item in items if item.dialect == dialect]
        place = folder / dialect
        place.mkdir()
        try:
            with _bench(dialect, place) as bench:
                for item in own:
                    yield from judge_item(bench, item)
        except throwaway.AbsentError as error:
            yield from (Skipped(item.id, str(error)) for item in own)


def judge_item(bench: Bench, item: Item) -> Iterator[Verdict | Skipped]:
    """Run an item with no layer and then with each of its layers."""
    opened = _opened(bench, item)
    if item.is_seen_when_open and not opened.effects:
        yield Skipped(item.id, f"with no layer it has no effect here: {opened.error}")
        return
    for layer, said in item.layers.items():
        if layer not in bench.ours | bench.plain:
            yield Skipped(item.id, f"the layer {layer} isn't known")
            continue
        seen = observed(bench, layer, item, opened.effects)
        yield Verdict(
            item.id, item.dialect, layer, said, seen.outcome,
            judgement(said, seen.outcome, is_ours=layer in bench.ours),
            tuple(sorted(seen.effects)), seen.error, item.sql,
        )  # fmt: skip


def judgement(said: str, found: str, *, is_ours: bool) -> str:
    """Compare what a layer did with what is said of it."""
    if said == found:
        return "same"
    if not is_ours:
        return "other"
    return "stricter" if _STRICTNESS[found] < _STRICTNESS[said] else "less"


def summary(verdicts: Sequence[Verdict], skipped: Sequence[Skipped]) -> dict[str, Any]:
    """Return the figures, by layer."""
    layers: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        name = f"{verdict.dialect} {verdict.layer}"
        layers.setdefault(name, Counter())[verdict.judgement] += 1
    return {
        "layers": {name: {"total": counts.total(), **counts} for name, counts in layers.items()},
        "disagree": [asdict(v) for v in verdicts if v.judgement in ("less", "other")],
        "stricter": [asdict(v) for v in verdicts if v.judgement == "stricter"],
        "skipped": [asdict(s) for s in skipped],
    }


def _opened(bench: Bench, item: Item) -> Seen:
    """Run an item with no layer, in each way until its effect shows."""
    seen = Seen(frozenset(), None)
    for way in bench.unguarded:
        seen = observed(bench, way, item, None)
        if seen.effects:
            break
    return seen


@contextmanager
def _bench(dialect: str, folder: Path) -> Iterator[Bench]:
    """Make the bench of a dialect; its engine is imported only here."""
    with ExitStack() as stack:
        marks = Marks(folder)
        stack.callback(marks.close)
        bench = _BENCHES[dialect](marks, folder, stack) if dialect in _BENCHES else None
        if bench is None:
            raise throwaway.AbsentError(f"there is no bench for {dialect}")
        stack.callback(bench.close)
        yield bench


def _sqlite(marks: Marks, _folder: Path, _stack: ExitStack) -> Bench:
    from evals.layers.sqlite import SqliteBench

    return SqliteBench(marks)


def _duckdb(marks: Marks, _folder: Path, _stack: ExitStack) -> Bench:
    try:
        from evals.layers.duckdb import DuckBench
    except ModuleNotFoundError as error:
        raise throwaway.AbsentError(f"{error.name} isn't installed") from error
    return DuckBench(marks)


def _postgres(marks: Marks, folder: Path, stack: ExitStack) -> Bench:
    server = stack.enter_context(throwaway.postgres(folder))
    from evals.layers.postgres import PostgresBench

    return PostgresBench(marks, server)


def _mysql(marks: Marks, folder: Path, stack: ExitStack) -> Bench:
    server = stack.enter_context(throwaway.mariadb(folder))
    from evals.layers.mysql import MysqlBench

    return MysqlBench(marks, server)


_BENCHES: Mapping[str, Callable[[Marks, Path, ExitStack], Bench]] = {
    "sqlite": _sqlite,
    "duckdb": _duckdb,
    "postgres": _postgres,
    "mysql": _mysql,
}


def read_setup(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the statements that must have run before, and those of the session of the item.

    The text is `statement; statement; then statement in the same session`.
    """
    setup: list[str] = []
    first: list[str] = []
    for part in text.split(";"):
        statement, count = _IN_SESSION.subn("", part.strip().removeprefix("then "))
        if statement:
            (first if count else setup).append(statement)
    return tuple(setup), tuple(first)


def _print(result: Mapping[str, Any]) -> None:
    for name, counts in result["layers"].items():
        rest = {kind: count for kind, count in counts.items() if kind != "total"}
        print(f"{name}: {counts['total']} items, " + ", ".join(f"{n} {k}" for k, n in rest.items()))
    for verdict in result["disagree"]:
        print(
            f"DISAGREE {verdict['id']} {verdict['layer']}: said {verdict['said']}, found "
            f"{verdict['found']} ({', '.join(verdict['effects'])}; {verdict['error']}): "
            f"{verdict['sql']}"
        )
    for skipped in result["skipped"]:
        print(f"skipped {skipped['id']}: {skipped['why']}")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals.second_layer",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--refuse", nargs="+", type=Path, default=[OWN], metavar="FILE")
    parser.add_argument("--dialect", help="run only items of this dialect")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
