"""How a table is called in dblore, and how names are matched."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Iterable

_PART = re.compile(r'"((?:[^"]|"")*)"(?:\.|\Z)|([^."]+)(?:\.|\Z)')


def table_id(object_name: str, schema: str | None = None) -> str:
    """Return the name of a table: `table` or `schema.table`.

    A part that holds a dot or a double quote is quoted, so that no two tables share a name.
    """
    parts = [schema, object_name] if schema else [object_name]
    return ".".join(_part(part) for part in parts)


def is_servers_own(name: str, dialect: str) -> bool:
    """Whether a server takes a name that begins so for one of its own, today or some day."""
    return dialect == "postgres" and name.startswith("pg_")


def _part(part: str) -> str:
    if "." in part or '"' in part:
        return '"' + part.replace('"', '""') + '"'
    return part


def name_parts(name: str) -> tuple[str, ...]:
    """Return the parts that `table_id` joined; a text that it can't have made is one part."""
    parts = []
    position = 0
    while position < len(name):
        match = _PART.match(name, position)
        if match is None:
            return (name,)
        parts.append(match[1].replace('""', '"') if match[1] is not None else match[2])
        position = match.end()
    return tuple(parts)


def match_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is `name`, or the only one that differs from it just in case."""
    names = known if isinstance(known, Collection) else tuple(known)
    if name in names:
        return name
    folded = name.casefold()
    alike = [candidate for candidate in names if candidate.casefold() == folded]
    return alike[0] if len(alike) == 1 else None


def matches_glob(names: Iterable[str], glob: str) -> bool:
    """Return whether a glob of kb.yaml means something with any of these names; case is ignored."""
    pattern = re.compile(fnmatch.translate(glob.casefold()))
    return any(pattern.match(name.casefold()) for name in names)


def name_set(text: str) -> frozenset[str]:
    """Return the names that stand in a text, divided by blanks and line ends."""
    return frozenset(text.split())
