"""The columns of views, from their queries."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pipeline.database.ddl.drafts import Draft, Script
from pipeline.database.families import family
from schemas.facts import Column, TypeFamily

_NOWHERE = "dblore_default"
"""Stands for the schema where a dialect has no default."""
_TYPES: dict[TypeFamily, str] = {
    "integer": "bigint",
    "decimal": "decimal",
    "float": "double",
    "text": "varchar",
    "enum": "varchar",
    "boolean": "boolean",
    "date": "date",
    "time": "time",
    "timestamp": "timestamp",
    "interval": "interval",
    "binary": "varbinary",
    "json": "json",
    "uuid": "uuid",
    "xml": "xml",
}
"""What sqlglot is told of a column, so that it tells what an expression makes of it."""


def find_columns(script: Script, dialect: str) -> list[Draft]:
    """Give views, and tables made by a query, their columns; return those that it can't be told.

    A column that a query takes over from a table has its type; of an expression the family alone
    is told, where it can be.
    """
    todo = [draft for draft in script.tables.values() if draft.query is not None]
    resolver = _Resolver(script, dialect)
    lost = []
    while todo:  # those that read others after them
        waiting = []
        for draft in todo:
            if resolver.reads_any(draft, todo):
                waiting.append(draft)
                continue
            draft.columns = resolver.columns(draft)
            if not draft.columns:
                lost.append(draft)
        if len(waiting) == len(todo):
            return lost + waiting
        todo = waiting
    return lost


class _Resolver:
    def __init__(self, script: Script, dialect: str) -> None:
        from sqlglot.schema import MappingSchema

        self._script, self._dialect = script, dialect
        self._trees: dict[int, Any] = {}
        self._schema = MappingSchema(dialect=dialect, normalize=False)
        self._columns: dict[tuple[str, str], dict[str, Column]] = {}
        for draft in script.tables.values():
            if draft.query is None:
                self._add(draft, draft.columns)

    def _spelled(self, name: str | None) -> str:
        """Return a name as sqlglot compares it."""
        return (name or _NOWHERE) if self._script.has_twins else (name or _NOWHERE).lower()

    def _add(self, draft: Draft, columns: Iterable[Column]) -> None:
        from sqlglot import exp

        schema, table = map(self._spelled, draft.name)
        by_name = {self._spelled(column.name): column for column in columns}
        self._columns[(schema, table)] = by_name
        types = {name: _TYPES.get(column.family, "unknown") for name, column in by_name.items()}
        if types:
            self._schema.add_table(exp.table_(table, db=schema, quoted=True), types)

    def _tree(self, draft: Draft) -> Any:
        from sqlglot import exp, parse_one
        from sqlglot.errors import SqlglotError

        if id(draft) not in self._trees:
            logging.getLogger("sqlglot").setLevel(logging.ERROR)
            try:
                tree = parse_one(draft.query or "", dialect=self._dialect)
            except (SqlglotError, RecursionError):
                tree = None
            self._trees[id(draft)] = tree if isinstance(tree, exp.Query) else None
        return self._trees[id(draft)]

    def reads_any(self, draft: Draft, others: Iterable[Draft]) -> bool:
        """Whether a view reads one of the others."""
        from sqlglot import exp

        tree = self._tree(draft)
        if tree is None:
            return False
        names = {self._spelled(table.name) for table in tree.find_all(exp.Table)}
        return any(o is not draft and self._spelled(o.name[1]) in names for o in others)

    def columns(self, draft: Draft) -> list[Column]:
        """Return the columns of a view; none if they can't be told."""
        from sqlglot.errors import SqlglotError

        tree = self._tree(draft)
        if tree is None:
            return self._named(draft, [])
        written = _written(tree)
        try:
            found = self._selected(tree.copy())
        except (SqlglotError, RecursionError):
            found = None
        if found is None:
            names = [] if "*" in written or "" in written else written
            return self._named(draft, [Column(n, "", "other") for n in names])
        spelled = {name.casefold(): name for name in written}
        columns: dict[str, Column] = {}
        for name, origin in found:
            own = spelled.get(name.casefold(), name if origin is None else _own(name, origin))
            if own in columns:  # SQLite numbers them
                own = next(f"{own}:{n}" for n in range(1, 1000) if f"{own}:{n}" not in columns)
            columns[own] = _taken_over(own, origin, with_comment=self._dialect == "mysql")
        return self._named(draft, list(columns.values()))

    def _named(self, draft: Draft, columns: list[Column]) -> list[Column]:
        if draft.named:
            padded = columns if len(columns) == len(draft.named) else [None] * len(draft.named)
            columns = [
                replace(column, name=name) if column else Column(name, "", "other")
                for name, column in zip(draft.named, padded, strict=True)
            ]
        self._add(draft, columns)
        return columns

    def _selected(self, tree: Any) -> list[tuple[str, Column | None]] | None:
        from sqlglot.optimizer.annotate_types import annotate_types
        from sqlglot.optimizer.qualify import qualify
        from sqlglot.optimizer.scope import build_scope

        default = self._spelled(self._script.schema)
        qualified = qualify(
            tree,
            dialect=self._dialect,
            schema=self._schema,
            db=default,
            validate_qualify_columns=False,
            identify=False,
            quote_identifiers=False,
        )
        scope = build_scope(qualified)
        if scope is None or any(select.is_star for select in qualified.selects):
            return None
        annotate_types(qualified, schema=self._schema, dialect=self._dialect)
        return [
            (select.alias_or_name, self._origin(select.unalias(), scope) or self._computed(select))
            for select in qualified.selects
        ]

    def _computed(self, select: Any) -> Column | None:
        kind = select.unalias().type
        if kind is None or kind.is_type("unknown", "null"):
            return None
        found = family(kind.sql(), self._dialect)
        return Column("", "", found)

    def _origin(self, select: Any, scope: Any, depth: int = 0) -> Column | None:
        """Return the column of a table that an expression takes over."""
        from sqlglot import exp

        while scope.is_set_operation and scope.set_operation_scopes:
            scope = scope.set_operation_scopes[0]  # the first branch names the columns
        if depth and isinstance(select, str):
            found = [s for s in scope.expression.selects if s.alias_or_name == select]
            select = found[0].unalias() if found else None
        if not isinstance(select, exp.Column) or depth > 20:
            return None
        source = scope.sources.get(select.table)
        if isinstance(source, exp.Table):
            key = (self._spelled(source.db or None), self._spelled(source.name))
            return self._columns.get(key, {}).get(self._spelled(select.name))
        return None if source is None else self._origin(select.name, source, depth + 1)


def _own(name: str, origin: Column) -> str:
    """Return a name that only `*` gave as the table spells it."""
    return origin.name if origin.name.casefold() == name.casefold() else name


def _taken_over(name: str, origin: Column | None, *, with_comment: bool) -> Column:
    """Return a view's column; MySQL's takes the comment over as well."""
    if origin is None:
        return Column(name, "", "other")
    members = origin.enum_members if origin.family == "enum" else ()
    comment = origin.comment if with_comment else None
    return Column(name, origin.native_type, origin.family, comment=comment, enum_members=members)


def _written(tree: Any) -> list[str]:
    """Return the names that the query's text gives its columns; `*` and '' where it gives none."""
    while tree.key in ("union", "except", "intersect", "subquery"):
        tree = tree.this
    return [select.alias_or_name or ("*" if select.is_star else "") for select in tree.selects]


def comments_of(draft: Draft, comments: Mapping[str, str]) -> None:
    """Give a view's columns the comments that were made on them."""
    for name, text in comments.items():
        place = draft.column(name)
        if place is not None:
            draft.columns[place] = replace(draft.columns[place], comment=text or None)
