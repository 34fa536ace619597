"""Which columns the sources of a statement have, as far as it and the catalogue tell.

Where a source lacks the column, some engines take the dotted name for a call; so a name counts as
a column only of what its qualifier means there, not because an alias elsewhere is called so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sqlglot import exp

from pipeline.database.guard import known
from pipeline.database.guard.postgres_names import RECORDS

if TYPE_CHECKING:
    from pipeline.database.guard.tables import Tables

CALLED = "called"
"""Where a function node's `meta` keeps the name it was called by."""

Unknown = Literal["", "table", "query", "function"]
Verdict = Literal["column", "none", "table", "query", "function", "nothing"]
"""What a dotted name is: surely a column, surely none, or unknown for what the qualifier is."""

_SYSTEM = ("ctid", "oid", "tableoid", "xmin", "xmax", "cmin", "cmax")
_ORACLE_PSEUDO = ("rowid", "ora_rowscn", "object_value", "object_id", "column_value")
_WRAPPERS = (exp.Window, exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls)
_SAME_NAME = (exp.Paren, exp.Cast, exp.Collate, exp.Bracket, *_WRAPPERS)


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns of a source: their names and, if there may be others, what it is."""

    names: tuple[str, ...] = ()
    unknown: Unknown = ""
    in_order: bool = True

    def renamed(self, aliases: Sequence[str]) -> Shape:
        """Return the shape after `AS x(a, b)`."""
        if not aliases:
            return self
        rest = self.names[len(aliases) :] if self.in_order else ()
        unknown: Unknown = self.unknown if self.in_order else self.unknown or "query"
        return Shape((*aliases, *rest), unknown)


class Columns:
    """The columns of all sources of one statement."""

    def __init__(self, tables: Tables, naming: Iterable[Any]) -> None:
        self._tables = tables
        self._sources: dict[str, list[Any]] = {}
        self._nameless: list[Any] = []
        self._of_query: dict[int, list[Any]] = {}
        self._shapes: dict[int, Shape] = {}
        self._sure: dict[tuple[str, str], bool] = {}
        for node in naming:
            if not isinstance(node, exp.Alias | exp.CTE):
                self._add(node)

    def _add(self, source: Any) -> None:
        if isinstance(source.parent, exp.Lateral) or source.arg_key == "rows_from":
            return  # what is around it has the name
        if isinstance(source, exp.Subquery | exp.UDTF) and not _stands_in_from(source):
            return
        name = self._name(source)
        if name is None:
            self._nameless.append(source)
        elif name:
            self._sources.setdefault(name, []).append(source)
        query = source.find_ancestor(exp.Select)
        if query is not None:
            self._of_query.setdefault(id(query), []).append(source)

    def _name(self, source: Any) -> str | None:
        """Return what a source is called; '' if by no name, None if by one that isn't known."""
        alias = source.args.get("alias")
        named = alias.this if isinstance(alias, exp.TableAlias) else alias
        if isinstance(named, exp.Identifier):
            return self.folded(named)
        if isinstance(source, exp.Subquery | exp.Values):
            return ""
        if isinstance(source, exp.Unnest):
            return "unnest"
        if isinstance(source.this, exp.Identifier):
            return self.folded(source.this)
        return _called(source.this) or None

    def folded(self, identifier: Any) -> str:
        """Return the name of a column or a source as the engine compares it."""
        dialect = self._tables.text.dialect
        return known.folded(identifier, dialect if dialect == "postgres" else "")

    @property
    def are_there(self) -> bool:
        """Whether the statement reads anything that has columns."""
        return bool(self._of_query)

    def is_source(self, name: str) -> bool:
        """Whether the statement reads something by that name."""
        return name in self._sources

    def judge(self, column: Any, qualifier: Any, name: Any) -> Verdict:
        """Return what `qualifier.name` (two identifiers) is where a column stands."""
        key = (self.folded(qualifier), self.folded(name))
        is_sure = self._sure.get(key)
        if is_sure is None:
            sources = [*self._sources.get(key[0], ()), *self._nameless]
            is_sure = bool(sources) and all(key[1] in self.shape(s).names for s in sources)
            self._sure[key] = is_sure
        if is_sure:
            return "column"
        return self._judge_in_scope(column, *key)

    def _judge_in_scope(self, column: Any, qualifier: str, name: str) -> Verdict:
        around = {id(query) for query in queries_around(column)}
        above = _ancestors(column)  # what a column stands in, it doesn't see from outside
        found = [*self._sources.get(qualifier, ()), *self._nameless]
        seen = [
            source
            for source in found
            if id(source.find_ancestor(exp.Select)) in around and id(source) not in above
        ]
        if not seen:
            return "nothing"
        missing = {shape.unknown for s in seen if name not in (shape := self.shape(s)).names}
        verdicts: tuple[Verdict, ...] = ("function", "query", "table")
        if "" in missing:
            return "none"
        return next((verdict for verdict in verdicts if verdict in missing), "column")

    def around(self, node: Any) -> tuple[list[Shape], list[Shape]]:
        """Return what a column at that place may belong to: in its own query, and in all."""
        shapes = [
            [self.shape(source) for source in self._of_query.get(id(query), ())]
            for query in queries_around(node)
        ]
        return (shapes[0] if shapes else []), [shape for inner in shapes for shape in inner]

    def named(self, qualifier: str) -> list[str]:
        """Return the columns of what is called so, for a suggestion."""
        return [name for s in self._sources.get(qualifier, ()) for name in self.shape(s).names]

    def shape(self, source: Any) -> Shape:
        """Return the columns of a source."""
        key = id(source)
        if key not in self._shapes:
            self._shapes[key] = Shape(unknown="query")  # for what a recursive CTE says of itself
            self._shapes[key] = self._made(source)
        return self._shapes[key]

    def pivoted(self, source: Any) -> Shape:
        """Return the columns that what is pivoted had before."""
        return self._plain(source)

    def _made(self, source: Any) -> Shape:
        if source.args.get("pivots") or source.args.get("match_recognize"):
            return Shape(unknown="query")
        return self._plain(source)

    def _plain(self, source: Any) -> Shape:
        alias = source.args.get("alias")
        names = [self.folded(_name_of(c)) for c in alias.columns] if _has_columns(alias) else []
        inner = source.this
        if isinstance(source, exp.Values):
            return self._output(source).renamed(names)
        if isinstance(source, exp.Unnest) or isinstance(inner, exp.Func | exp.Unnest):
            return self._function(source, inner, names)
        if isinstance(source, exp.Subquery):
            return self._output(source).renamed(names)
        if isinstance(source, exp.Lateral):
            return self._output(inner).renamed(names)
        if isinstance(source, exp.Table) and not source.args.get("rows_from"):
            return self._table(source).renamed(names)
        return Shape(tuple(names), "function")

    def _table(self, table: Any) -> Shape:
        cte = self._tables.cte_of(table)
        if cte is not None:
            alias = cte.args["alias"]
            names = [self.folded(_name_of(c)) for c in alias.columns]
            if cte.parent.args.get("search"):
                return Shape(tuple(names), "query")  # SEARCH and CYCLE add columns
            return self._output(cte.this).renamed(names)
        scanned = self._tables.scanned(table)
        if scanned is not None and self._tables.known is not None:
            extra = _ORACLE_PSEUDO if self._tables.dialect == "oracle" else _SYSTEM
            return Shape((*self._tables.known.columns(scanned), *extra))
        if self._tables.dialect == "oracle" and table.name.casefold() == "dual":
            return Shape(("dummy", "rowid"))
        return Shape(_SYSTEM if self._tables.dialect == "postgres" else (), "table")

    def _function(self, source: Any, call: Any, names: Sequence[str]) -> Shape:
        if isinstance(call, exp.XMLTable | exp.JSONTable):
            defined = call.find_all(exp.ColumnDef, exp.JSONColumnDef)
            fields = (self.folded(d.this) for d in defined if isinstance(d.this, exp.Identifier))
            return Shape(tuple(fields)).renamed(names)
        offset = source.args.get("offset") or (
            call.args.get("offset") if call is not None else None
        )
        extra = [self.folded(offset)] if isinstance(offset, exp.Identifier) else []
        if (offset or source.args.get("ordinality")) and not extra:
            extra = ["ordinality"]
        columns = RECORDS.get((_called(call) or "").casefold())
        if columns is not None:
            return Shape((*columns, *extra)).renamed(names)
        own = [] if names else [self._name(source) or ""]
        return Shape((*names, *own, *extra), "function")

    def _output(self, query: Any) -> Shape:
        """Return the columns of a query's result."""
        if isinstance(query, exp.SetOperation):
            return self._output(query.this)
        if isinstance(query, exp.Values):
            first = query.expressions[0] if query.expressions else None
            count = len(first.expressions) if isinstance(first, exp.Tuple) else 1
            return Shape(tuple(f"column{number}" for number in range(1, count + 1)))
        if isinstance(query, exp.Subquery):
            if isinstance(query.this, exp.Table):
                return self._joined([query.this, *_joins(query.this), *_joins(query)])
            return self._output(query.this)
        if isinstance(query, exp.Select):
            return self._selected(query)
        return Shape(unknown="query")

    def _selected(self, query: Any) -> Shape:
        names: list[str] = []
        unknown: Unknown = ""
        in_order = True
        for expression in query.expressions:
            if isinstance(expression, exp.Star) or _is_star(expression):
                shape = self._star(query, expression)
                in_order = in_order and shape.in_order and not shape.unknown
                names += shape.names
                unknown = unknown or ("query" if shape.unknown == "function" else shape.unknown)
                continue
            name = self._output_name(expression)
            unknown = unknown or ("" if name else "query")
            names.append(name)
        distinct = tuple(dict.fromkeys(names))  # or stars over stars would grow without bounds
        return Shape(distinct, unknown, in_order and len(distinct) == len(names))

    def _star(self, query: Any, star: Any) -> Shape:
        sources = self._of_query.get(id(query), [])
        if isinstance(star, exp.Column):
            qualifier = self.folded(star.args["table"])
            sources = [s for s in sources if self._name(s) == qualifier]
            if not sources:
                return Shape(unknown="query")
        return self._joined(sources)

    def _joined(self, sources: Iterable[Any]) -> Shape:
        shapes = [self.shape(source) for source in sources]
        hidden = {*_SYSTEM, *_ORACLE_PSEUDO}
        names = tuple(dict.fromkeys(n for shape in shapes for n in shape.names if n not in hidden))
        unknown: Unknown = next((shape.unknown for shape in shapes if shape.unknown), "")
        return Shape(names, unknown, in_order=len(shapes) == 1 and shapes[0].in_order)

    def _output_name(self, expression: Any) -> str:
        """Return how a selected value is called in the result; '' where only the engine knows."""
        if isinstance(expression, exp.Alias):
            return self.folded(expression.args["alias"])
        while isinstance(expression, _SAME_NAME) and not _called(expression):
            expression = expression.this
        if isinstance(expression, exp.Column) and isinstance(expression.this, exp.Identifier):
            return self.folded(expression.this)
        if isinstance(expression, exp.Dot):
            if isinstance(expression.expression, exp.Identifier):
                return self.folded(expression.expression)
            expression = expression.expression
        return (_called(expression) or "").casefold()


