"""Finished work of an interrupted or earlier run, so that the next one goes on from there.

What is kept of a table is known by its structure, its stamp (see `stamps`), the settings and the
marks of people; a table without a stamp is never kept. The stamps were taken before the data was
read, so that what is written in between makes it stale.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline import artifacts
from pipeline.errors import ArtifactError
from schemas import codec
from schemas.facts import Table, TableProfile
from schemas.settings import ProfileSettings

VERSION = 7
"""To be raised whenever a table's profile changes for the same data."""


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


class TableCache:
    """Profiles of tables; it holds what profile.json holds, so no value of a sensitive column."""

    def __init__(self, path: Path | None, stamps: Mapping[str, str]) -> None:
        self._kept = Kept(path)
        self._stamps = stamps

    def key(self, table: Table, settings: ProfileSettings, besides: list[object]) -> str | None:
        """Return what a table's profile depends on, as one hash; None if nobody can tell.

        Args:
            table: its structure.
            settings: those that change a profile count.
            besides: JSON values on which it depends as well.
        """
        if table.name not in self._stamps:
            return None
        chosen = [settings.values, settings.rows, list(settings.sensitive)]
        return digest(
            [VERSION, self._stamps[table.name], codec.to_json(table), chosen, besides],
        )

    def get(self, key: str | None) -> TableProfile | None:
        """Return the profile that was kept under `key`."""
        found = None if key is None else self._kept.get(key)
        if found is None:
            return None
        with suppress(ValueError):
            return codec.from_json(TableProfile, found)
        return None

    def holds(self, key: str | None) -> bool:
        """Return whether the next run finds a profile under `key`."""
        return key is not None and self._kept.get(key) is not None and self._kept.is_file

    def put(self, key: str | None, profile: TableProfile) -> None:
        """Keep a profile."""
        if key is not None:
            self._kept.put(key, codec.to_json(profile))

    def keep_only(self, keys: AbstractSet[str | None]) -> None:
        """Forget profiles under other keys."""
        self._kept.keep_only({key for key in keys if key is not None})


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
