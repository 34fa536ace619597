"""Prove each statement without reading data, run it, and compare its result with what is pinned.

What passed isn't run again as long as its statement and the stamps of its tables are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Lock
from typing import Any, TypeVar

from pipeline.database import query
from pipeline.database.masking.masks import Sensitive
from pipeline.database.page import Limits
from pipeline.database.source import Source
from pipeline.errors import DbloreError, PassingError, RefusedError, SourceError
from pipeline.expectations import Nature, differences, nature, rows_to_read
from pipeline.kept import Kept, digest
from pipeline.lineage.near import ADD_FROM, NO_FROM
from pipeline.lineage.tables import Tables
from pipeline.references.statements import Statements, Used
from pipeline.statements import apart
from pipeline.text import one_line
from pipeline.validate.checks import Check
from schemas import codec
from schemas.models import Catalog, CheckedItem, Expectation

Model = TypeVar("Model")

_VERSION = 2
"""To be raised whenever a check gives another outcome for the same statement and data."""
AT_A_TIME = 2
"""Statements; as many processes of an engine are kept warm."""
NO_DATABASE = "the database can't be reached"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a check, with what only the report for people says."""

    item: CheckedItem
    place: str
    fix: str = ""
    is_kept: bool = False
    """An earlier run found it, and nothing that it depends on has changed."""

    @property
    def told(self) -> CheckedItem:
        """The item with its place and what to do."""
        return replace(self.item, place=self.place, fix=self.fix)


class Run:
    """Runs the checks of one knowledge base on its database."""

    def __init__(
        self,
        source: Source,
        catalog: Catalog,
        *,
        sensitive: Sensitive,
        cache: Path | None,
        stamps: dict[str, str],
        seconds: float,
    ) -> None:
        """See the class.

        Args:
            source: what the statements run on.
            catalog: its structure.
            sensitive: its sensitive columns.
            cache: where to keep what passed; beside it, what was read off the statements.
            stamps: what tells whether tables changed, by their names.
            seconds: what one statement may take.
        """
        self._source = source
        self._catalog = catalog
        self._sensitive = sensitive
        self._kept = Kept(cache)
        self._read = Kept(cache and cache.with_name(f"{cache.name}-statements"))
        self._stamps = stamps
        self._limits = Limits(seconds=seconds)
        self._statements = Statements(Tables(catalog), self._read)
        self._structures: dict[str, str] = {}
        self._gone: SourceError | None = None
        self._is_gone = Event()
        self._keeping = Lock()
        self.was_kept_out = False
        """A statement met a lock or a cut connection, which passes."""

    def outcomes(self, checks: Sequence[Check]) -> list[Outcome]:
        """Return what came of each check, in their order."""
        used = [self._statements.read(check.sql) for check in checks]
        keys = [self._key(check, uses) for check, uses in zip(checks, used, strict=True)]
        with ThreadPoolExecutor(AT_A_TIME) as threads:
            found = list(threads.map(self._outcome, checks, used, keys))
        self._kept.keep_only({key for key in keys if key is not None})
        natures = {self._nature_key(check.sql) for check in checks}
        self._read.keep_only(self._statements.keys | natures)
        return found

    def _outcome(self, check: Check, used: Used, key: str | None) -> Outcome:
        known = _kept(self._kept, key, CheckedItem) if key is not None else None
        if known is not None:
            return Outcome(known, check.place, is_kept=True)
        if self._is_gone.is_set() and not check.problem:  # the others wouldn't reach it either
            assert self._gone is not None
            return skipped(check, one_line(self._gone.problem), self._gone.fix, used.tables)
        try:
            outcome = self._ran(check, used)
        except PassingError as error:
            self.was_kept_out = True
            return skipped(check, one_line(error.problem), error.fix, used.tables)
        except SourceError as error:
            self._gone = error
            self._is_gone.set()
            return skipped(check, one_line(error.problem), error.fix, used.tables)
        if key is not None and outcome.item.status == "ok":
            with self._keeping:
                self._kept.put(key, codec.to_json(outcome.item))
        return outcome

    def _ran(self, check: Check, used: Used) -> Outcome:
        item = CheckedItem(
            check.kind,
            check.name,
            "failed",
            check.sql,
            check.problem,
            tables=used.tables,
            missing=check.missing,
        )
        if check.problem:
            return Outcome(item, check.place_of(1, 1), check.fix)
        options: dict[str, Any] = {"catalog": self._catalog, "sensitive": self._sensitive}
        try:
            columns = query.prove(self._source, check.sql, limits=self._limits, **options)
            item = replace(item, proven=True, columns=columns)
            if not check.runs:
                return Outcome(replace(item, status="ok"), check.place)
            if check.expect is not None:
                return self._compared(check, check.expect, item, options)
            result = query.read(self._source, check.sql, limits=self._limits, **options)
        except SourceError:
            raise
        except DbloreError as error:
            return _failed(item, check, error, used)
        item = replace(item, columns=result.columns)
        if not check.must_find:
            return Outcome(replace(item, status="ok", rows=len(result.rows)), check.place)
        rows = int(result.rows[0][0]) if result.rows and result.rows[0][0] else 0
        if not rows:
            item = replace(item, cause="the join finds no row", rows=0)
            return Outcome(item, check.place, "correct the columns or the condition, or remove it")
        return Outcome(replace(item, status="ok", rows=rows), check.place)

    def _compared(
        self, check: Check, expect: Expectation, item: CheckedItem, options: dict[str, Any]
    ) -> Outcome:
        """Run a statement and compare its result with what is pinned."""
        limits = replace(self._limits, rows=rows_to_read(expect))
        order = nature(check.sql, self._catalog.dialect).order
        result = query.tally(self._source, check.sql, limits=limits, order=order, **options)
        assert result.tally is not None
        item = replace(item, columns=result.columns, rows=result.tally.rows, pinned=True)
        differ = differences(expect, result.columns, result.tally, is_masked=bool(result.masked))
        if not differ:
            return Outcome(replace(item, status="ok"), check.place)
        reads = f"; it reads {', '.join(item.tables)}" if item.tables else ""
        item = replace(item, cause="; ".join(differ) + reads)
        fix = "find out why; if the new result is right, pin it: dblore validate --pin"
        return Outcome(item, check.place, f"{fix} '{one_line(check.name)}'")

    def _key(self, check: Check, used: Used) -> str | None:
        """Return what an outcome depends on, as one hash; None where nobody can tell all of it."""
        if check.problem or used.missing or not set(used.tables) <= self._stamps.keys():
            return None
        told = self._nature(check.sql)
        if told.passing or not told.known:
            return None
        tables = [
            [self._stamps[name], self._structure(name), sorted(self._sensitive.get(name, ()))]
            for name in used.tables
        ]
        expect = codec.to_json(check.expect) if check.expect is not None else None
        allowed = [list(self._source.allow_functions), list(self._source.allow_tables)]
        engine = [self._source.dialect, self._source.shown]
        said = [check.kind, check.name, check.sql, check.must_find, check.runs, expect]
        return digest([_VERSION, engine, said, allowed, tables])

    def _nature(self, sql: str) -> Nature:
        key = self._nature_key(sql)
        known = _kept(self._read, key, Nature)
        if known is None:
            known = nature(sql, self._catalog.dialect)
            self._read.put(key, codec.to_json(known))
        return known

    def _nature_key(self, sql: str) -> str:
        return digest(["nature", _VERSION, self._catalog.dialect, sql])

    def _structure(self, name: str) -> str:
        if name not in self._structures:
            self._structures[name] = digest([codec.to_json(self._catalog.by_name[name])])
        return self._structures[name]


