"""What the guard looks up in a catalogue, by name: each look-up is one step, whatever its size."""

from __future__ import annotations

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


class Known:
    """The tables, columns and routines of one catalogue by their folded names."""

    def __init__(self, catalog: Catalog) -> None:
        self.tables = catalog.tables
        self._database = catalog.database.casefold()
        self._default = (catalog.default_schema or "").casefold()
        unnamed = _DEFAULT_SCHEMAS.get(catalog.dialect, set())
        self._above_unnamed = unnamed | {self._default, self._database}
        self._by_name: dict[str, list[Table]] = {}
        for table in catalog.tables:
            self._by_name.setdefault(table.object_name.casefold(), []).append(table)
        self.routines = frozenset(
            routine.name.rpartition(".")[2].casefold()
            for routine in catalog.routines
            if routine.kind != "trigger"
        )
        self._columns: dict[str, frozenset[str]] = {}

    def find(self, parts: Sequence[str]) -> Table | None:
        """Return the table of that folded name: `table`, `schema.table` or with a database."""
        *above, name = parts
        for table in self._by_name.get(name, ()):
            if not above or self._is_above(table, above):
                return table
        return None

    def _is_above(self, table: Table, above: Sequence[str]) -> bool:
        if table.schema is None:
            if above[-1] not in self._above_unnamed:
                return False
        elif above[-1] != table.schema.casefold():
            return False
        return len(above) == 1 or above[0] == self._database

    def has_object(self, name: str) -> bool:
        """Whether a table is called exactly like that, in whatever schema."""
        return any(t.object_name == name for t in self._by_name.get(name.casefold(), ()))

    def columns(self, table: Table) -> frozenset[str]:
        """Return the folded names of a table's columns."""
        columns = self._columns.get(table.name)
        if columns is None:
            columns = frozenset(column.name.casefold() for column in table.columns)
            self._columns[table.name] = columns
        return columns

    @cached_property
    def every_column(self) -> frozenset[str]:
        """The folded names of all columns of all tables."""
        return frozenset().union(*map(self.columns, self.tables))


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
