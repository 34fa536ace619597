"""Assertions on structure: keys, links, kinds of tables, what is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evals.nasty import names
from evals.nasty.listing import Target
from evals.nasty.world import World
from schemas.models import Link, Table

Targets = Sequence[Target]


def round_trips(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Each table and column keeps its name everywhere."""
    for target in targets:
        yield from names.round_trip(world, target)


def twins(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Names that differ only in case are tables and pages of their own."""
    found = [table for target in targets if (table := world.table(target))]
    if len({table.name for table in found}) < len(targets):
        yield "not every table is in catalog.json"
    files = [world.files[table.name].casefold() for table in found]
    if len(set(files)) < len(files):
        yield "two pages differ only in case"
    yield from round_trips(world, targets, "")


def composite(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """A key of several columns is one key, a reference to it one link."""
    tables = _tables(world, targets)
    if not any(t.primary_key and len(t.primary_key.columns) > 1 for t in tables):
        yield "no primary key has two columns"
    links = [link for t in tables for link in t.foreign_keys if len(link.columns) > 1]
    if not links or any(link.state != "ok" for link in links):
        yield "no foreign key has two columns"
    yield from _linked(world, links)


def self_reference(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Each table has a key to itself, which joins under an alias."""
    for table in _tables(world, targets):
        own = [link for link in table.foreign_keys if link.to_table == table.name]
        if not own:
            yield f"{table.name}: no key to itself"
        yield from _linked(world, own)


def circular(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Tables that refer to each other in a ring are all linked."""
    tables = _tables(world, targets)
    ring = {table.name for table in tables}
    for table in tables:
        if not any(k.to_table in ring - {table.name} for k in table.foreign_keys):
            yield f"{table.name}: no key leads to another of the ring"
        yield from _linked(world, table.foreign_keys)


def no_key(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """A table without a key has none, and its rows are counted, doubles too."""
    for target in targets:
        table, measured = world.table(target), world.measured(target)
        if table is None or table.primary_key is not None:
            yield f"{target}: missing, or with a primary key"
        elif measured is None or measured.rows != _count(world, target):
            yield f"{target}: its rows aren't all counted"


def dangling(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """A key to what isn't there is told, and nothing is joined over it."""
    readme = world.pages.get("README.md", "")
    for table in _tables(world, targets):
        broken = [k for k in table.foreign_keys if k.state in ("missing_table", "missing_column")]
        if not broken:
            yield f"{table.name}: no key is marked as leading nowhere"
        if not re.search(rf"foreign key .*{re.escape(table.name)}.* doesn't exist", readme):
            yield f"{table.name}: README.md doesn't tell that its key leads nowhere"
        if {link.key for link in broken} & {link.key for link in world.base.facts.joins.links}:
            yield f"{table.name}: joins are offered over a key that leads nowhere"


def implicit(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """A key that names no columns leads to the primary key of its parent."""
    for table in _tables(world, targets):
        for link in table.foreign_keys:
            parent = world.catalog.by_name.get(link.to_table)
            if not parent or not parent.primary_key:
                yield f"{table.name}: the parent has no primary key"
            elif link.to_columns != parent.primary_key.columns:
                yield f"{table.name}: leads to {link.to_columns}"
        if not table.foreign_keys:
            yield f"{table.name}: has no key"


def orphans(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """References that find no row are counted, and the page says so."""
    for target in targets:
        table = world.table(target)
        links = [k for k in world.graph.links if table and k.table == table.name]
        told = [k for k in links if k.evidence and k.evidence.orphans]
        nowhere = [k for k in (table.foreign_keys if table else ()) if k.state != "ok"]
        if not told and not nowhere:
            yield f"{target}: no orphan is told"
        elif told and "find no row" not in world.page(target) + world.pages.get("README.md", ""):
            yield f"{target}: its page doesn't tell of orphans"


def to_unique(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """A key to a unique column that isn't the primary key keeps its target."""
    for table in _tables(world, targets):
        links = [k for k in table.foreign_keys if k.state == "ok"]
        unique = [k for k in links if k.to_columns in _unique(world.catalog.by_name[k.to_table])]
        if not unique:
            yield f"{table.name}: no key leads to a unique column"
        yield from _linked(world, unique)


def two_ways(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Two keys to one table are two joins, told apart by their roles."""
    for table in _tables(world, targets):
        by_parent: dict[str, list[Link]] = {}
        for step in world.base.facts.joins.neighbours(table.name):
            if step.link.table == table.name:
                by_parent.setdefault(step.link.to_table, []).append(step.link)
        several = [links for links in by_parent.values() if len(links) > 1]
        if not several:
            yield f"{table.name}: no table is joined in two ways"
        for links in several:
            labels = {link.label or "" for link in links}
            if len(labels) < len(links):
                yield f"{table.name}: its ways to {links[0].to_table} have no roles: {labels}"


def twice(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """The same key declared twice is one relation."""
    for table in _tables(world, targets):
        keys = [k.key for k in table.foreign_keys]
        if len(keys) != 1:
            yield f"{table.name}: {len(keys)} keys in catalog.json"
        if len([k for k in world.graph.links if k.key in keys]) != 1:
            yield f"{table.name}: not one link in graph.json"


def whole(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Every column is in the catalogue, on the page and in the profile."""
    for target in targets:
        table, measured = world.table(target), world.measured(target)
        listed = world.listing.columns.get((target.schema, target.table))
        if table is None or (listed is not None and [c.name for c in table.columns] != listed):
            yield f"{target}: catalog.json lacks columns"
        elif measured is None or len(measured.columns) != len(table.columns):
            yield f"{target}: profile.json lacks columns"
        elif missing := [c.name for c in table.columns if f"`{c.name}`" not in world.page(target)]:
            yield f"{target}: its page lacks {missing[:3]}"


def generated(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Computed columns say how they are computed, and are measured."""
    for target in targets:
        table, measured = world.table(target), world.measured(target)
        computed = [c for c in table.columns if c.generated] if table else []
        if not computed or not all(c.expression for c in computed):
            yield f"{target}: no computed column, or one without its expression"
        for column in computed:
            found = measured.column(column.name) if measured else None
            if found is None or found.nulls is None:
                yield f"{target}.{column.name} isn't measured"


def hidden(world: World, targets: Targets, expect: str) -> Iterator[str]:
    """Hidden columns are there, dropped ones aren't, and no columns at all are no fault."""
    yield from whole(world, targets, expect)


def views(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """A view says what it reads."""
    for target in targets:
        table = world.table(target)
        if table is None or table.kind != "view" or not table.definition:
            yield f"{target}: no view with a definition"
        elif "**Reads:**" not in world.page(target):
            yield f"{target}: its page doesn't say what it reads"


def materialized(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """A materialized view is one, and an empty one is told."""
    for target in targets:
        table = world.table(target)
        if table is None or table.kind != "materialized_view":
            yield f"{target}: no materialized view"
        elif "WITH NO DATA" in table.options and not world.unreadable(target):
            yield f"{target}: nothing says that it can't be read"


def partitions(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Partitions fold into their parent; inherited rows are told."""
    tables = [table for target in targets if (table := world.table(target))]
    for target in targets:
        if target.kind == "partition" and world.table(target):
            yield f"{target}: a partition stands as a table"
    if not any(table.partitions for table in tables):
        yield "no table has partitions"
    notes = " ".join(world.catalog.notes)
    for table in tables:
        inherited = any(o.startswith("INHERITED BY") for o in table.options)
        if inherited and table.name not in notes:
            yield f"{table.name}: nothing says that its rows include those of others"


def shadows(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Virtual tables stand, the tables that hold their data don't."""
    parents = [t.table for t in targets if (s := world.table(t)) and s.kind == "virtual_table"]
    if not parents:
        yield "no virtual table"
    for target in targets:
        is_shadow = any(target.table.startswith(f"{parent}_") for parent in parents)
        if is_shadow == bool(world.table(target)):
            yield f"{target}: {'a shadow table stands' if is_shadow else 'it is missing'}"


def traits(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """What is special about a table's storage is told; a sequence is no table."""
    for target in targets:
        table = world.table(target)
        if target.kind == "sequence":
            if table:
                yield f"{target}: a sequence stands as a table"
        elif table is None or not table.options:
            yield f"{target}: missing, or nothing says what is special about it"


def left_out(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Tables of the engine's own are no tables of the database."""
    for target in targets:
        if world.table(target):
            yield f"{target}: a system table stands"


def schemas(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Tables of the same name in several schemas are kept apart."""
    for target in targets:
        if target.kind == "schema":
            if any(t.schema == target.schema for t in world.catalog.tables):
                yield f"{target}: an empty schema has tables"
        elif not world.unreadable(target):
            yield from names.round_trip(world, target)


def _tables(world: World, targets: Targets) -> list[Table]:
    found = [world.table(target) for target in targets]
    missing = [str(t) for t, table in zip(targets, found, strict=True) if table is None]
    if missing:
        raise LookupError(f"not in catalog.json: {', '.join(missing)}")
    return [table for table in found if table]


def _linked(world: World, links: Sequence[Link]) -> Iterator[str]:
    """Yield the keys over which no join is offered."""
    offered = {link.key for link in world.base.facts.joins.links}
    for link in links:
        if link.state == "ok" and link.key not in offered:
            yield f"{link.table}.{link.columns}: no join is offered"


def _unique(table: Table) -> set[tuple[str, ...]]:
    keys = {key.columns for key in table.unique} | {i.columns for i in table.indexes if i.unique}
    return keys - {table.primary_key.columns if table.primary_key else ()}


def _count(world: World, target: Target) -> int:
    return int(world.fetch(f"SELECT COUNT(*) FROM {world.sql_name(target)}")[0][0])
