"""What stands in a result in place of a value of a sensitive column."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

Sensitive = Mapping[str, Collection[str]]
"""The sensitive columns of each table, by the table's name in the catalogue."""

_LONGEST_LIST = 5


@dataclass(frozen=True, slots=True)
class Masks:
    """Which columns of one result hold values of sensitive columns."""

    hidden: tuple[bool, ...] | None
    """By position in the result; None: the statement can't be followed, so all of them."""
    origins: tuple[str, ...]
    """The sensitive columns, as `table.column`."""
    key: str
    """Of the tokens; a new one for each process, so that nobody can guess values from them."""

    def of(self, count: int) -> tuple[bool, ...]:
        """Return for each of `count` columns whether it is masked.

        A result that isn't as wide as expected is masked whole: then the catalogue is old.
        """
        if self.hidden is None or len(self.hidden) != count:
            return (True,) * count
        return self.hidden

    def note(self, names: Collection[str]) -> str:
        """Return what the caller is told."""
        listed = ", ".join(list(self.origins)[:_LONGEST_LIST])
        more = ", …" if len(self.origins) > _LONGEST_LIST else ""
        return (
            f"masked: {', '.join(names)} (from {listed}{more}, marked sensitive); equal values "
            "have equal tokens, so that they can be counted, grouped and joined"
        )


def token(value: Any, key: str) -> str:
    """Return what stands for a JSON value: the same for equal ones, of one process."""
    text = json.dumps(value, ensure_ascii=True, sort_keys=True)
    digest = hashlib.blake2b(text.encode(), key=bytes.fromhex(key), digest_size=5).hexdigest()
    return f"<masked {digest}>"
