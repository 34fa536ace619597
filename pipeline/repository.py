"""Where files stand in their repository, as reports for code hosts name them."""

from __future__ import annotations

from pathlib import Path, PurePosixPath


def from_root(folder: Path) -> PurePosixPath:
    """Return the folder as seen from the root of its repository, or from the current folder."""
    whole = folder.resolve()
    for above in (whole, *whole.parents):
        if (above / ".git").exists():
            return PurePosixPath(whole.relative_to(above).as_posix())
    here = Path.cwd().resolve()
    if whole.is_relative_to(here):
        return PurePosixPath(whole.relative_to(here).as_posix())
    return PurePosixPath(whole.name)
