"""The structure of a DuckDB file, from DuckDB's own catalogue functions.

SQLAlchemy's reflection of DuckDB is broken (duckdb-engine 0.17), so it isn't used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.database.connect import Database, Row
from pipeline.database.families import family
from pipeline.database.names import table_id
from schemas.facts import Catalog, Check, Column, Index, Key, Link, Routine, Table

_OWN = "database_name = current_database() AND NOT internal"
_TABLES = f"SELECT schema_name, table_name, comment, NULL FROM duckdb_tables() WHERE {_OWN}"
_VIEWS = f"SELECT schema_name, view_name, comment, sql FROM duckdb_views() WHERE {_OWN}"
_COLUMNS = f"""
SELECT schema_name, table_name, column_name, data_type, is_nullable, column_default, comment
FROM duckdb_columns() WHERE {_OWN} ORDER BY schema_name, table_name, column_index
"""
_CONSTRAINTS = """
SELECT schema_name, table_name, constraint_type, constraint_column_names, constraint_text,
       referenced_table, referenced_column_names, constraint_name
FROM duckdb_constraints() WHERE database_name = current_database()
ORDER BY schema_name, table_name, constraint_index
"""
_INDEXES = """
SELECT schema_name, table_name, index_name, is_unique, expressions
FROM duckdb_indexes() WHERE database_name = current_database() ORDER BY index_name
"""
_MACROS = f"""
SELECT schema_name, function_name, parameters, comment, return_type
FROM duckdb_functions() WHERE {_OWN} AND function_type IN ('macro', 'table_macro')
ORDER BY schema_name, function_name
"""
DEFAULT = "main"

_Name = tuple[str, str]


def read(database: Database, schemas: Sequence[str]) -> Catalog:
    """Return the structure of the file; with `schemas`, of those alone."""
    wanted = {name.casefold() for name in schemas}

    def rows(sql: str) -> list[Row]:
        return [r for r in database.fetch(sql) if not wanted or r[0].casefold() in wanted]

    def names(name: _Name) -> tuple[str | None, str]:
        schema = name[0] if wanted or name[0] != DEFAULT else None
        return schema, table_id(name[1], schema)

    columns = _grouped(rows(_COLUMNS))
    constraints = _grouped(rows(_CONSTRAINTS))
    indexes = _grouped(rows(_INDEXES))
    tables = []
    for is_view, found in ((False, rows(_TABLES)), (True, rows(_VIEWS))):
        for schema_name, object_name, comment, definition in found:
            name = (schema_name, object_name)
            schema, full = names(name)
            rules = constraints.get(name, [])
            tables.append(
                Table(
                    name=full,
                    object_name=object_name,
                    schema=schema,
                    kind="view" if is_view else "table",
                    columns=tuple(_column(row) for row in columns.get(name, [])),
                    primary_key=next(iter(_keys(rules, "PRIMARY KEY")), None),
                    unique=_keys(rules, "UNIQUE"),
                    foreign_keys=_links(full, rules, schema, wanted),
                    checks=tuple(Check(r[2]) for r in rules if r[0] == "CHECK"),
                    indexes=tuple(_index(row) for row in indexes.get(name, [])),
                    comment=comment,
                    definition=definition,
                )
            )
    return Catalog(
        dialect="duckdb",
        database=database.source.database,
        default_schema=DEFAULT,
        tables=tuple(sorted(tables, key=lambda t: t.name)),
        routines=tuple(_macro(row) for row in rows(_MACROS)),
    )


def _grouped(rows: Sequence[Row]) -> dict[_Name, list[Row]]:
    grouped: dict[_Name, list[Row]] = {}
    for schema, table, *rest in rows:
        grouped.setdefault((schema, table), []).append(tuple(rest))
    return grouped


def _column(row: Row) -> Column:
    name, native_type, nullable, default, comment = row
    return Column(
        name=name,
        native_type=native_type,
        family=family(native_type, "duckdb"),
        nullable=bool(nullable),
        default=default,
        identity="nextval(" in (default or "").casefold(),
        comment=comment,
        enum_members=_members(native_type),
    )


def _members(native_type: str) -> tuple[str, ...]:
    if not native_type.startswith("ENUM("):
        return ()
    from pipeline.database.sqlite_ddl import tokens, unquoted

    return tuple(unquoted(t.text) for t in tokens(native_type) if t.kind == "text")


def _keys(rules: Sequence[Row], kind: str) -> tuple[Key, ...]:
    keys = [Key(tuple(r[1])) for r in rules if r[0] == kind]
    return tuple(sorted(keys, key=lambda k: k.columns))


def _links(
    table: str, rules: Sequence[Row], schema: str | None, wanted: set[str]
) -> tuple[Link, ...]:
    links = {
        link.key: link
        for link in (
            Link(
                table=table,
                columns=tuple(r[1]),
                to_table=table_id(r[3], schema if schema or wanted else None),
                to_columns=tuple(r[4]),
            )
            for r in rules
            if r[0] == "FOREIGN KEY"
        )
    }
    return tuple(sorted(links.values(), key=lambda k: (k.columns, k.to_table, k.to_columns)))


def _index(row: Row) -> Index:
    name, is_unique, expressions = row
    terms = [e.strip().strip("'\"") for e in str(expressions).strip("[]").split(",")]
    return Index(name, tuple(terms), bool(is_unique))


def _macro(row: Row) -> Routine:
    schema, name, parameters, comment, returns = row
    arguments: Any = parameters or []
    return Routine(
        name=table_id(name, None if schema == DEFAULT else schema),
        kind="function",
        arguments=", ".join(map(str, arguments)),
        returns=returns,
        comment=comment,
    )
