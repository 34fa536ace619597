"""The structure of any database that SQLAlchemy can reflect, a few statements a schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import exc, inspect
from sqlalchemy.engine.reflection import Inspector, ObjectKind, ObjectScope

from pipeline.database.families import family
from pipeline.database.names import table_id
from pipeline.database.servers.generic import GenericDatabase
from pipeline.errors import DbloreError, SourceError
from schemas.facts import Catalog, Check, Column, Index, Key, Link, Routine, Table, TableKind

_ALL_SCHEMAS = {"postgres", "tsql"}
"""Dialects whose user schemas are all scanned when none is chosen."""
_SYSTEM = {
    "information_schema", "pg_catalog", "pg_toast", "sys", "guest", "mysql", "performance_schema",
}  # fmt: skip
_CHARSET = re.compile(r" (CHARACTER SET|COLLATE) \S+")
_FAILURES = (exc.SQLAlchemyError, NotImplementedError, AttributeError, KeyError, TypeError)

_ROUTINES = {
    "mysql": """
        SELECT routine_schema, routine_name, lower(routine_type), '', data_type,
               nullif(routine_comment, '')
        FROM information_schema.routines WHERE routine_schema = database() ORDER BY 1, 2""",
}

_Name = tuple[str | None, str]


@dataclass(frozen=True, slots=True)
class _Parts:
    """What reflection said, each by (schema, name)."""

    columns: Mapping[_Name, Any]
    primary_keys: Mapping[_Name, Any]
    foreign_keys: Mapping[_Name, Any]
    unique: Mapping[_Name, Any]
    checks: Mapping[_Name, Any]
    indexes: Mapping[_Name, Any]
    comments: Mapping[_Name, Any]


class _Reader:
    """Reads one database; collects notes on what its driver can't tell."""

    def __init__(self, database: GenericDatabase, schemas: Sequence[str]) -> None:
        self.database = database
        self.dialect = database.dialect
        self.inspector: Inspector = inspect(database.engine)
        self.default = self.inspector.default_schema_name
        self.chosen = tuple(schemas)
        self.notes: list[str] = []

    def read(self) -> Catalog:
        tables: list[Table] = []
        for schema in self._schemas():
            tables += self._schema(schema)
        known = {table.name for table in tables}
        return Catalog(
            dialect=self.dialect,
            database=self.database.source.database,
            default_schema=self.default,
            tables=tuple(sorted((_with_external(t, known) for t in tables), key=lambda t: t.name)),
            routines=self._routines(),
            notes=tuple(dict.fromkeys(self.notes)),
        )

    def _schemas(self) -> list[str | None]:
        if self.chosen:
            return list(self.chosen)
        if self.dialect not in _ALL_SCHEMAS:
            return [None]
        names = [n for n in self.inspector.get_schema_names() if n.casefold() not in _SYSTEM]
        return [None if n == self.default else n for n in sorted(names) if not n.startswith("db_")]

    def _schema(self, schema: str | None) -> list[Table]:
        parts = _Parts(
            columns=self._bulk("columns", schema),
            primary_keys=self._bulk("pk_constraint", schema),
            foreign_keys=self._bulk("foreign_keys", schema),
            unique=self._bulk("unique_constraints", schema),
            checks=self._bulk("check_constraints", schema),
            indexes=self._bulk("indexes", schema),
            comments=self._bulk("table_comment", schema),
        )
        views = set(self._tried("views", lambda: self.inspector.get_view_names(schema), []))
        stored = set(
            self._tried(
                "materialized views",
                lambda: self.inspector.get_materialized_view_names(schema),
                [],
            )
        )
        tables = []
        for key in sorted(parts.columns, key=lambda k: k[1]):
            name = key[1]
            kind: TableKind = (
                "materialized_view" if name in stored else "view" if name in views else "table"
            )
            tables.append(self._table(key, schema, kind, parts))
        return tables

    def _bulk(self, what: str, schema: str | None) -> Mapping[_Name, Any]:
        method = getattr(self.inspector, f"get_multi_{what}")
        found: Mapping[_Name, Any] = self._tried(
            what.replace("_", " "),
            lambda: method(schema=schema, kind=ObjectKind.ANY, scope=ObjectScope.DEFAULT),
            {},
        )
        return found

    def _tried(self, what: str, ask: Callable[[], Any], otherwise: Any) -> Any:
        try:
            return ask()
        except _FAILURES as error:
            if what == "columns":
                raise SourceError(
                    f"the columns of {self.database.source.shown} can't be read: "
                    f"{self.database.source.safe(type(error).__name__)}",
                    fix="give the login the right to read the catalogue, or update the driver",
                ) from error
            if what == "materialized views" and isinstance(error, NotImplementedError):
                return otherwise  # the engine has none
            self.notes.append(f"{what} can't be read with this driver ({type(error).__name__})")
            return otherwise

    def _table(self, key: _Name, schema: str | None, kind: TableKind, parts: _Parts) -> Table:
        name = table_id(key[1], schema)
        primary = parts.primary_keys.get(key) or {}
        unique = parts.unique.get(key) or []
        names = {u.get("name") for u in unique}
        indexes = [
            i
            for i in parts.indexes.get(key) or []
            if not i.get("duplicates_constraint") and i.get("name") not in names
        ]
        definition = None
        if "view" in kind:
            definition = self._tried(
                "view definitions",
                lambda: self.inspector.get_view_definition(key[1], schema),
                None,
            )
        return Table(
            name=name,
            object_name=key[1],
            schema=schema,
            kind=kind,
            columns=tuple(self._column(c) for c in parts.columns[key]),
            primary_key=_key(primary, "constrained_columns"),
            unique=tuple(
                sorted(
                    (k for u in unique if (k := _key(u, "column_names"))), key=lambda k: k.columns
                )
            ),
            foreign_keys=self._links(name, parts.foreign_keys.get(key) or []),
            checks=tuple(
                sorted(
                    (Check(c["sqltext"], c.get("name")) for c in parts.checks.get(key) or []),
                    key=lambda c: (c.expression, c.name or ""),
                )
            ),
            indexes=tuple(sorted(map(_index, indexes), key=lambda i: i.name)),
            comment=(parts.comments.get(key) or {}).get("text") or None,
            definition=definition,
        )

    def _column(self, column: Mapping[str, Any]) -> Column:
        native_type = self._native(column["type"])
        computed = column.get("computed") or {}
        default = column.get("default")
        numbered = bool(column.get("identity")) or "nextval(" in str(default or "")
        return Column(
            name=column["name"],
            native_type=native_type,
            family="enum"
            if getattr(column["type"], "enums", None)
            else family(native_type, self.dialect),
            nullable=bool(column.get("nullable", True)),
            default=None if computed or default is None else str(default),
            generated=None
            if not computed
            else "stored"
            if computed.get("persisted") is not False
            else "virtual",
            expression=computed.get("sqltext"),
            identity=numbered or (column.get("autoincrement") is True and self.dialect == "mysql"),
            comment=column.get("comment") or None,
            enum_members=tuple(getattr(column["type"], "enums", None) or ()),
        )

    def _native(self, kind: Any) -> str:
        try:
            text = str(kind.compile(self.database.engine.dialect))
            text = _CHARSET.sub("", text)
        except _FAILURES:
            text = str(kind)
        return "" if text == "NULL" else text

    def _links(self, table: str, keys: Sequence[Mapping[str, Any]]) -> tuple[Link, ...]:
        links: dict[object, Link] = {}
        for key in keys:
            schema = key.get("referred_schema")
            if schema == self.default and not self.chosen:
                schema = None
            link = Link(
                table=table,
                columns=tuple(key["constrained_columns"]),
                to_table=table_id(key["referred_table"], schema),
                to_columns=tuple(key["referred_columns"]),
                name=key.get("name"),
            )
            links.setdefault(link.key, link)
        return tuple(sorted(links.values(), key=lambda k: (k.columns, k.to_table, k.to_columns)))

    def _routines(self) -> tuple[Routine, ...]:
        sql = _ROUTINES.get(self.dialect)
        if sql is None:
            return ()
        try:
            rows = self.database.fetch(sql)
        except DbloreError:
            self.notes.append("routines can't be read with this login")
            return ()
        return tuple(
            Routine(
                name=table_id(name, None if schema == self.default else schema),
                kind=kind,
                arguments=arguments or "",
                returns=returns,
                comment=comment,
            )
            for schema, name, kind, arguments, returns, comment in rows
            if not self.chosen or schema in self.chosen
        )


