"""How much of a column's values is found in a key: one query per candidate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pipeline.database.connect import Database
from pipeline.profile.candidates import Candidate
from schemas.facts import Evidence


@dataclass(frozen=True, slots=True)
class Containment:
    """What was counted."""

    rows: int
    """References: rows without a null."""
    matched: int
    """Of them, those that find a row."""
    distinct: int
    matched_distinct: int
    most: int
    """Rows of the most frequent value."""
    method: Literal["full", "sample"]

    @property
    def matched_share(self) -> float:
        """Share of references that find a row."""
        return self.matched / self.rows if self.rows else 0.0

    def covered(self, to_distinct: int | None) -> float | None:
        """Return the share of the key's values that are referred to."""
        return min(1.0, self.matched_distinct / to_distinct) if to_distinct else None

    def evidence(self, *, to_distinct: int | None, null_share: float | None) -> Evidence:
        """Return it as an artifact tells it; shares are rounded to six digits."""
        covered = self.covered(to_distinct)
        return Evidence(
            method=self.method,
            rows=self.rows,
            matched_share=round(self.matched_share, 6),
            orphans=self.rows - self.matched,
            distinct=self.distinct,
            to_distinct=to_distinct,
            covered_share=None if covered is None else round(covered, 6),
            null_share=None if null_share is None else round(null_share, 6),
            cardinality="one_to_one" if self.most <= 1 else "many_to_one",
        )


def contained(
    database: Database,
    candidate: Candidate,
    *,
    where: str = "",
    rows: int | None = None,
    timeout_seconds: float,
) -> Containment:
    """Count how many references of a candidate find a row.

    Args:
        database: to ask.
        candidate: whose key is unique, so that the join multiplies nothing.
        where: SQL that rows must satisfy too.
        rows: look at so many rows at most.
        timeout_seconds: give up then.

    Raises:
        QueryError: the query failed or took too long.
    """
    column, key = database.quote(candidate.column.name), database.quote(candidate.key.name)
    source, target = database.table(candidate.table), database.table(candidate.target)
    condition = f"{column} IS NOT NULL" + (f" AND {where}" if where else "")
    if rows is not None:
        source = f"(SELECT * FROM {source} LIMIT {int(rows)}) AS part"
    found = database.fetch(
        f"SELECT COUNT(*), SUM(g.n), COUNT(k.{key}),"
        f" SUM(CASE WHEN k.{key} IS NULL THEN 0 ELSE g.n END), MAX(g.n)"
        f" FROM (SELECT {column} AS v, COUNT(*) AS n FROM {source}"
        f" WHERE {condition} GROUP BY {column}) AS g"
        f" LEFT JOIN {target} AS k ON k.{key} = g.v",
        timeout_seconds=timeout_seconds,
    )[0]
    distinct, total, matched_distinct, matched, most = (int(value or 0) for value in found)
    return Containment(
        total, matched, distinct, matched_distinct, most, "full" if rows is None else "sample"
    )
