"""The nearest valid name, also where there are a hundred thousand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pipeline.errors import nearest
from pipeline.text import words
from schemas.facts import Catalog, Table

_MOST = 400
"""Names that are compared letter by letter; more of them cost tens of milliseconds a time."""

NO_FROM = "the query has no FROM"
"""How the reason begins where a column stands in a query that reads nothing."""
ADD_FROM = "add FROM with the table that it is about"


class Near:
    """Offers names of one catalogue."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: dict[str, str | None] = {}

    def table(self, name: str) -> str | None:
        """Return the table that is called most like `name`."""
        if name not in self._known:
            found = nearest(name, self._candidates(name), at_most=1)
            self._known[name] = found[0] if found else None
        return self._known[name]

    def column(self, name: str, tables: Sequence[Table]) -> str | None:
        """Return the column of these tables that is called most like `name`."""
        known = [column.name for table in tables for column in table.columns]
        found = nearest(name, known[: 4 * _MOST], at_most=1)
        return found[0] if found else None

    def having(self, column: str) -> Sequence[str]:
        """Return the tables that have a column of that name, in any case."""
        return self._having.get(column.casefold(), ())

    @cached_property
    def _having(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for table in self._catalog.tables:
            for name in dict.fromkeys(column.name.casefold() for column in table.columns):
                found.setdefault(name, []).append(table.name)
        return found

    def _candidates(self, name: str) -> Sequence[str]:
        names = self._catalog.by_name
        if len(names) <= _MOST:
            return tuple(names)
        shared = [self._by_word.get(word, ()) for word in words(name)]
        alike = [table for tables in sorted(shared, key=len) for table in tables]
        alike += self._by_start.get(name.casefold()[:2], ())
        return list(dict.fromkeys(alike))[:_MOST]

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self._catalog.by_name:
            for word in dict.fromkeys(words(name)):
                found.setdefault(word, []).append(name)
        return found

    @cached_property
    def _by_start(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for table in self._catalog.tables:
            for start in dict.fromkeys(
                (table.name.casefold()[:2], table.object_name.casefold()[:2])
            ):
                found.setdefault(start, []).append(table.name)
        return found