def read(database: GenericDatabase, schemas: Sequence[str]) -> Catalog:
    """Return the structure; raises SourceError when not even columns can be read."""
    reader = _Reader(database, schemas)
    try:
        return reader.read()
    except exc.SQLAlchemyError as error:
        raise SourceError(
            f"the catalogue of {database.source.shown} can't be read: "
            f"{database.source.safe(getattr(error, 'orig', error))}",
            fix="give the login of `source:` the right to read the catalogue",
        ) from error


def _key(found: Mapping[str, Any], field: str) -> Key | None:
    columns = tuple(found.get(field) or ())
    return Key(columns, found.get("name")) if columns else None


def _index(found: Mapping[str, Any]) -> Index:
    expressions = found.get("expressions") or found.get("column_names") or ()
    where = next(
        (v for k, v in (found.get("dialect_options") or {}).items() if "_where" in k), None
    )
    return Index(
        name=str(found.get("name") or ""),
        columns=tuple(str(e) for e in expressions),
        unique=bool(found.get("unique")),
        where=None if where is None else str(where),
    )


def _with_external(table: Table, known: set[str]) -> Table:
    links = tuple(
        link if link.to_table in known else replace(link, state="external")
        for link in table.foreign_keys
    )
    return replace(table, foreign_keys=links)
