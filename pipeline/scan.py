"""Read the structure of the database.

Reads   the database's catalogue, and the scope settings of kb.yaml
Writes  catalog.json   shape: schemas/catalog.schema.json
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pipeline import artifacts
from pipeline.database.connect import open_database, say_once
from pipeline.database.names import matches_glob
from pipeline.database.source import Source
from pipeline.errors import DbloreError, SettingError, SourceError
from pipeline.text import counted
from schemas.facts import Catalog, Link, Table
from schemas.settings import KbSettings

log = logging.getLogger("dblore.scan")


def build(*, source: Source, settings: KbSettings, out: Path) -> str:
    """Scan `source` within the scope of `settings` and write the catalogue to `out`.

    Raises:
        SourceError: the database, or all of its tables, can't be read.
        SettingError: it has no tables, or none is left in scope.
    """
    with open_database(source) as database:
        found = database.read_catalog(settings.schemas)
        say_once(source, database.warnings())
    catalog = in_scope(found, settings.include, settings.exclude)
    unused = unused_schemas(found, settings.schemas)
    catalog = replace(catalog, notes=(*unused, *catalog.notes))
    if not catalog.tables:
        raise _nothing(source, found, settings)
    for note in catalog.notes:
        log.warning(note)
    for lost in catalog.unreadable:
        log.warning("%s %s can't be read (%s)", lost.kind, lost.name, lost.error_class)
    artifacts.write(out, catalog)
    return account(catalog)


def account(catalog: Catalog) -> str:
    """Return what a catalogue holds, in one line."""
    columns = sum(len(t.columns) for t in catalog.tables)
    keys = sum(len(t.foreign_keys) for t in catalog.tables)
    views = sum("view" in t.kind for t in catalog.tables)
    counts = [counted(len(catalog.tables) - views, "table")]
    counts += [counted(views, "view")] if views else []
    counts += [counted(columns, "column"), counted(keys, "foreign key")]
    if catalog.unreadable:
        counts.append(f"{len(catalog.unreadable)} unreadable")
    return ", ".join(counts)


def in_scope(catalog: Catalog, include: Sequence[str], exclude: Sequence[str]) -> Catalog:
    """Return the catalogue with the tables that some `include` and no `exclude` glob matches.

    A glob matches `table` or `schema.table`, ignoring case. Keys to tables that are left out become
    `external`; a glob that matches nothing is noted.
    """
    unused = [
        f"{setting}: {glob} matches no table"
        for setting, globs in (("include", include), ("exclude", exclude))
        for glob in globs
        if not any(_matches(t, glob, catalog.default_schema) for t in catalog.tables)
    ]

    def wanted(table: Table) -> bool:
        def hit(glob: str) -> bool:
            return _matches(table, glob, catalog.default_schema)

        return (not include or any(map(hit, include))) and not any(map(hit, exclude))

    kept = {t.name for t in catalog.tables if wanted(t)}
    left_out = {t.name for t in catalog.tables} - kept
    tables = tuple(_with_states(t, left_out) for t in catalog.tables if t.name in kept)
    outside = {k.to_table for t in tables for k in t.foreign_keys if k.state == "external"}
    return replace(
        catalog,
        tables=tables,
        external=tuple(sorted(outside)),
        routines=tuple(r for r in catalog.routines if r.table is None or r.table in kept),
        notes=(*catalog.notes, *unused),
    )


def unused_schemas(catalog: Catalog, schemas: Sequence[str]) -> tuple[str, ...]:
    """Return a note on each setting of `schemas` in which no table lies."""
    default = catalog.default_schema or ("main" if catalog.dialect == "sqlite" else "")
    known = {(table.schema or default).casefold() for table in catalog.tables}
    return tuple(
        f"schemas: {name} matches no table" for name in schemas if name.casefold() not in known
    )


def _with_states(table: Table, left_out: set[str]) -> Table:
    def state(link: Link) -> Link:
        return replace(link, state="external") if link.to_table in left_out else link

    return replace(table, foreign_keys=tuple(state(link) for link in table.foreign_keys))


def _matches(table: Table, glob: str, default_schema: str | None) -> bool:
    schema = table.schema or default_schema
    names = [table.name, table.object_name]
    if schema:
        names.append(f"{schema}.{table.object_name}")
    return matches_glob(names, glob)


def _nothing(source: Source, found: Catalog, settings: KbSettings) -> DbloreError:
    if found.tables:
        return SettingError(
            f"`include` and `exclude` leave none of the {counted(len(found.tables), 'table')} of "
            f"{source.shown}",
            fix=f"widen them in kb.yaml; there is, for example, {found.tables[0].name}",
        )
    if found.unreadable:
        first = found.unreadable[0]
        return SourceError(
            f"none of the tables of {source.shown} can be read, e.g. {first.name}: {first.problem}",
            fix="give the login of `source:` the right to read them",
        )
    where = f" in {', '.join(settings.schemas)}" if settings.schemas else ""
    return SettingError(
        f"{source.shown} has no tables{where}",
        fix="check that `source:` (and `schemas:`) in kb.yaml name the right database",
    )
