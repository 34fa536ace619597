"""The structure of a DuckDB file, from DuckDB's own catalogue functions.

SQLAlchemy's reflection of DuckDB is broken (duckdb-engine 0.17), so it isn't used. The number of
statements doesn't depend on how much there is. Views alone are bound one by one, in this process:
DuckDB keeps the columns that a view had when it was made, also of one that can't be read any more.
Constraints have no names: DuckDB forgets those that people gave, and shows made-up ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pipeline.database.connect import Row
from pipeline.database.families import family
from pipeline.database.names import table_id
from pipeline.database.sqlite_ddl import (
    folded,
    index_parts,
    members_of_check,
    tokens,
    unquoted,
    without_parentheses,
)
from pipeline.errors import QueryError, SourceError
from schemas.facts import Catalog, Check, Column, Index, Key, Link, Routine, Table, Unreadable

DEFAULT = "main"

# A schema within a schema (DuckDB 2) may be called as another one is; only its number tells.
_HERE = (
    "database_name = current_database() AND NOT internal AND schema_oid NOT IN"
    " (SELECT oid FROM duckdb_schemas() WHERE parent_schema IS NOT NULL)"
)
_ALSO_INTERNAL = _HERE.replace(" AND NOT internal", "")  # where there is no such column
_TABLES = f"""
SELECT schema_name, table_name, comment, NULL FROM duckdb_tables() WHERE {_HERE}
"""
_VIEWS = f"SELECT schema_name, view_name, comment, sql FROM duckdb_views() WHERE {_HERE}"
_COLUMNS = f"""
SELECT schema_name, table_name, column_name, data_type, is_nullable, column_default,
       generation_expression, comment
FROM duckdb_columns() WHERE {_HERE} ORDER BY schema_name, table_name, column_index
"""
_CONSTRAINTS = f"""
SELECT schema_name, table_name, constraint_type, constraint_column_names,
       coalesce(expression, constraint_text), referenced_table, referenced_column_names
FROM duckdb_constraints() WHERE {_ALSO_INTERNAL} ORDER BY schema_name, table_name, constraint_index
"""
_INDEXES = f"""
SELECT schema_name, table_name, index_name, is_unique, sql
FROM duckdb_indexes() WHERE {_ALSO_INTERNAL} ORDER BY schema_name, table_name, index_name
"""
_MACROS = """
SELECT schema_name, function_name, function_type, parameters, parameter_types, comment
FROM duckdb_functions() WHERE database_name = current_database() AND NOT internal
     AND function_type IN ('macro', 'table_macro')
"""
_TRIGGERS = f"""
SELECT schema_name, table_name, trigger_name, action_timing, event_manipulation, columns, comment
FROM duckdb_triggers() WHERE {_ALSO_INTERNAL}
"""
_INNER_SCHEMAS = """
SELECT parent_schema, schema_name FROM duckdb_schemas()
WHERE database_name = current_database() AND parent_schema IS NOT NULL
"""
_EVERYTHING = (
    _TABLES, _VIEWS, _COLUMNS, _CONSTRAINTS, _INDEXES, _MACROS, _TRIGGERS, _INNER_SCHEMAS,
)  # fmt: skip

_NUMBERED = re.compile(r"(?i)\s*nextval\s*\(")

_Name = tuple[str, str]


class Session(Protocol):
    """What is asked of an open file."""

    def fetch(self, sql: str) -> list[Row]:
        """Run SQL of our own and return all rows."""

    def shape(self, sql: str) -> list[tuple[str, str]]:
        """Return the names and types of the columns of a query, which isn't run."""

    def table(self, table: Table) -> str:
        """Return a table's qualified name as SQL."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What the catalogue says, by schema and table."""

    columns: Mapping[_Name, list[Row]]
    constraints: Mapping[_Name, list[Row]]
    indexes: Mapping[_Name, list[Row]]


def read(session: Session, database: str, schemas: Sequence[str]) -> Catalog:
    """Return the structure of the file called `database`; with `schemas`, of those alone."""
    wanted = {name.casefold() for name in schemas}

    def rows(sql: str) -> list[Row]:
        return [r for r in session.fetch(sql) if not wanted or r[0].casefold() in wanted]

    def schema_in_name(schema: str) -> str | None:
        return schema if wanted or schema != DEFAULT else None

    found = _Found(*(_grouped(rows(sql)) for sql in (_COLUMNS, _CONSTRAINTS, _INDEXES)))
    tables = [_table(r, schema_in_name(r[0]), found) for r in rows(_TABLES)]
    views = [_view(session, r, schema_in_name(r[0]), found) for r in rows(_VIEWS)]
    tables += [view for view in views if isinstance(view, Table)]
    unreadable = [_inner_schema(row) for row in rows(_INNER_SCHEMAS)]
    unreadable += [view for view in views if isinstance(view, Unreadable)]
    return Catalog(
        dialect="duckdb",
        database=database,
        default_schema=DEFAULT,
        tables=tuple(sorted(tables, key=lambda t: t.name)),
        routines=_routines(rows(_MACROS), rows(_TRIGGERS), schema_in_name),
        unreadable=tuple(sorted(unreadable, key=lambda u: (u.name, u.kind))),
    )


def rows_of_structure(session: Session) -> list[Row]:
    """Return rows that change whenever what `read` returns does, apart from what views lead to."""
    return [row for sql in _EVERYTHING for row in sorted(session.fetch(sql), key=str)]


