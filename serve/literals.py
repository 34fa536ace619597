"""Stored values and names as SQL of a dialect, whatever characters they hold."""

from __future__ import annotations

import re
from itertools import groupby

from schemas.models import Scalar

_BACKSLASH = frozenset({"mysql", "bigquery", "hive", "spark", "databricks", "clickhouse"})
"""In these a backslash in a text literal has a meaning of its own."""
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_CHARACTER = {
    "sqlite": "char({})",
    "duckdb": "chr({})",
    "postgres": "chr({})",
    "redshift": "chr({})",
    "snowflake": "chr({})",
    "tsql": "NCHAR({})",
}
"""How a dialect writes a character by its number."""
_NUMBERS = frozenset({"integer", "decimal", "float"})
_INFINITE = {"inf": "9e999", "infinity": "9e999", "-inf": "-9e999", "-infinity": "-9e999"}

_PIECE = re.compile(r"""(?P<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`)|(?:--[^\n]*|\s)+""")


def sql_line(sql: str) -> str:
    """Return SQL of people on one line; what stands in quotes is kept to the blank."""
    return _PIECE.sub(lambda match: match["quoted"] or " ", sql).strip()


def sql_value(value: Scalar, dialect: str, family: str = "text") -> str | None:
    """Return a stored value as SQL on one line that can be seen; None when there is no such SQL.

    Args:
        value: As profile.json holds it; numbers that JSON lacks are texts there.
        dialect: The sqlglot name of the engine; '' when unknown.
        family: Of the column that holds it.
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if not isinstance(value, str):
        return str(value)
    if family in _NUMBERS and value.casefold() == "nan":
        return None
    if family in _NUMBERS and dialect == "sqlite" and value.casefold() in _INFINITE:
        return _INFINITE[value.casefold()]
    if dialect in _BACKSLASH:
        value = "".join(_ESCAPES.get(c, c) for c in value.replace("\\", "\\\\"))
    if value.isprintable():
        return _quoted(value)
    return _put_together(value, dialect)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _put_together(value: str, dialect: str) -> str | None:
    """Return a text whose invisible characters stand by their numbers."""
    character = _CHARACTER.get(dialect)
    if character is None or any("\ud800" <= c <= "\udfff" for c in value):
        return None
    parts: list[str] = []
    for is_visible, run in groupby(value, str.isprintable):
        text = "".join(run)
        parts += [_quoted(text)] if is_visible else [character.format(ord(c)) for c in text]
    return (" + " if dialect == "tsql" else " || ").join(parts)
