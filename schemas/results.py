"""What the later stages write: the verified graph, coverage, validation, chunks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from schemas.facts import Cardinality, Link
from schemas.knowledge import Entity, Relation

Status = Literal["verified", "unverified", "failed"]
ChunkKind = Literal["table", "column", "metric", "term", "entity", "relation", "example"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong, or worth knowing, about an item; `code` is stable."""

    code: str
    severity: Literal["error", "warning"]
    message: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class GraphEntity:
    """An entity and what was measured of it."""

    entity: Entity
    status: Status
    table: str = ""
    """Resolved, also when inherited from `is_a`."""
    key: tuple[str, ...] = ()
    filter: str | None = None
    """Its own filter and its parents', joined by AND."""
    rows: int | None = None
    key_unique: bool | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphRelation:
    """A relation (a polymorphic one is expanded, one per target) and what was measured of it."""

    relation: Relation
    status: Status
    subject: str
    predicate: str
    object: str
    links: tuple[Link, ...] = ()
    """The joins to take, subject first."""
    pairs: int | None = None
    """Joined pairs of subject and object rows."""
    unmatched: int | None = None
    """Subject rows with a reference that finds no object."""
    cardinality: Cardinality | None = None
    """Observed; declared where unmeasured."""
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Graph:
    """graph.json: entities and relations with their evidence, and every link there is."""

    entities: tuple[GraphEntity, ...] = ()
    relations: tuple[GraphRelation, ...] = ()
    links: tuple[Link, ...] = ()
    """Declared, curated, verified and inferred; one list for planner, docs and context."""
    problems: tuple[Problem, ...] = ()
    format: Literal["dblore.graph/1"] = "dblore.graph/1"

    @cached_property
    def by_entity(self) -> dict[str, GraphEntity]:
        """Entities by name."""
        return {e.entity.name: e for e in self.entities}


@dataclass(frozen=True, slots=True)
class Share:
    """`done` of `total`."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class DomainCoverage:
    """How far one subject area is described."""

    domain: str
    tables: Share
    columns: Share
    codes: Share
    units: Share


@dataclass(frozen=True, slots=True)
class Coverage:
    """coverage.json: how much of the database is explained. Housekeeping columns don't count."""

    tables: Share
    columns: Share
    codes: Share
    """Columns with a code list whose codes all have a meaning."""
    units: Share
    """Amount, duration and size columns whose unit is known."""
    domains: tuple[DomainCoverage, ...] = ()
    next: tuple[str, ...] = ()
    """What to describe next, most useful first: `table` or `table.column`."""
    suggested: int = 0
    """Texts of the draft that `dblore accept --all` takes over."""
    format: Literal["dblore.coverage/1"] = "dblore.coverage/1"


@dataclass(frozen=True, slots=True)
class CheckedItem:
    """One statement that validation ran."""

    kind: Literal["example", "metric", "term", "relationship", "filter", "name"]
    """`filter`: the condition of an entity; `name`: a table or column that semantic.yaml names."""
    name: str
    status: Literal["ok", "failed", "skipped"]
    """`skipped`: it was not run, for the reason in `cause`."""
    sql: str = ""
    cause: str = ""
    proven: bool = False
    """The engine looked it through: all that it names is there, in types that fit."""
    columns: tuple[str, ...] = ()
    rows: int | None = None
    """Rows returned, as far as they were fetched; None where it was proven and not run."""
    pinned: bool = False
    """Its result was compared with what is pinned."""
    tables: tuple[str, ...] = ()
    """It reads."""
    missing: tuple[str, ...] = ()
    """What it names that isn't there, e.g. "table orders has no column `late`"."""
    place: str = ""
    """`file:line:column` of what is wrong, else of its SQL, as the files were then."""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Validation:
    """validation.json."""

    items: tuple[CheckedItem, ...] = ()
    format: Literal["dblore.validation/1"] = "dblore.validation/1"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One thing that can be found: its text is what is searched."""

    kind: ChunkKind
    ref: str
    """What it describes: `table`, `table.column`, a metric's or entity's name, …"""
    tables: tuple[str, ...]
    """Tables that a hit points at."""
    title: str
    text: str
