"""Which assertion each difficulty of a manifest has, and what came of all."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from evals.nasty import contents, structure
from evals.nasty.listing import Listing, Target
from evals.nasty.world import World

Check = Callable[[World, Sequence[Target], str], Iterable[str]]

CHECKS: Mapping[str, Check] = {
    "reserved words": structure.round_trips,
    "odd identifiers": structure.round_trips,
    "long names": structure.round_trips,
    "names differing only in case": structure.twins,
    "composite PK and FK": structure.composite,
    "self FK": structure.self_reference,
    "circular FK": structure.circular,
    "no PK": structure.no_key,
    "FK to missing table/column": structure.dangling,
    "FK without column list": structure.implicit,
    "orphans": structure.orphans,
    "FK to unique non-PK": structure.to_unique,
    "two FKs to one table": structure.two_ways,
    "same FK twice": structure.twice,
    "polymorphic reference": contents.polymorphic,
    "undeclared FK": contents.undeclared,
    "300 columns": structure.whole,
    "empty / one row / null only": contents.counted,
    "blobs": contents.blobs,
    "invalid UTF-8": contents.readable,
    "legacy charset": contents.decoded,
    "typeless / mixed storage": contents.storage,
    "numbers, dates, flags as text or integers": contents.formats,
    "enums, sets, domains, composites, arrays, ranges, json": contents.listed,
    "dates Python cannot hold": contents.readable,
    "generated columns": structure.generated,
    "hidden / invisible column": structure.hidden,
    "views on views": structure.views,
    "materialized view": structure.materialized,
    "partitions and inheritance": structure.partitions,
    "broken views": contents.unread,
    "endless or slow views": contents.slow,
    "duplicate column names in a view": contents.distinct_names,
    "virtual and shadow tables": structure.shadows,
    "WITHOUT ROWID / STRICT": structure.traits,
    "system tables": structure.left_out,
    "module missing": contents.unread,
    "personal columns": contents.personal,
    "look-alikes": contents.harmless,
    "personal values under dull names": contents.personal,
    "hostile text and comments": contents.hostile,
    "huge value": contents.cut,
    "rights": contents.rights,
    "several schemas": structure.schemas,
    "comments in DDL": contents.commented,
    "engine kinds": structure.traits,
}
"""By the difficulty's name; of others, each object must be accounted for."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a manifest."""

    difficulty: str
    objects: tuple[str, ...]
    engines: str = "all"
    expect: str = ""

    def targets(self, held: Listing) -> list[Target]:
        """Return those of its objects that a database holds; none on an engine it isn't for."""
        is_for_all = re.search(r"\b(all|per engine)\b", self.engines)
        if not is_for_all and not re.search(rf"\b{held.engine}\b", self.engines):
            return []
        found = [target for name in self.objects if (target := held.find(name))]
        if self.difficulty == "rights":
            return [target for target in found if target.table in held.forbidden]
        return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one entry."""

    difficulty: str
    status: Literal["passed", "failed", "not applicable"]
    problems: tuple[str, ...] = ()


def read_manifest(path: Path) -> list[Entry]:
    """Return the entries of a manifest: a list of `{difficulty, objects, engines, expect}`."""
    items: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [Entry(**{**item, "objects": tuple(item["objects"])}) for item in items]


def judge(world: World, entry: Entry) -> Outcome:
    """Return whether a knowledge base shows what an entry asks for."""
    targets = entry.targets(world.listing)
    if not targets:
        return Outcome(entry.difficulty, "not applicable")
    check = CHECKS.get(entry.difficulty, contents.accounted)
    try:
        return outcome(entry.difficulty, check(world, targets, entry.expect))
    except LookupError as error:
        return Outcome(entry.difficulty, "failed", (str(error),))


def outcome(difficulty: str, problems: Iterable[str]) -> Outcome:
    """Return what came of an assertion that found these problems."""
    found = tuple(dict.fromkeys(problems))
    return Outcome(difficulty, "failed" if found else "passed", found)


def as_json(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Return outcomes as JSON values."""
    return [asdict(outcome) for outcome in outcomes]
