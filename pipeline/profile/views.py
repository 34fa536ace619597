"""Which columns show what another one holds: those of views, by their text, and computed ones.

What a function leaves readable (`upper(email)`, `min(email)`) is shown as well; what is counted,
summed or compared isn't.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipeline.database.grammar import parsed
from schemas.facts import Catalog, Table, TableProfile

Place = tuple[str, str]
"""(table, column)."""

_Output = list[tuple[str, frozenset[Place]]]
"""Columns of a query in order: name, and the stored columns it shows."""


def inherited(catalog: Catalog, profiles: Mapping[str, TableProfile]) -> dict[Place, str]:
    """Return (view, column) → why, for the columns that show a sensitive one of another table.

    Args:
        catalog: with the texts of its views.
        profiles: of its tables, and of views if they are known.
    """
    views = [table for table in catalog.tables if "view" in table.kind and table.definition]
    sensitive = {
        (profile.table, column.column)
        for profile in profiles.values()
        for column in profile.columns
        if column.sensitive
    }
    if not views or not sensitive:
        return {}
    shown = {view.name: _columns(view, catalog) for view in views}
    found: dict[Place, str] = {}
    for _ in views:  # a view of a view of a view needs another round
        before = len(found)
        for view in views:
            for column, places in shown[view.name].items():
                origin = min(places & sensitive, default=None)
                if origin is not None and (view.name, column) not in sensitive:
                    found[(view.name, column)] = f"shows {origin[0]}.{origin[1]}"
                    sensitive.add((view.name, column))
        if len(found) == before:
            break
    return found


def computed(catalog: Catalog, profiles: Mapping[str, TableProfile]) -> dict[Place, str]:
    """Return (table, column) → why, for computed columns that show a sensitive one beside them."""
    found: dict[Place, str] = {}
    for table in catalog.tables:
        profile = profiles.get(table.name)
        marked = [c.column for c in profile.columns if c.sensitive] if profile else []
        names = {name.casefold(): name for name in marked}
        for column in table.columns if names else ():
            if column.expression and column.name not in names.values():
                used = _used(column.expression, catalog.dialect) & names.keys()
                if used:
                    found[(table.name, column.name)] = f"shows {table.name}.{names[min(used)]}"
    return found


def _used(expression: str, dialect: str) -> set[str]:
    tree = parsed(f"SELECT {expression}", dialect)
    if tree is None:
        return set()
    return {c.name.casefold() for item in tree.expressions for c in _shown(item.unalias())}


def _columns(view: Table, catalog: Catalog) -> dict[str, frozenset[Place]]:
    """Return the stored columns that each column of a view shows."""
    from sqlglot import exp

    tree = parsed(view.definition or "", catalog.dialect)
    query = tree.expression if isinstance(tree, exp.Create) else tree
    output = _Reading(catalog).output(query, {})
    if len(output) == len(view.columns):
        return {
            column.name: places for column, (_, places) in zip(view.columns, output, strict=True)
        }
    by_name = {name.casefold(): places for name, places in output}
    return {c.name: by_name.get(c.name.casefold(), frozenset()) for c in view.columns}


class _Reading:
    """Finds where the columns of a query come from."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def output(self, query: Any, ctes: Mapping[str, _Output]) -> _Output:
        """Return the columns of a query, given the common table expressions around it."""
        from sqlglot import exp

        if isinstance(query, exp.Subquery | exp.Paren):
            return self.output(query.this, ctes)
        known = dict(ctes)
        clause = query.args.get("with_") or query.args.get("with")
        for cte in clause.expressions if clause else ():
            known[cte.alias.casefold()] = _renamed(self.output(cte.this, known), cte)
        if isinstance(query, exp.SetOperation):
            left, right = self.output(query.left, known), self.output(query.right, known)
            both = zip(left, right, strict=False)
            return [(name, places | more) for (name, places), (_, more) in both]
        if not isinstance(query, exp.Select):
            return []
        sources = self._sources(query, known)
        found: _Output = []
        for item in query.expressions:
            found += self._item(item, sources)
        return found

    def _sources(self, query: Any, known: Mapping[str, _Output]) -> dict[str, _Output]:
        from_ = query.args.get("from_") or query.args.get("from")
        items = [from_.this] if from_ else []
        items += [join.this for join in query.args.get("joins") or ()]
        tables = (table for item in items for table in _joined(item))
        return {table.alias_or_name.casefold(): self._source(table, known) for table in tables}

    def _source(self, item: Any, known: Mapping[str, _Output]) -> _Output:
        from sqlglot import exp

        if isinstance(item, exp.Subquery):
            return _renamed(self.output(item.this, known), item)
        if not isinstance(item, exp.Table):
            return []
        if not item.db and item.name.casefold() in known:
            return known[item.name.casefold()]
        table = self.catalog.find(f"{item.db}.{item.name}" if item.db else item.name)
        if table is None and item.db:
            table = self.catalog.find(item.name)
        columns = table.columns if table else ()
        return [(c.name, frozenset([(table.name, c.name)])) for c in columns] if table else []

    def _item(self, item: Any, sources: Mapping[str, _Output]) -> _Output:
        from sqlglot import exp

        if isinstance(item, exp.Star):
            return [column for columns in sources.values() for column in columns]
        if isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
            return list(sources.get(item.table.casefold(), ()))
        places = (self._places(column, sources) for column in _shown(item.unalias()))
        return [(item.alias_or_name, frozenset[Place]().union(*places))]

    def _places(self, column: Any, sources: Mapping[str, _Output]) -> frozenset[Place]:
        chosen: Iterable[_Output] = sources.values()
        if column.table:
            chosen = [sources.get(column.table.casefold(), [])]
        for columns in chosen:
            for name, places in columns:
                if name.casefold() == column.name.casefold():
                    return places
        return frozenset()


def _joined(item: Any) -> list[Any]:
    """Return the tables of a FROM clause's item: MariaDB writes joins in parentheses."""
    from sqlglot import exp

    inner = item.this if isinstance(item, exp.Subquery) and not item.alias else None
    found = _joined(inner) if isinstance(inner, exp.Table | exp.Subquery) else [item]
    for join in item.args.get("joins") or ():
        found += _joined(join.this)
    return found


def _renamed(output: _Output, named: Any) -> _Output:
    """Return columns under the names that an alias such as `t(a, b)` gives them."""
    alias = named.args.get("alias")
    names: Sequence[Any] = alias.columns if alias is not None and alias.args.get("columns") else ()
    if len(names) != len(output):
        return output
    return [(name.name, places) for name, (_, places) in zip(names, output, strict=True)]


def _shown(expression: Any) -> list[Any]:
    """Return the columns whose values an expression leaves readable, or nearly so."""
    from sqlglot import exp

    hiding = (
        exp.Predicate, exp.Count, exp.Sum, exp.Avg, exp.Length, exp.StrPosition, exp.Sub, exp.Year,
        exp.Extract, exp.Query, exp.Subquery,
    )  # fmt: skip
    if isinstance(expression, exp.Column):
        return [expression]
    if isinstance(expression, hiding):
        return []
    if isinstance(expression, exp.Case | exp.If):
        branches = expression.args.get("ifs") or [expression]
        parts = [branch.args.get("true") for branch in branches]
        parts += [expression.args.get("default"), expression.args.get("false")]
    elif isinstance(expression, exp.Window):
        parts = [expression.this]
    else:
        parts = list(expression.iter_expressions())
    return [column for part in parts if part is not None for column in _shown(part)]
