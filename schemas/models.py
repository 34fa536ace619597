"""Every model of the contract, in one place to import from."""

from __future__ import annotations

from schemas.changes import Change, ChangeClass, ChangeKind, Impact, ImpactSeverity
from schemas.facts import (
    Cardinality,
    Catalog,
    Check,
    Column,
    ColumnProfile,
    Evidence,
    Index,
    Key,
    Link,
    LinkOrigin,
    Profile,
    Routine,
    Sample,
    Scalar,
    Table,
    TableKind,
    TableProfile,
    TypeFamily,
    Unreadable,
    ValueCount,
)
from schemas.knowledge import (
    Domain,
    Entity,
    EntityKind,
    Example,
    Expectation,
    GlossaryTerm,
    GoldenQuestion,
    KnowledgeGraph,
    Metric,
    Polymorphic,
    PolymorphicTarget,
    Relation,
    Relationship,
    RowRange,
    Semantic,
    SemanticColumn,
    SemanticTable,
)
from schemas.lock import Lock, StageRecord
from schemas.references import Item, ItemKind, References, Unresolved, Use, UsedBy
from schemas.results import (
    CheckedItem,
    Chunk,
    ChunkKind,
    Coverage,
    DomainCoverage,
    Graph,
    GraphEntity,
    GraphRelation,
    Problem,
    Share,
    Status,
    Validation,
)
from schemas.settings import KbSettings, ProfileSettings

__all__ = [
    "Cardinality", "Catalog", "Change", "ChangeClass", "ChangeKind", "Check", "CheckedItem",
    "Chunk", "ChunkKind", "Column", "ColumnProfile", "Coverage", "Domain", "DomainCoverage",
    "Entity", "EntityKind", "Evidence", "Example", "Expectation", "GlossaryTerm", "GoldenQuestion",
    "Graph", "GraphEntity", "GraphRelation", "Impact", "ImpactSeverity", "Index", "Item",
    "ItemKind", "KbSettings", "Key", "KnowledgeGraph", "Link", "LinkOrigin", "Lock", "Metric",
    "Polymorphic", "PolymorphicTarget", "Problem", "Profile", "ProfileSettings", "References",
    "Relation", "Relationship", "Routine", "RowRange", "Sample", "Scalar", "Semantic",
    "SemanticColumn", "SemanticTable", "Share", "StageRecord", "Status", "Table", "TableKind",
    "TableProfile", "TypeFamily", "Unreadable", "Unresolved", "Use", "UsedBy", "Validation",
    "ValueCount",
]  # fmt: skip
