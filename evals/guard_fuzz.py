"""Does the guard also refuse what it refuses when it is written in another way?

    python -m evals.guard_fuzz --refuse FILE… [--allow FILE…] [--dialect NAME] [--examples N]
                               [--seed N] [--json]

Each refused statement is changed by one to four mutations that keep its meaning; a mutant that
passes is a find, shrunk to the fewest changes; what an engine does with it tells a hole from a
mutant that lost its meaning. Statements of `--allow` must pass in other spellings, too. Broken text
must be refused or pass within two seconds, without any other error.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, NoSuchExample

from evals.guard import refusal
from evals.guard_effect import effects
from evals.guard_mutations import HARMLESS, SPELLINGS
from evals.guard_tokens import read
from evals.guard_wrappings import WRAPPINGS
from evals.yaml_files import read_yaml

MUTATIONS = WRAPPINGS | SPELLINGS
MOST_CHANGES = 4
SLOWEST = 2.0
"""Seconds of the processor that a judgement may take."""

MOST_FINDS = 12
"""Per dialect and kind; what comes after is most often the same hole again."""


@dataclass(frozen=True, slots=True)
class Seed:
    """A statement that the guard judges rightly as it is."""

    id: str
    dialect: str
    sql: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """A seed, how it was changed, and what came out."""

    seed: Seed
    changes: tuple[str, ...]
    sql: str


@dataclass(slots=True)
class Tally:
    """What was found in one dialect."""

    examples: int = 0
    changes: dict[str, int] = field(default_factory=dict)
    """How often each mutation was tried."""

    finds: list[dict[str, Any]] = field(default_factory=list)
    slowest: float = 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz; return 0 when nothing was found, else 1."""
    options = _options(arguments)
    started = time.monotonic()
    refused = [s for s in seeds(options.refuse) if refusal(s.sql, s.dialect) is not None]
    allowed = [s for s in seeds(options.allow) if refusal(s.sql, s.dialect) is None]
    tallies: dict[str, Tally] = {}
    for kind, strategy, wrong, all_seeds in (
        ("refuse", mutants, passes, refused),
        ("allow", harmless_mutants, is_refused, allowed),
        ("broken", broken, breaks, refused + allowed),
    ):
        for dialect in sorted({s.dialect for s in all_seeds}):
            if options.dialect in (None, dialect):
                own = [s for s in all_seeds if s.dialect == dialect]
                tally = hunt(strategy(own), wrong, options.examples, options.seed)
                if kind == "refuse" and tally.finds:
                    _note_effects(dialect, tally)
                tallies[f"{kind} {dialect}"] = tally
                if not options.json:
                    _print(f"{kind} {dialect}", tally)
    finds = sum(len(t.finds) for t in tallies.values())
    examples = sum(t.examples for t in tallies.values())
    seconds = round(time.monotonic() - started, 1)
    if options.json:
        report = {name: asdict(tally) for name, tally in tallies.items()}
        print(json.dumps({"examples": examples, "seconds": seconds, "by": report}, indent=1))
    else:
        print(f"{examples:,} examples, {finds} finds, {seconds} s")
    return 1 if finds else 0


def seeds(files: Sequence[Path]) -> list[Seed]:
    """Return the statements of corpora."""
    return [
        Seed(str(item["id"]), item["dialect"], item["sql"])
        for file in files
        for item in read_yaml(file)
    ]


@st.composite
def mutants(
    draw: Any, of: Sequence[Seed], names: Sequence[str] = tuple(MUTATIONS), most: int = MOST_CHANGES
) -> Mutant:
    """Draw a seed with one to `most` changes."""

    def pick(some: Sequence[Any]) -> Any:
        return some[draw(st.integers(0, len(some) - 1))]

    seed = pick(of)
    sql, changes = seed.sql, []
    for _ in range(draw(st.integers(1, most))):
        name = pick(names)
        text = read(sql, seed.dialect)
        changed = text and MUTATIONS[name](text, pick)
        if changed and changed != sql:
            sql = changed
            changes.append(name)
    return Mutant(seed, tuple(changes), sql)


def harmless_mutants(of: Sequence[Seed]) -> st.SearchStrategy[Mutant]:
    """Draw a seed in another spelling."""
    return mutants(of, HARMLESS, 2)


