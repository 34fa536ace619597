"""Move suggestions of the draft into semantic.yaml, where they were nothing stands yet.

Reads   catalog.json, profile.json, semantic.yaml, drafts.jsonl
Writes  semantic.yaml  new entries; no byte that stood there before changes
        drafts.jsonl   where each accepted text came from

What people wrote always wins, and an accepted text stays known as a machine's until somebody
changes it.
"""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeline import artifacts, drafts, init
from pipeline.authored import Document, find_column, read_semantic
from pipeline.authored.editing import Append, Put, exchange
from pipeline.authored.filling import Gap, Habits, filled
from pipeline.authored.reading import Place
from pipeline.authored.yaml_nodes import data_of, parse_bytes
from pipeline.draft import gathering
from pipeline.draft.proposals import COMMENTS, KINDS, Proposal, proposals
from pipeline.draft.words import words
from pipeline.drafts import Draft
from pipeline.errors import NotFoundError, SettingError, did_you_mean, nearest
from pipeline.kb import Kb
from pipeline.mutex import exclusive
from schemas.models import Catalog, Profile

__all__ = ["COMMENTS", "KINDS", "Choice", "Outcome", "accept"]

_HABITS = Habits(lone="description", first=("description", "grain"))
_LONGEST_DIFF = 20_000
"""Lines of a file of which a diff is shown; more would take minutes."""
_GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which suggestions to take over."""

    targets: tuple[str, ...] = ()
    """Tables and `table.column`, or patterns of them; empty: everything."""
    kinds: tuple[str, ...] = ()
    """Empty: all but comments of the database, which count where they are."""
    blanks: bool = False
    """Also entries that wait for somebody's words, as ''."""
    file: Path | None = None
    """Take what this file in the shape of semantic.yaml says instead of what is suggested."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was taken over."""

    made: tuple[Proposal, ...] = ()
    left: tuple[tuple[Proposal, str], ...] = ()
    """What couldn't be written, and why."""
    silent: tuple[str, ...] = ()
    """Targets for which nothing is suggested."""
    diff: str = ""


def accept(kb: Kb, choice: Choice, *, today: str, dry_run: bool = False) -> Outcome:
    """Take over what is chosen; with `dry_run` only say what would be.

    Args:
        kb: The knowledge base, built at least once.
        choice: Which suggestions.
        today: The day, for the record of where texts came from.
        dry_run: Write nothing.

    Raises:
        NotFoundError: a target names no table or column.
        SettingError: semantic.yaml can't be read, or somebody saved it meanwhile.
        ArtifactError: there is no build yet, or a file can't be written.
    """
    with exclusive(kb):
        return _accepted(kb, choice, today, dry_run=dry_run)


def _accepted(kb: Kb, choice: Choice, today: str, *, dry_run: bool) -> Outcome:
    catalog = artifacts.read(kb.catalog, Catalog)
    profile = artifacts.read(kb.profile, Profile)
    before = _bytes(kb.semantic)
    document = read_semantic(kb.semantic)
    waiting = drafts.read(kb.drafts)
    cache = kb.build / "draft-cache"
    found = proposals(gathering.suggestions(catalog, profile, document, waiting, cache=cache))
    if choice.file is not None:
        found = words(_words_of(choice.file), catalog, found)
    chosen, silent = _chosen(found, choice, catalog)
    names = _Names(document, catalog)
    gaps = dict(names.gaps(chosen))
    start = before or f"{init.schema_line(kb.folder, 'semantic')}\n".encode()
    result = filled(start, list(gaps.values()), kb.semantic, _HABITS)
    left = {proposal: why for proposal, gap in gaps.items() if (why := _why(gap, result.left))}
    made = _made(gaps, left, start, result.data, kb.semantic)
    outcome = Outcome(tuple(made), tuple(left.items()), silent)
    if not made:
        return outcome
    if dry_run:
        return replace(outcome, diff=_diff(before, result.data, kb.semantic))
    if before != _bytes(kb.semantic):  # before the record says that they were taken over
        raise _changed(kb.semantic)
    drafted = waiting.waiting()
    drafts.record(kb.drafts, [_record(p, drafted, today) for p in made if p.text and p.why])
    exchange(kb.semantic, before, result.data)
    return outcome


def _words_of(path: Path) -> Document:
    if not path.is_file():
        raise NotFoundError(
            f"there is no file {path}", fix="name one in the shape of semantic.yaml"
        )
    return read_semantic(path)


def _bytes(path: Path) -> bytes:
    target = path.resolve()
    return target.read_bytes() if target.is_file() else b""


def _changed(path: Path) -> SettingError:
    return SettingError(f"{path} was changed by somebody else meanwhile", fix="do it again")


def _chosen(
    found: Sequence[Proposal], choice: Choice, catalog: Catalog
) -> tuple[list[Proposal], tuple[str, ...]]:
    """Return the chosen proposals in the catalog's order of columns, and targets without any."""
    kinds = set(choice.kinds or KINDS)
    asked = [p for p in found if p.kind in kinds and (p.text or choice.blanks)]
    if choice.targets:
        tests = {target: _test(target, catalog) for target in choice.targets}
        silent = tuple(t for t, fits in tests.items() if not any(map(fits, asked)))
        asked = [p for p in asked if any(fits(p) for fits in tests.values())]
    else:
        silent = ()
    tables: dict[str, int] = {}
    for proposal in asked:
        tables.setdefault(proposal.table, len(tables))
    places = {
        (table.name, column.name): number
        for table in catalog.tables
        if table.name in tables
        for number, column in enumerate(table.columns)
    }
    asked.sort(key=lambda p: (tables[p.table], places.get((p.table, p.column), -1)))
    return asked, silent


