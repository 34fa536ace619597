"""What FROM gives: tables, subqueries, functions, and what joins and pivots make of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from pipeline.database.masking.names import columns_of, is_same
from pipeline.database.masking.pivots import pivoted
from pipeline.database.masking.relations import (
    NONE,
    Field,
    Origins,
    Relation,
    Scope,
    UnfollowedError,
    beside,
    chain,
    of_path,
    stacked,
    union,
    unknown,
)

if TYPE_CHECKING:
    from pipeline.database.masking.reading import Reading

_KEYS_IN_PLACE = {"duckdb", "sqlite"}
"""Where `*` leaves the columns of USING where the left table has them."""
_KEYS_FIRST = {"postgres", "mysql"}
"""Where `*` gives them first."""
_SUMMARY = (
    "column_name", "column_type", "min", "max", "approx_unique", "avg", "std", "q25", "q50", "q75",
    "count", "null_percentage",
)  # fmt: skip
_SUMMARY_FREE = {"column_name", "column_type", "approx_unique", "count", "null_percentage"}
_NAME = re.compile(r"\w+")
_SEQUENCE = re.compile(r"seq_\d+_to_\d+(_step_\d+)?", re.IGNORECASE)  # MariaDB makes its rows
_ONE_COLUMN = (exp.GenerateSeries, exp.ExplodingGenerateSeries)


class From:
    """Reads what FROM gives."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.dialect = reading.dialect

    def fill(self, scope: Scope, select: Any) -> None:
        """Read the FROM and the joins of a SELECT into its scope."""
        clause = select.args.get("from_")
        if clause is not None:
            scope.star = self._item(clause.this, scope)
        for join in select.args.get("joins") or ():
            scope.star = self._joined(scope, scope.star, join)
        for lateral in select.args.get("laterals") or ():
            scope.star = beside(scope.star, self._item(lateral, scope))
        for pivot in select.args.get("pivots") or ():
            self._pivot_all(scope, pivot)

    def standing_alone(self, node: Any, scope: Scope) -> Relation:
        """Read what is no SELECT: VALUES, a subquery, PIVOT, `TABLE t`."""
        if isinstance(node, exp.Paren):
            return self.reading.query(node.this, scope.names, scope.outer)
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query):
            extra = {"joins", "laterals", "pivots", "match"} & node.args.keys()
            if not any(node.args.get(key) for key in extra):
                return self.reading.query(node.this, scope.names, scope.outer)
        return self._item(node, scope)

    # -- one item -------------------------------------------------------------------------------

    def _item(self, node: Any, scope: Scope) -> Relation:
        """Read an item of FROM, add its names to the scope, and return what `*` gives of it."""
        bare = self._bare(node, scope)
        alias = str(node.alias_or_name).casefold()
        relation = bare.under(alias, self._column_names(node))
        for pivot in node.args.get("pivots") or ():
            alias = str(pivot.alias).casefold() or alias
            relation = pivoted(self.reading, pivot, relation, scope)
            relation = relation.under(alias, columns_of(pivot.args.get("alias")))
            relation = replace(relation, is_made=bare.is_made)
        scope.sources.append((alias, relation))
        for join in node.args.get("joins") or ():
            relation = self._joined(scope, relation, join)
        for lateral in node.args.get("laterals") or ():
            relation = beside(relation, self._item(lateral, scope))
        return relation

    def _bare(self, node: Any, scope: Scope) -> Relation:
        reader = _READERS.get(type(node))
        if reader is not None:
            return reader(self, node, scope)
        if isinstance(node, exp.Query):
            return self.reading.query(node, scope.names, _beside(scope))
        raise UnfollowedError(f"{type(node).__name__} in FROM")

    def _pivot(self, node: Any, scope: Scope) -> Relation:
        return pivoted(self.reading, node, self._item(node.this, scope), scope)

    def _description(self, _node: Any, _scope: Scope) -> Relation:
        return unknown(NONE)

    def _rows_of_function(self, node: Any, scope: Scope) -> Relation:
        return self._function(node.this, scope)

    def _column_names(self, node: Any) -> Sequence[str]:
        names = list(columns_of(node.args.get("alias")))
        offset = node.args.get("offset")
        if isinstance(offset, exp.Identifier) and names:  # it was taken out of the list
            names.append(str(offset.name).casefold())
        return names

    def _table(self, node: Any, scope: Scope) -> Relation:
        rows_from = node.args.get("rows_from")
        if rows_from:
            origins = self.reading.values.of_all([_called(r) for r in rows_from], scope)
            return replace(unknown(origins, fed=origins), is_made=True)
        if not isinstance(node.this, exp.Identifier):
            relation = self._function(node.this, scope)
            if not node.args.get("ordinality"):
                return relation
            return beside(relation, Relation((Field(None, relation.fed),)))
        if not node.args.get("db"):
            relation_of_cte = self._cte(node, scope)
            if relation_of_cte is not None:
                return relation_of_cte
        found = self._array(node, scope) or self.reading.tables.relation(node)
        is_made = self.dialect == "mysql" and _SEQUENCE.fullmatch(str(node.name)) is not None
        return replace(found, is_made=is_made)

    def _array(self, node: Any, scope: Scope) -> Relation | None:
        """Read `FROM customers c, c.tags`: in BigQuery and Redshift, the items of an array."""
        parts = [str(part.name).casefold() for part in node.parts]
        named = len(parts) > 1 and any(here.under(parts[0]) for here in chain(scope))
        if not named or not (origins := of_path(scope, parts)):
            return None
        return unknown(origins | self.reading.tables.relation(node).origins, fed=origins)

    def _cte(self, node: Any, scope: Scope) -> Relation | None:
        name = str(node.name).casefold()
        found = scope.names.find(name) if scope.names is not None else None
        if found is None:
            return None
        cte, is_ahead = found
        table_too = self.reading.tables.is_table(name)
        if table_too and (is_ahead or not is_same(cte, node.this, self.dialect)):
            raise UnfollowedError(f"{node.name} may be a table or a CTE")
        return self.reading.ctes.relation(cte)

    def _function(self, call: Any, scope: Scope) -> Relation:
        """Read a function in FROM: what goes in may come out in every column."""
        return replace(self._returned(call, scope), is_made=True)

    def _returned(self, call: Any, scope: Scope) -> Relation:
        values = self.reading.values
        origins = values.of(call, scope) if isinstance(call, exp.Expr) else NONE
        if isinstance(call, exp.Unnest):
            return self._unnest(call, scope)
        named = [name for name in words_of(call) if self.reading.tables.is_table(name)]
        if named:  # DuckDB's histogram_values(people, email) reads the table that it names
            is_seen = values.only_seen and isinstance(call, exp.Anonymous)
            unknown_ones = frozenset([f"{str(call.name).casefold()}()"])
            origins |= unknown_ones if is_seen else self.reading.tables.origins
        if isinstance(call, _ONE_COLUMN):
            return Relation((Field(None, origins),), fed=origins)
        if isinstance(call, exp.JSONTable):
            names = _json_columns(call.args["schema"])
            return Relation(tuple(Field(name, origins) for name in names), fed=origins)
        return unknown(origins, fed=origins)

    def _unnest(self, node: Any, scope: Scope) -> Relation:
        found = [self.reading.values.of(part, scope) for part in node.expressions]
        fields = [Field(None, origins) for origins in found]
        if node.args.get("offset"):
            fields.append(Field(None, union(found)))
        return Relation(tuple(fields), fed=union(found), is_made=True)

    def _lateral(self, node: Any, scope: Scope) -> Relation:
        inner = node.this
        if isinstance(inner, exp.Subquery):
            return self.reading.query(inner, scope.names, scope)
        if isinstance(inner, exp.Values):
            return self._values(inner, scope)
        if node.args.get("view"):  # rows of a function, under the names of its alias
            origins = self.reading.values.of(inner, scope)
            return replace(unknown(origins, fed=origins), is_made=True)
        relation = self._function(inner, scope)
        if node.args.get("ordinality"):
            relation = beside(relation, Relation((Field(None, relation.fed),)))
        return relation

    def _subquery(self, node: Any, scope: Scope) -> Relation:
        inner = node.this
        if isinstance(inner, exp.Query) and not _is_join(inner):
            if any(node.args.get(key) for key in ("with_", "limit", "offset")):
                bare = node.copy()
                for key in ("alias", "pivots", "joins", "laterals"):
                    bare.set(key, None)
                return self.reading.query(bare, scope.names, _beside(scope))
            return self.reading.query(inner, scope.names, _beside(scope))
        if not node.args.get("alias"):  # just parentheses: the names in it are seen outside
            return self._item(inner, scope)
        within = _beside(scope)
        relation = self._item(inner, within)
        for name, source in within.sources[len(scope.sources) :]:
            scope.sources.append((name, source))
        return relation

    def _values(self, node: Any, scope: Scope) -> Relation:
        relation: Relation | None = None
        for row in node.expressions:
            cells = row.expressions if isinstance(row, exp.Tuple) else [row]
            origins = [self.reading.values.of(cell, scope) for cell in cells]
            line = Relation(tuple(Field(None, found) for found in origins))
            relation = line if relation is None else stacked(relation, line)
        return replace(relation or Relation(), is_made=len(node.expressions) > 1)

    def _summary(self, node: Any, scope: Scope) -> Relation:
        """Read DuckDB's SUMMARIZE: it shows the least and the greatest value of each column."""
        found = self._item(node.this, Scope(scope.names, _beside(scope))).origins
        fields = [Field(name, NONE if name in _SUMMARY_FREE else found) for name in _SUMMARY]
        return Relation(tuple(fields))

    def _pivot_all(self, scope: Scope, pivot: Any) -> None:
        scope.star = pivoted(self.reading, pivot, scope.star, scope)
        scope.sources.append((str(pivot.alias).casefold(), scope.star))

    # -- joins ----------------------------------------------------------------------------------

    def _joined(self, scope: Scope, left: Relation, join: Any) -> Relation:
        method = str(join.args.get("method") or "").upper()
        kind = str(join.args.get("kind") or "").upper()
        if join.args.get("pivots") or join.args.get("nearest"):
            raise UnfollowedError("this kind of join")
        before = len(scope.sources)
        right = self._item(join.this, scope)
        if kind in ("SEMI", "ANTI"):
            if str(join.args.get("side") or "").upper() == "RIGHT":
                raise UnfollowedError("a RIGHT SEMI or RIGHT ANTI join")
            del scope.sources[before:]
            return left
        names = [str(name.name).casefold() for name in join.args.get("using") or ()]
        is_natural = "NATURAL" in method
        if not names and not is_natural:
            return beside(left, right)
        if is_natural and left.is_whole and right.is_whole:
            theirs = {f.name for f in right.fields}
            names = [f.name for f in left.fields if f.name is not None and f.name in theirs]
        return self._merged(left, right, list(dict.fromkeys(names)), join)

    def _merged(self, left: Relation, right: Relation, names: list[str], join: Any) -> Relation:
        """Return what `*` gives of two tables that share columns."""
        fed = left.fed | right.fed
        sides = (left, right)
        known = left.is_whole and right.is_whole and self.dialect in _KEYS_IN_PLACE | _KEYS_FIRST
        if not known or any(_occurs(side, name) != 1 for side in sides for name in names):
            return unknown(left.origins | right.origins, fed=fed)
        keys = {name: _origins(left, name) | _origins(right, name) for name in names}
        if self.dialect in _KEYS_IN_PLACE:
            mine = [replace(f, origins=keys.get(f.name or "", f.origins)) for f in left.fields]
            theirs = [f for f in right.fields if f.name not in keys]
            return Relation((*mine, *theirs), fed=fed)
        if self.dialect == "mysql":
            if str(join.args.get("side") or "").upper() == "RIGHT":
                sides = (right, left)
            names = [f.name for f in sides[0].fields if f.name is not None and f.name in keys]
        first = [Field(name, keys[name]) for name in names]
        others = [f for side in sides for f in side.fields if f.name not in keys]
        return Relation((*first, *others), fed=fed)


