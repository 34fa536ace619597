"""Structure without a database: from DDL files, or from the catalogue that another scan wrote."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline import artifacts
from pipeline.database.source import Source
from pipeline.errors import SourceError
from pipeline.text import counted, shorten
from schemas import codec
from schemas.facts import Catalog, Link, LinkState, Table


def read(source: Source, schemas: Sequence[str] = ()) -> Catalog:
    """Return what DDL files or a catalogue tell; a note says what was read.

    Raises:
        SettingError: the dialect is unknown, or nothing creates a table.
        SourceError: a file can't be read, or isn't what it should be.
    """
    if source.kind == "ddl":
        from pipeline.database.ddl import catalog

        found = catalog.read(source.files, source.dialect, _called(source), schemas)
        files = counted(len(source.files), "DDL file")
        note = f"structure only: read from {files} ({source.shown})"
        return replace(found, read_from="ddl", notes=(note, *found.notes))
    path = source.files[0]
    found = _in_schemas(_catalogue(path), schemas)
    note = f"structure only: read from the catalogue {path.name}"
    return replace(found, read_from="catalog", notes=(note, *found.notes))


def _called(source: Source) -> str:
    """Return a name for the database: that of the file, or of the folder of several."""
    first = source.files[0]
    return first.stem if len(source.files) == 1 else first.parent.name or first.stem


def _catalogue(path: Path) -> Catalog:
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise SourceError(
            f"{path} can't be read: {error.strerror or type(error).__name__}",
            fix="give the user that runs dblore the right to read it",
        ) from error
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"{path} begins as JSON does, and isn't JSON: {shorten(str(error), 120)}",
            fix="name a catalog.json that a scan of dblore wrote, whole",
        ) from error
    expected = codec.format_of(Catalog)
    found = data.get("format") if isinstance(data, dict) else None
    if found != expected:
        what = f"has the format {shorten(repr(found), 60)}" if found else "names no format"
        raise SourceError(
            f"{path} {what}; a catalogue that this dblore reads has {expected!r}",
            fix="name a catalog.json that a scan wrote, with the same version of dblore",
        )
    _check(path, data)
    try:
        json.dumps(data, ensure_ascii=False).encode()  # half of a surrogate pair can't be written
        return _settled(codec.from_json(Catalog, data))
    except ValueError as error:
        raise _damaged(path, str(error)) from error


def _check(path: Path, data: Any) -> None:
    import jsonschema

    text = (artifacts.SCHEMAS / "catalog.schema.json").read_text(encoding="utf-8")
    validator = jsonschema.Draft202012Validator(json.loads(text))
    error = next(iter(validator.iter_errors(data)), None)
    if error is not None:
        raise _damaged(path, f"{error.json_path}: {error.message}")


def _damaged(path: Path, problem: str) -> SourceError:
    return SourceError(
        f"{path} isn't as catalogues are: {shorten(problem, 200)}",
        fix="ask for the catalog.json as its scan wrote it",
    )


def _settled(catalog: Catalog) -> Catalog:
    """Return a catalogue whose keys agree with its tables, which another program may have written.

    Raises:
        ValueError: two tables or columns share a name, or a key names a column that isn't there.
    """
    _refuse_twice("the catalogue", [table.name for table in catalog.tables])
    for table in catalog.tables:
        own = [column.name for column in table.columns]
        _refuse_twice(table.name, own)
        keys = [key.columns for key in table.unique]
        keys += [link.columns for link in table.foreign_keys]
        keys += [table.primary_key.columns] if table.primary_key else []
        named = {name for key in keys for name in key}
        if not named <= set(own):
            raise ValueError(f"a key of {table.name} names {min(named - set(own))!r}, no column")
    tables = catalog.by_name

    def settled(table: Table, link: Link) -> Link:
        target = tables.get(link.to_table)
        state: LinkState = "external" if link.state == "external" else "missing_table"
        if target is not None:
            there = {column.name for column in target.columns}
            fits = set(link.to_columns) <= there and len(link.columns) == len(link.to_columns)
            state = "ok" if fits and link.to_columns else "missing_column"
        return replace(link, table=table.name, origin="declared", state=state)

    return replace(
        catalog,
        tables=tuple(
            replace(table, foreign_keys=tuple(settled(table, k) for k in table.foreign_keys))
            for table in catalog.tables
        ),
    )


def _refuse_twice(where: str, names: Sequence[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"{where} holds {twice[0]!r} twice")


def _in_schemas(catalog: Catalog, schemas: Sequence[str]) -> Catalog:
    """Return the tables of the schemas that are wanted, all of them when none is named."""
    wanted = {schema.casefold() for schema in schemas}
    if not wanted:
        return catalog

    def is_wanted(table: Table) -> bool:
        return (table.schema or catalog.default_schema or "").casefold() in wanted

    left_out = {table.name for table in catalog.tables if not is_wanted(table)}

    def seen(link: Link) -> Link:
        return replace(link, state="external") if link.to_table in left_out else link

    return replace(
        catalog,
        tables=tuple(
            replace(table, foreign_keys=tuple(map(seen, table.foreign_keys)))
            for table in catalog.tables
            if table.name not in left_out
        ),
    )
