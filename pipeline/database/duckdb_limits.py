"""What DuckDB may use of the machine in a build: memory, threads and a folder to spill into.

Without a limit DuckDB takes most of the machine's memory; without a folder it writes beside the
user's file. The folder is this process's own and closed to others, for what is spilled is data.
It goes when the process ends; that of a process that was killed goes when the next one begins.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import SettingError

if TYPE_CHECKING:
    from filelock import BaseFileLock

MEMORY_LIMIT = "160MB"
"""With it a build stays within 300 MiB: `python -m evals.memory`."""
MOST_THREADS = 4
"""Each needs memory of its own for what it sorts and counts."""
_PREFIX = "dblore-duckdb-"
_LOCK = "lock"
_once = threading.Lock()


def of_build() -> dict[str, str]:
    """Return the settings; always the same, as a process can open a file in one way only.

    Raises:
        SettingError: there is no temporary folder that can be written.
    """
    with _once:
        folder = _own_folder()
    return {
        "memory_limit": MEMORY_LIMIT,
        "temp_directory": str(folder / "spilled"),
        "threads": str(min(MOST_THREADS, os.cpu_count() or 1)),
    }


@cache
def _own_folder() -> Path:
    """Make a folder that only this user can look into, and remove it at the end."""
    from filelock import FileLock

    try:
        _remove_left_over()
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        lock = FileLock(folder / _LOCK)
        lock.acquire()
    except OSError as error:
        raise SettingError(
            f"no temporary folder can be made: {error.strerror or type(error).__name__}",
            fix="set TMPDIR to a folder with free space that can be written",
        ) from error
    atexit.register(_remove, folder, os.getpid(), lock)
    return folder


def _remove(folder: Path, process: int, lock: BaseFileLock) -> None:
    if os.getpid() == process:  # not in a fork of it
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()


def _remove_left_over() -> None:
    """Remove the folders of processes that were killed: nobody holds their locks."""
    from filelock import FileLock, Timeout

    for lock in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_LOCK}"):
        with suppress(OSError, Timeout):
            if _is_own(lock.parent):
                with FileLock(lock, timeout=0):
                    shutil.rmtree(lock.parent, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    """Whether this user made it: others may put a link there that leads elsewhere."""
    found = folder.lstat()
    return not folder.is_symlink() and (os.name == "nt" or found.st_uid == os.getuid())
