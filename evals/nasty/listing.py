"""What a database itself says it holds: asked without the scan, to compare the scan with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.database.connect import Database

_SQL = {
    "sqlite": "SELECT '', name, type FROM sqlite_master WHERE type IN ('table', 'view')",
    "duckdb": (
        "SELECT schema_name, table_name, 'table' FROM duckdb_tables() WHERE NOT internal "
        "UNION ALL SELECT schema_name, view_name, 'view' FROM duckdb_views() WHERE NOT internal "
        "UNION ALL SELECT schema_name, sequence_name, 'sequence' FROM duckdb_sequences()"
    ),
    "postgres": (
        "SELECT n.nspname, c.relname, CASE WHEN c.relispartition THEN 'partition' "
        "WHEN c.relkind = 'S' THEN 'sequence' ELSE 'table' END "
        "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') "
        "AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'"
    ),
    "mysql": (
        "SELECT '', table_name, CASE table_type WHEN 'SEQUENCE' THEN 'sequence' ELSE 'table' END "
        "FROM information_schema.tables WHERE table_schema = DATABASE()"
    ),
}
_COLUMNS = {
    "duckdb": (
        "SELECT schema_name, table_name, column_name FROM duckdb_columns() WHERE NOT internal "
        "ORDER BY schema_name, table_name, column_index"
    ),
    "postgres": (
        "SELECT n.nspname, c.relname, a.attname FROM pg_attribute a "
        "JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm', 'f') "
        "AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' "
        "ORDER BY n.nspname, c.relname, a.attnum"
    ),
    "mysql": (
        "SELECT '', table_name, column_name FROM information_schema.columns "
        "WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position"
    ),
}
_SCHEMAS = {
    "duckdb": "SELECT schema_name FROM duckdb_schemas() WHERE NOT internal",
    "postgres": "SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%'",
}
_FORBIDDEN = {
    "postgres": (
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT LIKE 'pg\\_%' "
        "AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') "
        "AND NOT row_security_active(c.oid))"
    ),
}
_LONGEST = {"postgres": 63, "mysql": 64}
_ENGINE_WORDS = {"mysql": "mariadb"}
DEFAULT_SCHEMAS = {"postgres": "public", "duckdb": "main"}


@dataclass(frozen=True, slots=True)
class Target:
    """An object of a manifest, as the database knows it."""

    schema: str
    """'' in the default schema and where there are none."""
    table: str
    """'' of a schema."""
    column: str = ""
    kind: str = "table"
    """`table`, `view`, `sequence`, `partition`, `column`, `schema`, `comment`."""

    def __str__(self) -> str:
        return ".".join(part for part in (self.schema, self.table, self.column) if part)


@dataclass(frozen=True)
class Listing:
    """Tables with their kind, and columns where the engine lists them."""

    dialect: str
    kinds: Mapping[tuple[str, str], str]
    columns: Mapping[tuple[str, str], list[str]] = field(default_factory=dict)
    schemas: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    """Tables that the login may not read in full."""

    @property
    def engine(self) -> str:
        """The word by which manifests call the engine."""
        return _ENGINE_WORDS.get(self.dialect, self.dialect)

    def find(self, name: str) -> Target | None:
        """Return what a manifest calls `name`; None when this database hasn't got it."""
        only = re.fullmatch(r"(.+) \((\w+)\)", name)
        if only and only[2] in ("sqlite", "duckdb", "postgres", "mariadb"):
            return self.find(only[1]) if only[2] == self.engine else None
        if name.startswith("comment of "):
            found = self.find(name.removeprefix("comment of "))
            return found and Target(found.schema, found.table, kind="comment")
        return self._table("", name) or self._dotted(name) or self._schema(name)

    def _table(self, schema: str, name: str) -> Target | None:
        if self.dialect in _LONGEST and (schema, name) not in self.kinds:
            name = name[: _LONGEST[self.dialect]]
        kind = self.kinds.get((schema, name))
        return Target(schema, name, kind=kind) if kind else None

    def _dotted(self, name: str) -> Target | None:
        first, dot, last = name.partition(".")
        if not dot:
            return None
        table = self._table("", first)
        if table and last in self.columns.get(("", first), [last]):
            return Target("", first, last, kind="column")
        return self._table(first, last)

    def _schema(self, name: str) -> Target | None:
        return Target(name, "", kind="schema") if name in self.schemas else None


def read(database: Database) -> Listing:
    """Ask a database what it holds."""
    dialect, plain = database.dialect, DEFAULT_SCHEMAS.get(database.dialect, "")

    def named(schema: str) -> str:
        return "" if schema == plain else schema

    kinds = {(named(row[0]), row[1]): row[2] for row in database.fetch(_SQL[dialect])}
    columns: dict[tuple[str, str], list[str]] = {}
    if dialect in _COLUMNS:
        for schema, table, column in database.fetch(_COLUMNS[dialect]):
            columns.setdefault((named(schema), table), []).append(column)
    schemas = [row[0] for row in database.fetch(_SCHEMAS[dialect])] if dialect in _SCHEMAS else []
    closed = database.fetch(_FORBIDDEN[dialect]) if dialect in _FORBIDDEN else []
    return Listing(dialect, kinds, columns, frozenset(schemas), frozenset(row[0] for row in closed))
