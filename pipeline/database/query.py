"""The only way in which SQL that a caller, a person or a model wrote is run."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from pipeline.database.connect import Database, Row, open_database
from pipeline.database.source import Source
from pipeline.database.values import shortened, to_json
from pipeline.errors import QueryError, did_you_mean
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
        try:
            columns, rows = database.fetch_some(
                sql, limits.rows + 1, timeout_seconds=limits.seconds
            )
        except QueryError as error:
            raise _with_nearest_column(error, tree, catalog) from error
    return fit(columns, rows, limits)


def fit(columns: tuple[str, ...], rows: Sequence[Row], limits: Limits) -> Result:
    """Return rows as JSON values within the limits; one more row than the limit means `more`."""
    notes: list[str] = []
    if len(rows) > limits.rows:
        notes.append(
            f"there are more than {limits.rows:,} rows; these are the first {limits.rows:,}: "
            "aggregate, filter or page with ORDER BY and LIMIT"
        )
    kept: list[list[Any]] = []
    size = cut = 0
    for row in rows[: limits.rows]:
        cells, cuts = _cells(row, limits.cell)
        size += _size(cells)
        if size > limits.bytes and kept:
            notes.append(
                f"only {len(kept):,} rows fit into {limits.bytes:,} bytes: name fewer columns "
                "or ask for fewer rows"
            )
            break
        if size > limits.bytes:
            cells, cuts = _cells(row, max(_LEAST_CELL, limits.bytes // (8 * len(row))))
        kept.append(cells)
        cut += cuts
    if cut:
        notes.append(
            f"{cut:,} long {'value is' if cut == 1 else 'values are'} cut; use substr() for a part"
        )
    return Result(columns, kept, truncated=bool(notes), notes=tuple(notes))


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
