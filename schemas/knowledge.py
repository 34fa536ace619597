"""What people write: the semantic layer, entities and relations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from schemas.facts import Cardinality

EntityKind = Literal["core", "event", "reference", "role"]


@dataclass(frozen=True, slots=True)
class SemanticColumn:
    """What a column means."""

    description: str = ""
    synonyms: tuple[str, ...] = ()
    values: dict[str, str] = field(default_factory=dict)
    """Code, as text, to meaning."""
    sensitive: bool | None = None
    """None leaves the decision to the profile."""
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class SemanticTable:
    """What a table means."""

    description: str = ""
    synonyms: tuple[str, ...] = ()
    grain: str | None = None
    """What one row stands for."""
    notes: tuple[str, ...] = ()
    domain: str | None = None
    hidden: bool = False
    columns: dict[str, SemanticColumn] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Relationship:
    """A join that people add: `from` and `to` are lists of `table.column`, pairwise."""

    from_columns: tuple[str, ...]
    to_columns: tuple[str, ...]
    condition: str | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A word of the business."""

    term: str
    definition: str = ""
    synonyms: tuple[str, ...] = ()
    sql: str | None = None
    tables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure that the business computes in one agreed way."""

    name: str
    sql: str
    definition: str = ""
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RowRange:
    """How many rows a result may have; None: no bound on that side."""

    min: int | None = None
    max: int | None = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is pinned of a result; what is left out isn't checked."""

    columns: tuple[str, ...] = ()
    """Names, in order."""
    rows: RowRange | None = None
    checksum: str | None = None
    """Of all values, as `pipeline/database/tally.py` defines it."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question and SQL that is known to answer it."""

    question: str
    sql: str
    expect: Expectation | None = None


@dataclass(frozen=True, slots=True)
class Domain:
    """A subject area."""

    name: str
    description: str = ""
    tables: tuple[str, ...] = ()
    """Globs of table names that belong to it."""


@dataclass(frozen=True, slots=True)
class Semantic:
    """semantic.yaml."""

    name: str = ""
    description: str = ""
    dialect_notes: tuple[str, ...] = ()
    housekeeping_columns: tuple[str, ...] = ()
    domains: tuple[Domain, ...] = ()
    tables: dict[str, SemanticTable] = field(default_factory=dict)
    relationships: tuple[Relationship, ...] = ()
    glossary: tuple[GlossaryTerm, ...] = ()
    metrics: tuple[Metric, ...] = ()
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that people talk about, mapped to a table and a filter."""

    name: str
    table: str = ""
    """'' with `is_a`: the parent's table."""
    kind: EntityKind = "core"
    description: str = ""
    synonyms: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    """Empty: the primary key."""
    label: str | None = None
    """Column that names an instance."""
    filter: str | None = None
    """SQL condition over the table's columns."""
    is_a: str | None = None
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PolymorphicTarget:
    """One target of a polymorphic reference."""

    type: str
    object: str
    predicate: str | None = None


@dataclass(frozen=True, slots=True)
class Polymorphic:
    """One column that refers to different tables depending on a type column."""

    column: str
    type_column: str
    targets: tuple[PolymorphicTarget, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """How two entities meet."""

    subject: str
    predicate: str
    object: str = ""
    """'' when `polymorphic` names the objects."""
    cardinality: Cardinality | None = None
    via: tuple[str, ...] = ()
    """`table.column` of the links to take, in order."""
    on: str | None = None
    """`a.x = b.y [AND …]`: columns that no link joins."""
    polymorphic: Polymorphic | None = None
    condition: str | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """knowledge_graph.yaml."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldenQuestion:
    """A question and what is known of its answer; at least one of tables, joins, SQL, a result."""

    question: str
    id: str = ""
    """'' is numbered by its place in the file."""
    tables: tuple[str, ...] = ()
    """Tables that the answer needs."""
    joins: tuple[str, ...] = ()
    """`table.column = table.column [AND …]` that the answer takes, either way round."""
    sql: str | None = None
    """A statement that is known to answer it."""
    expect: Expectation | None = None
    """What the result is."""
    needs: tuple[str, ...] = ()
    """What makes it hard, for figures by kind."""
