"""Which columns of views, and which computed ones, show values of sensitive columns."""

from __future__ import annotations

from pipeline.database.masking.masks import Sensitive
from pipeline.database.masking.relations import Origins
from pipeline.database.masking.tables import CatalogTables
from schemas.facts import Catalog


def columns(catalog: Catalog, sensitive: Sensitive) -> dict[tuple[str, str], Origins]:
    """Return (table, column) → what it shows, for columns that show more than themselves.

    An origin is a sensitive column, as `table.column`; or what can't be looked into: `function()`,
    `table.*` of a table that wasn't scanned, or the column itself where its view can't be followed.
    """
    tables = CatalogTables(catalog, sensitive, catalog.dialect, only_seen=True)
    found = {}
    for table in catalog.tables:
        if "view" not in table.kind and not any(c.generated for c in table.columns):
            continue
        fields = tables.of(table).fields
        for column, field in zip(table.columns, fields, strict=True):
            if field.origins:
                found[(table.name, column.name)] = field.origins
    return found
