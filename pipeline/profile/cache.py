"""Finished tables of an interrupted or earlier run, so that the next one goes on from there."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from schemas import codec
from schemas.facts import Table, TableProfile
from schemas.settings import ProfileSettings

VERSION = 4
"""To be raised whenever a table's profile changes for the same data."""


class TableCache:
    """Profiles by key, in a file of one JSON object a line; a damaged line is as good as none.

    It holds what profile.json holds, so no value of a sensitive column.
    """

    def __init__(self, path: Path | None, salt: str) -> None:
        self._path, self.salt = path, salt
        self._known: dict[str, Any] = _read(path) if path is not None else {}

    def key(self, table: Table, settings: ProfileSettings, besides: list[object]) -> str:
        """Return what a table's profile depends on, as one hash; `besides` holds JSON values."""
        facts = [
            VERSION,
            self.salt,
            codec.to_json(table),
            [settings.values, settings.rows, list(settings.sensitive)],
            besides,
        ]
        text = json.dumps(facts, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def get(self, key: str) -> TableProfile | None:
        """Return the profile that was kept under `key`."""
        found = self._known.get(key)
        if found is None:
            return None
        with suppress(ValueError):
            return codec.from_json(TableProfile, found)
        return None

    def put(self, key: str, profile: TableProfile) -> None:
        """Keep a profile; what is written at once survives a kill. A full disk is no failure."""
        if self._path is None:
            return
        line = json.dumps({"key": key, "profile": codec.to_json(profile)}, ensure_ascii=True)
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")

    def keep_only(self, keys: set[str]) -> None:
        """Forget profiles under other keys, when there are any."""
        if self._path is None or set(self._known) <= keys:
            return
        self._known = {key: kept for key, kept in self._known.items() if key in keys}
        with suppress(OSError):
            if not self._known:
                self._path.unlink()
                return
            lines = [line for line in _lines(self._path) if _entry(line)[0] in keys]
            self._path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def _read(path: Path) -> dict[str, Any]:
    known: dict[str, Any] = {}
    with suppress(OSError):
        for line in _lines(path):
            key, profile = _entry(line)
            if key:
                known[key] = profile
    return known


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


def _entry(line: str) -> tuple[str, Any]:
    try:
        data = json.loads(line)
        return str(data["key"]), data["profile"]
    except (ValueError, KeyError, TypeError):
        return "", None
