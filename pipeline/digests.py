"""Content hashes of inputs and outputs, remembered by size and time so that a no-op reads nothing.

A file counts as unread while its size, modification time and inode are as remembered, unless it
was changed so shortly before it was hashed that a later change could carry the same time.
"""

from __future__ import annotations

import hashlib
import json
import stat
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline import artifacts
from pipeline.database import file_names
from pipeline.errors import ArtifactError
from pipeline.kb import Kb

ABSENT = "absent"
"""The digest of a file that isn't there."""

_RACY_NANOSECONDS = 100_000_000


class Digests:
    """The remembered digests of one knowledge base, kept in `build/digests.json`."""

    def __init__(self, kb: Kb) -> None:
        self._path = kb.build / "digests.json"
        self._lock = threading.Lock()
        self._known: dict[str, list[Any]] = {}
        self._changed = False
        with suppress(OSError, ValueError, RecursionError):
            loaded = json.loads(self._path.read_bytes())
            if isinstance(loaded, dict):
                self._known = {key: value for key, value in loaded.items() if _is_known(value)}

    def file(self, path: Path) -> str:
        """Return the SHA-256 of a file, or `ABSENT`."""
        return self.derived(path, "sha256", artifacts.sha256)

    def derived(self, path: Path, kind: str, compute: Callable[[Path], str]) -> str:
        """Return `compute(path)`, remembered under `kind` while the file is unchanged."""
        stamp = _stamp(path)
        if stamp is None:
            return ABSENT
        key = f"{kind}:{path.absolute()}"
        with self._lock:
            known = self._known.get(key)
        if known is not None and known[0] == stamp:
            return str(known[1])
        value = compute(path)
        if _stamp(path) == stamp and time.time_ns() - stamp[1] > _RACY_NANOSECONDS:
            with self._lock:
                self._known[key] = [stamp, value]
                self._changed = True
        return value

    def folder(self, folder: Path) -> str:
        """Return one digest of all files below `folder`: their names and contents."""
        if not folder.is_dir():
            return ABSENT
        parts = [
            (path.relative_to(folder).as_posix(), self.file(path))
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.endswith(artifacts.TEMPORARY)
        ]
        return of(parts)

    def save(self) -> None:
        """Remember on disk; a folder that can't be written only costs time next time."""
        with self._lock:
            if not self._changed:
                return
            text = artifacts.dumps(self._known)
            self._changed = False
        with suppress(ArtifactError):
            artifacts.write_text(self._path, text)


def of(value: Any) -> str:
    """Return the SHA-256 of a value's canonical JSON."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _is_known(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and isinstance(value[0], list)
        and isinstance(value[1], str)
    )


def _stamp(path: Path) -> list[int] | None:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return None
        found = [status.st_size, status.st_mtime_ns, status.st_ino]
    except OSError:
        return None
    for suffix in file_names.WRITE_AHEAD:  # what lies there is part of the content
        with suppress(OSError):
            log = path.with_name(path.name + suffix).stat()
            if log.st_size:
                found += [log.st_size, log.st_mtime_ns]
    return found
