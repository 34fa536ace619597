"""How far a database is explained: what is described, measured and verified, and how much used.

Reads the files of a knowledge base, writes none. coverage.json (of `draft`) has the first four
shares; this adds joins, statements and use. docs/reference/coverage.md explains the formula.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from pipeline import artifacts, needs
from pipeline.errors import ArtifactError, SettingError
from pipeline.kb import Kb
from pipeline.lint.joins import unmeasured_places
from pipeline.lint.statements import statements, verified
from pipeline.lint.world import Stale, World, open_world
from schemas import codec
from schemas.models import Coverage, Profile

WEIGHTS: Mapping[str, int] = {
    "tables": 30,
    "columns": 30,
    "codes": 20,
    "units": 5,
    "joins": 10,
    "statements": 5,
}
"""What each part counts in the overall figure; a part of which there is nothing counts nothing."""


@dataclass(frozen=True, slots=True)
class Part:
    """Things of one kind: how many are explained, and the same by use."""

    done: int
    total: int
    by_use: float | None = None
    """Share, 0–1, with each thing weighted by its use; None when there is nothing."""

    @property
    def share(self) -> float | None:
        """Share of things, 0–1; None when there is nothing."""
        return self.done / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Parts:
    """The six parts of coverage."""

    tables: Part
    columns: Part
    codes: Part
    units: Part
    joins: Part
    statements: Part
    overall: float
    """Mean of the shares by use, 0–1, weighted by `WEIGHTS`."""


@dataclass(frozen=True, slots=True)
class DomainParts:
    """The same of one subject area."""

    domain: str
    parts: Parts


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to document next, and why it pays."""

    target: str
    what: str
    """What is missing: a description, meanings of codes, a unit."""
    uses: int
    """Examples, metrics, terms and joins that use it."""


@dataclass(frozen=True, slots=True)
class CoverageReport:
    """What `dblore coverage --json` prints."""

    parts: Parts
    domains: tuple[DomainParts, ...] = ()
    next: tuple[NextStep, ...] = ()
    notes: tuple[str, ...] = ()
    format: Literal["dblore.coverage-report/1"] = "dblore.coverage-report/1"

    @property
    def overall(self) -> float:
        """The overall figure, 0–1."""
        return self.parts.overall


@dataclass(frozen=True, slots=True)
class _Thing:
    """Something that is explained or isn't, in a domain, with its uses."""

    part: str
    domain: str
    done: bool
    uses: int


def measure(kb: Kb, stale: Stale) -> CoverageReport:
    """Measure the coverage of a knowledge base from its files.

    `stale` is what `tasks.stale` says of it.

    Raises:
        ArtifactError: there is no catalog, or a file is damaged.
        SettingError: a file of people can't be read.
    """
    world = open_world(kb, stale, is_whole=True)
    uses = _uses(world)
    profile = world.profile or Profile()
    assessed = needs.assessed(world.catalog, profile, world.semantic, world.references)
    things = [*_described(assessed, uses), *_joins(world), *_statements(world)]
    order = [domain.name for domain in world.semantic.domains]
    domains = {thing.domain for thing in things}
    order += [*sorted(domains - {*order, needs.NO_DOMAIN}), needs.NO_DOMAIN]
    split = bool(domains - {needs.NO_DOMAIN})
    return CoverageReport(
        _parts(things),
        tuple(
            DomainParts(name, _parts([thing for thing in things if thing.domain == name]))
            for name in order
            if split and name in domains
        ),
        _next(assessed, uses),
        tuple(_notes(world)),
    )


def _uses(world: World) -> Counter[tuple[str, str | None]]:
    """Count the examples, metrics, terms and joins that use each table and column."""
    found: Counter[tuple[str, str | None]] = Counter()
    kinds = {"example", "metric", "glossary", "relationship", "relation", "filter"}
    users = {
        (use.item.kind, use.item.keys, use.table, use.column)
        for use in world.references.uses
        if use.item.kind in kinds and use.by != "prose"
    }
    found.update((table, column) for _, _, table, column in users)
    for table in world.catalog.tables:
        for link in table.foreign_keys:
            ends = ((link.table, link.columns), (link.to_table, link.to_columns))
            for name, columns in ends:
                found.update([(name, None), *((name, column) for column in columns)])
    return found


def _described(
    assessed: Sequence[needs.TableNeed], uses: Counter[tuple[str, str | None]]
) -> Iterator[_Thing]:
    for need in assessed:
        name, domain = need.card.name, need.card.domain or needs.NO_DOMAIN
        yield _Thing("tables", domain, need.described, uses[name, None])
        for column in need.columns:
            used = uses[name, column.card.name]
            yield _Thing("columns", domain, column.described, used)
            if column.is_coded:
                yield _Thing("codes", domain, not column.codes_open, used)
            if column.has_unit:
                yield _Thing("units", domain, not column.unit_open, used)


def _joins(world: World) -> Iterator[_Thing]:
    """Yield the joins that people wrote: relationships, and relations of the knowledge graph."""
    open_places = unmeasured_places(world)
    joins = [
        (("relationships", n), "semantic.yaml") for n in range(len(world.semantic.relationships))
    ]
    joins += [
        (("relations", n), "knowledge_graph.yaml")
        for n in range(len(world.graph_document.graph.relations))
    ]
    for place, file in joins:
        domain = _domain_of(world, place, file)
        yield _Thing("joins", domain, (file, place) not in open_places, 0)


