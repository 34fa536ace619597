"""Which columns show what a sensitive one holds: those of views, by their text, and computed ones.

What a function leaves readable (`upper(email)`, `min(email)`) is shown as well; what is counted,
summed or compared isn't.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.lineage import Place
from schemas.facts import Catalog, TableProfile


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
    from pipeline.lineage.tables import Tables  # sqlglot is heavy, and not all databases have views
    from pipeline.lineage.views import view_columns

    tables = Tables(catalog)
    shown = {view.name: view_columns(view, tables) for view in views}
    found: dict[Place, str] = {}
    for _ in views:  # a view of a view of a view needs another round
        before = len(found)
        for view in views:
            for column, output in shown[view.name].items():
                origin = min(output.shows & sensitive, default=None)
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
                used = _shown(column.expression, catalog.dialect) & names.keys()
                if used:
                    found[(table.name, column.name)] = f"shows {table.name}.{names[min(used)]}"
    return found


def _shown(expression: str, dialect: str) -> set[str]:
    from pipeline.lineage.views import columns_shown

    return columns_shown(expression, dialect)
