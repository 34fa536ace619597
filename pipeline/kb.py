"""Where the files of a knowledge base are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Kb:
    """One knowledge base: a folder and the names of what is in it."""

    folder: Path

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.resolve().name

    @property
    def settings(self) -> Path:
        """kb.yaml, of people."""
        return self.folder / "kb.yaml"

    @property
    def semantic(self) -> Path:
        """semantic.yaml, of people."""
        return self.folder / "semantic.yaml"

    @property
    def knowledge_graph(self) -> Path:
        """knowledge_graph.yaml, of people."""
        return self.folder / "knowledge_graph.yaml"

    @property
    def drafts(self) -> Path:
        """drafts.jsonl: texts that a model drafted."""
        return self.folder / "drafts.jsonl"

    @property
    def catalog(self) -> Path:
        """catalog.json, of `scan`."""
        return self.folder / "catalog.json"

    @property
    def profile(self) -> Path:
        """profile.json, of `profile`."""
        return self.folder / "profile.json"

    @property
    def draft(self) -> Path:
        """semantic.draft.yaml, of `draft`."""
        return self.folder / "semantic.draft.yaml"

    @property
    def coverage(self) -> Path:
        """coverage.json, of `draft`."""
        return self.folder / "coverage.json"

    @property
    def graph(self) -> Path:
        """graph.json, of `graph`."""
        return self.folder / "graph.json"

    @property
    def docs(self) -> Path:
        """docs/, of `docs`."""
        return self.folder / "docs"

    @property
    def validation(self) -> Path:
        """validation.json, of `validate`."""
        return self.folder / "validation.json"

    @property
    def validation_report(self) -> Path:
        """validation.md, of `validate`."""
        return self.folder / "validation.md"

    @property
    def lock(self) -> Path:
        """kb.lock.json: what each stage last read and wrote."""
        return self.folder / "kb.lock.json"

    @property
    def build(self) -> Path:
        """build/: ignored by Git, made anew at will."""
        return self.folder / "build"

    @property
    def index(self) -> Path:
        """build/index/: generations of the search index, and `current`, which names one."""
        return self.build / "index"
