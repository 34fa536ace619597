"""What a scan and a profile state: structure, counts, values, and links between tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Scalar = str | int | float | bool
"""A value as JSON holds it; decimals, dates and the like are text."""

TypeFamily = Literal[
    "integer", "decimal", "float", "text", "boolean", "date", "time", "timestamp", "interval",
    "binary", "json", "uuid", "enum", "array", "geometry", "xml", "other",
]  # fmt: skip
TableKind = Literal["table", "view", "materialized_view", "virtual_table", "foreign_table"]
Cardinality = Literal["one_to_one", "one_to_many", "many_to_one", "many_to_many"]
LinkOrigin = Literal["declared", "curated", "verified", "inferred"]
LinkState = Literal["ok", "missing_table", "missing_column", "external"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column, as the engine's catalogue describes it."""

    name: str
    native_type: str
    """The type as the engine spells it; '' where none was declared."""
    family: TypeFamily
    nullable: bool = True
    default: str | None = None
    generated: Literal["stored", "virtual"] | None = None
    expression: str | None = None
    """Of a generated column."""
    identity: bool = False
    """The engine numbers new rows itself."""
    comment: str | None = None
    enum_members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Key:
    """Columns that are unique together, in key order."""

    columns: tuple[str, ...]
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A check constraint."""

    expression: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Index:
    """An index; an expression in it stands as its text."""

    name: str
    columns: tuple[str, ...]
    unique: bool = False
    where: str | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was measured about a link. None means unmeasured, never zero."""

    method: Literal["full", "sample"] | None = None
    rows: int | None = None
    """References (rows with no null in the linking columns) that were looked at."""
    matched_share: float | None = None
    """Share of those references, 0–1, that find a row on the other side."""
    orphans: int | None = None
    """References that find none."""
    distinct: int | None = None
    """Distinct referring values."""
    to_distinct: int | None = None
    """Distinct values on the other side."""
    covered_share: float | None = None
    """Share of the other side's values, 0–1, that are referred to."""
    null_share: float | None = None
    """Share of all rows, 0–1, whose reference is null."""
    cardinality: Cardinality | None = None
    """Read from `table` to `to_table`."""
    confidence: float | None = None
    """0–1; only inferred links have one."""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A way to join two tables: `table.columns` = `to_table.to_columns`, pairwise.

    Declared keys, people's relationships, verified relations and inferred joins are all links.
    """

    table: str
    columns: tuple[str, ...]
    to_table: str
    to_columns: tuple[str, ...]
    origin: LinkOrigin = "declared"
    name: str | None = None
    label: str | None = None
    """The role that tells several links between two tables apart, e.g. `bill to`."""
    condition: str | None = None
    """SQL that must hold too; columns are written `table.column` with the names of this link."""
    description: str | None = None
    state: LinkState = "ok"
    cost: float = 1.0
    """What the planner pays to use it; lower is better."""
    evidence: Evidence | None = None

    @property
    def key(self) -> tuple[str, tuple[str, ...], str, tuple[str, ...], str]:
        """What makes two links the same join."""
        return (self.table, self.columns, self.to_table, self.to_columns, self.condition or "")


@dataclass(frozen=True)
class Table:
    """A table or view. `name` is how it is called everywhere in dblore."""

    name: str
    object_name: str
    """The engine's own name, unqualified and unquoted."""
    schema: str | None = None
    """Set when the name needs it; None for the default schema."""
    kind: TableKind = "table"
    columns: tuple[Column, ...] = ()
    primary_key: Key | None = None
    unique: tuple[Key, ...] = ()
    foreign_keys: tuple[Link, ...] = ()
    checks: tuple[Check, ...] = ()
    indexes: tuple[Index, ...] = ()
    comment: str | None = None
    definition: str | None = None
    """The SQL text of a view."""
    partitions: int | None = None
    options: tuple[str, ...] = ()
    """Engine-specific traits, e.g. `STRICT`, `WITHOUT ROWID`, `fts5`."""

    def column(self, name: str) -> Column | None:
        """Return the column of that exact name, or else the only one that differs just in case."""
        exact = self._by_name.get(name)
        if exact is not None:
            return exact
        alike = name.casefold()
        folded = [column for column in self.columns if column.name.casefold() == alike]
        return folded[0] if len(folded) == 1 else None

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in reversed(self.columns)}

    def has_key(self, columns: Sequence[str]) -> bool:
        """Whether the schema says that the columns are unique together, nulls apart."""
        keys = [key.columns for key in (self.primary_key, *self.unique) if key is not None]
        keys += [index.columns for index in self.indexes if index.unique and not index.where]
        return any(set(key) <= set(columns) for key in keys if key)


@dataclass(frozen=True, slots=True)
class Routine:
    """A stored procedure or function."""

    name: str
    kind: Literal["function", "procedure", "trigger", "aggregate"]
    arguments: str = ""
    returns: str | None = None
    comment: str | None = None
    table: str | None = None
    """Of a trigger."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An object that is there and couldn't be read."""

    name: str
    kind: str
    error_class: str
    problem: str