def _test(target: str, catalog: Catalog) -> Any:
    """Return the test whether a proposal fits a target.

    Raises:
        NotFoundError: it is no pattern, and no such table or column is there.
    """
    table, column = catalog.find(target), None
    if table is None:
        table, column = find_column(target, catalog)
    if column is None and table is not None and table is catalog.find(target):
        return lambda proposal: proposal.table == table.name
    if table is not None and column is not None:
        place = (table.name, column.name)
        return lambda proposal: (proposal.table, proposal.column) == place
    known = [t.name for t in catalog.tables]
    folded = target.casefold()
    if _GLOB & set(target):
        names = [*known, *(f"{t.name}.{c.name}" for t in catalog.tables for c in t.columns)]
        if any(fnmatch.fnmatchcase(name.casefold(), folded) for name in names):
            return lambda proposal: any(
                fnmatch.fnmatchcase(name.casefold(), folded)
                for name in (proposal.table, proposal.target)
            )
    advice = did_you_mean(target, known, "name one that `dblore tables` lists, or a pattern")
    if table is not None:
        near = nearest(target.rpartition(".")[2], [column.name for column in table.columns])
        shown = [f"{table.name}.{name}" for name in near]
        advice = did_you_mean(target, shown, f"see `dblore table {table.name}`")
    raise NotFoundError(f"there is no table or column {target!r}", fix=advice)


class _Names:
    """Places in semantic.yaml under the names that stand there already."""

    def __init__(self, document: Document, catalog: Catalog) -> None:
        self._tables: dict[str, str] = {}
        self._columns: dict[tuple[str, str], str] = {}
        for name, text in document.semantic.tables.items():
            table = catalog.find(name)
            if table is None or table.name in self._tables:
                continue
            self._tables[table.name] = name
            for written in text.columns:
                column = table.column(written)
                if column is not None:
                    self._columns.setdefault((table.name, column.name), written)

    def gaps(self, chosen: Sequence[Proposal]) -> Iterator[tuple[Proposal, Gap]]:
        """Yield the gap that each proposal fills."""
        more = {p.target for p in chosen if p.column and p.key != "description"}
        for proposal in chosen:
            yield proposal, self._gap(proposal, alone=proposal.target not in more)

    def _gap(self, proposal: Proposal, *, alone: bool) -> Gap:
        if isinstance(proposal.entry, dict):
            return Append((proposal.key,), proposal.entry)
        if not proposal.table:
            return Append(("database", proposal.key), proposal.text)
        place: Place = ("tables", self._tables.get(proposal.table, proposal.table))
        in_list = isinstance(proposal.entry, str)  # a synonym or a note
        value = proposal.entry if isinstance(proposal.entry, bool) else proposal.text
        if not proposal.column:
            here = (*place, proposal.key)
            return (Append if in_list else Put)(here, value)
        column = self._columns.get((proposal.table, proposal.column), proposal.column)
        place = (*place, "columns", column)
        if alone and proposal.key == "description":
            return Put(place, proposal.text)
        if in_list:
            return Append((*place, proposal.key), proposal.text)
        return Put((*place, *proposal.key.split(".", 1)), value)


def _why(gap: Gap, left: Sequence[tuple[Place, str]]) -> str:
    return next((why for place, why in left if gap.place[: len(place)] == place), "")


def _made(
    gaps: dict[Proposal, Gap],
    left: dict[Proposal, str],
    before: bytes,
    after: bytes,
    path: Path,
) -> list[Proposal]:
    """Return the proposals that the file says now and didn't say before."""
    if before == after:
        return []
    then, now = (data_of(parse_bytes(data, path)) for data in (before, after))
    return [
        proposal
        for proposal, gap in gaps.items()
        if proposal not in left and _says(now, gap) and not _says(then, gap)
    ]


def _says(data: Any, gap: Gap) -> bool:
    for name in gap.place:
        if isinstance(data, str) and name == "description":
            return bool(data == gap.value)
        if not isinstance(data, dict) or name not in data:
            return False
        data = data[name]
    if isinstance(gap, Append):
        return isinstance(data, list) and gap.value in data
    return bool(data == gap.value or (isinstance(data, dict) and _says(data, _inner(gap))))


def _inner(gap: Put) -> Put:
    return Put(("description",), gap.value)


def _record(proposal: Proposal, drafted: dict[tuple[str, str], Draft], today: str) -> Draft:
    known = drafted.get((proposal.target, proposal.key))
    if known is not None and known.text == proposal.text:
        return replace(known, accepted=today)
    target = "" if proposal.kind == "joins" else proposal.target
    return Draft(target, proposal.key, proposal.text, source=proposal.why, accepted=today)


def _diff(before: bytes, after: bytes, path: Path) -> str:
    old, new = (data.decode("utf-8-sig").splitlines() for data in (before, after))
    if len(new) > _LONGEST_DIFF:
        return f"{len(new) - len(old):,} lines more in {path}: too long for a diff\n"
    lines = difflib.unified_diff(old, new, str(path), str(path), lineterm="")
    return "".join(f"{line}\n" for line in lines)