def _statements(world: World) -> Iterator[_Thing]:
    ran = verified(world)
    for statement in statements(world):
        place = statement.place[:2]
        domain = _domain_of(world, place, "semantic.yaml")
        yield _Thing("statements", domain, statement.place in ran, 0)


def _domain_of(world: World, place: tuple[str | int, ...], file: str) -> str:
    """Return the domain that all tables of an item are of."""
    found = {
        card.domain
        for name in world.used_by(place, file)
        if (card := world.cards.get(name)) is not None
    }
    only = found.pop() if len(found) == 1 else None
    return only or needs.NO_DOMAIN


def _parts(things: Sequence[_Thing]) -> Parts:
    parts = {name: _part([t for t in things if t.part == name]) for name in WEIGHTS}
    there = {name: part.by_use for name, part in parts.items() if part.by_use is not None}
    whole = sum(WEIGHTS[name] for name in there)
    overall = sum(WEIGHTS[name] * share for name, share in there.items()) / whole if whole else 0.0
    return Parts(**parts, overall=round(overall, 4))


def _part(things: Sequence[_Thing]) -> Part:
    weights = [1 + math.log2(1 + thing.uses) for thing in things]
    done = math.fsum(w for w, thing in zip(weights, things, strict=True) if thing.done)
    return Part(
        sum(thing.done for thing in things),
        len(things),
        round(done / math.fsum(weights), 4) if things else None,
    )


def _next(
    assessed: list[needs.TableNeed], uses: Counter[tuple[str, str | None]]
) -> tuple[NextStep, ...]:
    return tuple(
        NextStep(
            needs.place(need, column),
            _missing(column) if column else "description",
            uses[need.card.name, column.card.name if column else None],
        )
        for need, column in needs.first(assessed)
    )


def _missing(column: needs.ColumnNeed) -> str:
    parts = ["description"] if not column.described else []
    parts += ["meanings of codes"] if column.codes_open else []
    parts += ["unit"] if column.unit_open else []
    return ", ".join(parts)


def _notes(world: World) -> Iterator[str]:
    if world.graph is None:
        yield "graph.json is missing: no join counts as measured"
    if world.validation is None:
        yield "validation.json is missing: no statement counts as verified"
    for stage, reasons in world.stale.items():
        yield f"{stage} is stale: {', '.join(reasons)}"


def data(report: CoverageReport) -> Any:
    """Return the report as JSON data, with the shares worked out."""
    return codec.to_json(report)


def read(path: Path, folder: Path) -> dict[str, float]:
    """Return the shares of an earlier report, or of a coverage.json, by name.

    `folder` is that of the knowledge base.

    Raises:
        SettingError: the file can't be read, or is neither.
    """
    fix = f"write it anew: dblore coverage --kb {folder} --json > {path}"
    try:
        found = artifacts.read_json(path)
    except ArtifactError as error:
        raise SettingError(error.problem, fix=fix) from error
    kind = found.get("format") if isinstance(found, dict) else None
    try:
        if kind == codec.format_of(CoverageReport):
            return _shares(codec.from_json(CoverageReport, found))
        if kind == codec.format_of(Coverage):
            earlier = codec.from_json(Coverage, found)
            return {
                name: share.done / share.total
                for name in ("tables", "columns", "codes", "units")
                if (share := getattr(earlier, name)).total
            }
    except ValueError as error:
        raise SettingError(f"{path} is damaged: {error}", fix=fix) from error
    raise SettingError(f"{path} is no coverage report", fix=fix)


def fallen(report: CoverageReport, earlier: Mapping[str, float]) -> list[str]:
    """Return a line per share that is lower than it was."""
    now = _shares(report)
    return [
        f"{name} fell from {100 * before:.1f} % to {100 * now[name]:.1f} %"
        for name, before in earlier.items()
        if name in now and now[name] < before - 1e-9
    ]


def _shares(report: CoverageReport) -> dict[str, float]:
    found = dict(_named(report.parts, ""))
    for domain in report.domains:
        found |= dict(_named(domain.parts, f"{domain.domain}: "))
    return found


def _named(parts: Parts, before: str) -> Iterator[tuple[str, float]]:
    for name in WEIGHTS:
        share = getattr(parts, name).share
        if share is not None:
            yield before + name, share
    yield f"{before}overall", parts.overall


def lines(report: CoverageReport) -> Iterator[str]:
    """Yield the report for people."""
    heads = ("", *WEIGHTS, "overall")
    rows = [_row(domain.domain, domain.parts) for domain in report.domains]
    rows.append(_row("all", report.parts))
    yield from _table([heads, *rows])
    if report.next:
        yield ""
        yield "it pays most to document:"
        for step in report.next:
            used = f"  (used {step.uses} times)" if step.uses > 1 else ""
            yield f"  {step.target}: {step.what}{used}"


def _row(name: str, parts: Parts) -> tuple[str, ...]:
    shown = [_shown(getattr(parts, field.name)) for field in fields(parts)[:-1]]
    return (name, *shown, f"{100 * parts.overall:.1f} %")


def _shown(part: Part) -> str:
    if part.share is None:
        return "–"
    return f"{part.done}/{part.total} {math.floor(100 * part.share)} %"


def _table(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    rows = list(rows)
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)),
        ]
        yield "  ".join(cells).rstrip()
