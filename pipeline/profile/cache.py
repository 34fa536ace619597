"""Finished work of an interrupted or earlier run, so that the next one goes on from there.

What is kept of a table is known by its structure, its stamp (see `stamps`), the settings and the
marks of people; a table without a stamp is never kept. The stamps were taken before the data was
read, so that what is written in between makes it stale.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path

from pipeline.kept import Kept, digest
from schemas import codec
from schemas.facts import Table, TableProfile
from schemas.settings import ProfileSettings

VERSION = 9
"""To be raised whenever a table's profile changes for the same data."""


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
