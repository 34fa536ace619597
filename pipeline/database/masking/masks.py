"""What stands in a result in place of a value of a sensitive column."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Sensitive = Mapping[str, Collection[str]]
"""The sensitive columns of each table, by the table's name in the catalogue."""

OUTDATED = "the catalogue is out of date"
_LONGEST_LIST = 5
_LONGEST_NAME = 60
"""Bytes; PostgreSQL keeps 63, and no half characters."""


@dataclass(frozen=True, slots=True)
class Masks:
    """Which columns of one result hold values of sensitive columns."""

    hidden: tuple[bool, ...] | None
    """By position in the result; None: the statement can't be followed, so all of them."""
    origins: tuple[str, ...]
    """The sensitive columns, as `table.column`."""
    key: str
    """Of the tokens; a new one for each process, so that nobody can guess values from them."""
    why: str = ""
    """What couldn't be followed, when all is masked."""
    names: tuple[str | None, ...] = ()
    """What the columns should be called; None: whatever the engine makes of them."""

    def of(self, count: int) -> tuple[bool, ...]:
        """Return for each of `count` columns whether it is masked.

        A result that isn't as wide as expected is masked whole: then the catalogue is old.
        """
        if self.hidden is None or len(self.hidden) != count:
            return (True,) * count
        return self.hidden

    def are_for(self, columns: Sequence[str]) -> bool:
        """Whether a result with these columns is the one that was expected."""
        expected = self.names if self.hidden is not None else ()
        return len(expected) in (0, len(columns)) and all(
            name is None or _is_called(column.casefold(), name.casefold())
            for name, column in zip(expected, columns, strict=False)
        )

    def note(self, names: Collection[str]) -> str:
        """Return what the caller is told."""
        listed = ", ".join(self.origins[:_LONGEST_LIST])
        more = ", …" if len(self.origins) > _LONGEST_LIST else ""
        if self.why == OUTDATED:
            return (
                "masked: every column, since the database has changed since it was scanned; "
                "build the knowledge base again: dblore build"
            )
        if self.hidden is None:
            return (
                f"masked: every column, since it can't be told which ones carry values of {listed}"
                f"{more}, marked sensitive ({self.why}); name each column plainly in the SELECT "
                "list, or leave the sensitive ones out"
            )
        return (
            f"masked: {', '.join(names)} (from {listed}{more}, marked sensitive); equal values "
            "have equal tokens, so that they can be counted, grouped and joined; COUNT, "
            "COUNT(DISTINCT …) and IS NULL of them are shown"
        )


def _is_called(column: str, name: str) -> bool:
    """Whether it is that name, cut as PostgreSQL does or numbered as others do with twins."""
    is_cut = len(column.encode()) >= _LONGEST_NAME and name.startswith(column)
    return (
        column == name or is_cut or re.fullmatch(re.escape(name) + r"[:_]\d+", column) is not None
    )


def token(value: Any, key: str) -> str:
    """Return what stands for a JSON value: the same for equal ones, of one process."""
    text = json.dumps(value, ensure_ascii=True, sort_keys=True)
    digest = hashlib.blake2b(text.encode(), key=bytes.fromhex(key), digest_size=5).hexdigest()
    return f"<masked {digest}>"