def _kept(kept: Kept, key: str, cls: type[Model]) -> Model | None:
    """Return what is kept under a key; None where that is nothing, or of another shape."""
    found = kept.get(key)
    if found is None:
        return None
    with suppress(ValueError):
        return codec.from_json(cls, found)
    return None


def skipped(check: Check, why: str, fix: str = "", tables: tuple[str, ...] = ()) -> Outcome:
    """Return the outcome of a check that wasn't run."""
    item = CheckedItem(check.kind, check.name, "skipped", check.sql, cause=why, tables=tables)
    return Outcome(item, check.place, fix or "build again when it can be reached")


def _failed(item: CheckedItem, check: Check, error: DbloreError, used: Used) -> Outcome:
    """Return the outcome of a statement that the guard or the engine refused."""
    refused = "refused: " if isinstance(error, RefusedError) else ""
    cause, line, column = one_line(error.problem), 0, 0
    if refused:
        cause, line, column = apart(cause)
    if not line:
        line, column = next(((m.line, m.column) for m in used.missing if m.line), (0, 0))
    fix = one_line(error.fix)
    near = next((name.nearest for name in used.missing if name.nearest), None)
    if near is not None and "did you mean" not in fix:
        fix = f"did you mean {near}?"
    reasons = dict.fromkeys(name.reason for name in used.missing if name.text)
    missing = tuple(reason for reason in reasons if not reason.startswith(NO_FROM))
    unread = next((reason for reason in reasons if reason not in missing), None)
    if unread is not None:
        item = replace(item, cause=refused + unread, missing=missing)
        return Outcome(item, check.place_of(line, column), ADD_FROM)
    item = replace(item, cause=refused + cause, missing=missing)
    return Outcome(item, check.place_of(line, column), fix)
