"""What changed between two looks at a database, and what people wrote that is now suspect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from schemas.facts import Scalar
from schemas.references import Item

ChangeKind = Literal[
    "table_added", "table_dropped", "table_renamed", "table_kind_changed",
    "column_added", "column_dropped", "column_renamed", "column_moved",
    "type_changed", "type_widened", "type_narrowed", "became_nullable", "became_not_null",
    "default_changed", "expression_changed",
    "key_added", "key_lost", "foreign_key_added", "foreign_key_lost", "check_changed",
    "view_changed", "uniqueness_lost", "code_appeared", "code_vanished", "nulls_appeared",
    "orphans_appeared", "table_emptied", "comment_changed", "order_changed",
]  # fmt: skip

ChangeClass = Literal["breaking", "risky", "additive", "cosmetic"]
"""`breaking`: statements fail or names lead nowhere; `risky`: they run and may mean something
else; `additive`: there is more than before; `cosmetic`: nothing that is read depends on it."""

ImpactSeverity = Literal["error", "warning", "info"]
"""`error`: it won't run, or names what is gone; `warning`: it may mean something else now; `info`:
worth a look."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between an older and a newer state of a database."""

    kind: ChangeKind
    change_class: ChangeClass
    table: str
    """Its name before; of what is new, its name now."""
    columns: tuple[str, ...] = ()
    """The column, or the columns of the key, by their names before; empty: the table as such."""
    evidence: str = ""
    """How it is known, for people."""
    to_table: str | None = None
    """The name now of what was renamed or moved; the other side of a reference."""
    to_columns: tuple[str, ...] = ()
    values: tuple[Scalar, ...] = ()
    """Codes that appeared or vanished."""
    confidence: float | None = None
    """0–1, of what was recognised rather than read; None where it is certain."""

    @property
    def column(self) -> str | None:
        """Return the column, where there is exactly one."""
        return self.columns[0] if len(self.columns) == 1 else None

    @property
    def target(self) -> str:
        """Return what changed: `table`, `table.column` or `table(a, b)`."""
        if len(self.columns) > 1:
            return f"{self.table}({', '.join(self.columns)})"
        return ".".join((self.table, *self.columns))


@dataclass(frozen=True, slots=True)
class Impact:
    """An item that is suspect because of a change."""

    change: Change
    item: Item
    severity: ImpactSeverity
    reason: str
    """Why, for people; it names the place and, where there is one, the view between."""
    through: tuple[str, ...] = ()
    """Views between the item and what changed, the item's first."""
