"""All that the rules look at, read from the files of one knowledge base and nothing else."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pipeline import artifacts, drafts
from pipeline.authored import (
    Document,
    GraphDocument,
    load_settings,
    read_knowledge_graph,
    read_semantic,
)
from pipeline.cards import ColumnCard, TableCard, cards
from pipeline.kb import Kb
from pipeline.kept import Kept
from pipeline.lint.rule import GRAPH, SEMANTIC, Found, Keys
from pipeline.text import one_line, shorten
from schemas.models import (
    Catalog,
    Graph,
    KbSettings,
    Profile,
    Semantic,
    SemanticColumn,
    SemanticTable,
    Validation,
)

if TYPE_CHECKING:
    from schemas.references import References, Unresolved

Model = TypeVar("Model")
Stale = Mapping[str, tuple[str, ...]]
"""Stage to the reasons why what it wrote is older than what it was made from."""


@dataclass(frozen=True, slots=True)
class SaidTable:
    """A table that semantic.yaml has an entry for."""

    written: str
    """Its name as people wrote it."""
    said: SemanticTable
    card: TableCard


@dataclass(frozen=True, slots=True)
class SaidColumn:
    """A column of such a table, with what people say of it, if anything."""

    table: SaidTable
    card: ColumnCard
    said: SemanticColumn
    written: str

    @property
    def is_bookkeeping(self) -> bool:
        """Whether it says who changed a row and when; also when people describe it."""
        return self.card.housekeeping or self.card.profile.housekeeping is not None

    @property
    def target(self) -> str:
        """`table.column`."""
        return f"{self.table.card.name}.{self.card.name}"

    @property
    def place(self) -> Keys:
        """Where semantic.yaml speaks of it."""
        return ("tables", self.table.written, "columns", self.written)


@dataclass
class World:
    """Facts, what people wrote, and what was measured of it. None: not there."""

    catalog: Catalog
    document: Document
    graph_document: GraphDocument
    profile: Profile | None = None
    graph: Graph | None = None
    validation: Validation | None = None
    is_whole: bool = False
    """Facts of tables that semantic.yaml has no entry for are there, too."""
    references_cache: Path | None = None
    """What was read of statements in earlier runs."""
    settings: KbSettings = field(default_factory=lambda: KbSettings(""))
    folder: str = ""
    """Of the knowledge base, as it was given."""
    drafted: frozenset[str] = frozenset()
    """Tables whose description a model drafted."""
    stale: Stale = field(default_factory=dict)
    _found: dict[str, tuple[Found, ...]] = field(default_factory=dict)

    def found(self, rule: str) -> tuple[Found, ...]:
        """Return what a rule finds; it looks once, however many ask."""
        if rule not in self._found:
            from pipeline.lint.rules import BY_ID

            self._found[rule] = tuple(BY_ID[rule].check(self))
        return self._found[rule]

    def command(self, name: str, *more: str) -> str:
        """Return the command line that runs `dblore NAME` on the knowledge base."""
        of_kb = ["--kb", self.folder] if self.folder else []
        return shlex.join(["dblore", name, *of_kb, *more])

    @property
    def semantic(self) -> Semantic:
        """What semantic.yaml says."""
        return self.document.semantic

    @cached_property
    def cards(self) -> dict[str, TableCard]:
        """Facts and words merged: of the tables of semantic.yaml, or of all if it is whole."""
        part = self.catalog
        if not self.is_whole:
            said = described(part, self.semantic)
            part = replace(part, tables=tuple(t for t in part.tables if t.name in said))
        return cards(part, self.profile or Profile(), self.semantic, self.graph or Graph())

    @cached_property
    def references(self) -> References:
        """What every item uses, and the names that lead to nothing."""
        from pipeline.references import references

        kept = Kept(self.references_cache)
        measured = self.graph
        return references(
            self.catalog, self.document, self.graph_document, measured=measured, kept=kept
        )

    @cached_property
    def _used(self) -> dict[tuple[str, Keys], set[str]]:
        used: dict[tuple[str, Keys], set[str]] = {}
        for use in self.references.uses:
            if use.by != "prose":
                used.setdefault((use.item.file, use.item.keys[:2]), set()).add(use.table)
        return used

    def used_by(self, place: Keys, file: str = SEMANTIC) -> frozenset[str]:
        """Return the tables that an item uses, by the first two keys of its place."""
        return frozenset(self._used.get((file, place[:2]), ()))

    @cached_property
    def unresolved(self) -> tuple[Unresolved, ...]:
        """The names in people's files that lead to nothing."""
        ours = (SEMANTIC, GRAPH)
        return tuple(u for u in self.references.unresolved if u.item.file in ours)

    @cached_property
    def unresolved_places(self) -> frozenset[tuple[str, Keys]]:
        """File and first two keys of items whose SQL or keys name something unknown."""
        return frozenset((u.item.file, u.item.keys[:2]) for u in self.unresolved if u.by != "prose")

    def is_unresolved(self, place: Keys, file: str = SEMANTIC) -> bool:
        """Whether an item names something unknown, which is told elsewhere."""
        return (file, place[:2]) in self.unresolved_places

    @cached_property
    def tables(self) -> tuple[SaidTable, ...]:
        """The tables of semantic.yaml that exist and aren't hidden, in file order."""
        found = {}
        for written, said in self.semantic.tables.items():
            table = self.catalog.find(written)
            if table is not None:  # of two entries the last counts, as in cards
                found[table.name] = SaidTable(written, said, self.cards[table.name])
        return tuple(table for table in found.values() if not table.said.hidden)

    @cached_property
    def columns(self) -> tuple[SaidColumn, ...]:
        """The columns of those tables, in catalog order."""
        return tuple(column for table in self.tables for column in _columns(table))

    @cached_property
    def told_of_all(self) -> str:
        """What people say of the database as a whole."""
        glossary = [f"{term.term} {term.definition}" for term in self.semantic.glossary]
        return "\n".join([self.semantic.description, *self.semantic.dialect_notes, *glossary])


