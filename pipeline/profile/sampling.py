"""Some rows of a table, always the same ones as long as it doesn't change; and how many it has."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pipeline.database.connect import Database
from pipeline.errors import QueryError
from schemas.facts import Table

ESTIMATED_FROM = 1_000_000
"""Rows from which an engine's estimate stands for COUNT(*), where counting means reading all."""
SEED = 42
_HASH = 2654435761  # Knuth's multiplicative hash, The Art of Computer Programming 3, 6.4
_RANGE = 4294967296
_POSTGRES_ROWS = "SELECT reltuples FROM pg_class WHERE oid = CAST(? AS regclass)"
_MYSQL_ROWS = (
    "SELECT table_rows FROM information_schema.tables"
    " WHERE table_schema = COALESCE({}, DATABASE()) AND table_name = ?"
)
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a table."""

    source: str
    """A FROM item."""
    method: str
    """How its rows are picked."""


def estimate(database: Database, table: Table) -> int | None:
    """Return about how many rows a large table has; None where counting is cheap or the only way.

    It is rounded to three digits: what an engine estimates anew shouldn't change a profile.
    """
    try:
        if database.dialect == "postgres" and table.kind in ("table", "materialized_view"):
            rows = database.fetch(_POSTGRES_ROWS, (database.table(table),))
        elif database.dialect == "mysql" and table.kind == "table":
            schema = "?" if table.schema else "NULL"
            named = [part for part in (table.schema, table.object_name) if part]
            rows = database.fetch(_MYSQL_ROWS.format(schema), named)
        else:
            return None
    except QueryError:
        return None
    about = int(rows[0][0] or 0) if rows else 0
    return rounded(about) if about >= ESTIMATED_FROM else None


def rounded(about: int) -> int:
    """Return a number with only its first digits."""
    return round(about, _DIGITS - len(str(about)))


def part(database: Database, table: Table, wanted: int, rows: int) -> Part:
    """Return about `wanted` of a table's `rows`, spread over it where the engine can."""
    name = database.table(table)
    if table.kind in ("table", "materialized_view") and database.dialect == "postgres":
        share = min(100.0, 100 * wanted / rows)
        source = f"{name} TABLESAMPLE SYSTEM ({share:.6g}) REPEATABLE ({SEED})"
        method = f"TABLESAMPLE SYSTEM, seed {SEED}"
    else:
        where, method = _hashed(database, table, wanted, rows)
        source = name + where
    return Part(
        f"({first(database.dialect, f'SELECT * FROM {source}', wanted)}) AS sampled", method
    )


def first_rows(database: Database, table: Table, wanted: int) -> Part:
    """Return the rows that come first."""
    sql = first(database.dialect, f"SELECT * FROM {database.table(table)}", wanted)
    return Part(f"({sql}) AS sampled", "first rows")


def first(dialect: str, select: str, rows: int) -> str:
    """Return a SELECT with a limit on its rows."""
    if dialect == "tsql":
        return select.replace("SELECT ", f"SELECT TOP ({int(rows)}) ", 1)
    if dialect in ("oracle", "db2"):
        return f"{select} FETCH FIRST {int(rows)} ROWS ONLY"
    return f"{select} LIMIT {int(rows)}"


def _hashed(database: Database, table: Table, wanted: int, rows: int) -> tuple[str, str]:
    """Return a WHERE that keeps about as many rows, and its name; '' if rows have no identity."""
    threshold = math.ceil(_RANGE * wanted / max(1, rows))
    if table.kind != "table":
        return "", "first rows"
    if database.dialect == "sqlite":
        rowid = row_id(table)
        test = f"(({rowid} * {_HASH}) & {_RANGE - 1}) < {threshold}" if rowid else ""
        return (f" WHERE {test}", "hash of the row id") if test else ("", "first rows")
    if database.dialect == "duckdb" and not table.column("rowid"):
        return f" WHERE (hash(rowid) % {_RANGE}) < {threshold}", "hash of the row id"
    if database.dialect == "mysql" and table.primary_key is not None:
        names = ", ".join(database.quote(name) for name in table.primary_key.columns)
        return f" WHERE CRC32(CONCAT_WS(',', {names})) < {threshold}", "hash of the primary key"
    return "", "first rows"


def row_id(table: Table) -> str | None:
    """Return a name of SQLite's row id that no column hides."""
    if "WITHOUT ROWID" in table.options:
        return None
    taken = {column.name.casefold() for column in table.columns}
    return next((name for name in ("rowid", "_rowid_", "oid") if name not in taken), None)
