"""The tables that the statements of the guard's corpora read."""

from __future__ import annotations

from schemas.facts import Catalog, Column, Table

_TABLES = {
    "customers": "id name email country created_at",
    "orders": "id customer_id amount status ordered_at",
    "order_items": "order_id sku qty price",
    "employees": "id name manager_id dept salary hired",
    "audit_log": "id update delete drop order action note payload",
    "grant": "select|a;b|-- c",
    "trades": "symbol ts qty",
    "prices": "symbol ts price",
}
_SCHEMAS = {"sqlite": "main", "duckdb": "main", "postgres": "public", "mysql": None}


def _table(name: str, columns: str) -> Table:
    names = columns.split("|" if "|" in columns else None)
    return Table(
        name=name,
        object_name=name,
        columns=tuple(Column(name=n, native_type="", family="other") for n in names),
    )


CATALOGS = {
    dialect: Catalog(
        dialect=dialect,
        database="shop",
        default_schema=schema,
        tables=tuple(_table(name, columns) for name, columns in sorted(_TABLES.items())),
    )
    for dialect, schema in _SCHEMAS.items()
}
"""By dialect; others are judged without a catalogue."""
