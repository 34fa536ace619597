"""What stands behind the columns of views and of computed columns."""

from __future__ import annotations

from pipeline.lineage.outputs import Output, Place
from pipeline.lineage.parsing import UnreadableError
from pipeline.lineage.reading import read
from pipeline.lineage.tables import Tables
from schemas.facts import Catalog, Table


def is_view(table: Table) -> bool:
    """Whether a table is a view whose definition is known."""
    return table.kind in ("view", "materialized_view") and bool(table.definition)


def view_columns(view: Table, tables: Tables) -> dict[str, Output]:
    """Return what stands behind each column of a view: columns of what it reads, views too.

    It is empty where the definition can't be read; columns that it doesn't tell of are left out.
    """
    try:
        shape = read(view.definition or "", tables, engines_own=True).shape
    except UnreadableError:
        return {}
    if not shape.is_open and len(shape.outputs) == len(view.columns):
        pairs = zip(view.columns, shape.outputs, strict=True)
        return {column.name: output for column, output in pairs}
    by_name = {output.name.casefold(): output for output in shape.outputs if output.name}
    return {
        column.name: by_name[column.name.casefold()]
        for column in view.columns
        if column.name.casefold() in by_name
    }


def origins(catalog: Catalog) -> dict[Place, Place]:
    """Return (view, column) to the (table, column) that it shows unchanged, through other views.

    Columns that a view computes, or whose origin isn't certain, are left out.
    """
    tables = Tables(catalog)
    direct = {
        (view.name, name): output.passes
        for view in catalog.tables
        if is_view(view)
        for name, output in view_columns(view, tables).items()
        if output.passes is not None
    }
    return {place: _root(place, direct) for place in direct}


def base_columns(catalog: Catalog) -> dict[Place, frozenset[Place]]:
    """Return (view, column) to the columns of tables that it is made from, through other views."""
    tables = Tables(catalog)
    reads = {
        (view.name, name): output.reads
        for view in catalog.tables
        if is_view(view)
        for name, output in view_columns(view, tables).items()
    }
    return {place: _bases(place, reads) for place in reads}


def _root(place: Place, direct: dict[Place, Place]) -> Place:
    seen = {place}
    while place in direct and direct[place] not in seen:
        place = direct[place]
        seen.add(place)
    return place


def _bases(place: Place, reads: dict[Place, frozenset[Place]]) -> frozenset[Place]:
    found: set[Place] = set()
    seen = {place}
    waiting = [place]
    while waiting:
        for below in reads[waiting.pop()]:
            if below not in reads:
                found.add(below)
            elif below not in seen:
                seen.add(below)
                waiting.append(below)
    return frozenset(found)
