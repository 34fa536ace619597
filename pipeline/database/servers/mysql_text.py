"""What MariaDB and MySQL write into their catalogue, made plain: types, defaults, SQL texts."""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.database.families import family
from pipeline.database.names import name_set
from schemas.facts import TypeFamily

_MEMBER = re.compile(r"'((?:[^'\\]|''|\\.)*)'", re.DOTALL)
_ESCAPES = re.compile(r"''|\\(.)", re.DOTALL)
_ESCAPED = {"0": "\0", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}
_NUMBERS = name_set("tinyint smallint mediumint int bigint decimal float double bit year")
_NOW = re.compile(r"(?i)current_timestamp(\(\d*\))?")
_QUOTED = re.compile(r"'(?:[^'\\]|''|\\.)*'|\"(?:[^\"\\]|\"\"|\\.)*\"|`(?:[^`]|``)*`\.?", re.DOTALL)
_VALID_JSON = re.compile(r"(?i)json_valid\(`((?:[^`]|``)*)`\)", re.DOTALL)


@lru_cache(maxsize=1024)
def members(data_type: str, column_type: str) -> tuple[str, ...]:
    """Return the members of an ENUM or SET in their order; no other type has any."""
    if data_type not in ("enum", "set"):
        return ()
    return tuple(_plain(match[1]) for match in _MEMBER.finditer(column_type))


def _plain(text: str) -> str:
    def meant(match: re.Match[str]) -> str:
        return _ESCAPED.get(match[1], match[1]) if match[1] else "'"

    return _ESCAPES.sub(meant, text)


@lru_cache(maxsize=1024)
def type_family(data_type: str, column_type: str, *, is_json: bool) -> TypeFamily:
    """Return the family of a type; MariaDB's JSON is text that a constraint keeps valid."""
    if is_json:
        return "json"
    if data_type == "geomcollection":  # as MySQL calls it
        return "geometry"
    # members of an enumeration may look like anything
    return family(data_type if data_type in ("enum", "set") else column_type, "mysql")


def json_column(check: str) -> str | None:
    """Return the column of which a constraint says that it holds JSON, and nothing else."""
    match = _VALID_JSON.fullmatch(check)
    return match[1].replace("``", "`") if match else None


def default(told: str | None, data_type: str, extra: str, *, is_mariadb: bool) -> str | None:
    """Return a default as SQL text; None for none, and for NULL.

    MariaDB tells SQL. MySQL tells the bare value of a literal, and of an expression its text.
    """
    if told is None or is_mariadb:
        return None if told == "NULL" else told
    if "DEFAULT_GENERATED" in extra.upper():
        return unescaped(told)
    if data_type in _NUMBERS or _NOW.fullmatch(told):
        return told
    return "'" + told.replace("'", "''") + "'"


def unescaped(expression: str) -> str:
    r"""Return an expression of MySQL's catalogue, which writes quotes in it as `\'`."""
    return expression.replace(r"\'", "'")


def without_database(definition: str, database: str) -> str:
    """Return a view's text without the database that stands before each name of its own."""
    prefix = "`" + database.replace("`", "``") + "`."
    return _QUOTED.sub(lambda m: "" if m[0] == prefix else m[0], definition)