def _columns(table: SaidTable) -> Iterator[SaidColumn]:
    said = {
        found.name: (name, text)
        for name, text in table.said.columns.items()
        if (found := table.card.table.column(name))
    }
    for card in table.card.columns:
        written, text = said.get(card.name) or (card.name, SemanticColumn())
        yield SaidColumn(table, card, text, written)


def described(catalog: Catalog, semantic: Semantic) -> frozenset[str]:
    """Return the tables that semantic.yaml has an entry for, by their names in the catalog."""
    found = (catalog.find(written) for written in semantic.tables)
    return frozenset(table.name for table in found if table is not None)


def open_world(kb: Kb, stale: Stale, *, is_whole: bool = False) -> World:
    """Read what there is of the knowledge base; what isn't built yet is None.

    Args:
        kb: The knowledge base.
        stale: Which of its artifacts are older than what they were made from; the list of stages
            knows.
        is_whole: Also the profile of tables that semantic.yaml has no entry for; no rule needs it.

    Raises:
        ArtifactError: there is no catalog, or a file is damaged.
        SettingError: a file of people can't be read.
    """
    catalog, document = artifacts.read(kb.catalog, Catalog), read_semantic(kb.semantic)
    return World(
        catalog,
        document,
        read_knowledge_graph(kb.knowledge_graph),
        _profile(kb.profile, None if is_whole else described(catalog, document.semantic)),
        _optional(kb.graph, Graph),
        _optional(kb.validation, Validation),
        is_whole=is_whole,
        references_cache=kb.references_cache,
        settings=load_settings(kb.settings),
        folder=str(kb.folder),
        drafted=_drafted(kb.drafts),
        stale=stale,
    )


def _profile(path: Path, tables: frozenset[str] | None) -> Profile | None:
    if tables is None or not path.exists():
        return _optional(path, Profile)
    data = artifacts.read_json(path)
    if isinstance(data, dict) and isinstance(data.get("tables"), list):
        chosen = [t for t in data["tables"] if not isinstance(t, dict) or t.get("table") in tables]
        data["tables"] = chosen
    return artifacts.decoded(data, path, Profile)


def _optional(path: Path, model: type[Model]) -> Model | None:
    return artifacts.read(path, model) if path.exists() else None


def _drafted(path: Path) -> frozenset[str]:
    waiting = drafts.read(path).waiting()
    return frozenset(target for target, field in waiting if field == "description")


def shown(text: object, limit: int = 60) -> str:
    """Return untrusted text for a message: one short line."""
    return shorten(one_line(str(text)), limit)


def stored(value: object) -> str:
    """Return a stored value for a message, in quotes where its ends would be lost."""
    text = str(value)
    return quoted(text) if text != text.strip() or not text else shown(text, 40)


def quoted(text: str) -> str:
    """Return a stored text in quotes, blanks kept, in one line."""
    return f"'{printable(shorten(text, 40))}'"


def printable(text: str) -> str:
    """Return untrusted text as one line, its blanks kept."""
    return "".join(c if c.isprintable() else " " for c in text)


def listed(items: Sequence[Model], most: int = 6, *, written: Callable[[Model], str] = str) -> str:
    """Return `a, b, c and 4 more`, each as `written` writes it."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(map(written, items[:most])) + more
