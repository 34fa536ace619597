"""The tables of a catalogue, each column with the sensitive columns whose values it shows.

A view shows what its definition reads, whether or not its columns are marked themselves, and a
generated column what its expression reads.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from pipeline.database.grammar import grammar
from pipeline.database.guard.system_names import is_harmless
from pipeline.database.masking.masks import Sensitive
from pipeline.database.masking.reading import Reading
from pipeline.database.masking.relations import (
    NONE,
    Field,
    Origins,
    Relation,
    Scope,
    UnfollowedError,
    stacked,
    union,
    unknown,
)
from pipeline.errors import RefusedError
from schemas.facts import Catalog, Column, Table

ROW_NUMBERS = {
    "sqlite": ("rowid", "oid", "_rowid_"),
    "duckdb": ("rowid",),
    "oracle": ("rownum", "level", "rowid", "ora_rowscn"),
    "postgres": ("ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"),
}
_DEFAULT_SCHEMAS = {"main", "public", "dbo"}
_WORD = re.compile(r"\w+")
_SOURCE = re.compile(r"""\b(?:from|join)\s+(?:[\w"`\[\]]+\.)*([\w"`\[\]]+)""")
_READERS = re.compile(r"(query|table|cursor|schema|database)_to_xml\w*|dblink\w*|query|query_table")
"""Functions of engines that get SQL, or a table's name, as a text."""
_UNREADABLE = (
    UnfollowedError, RefusedError, SqlglotError, RecursionError,
    AttributeError, KeyError, TypeError, ValueError, IndexError,  # sqlglot trips over some input
)  # fmt: skip
_VOCABULARY = re.compile(r"(?i)\busing\s+(fts5vocab|fts[34]?aux)\b")


class CatalogTables:
    """Reads tables of one catalogue with one set of sensitive columns."""

    def __init__(
        self,
        catalog: Catalog | None,
        sensitive: Sensitive,
        dialect: str,
        *,
        only_seen: bool = False,
    ) -> None:
        self.catalog = catalog
        self.only_seen = only_seen
        self.dialect = dialect
        self.marked = {
            table.casefold(): {column.casefold() for column in columns}
            for table, columns in sensitive.items()
            if columns
        }
        self._routines = {
            routine.name.rpartition(".")[2].casefold()
            for routine in (catalog.routines if catalog else ())
            if routine.kind != "trigger"
        }
        self._reads_view = only_seen
        self._relations: dict[str, Relation] = {}
        self._by_name: dict[str, list[Table]] = {}
        for table in catalog.tables if catalog else ():
            self._by_name.setdefault(table.object_name.casefold(), []).append(table)
        self._odd_names = [name for name in self._by_name if not _WORD.fullmatch(name)]
        self.carriers = frozenset(self._carriers())
        """Folded names, without schema, of the tables that show values of sensitive columns."""

    def _carriers(self) -> set[str]:
        if self.catalog is None:
            return {name.rpartition(".")[2].strip('"') for name in self.marked}
        return set(filter(self.is_table, self._by_name))

    @cached_property
    def read(self) -> frozenset[str]:
        """The same, and views that read one of them and show nothing: errors may quote values."""
        found = set(self.carriers)
        views = [t for t in (self.catalog.tables if self.catalog else ()) if "view" in t.kind]
        words = {
            view.object_name.casefold(): set(_WORD.findall((view.definition or "").casefold()))
            for view in views
        }
        odd = [name for name in found if not _WORD.fullmatch(name)]
        waiting = [name for name in words if name not in found]
        while True:
            more = {n for n in waiting if odd or words[n] & found or words[n] & self._routines}
            if not more - found:
                return frozenset(found)
            found |= more

    @property
    def names(self) -> set[str]:
        """The names of all sensitive columns, as they are stored."""
        stored = {
            column.name
            for t in (self.catalog.tables if self.catalog else ())
            for column in t.columns
            if column.name.casefold() in self._marked_names
        }
        return stored or self._marked_names

    @property
    def _marked_names(self) -> set[str]:
        return set().union(*self.marked.values())

    @property
    def origins(self) -> Origins:
        """All sensitive columns."""
        return frozenset(f"{t}.{c}" for t, columns in self.marked.items() for c in columns)

    def is_table(self, folded: str) -> bool:
        """Whether there is a table of that folded name that shows sensitive values."""
        if self.catalog is None:
            return folded in self.carriers
        relations = [self.of(table) for table in self._by_name.get(folded, ())]
        return any(r.origins or union(f.origins for f in r.unlisted) for r in relations)

    def relation(self, node: Any) -> Relation:
        """Return what a table gives.

        Raises:
            UnfollowedError: it could be one of several.
        """
        *above, name = [str(part.name).casefold() for part in node.parts]
        if self.catalog is None:
            return self._by_marks(name)
        tables = self._by_name.get(name, [])
        if not tables:  # a system view, or one that kb.yaml allows
            is_known = not self._reads_view or is_harmless([*above, name], self.dialect)
            return unknown(NONE if is_known else frozenset([f"{node.name}.*"]))
        meant = [table for table in tables if self._is_meant(table, above)] or tables
        if len(meant) > 1:
            exact = [table for table in meant if table.object_name == node.name]
            meant = exact if len(exact) == 1 and not above else meant
        relations = [self.of(table) for table in meant]
        together = relations[0]
        for other in relations[1:]:
            if other.origins or together.origins:
                names = [f.name for f in together.fields]
                if names != [f.name for f in other.fields]:
                    raise UnfollowedError(f"{node.name} may be one of several tables")
                together = replace(stacked(together, other), unlisted=together.unlisted)
        return together

    def unfollowed(self, call: Any) -> Origins:
        """Return the name of a function in a view that can read what it likes, as what it shows."""
        if not self._reads_view:
            return NONE
        is_own = isinstance(call, exp.Anonymous | exp.AnonymousAggFunc)
        for name in (str(call.name),) if is_own else type(call).sql_names():
            folded = name.casefold()
            if folded in self._routines or _READERS.fullmatch(folded):
                return frozenset([f"{folded}()"])
        return NONE

    def _by_marks(self, name: str) -> Relation:
        """Return a table of which no more is known than its sensitive columns."""
        fields = [
            Field(column, frozenset([f"{table}.{column}"]))
            for table, columns in self.marked.items()
            if table.rpartition(".")[2].strip('"') == name
            for column in sorted(columns)
        ]
        return Relation(tuple(fields), is_whole=False)

    def _is_meant(self, table: Table, above: list[str]) -> bool:
        assert self.catalog is not None
        if not above:
            return table.schema is None
        schema = (table.schema or self.catalog.default_schema or "").casefold()
        others = {self.catalog.database.casefold(), *_DEFAULT_SCHEMAS}
        return above[-1] == schema or (table.schema is None and above[-1] in others)

    # -- one table ------------------------------------------------------------------------------

    def of(self, table: Table) -> Relation:
        """Return the columns of one table of the catalogue."""
        if table.name not in self._relations:
            # While a view is read that reads itself, all of it counts as sensitive.
            self._relations[table.name] = self._everything(table)
            self._relations[table.name] = self._read(table)
        return self._relations[table.name]

    def _everything(self, table: Table) -> Relation:
        fields = [Field(c.name.casefold(), _origin(table, c.name)) for c in table.columns]
        return Relation(tuple(fields))

    def _read(self, table: Table) -> Relation:
        marked = self.marked.get(table.name.casefold(), set())
        known = {column.name.casefold() for column in table.columns}
        fields = [
            Field(c.name.casefold(), self._of_column(table, c, marked)) for c in table.columns
        ]
        unlisted = [Field(name, _origin(table, name)) for name in sorted(marked - known)]
        key = table.primary_key.columns if table.primary_key else ()
        of_key = union(f.origins for f in fields if f.name in {name.casefold() for name in key})
        of_number = of_key if self.dialect == "sqlite" else NONE
        if "view" not in table.kind and "WITHOUT ROWID" not in table.options:
            unlisted += [Field(name, of_number) for name in ROW_NUMBERS.get(self.dialect, ())]
        relation = Relation(tuple(fields), unlisted=tuple(unlisted))
        if self.marked and _VOCABULARY.search(table.definition or ""):
            return self._everything(table)  # of a full-text table: its words are values
        if "view" not in table.kind or not self.marked:
            return relation
        return self._with_definition(table, relation)

    def _of_column(self, table: Table, column: Column, marked: set[str]) -> Origins:
        if column.name.casefold() in marked:
            return _origin(table, column.name)
        if column.generated and not column.expression:
            return union(_origin(table, name) for name in marked)
        if self.only_seen and column.expression and marked:
            seen = self._seen_in(table, column.expression, marked)
            if seen is not None:
                return seen
        return union(_origin(table, name) for name in self._generating(table, column) & marked)

    def _seen_in(self, table: Table, expression: str, marked: set[str]) -> Origins | None:
        """Return what an expression over columns of a table shows; None if it can't be read.

        Columns that it computes from others that are computed are looked into by name alone.
        """
        names = [column.name.casefold() for column in table.columns]
        fields = [
            Field(n, _origin(table, c.name) if n in marked else self._steps(table, c, marked))
            for n, c in zip(names, table.columns, strict=True)
        ]
        try:
            tree = sqlglot.parse_one(f"SELECT {expression}", dialect=grammar(self.dialect))
            scope = Scope(None, sources=[("", Relation(tuple(fields)))])
            return Reading(self, self.dialect).values.of_all(tree.expressions, scope)
        except _UNREADABLE:
            return None

    def _steps(self, table: Table, column: Column, marked: set[str]) -> Origins:
        if not column.expression:
            return NONE
        return union(_origin(table, name) for name in self._generating(table, column) & marked)

    def _generating(self, table: Table, column: Column) -> set[str]:
        """Return the folded columns that a generated one is made from, in any number of steps."""
        found: set[str] = set()
        waiting = [column.expression or ""]
        while waiting:
            text = waiting.pop().casefold()
            for other in table.columns:
                name = other.name.casefold()
                if name in text and name not in found:
                    found.add(name)
                    waiting.append(other.expression or "")
        return found

    def _with_definition(self, view: Table, relation: Relation) -> Relation:
        if not self._may_read(view):
            return relation
        try:
            read = self._definition(view)
        except _UNREADABLE:
            read = None
        if read is None:
            return self._everything(view)
        if read.is_whole and len(read.fields) == len(relation.fields):
            pairs = zip(relation.fields, read.fields, strict=True)
            fields = [replace(mine, origins=mine.origins | its.origins) for mine, its in pairs]
            return replace(relation, fields=tuple(fields))
        origins = read.origins
        fields = [replace(f, origins=f.origins | origins) for f in relation.fields]
        return replace(relation, fields=tuple(fields))

    def _definition(self, view: Table) -> Relation | None:
        if not view.definition:
            return None
        tree = sqlglot.parse_one(view.definition, dialect=grammar(self.dialect))
        query = tree.expression if isinstance(tree, exp.Create) else tree
        if not isinstance(query, exp.Query):
            return None
        before, self._reads_view = self._reads_view, True
        try:
            return Reading(self, self.dialect).query(query, None, None)
        finally:
            self._reads_view = before

    def _may_read(self, view: Table) -> bool:
        """Whether the text of a definition may read sensitive values; far cheaper than parsing."""
        if not view.definition:
            return True
        words = set(_WORD.findall(view.definition.casefold()))
        if not words.isdisjoint(self._routines) or any(map(_READERS.fullmatch, words)):
            return True
        sources = _SOURCE.findall(view.definition.casefold())
        if any(name.strip('"`[]') not in self._by_name for name in sources):
            return True  # a table that wasn't scanned, or a CTE: that takes a closer look
        mentioned = self._odd_names + [name for name in words if name in self._by_name]
        return any(
            table is not view and self.of(table).origins
            for name in mentioned
            for table in self._by_name[name]
        )


def _origin(table: Table, column: str) -> Origins:
    return frozenset([f"{table.name}.{column}"])
