"""What is found of one schema, whoever tells it: SQLAlchemy's reflection or INFORMATION_SCHEMA."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from schemas.facts import Check, Column, Index, Key, Table, TableKind

PARTS = (
    "columns", "primary keys", "foreign keys", "unique constraints", "check constraints",
    "indexes", "comments",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A key as it is told, before it is known how its target is called in the catalogue."""

    columns: tuple[str, ...]
    to_schema: str | None
    """None: the default schema."""
    to_table: str
    to_columns: tuple[str, ...]
    name: str | None = None


@dataclass(slots=True)
class Findings:
    """Each part by the table's name; None: nobody could tell it, which isn't `none there`."""

    kinds: dict[str, TableKind] | None = None
    columns: dict[str, tuple[Column, ...]] | None = None
    primary_keys: dict[str, Key] | None = None
    foreign_keys: dict[str, tuple[ForeignKey, ...]] | None = None
    unique_constraints: dict[str, tuple[Key, ...]] | None = None
    check_constraints: dict[str, tuple[Check, ...]] | None = None
    indexes: dict[str, tuple[Index, ...]] | None = None
    comments: dict[str, str] | None = None
    definitions: dict[str, str] = field(default_factory=dict)
    """The SQL of views, as far as it is told."""

    def part(self, name: str) -> Mapping[str, object] | None:
        """Return one of `PARTS`."""
        found: Mapping[str, object] | None = getattr(self, name.replace(" ", "_"))
        return found

    def take(self, name: str, other: Findings) -> bool:
        """Take a part from the other; return whether that one has it."""
        found = other.part(name)
        if found is None:
            return False
        setattr(self, name.replace(" ", "_"), found)
        return True


def with_states(table: Table, known: Collection[str]) -> Table:
    """Return a table whose keys to tables that aren't `known` say so."""
    links = tuple(
        link if link.to_table in known else replace(link, state="external")
        for link in table.foreign_keys
    )
    return replace(table, foreign_keys=links)
