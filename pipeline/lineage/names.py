"""What a name in a statement means: a column of a source, an alias, a part of a value, nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from pipeline.database.names import name_set
from pipeline.errors import nearest
from pipeline.lineage.near import NO_FROM
from pipeline.lineage.outputs import Output, Place, Scope, Source, together
from pipeline.lineage.tables import Tables

_CONSTANTS = name_set("""
    current_date current_time current_timestamp current_user current_role current_schema
    current_catalog localtime localtimestamp session_user system_user sysdate systimestamp user
    uid utc_date utc_time utc_timestamp true false null default maxvalue
    """)
"""Words without brackets that some engine reads as a call or a constant."""
_OPEN = Output("")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name that leads to nothing."""

    text: str
    reason: str
    nearest: str | None = None
    line: int = 0
    """Within the statement, as `column`, counted from 1; 0: unknown."""
    column: int = 0


@dataclass(slots=True)
class Found:
    """What a statement uses, and what it names in vain."""

    tables: set[str] = field(default_factory=set)
    columns: set[Place] = field(default_factory=set)
    unknown: dict[Unknown, None] = field(default_factory=dict)
    named: dict[tuple[str, ...], str | None] = field(default_factory=dict)
    """Every table name in it, as the engine compares it, and the table that it is."""


class Names:
    """Resolves the names of one statement and notes what they lead to."""

    def __init__(self, tables: Tables, sql: str) -> None:
        self.tables = tables
        self.found = Found()
        self.equated: list[Output] = []
        """What USING and NATURAL made one of two."""
        self._sql = sql
        self._resolved: dict[int, tuple[Any, Output]] = {}

    def use(self, places: Iterable[Place]) -> None:
        """Note columns as used."""
        self.found.columns.update(places)

    def refuse(self, node: Any, text: str, reason: str, known: Iterable[str]) -> None:
        """Note a name that leads to nothing, and which of some names may be meant."""
        near = nearest(text.rpartition(".")[2], known, at_most=1)
        self.lack(node, text, reason, near[0] if near else None)

    def lack(self, node: Any, text: str, reason: str, near: str | None) -> None:
        """Note a name that leads to nothing."""
        line, column = self.position(node)
        self.found.unknown[Unknown(text, reason, near, line, column)] = None

    def position(self, node: Any) -> tuple[int, int]:
        """Return line and column of a node in the statement, counted from 1."""
        starts = [i.meta["start"] for i in node.find_all(exp.Identifier) if "start" in i.meta]
        if not starts:
            return 0, 0
        start = min(starts)
        before = self._sql[:start]
        return before.count("\n") + 1, start - (before.rfind("\n") + 1) + 1

    @property
    def resolved(self) -> tuple[tuple[Any, Output], ...]:
        """Every name of a column in the statement's tree, and what it carries."""
        return tuple(self._resolved.values())

    def column(self, node: Any, scope: Scope) -> Output:
        """Return what a column carries, and note it as used."""
        seen = self._resolved.get(id(node))
        known = seen[1] if seen else self._column(node, scope)
        if seen is None:
            self._resolved[id(node)] = (node, known)
            self.use(known.reads)
            self.use(known.pending)
        return known

    def _column(self, node: Any, scope: Scope) -> Output:
        name = self.tables.folded(node.this)
        qualifier = node.args.get("table")
        if qualifier is None:
            return self._bare(node, name, scope)
        called = self.tables.folded(qualifier)
        here: Scope | None = scope
        while here is not None:
            source = here.called(called)
            if source is not None:
                return self._of_source(node, name, source)
            here = here.outer
        return self._part_of_value(node, scope)

    def _of_source(self, node: Any, name: str, source: Source) -> Output:
        found = source.shape.named(name)
        if found:
            return together(found)
        if source.shape.may_have_more or not name or self.tables.is_pseudo(name):
            return _OPEN
        what = f"table {source.table}" if source.table else f"`{source.names[0]}`"
        self.refuse(
            node, _written(node), f"{what} has no column `{node.name}`", _columns_of([source])
        )
        return _OPEN

    def _bare(self, node: Any, name: str, scope: Scope) -> Output:
        here: Scope | None = scope
        while here is not None:
            output = here.merged.get(name)
            if output is not None:
                return output
            found = [o for source in here.sources for o in source.shape.named(name)]
            if found:
                return together(found)
            if name in here.aliases:
                return Output(name, shows=here.aliases[name].shows)
            source = here.called(name)
            if source is not None:
                return self._whole_row(source)
            if here.is_open:
                return _OPEN
            here = here.outer
        if self.tables.is_pseudo(name) or (not _is_quoted(node) and name.casefold() in _CONSTANTS):
            return _OPEN
        self._refuse_bare(node, scope)
        return _OPEN

    def _whole_row(self, source: Source) -> Output:
        if source.table and self.tables.dialect == "sqlite":  # `fts MATCH 'word'`
            return _OPEN
        return together(
            [Output("", None, o.shows, o.reads, o.pending) for o in source.shape.outputs] or [_OPEN]
        )

    def _part_of_value(self, node: Any, scope: Scope) -> Output:
        """Return the column of which `a.b` names a part (a struct's field), if there is one."""
        for part in node.parts[:-1]:
            name = self.tables.folded(part)
            here: Scope | None = scope
            while here is not None:
                found = [o for source in here.sources for o in source.shape.named(name)]
                if found:
                    output = together(found)
                    return Output("", None, output.shows, output.reads, output.pending)
                if here.is_open:
                    return _OPEN
                here = here.outer
        sources = _visible(scope)
        known = [name for source in sources for name in source.names]
        reason = f"`{node.table}` is no table of this statement"
        self.refuse(node, _written(node), reason, _qualified(node, sources) or known)
        return _OPEN

    def _refuse_bare(self, node: Any, scope: Scope) -> None:
        sources = _visible(scope)
        tables = list(dict.fromkeys(s.table or f"`{s.names[0]}`" for s in sources if s.names))
        if not sources:
            reason = self._why_nowhere(node)
        elif not tables:
            reason = f"no column in FROM is called `{node.name}`"
        elif len(tables) == 1:
            reason = (
                f"{'table ' if sources[0].table else ''}{tables[0]} has no column `{node.name}`"
            )
        else:
            reason = f"none of {', '.join(tables)} has a column `{node.name}`"
        if _is_quoted(node) and self.tables.dialect == "sqlite":
            reason += "; SQLite takes it for a text"
        self.refuse(node, _written(node), reason, _columns_of(sources))

    def _why_nowhere(self, node: Any) -> str:
        """Return why a column is none where no table is read, and which tables have it."""
        having = self.tables.near.having(node.name)
        if not having:
            return f"{NO_FROM}, and no table has a column `{node.name}`"
        more = f" and {len(having) - _SHOWN} more" if len(having) > _SHOWN else ""
        shown = ", ".join(f"`{name}`" for name in having[:_SHOWN])
        return f"{NO_FROM}; {shown}{more} {'has' if len(having) == 1 else 'have'} `{node.name}`"


def _visible(scope: Scope) -> list[Source]:
    found: list[Source] = []
    here: Scope | None = scope
    while here is not None:
        found += here.sources
        here = here.outer
    return found


def _columns_of(sources: Iterable[Source]) -> list[str]:
    return [
        o.passes[1] if o.passes and o.passes[1].casefold() == o.name.casefold() else o.name
        for source in sources
        for o in source.shape.outputs
    ]


def _qualified(node: Any, sources: Iterable[Source]) -> list[str]:
    """Return `source.column` for sources that have a column of that name."""
    name = node.name.casefold()
    return [
        f"{source.names[0]}.{node.name}"
        for source in sources
        if source.names and any(o.name.casefold() == name for o in source.shape.outputs)
    ]


def _written(node: Any) -> str:
    return ".".join(str(part.name) for part in node.parts)


def _is_quoted(node: Any) -> bool:
    return bool(node.this.args.get("quoted"))
