"""What a MariaDB or MySQL user could do beyond reading, as SHOW GRANTS says."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipeline.database.servers.server import Ask

_GRANT = re.compile(
    r"(?is)GRANT (?P<what>.+?) ON (?:(?:TABLE|FUNCTION|PROCEDURE|PACKAGE(?: BODY)?) )?"
    r"(?P<place>\S+) TO "
)
_COLUMNS = re.compile(r"\s*\([^)]*\)")
_ONLY_READ = frozenset(
    [
        "SELECT",
        "USAGE",
        "SHOW VIEW",
        "SHOW DATABASES",
        "SHOW CREATE ROUTINE",
        "SHOW_ROUTINE",
        "PROCESS",
        "REFERENCES",
        "REPLICATION CLIENT",
        "BINLOG MONITOR",
        "SLAVE MONITOR",
        "REPLICA MONITOR",
    ]
)
_MOST_NAMES = 6


def powers(ask: Ask, *, is_mariadb: bool) -> list[str]:
    """Return what the user, with its active roles, may do besides reading, as verb phrases."""
    sql = "SHOW GRANTS"
    if not is_mariadb:  # MySQL lists what comes from roles only when they are named
        roles = [str(row[0]) for row in ask("SELECT current_role()")]
        if roles and roles != ["NONE"]:
            sql = f"SHOW GRANTS FOR current_user() USING {roles[0]}"
    return granted(str(row[0]) for row in ask(sql))


def granted(lines: Iterable[str]) -> list[str]:
    """Return what the lines of SHOW GRANTS allow besides reading, as verb phrases."""
    names: dict[str, None] = {}
    for line in lines:
        grant = _GRANT.match(line)
        if grant is None:  # a role
            continue
        rights = [right.strip().upper() for right in _COLUMNS.sub("", grant["what"]).split(",")]
        if "ALL PRIVILEGES" in rights or "ALL" in rights:
            return [f"has all privileges on {grant['place']}"]
        names |= dict.fromkeys(right for right in rights if right not in _ONLY_READ)
    if not names:
        return []
    listed = ", ".join(list(names)[:_MOST_NAMES])
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return [f"has the privileges {listed}{more}"]
