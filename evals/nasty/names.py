"""Every identifier's way through catalogue, YAML, docs, search and generated SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from evals.nasty.listing import Target
from evals.nasty.world import World
from pipeline import authored, sql_names
from pipeline.database.query import Limits, read
from pipeline.docs import markdown
from pipeline.errors import DbloreError
from schemas.models import Table
from serve import search
from serve.paths import find_paths

_FENCE = re.compile(r"^```sql\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Characters that the guard lets no statement hold, names or not."""
_LIMITS = Limits(rows=3, seconds=20)


def round_trip(world: World, target: Target) -> list[str]:
    """Return where a table's name or those of its columns were lost."""
    table = world.table(target)
    if table is None:
        return [f"{target} isn't in catalog.json"]
    listed = world.listing.columns.get((target.schema, target.table))
    problems, why = [], world.unreadable(target)
    if listed is not None and not why and [c.name for c in table.columns] != listed:
        problems.append(f"{target}: columns in catalog.json aren't those of the database")
    problems += _in_pages(world, table)
    problems += _found(world, table)
    if not why:
        problems += _queried(world, table)
    return problems


def everything(world: World) -> list[str]:
    """Return what is wrong with names anywhere: files, links, SQL of pages, joins."""
    folded = [name.casefold() for name in world.files.values()]
    problems = ["two pages differ only in case"] if len(set(folded)) < len(folded) else []
    problems += _dead_links(world)
    problems += _in_yaml(world)
    for table in world.catalog.tables:
        problems += round_trip(world, world.target(table))
    return [*problems, *failing_sql(world)]


def _in_pages(world: World, table: Table) -> Iterator[str]:
    page = world.pages.get(f"tables/{world.files[table.name]}.md")
    if page is None:
        yield f"{table.name!r} has no page"
        return
    if not page.startswith(f"# {markdown.name(table.name)}\n"):
        yield f"{table.name!r}: the heading of its page is another"
    if world.words.get((table.name, ""), "") not in page:
        yield f"{table.name!r}: what a person said of it isn't on its page"
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    for column in table.columns:
        words, cell = world.words.get((table.name, column.name), ""), markdown.code(column.name)
        if not any(words in row and cell.replace("|", "\\|") in row for row in rows):
            yield f"{table.name!r}: the row of its column {column.name!r} isn't on its page"


def _found(world: World, table: Table) -> Iterator[str]:
    hits = search.search(world.base, table.object_name, limit=10)
    if not any(table.name in hit.tables for hit in hits):
        yield f"{table.name!r}: a search for its name doesn't find it"
    said = world.words.get((table.name, ""), "What").split()[1:2]
    if said and not any(
        table.name in hit.tables for hit in search.search(world.base, said[0], limit=3)
    ):
        yield f"{table.name!r}: a search for its description doesn't find it"


def _queried(world: World, table: Table) -> Iterator[str]:
    if not table.columns:
        return
    parts = [table.schema, table.object_name] if table.schema else [table.object_name]
    place = ".".join(world.quote(part) for part in parts)
    columns = ", ".join(world.quote(c.name) for c in table.columns)
    yield from _ran(world, f"SELECT {columns} FROM {place} LIMIT 1")


def failing_sql(world: World) -> Iterator[str]:
    """Yield what the database says to SQL that dblore wrote: examples of pages, join paths."""
    broken = {p.table for p in world.profile.tables if p.error}
    for table in world.catalog.tables:
        if table.name in broken or world.unreadable(world.target(table)):
            continue
        page = world.pages.get(f"tables/{world.files[table.name]}.md", "")
        for sql in _FENCE.findall(page.partition("\n## Definition")[0]):
            yield from _ran(world, sql)
    links = [k for k in world.graph.links if k.state == "ok" and not {k.table, k.to_table} & broken]
    for pair in sorted({(link.table, link.to_table) for link in links}):
        yield from _joined(world, pair)


def _joined(world: World, pair: tuple[str, str]) -> Iterator[str]:
    found = find_paths(world.base, *pair)
    place = sql_names.table(pair[0], found.dialect)
    for path in found.data()["paths"]:
        joins = " ".join(step["sql"] for step in path["joins"])
        yield from _ran(world, f"SELECT 1 FROM {place} {joins} LIMIT 1")


def _ran(world: World, sql: str) -> Iterator[str]:
    if _CONTROL.search(sql):
        return
    try:
        read(world.source, sql, catalog=world.catalog, limits=_LIMITS)
    except DbloreError as error:
        yield f"{sql!r}: {error.problem}"


def _in_yaml(world: World) -> Iterator[str]:
    """Yield the names of semantic.yaml that aren't known, and lint what is suggested."""
    for path in (world.kb.semantic, world.kb.draft):
        try:
            document = authored.read_semantic(path)
        except DbloreError as error:
            yield f"{path.name} can't be read: {error.problem}"
            continue
        for problem in authored.check_names(document, world.catalog):
            yield f"{path.name}: {problem.message}"


def _dead_links(world: World) -> Iterator[str]:
    for name, page in world.pages.items():
        folder = name.rpartition("/")[0]
        for link in _LINK.findall(_CODE.sub("", page)):
            path = unquote(link.partition("#")[0])
            at = f"{folder}/{path}" if folder else path
            while re.search(r"[^/]+/\.\./", at):
                at = re.sub(r"[^/]+/\.\./", "", at, count=1)
            if path and at not in world.pages:
                yield f"{name}: the link {link} leads nowhere"
