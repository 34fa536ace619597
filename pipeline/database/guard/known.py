"""What the guard looks up in a catalogue, by name: each look-up is one step, whatever its size."""

from __future__ import annotations

import re
import string
import weakref
from collections.abc import Sequence
from functools import cached_property

from schemas.facts import Catalog, Table

_DEFAULT_SCHEMAS = {
    "sqlite": {"main"},
    "duckdb": {"main"},
    "postgres": {"public"},
    "redshift": {"public"},
    "tsql": {"dbo"},
    "fabric": {"dbo"},
}
_EXACT = frozenset(["postgres", "mysql"])
"""Dialects in which names that differ in case may name different tables."""

_SCHEMA_FIRST = frozenset(["postgres", "redshift", "tsql", "fabric"])
"""Dialects in which `a.b` is never a table b of the database a."""

_TO_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_ROUTINE = re.compile(r'(?:(?P<schema>"(?:[^"]|"")*"|[^".]+)\.)?(?P<name>"(?:[^"]|"")*"|[^".]+)')


def folded(identifier: object, dialect: str) -> str:
    """Return a name (a sqlglot identifier) as the engine compares it with the catalogue's."""
    args = identifier.args  # type: ignore[attr-defined]  # sqlglot is loaded late, so untyped
    name = args["this"]
    if not isinstance(name, str):
        name = str(identifier.name)  # type: ignore[attr-defined]  # as above
    if dialect not in _EXACT:
        return name.casefold()
    # PostgreSQL folds plain letters only; MySQL tells Orders from orders on most systems.
    return name if dialect == "mysql" or args.get("quoted") else name.translate(_TO_LOWER)


class Known:
    """The tables, columns and routines of one catalogue by their names."""

    def __init__(self, catalog: Catalog) -> None:
        self.tables = catalog.tables
        self._dialect = catalog.dialect
        self._database = self._key(catalog.database)
        self._default = self._key(catalog.default_schema or "")
        usual = _DEFAULT_SCHEMAS.get(catalog.dialect, set())
        self._above_unnamed = {self._default} if self._default else set(usual)
        if catalog.dialect not in _SCHEMA_FIRST:
            self._above_unnamed.add(self._database)
        self._by_name: dict[str, list[Table]] = {}
        for table in catalog.tables:
            self._by_name.setdefault(self._key(table.object_name), []).append(table)
        self._routines = [
            _schema_and_name(routine.name)
            for routine in catalog.routines
            if routine.kind != "trigger"
        ]
        self.routines = frozenset(name for _, name in self._routines)
        self._columns: dict[str, tuple[str, ...]] = {}

    def _key(self, name: str) -> str:
        return name if self._dialect in _EXACT else name.casefold()

    def find(self, parts: Sequence[str]) -> Table | None:
        """Return the table of that folded name: `table`, `schema.table` or with a database.

        A bare name means a table of the default schema, as for the engine.
        """
        *above, name = parts
        for table in self._by_name.get(name, ()):
            if self._is_above(table, above) if above else self._is_default(table):
                return table
        return None

    def _is_default(self, table: Table) -> bool:
        return table.schema is None or self._key(table.schema) == self._default

    def _is_above(self, table: Table, above: Sequence[str]) -> bool:
        if table.schema is None:
            if above[-1] not in self._above_unnamed:
                return False
        elif above[-1] != self._key(table.schema):
            return False
        return len(above) == 1 or above[0] == self._database

    def columns(self, table: Table) -> tuple[str, ...]:
        """Return the names of a table's columns in their order, as the engine compares them."""
        columns = self._columns.get(table.name)
        if columns is None:
            is_exact = self._dialect == "postgres"
            names = (column.name for column in table.columns)
            columns = tuple(name if is_exact else name.casefold() for name in names)
            self._columns[table.name] = columns
        return columns

    @cached_property
    def every_column(self) -> frozenset[str]:
        """The names of all columns of all tables."""
        return frozenset().union(*map(self.columns, self.tables))

    @cached_property
    def reached_routines(self) -> frozenset[str]:
        """The folded names of the routines that a bare name may call."""
        return frozenset(
            name
            for schema, name in self._routines
            if schema is None or self._key(schema) in self._above_unnamed
        )


def _schema_and_name(name: str) -> tuple[str | None, str]:
    match = _ROUTINE.fullmatch(name)
    if match is None:
        return None, name.casefold()
    schema, own = (part and part.strip('"').replace('""', '"') for part in match.groups())
    return schema, str(own).casefold()


_made: dict[int, tuple[weakref.ref[Catalog], Known]] = {}


def known(catalog: Catalog) -> Known:
    """Return the names of a catalogue; they are gathered once for as long as it lives.

    Kept by identity: to hash or to compare a catalogue is to read all of it.
    """
    key = id(catalog)
    kept = _made.get(key)
    if kept is not None and kept[0]() is catalog:
        return kept[1]
    made = Known(catalog)
    _made[key] = (weakref.ref(catalog, lambda _: _made.pop(key, None)), made)
    return made
