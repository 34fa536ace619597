"""Catalogues of DDL that a test writes."""

from __future__ import annotations

from pathlib import Path

from pipeline.database.ddl import catalog
from schemas.models import Catalog, Link, Table


def read(folder: Path, dialect: str, *scripts: str, schemas: tuple[str, ...] = ()) -> Catalog:
    """Return what scripts tell, each a file of its own, in this order."""
    paths = []
    for number, script in enumerate(scripts, start=1):
        path = folder / f"{number:03}.sql"
        path.write_text(script, encoding="utf-8")
        paths.append(path)
    return catalog.read(paths, dialect, "shop", schemas)


def columns(table: Table) -> list[tuple[str, str, str, bool]]:
    """Return name, type, family and nullability of the columns."""
    return [(c.name, c.native_type, c.family, c.nullable) for c in table.columns]


def keys(table: Table) -> list[tuple[tuple[str, ...], str, tuple[str, ...], str]]:
    """Return the foreign keys, shortly."""
    return [(k.columns, k.to_table, k.to_columns, k.state) for k in table.foreign_keys]


def key(link: Link) -> tuple[object, ...]:
    """Return what two scans must say alike of a foreign key."""
    return (link.table, link.columns, link.to_table, link.to_columns, link.name, link.state)
