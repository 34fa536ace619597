"""Where the files of a knowledge base are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_GENERATION = re.compile(rb"([0-9a-f]{16})\s*\Z")


@dataclass(frozen=True, slots=True)
class Kb:
    """One knowledge base: a folder and the names of what is in it."""

    folder: Path

    @property
    def name(self) -> str:
        """The folder's name, as it was given."""
        name = self.folder.name
        return name if name not in {"", ".."} else self.folder.resolve().name

    @property
    def task_name(self) -> str:
        """The name, without characters that doit gives a meaning of its own."""
        shown = self.name.encode("utf-8", "backslashreplace").decode("utf-8")
        return "".join(f"%{ord(c):02X}" if c in "=*%:?[]" else c for c in shown)

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
    def evaluation(self) -> Path:
        """evaluation.yaml, of people: golden questions."""
        return self.folder / "evaluation.yaml"

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
    def references_cache(self) -> Path:
        """build/references-cache: what was read of statements."""
        return self.build / "references-cache"

    @property
    def index(self) -> Path:
        """build/index/: generations of the search index, and `current`, which names one."""
        return self.build / "index"


def current_generation(index: Path) -> str:
    """Return the generation that `current` in the folder `index` names; '' when there is none.

    A name that no build writes, or one that leads nowhere, counts as none and is never followed.
    """
    try:
        with (index / "current").open("rb") as file:
            named = _GENERATION.match(file.read(64))
    except OSError:
        return ""
    name = named[1].decode("ascii") if named else ""
    folder = index / name
    is_there = bool(name) and not folder.is_symlink() and (folder / "index.db").is_file()
    return name if is_there else ""
