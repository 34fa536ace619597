"""Load one of people's files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from pipeline.authored import questions as golden
from pipeline.authored import shapes
from pipeline.authored.positions import Positions
from pipeline.authored.reading import Read, Reading
from pipeline.authored.yaml_nodes import child, parse_text, text_of
from pipeline.collecting import uncollected
from schemas.knowledge import GoldenQuestion, KnowledgeGraph, Semantic
from schemas.settings import KbSettings


class _Written:
    """What the files of people have in common: places in them can be told."""

    path: Path
    root: yaml.Node | None
    text: str

    @cached_property
    def positions(self) -> Positions:
        """Where its entries stand."""
        return Positions(self.root, self.text)

    def place(self, *keys: str | int) -> str:
        """Return `name:line:column` of the entry under these keys, or of the nearest around."""
        return self.positions.shown(self.path.name, keys)

    def where(self, *keys: str | int) -> str:
        """Return the same with the way to the file, for people at a terminal."""
        return self.positions.shown(self.path, keys)


@dataclass(frozen=True)
class Document(_Written):
    """A semantic.yaml and where in it things are said."""

    path: Path
    semantic: Semantic
    root: yaml.Node | None = None
    text: str = ""
    """As it is written, for the places in it."""

    @property
    def waiting(self) -> tuple[int, ...]:
        """Lines on which '' waits for somebody's words about a table or column."""
        tables = child(self.root, "tables")
        nodes, lines = [tables[1]] if tables else [], []
        while nodes:
            node = nodes.pop()
            if isinstance(node, yaml.MappingNode):
                nodes += [value for _, value in node.value]
            elif isinstance(node, yaml.ScalarNode) and node.style and not node.value:
                lines.append(node.start_mark.line + 1)
        return tuple(sorted(lines))


@dataclass(frozen=True)
class GraphDocument(_Written):
    """A knowledge_graph.yaml and where in it things are said."""

    path: Path
    graph: KnowledgeGraph
    root: yaml.Node | None = None
    text: str = ""
    """As it is written, for the places in it."""


@dataclass(frozen=True)
class EvaluationDocument(_Written):
    """An evaluation.yaml and where in it things are said."""

    path: Path
    questions: tuple[GoldenQuestion, ...]
    root: yaml.Node | None = None
    text: str = ""
    """As it is written, for the places in it."""


def load_settings(path: Path) -> KbSettings:
    """Return what kb.yaml says; without a name the folder's is taken.

    `${VAR}` in `source` is left as it is.

    Raises:
        SettingError: the file can't be read or holds something that isn't understood.
    """
    name = path.parent.resolve().name
    settings: KbSettings = _load(path, shapes.settings_shape(name))[0] or KbSettings(name)
    return settings


def load_semantic(path: Path) -> Semantic:
    """Return what semantic.yaml says.

    Raises:
        SettingError: the file can't be read or holds something that isn't understood.
    """
    return read_semantic(path).semantic


def read_semantic(path: Path) -> Document:
    """Return what semantic.yaml says together with its lines, for messages about it.

    Raises:
        SettingError: the file can't be read or holds something that isn't understood.
    """
    semantic, root, text = _load(path, shapes.SEMANTIC)
    return Document(path, semantic or Semantic(), root, text)


def load_knowledge_graph(path: Path) -> KnowledgeGraph:
    """Return what knowledge_graph.yaml says.

    Raises:
        SettingError: the file can't be read or holds something that isn't understood.
    """
    return read_knowledge_graph(path).graph


def read_knowledge_graph(path: Path) -> GraphDocument:
    """Return what knowledge_graph.yaml says together with its lines, for messages about it.

    Raises:
        SettingError: the file can't be read or holds something that isn't understood.
    """
    graph, root, text = _load(path, shapes.KNOWLEDGE_GRAPH)
    return GraphDocument(path, graph or KnowledgeGraph(), root, text)


def read_evaluation(path: Path) -> EvaluationDocument:
    """Return the golden questions of evaluation.yaml together with their lines.

    Raises:
        SettingError: the file can't be read or holds something that isn't understood.
    """
    questions, root, text = _load(path, golden.evaluation)
    return EvaluationDocument(path, questions or (), root, text)


def _load(path: Path, shape: Read) -> tuple[Any, yaml.Node | None, str]:
    with uncollected():
        text = text_of(path)
        root = parse_text(text, path)
        if root is None:
            return None, None, text
        reading = Reading(path)
        model = shape(reading, root, ())
    reading.finish()
    return model, root, text
