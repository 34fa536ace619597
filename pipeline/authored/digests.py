"""Digests of parts of people's files, so that an edit elsewhere in a file re-runs nothing.

The no-op build calls these: they import neither the models nor jsonschema.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import yaml

from pipeline.authored.yaml_nodes import child, data_of, parse_bytes
from pipeline.errors import SettingError

_NOTHING = hashlib.sha256(b"").hexdigest()


def part_digest(path: Path, parts: tuple[str, ...]) -> str:
    """Return the SHA-256 of what the file says under the top-level keys `parts`, in canonical form.

    A file that is absent, or says nothing there, has the digest of nothing; one that can't be read
    as YAML has the digest of its bytes, and the stage that reads it will say why.
    """
    data = _bytes(path)
    try:
        root = parse_bytes(data, path)
        if root is not None and not isinstance(root, yaml.MappingNode):
            return hashlib.sha256(data).hexdigest()
        stated = {}
        for part in sorted(parts):
            entry = child(root, part)
            if entry is not None and (value := data_of(entry[1])) is not None:
                stated[part] = value
    except (SettingError, RecursionError):
        return hashlib.sha256(data).hexdigest()
    return _digest(stated)


def sensitive_marks_digest(path: Path) -> str:
    """Return the SHA-256 of the `sensitive:` marks of a semantic.yaml alone.

    Absent, unreadable and markless files are treated as `part_digest` does.
    """
    data = _bytes(path)
    if b"sensitive" not in data and b"\\" not in data:  # an escape could spell it otherwise
        return _NOTHING
    try:
        root = parse_bytes(data, path)
        marks = {
            f"{table}\n{column}": mark
            for table, text in _entries(child(root, "tables"))
            for column, words in _entries(child(text, "columns"))
            for key, mark in ((k, data_of(v)) for k, v in _entries((words, words)))
            if key == "sensitive"
        }
    except (SettingError, RecursionError):
        return hashlib.sha256(data).hexdigest()
    return _digest(marks)


def _entries(entry: tuple[yaml.Node, yaml.Node] | None) -> list[tuple[str, yaml.Node]]:
    node = entry[1] if entry else None
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return [(str(key.value), value) for key, value in pairs]


def _digest(stated: dict[str, Any]) -> str:
    if not stated:
        return _NOTHING
    text = json.dumps(stated, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