def _ancestors(node: Any) -> set[int]:
    found = set()
    while (node := node.parent) is not None:
        found.add(id(node))
    return found


def queries_around(node: Any) -> Iterator[Any]:
    """Yield the queries whose sources a column at that place may mean, the innermost first.

    What stands in FROM without LATERAL doesn't see its neighbours, nor a CTE the query below it.
    """
    is_apart = False
    while (parent := node.parent) is not None:
        if isinstance(parent, exp.With) and isinstance(parent.parent, exp.Select):
            is_apart = True
        elif isinstance(parent, exp.Select):
            if not is_apart:
                yield parent
            is_apart = False
        elif isinstance(parent, exp.From | exp.Join) and isinstance(node, exp.Subquery):
            is_apart = is_apart or node.arg_key == "this"
        node = parent


def _stands_in_from(source: Any) -> bool:
    return source.arg_key == "laterals" or isinstance(
        source.parent, exp.From | exp.Join | exp.Table | exp.Subquery
    )


def _has_columns(alias: Any) -> bool:
    return isinstance(alias, exp.TableAlias) and bool(alias.columns)


def _name_of(column: Any) -> Any:
    """Return the identifier of a column that an alias names, with or without a type."""
    return column if isinstance(column, exp.Identifier) else column.this


def _is_star(expression: Any) -> bool:
    return isinstance(expression, exp.Column) and isinstance(expression.this, exp.Star)


def _joins(node: Any) -> list[Any]:
    return [join.this for join in node.args.get("joins") or ()]


def _called(call: Any) -> str | None:
    if isinstance(call, exp.Anonymous):
        return str(call.name)
    if isinstance(call, exp.Expr):
        name: str | None = call.meta.get(CALLED)
        return name
    return None
