"""How people write the name of a database file: paths of each system, shares, `file:` URIs.

Pure functions that take the system as an argument, so that each is tested on every system.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from urllib.parse import unquote

WRITE_AHEAD = ("-wal", ".wal")
"""What SQLite and DuckDB put behind a file's name for the log beside it: a part of its content."""

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_URL_DRIVE = re.compile(r"/[A-Za-z]:[\\/]")
_VERBATIM = re.compile(r"[\\/]{2}\?[\\/]")


def is_drive_path(name: str) -> bool:
    """Return whether it starts with a Windows drive, which in a URL has a slash before it."""
    return bool(_DRIVE.match(name) or _URL_DRIVE.match(name))


def plain(name: str) -> str:
    r"""Return a path without what only URLs and Windows' own calls put before it.

    `/C:/x` and `\\?\C:\x` become a drive's path, `\\?\UNC\server\x` a share's: SQLite takes no
    others.
    """
    verbatim = _VERBATIM.match(name)
    if verbatim:
        name = name[verbatim.end() :]
        if re.match(r"(?i)unc[\\/]", name):
            name = name[3:4] + name[3:]
    return name[1:] if _URL_DRIVE.match(name) else name


def of_uri(rest: str) -> str:
    """Return the path of what follows `file:`; a host becomes a network share."""
    place = re.split(r"[?#]", rest, maxsplit=1)[0]
    if not place.startswith("//"):
        return plain(unquote(place))
    host, slash, path = place[2:].partition("/")
    if host.casefold() in ("", "localhost"):
        return plain(unquote(slash + path))
    return "//" + unquote(host + slash + path)


def foreign(name: str, *, windows: bool) -> str | None:
    """Return what a path is that this system can't follow; None if it may be one of its own."""
    if windows:
        return None
    if _DRIVE.match(name):
        return "a Windows path"
    if name.startswith("\\\\"):
        return "a Windows network path"
    return "a network path" if name.startswith("//") else None


def url(dialect: str, path: PurePath) -> str:
    """Return the SQLAlchemy URL of a file: four slashes before `/x`, three before `C:/x`.

    SQLAlchemy takes what follows as it stands, so a share `//server/x` has five of them.
    """
    return f"{dialect}:///{path.as_posix()}"
