"""What the value of an expression carries: a value of a sensitive column, or none.

Whatever has no rule here carries what its parts carry, so that a construct nobody thought of is
masked. The rules say what shows no value: counts, tests for NULL and EXISTS, ranks, and what only
chooses or orders rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from sqlglot import exp

from pipeline.database.masking import seen
from pipeline.database.masking.relations import (
    NONE,
    Origins,
    Relation,
    Scope,
    chain,
    of_name,
    of_path,
    union,
)

_ORDERED = (
    exp.ArrayAgg, exp.GroupConcat, exp.JSONArrayAgg, exp.JSONObjectAgg, exp.First, exp.Last,
    exp.AnyValue, exp.Sum, exp.Min, exp.Max,
)  # fmt: skip
"""Aggregates whose ORDER BY only orders; that of others, such as mode(), is their argument."""
_ROW_MAKERS = re.compile(
    r"unnest|explode\w*|flatten|range|generate_\w+|jsonb?_\w*(each|elements|keys|query)\w*"
    r"|jsonb?_(tree|table)|regexp_(matches|split_to_table)|string_to_table|json_to_recordset"
    r"|xmltable|xpath"
)
_LISTS = (
    exp.Array, exp.ArrayAgg, exp.Split, exp.RegexpSplit, exp.GenerateSeries, exp.StringToArray,
    exp.Bracket,
)  # fmt: skip
_CLAUSES = ("where", "having", "qualify", "group", "order", "distinct", "connect", "prewhere")
_ONE_STAR = {"postgres", "redshift"}  # where f(t.*) gets the whole row as one value


class Queries(Protocol):
    """Reads the queries inside expressions."""

    def query(self, node: Any, names: Any, outer: Scope | None) -> Relation:
        """Return what a query gives."""

    def star(self, star: Any, relation: Relation, scope: Scope) -> Relation:
        """Return the columns of a relation as a star gives them."""

    def unfollowed(self, call: Any) -> Origins:
        """Return what a function may show that reads by itself what it likes."""


class Values:
    """Reads expressions."""

    def __init__(self, queries: Queries, dialect: str, *, only_seen: bool) -> None:
        self.queries = queries
        self.dialect = dialect
        self.only_seen = only_seen
        """See `masking.seen`."""
        self.is_many = False
        """What was read last stands for several columns."""
        self.made: Origins = NONE
        """What the rows are made from that a function in a SELECT list returned."""
        self.is_strict = False
        """What a subquery asks about counts, too."""

    def of(self, node: Any, scope: Scope) -> Origins:
        """Return what the value of an expression carries."""
        if self.only_seen and (shown := seen.parts(node, self.dialect)) is not None:
            return self.of_all(shown, scope)
        if isinstance(node, exp.Func):
            return self._by_rule(node, scope) | self.queries.unfollowed(node)
        return self._by_rule(node, scope)

    def _by_rule(self, node: Any, scope: Scope) -> Origins:
        rule = _RULES.get(type(node))
        if rule is not None:
            return rule(self, node, scope)
        if isinstance(node, exp.Query):
            return self._query(node, scope)
        found = self.of_parts(node, scope)
        return found | scope.fed if isinstance(node, exp.AggFunc) else found

    def of_parts(self, node: Any, scope: Scope, *, without: Iterable[str] = ()) -> Origins:
        """Return what all parts of an expression carry together."""
        found = NONE
        for key, value in node.args.items():
            if key in without:
                continue
            for part in value if isinstance(value, list) else (value,):
                if isinstance(part, exp.Expr):
                    found |= self.of(part, scope)
        return found

    def of_all(self, nodes: Iterable[Any], scope: Scope) -> Origins:
        """Return what several expressions carry together."""
        return union([self.of(node, scope) for node in nodes if isinstance(node, exp.Expr)])

    def asked(self, select: Any, scope: Scope) -> Origins:
        """Return what the clauses of a SELECT ask about, subqueries in them included."""
        before = self.is_many, self.made, self.is_strict
        self.is_strict = True
        parts = [select.args.get(key) for key in _CLAUSES]
        joins = list(select.args.get("joins") or ())
        found = self.of_all([*parts, *(join.args.get("on") for join in joins)], scope)
        for name in (name for join in joins for name in join.args.get("using") or ()):
            hit = scope.column(str(name.name).casefold())
            found |= hit[0] if hit is not None else NONE
        self.is_many, self.made, self.is_strict = before
        return found

    # -- names -----------------------------------------------------------------------------

    def _nothing(self, _node: Any, _scope: Scope) -> Origins:
        return NONE

    def _column(self, node: Any, scope: Scope) -> Origins:
        if isinstance(node.this, exp.Star):
            self.is_many |= self.dialect not in _ONE_STAR
            return of_path(scope, path(node)[-1:])
        return of_path(scope, path(node))

    def _identifier(self, node: Any, scope: Scope) -> Origins:
        """Read a bare name: the variable of a lambda, or a column in DuckDB's `email.upper()`."""
        return of_name(scope, str(node.name).casefold(), surely=True) or NONE

    def _star(self, node: Any, scope: Scope) -> Origins:
        self.is_many = True
        return self.queries.star(node, scope.star, scope).origins

    def _columns(self, node: Any, scope: Scope) -> Origins:
        self.is_many = True
        if isinstance(node.this, exp.Star):
            return self._star(node.this, scope)
        return self.of_parts(node, scope) | scope.star.origins

    def _position(self, _node: Any, scope: Scope) -> Origins:
        return union(here.origins for here in chain(scope))

    def _dot(self, node: Any, scope: Scope) -> Origins:
        left, right = node.this, node.expression
        parts = path_of_dot(node)
        if parts is not None:
            return of_path(scope, parts)
        if isinstance(right, exp.Star):
            self.is_many = True
        if isinstance(right, exp.Identifier | exp.Star):
            return self.of(left, scope)
        return self.of(left, scope) | self.of(right, scope)

    def _named(self, node: Any, scope: Scope) -> Origins:
        """Read `name := value`."""
        return self.of(node.expression, scope)

    def _alias(self, node: Any, scope: Scope) -> Origins:
        return self.of(node.this, scope)

    # -- what shows no value ------------------------------------------------------------------

    def _count(self, node: Any, scope: Scope) -> Origins:
        if isinstance(node.this, exp.Expr) and node.this.find(exp.Columns):
            self.is_many = True
        return scope.fed

    def _is(self, node: Any, scope: Scope) -> Origins:
        """Read `IS NULL` of a column as free; of an expression it can be any test."""
        tested = node.this.unnest() if isinstance(node.this, exp.Paren) else node.this
        is_null_test = isinstance(node.expression, exp.Null) and isinstance(tested, exp.Column)
        if is_null_test and not isinstance(tested.this, exp.Star):
            return NONE
        return self.of_parts(node, scope)

    def _exists(self, node: Any, scope: Scope) -> Origins:
        is_free = isinstance(node.this, exp.Query) and not self.is_strict
        return NONE if is_free else self.of_parts(node, scope)

    def _filter(self, node: Any, scope: Scope) -> Origins:
        return self.of_parts(node, scope) if scope.is_made else self.of(node.this, scope)

    def _window(self, node: Any, scope: Scope) -> Origins:
        frame = node.args.get("spec")
        found = scope.fed | (scope.frames if node.args.get("alias") else NONE)
        if frame is not None:  # how many rows it spans can be read off a count
            found |= self.of_parts(frame, scope)
        if scope.is_made:  # a rank among guesses is the value
            found |= self.of_parts(node, scope)
        return found | self.of(node.this, scope)

    def _order(self, node: Any, scope: Scope) -> Origins:
        holder = node.parent
        while isinstance(holder, exp.Distinct | exp.Limit | exp.IgnoreNulls | exp.RespectNulls):
            holder = holder.parent
        if isinstance(holder, _ORDERED) and node.this is not None:
            return self.of(node.this, scope)
        return self.of_parts(node, scope)

    def _within_group(self, node: Any, scope: Scope) -> Origins:
        if isinstance(node.this, exp.ArrayAgg | exp.GroupConcat):
            return self.of(node.this, scope)
        return self.of_parts(node, scope) | scope.fed

    # -- what has scopes or rows of its own ---------------------------------------------------

    def _query(self, node: Any, scope: Scope) -> Origins:
        is_many, made = self.is_many, self.made
        relation = self.queries.query(node, scope.names, scope)
        self.is_many, self.made = is_many, made
        return relation.origins | relation.asked if self.is_strict else relation.origins

    def _call(self, node: Any, scope: Scope) -> Origins:
        """Read a function that sqlglot doesn't know: it may be an aggregate, or make rows."""
        found = self.of_parts(node, scope)
        name = node.this if isinstance(node.this, str) else getattr(node.this, "name", "")
        if _ROW_MAKERS.fullmatch(name.casefold()):
            self.made |= found
        return found | scope.fed

    def _rows(self, node: Any, scope: Scope) -> Origins:
        found = self.of_parts(node, scope)
        self.made |= found
        first = node.expressions[0] if isinstance(node, exp.Unnest) else node.this
        if isinstance(first, exp.Expr) and not isinstance(first, _LISTS):
            self.is_many |= self.dialect == "duckdb"  # of a struct it makes several columns
        return found

    def _comprehension(self, node: Any, scope: Scope) -> Origins:
        iterated = self.of(node.args["iterator"], scope)
        parts = [node.args.get("expression"), node.args.get("position")]
        variables = [str(part.name).casefold() for part in parts if isinstance(part, exp.Expr)]
        inner = Scope(scope.names, scope, aliases=dict.fromkeys(variables, iterated))
        without = ["iterator", "expression", "position"]
        return iterated | self.of_parts(node, inner, without=without)


