"""The one family of foreseen failures: what happened, and what to do about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from pipeline.text import words


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


_ALIKE = 0.6
_COMPARED = 4
"""As many times the names that are wanted are looked at: some are alike in a common word alone."""


def nearest(name: str, known: Iterable[str], *, at_most: int = 3) -> tuple[str, ...]:
    """Return the names in `known` that look most like `name`, best first, ignoring case.

    A common word such as `no` or `id` makes no two names alike: what else they say must be alike
    too, or the words that they share be most of them.
    """
    by_folded: dict[str, str] = {}
    for candidate in known:
        by_folded.setdefault(candidate.casefold(), candidate)
    folded = name.casefold()
    close = difflib.get_close_matches(folded, by_folded, n=_COMPARED * at_most, cutoff=_ALIKE)
    found = [by_folded[k] for k in close if _are_alike(name, by_folded[k])]
    if not found:
        found = [known for known in by_folded.values() if _is_part(name, known)]
    return tuple(found[:at_most])


def _are_alike(name: str, known: str) -> bool:
    mine, theirs = words(name), words(known)
    shared = [word for word in mine if word in theirs]
    letters = sum(map(len, shared))
    if not shared or 2 * letters >= max(sum(map(len, mine)), sum(map(len, theirs))):
        return True
    rest = "".join(word for word in mine if word not in shared)
    others = "".join(word for word in theirs if word not in shared)
    return difflib.SequenceMatcher(None, rest, others).ratio() >= _ALIKE


def _is_part(name: str, known: str) -> bool:
    """Whether one is a word of the other, or three letters of it or more."""
    short, whole = sorted((name, known), key=len)
    if len(short) >= 3:
        return short.casefold() in whole.casefold()
    return bool(short) and short.casefold() in words(whole)


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """Return advice that offers the nearest names, or `otherwise` when none is near."""
    near = nearest(name, known)
    return f"did you mean {' or '.join(near)}?" if near else otherwise
