"""A knowledge base as the server sees it: read-only, loaded when first needed, never out of date.

The only reader of artifacts for serving. Each call looks at the files' times, so that a running
server serves a new build at once. Safe to use from several threads.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
import logging
import sqlite3
import threading
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pipeline import artifacts, drafts
from pipeline.cards import TableCard, cards, marked
from pipeline.errors import ArtifactError, DbloreError, ModelError, NotFoundError, did_you_mean
from pipeline.joins import JoinGraph
from pipeline.kb import Kb, current_generation
from schemas.models import Catalog, Graph, KbSettings, Lock, Profile, Semantic, Validation

if TYPE_CHECKING:  # loaded when a question is embedded
    from pipeline.embedding import Embedder, Vectors

log = logging.getLogger("dblore.serve")

INDEX_FORMAT = "dblore.index/2"
_AGAIN = "build it again: dblore build"


class Facts:
    """The artifacts of one build; each is read when it is first asked for."""

    def __init__(self, kb: Kb, *, before: Facts | None = None) -> None:
        self._kb = kb
        if before is not None:
            self._keep_meaning(before)

    def _keep_meaning(self, before: Facts) -> None:
        """Go on with what people's words were before, when their file can't be read now."""
        known: Semantic | None = vars(before).get("semantic")
        if known is None:
            return
        try:
            _ = self.semantic
        except DbloreError as error:
            log.warning("serving what was read before: %s (%s)", error.problem, error.fix)
            self.semantic = known

    @cached_property
    def catalog(self) -> Catalog:
        """catalog.json."""
        return artifacts.read(self._kb.catalog, Catalog)

    @cached_property
    def profile(self) -> Profile:
        """profile.json."""
        return artifacts.read(self._kb.profile, Profile)

    @cached_property
    def graph(self) -> Graph:
        """graph.json."""
        return artifacts.read(self._kb.graph, Graph)

    @cached_property
    def semantic(self) -> Semantic:
        """semantic.yaml; empty when there is none."""
        from pipeline import authored

        return authored.load_semantic(self._kb.semantic)

    @cached_property
    def accepted(self) -> drafts.Accepted:
        """Which texts of semantic.yaml a machine drafted."""
        return drafts.read(self._kb.drafts).accepted()

    @cached_property
    def lock(self) -> Lock:
        """kb.lock.json; empty when there is none."""
        return artifacts.read(self._kb.lock, Lock) if self._kb.lock.exists() else Lock()

    @cached_property
    def validation(self) -> Validation:
        """validation.json; empty when nothing was validated yet."""
        path = self._kb.validation
        return artifacts.read(path, Validation) if path.exists() else Validation()

    @cached_property
    def cards(self) -> Mapping[str, TableCard]:
        """Cards of the tables that aren't hidden, in catalog order."""
        return {name: card for name, card in self._every_card.items() if not card.hidden}

    @cached_property
    def sensitive(self) -> Mapping[str, frozenset[str]]:
        """The sensitive columns of each table that has some, hidden tables too."""
        return marked(self._every_card)

    @cached_property
    def _every_card(self) -> Mapping[str, TableCard]:
        return cards(self.catalog, self.profile, self.semantic, self.graph, self.accepted)

    @cached_property
    def joins(self) -> JoinGraph:
        """The planner over all links between tables that are shown."""
        shown = self.cards
        links = (k for k in self.graph.links if k.table in shown and k.to_table in shown)
        return JoinGraph(links)