def _beside(scope: Scope) -> Scope:
    """Return what a subquery in FROM may see: the items before it in some engines, or none."""
    return replace(scope, is_soft=True, sources=list(scope.sources), aliases={})


def _is_join(node: Any) -> bool:
    """Whether parentheses hold a join, as in `((a JOIN b) JOIN c)` of PostgreSQL."""
    while isinstance(node, exp.Subquery):
        if node.args.get("joins") or node.args.get("laterals"):
            return True
        node = node.this
    return isinstance(node, exp.Table)


def words_of(call: Any) -> Iterator[str]:
    """Give the folded words in what a function is called with; they may name tables."""
    for part in call.walk() if isinstance(call, exp.Expr) else ():
        if isinstance(part, exp.Identifier | exp.Literal):
            text = str(part.name).casefold()
            yield text
            yield from _NAME.findall(text)


def _called(item: Any) -> Any:
    return item.this if isinstance(item, exp.Table) else item


def _occurs(relation: Relation, name: str) -> int:
    return sum(f.name == name for f in relation.fields)


def _origins(relation: Relation, name: str) -> Origins:
    return union(f.origins for f in relation.fields if f.name == name)


def _json_columns(schema: Any) -> list[str | None]:
    names: list[str | None] = []
    for column in schema.expressions:
        nested = column.args.get("nested_schema")
        if nested is not None:
            names += _json_columns(nested)
        else:
            names.append(str(column.name).casefold() or None)
    return names


# ruff: noqa: SLF001 - the table of this module's own methods
_READERS: dict[type, Callable[[From, Any, Scope], Relation]] = {
    exp.Table: From._table,
    exp.Lateral: From._lateral,
    exp.Subquery: From._subquery,
    exp.Unnest: From._unnest,
    exp.Values: From._values,
    exp.Pivot: From._pivot,
    exp.Summarize: From._summary,
    exp.Describe: From._description,
    exp.TableFromRows: From._rows_of_function,
}
