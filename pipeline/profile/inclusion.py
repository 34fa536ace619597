"""Undeclared joins: which columns refer to which keys, told by names and proved by data.

Surrogate ids that all run 1…n are contained in each other, so containment alone proves nothing:
names must agree first (`naming`), then every candidate is measured (`meter`), and what isn't
measured isn't offered. Of several keys that hold all of a column's values the nearest (smallest)
one is meant (`judging`). What confidence means is told in docs/explanation/inferred-joins.md.

Method after Bauckmann, Leser & Naumann, "Efficient and exact computation of inclusion dependencies
for data integration" (2010) and Rostin et al., "A machine learning approach to foreign key
discovery" (WebDB 2009): its features coverage, name and out-of-range values are used here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.database.connect import Database
from pipeline.profile import composite, judging, polymorphic, stored_text
from pipeline.profile.candidates import Candidates
from pipeline.profile.composite import CompositeCandidate
from pipeline.profile.containment import Containment
from pipeline.profile.judging import Measured
from pipeline.profile.meter import Meter
from pipeline.profile.ranges import with_hidden_ranges
from schemas.facts import Catalog, Link, Table, TableProfile

TOTAL_SECONDS = 60.0
_BY_MEASUREMENT = "the key is unique by measurement, not by declaration"


@dataclass(frozen=True, slots=True)
class Inferred:
    """Joins, and what a reader should know about the search."""

    links: tuple[Link, ...]
    notes: tuple[str, ...] = ()


def infer(
    database: Database,
    catalog: Catalog,
    profiles: Mapping[str, TableProfile],
    *,
    rows: int | None = None,
    seconds: float = TOTAL_SECONDS,
) -> Inferred:
    """Return undeclared joins of a database, measured, in catalogue order.

    Args:
        database: to measure in.
        catalog: its tables; columns under a declared key of their own are left alone.
        profiles: of its tables, by name; they save most measurements.
        rows: read at most so many references of a table.
        seconds: start no measurement after that time.
    """
    catalog = stored_text.as_read(catalog, profiles)
    known = with_hidden_ranges(database, catalog, profiles)
    candidates = Candidates(catalog, known, database.quote)
    meter = Meter(database, rows=rows, seconds=seconds)
    branches = polymorphic.infer(candidates, meter.measure)
    taken = {(link.table, link.columns[0]) for link in branches}
    singles = [_link(m, profiles) for m in _singles(candidates, meter, taken)]
    several = [
        _composite_link(found, data, profiles)
        for found, data in composite.infer(candidates, meter.of, meter.is_unique)
    ]
    links = [*branches, *(link for link in singles if not _is_part(link, several)), *several]
    order = {table.name: position for position, table in enumerate(catalog.tables)}
    links.sort(key=lambda link: (order[link.table], link.key))
    return Inferred(tuple(links), meter.notes())


def _is_part(link: Link, several: Sequence[Link]) -> bool:
    """Return whether a join is told by another already, of a key that holds its own."""
    pair = (link.columns[0], link.to_columns[0])
    return any(
        (other.table, other.to_table) == (link.table, link.to_table)
        and pair in zip(other.columns, other.to_columns, strict=True)
        for other in several
    )


def _singles(candidates: Candidates, meter: Meter, taken: set[tuple[str, str]]) -> list[Measured]:
    """Return the best join of every column that has one and isn't `taken`."""
    chosen = []
    for place, found in candidates.by_column().items():
        if place in taken:
            continue
        measured: list[Measured] = []
        for candidate in found:
            if judging.is_beaten(candidate, measured) or not candidates.may_hold(candidate):
                continue
            data = meter.measure(candidate)
            worth = judging.judged(candidate, data) if data is not None else None
            if worth is not None:
                measured.append(worth)
        measured = [m for m in measured if not m.has_no_root or _is_rooted(m, measured, meter)]
        best = judging.best(measured, candidates)
        if best is not None:
            chosen.append(best)
    return chosen


def _is_rooted(found: Measured, others: list[Measured], meter: Meter) -> bool:
    """Return whether rows that all have one above them in their own table may be meant."""
    return len(others) == 1 and meter.has_loop(found.candidate.pair)


def _link(best: Measured, profiles: Mapping[str, TableProfile]) -> Link:
    candidate = best.candidate
    evidence = best.data.evidence(
        to_distinct=_known_distinct(candidate.target, candidate.key_profile.distinct, profiles),
        null_share=_null_share(candidate.table, candidate.column_profile.nulls, profiles),
        is_key=candidate.table.has_key((candidate.column.name,)),
    )
    return Link(
        candidate.table.name,
        (candidate.column.name,),
        candidate.target.name,
        (candidate.key.name,),
        origin="inferred",
        label=" ".join(candidate.match.role) or None,
        evidence=replace(evidence, confidence=best.confidence, reasons=_reasons(best)),
    )


def _composite_link(
    candidate: CompositeCandidate, data: Containment, profiles: Mapping[str, TableProfile]
) -> Link:
    pair, is_declared = candidate.pair, candidate.key.is_declared
    evidence = data.evidence(
        to_distinct=_known_distinct(pair.target, profiles[pair.target.name].rows, profiles),
        null_share=None,
        is_key=pair.table.has_key([column.name for column in pair.columns]),
    )
    reasons = ("together the columns bear the names of a key", data.found())
    return Link(
        pair.table.name,
        tuple(column.name for column in pair.columns),
        pair.target.name,
        tuple(key.name for key in pair.keys),
        origin="inferred",
        label=" ".join(candidate.role) or None,
        evidence=replace(
            evidence,
            confidence=judging.confidence(candidate.strength, data, is_declared=is_declared),
            reasons=reasons if is_declared else (*reasons, _BY_MEASUREMENT),
        ),
    )


def _null_share(
    table: Table, nulls: int | None, profiles: Mapping[str, TableProfile]
) -> float | None:
    found = profiles[table.name]
    read = found.sample.rows if found.sample is not None else found.rows
    return nulls / read if nulls is not None and read else None


def _known_distinct(
    table: Table, distinct: int | None, profiles: Mapping[str, TableProfile]
) -> int | None:
    """Return a key's number of values unless it is but an estimate."""
    found = profiles[table.name]
    return None if found.rows_estimated else distinct


def _reasons(best: Measured) -> tuple[str, ...]:
    candidate = best.candidate
    found = [candidate.match.reason, best.data.found()]
    if best.data.blank:
        found.append(f"{candidate.blank!r} stands for no row in {best.data.blank:,} others")
    if not candidate.key_is_declared:
        found.append(_BY_MEASUREMENT)
    return tuple(found)