@dataclass(frozen=True)
class SearchIndex:
    """One generation of the search index."""

    folder: Path
    meta: Mapping[str, str]

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the generation in `folder`.

        Raises:
            ArtifactError: it is missing, damaged or of another version.
        """
        try:
            with closing(_connect(folder / "index.db")) as db:
                meta = dict(db.execute("SELECT key, value FROM meta"))
        except sqlite3.Error as error:
            raise ArtifactError(
                f"the search index {folder} can't be read: {error}",
                fix="delete its folder and build again: dblore build",
            ) from error
        if meta.get("format") != INDEX_FORMAT:
            raise ArtifactError(
                f"the search index {folder} has the format {meta.get('format')!r}, "
                f"this dblore reads {INDEX_FORMAT!r}",
                fix=_AGAIN,
            )
        return cls(folder, meta)

    @cached_property
    def _local(self) -> threading.local:
        return threading.local()

    @property
    def db(self) -> sqlite3.Connection:
        """The connection of the calling thread."""
        local = self._local
        if not hasattr(local, "db"):
            local.db = _connect(self.folder / "index.db")
        connection: sqlite3.Connection = local.db
        return connection

    @cached_property
    def chunks(self) -> ChunkPlaces:
        """What each chunk is about."""
        with closing(_connect(self.folder / "index.db")) as db:
            rows = db.execute("SELECT kind, ref, tables FROM chunk ORDER BY id").fetchall()
        return ChunkPlaces(
            tuple(row[0] for row in rows),
            tuple(row[1] for row in rows),
            tuple(tuple(json.loads(row[2])) for row in rows),
        )

    @cached_property
    def embedder(self) -> Embedder | None:
        """The model that made the vectors; None, said once, when there is none."""
        if not self.meta.get("digest"):
            return None
        from pipeline import embedding

        try:
            model = embedding.embedder(self.meta["embedder"])
        except ModelError as error:
            log.warning("searching by words only: %s (%s)", error.problem, error.fix)
            return None
        if model is not None and model.digest != self.meta["digest"]:
            log.warning(
                "searching by words only: the index was made by another version of %s "
                "(build it again: dblore build)",
                self.meta["embedder"],
            )
            return None
        return model

    @cached_property
    def vectors(self) -> Vectors | None:
        """A row per chunk; None when there is no model for questions."""
        if self.embedder is None:
            return None
        import numpy as np

        try:
            vectors: Vectors = np.load(self.folder / "vectors.npy", mmap_mode="r")
        except (OSError, ValueError, EOFError) as error:
            log.warning(
                "searching by words only: vectors.npy can't be read: %s (%s)", error, _AGAIN
            )
            return None
        shape = (len(self.chunks.kinds), self.embedder.dimension)
        if vectors.shape != shape:
            log.warning("searching by words only: vectors.npy isn't of this index (%s)", _AGAIN)
            return None
        return vectors


@dataclass(frozen=True)
class ChunkPlaces:
    """What the chunks are about, by chunk id - 1."""

    kinds: tuple[str, ...]
    refs: tuple[str, ...]
    tables: tuple[tuple[str, ...], ...]


class KnowledgeBase:
    """The folder of a knowledge base, opened for reading."""

    def __init__(self, folder: Path, database: str | None = None) -> None:
        self.kb = Kb(folder)
        self._database = database
        self._lock = threading.RLock()
        self._facts: tuple[object, Facts] | None = None
        self._index: tuple[str, SearchIndex] | None = None
        self._ensured: object = None

    @classmethod
    def open(cls, folder: Path, *, database: str | None = None) -> Self:
        """Open the knowledge base in `folder`; its artifacts are read when they are needed.

        Args:
            folder: kb/<name>.
            database: what to query instead of the source that kb.yaml names.

        Raises:
            NotFoundError: there is no such folder.
        """
        if not folder.is_dir():
            raise NotFoundError(
                f"there is no knowledge base {folder}",
                fix=f"make one: dblore init --db URL --kb {folder}",
            )
        return cls(folder, database)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.kb.name

    @property
    def settings(self) -> KbSettings:
        """kb.yaml, read anew each time."""
        from pipeline import authored

        return authored.load_settings(self.kb.settings)

    @property
    def database(self) -> str:
        """What to query: a path, a URL or `odbc:…`; '' when nobody named one."""
        return self._database or (self.settings.source if self.kb.settings.exists() else "")

    @property
    def facts(self) -> Facts:
        """The artifacts as they are now."""
        stamp = self._stamp()
        with self._lock:
            if self._facts is None or self._facts[0] != stamp:
                before = self._facts[1] if self._facts else None
                self._facts = (stamp, Facts(self.kb, before=before))
            return self._facts[1]

    @property
    def revision(self) -> str:
        """Names the state of the artifacts; equal revisions serve the same knowledge."""
        outputs = {name: s.outputs for name, s in sorted(self.facts.lock.stages.items())}
        return hashlib.sha256(json.dumps(outputs, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def measured(self) -> str | None:
        """When the data was last looked at (UTC), as the lock says."""
        return self.facts.lock.measured.get("profile")

    def table(self, name: str) -> TableCard:
        """Return the card of a table, found by its exact name or the only one alike.

        Raises:
            NotFoundError: there is none; near names are offered.
        """
        facts = self.facts
        found = facts.catalog.find(name)
        if found is None or found.name not in facts.cards:
            raise NotFoundError(
                f"there is no table {name!r}",
                fix=did_you_mean(name, facts.cards, "list_tables, or `dblore tables`, lists them"),
            )
        return facts.cards[found.name]

    def tables(self, pattern: str = "*") -> tuple[TableCard, ...]:
        """Return the cards of tables whose name or domain matches a glob, in catalog order.

        A pattern without `*` or `?` also matches names that contain it.
        """
        folded = pattern.casefold() or "*"
        glob = folded if set(folded) & set("*?[") else f"*{folded}*"
        return tuple(
            card
            for card in self.facts.cards.values()
            if fnmatch.fnmatchcase(card.name.casefold(), glob)
            or fnmatch.fnmatchcase((card.domain or "").casefold(), folded)
        )

    @property
    def index(self) -> SearchIndex:
        """The search index of the current build; built first when it is missing or stale."""
        self.ensure_index()
        with self._lock:
            generation = self._generation()
            if self._index is None or self._index[0] != generation:
                self._index = (generation, SearchIndex.open(self.kb.index / generation))
            return self._index[1]

    def ensure_index(self) -> None:
        """Have the index built when it is missing or older than what it is made from.

        Raises:
            DbloreError: it is missing and can't be built.
        """
        stamp = self._stamp()
        with self._lock:
            if stamp == self._ensured or (self._generation() and not self._looks_stale()):
                return
            for path in (self.kb.catalog, self.kb.profile, self.kb.graph):
                if not path.exists():
                    raise ArtifactError(
                        f"{path} does not exist",
                        fix=f"build it: dblore build --kb {self.kb.folder}",
                    )
            from pipeline import tasks

            error = tasks.run(self.kb, ("index",), quiet=True).error
            if error is not None and not self._generation():
                raise error
            if error is not None:
                _ = self.facts.semantic  # its own error is the one to tell
                log.warning("serving the index of an earlier build: %s", error.problem)
            self._ensured = self._stamp()

    def _looks_stale(self) -> bool:
        built = _time(self.kb.index / "current")
        inputs = (self.kb.catalog, self.kb.profile, self.kb.semantic, self.kb.graph)
        return any(_time(path) > built for path in inputs)

    def _generation(self) -> str:
        return current_generation(self.kb.index)

    def _stamp(self) -> object:
        kb = self.kb
        paths = (kb.catalog, kb.profile, kb.semantic, kb.graph, kb.lock, kb.validation)
        more = (kb.drafts, kb.settings, kb.index / "current")
        return tuple(_time(path) for path in (*paths, *more))


def _time(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _connect(path: Path) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
    connection.execute("PRAGMA query_only = 1")
    return connection
