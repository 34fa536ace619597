"""Which tables and columns one statement uses, and what stands behind each column that it gives.

sqlglot's `qualify` stops at the first name that it doesn't know and rewrites what it reads; here
the same rules are read off the tree, all unknown names are told, and no statement costs more than
its own tables, however many the catalogue has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from pipeline.lineage.names import Names, Unknown
from pipeline.lineage.outputs import (
    OPEN,
    Output,
    Place,
    Scope,
    Shape,
    Source,
    shown,
    stacked,
    stacked_by_name,
    union,
)
from pipeline.lineage.parsing import UnreadableError, parse
from pipeline.lineage.sources import From, is_query
from pipeline.lineage.tables import Tables

_RECURSIVE_BY_WORD = frozenset(
    ("postgres", "redshift", "mysql", "duckdb", "bigquery", "spark", "databricks", "trino")
)
"""Where only WITH RECURSIVE lets a CTE see itself."""
_READ_FIRST = ("with_", "from_", "joins", "laterals", "expressions")


_QUERIES = (exp.Query, exp.Create, exp.Pivot, exp.Table, exp.Values, exp.Describe, exp.Summarize)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one statement or condition uses."""

    tables: tuple[str, ...] = ()
    columns: tuple[Place, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    shape: Shape = OPEN
    """What a query gives."""
    named: tuple[tuple[tuple[str, ...], str | None], ...] = ()
    """Every table name in it, as the engine compares it, and the table that it is."""
    resolved: tuple[tuple[Any, Output], ...] = ()
    """Every name of a column in its tree, and what it carries."""
    equated: tuple[Output, ...] = ()
    """What USING and NATURAL made one of two."""


def read(
    sql: str,
    tables: Tables,
    sources: Sequence[Source] | None = None,
    *,
    engines_own: bool = False,
) -> Reading:
    """Return what a query, or a condition over `sources`, uses.

    Args:
        sql: one statement of the catalogue's dialect.
        tables: the tables that there are.
        sources: what a condition's columns are of; of anything when there are none. None: only a
            query will do.
        engines_own: the engine wrote the text, so that names without schema are looked for in all.

    Raises:
        UnreadableError: it can't be parsed, or is something else.
    """
    tree = parse(sql, tables.dialect)
    if sources is None and not isinstance(tree, _QUERIES):
        raise UnreadableError("it is no query")
    try:
        return _Statement(tables, sql, engines_own=engines_own).read(tree, sources or ())
    except RecursionError as error:
        raise UnreadableError("it is nested too deeply") from error
    except (ValueError, TypeError, AttributeError, IndexError, KeyError) as error:
        raise UnreadableError("its names can't be followed") from error  # a tree nobody foresaw


class _Statement:
    """One look at one statement."""

    def __init__(self, tables: Tables, sql: str, *, engines_own: bool) -> None:
        self.names = Names(tables, sql)
        self.engines_own = engines_own
        self._from = From(self)

    def read(self, tree: Any, sources: Sequence[Source]) -> Reading:
        """Return what the statement uses."""
        root = tree.expression if isinstance(tree, exp.Create) else tree
        shape = OPEN
        if isinstance(root, exp.Query):
            shape = self.query(root, {}, None)
            self.names.use(union(o.pending for o in shape.outputs))
        else:
            scope = Scope({}, None, list(sources) or [Source((), OPEN)])
            self.names.found.tables.update(s.table for s in sources if s.table)
            if isinstance(root, exp.Pivot):
                self._from.add(root, scope)
            else:
                for table in () if isinstance(root, exp.Condition) else _tables_in(root):
                    self._from.add_table(table, scope)
                self.walk(root, scope)
        found = self.names.found
        unknown = sorted(found.unknown, key=lambda u: (u.line, u.column, u.text))
        return Reading(
            tuple(sorted(found.tables)),
            tuple(sorted(found.columns)),
            tuple(unknown),
            shape,
            tuple(found.named.items()),
            self.names.resolved,
            tuple(self.names.equated),
        )

    # -- queries ------------------------------------------------------------------------------

    def query(self, node: Any, ctes: dict[str, Shape], outer: Scope | None) -> Shape:
        """Return what a query gives; its `*` count as used once their columns are."""
        clause = node.args.get("with_")
        if clause is not None:
            ctes = self._with(clause, ctes, outer)
        if isinstance(node, exp.Select):
            return self._select(node, ctes, outer)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, ctes, outer)
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Values):
            return self.query(node.this, ctes, outer)
        if isinstance(node, exp.Subquery) and is_query(node) and isinstance(node.this, exp.Query):
            shape = self.query(node.this, ctes, outer)
            self._clauses(node, Scope(ctes, outer, aliases=_by_name(shape)), but=("this", "alias"))
            return shape
        scope = Scope(ctes, outer)
        self._from.add(node, scope)
        return scope.sources[0].shape if len(scope.sources) == 1 else OPEN

    def _with(self, clause: Any, ctes: dict[str, Shape], outer: Scope | None) -> dict[str, Shape]:
        known = dict(ctes)
        dialect = self.names.tables.dialect
        sees_itself = bool(clause.args.get("recursive")) or dialect not in _RECURSIVE_BY_WORD
        for cte in clause.expressions:
            alias = cte.args["alias"]
            name = self.names.tables.folded(alias.this)
            columns = [self.names.tables.folded(c) for c in alias.args.get("columns") or ()]
            first = cte.this.unnest() if isinstance(cte.this, exp.Subquery) else cte.this
            inner = dict(known)
            if sees_itself and isinstance(first, exp.SetOperation):
                inner[name] = self.query(_first(first), known, outer).renamed(columns)
            shape = OPEN
            if isinstance(cte.this, exp.Query):
                shape = self.query(cte.this, inner, outer)
            else:
                self.walk(cte.this, Scope(inner, outer))
            if clause.args.get("search") or cte.args.get("search") or cte.args.get("cycle"):
                shape = replace(shape, is_open=True)
            known[name] = shape.renamed(columns)
        return known

    def _set_operation(self, node: Any, ctes: dict[str, Shape], outer: Scope | None) -> Shape:
        sides = [self.query(side, ctes, outer) for side in (node.this, node.expression)]
        shape = (stacked_by_name if node.args.get("by_name") else stacked)(*sides)
        if node.args.get("distinct") or not isinstance(node, exp.Union):  # all columns are compared
            self.names.use(union(o.pending for side in sides for o in side.outputs))
        scope = Scope(ctes, outer, aliases=_by_name(shape))
        self._clauses(node, scope, but=("this", "expression", "with_"))
        return shape

    def _select(self, node: Any, ctes: dict[str, Shape], outer: Scope | None) -> Shape:
        scope = Scope(ctes, outer)
        self._from.fill(node, scope)
        outputs: list[Output] = []
        is_open = False
        for item in node.expressions:
            part = self._item(item, scope)
            outputs += part.outputs
            is_open = is_open or part.is_open
        if node.args.get("distinct"):
            self.names.use(union(o.pending for o in outputs))
        self._clauses(node, scope, but=_READ_FIRST)
        return Shape(tuple(outputs), is_open=is_open)

    def _clauses(self, node: Any, scope: Scope, *, but: Sequence[str]) -> None:
        for key, value in node.args.items():
            if key in but:
                continue
            for part in value if isinstance(value, list) else [value]:
                if key == "order":
                    self._order(part, scope)
                else:
                    self.walk(part, scope)

    def _order(self, order: Any, scope: Scope) -> None:
        """Read ORDER BY, where a name that SELECT gives comes before a column of that name."""
        for item in order.expressions if isinstance(order, exp.Expr) else ():
            inner = item.this if isinstance(item, exp.Ordered) else item
            is_bare = isinstance(inner, exp.Column) and inner.args.get("table") is None
            if not (is_bare and self.names.tables.folded(inner.this) in scope.aliases):
                self.walk(item, scope)

    # -- the SELECT list ----------------------------------------------------------------------

    def _item(self, item: Any, scope: Scope) -> Shape:
        inner = item.unalias()
        if isinstance(inner, exp.Star):
            return self._star(inner, self._all(scope), scope)
        if isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star):
            source = self._named(inner, scope)
            if source is None:
                known = [name for s in scope.sources for name in s.names]
                reason = f"`{inner.table}` is no table of this statement"
                self.names.refuse(inner.args["table"], inner.table, reason, known)
            return self._star(inner.this, source.shape if source else OPEN, scope)
        if isinstance(inner, exp.Columns | exp.Dot) or isinstance(item, exp.Aliases):
            self.walk(inner, scope)
            name = (
                self.names.tables.folded(item.args["alias"]) if isinstance(item, exp.Alias) else ""
            )
            return Shape((Output(name),), is_open=not name)
        return Shape((self._value(item, inner, scope),))

    def _named(self, column: Any, scope: Scope) -> Source | None:
        """Return the source of which `t.*` is a row."""
        name = self.names.tables.folded(column.args["table"])
        here: Scope | None = scope
        while here is not None:
            source = here.called(name)
            if source is not None:
                return source
            here = here.outer
        return None

    def _row(self, column: Any, scope: Scope) -> tuple[Output, ...]:
        source = self._named(column, scope) if column.args.get("table") else None
        return source.shape.outputs if source else ()

    def _value(self, item: Any, inner: Any, scope: Scope) -> Output:
        before = self.names.found.columns
        self.names.found.columns = set()
        self.walk(inner, scope)
        reads = frozenset(self.names.found.columns)
        self.names.found.columns = before | reads
        plain = inner
        while isinstance(plain, exp.Paren):
            plain = plain.this
        passes = self.names.column(plain, scope).passes if isinstance(plain, exp.Column) else None
        shows = union(
            output.shows
            for column in shown(inner)
            for output in (
                self._row(column, scope)
                if isinstance(column.this, exp.Star)
                else (self.names.column(column, scope),)
            )
        )
        name = ""
        if isinstance(item, exp.Alias):
            name = self.names.tables.folded(item.args["alias"])
            scope.aliases.setdefault(name, Output(name, passes, shows, reads))
        elif isinstance(plain, exp.Column):
            name = self.names.tables.folded(plain.this)
        return Output(name, passes, shows, reads)

    def _all(self, scope: Scope) -> Shape:
        """Return what `*` gives."""
        outputs: list[Output] = []
        seen = set()
        for source in scope.sources:
            for output in source.shape.outputs:
                merged = scope.merged.get(output.name)
                if merged is None:
                    outputs.append(output)
                elif output.name not in seen:
                    seen.add(output.name)
                    outputs.append(merged)
        return Shape(tuple(outputs), is_open=scope.is_open)

    def _star(self, star: Any, shape: Shape, scope: Scope) -> Shape:
        """Return the columns of a shape as `* EXCLUDE … REPLACE … RENAME …` gives them."""
        folded = self.names.tables.folded
        left_out = {folded(_identifier(part)) for part in star.args.get("except_") or ()}
        given = {folded(part.args["alias"]): part for part in star.args.get("replace") or ()}
        renamed = {
            folded(_identifier(part.this)): folded(part.args["alias"])
            for part in star.args.get("rename") or ()
        }
        outputs = []
        for output in shape.outputs:
            name = renamed.get(output.name, output.name)
            if output.name in given:
                replaced = self._value(given[output.name], given[output.name].this, scope)
                outputs.append(replace(replaced, name=name))
            elif output.name not in left_out:
                pending = output.pending | output.reads
                outputs.append(replace(output, name=name, pending=pending))
        return Shape(tuple(outputs), is_open=shape.is_open or bool(star.args.get("ilike")))

    # -- expressions --------------------------------------------------------------------------

    def walk(self, node: Any, scope: Scope) -> None:
        """Note what an expression uses, with the queries in it."""
        waiting = [node]
        while waiting:
            part = waiting.pop()
            if isinstance(part, exp.Expr):
                waiting += self._step(part, scope)

    def _step(self, node: Any, scope: Scope) -> list[Any]:
        """Note what one node uses by itself; return the nodes in it that are to be looked at."""
        if isinstance(node, exp.Column):
            self._column(node, scope)
        elif isinstance(node, exp.Query):
            shape = self.query(node, scope.ctes, scope)
            if not isinstance(node.parent, exp.Exists):
                self.names.use(union(o.pending for o in shape.outputs))
        elif isinstance(node, exp.Table):
            self._from.add_table(node, Scope(scope.ctes))
        elif isinstance(node, exp.Kwarg | exp.PropertyEQ):
            return [node.expression]
        elif isinstance(node, exp.Comprehension | exp.Lambda):
            return self._bound(node, scope)
        elif isinstance(node, exp.Columns):
            self.names.use(union(o.reads for s in scope.sources for o in s.shape.outputs))
        elif not (isinstance(node, exp.Dot) and self._is_field_of_row(node, scope)):
            return list(node.iter_expressions(reverse=True))
        return []

    def _column(self, node: Any, scope: Scope) -> None:
        if not isinstance(node.this, exp.Star):
            self.names.column(node, scope)
        elif not isinstance(node.parent, exp.Count):
            self.names.use(union(o.reads | o.pending for o in self._row(node, scope)))

    def _bound(self, node: Any, scope: Scope) -> list[Any]:
        """Read what gives names to values of its own; return what lies outside of it."""
        is_lambda = isinstance(node, exp.Lambda)
        given = node.expressions if is_lambda else [node.args.get("expression")]
        found = [i for part in given if part is not None for i in part.find_all(exp.Identifier)]
        outputs = tuple(Output(self.names.tables.folded(identifier)) for identifier in found)
        inner = Scope(scope.ctes, scope, [Source((), Shape(outputs))])
        self.walk(node.this, inner)
        self.walk(node.args.get("condition"), inner)
        return [] if is_lambda else [node.args.get("iterator")]

    def _is_field_of_row(self, dot: Any, scope: Scope) -> bool:
        """Read `(t).column`, as PostgreSQL writes a column of a row."""
        row = dot.this.unnest() if isinstance(dot.this, exp.Paren) else dot.this
        if not isinstance(row, exp.Column) or row.args.get("table") is not None:
            return False
        source = scope.called(self.names.tables.folded(row.this))
        if source is None or not isinstance(dot.expression, exp.Identifier):
            return False
        found = source.shape.named(self.names.tables.folded(dot.expression))
        self.names.use(union(o.reads | o.pending for o in found))
        return bool(found)


def _first(query: Any) -> Any:
    while isinstance(query, exp.SetOperation | exp.Subquery) and not query.args.get("with_"):
        query = query.this
    return query


def _identifier(node: Any) -> Any:
    return node.this if isinstance(node, exp.Column) else node


def _by_name(shape: Shape) -> dict[str, Output]:
    return {output.name: output for output in shape.outputs if output.name}


def _tables_in(root: Any) -> list[Any]:
    ctes = {cte.alias.casefold() for cte in root.find_all(exp.CTE)}
    return [t for t in root.find_all(exp.Table) if t.db or t.name.casefold() not in ctes]
