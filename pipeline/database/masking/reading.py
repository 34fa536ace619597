"""What the columns of a query carry, read from its syntax tree from the inside out.

Each FROM gives named columns with the sensitive columns they carry, each SELECT list turns them
into others. sqlglot's own `lineage` needs a statement without whole rows, `COLUMNS(…)`, PIVOT or
table functions, and takes several times as long; here nothing is skipped: what has no rule raises
`UnfollowedError`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from sqlglot import exp

from pipeline.database.masking.names import Ctes, Names, opened
from pipeline.database.masking.relations import (
    NONE,
    Field,
    Origins,
    Relation,
    Scope,
    UnfollowedError,
    of_path,
    stacked,
    stacked_by_name,
    unknown,
)
from pipeline.database.masking.sources import From
from pipeline.database.masking.values import Values, path, path_of_dot

_MOST_QUERIES = 3_000
_ALIASES_SEEN = {"duckdb", "snowflake", "redshift", "databricks", "clickhouse", "teradata"}
"""Where an item of a SELECT list can use the name of an earlier one."""
_FREE = {
    "hint", "distinct", "operation_modifiers", "joins", "laterals", "connect", "prewhere", "where",
    "group", "having", "qualify", "windows", "distribute", "sort", "cluster", "order", "sample",
    "settings", "options", "with_", "expressions", "from_", "limit", "offset", "kind", "for_",
    "locks", "format", "pivots",
}  # fmt: skip


class Tables(Protocol):
    """Knows the tables of the database."""

    only_seen: bool
    """Just what a reader sees counts, see `masking.seen`."""

    @property
    def origins(self) -> Origins:
        """All sensitive columns."""

    def unfollowed(self, call: Any) -> Origins:
        """Return what a function may show that reads by itself what it likes."""

    def relation(self, node: Any) -> Relation:
        """Return what a table gives."""

    def is_table(self, folded: str) -> bool:
        """Whether there is a table of that folded name."""


class Reading:
    """One look at one statement."""

    def __init__(self, tables: Tables, dialect: str) -> None:
        self.tables = tables
        self.dialect = dialect
        self.values = Values(self, dialect, only_seen=tables.only_seen)
        self.ctes = Ctes(self.query)
        self.sources = From(self)
        self._left = _MOST_QUERIES

    def query(self, node: Any, names: Names | None, outer: Scope | None) -> Relation:
        """Return what a query gives.

        Args:
            node: the query.
            names: the CTEs that it sees.
            outer: the scope that it stands in.

        Raises:
            UnfollowedError: there is something in it that nobody foresaw.
            RefusedError: it turns values into names of columns.
        """
        self._left -= 1
        if self._left < 0:
            raise UnfollowedError("a statement with very many nested queries")
        clause = node.args.get("with_")
        if clause is not None:
            names = opened(clause, names, outer, self.dialect)
        if isinstance(node, exp.Select):
            relation = self._select(node, names, outer)
        elif isinstance(node, exp.SetOperation):
            relation = self._set_operation(node, names, outer)
        else:
            scope = Scope(names, outer)
            relation = self.sources.standing_alone(node, scope)
        if node.args.get("for_"):  # the whole result as one JSON or XML text
            relation = unknown(relation.origins, fed=relation.fed)
        return _bounded(relation, self._bounds(node, Scope(names, outer)))

    def _bounds(self, node: Any, scope: Scope) -> Origins:
        parts = [node.args.get("limit"), node.args.get("offset")]
        return self.values.of_all(parts, scope) if any(parts) else NONE

    def _set_operation(self, node: Any, names: Names | None, outer: Scope | None) -> Relation:
        if node.args.get("on") or node.args.get("side") or node.args.get("kind"):
            raise UnfollowedError("a set operation that joins columns by name")
        sides = [self.query(side, names, outer) for side in (node.this, node.expression)]
        return (stacked_by_name if node.args.get("by_name") else stacked)(*sides)

    def _select(self, node: Any, names: Names | None, outer: Scope | None) -> Relation:
        for key, value in node.args.items():
            if value and key not in _FREE:
                raise UnfollowedError(f"{key.strip('_').upper()} in a SELECT")
        scope = Scope(names, outer)
        self.sources.fill(scope, node)
        windows = node.args.get("windows") or ()
        scope.frames = self.values.of_all([w.args.get("spec") for w in windows], scope)
        relation = self._list(node.expressions, scope)
        if node.args.get("kind"):  # AS STRUCT
            relation = unknown(relation.origins, fed=relation.fed)
        return self._answered(relation, node, scope)

    def _answered(self, relation: Relation, select: Any, scope: Scope) -> Relation:
        """Return the rows with what the clauses ask about.

        Where guesses meet values (`JOIN generate_series(…) g ON g = salary`), what is chosen,
        grouped or ordered by them shows the value, whichever column is selected.
        """
        is_made = scope.is_made
        relation = replace(relation, is_made=is_made, is_constant=not scope.sources)
        if self.values.only_seen or not (is_made or self.values.is_strict):
            return relation
        asked = self.values.asked(select, scope)
        relation = replace(relation, asked=asked)
        if not asked or not is_made:
            return relation
        fields = tuple(replace(f, origins=f.origins | asked) for f in relation.fields)
        return replace(
            relation, fields=fields, rest=relation.rest | asked, fed=relation.fed | asked
        )

    def unfollowed(self, call: Any) -> Origins:
        """Return what a function may show that reads by itself what it likes."""
        return self.tables.unfollowed(call)

    # -- the SELECT list ----------------------------------------------------------------------

    def _list(self, items: list[Any], scope: Scope) -> Relation:
        values = self.values
        is_many, made = values.is_many, values.made
        values.made = NONE
        gathered = Relation()
        for item in items:
            part = self._item(item, scope)
            gathered = Relation(
                gathered.fields + part.fields,
                gathered.is_whole and part.is_whole,
                gathered.rest | part.rest,
            )
        fed = scope.fed | values.made
        values.is_many, values.made = is_many, made
        return replace(gathered, fed=fed)

    def _item(self, item: Any, scope: Scope) -> Relation:
        inner = item.this if isinstance(item, exp.Alias) else item
        if isinstance(inner, exp.Columns) and isinstance(inner.this, exp.Star):
            inner = inner.this
        if isinstance(inner, exp.Star):
            return self.star(inner, scope.star, scope)
        if isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star):
            return self._star_of(inner, scope)
        if isinstance(inner, exp.Dot) and isinstance(inner.expression, exp.Star):
            return self._row_star(inner, scope)
        self.values.is_many = False
        origins = self.values.of(inner, scope)
        if self.values.is_many or isinstance(item, exp.Aliases):
            return unknown(origins)
        name = _name(item)
        if name is not None and self.dialect in _ALIASES_SEEN and isinstance(item, exp.Alias):
            scope.aliases[name] = scope.aliases.get(name, NONE) | origins
        return Relation((Field(name, origins),))

    def _star_of(self, column: Any, scope: Scope) -> Relation:
        """Read `t.*`."""
        table = path(column)[-1]
        here: Scope | None = scope
        while here is not None:
            found = here.under(table)
            if len(found) == 1 and not here.is_soft:
                return self.star(column.this, found[0], scope)
            if found:
                raise UnfollowedError(f"{table}.* of several tables called {table}")
            here = here.outer
        return unknown(self.values.of(column, scope))  # of a column that is a struct

    def _row_star(self, dot: Any, scope: Scope) -> Relation:
        """Read `(t).*`."""
        parts = path_of_dot(dot.this)
        rows = scope.under(parts[-1]) if parts else []
        if len(rows) == 1:
            return self.star(dot.expression, rows[0], scope)
        return unknown(of_path(scope, parts) if parts else self.values.of(dot.this, scope))

    def star(self, star: Any, relation: Relation, scope: Scope) -> Relation:
        """Return the columns of a relation as `* EXCLUDE … REPLACE … RENAME …` gives them."""
        if star.args.get("ilike"):
            raise UnfollowedError("* ILIKE")
        left_out = [path(column) for column in map(_as_column, star.args.get("except_") or ())]
        given = {
            str(item.alias).casefold(): self.values.of(item.this, scope)
            for item in star.args.get("replace") or ()
        }
        renamed = {
            path(_as_column(item.this))[-1]: str(item.alias).casefold()
            for item in star.args.get("rename") or ()
        }
        fields = [
            Field(renamed.get(f.name or "", f.name), given.get(f.name or "", f.origins), f.source)
            for f in relation.fields
            if not any(_is_meant(parts, f) for parts in left_out)
        ]
        rest = relation.rest if relation.is_whole else relation.rest.union(*given.values())
        return Relation(tuple(fields), relation.is_whole, rest)


def _bounded(relation: Relation, bounds: Origins) -> Relation:
    """Return the rows that LIMIT and OFFSET leave: which ones shows the bounds."""
    if not bounds:
        return relation
    fields = tuple(replace(f, origins=f.origins | bounds) for f in relation.fields)
    rest, fed = relation.rest | bounds, relation.fed | bounds
    return replace(relation, fields=fields, rest=rest, fed=fed)


def _as_column(node: Any) -> Any:
    return node if isinstance(node, exp.Column) else exp.Column(this=node.copy())


def _is_meant(parts: list[str], field: Field) -> bool:
    return field.name == parts[-1] and (len(parts) == 1 or field.source == parts[-2])


def _name(item: Any) -> str | None:
    if isinstance(item, exp.Alias):
        return str(item.alias).casefold()
    return path(item)[-1] if isinstance(item, exp.Column) else None
