"""Which column of a table a view's column just passes on, read from the view's definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.database.grammar import grammar
from schemas.facts import Catalog, Table

if TYPE_CHECKING:
    from sqlglot import exp

Place = tuple[str, str]
"""Table and column."""


def origins(catalog: Catalog) -> dict[Place, Place]:
    """Return (view, column) to the (table, column) that it shows unchanged, through other views.

    Columns that a view computes, or whose origin isn't certain, are left out.
    """
    direct: dict[Place, Place] = {}
    for view in catalog.tables:
        if view.definition and view.kind in ("view", "materialized_view"):
            direct.update(_of_view(view, catalog))
    return {place: _root(place, direct) for place in direct}


def _root(place: Place, direct: dict[Place, Place]) -> Place:
    seen = {place}
    while place in direct and direct[place] not in seen:
        place = direct[place]
        seen.add(place)
    return place


def _of_view(view: Table, catalog: Catalog) -> dict[Place, Place]:
    import sqlglot
    from sqlglot import exp

    try:
        tree = sqlglot.parse_one(view.definition or "", dialect=grammar(catalog.dialect))
    except (sqlglot.errors.SqlglotError, RecursionError):
        return {}
    select = tree.expression if isinstance(tree, exp.Create) else tree
    if not isinstance(select, exp.Select):
        return {}
    sources = _sources(select, catalog)
    shown: list[Place | None] = []
    for item in select.expressions:
        shown += _shown(item, sources)
    if len(shown) != len(view.columns):
        return {}
    return {
        (view.name, column.name): place
        for column, place in zip(view.columns, shown, strict=True)
        if place is not None
    }


def _sources(select: exp.Select, catalog: Catalog) -> dict[str, Table | None]:
    """Return alias to table, in the order of FROM and JOIN; None for what is no known table."""
    from sqlglot import exp

    start = select.args.get("from_") or select.args.get("from")
    parts = [start.this] if start else []
    parts += [join.this for join in select.args.get("joins") or []]
    named = {cte.alias.casefold() for cte in select.ctes}
    sources: dict[str, Table | None] = {}
    for part in parts:
        table = None
        if isinstance(part, exp.Table) and part.name.casefold() not in named:
            table = catalog.find(f"{part.db}.{part.name}" if part.db else part.name)
        sources[part.alias_or_name.casefold()] = table
    return sources


def _shown(item: exp.Expression, sources: dict[str, Table | None]) -> list[Place | None]:
    """Return the places that one entry of the select list shows; a star shows several."""
    from sqlglot import exp

    inner = item.unalias()
    qualifier = inner.table.casefold() if isinstance(inner, exp.Column) else ""
    if isinstance(inner, exp.Star) or (isinstance(inner, exp.Column) and inner.is_star):
        chosen = [sources.get(qualifier)] if qualifier else list(sources.values())
        return [(t.name, c.name) for t in chosen if t is not None for c in t.columns]
    if not isinstance(inner, exp.Column):
        return [None]
    tables = [sources.get(qualifier)] if qualifier else list(sources.values())
    if any(table is None for table in tables):
        return [None]
    found = [(t.name, c.name) for t in tables if t and (c := t.column(inner.name))]
    return [found[0] if len(found) == 1 else None]
