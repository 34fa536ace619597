"""Which tables and columns the items of people's files and the views of a database use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

ItemKind = Literal[
    "database", "domain", "table", "column", "codes", "relationship", "glossary", "metric",
    "example", "question", "entity", "filter", "relation", "view", "memory",
]  # fmt: skip
"""`table`: its description, grain and notes; `column`: its description; `codes`: its code list;
`question`: a golden one; `filter`: the condition of an entity; `view`: the definition
of a view, which nobody edits here."""

UsedBy = Literal["place", "sql", "prose"]
"""`place`: the item stands at the table or column, or names it under a key of its own; `sql`: a
statement or condition reads it; `prose`: a text for people names it."""

Key = str | int


def dotted(keys: tuple[Key, ...]) -> str:
    """Return the path of an entry as people read it; a list's entries are counted from 1."""
    parts = (f"[{key + 1}]" if isinstance(key, int) else f".{key}" for key in keys)
    return "".join(parts).removeprefix(".")


@dataclass(frozen=True, slots=True)
class Item:
    """Something that people wrote, or a view, as far as it uses tables and columns."""

    kind: ItemKind
    keys: tuple[Key, ...]
    """Where it stands in its file, e.g. `("metrics", 2)`."""
    name: str
    """What it is called: a metric's name, an example's question, `table.column`, …"""
    file: str = "semantic.yaml"
    line: int = 0
    """Counted from 1; 0 where the file has no lines that people count."""
    column: int = 0

    @property
    def path(self) -> str:
        """Return `tables.orders.columns.status` or `metrics[3]`."""
        return dotted(self.keys)


@dataclass(frozen=True, slots=True)
class Use:
    """One item uses one table or column."""

    item: Item
    table: str
    column: str | None = None
    """None: the table as such."""
    by: UsedBy = "sql"


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A name in an item that leads to nothing, or a statement that can't be read."""

    item: Item
    text: str
    """The name as it is written; '' for a statement."""
    reason: str
    nearest: str | None = None
    """A valid name that may be meant."""
    keys: tuple[Key, ...] = ()
    """The entry that holds it, e.g. `("tables", "orders", "notes", 1)`."""
    by: UsedBy = "sql"
    line: int = 0
    column: int = 0

    @property
    def path(self) -> str:
        """Return the path of the entry that holds it."""
        return dotted(self.keys or self.item.keys)


@dataclass(frozen=True)
class References:
    """All uses and all names that lead to nothing, in the order of the files."""

    items: tuple[Item, ...] = ()
    uses: tuple[Use, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()

    @cached_property
    def by_table(self) -> dict[str, tuple[Use, ...]]:
        """Uses by table, those of its columns too."""
        found: dict[str, list[Use]] = {}
        for use in self.uses:
            found.setdefault(use.table, []).append(use)
        return {table: tuple(uses) for table, uses in found.items()}

    @cached_property
    def by_item(self) -> dict[Item, tuple[Use, ...]]:
        """Uses by item; every item has an entry."""
        found: dict[Item, list[Use]] = {item: [] for item in self.items}
        for use in self.uses:
            found[use.item].append(use)
        return {item: tuple(uses) for item, uses in found.items()}

    def of(self, table: str, column: str | None = None) -> tuple[Use, ...]:
        """Return the uses of a table with all its columns, or of one column of it."""
        uses = self.by_table.get(table, ())
        return uses if column is None else tuple(use for use in uses if use.column == column)
