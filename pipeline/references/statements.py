"""What statements use, each read once for as long as it and the tables that it names stay equal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from pipeline.lineage.near import NO_FROM
from pipeline.lineage.tables import Tables
from schemas.facts import Table

_VERSION = "2"
"""To be raised whenever a statement is read otherwise than before."""


class Kept(Protocol):
    """JSON values by key, of this run and earlier ones."""

    def get(self, key: str) -> Any:
        """Return what is kept under `key`, or None."""

    def put(self, key: str, value: Any) -> None:
        """Keep a value."""

    def keep_only(self, keys: AbstractSet[str]) -> None:
        """Forget all else."""


@dataclass(frozen=True, slots=True)
class Named:
    """A table under the names by which a condition may call it."""

    table: Table
    names: tuple[str, ...]
    in_any_case: bool = False
    """Its columns may be written in any case, also where the engine tells case apart."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A name in a statement that leads to nothing; `text` is '' where it can't be read."""

    text: str
    reason: str
    nearest: str | None
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Used:
    """What a statement uses."""

    tables: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    missing: tuple[Missing, ...] = ()


class Statements:
    """Reads the statements of one catalogue."""

    def __init__(self, tables: Tables, kept: Kept | None = None) -> None:
        self.tables = tables
        self.keys: set[str] = set()
        """Of what was kept, those that are in use."""
        self._kept = kept
        self._digests: dict[str, str] = {}

    def read(
        self, sql: str, over: Sequence[Named] | None = None, *, engines_own: bool = False
    ) -> Used:
        """Return what a query, or a condition over some tables if they are given, uses."""
        key = self._key(sql, over, engines_own=engines_own)
        self.keys.add(key)
        known = self._kept.get(key) if self._kept is not None else None
        if known is not None:
            used = self._still(known)
            if used is not None:
                return used
        used, named = self._read(sql, over, engines_own=engines_own)
        if self._kept is not None and named is not None:
            self._kept.put(
                key,
                {
                    "named": named,
                    "structure": self._structure([table for _, table in named]),
                    "tables": used.tables,
                    "columns": used.columns,
                    "missing": [
                        [m.text, m.reason, m.nearest, m.line, m.column] for m in used.missing
                    ],
                },
            )
        return used

    def _key(self, sql: str, over: Sequence[Named] | None, *, engines_own: bool) -> str:
        around = [
            [named.names, named.in_any_case, named.table.name, self._digest(named.table.name)]
            for named in over or ()
        ]
        said = [
            _VERSION,
            _grammars_version(),
            self.tables.dialect,
            engines_own,
            over is None,
            around,
            sql,
        ]
        return _hash(json.dumps(said, ensure_ascii=True))

    def _still(self, known: Any) -> Used | None:
        """Return what was read before, if the tables that it names are what they were."""
        try:
            for parts, table in known["named"]:
                found = self.tables.known.find(parts)
                if (found.name if found else None) != table:
                    return None
            if self._structure([table for _, table in known["named"]]) != known["structure"]:
                return None
            used = Used(
                tuple(known["tables"]),
                tuple((table, column) for table, column in known["columns"]),
                tuple(Missing(*missing) for missing in known["missing"]),
            )
            return used if self._is_possible(used) else None
        except (AttributeError, KeyError, TypeError, ValueError):
            return None  # somebody wrote to the cache

    def _is_possible(self, used: Used) -> bool:
        """Whether all that was read is there, and every part is what it should be."""
        places = [*((table, None) for table in used.tables), *used.columns]
        for table, column in places:
            known = self.tables.catalog.by_name[table]
            found = known.column(column) if column is not None else None
            if column is not None and (found is None or found.name != column):
                return False
        return all(
            isinstance(m.text, str)
            and isinstance(m.reason, str)
            and isinstance(m.nearest, str | None)
            and type(m.line) is type(m.column) is int
            for m in used.missing
        )

    def _structure(self, tables: Sequence[str | None]) -> str:
        return _hash("\n".join(self._digest(table) for table in tables if table))

    def _digest(self, table: str) -> str:
        digest = self._digests.get(table)
        if digest is None:
            columns = [column.name for column in self.tables.catalog.by_name[table].columns]
            digest = self._digests[table] = _hash("\0".join([table, *columns]))
        return digest

    def _read(
        self, sql: str, over: Sequence[Named] | None, *, engines_own: bool
    ) -> tuple[Used, list[Any] | None]:
        """Return what a statement uses and the tables it names; None for what may not be kept."""
        from pipeline.lineage.outputs import Source
        from pipeline.lineage.parsing import UnreadableError
        from pipeline.lineage.reading import read

        sources = (
            None
            if over is None
            else [
                Source(
                    named.names,
                    self.tables.shape(named.table, in_any_case=named.in_any_case),
                    named.table.name,
                )
                for named in over
            ]
        )
        try:
            reading = read(sql, self.tables, sources, engines_own=engines_own)
        except UnreadableError as error:
            reason = f"the statement can't be read: {error.reason}"
            return Used(missing=(Missing("", reason, None, error.line, error.column),)), []
        missing = [Missing(u.text, u.reason, u.nearest, u.line, u.column) for u in reading.unknown]
        used = Used(reading.tables, reading.columns, tuple(missing))
        named = [[list(parts), table] for parts, table in reading.named]
        is_sure = all(table is not None for _, table in named)  # else a new table may be nearer
        is_sure &= not any(m.reason.startswith(NO_FROM) for m in missing)
        return used, named if is_sure else None


@cache
def _grammars_version() -> str:
    from importlib.metadata import version

    return version("sqlglot")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
