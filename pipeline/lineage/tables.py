"""The tables of one catalogue, as the statements of its dialect name them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pipeline.database.grammar import grammar
from pipeline.database.guard.known import Known, folded, known
from pipeline.database.guard.system_names import is_harmless, is_system
from pipeline.database.names import table_id
from pipeline.lineage.near import Near
from pipeline.lineage.outputs import Output, Shape
from schemas.facts import Catalog, Table

PSEUDO = {
    "sqlite": frozenset(("rowid", "oid", "_rowid_", "rank")),
    "duckdb": frozenset(("rowid",)),
    "oracle": frozenset(("rownum", "level", "rowid", "ora_rowscn")),
    "postgres": frozenset(("ctid", "oid", "xmin", "xmax", "cmin", "cmax", "tableoid")),
}
"""Columns that an engine adds to its tables, and that no catalogue lists."""


class Tables:
    """Finds tables and gives their columns."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.dialect = catalog.dialect
        self.known: Known = known(catalog)
        self.near = Near(catalog)
        self._shapes: dict[tuple[str, bool], Shape] = {}
        self._external = frozenset(catalog.external)

    def folded(self, identifier: Any) -> str:
        """Return the name of a column or a source as the engine compares it."""
        return folded(identifier, "postgres" if self.dialect == "postgres" else "")

    def of_table(self, identifier: Any) -> str:
        """Return a part of a table's name as the engine compares it with the catalogue's."""
        return folded(identifier, self.dialect)

    def find(self, node: Any, *, engines_own: bool) -> Table | None:
        """Return the table that a node of FROM names.

        Args:
            node: the node.
            engines_own: the engine wrote the text, which may leave out a schema of its search path.
        """
        parts = [self.of_table(part) for part in node.parts]
        table = self.known.find(parts)
        if table is not None or not engines_own:
            return table
        written = ".".join(str(part.name) for part in node.parts[-2:])
        return self.catalog.find(written) or self.catalog.find(str(node.name))

    def is_foreign(self, parts: Sequence[str]) -> bool:
        """Whether a name is the engine's own table, or one outside the scope that keys lead to."""
        if is_system(parts, self.dialect, grammar(self.dialect)) or is_harmless(
            parts, self.dialect
        ):
            return True
        return table_id(parts[-1], parts[-2] if len(parts) > 1 else None) in self._external

    def shape(self, table: Table, *, in_any_case: bool = False) -> Shape:
        """Return the columns of a table.

        Args:
            table: the table.
            in_any_case: list them in lower case as well, for texts whose names we complete.
        """
        shape = self._shapes.get((table.name, in_any_case))
        if shape is None:
            names = self.known.columns(table)
            outputs = []
            for name, column in zip(names, table.columns, strict=True):
                place = (table.name, column.name)
                only = frozenset([place])
                outputs.append(Output(name, place, only, only))
            if in_any_case:
                outputs += [
                    replace(o, name=o.name.casefold())
                    for o in outputs
                    if o.name.casefold() not in names
                ]
            shape = self._shapes[table.name, in_any_case] = Shape(tuple(outputs))
        return shape

    def is_pseudo(self, name: str) -> bool:
        """Whether the engine gives its tables a column of that name which no catalogue lists."""
        return name.casefold() in PSEUDO.get(self.dialect, ())