@st.composite
def broken(draw: Any, of: Sequence[Seed]) -> Mutant:
    """Draw text that is hardly SQL: cut, doubled, swapped or thrown together."""
    seed, other = (draw(st.sampled_from(list(of))) for _ in range(2))
    kind = draw(st.sampled_from(["cut", "doubled", "spliced", "repeated", "soup"]))
    start, end = sorted(draw(st.integers(0, len(seed.sql))) for _ in range(2))
    piece = seed.sql[start:end]
    if kind == "cut":
        sql = seed.sql[:start] + seed.sql[end:]
    elif kind == "doubled":
        sql = seed.sql[:end] + piece + seed.sql[end:]
    elif kind == "spliced":
        sql = seed.sql[:start] + other.sql[draw(st.integers(0, len(other.sql))) :]
    elif kind == "repeated":
        sql = seed.sql[:start] + piece * draw(st.integers(2, 400)) + seed.sql[end:]
    else:
        pool = sorted({word for s in of for word in _pieces(s)})
        glue = draw(st.sampled_from([" ", "", "\n", "("]))
        sql = glue.join(draw(st.lists(st.sampled_from(pool), max_size=25)))
    return Mutant(seed, (kind,), sql)


def passes(mutant: Mutant) -> str | None:
    """Return what is wrong when the guard lets it pass."""
    if not mutant.changes or refusal(mutant.sql, mutant.seed.dialect) is not None:
        return None
    return "passes"


def is_refused(mutant: Mutant) -> str | None:
    """Return the refusal, which is wrong."""
    return refusal(mutant.sql, mutant.seed.dialect)


def breaks(mutant: Mutant) -> str | None:
    """Return what goes wrong while it is judged: an error that isn't a refusal, or time."""
    started = time.thread_time()  # of the processor, so that a busy machine makes no finds
    try:
        refusal(mutant.sql, mutant.seed.dialect)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the find
        return f"{type(error).__name__}: {error}"[:200]
    seconds = time.thread_time() - started
    return f"{seconds:.1f} s" if seconds > SLOWEST else None


def hunt(
    strategy: st.SearchStrategy[Mutant],
    wrong: Callable[[Mutant], str | None],
    examples: int,
    seed: int,
) -> Tally:
    """Judge `examples` mutants; each different find is shrunk and noted once."""
    tally = Tally()
    known: set[tuple[str, ...]] = set()

    def is_find(mutant: Mutant) -> bool:
        tally.examples += 1
        for change in mutant.changes:
            tally.changes[change] = tally.changes.get(change, 0) + 1
        started = time.thread_time()
        found = wrong(mutant)
        tally.slowest = max(tally.slowest, time.thread_time() - started)
        return found is not None and (mutant.seed.id, *sorted(set(mutant.changes))) not in known

    while tally.examples < examples and len(tally.finds) < MOST_FINDS:
        budget = settings(
            max_examples=examples - tally.examples,
            database=None,
            deadline=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        try:
            mutant = find(strategy, is_find, settings=budget, random=Random(seed + tally.examples))
        except NoSuchExample:
            break
        except Flaky:  # a matter of time, and not slow when it was tried again
            continue
        known.add((mutant.seed.id, *sorted(set(mutant.changes))))
        tally.finds.append(
            {"seed": mutant.seed.id, "changes": mutant.changes, "sql": mutant.sql}
            | {"was": mutant.seed.sql, "wrong": wrong(mutant)}
        )
    return tally


def _note_effects(dialect: str, tally: Tally) -> None:
    """Add to each find what an engine does with the mutant, and with its seed."""
    mutated = effects(dialect, [item["sql"] for item in tally.finds])
    original = effects(dialect, [item["was"] for item in tally.finds])
    for item, now, was in zip(tally.finds, mutated, original, strict=True):
        item["engine"], item["engine_of_seed"] = now, was


def _pieces(seed: Seed) -> list[str]:
    text = read(seed.sql, seed.dialect)
    return [token.raw for token in text.tokens] if text else []


def _print(name: str, tally: Tally) -> None:
    print(f"{name}: {tally.examples:,} examples, slowest {tally.slowest:.2f} s")
    for item in tally.finds:
        print(f"  FIND {item['seed']} ({', '.join(item['changes'])}): {item['wrong']}")
        for which, effect in (("was", "engine_of_seed"), ("sql", "engine")):
            print(f"    {which}: {item[which]!r}\n      {item.get(effect, '')}")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.guard_fuzz", description=__doc__)
    parser.add_argument("--refuse", nargs="+", type=Path, default=[], metavar="FILE")
    parser.add_argument("--allow", nargs="+", type=Path, default=[], metavar="FILE")
    parser.add_argument("--dialect", help="fuzz only statements of this dialect")
    parser.add_argument("--examples", type=int, default=2000, help="per dialect and kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
