"""The one family of foreseen failures: what happened, and what to do about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class DbloreError(Exception):
    """A failure that a user can act on. Shown without a traceback."""

    exit_status = 2
    """What `dblore` exits with when this error ends it (see docs/reference/errors.md)."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem, fix)  # both in args, so the error survives pickling
        self.problem = problem
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.problem}\n  fix: {self.fix}"


class SettingError(DbloreError):
    """A file that people write, an option or an environment variable can't be used as it is."""


class SourceError(DbloreError):
    """The source database can't be reached or read."""

    exit_status = 4


class PassingError(SourceError):
    """A lock of another session, or a cut connection: the same may succeed a moment later.

    It says nothing of what was read, so no result may be kept for it.
    """


class ArtifactError(DbloreError):
    """A built file is missing, damaged or of another version, or can't be written."""


class NotFoundError(DbloreError):
    """There is no such table, column, term or knowledge base."""


class RefusedError(DbloreError):
    """The guard doesn't let a statement through."""


class QueryError(DbloreError):
    """A statement was allowed and the database failed to run it (syntax, time limit, …)."""


_LATE = "the statement ran longer than"


def late(seconds: float | None) -> QueryError:
    """Return the error of a statement that was stopped after its time limit."""
    return QueryError(
        f"{_LATE} {seconds or 0:g} s and was stopped",
        fix="read fewer rows: filter earlier, aggregate, or add a LIMIT",
    )


def is_late(problem: str | None) -> bool:
    """Whether the problem of an error says that a time limit stopped the statement."""
    return problem is not None and problem.startswith(_LATE)


class ModelError(DbloreError):
    """An embedder or a language model can't be had or answers nonsense."""

    exit_status = 4


def nearest(name: str, known: Iterable[str], *, at_most: int = 3) -> tuple[str, ...]:
    """Return the names in `known` that look most like `name`, best first, ignoring case."""
    by_folded: dict[str, str] = {}
    for candidate in known:
        by_folded.setdefault(candidate.casefold(), candidate)
    folded = name.casefold()
    close = difflib.get_close_matches(folded, by_folded, n=at_most, cutoff=0.6)
    if not close:
        close = [k for k in by_folded if folded in k or k in folded][:at_most]
    return tuple(by_folded[k] for k in close)


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """Return advice that offers the nearest names, or `otherwise` when none is near."""
    near = nearest(name, known)
    return f"did you mean {' or '.join(near)}?" if near else otherwise
