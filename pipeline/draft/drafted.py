"""drafts.jsonl: texts that a model drafted, one JSON object a line."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

log = logging.getLogger("dblore.draft")

_KEYS = ("target", "field", "text")


@dataclass(frozen=True, slots=True)
class Drafted:
    """A text that a model drafted for one field of a table or column."""

    text: str
    model: str
    date: str

    @property
    def origin(self) -> str:
        """Who wrote it and when, as a comment says it."""
        return f"drafted by {self.model or 'a model'}" + (f" on {self.date}" if self.date else "")


def read(path: Path) -> dict[tuple[str, str], Drafted]:
    """Return (target, field) to its latest draft; an absent file is empty.

    Targets are `table` or `table.column`; fields are `description`, `grain`, `unit` and
    `values.CODE`. A line that can't be read is left out with a warning.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return {}
    found: dict[tuple[str, str], Drafted] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            target, field, text = (_text(entry[key]) for key in _KEYS)
            found[target, field] = Drafted(
                text, _text(entry.get("model", "")), _text(entry.get("date", ""))
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            log.warning("%s:%d is no draft and is left out", path, number)
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
