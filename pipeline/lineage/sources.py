"""What FROM gives: tables, views, CTEs, subqueries, functions, and what joins make of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

from sqlglot import exp

from pipeline.lineage.names import Names
from pipeline.lineage.outputs import OPEN, Output, Scope, Shape, Source, together

_LISTING = (exp.Unnest, exp.ExplodingGenerateSeries, exp.GenerateSeries)
_LEFT_ONLY = frozenset(("SEMI", "ANTI"))


class Queries(Protocol):
    """Reads queries and expressions."""

    names: Names
    engines_own: bool

    def query(self, node: Any, ctes: dict[str, Shape], outer: Scope | None) -> Shape:
        """Return what a query gives."""

    def walk(self, node: Any, scope: Scope) -> None:
        """Note what an expression uses."""


class From:
    """Reads the FROM clauses of one statement."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries
        self._names = queries.names

    def fill(self, select: Any, scope: Scope) -> None:
        """Put the sources of a SELECT into its scope, then read what joins them."""
        start = select.args.get("from_")
        if start is not None:
            self.add(start.this, scope)
        self._join(select, scope)
        for lateral in select.args.get("laterals") or ():
            self.add(lateral, scope)

    def _join(self, node: Any, scope: Scope) -> None:
        for join in node.args.get("joins") or ():
            before = len(scope.sources)
            self.add(join.this, scope)
            self._merge(join, scope, before)
            self._queries.walk(join.args.get("on"), scope)
            self._queries.walk(join.args.get("match_condition"), scope)
            if str(join.args.get("kind") or "").upper() in _LEFT_ONLY:
                for source in scope.sources[before:]:
                    source.shape = replace(source.shape, outputs=())
                    scope.merged.clear()

    def _merge(self, join: Any, scope: Scope, before: int) -> None:
        """Make one column of the two that USING or NATURAL equals."""
        left, right = scope.sources[:before], scope.sources[before:]
        using = [
            part.this if isinstance(part, exp.Column) else part
            for part in join.args.get("using") or ()
        ]
        if str(join.args.get("method") or "").upper() == "NATURAL":
            ours = {o.name for source in left for o in source.shape.outputs}
            names = [o.name for source in right for o in source.shape.outputs if o.name in ours]
        else:
            names = [self._names.tables.folded(identifier) for identifier in using]
        for name, node in zip(names, using or [join] * len(names), strict=False):
            sides = [
                [o for source in side for o in source.shape.named(name)] for side in (left, right)
            ]
            if name in scope.merged:
                sides[0] = [scope.merged[name]]
            found = sides[0][:1] + sides[1]
            for side, sources in zip(sides, (left, right), strict=True):
                if not side and not any(s.shape.is_open for s in sources):
                    whose = ", ".join(s.table or s.names[0] for s in sources if s.table or s.names)
                    known = [o.name for s in sources for o in s.shape.outputs]
                    self._names.refuse(
                        node, node.name, f"{whose} has no column `{node.name}`", known
                    )
            if found:
                both = together(found)
                is_full = str(join.args.get("side") or "").upper() in ("FULL", "RIGHT")
                passes = None if is_full else found[0].passes
                scope.merged[name] = replace(both, name=name, passes=passes)
                self._names.equated.append(both)
                self._names.use(both.reads | both.pending)

    def add(self, node: Any, scope: Scope) -> None:
        """Put what stands in FROM, with what is joined to it, into a scope."""
        alias = node.args.get("alias")
        if isinstance(node, exp.Subquery) and not is_query(node):
            inner = scope if alias is None else Scope(scope.ctes, scope.outer)
            self.add(node.this, inner)
            self._join(node, inner)
            if alias is not None:  # (a JOIN b) AS x
                outputs = tuple(o for source in inner.sources for o in source.shape.outputs)
                self._put(node, Shape(outputs, is_open=inner.is_open), scope)
            return
        if isinstance(node, exp.Pivot):  # PIVOT t ON … as a query of its own
            inner = Scope(scope.ctes, scope.outer)
            self.add(node.this, inner)
            inner.sources.append(Source((), OPEN))
            for part in _arguments(node):
                if part is not node.this:
                    self._queries.walk(part, inner)
            self._put(node, OPEN, scope, renames=False)
        elif isinstance(node, exp.Table):
            self.add_table(node, scope)
        elif isinstance(node, exp.Subquery):
            around = scope if names_siblings(self._names.tables.dialect) else scope.outer
            self._put(node, self._queries.query(node, scope.ctes, around), scope)
        elif isinstance(node, exp.Lateral) and isinstance(node.this, exp.Query):
            self._put(node, self._queries.query(node.this, scope.ctes, scope), scope)
        elif isinstance(node, exp.Values):
            self._put(node, _values(node), scope)
            self._queries.walk(node, scope)
        else:
            self._add_function(node, scope)
        self._join(node, scope)

    def add_table(self, node: Any, scope: Scope) -> None:
        """Put a table, a CTE or a function's rows into a scope."""
        if not isinstance(node.this, exp.Identifier):
            self._add_function(node, scope)
            return
        names = self._names
        parts = tuple(names.tables.of_table(part) for part in node.parts)
        cte = scope.ctes.get(names.tables.folded(node.this)) if len(parts) == 1 else None
        if cte is not None:
            self._put(node, cte, scope)
            return
        table = names.tables.find(node, engines_own=self._queries.engines_own)
        names.found.named[parts] = table.name if table else None
        if table is not None:
            names.found.tables.add(table.name)
            self._put(node, names.tables.shape(table), scope, table.name)
            return
        if not names.tables.is_foreign(parts):
            written = ".".join(str(part.name) for part in node.parts)
            near = names.tables.near.table(written)
            names.lack(node.this, written, f"there is no table `{written}`", near)
        self._put(node, OPEN, scope)

    def _add_function(self, node: Any, scope: Scope) -> None:
        """Add a function's rows; what it is called with may name the sources before it."""
        call = node if isinstance(node, exp.Unnest) else node.this
        for part in _arguments(node):
            self._queries.walk(part, scope)
        alias = node.args.get("alias")
        columns = _column_names(alias, names := self._names)
        is_listing = isinstance(call, _LISTING) and bool(columns)
        outputs = [Output(name) for name in columns]
        offset = node.args.get("offset")
        if isinstance(offset, exp.Identifier):
            outputs.append(Output(names.tables.folded(offset)))
        self._put(node, Shape(tuple(outputs), is_open=not is_listing), scope, renames=False)

    def _put(
        self,
        node: Any,
        shape: Shape,
        scope: Scope,
        table: str | None = None,
        *,
        renames: bool = True,
    ) -> None:
        alias = node.args.get("alias")
        if renames:
            shape = shape.renamed(_column_names(alias, self._names))
        for pivot in node.args.get("pivots") or ():
            self._queries.walk(pivot, Scope(scope.ctes, None, [Source(("",), shape, table)]))
            shape = OPEN
            if pivot.args.get("alias") is not None:
                alias = pivot.args["alias"]
        named = alias.this if isinstance(alias, exp.TableAlias) else alias
        called: tuple[str, ...] = ()
        if isinstance(named, exp.Identifier):
            called = (self._names.tables.folded(named),)
        elif isinstance(node.this, exp.Identifier):
            called = (self._names.tables.folded(node.this),)
        elif isinstance(node.this, exp.Func):
            called = (str(node.this.name or node.this.key).casefold(),)
        scope.sources.append(Source(called, shape, table))