@dataclass(frozen=True)
class Catalog:
    """catalog.json: the structure of one database; tables in name order, columns in their own."""

    dialect: str
    """The sqlglot name: sqlite, duckdb, postgres, mysql, tsql, …"""
    database: str
    default_schema: str | None = None
    comment: str | None = None
    tables: tuple[Table, ...] = ()
    external: tuple[str, ...] = ()
    """Tables outside the scope to which declared keys lead."""
    routines: tuple[Routine, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    notes: tuple[str, ...] = ()
    """What a reader should know of the scan: fallbacks taken, globs that matched nothing, …"""
    read_from: Literal["database", "ddl", "catalog"] = "database"
    """DDL files and the catalogue of another scan tell structure only."""
    format: Literal["dblore.catalog/1"] = "dblore.catalog/1"

    @property
    def structure_only(self) -> str | None:
        """What is known without a database, for people; None when there was one."""
        told = {"ddl": "from DDL", "catalog": "from a catalogue"}.get(self.read_from)
        return f"structure only ({told})" if told else None

    @cached_property
    def by_name(self) -> dict[str, Table]:
        """Tables by their exact name."""
        return {table.name: table for table in self.tables}

    @cached_property
    def _by_folded(self) -> dict[str, list[Table]]:
        folded: dict[str, list[Table]] = {}
        for table in self.tables:
            for name in {table.name, table.object_name}:
                folded.setdefault(name.casefold(), []).append(table)
        return folded

    def find(self, name: str) -> Table | None:
        """Return the table of that name: exact, else the only one alike in case or bare name."""
        exact = self.by_name.get(name)
        if exact is not None:
            return exact
        alike = self._by_folded.get(name.strip().strip('"`[]').casefold(), [])
        return alike[0] if len(alike) == 1 else None


@dataclass(frozen=True, slots=True)
class ValueCount:
    """A stored value, exactly as stored (padding and case kept), and how often it occurs."""

    value: Scalar
    count: int


@dataclass(frozen=True, slots=True)
class Sample:
    """How rows were picked when not all were read."""

    method: str
    rows: int


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What was counted in one column."""

    column: str
    nulls: int | None = None
    distinct: int | None = None
    """Distinct non-null values."""
    minimum: Scalar | None = None
    maximum: Scalar | None = None
    min_length: int | None = None
    max_length: int | None = None
    """Characters, of text."""
    padded: int | None = None
    """Text values with a leading or trailing blank."""
    values: tuple[ValueCount, ...] = ()
    """Most frequent first, ties by value; at most a few hundred."""
    values_complete: bool = False
    """`values` holds every distinct value."""
    variants: tuple[tuple[str, ...], ...] = ()
    """Groups of stored values that are equal when case and blanks at the ends are ignored."""
    sensitive: bool = False
    """Looks personal or secret: only statistics are kept."""
    sensitive_why: str | None = None
    housekeeping: str | None = None
    """Why the column is bookkeeping (audit time, row GUID, …) and no business fact."""
    soft_delete: bool = False
    """Marks rows as deleted without removing them."""
    unit: str | None = None
    """Likely unit, e.g. `cents`, `percent`, `epoch seconds`."""
    time_zone: str | None = None
    text_format: str | None = None
    """What text values look like when all have one shape, e.g. `ISO date`, `JSON`, `UUID`."""
    sentinels: tuple[Scalar, ...] = ()
    """Stored values that likely stand for `none` or `forever`, e.g. 9999-12-31."""

    @property
    def has_dates_as_text(self) -> bool:
        """Whether its texts are dates or timestamps, in any order and notation."""
        dated = ("ISO date", "ISO timestamp", "dates", "DD", "MM/", "MM-", "Mon ", "YYYY")
        return (self.text_format or "").startswith(dated)


@dataclass(frozen=True, slots=True)
class TableProfile:
    """What was counted in one table; columns in catalog order."""

    table: str
    rows: int | None = None
    rows_estimated: bool = False
    sample: Sample | None = None
    """None: every row was read."""
    columns: tuple[ColumnProfile, ...] = ()
    error: str | None = None
    """Why the data couldn't be read."""

    def column(self, name: str) -> ColumnProfile | None:
        """Return the profile of the column of that exact name."""
        return next((c for c in self.columns if c.column == name), None)


@dataclass(frozen=True)
class Profile:
    """profile.json: what the data shows. Tables in catalog order."""

    tables: tuple[TableProfile, ...] = ()
    joins: tuple[Link, ...] = ()
    """Undeclared joins, inferred and measured (`origin: inferred`)."""
    broken_keys: tuple[Link, ...] = ()
    """Declared keys whose parent some rows lack, measured; the engine let that happen."""
    notes: tuple[str, ...] = ()
    format: Literal["dblore.profile/1"] = "dblore.profile/1"

    @cached_property
    def by_table(self) -> dict[str, TableProfile]:
        """Profiles by table name."""
        return {t.table: t for t in self.tables}
