"""What `dblore test` found: one result for each golden question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["passed", "failed", "skipped"]
GoldenCheckName = Literal["tables", "joins", "sql", "execution"]


@dataclass(frozen=True, slots=True)
class GoldenCheck:
    """One thing that was looked at for one question."""

    name: GoldenCheckName
    """`tables`, `joins`: the context shows them; `sql`: the question's own statement runs and gives
    what is pinned; `execution`: an answer gives the same."""
    verdict: Verdict
    detail: str = ""
    """Why it failed or was skipped."""


@dataclass(frozen=True, slots=True)
class GoldenResult:
    """What came of one question."""

    id: str
    question: str
    verdict: Verdict
    """Failed when one check did, skipped when all were."""
    checks: tuple[GoldenCheck, ...] = ()
    needs: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    tables: tuple[str, ...] = ()
    """Needed."""
    shown: tuple[str, ...] = ()
    """Of the context, best first."""
    missing: tuple[str, ...] = ()
    recall: float | None = None
    """Needed tables that are shown, of those that are needed; None: no table is known to be."""
    precision: float | None = None
    """The same, of those that are shown."""


@dataclass(frozen=True, slots=True)
class GoldenReport:
    """What `dblore test --format json` prints."""

    kb: str
    revision: str
    """Names the state of the knowledge base."""
    passed: int
    failed: int
    skipped: int
    share: float | None = None
    """Percent of the questions that weren't skipped that passed."""
    recall: float | None = None
    """Mean of the questions."""
    precision: float | None = None
    results: tuple[GoldenResult, ...] = ()
    format: Literal["dblore.test/1"] = "dblore.test/1"
