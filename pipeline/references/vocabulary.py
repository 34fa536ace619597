"""The names of one database, and how they are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from pipeline.text import words
from schemas.facts import Catalog, Table

_COMPOUND = re.compile(r"[^\W_]_+[^\W_]|[a-z\d][A-Z]|[A-Z]{2}[a-z]")
_PREFIX = re.compile(r".+?(?:__|\.)")
_SNAKE = re.compile(r"[a-z\d]+(_[a-z\d]+)+")
_SCREAMING = re.compile(r"[A-Z\d]+(_[A-Z\d]+)+")


def is_compound(word: str) -> bool:
    """Whether a word is written as identifiers of several parts are: `OrderID`, `order_id`."""
    return _COMPOUND.search(word) is not None


def _style(word: str) -> str:
    if _SNAKE.fullmatch(word):
        return "snake"
    if _SCREAMING.fullmatch(word):
        return "screaming"
    if "_" in word:
        return "mixed"
    return "pascal" if word[0].isupper() else "camel"


class Vocabulary:
    """What the tables and columns of one catalogue are called."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._columns_of: dict[str, dict[str, str | None]] = {}

    def by_name(self, name: str) -> Table:
        """Return the table of exactly that name."""
        return self._catalog.by_name[name]

    def column(self, table: Table, name: str) -> str | None:
        """Return the table's column of that name, in any case, as the catalogue writes it."""
        columns = self._columns_of.get(table.name)
        if columns is None:
            columns = self._columns_of[table.name] = {}
            for column in table.columns:
                folded = column.name.casefold()
                columns[folded] = None if folded in columns else column.name
            columns.update((column.name, column.name) for column in table.columns)
        return columns.get(name) or columns.get(name.casefold())

    def table(self, name: str) -> Table | None:
        """Return the table that people call so: also without what is put before all names."""
        return self._tables.get(name.casefold())

    @cached_property
    def _tables(self) -> dict[str, Table | None]:
        found: dict[str, Table | None] = {}
        short: dict[str, Table | None] = {}
        for table in self._catalog.tables:
            names = {table.name.casefold(), table.object_name.casefold()}
            if table.schema:
                names.add(f"{table.schema}.{table.object_name}".casefold())
            elif self._catalog.default_schema:
                names.add(f"{self._catalog.default_schema}.{table.object_name}".casefold())
            _put(found, names, table)
            prefix = _PREFIX.match(table.object_name)
            if prefix:
                own = table.object_name[prefix.end() :]
                whole = (
                    f"{prefix[0].rstrip('_.')}.{own}"  # Sales__Customer is told as Sales.Customer
                )
                _put(short, {own.casefold(), whole.casefold()}, table)
        return {**short, **found}

    def is_name(self, word: str, own: Sequence[Table]) -> bool:
        """Whether a column anywhere is written so, or a name of a table here begins so."""
        if word in self._columns:
            return True
        folded = word.casefold()
        names = [column.name for table in own for column in table.columns]
        names += [name for table in own for name in (table.name, table.object_name)]
        return any(
            name.casefold().startswith(folded)
            and not (name[len(word) : len(word) + 1].islower() and word[-1].islower())
            for name in names
        )

    def is_of_style(self, word: str) -> bool:
        """Whether the columns of this database are written in that way."""
        return _style(word) in self._styles

    def ends_like_column(self, word: str) -> bool:
        """Whether it ends in a word in which several columns of several parts do, e.g. `id`."""
        parts = words(word)
        return bool(parts) and parts[-1] in self._endings

    @cached_property
    def _columns(self) -> frozenset[str]:
        return frozenset(c.name for table in self._catalog.tables for c in table.columns)

    @cached_property
    def _styles(self) -> frozenset[str]:
        counts = Counter(_style(name) for name in self._columns if is_compound(name))
        total = sum(counts.values())
        return frozenset(style for style, count in counts.items() if count * 20 >= total)

    @cached_property
    def _endings(self) -> frozenset[str]:
        ends = Counter(words(name)[-1] for name in self._columns if is_compound(name))
        return frozenset(end for end, count in ends.items() if count >= 3 and not end.isdigit())


def _put(into: dict[str, Table | None], names: Iterable[str], table: Table) -> None:
    for name in names:
        into[name] = table if into.get(name, table) is table else None
