"""Which CTE a name means, and what that CTE gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlglot import exp

from pipeline.database.masking.relations import Relation, Scope, UnfollowedError, stacked

_NEED_RECURSIVE = {
    "postgres", "redshift", "mysql", "duckdb", "bigquery", "spark", "databricks", "trino", "presto",
}  # fmt: skip
"""Where a CTE that isn't RECURSIVE sees the table that has its name, not itself."""
_FOLDED_UP = {"oracle", "snowflake", "db2"}
_CASE_BLIND = {"sqlite", "duckdb", "tsql", "fabric", "bigquery"}
_MOST_ROUNDS = 30


@dataclass(slots=True, eq=False)
class Cte:
    """One CTE: read when it is first needed."""

    node: Any
    index: int
    is_recursive: bool
    names: Names | None = None
    """What names mean inside of it."""
    outer: Scope | None = None
    so_far: Relation | None = None
    """While it is read: what it is known to give."""
    is_running: bool = False
    is_used: bool = False
    """It was needed while it was read."""
    relation: Relation | None = None


@dataclass(slots=True)
class Names:
    """The CTEs that can be seen at one place."""

    parent: Names | None
    ctes: dict[str, Cte] = field(default_factory=dict)
    index: int | None = None
    """Inside which of them the place is."""

    def find(self, folded: str) -> tuple[Cte, bool] | None:
        """Return the CTE of that folded name, and whether it stands only further on."""
        here: Names | None = self
        while here is not None:
            cte = here.ctes.get(folded)
            if cte is not None:
                return cte, here.index is not None and cte.index > here.index
            here = here.parent
        return None


def opened(clause: Any, parent: Names | None, outer: Scope | None, dialect: str) -> Names:
    """Return the names that can be seen behind a WITH clause."""
    if clause.args.get("udfs"):
        raise UnfollowedError("a function that is defined in WITH")
    sees_all = bool(clause.args.get("recursive")) or dialect not in _NEED_RECURSIVE
    seen: dict[str, Cte] = {}
    for index, node in enumerate(clause.expressions):
        cte = Cte(node, index, sees_all, outer=outer)
        name = str(node.args["alias"].this.name).casefold()
        if name in seen:
            raise UnfollowedError("two CTEs of one name")
        # Copied, so that each sees those before it, or filled further on, so that each sees all.
        cte.names = Names(parent, seen if sees_all else dict(seen), index)
        seen[name] = cte
    return Names(parent, seen)


def is_same(cte: Cte, identifier: Any, dialect: str) -> bool:
    """Whether the engine takes a name, alike but for its case, for that of a CTE."""
    own = cte.node.args["alias"].this
    return _folded(own, dialect) == _folded(identifier, dialect)


def _folded(identifier: Any, dialect: str) -> str:
    name = str(identifier.name)
    if dialect in _CASE_BLIND:
        return name.casefold()
    if identifier.args.get("quoted") or dialect == "mysql":
        return name
    return name.upper() if dialect in _FOLDED_UP else name.lower()


class Ctes:
    """Reads CTEs, those that feed themselves until nothing new comes."""

    def __init__(self, read: Callable[[Any, Names | None, Scope | None], Relation]) -> None:
        self.read = read
        self._unfinished: set[Cte] = set()
        """Those whose rows so far were used since it was last looked at."""

    def relation(self, cte: Cte) -> Relation:
        """Return what a CTE gives."""
        if cte.relation is not None:
            return cte.relation
        if cte.is_running:
            if cte.so_far is None:
                raise UnfollowedError("a CTE that reads itself before it has rows")
            cte.is_used = True
            self._unfinished.add(cte)
            return cte.so_far
        cte.is_running = True
        before, self._unfinished = self._unfinished, set()
        try:
            relation = self._settled(cte)
        finally:
            cte.is_running = False
            others = self._unfinished - {cte}
            self._unfinished = before | others
        if not others:  # else it rests on what another one only has so far
            cte.relation = relation
        return relation

    def _settled(self, cte: Cte) -> Relation:
        cte.so_far = self._first_rows(cte) if cte.is_recursive else None
        for _ in range(_MOST_ROUNDS):
            cte.is_used = False
            relation = self._once(cte, cte.node.this)
            if not cte.is_used or cte.so_far is None:
                return relation
            more = stacked(cte.so_far, relation)
            if more == cte.so_far:
                return replace(more, is_made=True)
            cte.so_far = more
        raise UnfollowedError("a CTE that feeds itself in too many ways")

    def _first_rows(self, cte: Cte) -> Relation | None:
        """Return what the part of a recursive CTE gives that stands before the first UNION."""
        query = cte.node.this
        names = cte.names
        while isinstance(query, exp.SetOperation | exp.Subquery):
            if query.args.get("with_"):
                return None
            query = query.this
        if query is cte.node.this:
            return None
        return _renamed(self.read(query, names, cte.outer), cte)

    def _once(self, cte: Cte, query: Any) -> Relation:
        relation = _renamed(self.read(query, cte.names, cte.outer), cte)
        clause = cte.node.parent
        if clause.args.get("search") or clause.args.get("cycle"):
            raise UnfollowedError("a SEARCH or CYCLE clause")
        return relation


def _renamed(relation: Relation, cte: Cte) -> Relation:
    return relation.under("", columns_of(cte.node.args["alias"]))


def columns_of(alias: Any) -> Sequence[str]:
    """Return the folded column names of an alias such as `t(a, b)`."""
    if not isinstance(alias, exp.TableAlias):
        return ()
    return [str(column.name).casefold() for column in alias.args.get("columns") or ()]
