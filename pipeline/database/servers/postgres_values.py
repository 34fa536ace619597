"""What psycopg makes of PostgreSQL's values: text wherever Python's type would lose something."""

from __future__ import annotations

from functools import cache
from typing import Any

_PYTHON_HAS = frozenset(
    ["bool", "int2", "int4", "int8", "oid", "float4", "float8", "numeric", "bytea"]
)
"""Types whose every value a Python type holds whole; NaN and infinities included."""
_TIMES = ("date", "time", "timetz", "timestamp", "timestamptz", "interval")


def read_times_as_text(raw: Any) -> None:
    """Make psycopg hand over times as PostgreSQL writes them.

    Python has no infinity, no year before 1 or after 9999, and no 24:00.
    """
    from psycopg.types.string import TextLoader

    for name in _TIMES:
        raw.adapters.register_loader(name, TextLoader)


def read_all_as_text(cursor: Any) -> None:
    """Make one cursor hand over all but numbers, truth values and bytes as PostgreSQL writes them.

    JSON keeps its digits (psycopg would make floats of them), ranges and rows their form, and
    bytes that are no UTF-8, as a database of encoding SQL_ASCII may send, stop nothing.
    """
    loader = _text_loader()
    for info in cursor.adapters.types:
        if info.name not in _PYTHON_HAS:
            cursor.adapters.register_loader(info.oid, loader)
    cursor.adapters.register_loader(0, loader)  # every type that psycopg doesn't know


@cache
def _text_loader() -> Any:
    from psycopg.adapt import Buffer, Loader

    class Text(Loader):
        """Text as UTF-8, with a mark for what isn't."""

        def load(self, data: Buffer) -> str:
            return str(data, "utf-8", "replace")

    return Text