def path(column: Any) -> list[str]:
    """Return the folded parts of a column's name, without a star."""
    return [str(p.name).casefold() for p in column.parts if not isinstance(p, exp.Star)]


def path_of_dot(node: Any) -> list[str] | None:
    """Return the folded names in `(t).a`, or in SQLite's 't'.'a'; None when it isn't just names."""
    if isinstance(node, exp.Paren):
        node = node.unnest()
    if isinstance(node, exp.Dot):
        left, right = path_of_dot(node.this), path_of_dot(node.expression)
        return [*left, *right] if left is not None and right is not None else None
    if isinstance(node, exp.Column):
        return None if isinstance(node.this, exp.Star) else path(node)
    is_name = isinstance(node, exp.Identifier) or (isinstance(node, exp.Literal) and node.is_string)
    return [str(node.name).casefold()] if is_name else None


_Rule = Callable[[Values, Any, Scope], Origins]
# ruff: noqa: SLF001 - the table of this module's own methods
_RULES: dict[type, _Rule] = {
    exp.Column: Values._column,
    exp.Identifier: Values._identifier,
    exp.Var: Values._identifier,
    exp.Star: Values._star,
    exp.Columns: Values._columns,
    exp.PositionalColumn: Values._position,
    exp.Parameter: Values._position,
    exp.Dot: Values._dot,
    exp.Alias: Values._alias,
    exp.PropertyEQ: Values._named,
    exp.Kwarg: Values._named,
    exp.Literal: Values._nothing,
    exp.Null: Values._nothing,
    exp.Boolean: Values._nothing,
    exp.DataType: Values._nothing,
    exp.Count: Values._count,
    exp.CountIf: Values._count,
    exp.ApproxDistinct: Values._count,
    exp.Grouping: Values._nothing,
    exp.GroupingId: Values._nothing,
    exp.Is: Values._is,
    exp.Exists: Values._exists,
    exp.Filter: Values._filter,
    exp.Window: Values._window,
    exp.Order: Values._order,
    exp.WithinGroup: Values._within_group,
    exp.Select: Values._query,
    exp.Subquery: Values._query,
    exp.Values: Values._query,
    exp.Anonymous: Values._call,
    exp.AnonymousAggFunc: Values._call,
    exp.Explode: Values._rows,
    exp.Unnest: Values._rows,
    exp.GenerateSeries: Values._rows,
    exp.ExplodingGenerateSeries: Values._rows,
    exp.Comprehension: Values._comprehension,
}