def names_siblings(dialect: str) -> bool:
    """Whether a subquery in FROM sees what stands before it without the word LATERAL."""
    return dialect == "duckdb"


def is_query(node: Any) -> bool:
    """Whether brackets hold a query; else they hold a join, or nothing but a table."""
    while isinstance(node, exp.Subquery):
        if node.args.get("joins") and not isinstance(node.this, exp.Select | exp.SetOperation):
            return False
        node = node.this
    return isinstance(node, exp.Select | exp.SetOperation | exp.Values)


def _arguments(node: Any) -> Iterator[Any]:
    for key, value in node.args.items():
        if key in ("alias", "joins", "pivots", "sample"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, exp.Expr):
                yield part


def _column_names(alias: Any, names: Names) -> list[str]:
    if not isinstance(alias, exp.TableAlias):
        return []
    columns = alias.args.get("columns") or ()
    identifiers = (c if isinstance(c, exp.Identifier) else c.this for c in columns)
    return [names.tables.folded(i) for i in identifiers if isinstance(i, exp.Identifier)]


def _values(node: Any) -> Shape:
    first = node.expressions[0] if node.expressions else None
    count = len(first.expressions) if isinstance(first, exp.Tuple) else 1
    return Shape(tuple(Output(f"column{number}") for number in range(1, count + 1)))
