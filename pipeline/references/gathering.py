"""Collects items, their uses and the names that lead to nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipeline.authored.names import find_column
from pipeline.authored.positions import Positions
from pipeline.lineage.tables import Tables
from pipeline.references.prose import Prose
from pipeline.references.statements import Named, Statements
from schemas.facts import Catalog, Table
from schemas.references import Item, ItemKind, Key, References, Unresolved, Use, UsedBy

Keys = tuple[Key, ...]


class Gathering:
    """What is found in all files."""

    def __init__(self, catalog: Catalog, statements: Statements, tables: Tables) -> None:
        self.catalog = catalog
        self.tables = tables
        self.statements = statements
        self.near = tables.near
        self.prose_of = Prose(catalog, self.near)
        self._items: list[Item] = []
        self._uses: dict[tuple[str, Keys, str, str | None], Use] = {}
        self._unresolved: list[Unresolved] = []

    def result(self) -> References:
        """Return all that was found."""
        return References(tuple(self._items), tuple(self._uses.values()), tuple(self._unresolved))

    def of_file(self, file: str, positions: Positions) -> File:
        """Return what collects the items of one file."""
        return File(self, file, positions)

    def add(self, item: Item) -> Item:
        """Note an item."""
        self._items.append(item)
        return item

    def use(self, item: Item, table: str, column: str | None, by: UsedBy) -> None:
        """Note a use, the first of its kind."""
        self._uses.setdefault((item.kind, item.keys, table, column), Use(item, table, column, by))

    def lack(self, unresolved: Unresolved) -> None:
        """Note a name that leads to nothing."""
        self._unresolved.append(unresolved)


class File:
    """Collects the items of one file."""

    def __init__(self, gathering: Gathering, name: str, positions: Positions) -> None:
        self._all = gathering
        self._name = name
        self._positions = positions
        self.catalog = gathering.catalog

    def item(self, kind: ItemKind, keys: Keys, name: str) -> Item:
        """Note an item of this file."""
        line, column = self._positions.of(keys)
        return self._all.add(Item(kind, keys, name, self._name, line, column))

    def use(self, item: Item, table: str, column: str | None = None, by: UsedBy = "place") -> None:
        """Note that an item uses a table or a column."""
        self._all.use(item, table, column, by)

    def table(self, item: Item, name: str, keys: Keys) -> Table | None:
        """Note the use of a table that stands under `keys`; return it if there is one."""
        found = self.catalog.find(name)
        if found is None:
            reason = f"there is no table `{name}`"
            self.lack(item, name, reason, self._all.near.table(name), keys)
            return None
        self.use(item, found.name)
        return found

    def column(self, item: Item, table: Table, name: str, keys: Keys) -> str | None:
        """Note the use of a table's column that stands under `keys`; return its own name."""
        found = table.column(name)
        if found is None:
            reason = f"table {table.name} has no column `{name}`"
            self.lack(item, name, reason, self._all.near.column(name, [table]), keys)
            return None
        self.use(item, table.name, found.name)
        return found.name

    def place(self, item: Item, text: str, keys: Keys) -> Table | None:
        """Note the use of `table.column` that stands under `keys`; return the table."""
        table, column = find_column(text, self.catalog)
        if table is None:
            name = text.rpartition(".")[0]
            reason = f"there is no table `{name}`"
            self.lack(item, text, reason, self._all.near.table(name), keys)
            return None
        self.use(item, table.name)
        if column is not None:
            self.use(item, table.name, column.name)
        else:
            self.column(item, table, text.rpartition(".")[2], keys)
        return table

    def lack(self, item: Item, text: str, reason: str, near: str | None, keys: Keys) -> None:
        """Note that the name under `keys` leads to nothing."""
        line, column = self._positions.of(keys)
        self._all.lack(Unresolved(item, text, reason, near, keys, "place", line, column))

    def sql(
        self,
        item: Item,
        text: str,
        keys: Keys,
        over: Sequence[Named] | None = None,
        *,
        engines_own: bool = False,
    ) -> tuple[str, ...]:
        """Note what the statement or condition under `keys` uses; return its tables."""
        used = self._all.statements.read(text, over, engines_own=engines_own)
        for table in used.tables:
            self.use(item, table, None, "sql")
        for table, name in used.columns:
            self.use(item, table, name, "sql")
        for lacking in used.missing:
            line, column = self._positions.within(keys, lacking.line, lacking.column)
            self._all.lack(
                Unresolved(
                    item, lacking.text, lacking.reason, lacking.nearest, keys, "sql", line, column
                )
            )
        return used.tables

    def prose(self, item: Item, text: str, keys: Keys, own: Iterable[Table] = ()) -> None:
        """Note what a text for people names; bare names are of the tables `own`."""
        if not text:
            return
        mentions = self._all.prose_of.read(text, tuple(own))
        for table, name in mentions.places:
            self.use(item, table, name, "prose")
        for lacking in mentions.missing:
            before = text[: lacking.start]
            line, column = self._positions.within(
                keys, before.count("\n") + 1, lacking.start - before.rfind("\n")
            )
            self._all.lack(
                Unresolved(
                    item, lacking.text, lacking.reason, lacking.nearest, keys, "prose", line, column
                )
            )
