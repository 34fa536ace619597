"""Read the structure of the database.

Reads   the database's catalogue, and the scope settings of kb.yaml
Writes  catalog.json   shape: schemas/catalog.schema.json
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from pipeline import artifacts, structure_files
from pipeline.database.connect import open_database, say_once
from pipeline.database.names import matches_glob, name_parts, table_id
from pipeline.database.source import Source
from pipeline.errors import DbloreError, SettingError, SourceError
from pipeline.text import counted
from schemas.facts import Catalog, Link, Table, Unreadable
from schemas.settings import KbSettings

log = logging.getLogger("dblore.scan")


def build(*, source: Source, settings: KbSettings, out: Path) -> str:
    """Scan `source` within the scope of `settings` and write the catalogue to `out`.

    Raises:
        SourceError: the database, or all of its tables, can't be read.
        SettingError: it has no tables, or none is left in scope.
    """
    found = _read(source, settings.schemas, out)
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


def _read(source: Source, schemas: Sequence[str], out: Path) -> Catalog:
    if source.kind != "database":
        if out.resolve() in source.files:
            raise SettingError(
                f"{source.shown} is what scan writes, so it can't be its source",
                fix="copy it to another place and name that, or name the database",
            )
        return structure_files.read(source, schemas)
    with open_database(source) as database:
        found = database.read_catalog(schemas)
        say_once(source, database.warnings())
    unreadable = tuple(replace(u, problem=source.safe(u.problem)) for u in found.unreadable)
    return replace(found, unreadable=unreadable)


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
    if catalog.structure_only:
        counts.append(catalog.structure_only)
    return ", ".join(counts)


def in_scope(catalog: Catalog, include: Sequence[str], exclude: Sequence[str]) -> Catalog:
    """Return the catalogue with the objects that some `include` and no `exclude` glob matches.

    A glob matches `table` or `schema.table`, ignoring case, whether the table can be read or not.
    Keys to tables that are left out become `external`; a glob that matches nothing is noted.
    """
    default = catalog.default_schema
    unused = [
        f"{setting}: {glob} matches no table"
        for setting, globs in (("include", include), ("exclude", exclude))
        for glob in globs
        if not any(matches_glob(_names(t.schema, t.object_name, default), glob)
                   for t in catalog.tables)
        and not any(_loses(lost, glob, default) for lost in catalog.unreadable)
    ]  # fmt: skip

    def wanted(hits: Callable[[str], bool], without: Sequence[str] = exclude) -> bool:
        return (not include or any(map(hits, include))) and not any(map(hits, without))

    def is_kept(table: Table) -> bool:
        names = _names(table.schema, table.object_name, default)
        return wanted(lambda glob: matches_glob(names, glob))

    def is_told(lost: Unreadable) -> bool:
        if lost.kind == "schema" and any(matches_glob([f"{lost.name}."], g) for g in exclude):
            return False  # all that lies in it
        without = () if lost.kind == "schema" else exclude
        return wanted(lambda glob: _loses(lost, glob, default), without)

    kept = {t.name for t in catalog.tables if is_kept(t)}
    left_out = {t.name for t in catalog.tables} - kept
    tables = tuple(_with_states(t, left_out) for t in catalog.tables if t.name in kept)
    outside = {k.to_table for t in tables for k in t.foreign_keys if k.state == "external"}
    return replace(
        catalog,
        tables=tables,
        external=tuple(sorted(outside)),
        routines=tuple(r for r in catalog.routines if r.table is None or r.table in kept),
        unreadable=tuple(filter(is_told, catalog.unreadable)),
        notes=(*catalog.notes, *unused),
    )  # fmt: skip


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


def _names(schema: str | None, name: str, default: str | None) -> list[str]:
    """Return what a glob may call a table: by its own name, and with its schema in front."""
    schema = schema or default
    return [table_id(name), name, *([table_id(name, schema), f"{schema}.{name}"] if schema else [])]


def _loses(lost: Unreadable, glob: str, default: str | None) -> bool:
    """Whether a glob means an object that can't be read; a column's table, a schema's tables."""
    *before, own = name_parts(lost.name)
    if lost.kind == "schema":
        schema, dot, _ = glob.rpartition(".")
        return not dot or matches_glob([own], schema)
    if lost.kind == "column" and before:
        *before, own = before
    return matches_glob(_names(before[-1] if before else None, own, default), glob)


def _nothing(source: Source, found: Catalog, settings: KbSettings) -> DbloreError:
    if found.tables:
        return SettingError(
            f"`include` and `exclude` leave none of the {counted(len(found.tables), 'table')} of "
            f"{source.shown}",
            fix=f"widen them in kb.yaml; there is, for example, {found.tables[0].name}",
        )
    if found.unreadable:
        first = found.unreadable[0]
        if source.kind == "ddl":
            return SettingError(
                f"no table of {source.shown} can be read as {source.dialect}: {first.problem}",
                fix="check `dialect:` in kb.yaml, which says how names and texts are quoted",
            )
        return SourceError(
            f"none of the tables of {source.shown} can be read, e.g. {first.name}: {first.problem}",
            fix="give the login of `source:` the right to read them",
        )
    where = f" in {', '.join(settings.schemas)}" if settings.schemas else ""
    return SettingError(
        f"{source.shown} has no tables{where}",
        fix="check that `source:` (and `schemas:`) in kb.yaml name the right database",
    )
