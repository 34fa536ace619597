"""Results that outlive a run: JSON values by a key that names all that they depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline import artifacts
from pipeline.errors import ArtifactError


class Kept:
    """JSON values by key, in a file of one object a line; a damaged line is as good as none."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, Any] = {}
        self._is_torn = self._is_damaged = False
        if path is not None:
            with suppress(OSError):
                text = path.read_text(encoding="utf-8", errors="replace")
                entries = [_entry(line) for line in text.splitlines()]
                self._known = dict(filter(None, entries))
                self._is_damaged = None in entries
                self._is_torn = bool(text) and not text.endswith("\n")

    @property
    def is_file(self) -> bool:
        """Whether it outlives the run."""
        return self._path is not None

    def get(self, key: str) -> Any:
        """Return what was kept under `key`, or None."""
        return self._known.get(key)

    def put(self, key: str, value: Any) -> None:
        """Keep a value; what is written at once survives a kill. A full disk is no failure."""
        self._known[key] = value
        if self._path is None:
            return
        line = "\n" * self._is_torn + _line(key, value)
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab", buffering=0) as file:
                file.write(line.encode("utf-8"))
            self._is_torn = False

    def keep_only(self, keys: AbstractSet[str]) -> None:
        """Forget all else, if there is anything; a kill leaves the file whole."""
        if self._path is None or (self._known.keys() <= keys and not self._is_damaged):
            return
        self._known = {key: value for key, value in self._known.items() if key in keys}
        with suppress(OSError, ArtifactError):
            if not self._known:
                self._path.unlink()
            else:
                text = "".join(_line(key, value) for key, value in self._known.items())
                artifacts.write_text(self._path, text)
            self._is_torn = self._is_damaged = False


def digest(facts: list[Any]) -> str:
    """Return one hash of JSON values."""
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _line(key: str, value: Any) -> str:
    return json.dumps({"key": key, "value": value}, ensure_ascii=True) + "\n"


def _entry(line: str) -> tuple[str, Any] | None:
    try:
        data = json.loads(line)
        return str(data["key"]), data["value"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
