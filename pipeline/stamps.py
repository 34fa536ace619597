"""When did the rows of each table and view change last? One text a table that changes with them.

A file is one unit: all that is in it changes with it. A server tells of each table; PostgreSQL
also follows its views. The views of other servers are as the tables are that they read.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.database import fingerprint
from pipeline.database.connect import open_database
from pipeline.database.grammar import parsed
from pipeline.database.names import table_id
from pipeline.database.source import Source
from pipeline.kept import digest
from schemas.facts import Catalog, Table

_FOLLOWS_VIEWS = frozenset({"postgres"})
"""Dialects of servers whose stamps know views: one without a stamp may change alone."""


def stamps(source: Source, catalog: Catalog) -> dict[str, str]:
    """Return the stamp of each table of `catalog` by its name; where nobody can tell there is none.

    They are to be taken before the data is read.

    Raises:
        SourceError: the database can't be reached.
    """
    if source.path is not None:
        return dict.fromkeys(catalog.by_name, fingerprint.data(source))
    with open_database(source) as database:
        known = database.table_stamps() or {}
    found = {
        table.name: known[identity]
        for table in catalog.tables
        if (identity := _identity(table, catalog)) in known
    }
    if catalog.dialect in _FOLLOWS_VIEWS:
        return found
    following = _Following(catalog, known)
    views = {t.name: following.stamp(t) for t in catalog.tables if "view" in t.kind}
    return found | {name: stamp for name, stamp in views.items() if stamp is not None}


def _identity(table: Table, catalog: Catalog) -> str:
    return table_id(table.object_name, table.schema or catalog.default_schema)


class _Following:
    """Finds the tables that a view reads, through other views as well."""

    def __init__(self, catalog: Catalog, known: Mapping[str, str]) -> None:
        self._catalog, self._known = catalog, known
        self._views = {
            _identity(table, catalog): table for table in catalog.tables if "view" in table.kind
        }
        self._read: dict[str, frozenset[str] | None] = {}

    def stamp(self, view: Table) -> str | None:
        """Return what changes when rows do that a view reads; None: that can't be told."""
        read = self._tables(_identity(view, self._catalog))
        if read is None:
            read = self._all()
        if any(table not in self._known for table in read):
            return None
        return digest([[table, self._known[table]] for table in sorted(read)])

    def _tables(self, name: str) -> frozenset[str] | None:
        """Return the tables that a view reads; None if its text doesn't tell."""
        if name not in self._read:
            self._read[name] = None  # a view that reads itself tells nothing
            self._read[name] = self._told(self._views[name])
        return self._read[name]

    def _told(self, view: Table) -> frozenset[str] | None:
        named = _relations(view, self._catalog)
        found: set[str] = set()
        for name in named or ():
            below = self._tables(name) if name in self._views else frozenset([name])
            if below is None:
                return None
            found |= below
        return None if named is None else frozenset(found)

    def _all(self) -> frozenset[str]:
        """Return every table there is, also those that are out of scope."""
        tables = (t for t in self._catalog.tables if "view" not in t.kind)
        return frozenset(self._known) | {_identity(table, self._catalog) for table in tables}


def _relations(view: Table, catalog: Catalog) -> frozenset[str] | None:
    """Return the names of what a view's text reads; None if a function may read more."""
    from sqlglot import exp

    tree = parsed(view.definition or "", catalog.dialect)
    if tree is None or any(tree.find_all(exp.Anonymous, exp.Command)):
        return None
    ctes = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    schema = view.schema or catalog.default_schema
    return frozenset(
        table_id(table.name, table.db or schema)
        for table in tree.find_all(exp.Table)
        if table.name and (table.db or table.name.casefold() not in ctes)
    )
