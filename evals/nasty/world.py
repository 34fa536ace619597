"""A database and the knowledge base that was built of it, for assertions."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from evals.nasty import listing
from evals.nasty.listing import Listing, Target
from pipeline import tasks
from pipeline.authored.writing import key, scalar
from pipeline.cards import TableCard
from pipeline.database.connect import Database, Row, open_database
from pipeline.database.source import Source, resolve
from pipeline.docs.names import file_names
from pipeline.errors import DbloreError
from pipeline.kb import Kb
from schemas.models import Catalog, Graph, Profile, Table, TableProfile
from serve.knowledge import KnowledgeBase

SAID = "What {} stands for"
"""What the person of the second build says of each table and column."""
PATIENCE_SECONDS = 5.0


@dataclass
class World:
    """A database, what it holds, and its knowledge base.

    A person has described, under its name, every table and column of tables without comments.
    """

    source: Source
    kb: Kb
    listing: Listing
    pages: Mapping[str, str] = field(default_factory=dict)
    """The Markdown below docs/, by path."""
    words: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """What was said of (table, column); the column of a table's own words is ''."""
    problems: list[str] = field(default_factory=list)
    """What ended the build."""
    messages: list[str] = field(default_factory=list)

    @cached_property
    def base(self) -> KnowledgeBase:
        """The knowledge base as a server sees it."""
        return KnowledgeBase.open(self.kb.folder)

    @property
    def catalog(self) -> Catalog:
        """catalog.json."""
        return self.base.facts.catalog

    @property
    def profile(self) -> Profile:
        """profile.json."""
        return self.base.facts.profile

    @property
    def graph(self) -> Graph:
        """graph.json."""
        return self.base.facts.graph

    @cached_property
    def files(self) -> dict[str, str]:
        """The file name of each table's page."""
        return file_names(table.name for table in self.catalog.tables)

    def table(self, target: Target) -> Table | None:
        """Return the catalogue's table of a target."""
        wanted = (target.schema, target.table)
        return next((t for t in self.catalog.tables if wanted == self._place(t)), None)

    def target(self, table: Table) -> Target:
        """Return what a table of the catalogue is in the database's own listing."""
        schema, name = self._place(table)
        return Target(schema, name, kind=self.listing.kinds.get((schema, name), table.kind))

    def card(self, target: Target) -> TableCard | None:
        """Return all that is known of a target's table."""
        found = self.table(target)
        return self.base.facts.cards.get(found.name) if found else None

    def measured(self, target: Target) -> TableProfile | None:
        """Return the profile of a target's table."""
        found = self.table(target)
        return self.profile.by_table.get(found.name) if found else None

    def page(self, target: Target) -> str:
        """Return the page of a target's table; '' when there is none."""
        found = self.table(target)
        return self.pages.get(f"tables/{self.files[found.name]}.md", "") if found else ""

    def unreadable(self, target: Target) -> str:
        """Return why a target couldn't be read, as the scan or the profile noted it; or ''."""
        names = {target.table, str(target), target.schema} - {""}
        for item in self.catalog.unreadable:
            if item.name in names or item.name.rpartition(".")[0] in names:
                return f"{item.error_class}: {item.problem}"
        measured = self.measured(target)
        if measured and measured.error:
            return measured.error
        named = f" {target.table}."
        return next((note for note in self.profile.notes if named in note), "")

    def fetch(self, sql: str) -> list[Row]:
        """Run a statement of the eval's own on the database."""
        return self._database.fetch(sql, timeout_seconds=PATIENCE_SECONDS)

    def close(self) -> None:
        """Give the connection of `fetch` back."""
        self._database.close()

    @cached_property
    def _database(self) -> Database:
        return open_database(self.source)

    def sql_name(self, target: Target) -> str:
        """Return a target's table as SQL."""
        with_schema = [target.schema] if target.schema else []
        return ".".join(self.quote(part) for part in (*with_schema, target.table))

    def quote(self, name: str) -> str:
        """Return an identifier as SQL, by rules of the eval's own."""
        mark = "`" if self.listing.dialect == "mysql" else '"'
        return mark + name.replace(mark, mark * 2) + mark

    def _place(self, table: Table) -> tuple[str, str]:
        plain = listing.DEFAULT_SCHEMAS.get(self.listing.dialect, "")
        schema = table.schema or ""
        return ("" if schema == plain else schema, table.object_name)


def build(url: str, folder: Path, *, embedder: str = "none") -> World:
    """Build a knowledge base of a database in `folder`, and return what came of it."""
    kb = Kb(folder)
    folder.mkdir(parents=True, exist_ok=True)
    named = scalar(url) if "@" not in url else "${DBLORE_EVAL_DB}"
    os.environ["DBLORE_EVAL_DB"] = url
    kb.settings.write_text(
        f"name: nasty\nsource: {named}\nembedder: {embedder}\n", encoding="utf-8"
    )
    source = resolve(url, Path.cwd(), os.environ)
    with open_database(source) as database:
        held = listing.read(database)
    world = World(source, kb, held)
    listener = _Listener(world.messages)
    logger = logging.getLogger("dblore")
    logger.addHandler(listener)
    try:
        _run(world, "scan")
        if not world.problems:
            world.words = _describe(world)
            _run(world)
            world.pages = _pages(kb)
    finally:
        logger.removeHandler(listener)
    return world


class _Listener(logging.Handler):
    def __init__(self, messages: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._messages = messages

    def emit(self, record: logging.LogRecord) -> None:
        self._messages.append(record.getMessage())


def _run(world: World, *stages: str) -> None:
    try:
        error = tasks.run(world.kb, stages, quiet=True).error
    except DbloreError as raised:
        error = raised
    if error is not None:
        world.problems.append(f"the build failed: {error}")


def _pages(kb: Kb) -> dict[str, str]:
    return {
        path.relative_to(kb.docs).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(kb.docs.rglob("*.md"))
    }


def _describe(world: World) -> dict[tuple[str, str], str]:
    """Write semantic.yaml as a person would; return what was said of what."""
    said: dict[tuple[str, str], str] = {}
    lines = ["tables:"]
    silent = [t for t in world.catalog.tables if not t.comment]
    for table in (t for t in silent if not any(c.comment for c in t.columns)):
        said[table.name, ""] = SAID.format(_word(len(said)))
        lines += [f"  {key(table.name)}:", f"    description: {said[table.name, '']}"]
        lines += ["    columns:"] if table.columns else []
        for column in table.columns:
            said[table.name, column.name] = SAID.format(_word(len(said)))
            lines.append(f"      {key(column.name)}: {said[table.name, column.name]}")
    world.kb.semantic.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return said


def _word(number: int) -> str:
    """Return a word that stands nowhere else."""
    letters = "".join(chr(ord("a") + int(digit)) for digit in str(number))
    return f"qz{letters}zq"
