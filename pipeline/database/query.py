"""The only way in which SQL that a caller, a person or a model wrote is run."""

from __future__ import annotations

import json
import math
import re
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from pipeline.database.connect import Database, Row, open_database
from pipeline.database.source import Source
from pipeline.database.values import shortened, to_json
from pipeline.errors import QueryError, SettingError, did_you_mean
from pipeline.text import counted
from schemas.facts import Catalog

_UNKNOWN_COLUMN = re.compile(
    r"""(?ix)
    no\ such\ column:\ (?P<sqlite>.+)
  | column\ "?(?P<postgres>[^"]+?)"?\ does\ not\ exist
  | unknown\ column\ '(?P<mysql>[^']+)'
  | referenced\ column\ "(?P<duckdb>[^"]+)"
  | invalid\ column\ name\ '(?P<tsql>[^']+)'
    """
)
_LEAST_CELL = 20
_UNITS = {"rows": "rows", "bytes": "bytes", "cell": "characters a value", "seconds": "seconds"}
LONGEST_LIST = 600
"""Characters of a list of columns in an error."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one statement may cost and return."""

    rows: int = 200
    bytes: int = 65_536
    """Of all rows as JSON."""
    cell: int = 2_000
    """Characters."""
    seconds: float = 30.0

    def __post_init__(self) -> None:
        """Refuse limits that limit nothing.

        Raises:
            SettingError: one isn't above zero, or is no finite number.
        """
        for name in ("rows", "bytes", "cell", "seconds"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise SettingError(
                    f"a statement can't be limited to {value} {_UNITS[name]}",
                    fix="give a finite number above zero",
                )


@dataclass(frozen=True, slots=True)
class Result:
    """Rows as JSON values; `columns` may hold a name twice, as SQL allows."""

    columns: tuple[str, ...]
    rows: list[list[Any]]
    truncated: bool = False
    """Rows are missing or cells are cut; `notes` say which."""
    notes: tuple[str, ...] = ()


def read(
    source: Source | Database,
    sql: str,
    *,
    catalog: Catalog | None,
    limits: Limits = Limits(),
) -> Result:
    """Check `sql` with the guard, run it as it is, and return what fits into `limits`.

    The session is read-only where the engine can, and is rolled back.

    Raises:
        RefusedError: the guard doesn't let it through; nothing ran.
        QueryError: the database failed to run it, or it took too long.
        SourceError: the database can't be reached.
    """
    from pipeline.database import guard

    named = source.source if isinstance(source, Database) else source
    tree = guard.check(
        sql,
        named.dialect,
        catalog=catalog,
        allow_functions=named.allow_functions,
        allow_tables=named.allow_tables,
    )
    opened = nullcontext(source) if isinstance(source, Database) else open_database(source)
    with opened as database:
        page = _Page(limits)
        try:
            columns, _ = database.fetch_some(
                sql, limits.rows + 1, timeout_seconds=limits.seconds, keep=page.add
            )
        except QueryError as error:
            raise _with_nearest_column(error, tree, catalog) from error
    return page.result(columns)


class _Page:
    """Rows as JSON values within the limits, taken one by one as the database gives them."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.rows: list[list[Any]] = []
        self._size = self._cut = 0
        self._more: list[str] = []

    def add(self, row: Row) -> Row | None:
        """Take a row; None when it was one too many."""
        limits = self.limits
        if len(self.rows) == limits.rows:
            self._more.append(
                f"there are more than {limits.rows:,} rows; these are the first {limits.rows:,}: "
                "aggregate, filter or page with ORDER BY and LIMIT"
            )
            return None
        cells, cuts = _cells(row, limits.cell)
        self._size += _size(cells)
        if self._size > limits.bytes and self.rows:
            self._more.append(
                f"only {counted(len(self.rows), 'row')} fit into {limits.bytes:,} bytes: name "
                "fewer columns or ask for fewer rows"
            )
            return None
        if self._size > limits.bytes:
            cells, cuts = _cells(row, max(_LEAST_CELL, limits.bytes // (8 * len(row))))
        self.rows.append(cells)
        self._cut += cuts
        return ()

    def result(self, columns: tuple[str, ...]) -> Result:
        """Return all that was taken."""
        notes = list(self._more)
        if self._cut:
            cut = f"{self._cut:,} long {'value is' if self._cut == 1 else 'values are'} cut"
            notes.append(f"{cut}; use substr() for a part")
        return Result(columns, self.rows, truncated=bool(notes), notes=tuple(notes))


def _cells(row: Row, limit: int) -> tuple[list[Any], int]:
    pairs = [shortened(to_json(value), limit) for value in row]
    return [cell for cell, _ in pairs], sum(was_cut for _, was_cut in pairs)


def _size(cells: list[Any]) -> int:
    return len(json.dumps(cells, ensure_ascii=False).encode())


def _with_nearest_column(error: QueryError, tree: Any, catalog: Catalog | None) -> QueryError:
    """Return the error with the nearest column of the tables that the statement reads."""
    match = _UNKNOWN_COLUMN.search(error.problem)
    if match is None or catalog is None:
        return error
    from sqlglot import exp

    wrong = match[match.lastgroup or 0].strip().rpartition(".")[2].strip("\"'`[]")
    tables = [catalog.find(node.name) for node in tree.find_all(exp.Table)]
    known = [(table.name, column.name) for table in tables if table for column in table.columns]
    if not known:
        return error
    listed = ", ".join(dict.fromkeys(column for _, column in known))
    otherwise = f"the columns are {listed}" if len(listed) <= LONGEST_LIST else "see describe_table"
    advice = did_you_mean(wrong, [column for _, column in known], otherwise)
    return QueryError(error.problem, fix=advice)
