"""drafts.jsonl: texts that machines drafted and what became of them, one JSON object a line.

A model's texts wait there until a person accepts them. Of every accepted text (a model's, or one
that a rule of `draft` derived from facts) a line says where it came from; while semantic.yaml says
that same text, it counts as an accepted draft, and as somebody's own words as soon as it differs.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import artifacts

log = logging.getLogger("dblore.draft")

_NEEDED = ("target", "field", "text")
_OPTIONAL = ("model", "date", "source", "accepted")


@dataclass(frozen=True, slots=True)
class Draft:
    """A text for one field of a table or column, and who drafted it."""

    target: str
    """`table` or `table.column`, as the catalog writes them; '' for the database."""
    field: str
    """`description`, `grain`, `unit`, `values.CODE`, or a list of semantic.yaml."""
    text: str
    model: str = ""
    date: str = ""
    source: str = ""
    """The facts that a rule derived it from."""
    accepted: str = ""
    """The day; '' while it waits."""

    @property
    def origin(self) -> str:
        """Who wrote it and when, or from what it was derived."""
        if self.source:
            return self.source
        return f"drafted by {self.model or 'a model'}" + (f" on {self.date}" if self.date else "")


@dataclass(frozen=True, slots=True)
class Drafts:
    """What a drafts.jsonl holds; a later line wins over an earlier one."""

    lines: tuple[Draft, ...] = ()

    def waiting(self) -> dict[tuple[str, str], Draft]:
        """Return (target, field) to the text that waits for a person."""
        return {(line.target, line.field): line for line in self.lines if not line.accepted}

    def accepted(self) -> Accepted:
        """Return the texts that were accepted."""
        return Accepted(
            {(line.target, line.field, line.text): line for line in self.lines if line.accepted}
        )


@dataclass(frozen=True, slots=True)
class Accepted:
    """Accepted texts by target, field and text."""

    texts: dict[tuple[str, str, str], Draft]

    def origin(self, target: str, field: str, text: str) -> str:
        """Return where an accepted text came from; '' for one that somebody wrote."""
        found = self.texts.get((target, field, text))
        return found.origin if found else ""


NONE = Accepted({})


def read(path: Path) -> Drafts:
    """Return what the file holds; an absent one holds nothing.

    A line that can't be read is left out with a warning.
    """
    found = []
    for number, line in enumerate(_lines(path), start=1):
        if line.strip():
            try:
                found.append(_parsed(line))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                log.warning("%s:%d is no draft and is left out", path, number)
    return Drafts(tuple(found))


def record(path: Path, accepted: Sequence[Draft]) -> None:
    """Note texts as accepted: a model's line gets the day, a rule's text a line of its own.

    Raises:
        ArtifactError: the file can't be written.
    """
    left = {(draft.target, draft.field, draft.text): draft for draft in accepted}
    written = []
    for line in _lines(path):
        try:
            known = _parsed(line)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            if line.strip():
                written.append(line)
            continue
        key = (known.target, known.field, known.text)
        draft = left.pop(key, None)
        written.append(_dumped(draft) if draft else line)
    written += [_dumped(draft) for draft in left.values()]
    if written:
        artifacts.write_bytes(path, b"\n".join(written) + b"\n")


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        log.warning("%s can't be read: %s", path, error.strerror or error)
        return []


def _parsed(line: bytes) -> Draft:
    entry = json.loads(line)
    needed = {key: _text(entry[key]) for key in _NEEDED}
    return Draft(**needed, **{key: _text(entry.get(key, "")) for key in _OPTIONAL})


def _dumped(draft: Draft) -> bytes:
    entry = {key: value for key in (*_NEEDED, *_OPTIONAL) if (value := getattr(draft, key))}
    entry = {key: getattr(draft, key) for key in _NEEDED} | entry
    return json.dumps(entry, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
