"""What the INFORMATION_SCHEMA of MariaDB and MySQL is asked for: one database at a time.

The server opens no more than the named database only where a query compares its name with a
constant, joins nothing, and asks for no column that it doesn't need
(https://mariadb.com/kb/en/optimizing-information_schema-queries/). So rows are joined here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pipeline.database.connect import Row

_I = "information_schema"
_OPTIONAL = f"""
SELECT table_name, column_name FROM {_I}.columns
WHERE table_schema = '{_I}'
  AND table_name IN ('SCHEMATA', 'COLUMNS', 'STATISTICS', 'CHECK_CONSTRAINTS')"""
_PARTITIONED = "partitioned"


Fetch = Callable[[str], list[Row]]
"""Runs SQL of our own and returns all rows."""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What all databases of one server have in common."""

    default: str | None
    """The database that the URL names."""
    is_mariadb: bool
    databases: dict[str, str | None]
    """Comment by name, as far as this login sees them."""
    optional: frozenset[tuple[str, str]]
    """(table, column) of INFORMATION_SCHEMA, of those that not every version has."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the catalogue says of one database; rows by table, in their order."""

    tables: list[Row]
    columns: dict[str, list[Row]]
    indexes: dict[str, list[Row]]
    foreign_keys: dict[str, list[Row]]
    checks: dict[str, list[Row]]
    views: dict[str, str]
    partitions: dict[str, int]
    triggers: list[Row]
    routines: list[Row]
    parameters: dict[str, list[Row]]


def server(fetch: Fetch) -> ServerFacts:
    """Ask for what is the same for all databases."""
    [(default, version)] = fetch("SELECT database(), @@version")
    optional = frozenset((_text(t).upper(), _text(c).upper()) for t, c in fetch(_OPTIONAL))
    comment = "schema_comment" if ("SCHEMATA", "SCHEMA_COMMENT") in optional else "NULL"
    databases = fetch(f"SELECT schema_name, {comment} FROM {_I}.schemata")
    return ServerFacts(
        default=default,
        is_mariadb="mariadb" in _text(version).casefold(),
        databases={_text(name): _text(text) or None for name, text in databases},
        optional=optional,
    )


def database(fetch: Fetch, told: ServerFacts, name: str) -> Found:
    """Ask for the structure of one database."""
    literal = _literal(name)

    def rows(sql: str) -> list[Row]:
        found = fetch(sql.replace("?", literal))
        return [tuple([_text(v) if type(v) is bytes else v for v in row]) for row in found]

    def optional(table: str, column: str) -> str:
        return column if (table, column.upper()) in told.optional else "NULL"

    tables = rows(
        f"SELECT table_name, table_type, engine, table_comment, create_options FROM {_I}.tables "
        "WHERE table_schema = ?"
    )
    columns = rows(
        "SELECT table_name, ordinal_position, column_name, data_type, column_type, is_nullable, "
        f"column_default, extra, {optional('COLUMNS', 'generation_expression')}, column_comment, "
        f"privileges FROM {_I}.columns WHERE table_schema = ?"
    )
    indexes = rows(
        "SELECT table_name, index_name, seq_in_index, column_name, non_unique, collation, "
        f"sub_part, index_type, {optional('STATISTICS', 'expression')}, "
        f"{optional('STATISTICS', 'ignored')}, {optional('STATISTICS', 'is_visible')} "
        f"FROM {_I}.statistics WHERE table_schema = ?"
    )
    keys = rows(
        "SELECT table_name, constraint_name, ordinal_position, column_name, "
        "referenced_table_schema, referenced_table_name, referenced_column_name "
        f"FROM {_I}.key_column_usage WHERE table_schema = ? AND referenced_table_name IS NOT NULL"
    )
    is_partitioned = any(_PARTITIONED in (row[4] or "") for row in tables)
    return Found(
        tables=tables,
        columns=_grouped(columns, 2),
        indexes=_grouped(indexes, 3),
        foreign_keys=_grouped(keys, 3),
        checks=_grouped(_checks(rows, told), 2),
        views=dict(
            rows(f"SELECT table_name, view_definition FROM {_I}.views WHERE table_schema = ?")
        ),
        partitions=_partitions(rows) if is_partitioned else {},
        triggers=rows(
            "SELECT trigger_name, event_object_table, action_timing, event_manipulation "
            f"FROM {_I}.triggers WHERE trigger_schema = ? ORDER BY 2, 1"
        ),
        # two databases whose names differ in case only are one to this comparison
        routines=[
            row[1:]
            for row in rows(
                "SELECT routine_schema, specific_name, routine_name, routine_type, dtd_identifier, "
                f"routine_comment FROM {_I}.routines WHERE routine_schema = ? ORDER BY 3, 4"
            )
            if row[0] == name
        ],
        parameters=_parameters(rows, name),
    )


def _checks(rows: Callable[[str], list[Row]], told: ServerFacts) -> list[Row]:
    """Return (table, name, expression, level); no level where the server doesn't tell it."""
    if ("CHECK_CONSTRAINTS", "CHECK_CLAUSE") not in told.optional:
        return []  # before MariaDB 10.2.22 and MySQL 8.0.16
    if ("CHECK_CONSTRAINTS", "TABLE_NAME") in told.optional:
        has_level = ("CHECK_CONSTRAINTS", "LEVEL") in told.optional
        return rows(
            f"SELECT table_name, constraint_name, check_clause, {'level' if has_level else 'NULL'} "
            f"FROM {_I}.check_constraints WHERE constraint_schema = ?"
        )
    owners = rows(
        f"SELECT constraint_name, table_name FROM {_I}.table_constraints "
        "WHERE table_schema = ? AND constraint_type = 'CHECK'"
    )
    of = {str(name): table for name, table in owners}
    clauses = rows(
        f"SELECT constraint_name, check_clause FROM {_I}.check_constraints "
        "WHERE constraint_schema = ?"
    )
    return [(of[name], name, clause, None) for name, clause in clauses if name in of]


def _partitions(rows: Callable[[str], list[Row]]) -> dict[str, int]:
    """Return how many partitions hold a table's rows; of those divided again, their parts."""
    return dict(
        rows(
            f"SELECT table_name, count(*) FROM {_I}.partitions "
            "WHERE table_schema = ? AND partition_name IS NOT NULL GROUP BY table_name"
        )
    )


def _parameters(rows: Callable[[str], list[Row]], name: str) -> dict[str, list[Row]]:
    found = rows(
        "SELECT specific_name, ordinal_position, routine_type, parameter_mode, parameter_name, "
        f"dtd_identifier, specific_schema FROM {_I}.parameters "
        "WHERE specific_schema = ? AND ordinal_position > 0"
    )
    own = [row[:-1] for row in found if row[-1] == name]
    return _grouped(own, 2)


def _grouped(rows: Iterable[Row], places: int) -> dict[str, list[Row]]:
    """Return the rows by table and without it, in the order of their first few values."""
    grouped: dict[str, list[Row]] = {}
    for table, *rest in sorted(rows, key=lambda row: row[:places]):
        grouped.setdefault(table, []).append(tuple(rest))
    return grouped


def _literal(name: str) -> str:
    """Return the name as SQL text, for sessions in which a backslash escapes, as ours are."""
    return "'" + name.replace("\\", "\\\\").replace("'", "''") + "'"


def _text(value: Any) -> str:
    """Return text, which some servers and drivers hand over as bytes."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")
