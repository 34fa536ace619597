"""Which columns show what a sensitive one holds: those of views, by their text, and computed ones.

What a function leaves readable (`upper(email)`, `min(email)`) is shown as well; what is counted,
summed or compared isn't. Where nobody can tell what a column shows, it counts as sensitive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from schemas.facts import Catalog, TableProfile

Place = tuple[str, str]


def shown(catalog: Catalog, profiles: Mapping[str, TableProfile]) -> dict[Place, str]:
    """Return (table, column) → why, for columns that show, or may show, a sensitive one.

    Args:
        catalog: with the texts of its views.
        profiles: of its tables, and of views if they are known.
    """
    sensitive = {
        profile.table: tuple(column.column for column in profile.columns if column.sensitive)
        for profile in profiles.values()
    }
    if not any(sensitive.values()) or not any(
        "view" in table.kind or any(column.generated for column in table.columns)
        for table in catalog.tables
    ):
        return {}
    # sqlglot is heavy, and not all databases have views
    from pipeline.database.masking.shown import columns

    known = {f"{table}.{column}" for table, names in sensitive.items() for column in names}
    return {
        (table, column): _why(f"{table}.{column}", origins, known)
        for (table, column), origins in columns(catalog, sensitive).items()
        if column not in sensitive.get(table, ())
    }


def computed(catalog: Catalog, profiles: Mapping[str, TableProfile]) -> dict[Place, str]:
    """Return what `shown` does of the tables alone: views may be many, and take time to read."""
    tables = tuple(table for table in catalog.tables if "view" not in table.kind)
    return shown(replace(catalog, tables=tables), profiles)


def _why(column: str, origins: frozenset[str], known: set[str]) -> str:
    sure = origins & known
    if sure:
        return f"shows {min(sure)}"
    unsure = min(origins - {column}, default=None)
    if unsure is None:
        return "may show a sensitive column: the text of the view can't be followed"
    if unsure.endswith("()"):
        return f"may show a sensitive column: what {unsure} reads isn't known"
    if unsure.endswith(".*"):
        return f"may show a sensitive column: {unsure.removesuffix('.*')} wasn't scanned"
    return f"shows {unsure}, which may show a sensitive column"