def _grouped(rows: Iterable[Row]) -> dict[_Name, list[Row]]:
    grouped: dict[_Name, list[Row]] = {}
    for schema, table, *rest in rows:
        grouped.setdefault((schema, table), []).append(tuple(rest))
    return grouped


def _table(row: Row, schema: str | None, found: _Found) -> Table:
    name: _Name = row[:2]
    full = table_id(row[1], schema)
    rules = found.constraints.get(name, [])
    checks = [Check(r[2]) for r in rules if r[0] == "CHECK"]
    members = dict(filter(None, (members_of_check(check.expression) for check in checks)))
    return Table(
        name=full,
        object_name=row[1],
        schema=schema,
        columns=tuple(_column(r, members) for r in found.columns.get(name, [])),
        primary_key=next(iter(_keys(rules, "PRIMARY KEY")), None),
        unique=_keys(rules, "UNIQUE"),
        foreign_keys=_links(full, rules, schema),
        checks=tuple(sorted(checks, key=lambda check: check.expression)),
        indexes=tuple(_index(r) for r in found.indexes.get(name, [])),
        comment=row[2] or None,
    )


def _view(session: Session, row: Row, schema: str | None, found: _Found) -> Table | Unreadable:
    """Return a view with the columns that it has today, or why it can't be read."""
    _, own, comment, definition = row
    comments = {r[0]: r[5] or None for r in found.columns.get((row[0], own), [])}
    view = Table(
        name=table_id(own, schema),
        object_name=own,
        schema=schema,
        kind="view",
        comment=comment or None,
        definition=definition,
    )
    try:
        shape = session.shape(f"SELECT * FROM {session.table(replace(view, schema=row[0]))}")
    except (QueryError, SourceError) as error:
        cause = error.__cause__ or error
        return Unreadable(view.name, "view", type(cause).__name__, error.problem)
    columns = (_column((n, kind, True, None, None, comments.get(n)), {}) for n, kind in shape)
    return replace(view, columns=tuple(columns))


def _inner_schema(row: Row) -> Unreadable:
    outer, inner = row
    return Unreadable(
        name=table_id(inner, outer),
        kind="schema",
        error_class=NotImplementedError.__name__,
        problem="it is a schema within a schema, whose tables aren't read",
    )


def _column(row: Row, members: Mapping[str, tuple[str, ...]]) -> Column:
    name, native_type, nullable, default, expression, comment = row
    return Column(
        name=name,
        native_type=native_type,
        family=family(native_type, "duckdb"),
        nullable=bool(nullable),
        default=None if expression else default,
        generated="virtual" if expression else None,
        expression=expression,
        identity=_NUMBERED.match(default or "") is not None,
        comment=comment or None,
        enum_members=_members(native_type) or members.get(folded(name), ()),
    )


def _members(native_type: str) -> tuple[str, ...]:
    if not native_type.startswith("ENUM(") or native_type.endswith("]"):
        return ()
    return tuple(unquoted(t.text) for t in tokens(native_type) if t.kind == "text")


def _keys(rules: Sequence[Row], kind: str) -> tuple[Key, ...]:
    keys = {Key(tuple(r[1])) for r in rules if r[0] == kind}
    return tuple(sorted(keys, key=lambda k: k.columns))


def _links(table: str, rules: Sequence[Row], schema: str | None) -> tuple[Link, ...]:
    """Return the foreign keys, each once; DuckDB has none that lead to another schema."""
    links = {
        Link(
            table=table,
            columns=tuple(r[1]),
            to_table=table_id(r[3], schema),
            to_columns=tuple(r[4]),
        )
        for r in rules
        if r[0] == "FOREIGN KEY"
    }
    return tuple(sorted(links, key=lambda k: (k.columns, k.to_table, k.to_columns)))


def _index(row: Row) -> Index:
    name, is_unique, sql = row
    written, where = index_parts(sql or "")
    return Index(name, tuple(map(_term, written)), bool(is_unique), where)


def _term(text: str) -> str:
    """Return the name of the column that an index is on, or the expression."""
    plain = without_parentheses(text)
    return unquoted(plain) if len(tokens(plain)) == 1 else plain


def _routines(
    macros: Iterable[Row], triggers: Iterable[Row], schema_in_name: Callable[[str], str | None]
) -> tuple[Routine, ...]:
    found = [_macro(row, schema_in_name(row[0])) for row in macros]
    for schema, table, name, when, event, columns, comment in triggers:
        of = f" OF {', '.join(columns)}" if columns else ""
        found.append(
            Routine(
                name=name,
                kind="trigger",
                arguments=f"{when} {event}{of}",
                comment=comment or None,
                table=table_id(table, schema_in_name(schema)),
            )
        )
    return tuple(sorted(found, key=lambda r: (r.table or "", r.name, r.arguments, r.kind)))


def _macro(row: Row, schema: str | None) -> Routine:
    _, name, kind, parameters, types, comment = row
    arguments = [
        f"{own} {of_type}" if of_type else own
        for own, of_type in zip(parameters or (), types or (), strict=True)
    ]
    return Routine(
        name=table_id(name, schema),
        kind="function",
        arguments=", ".join(arguments),
        returns="TABLE" if kind == "table_macro" else None,
        comment=comment or None,
    )
