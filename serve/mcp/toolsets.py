"""Which tools an agent sees: groups of tools that are chosen by name."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.errors import SettingError, did_you_mean

KNOWLEDGE = "knowledge"
SQL = "sql"
READY = (KNOWLEDGE, SQL)
LATER = ("memory", "authoring", "learning", "memory_graph", "workspace", "charts")


def chosen(names: Sequence[str], *, has_database: bool) -> tuple[str, ...]:
    """Return the toolsets to serve; no names means the default.

    Args:
        names: As the user gave them.
        has_database: Whether SQL can be run at all; by default `sql` is served only then.

    Raises:
        SettingError: a name is unknown or not in this version, or `sql` has no database.
    """
    if not names:
        return READY if has_database else (KNOWLEDGE,)
    for name in names:
        if name in LATER:
            raise SettingError(
                f"the toolset {name!r} is not in this version yet",
                fix=f"use --toolsets with some of {', '.join(READY)}",
            )
        if name not in READY:
            raise SettingError(
                f"there is no toolset {name!r}",
                fix=did_you_mean(name, READY, f"the toolsets are {', '.join(READY)}"),
            )
    if SQL in names and not has_database:
        raise SettingError(
            "the toolset 'sql' needs a database", fix="name one with --db URL or DBLORE_DB"
        )
    return tuple(name for name in READY if name in names)
