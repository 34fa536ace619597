"""Links as one table sees them: which end it is, how many rows meet, and how that is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pipeline import joins
from pipeline.cards import TableCard
from pipeline.text import label, thousands
from schemas.models import Cardinality, Evidence, Link, Table


@dataclass(frozen=True, slots=True)
class Tie:
    """One end of a link."""

    table: Table
    link: Link
    outward: bool
    """`table` holds the referring columns."""
    cardinality: Cardinality
    """Read from `table` to the other."""

    @property
    def other(self) -> str:
        """Name of the table at the other end."""
        return self.link.to_table if self.outward else self.link.table

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of this end."""
        return self.link.columns if self.outward else self.link.to_columns

    @property
    def role(self) -> str:
        """What the other end is to this one, for people."""
        if self.link.label:
            return self.link.label
        own = self.other.rpartition("__")[2]  # without a prefix such as `Sales__`
        return f"{label(own)} ({', '.join(self.link.columns)})"

    def on(self, quote: Callable[[str], str], here: str, there: str) -> str:
        """Return the ON condition; `here` and `there` are the tables' names in the statement."""
        return joins.on_clause(self.link, quote, (here, there) if self.outward else (there, here))


def ties(card: TableCard, tables: dict[str, Table]) -> tuple[Tie, ...]:
    """Return the ends of all links of a table that may be joined, outward first, no join twice.

    Links to tables that are not in `tables` (hidden, out of scope) are left out.
    """
    found: list[Tie] = []
    seen: set[object] = set()
    for link in card.links:
        if not joins.is_usable(link) or {link.table, link.to_table} - tables.keys():
            continue
        if same_join(link) in seen:
            continue
        seen.add(same_join(link))
        cardinality = cardinality_of(link, tables)
        if link.table == card.name:
            found.append(Tie(card.table, link, outward=True, cardinality=cardinality))
        if link.to_table == card.name:
            reverse = joins.reversed_(cardinality)
            found.append(Tie(card.table, link, outward=False, cardinality=reverse))
    return tuple(sorted(found, key=_order))


def _order(tie: Tie) -> tuple[bool, bool, int, str]:
    """Sort outward before inward, known before inferred, then as the columns stand."""
    names = [column.name for column in tie.table.columns]
    first = names.index(tie.columns[0]) if tie.columns[0] in names else len(names)
    return (not tie.outward, tie.link.origin == "inferred", first, tie.other)


def same_join(link: Link) -> object:
    """Return what two links share when they are one join, written from either end."""
    pairs = zip(link.columns, link.to_columns, strict=True)
    ends = frozenset(
        frozenset({(link.table, here), (link.to_table, there)}) for here, there in pairs
    )
    return ends, link.condition or ""


def cardinality_of(link: Link, tables: dict[str, Table]) -> Cardinality:
    """Return a link's measured cardinality, or else what the keys of its tables allow."""
    if link.evidence is not None and link.evidence.cardinality is not None:
        return link.evidence.cardinality
    one_here = tables[link.table].has_key(link.columns)
    one_there = tables[link.to_table].has_key(link.to_columns) or link.origin == "declared"
    if one_here:
        return "one_to_one" if one_there else "one_to_many"
    return "many_to_one" if one_there else "many_to_many"


def is_optional(table: Table, columns: tuple[str, ...]) -> bool:
    """Whether a row may refer to nothing."""
    key = table.primary_key.columns if table.primary_key else ()
    found = [table.column(name) for name in columns]
    return any(c is not None and c.nullable and c.name not in key for c in found)


def percent(share: float) -> str:
    """Return a share for people; only all is `100 %` and only none `0 %`."""
    if share in (0.0, 1.0):
        return f"{share:.0%}".replace("%", " %")
    for digits in (0, 1, 2):
        shown = f"{100 * share:.{digits}f}"
        if 0.0 < float(shown) < 100.0:
            return f"{shown} %"
    return "< 0.01 %" if share < 0.5 else "> 99.99 %"


def counted(number: int, noun: str) -> str:
    """Return a number and its noun: `1 row`, `2,000 rows`."""
    return f"{thousands(number)} {noun}{'' if number == 1 else 's'}"


def evidence_text(link: Link) -> str:
    """Return what was measured of a link, in words; '' when nothing was."""
    if link.evidence is None:
        return ""
    return "; ".join([*_match_text(link.evidence), *link.evidence.reasons])


def _match_text(evidence: Evidence) -> list[str]:
    parts: list[str] = []
    if evidence.matched_share is not None:
        of = "references" if evidence.rows is None else counted(evidence.rows, "reference")
        sampled = " (sampled)" if evidence.method == "sample" else ""
        parts.append(f"{percent(evidence.matched_share)} of {of} match{sampled}")
    if evidence.orphans:
        parts.append(f"{thousands(evidence.orphans)} find none")
    if evidence.null_share:
        parts.append(f"null in {percent(evidence.null_share)} of rows")
    if evidence.covered_share is not None and evidence.covered_share < 1:
        parts.append(f"{percent(evidence.covered_share)} of the other side are referred to")
    if evidence.confidence is not None:
        parts.append(f"confidence {percent(evidence.confidence)}")
    return parts
