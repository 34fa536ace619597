"""What doit itself remembers, kept per knowledge base in `build/doit.json`.

Whether a stage is up to date is read from kb.lock.json, never from here; so a clone without
`build/` needs no first run, and a killed run has nothing to lose. `doit forget STAGE` drops the
stage from the lock. Registered as the doit backend `dblore`.
"""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from pipeline import artifacts
from pipeline import lock as locks
from pipeline.errors import ArtifactError
from pipeline.kb import Kb


class State:
    """A doit backend: a value per task and key. Each successful task is on disk at once."""

    _known: ClassVar[dict[str, Kb]] = {}
    running: ClassVar[bool] = False
    """A run removes what it knows of a task that fails; only `doit forget` means the lock too."""

    @classmethod
    def register(cls, kb: Kb) -> None:
        """Make the tasks `STAGE:NAME`, and the one called NAME, of `kb` be kept in its folder."""
        cls._known[kb.task_name] = kb

    def __init__(self, name: str, codec: object, *, module_name: str | None = None) -> None:
        del codec, module_name
        self.name = name
        self._lock = threading.RLock()
        self._tasks: dict[Path | None, dict[str, dict[str, Any]]] = {}

    def get(self, task_id: str, dependency: str) -> Any:
        """Return what was set, or None."""
        with self._lock:
            return self._of(task_id).get(task_id, {}).get(dependency)

    def set(self, task_id: str, dependency: str, value: Any) -> None:
        """Set a value; the last key that doit sets for a finished task also saves."""
        with self._lock:
            self._of(task_id).setdefault(task_id, {})[dependency] = value
            if dependency == "deps:":
                self._save(self._file(task_id))

    def in_(self, task_id: str) -> bool:
        """Whether anything is known of the task."""
        with self._lock:
            return task_id in self._of(task_id)

    def remove(self, task_id: str) -> None:
        """Forget the task; outside a run, in the lock of its knowledge base too."""
        with self._lock:
            self._of(task_id).pop(task_id, None)
            stage, _, name = task_id.partition(":")
            if name in self._known and not self.running:
                with suppress(ArtifactError):
                    locks.forget(self._known[name], stage)

    def remove_all(self) -> None:
        """Forget all tasks of the knowledge bases that this run knows."""
        for kb in self._known.values():
            for stage in locks.read(kb).stages:
                self.remove(f"{stage}:{kb.task_name}")

    def dump(self) -> None:
        """Write what changed; called once at the end."""
        with self._lock:
            for file in self._tasks:
                self._save(file)

    def _file(self, task_id: str) -> Path | None:
        kb = self._known.get(task_id.rpartition(":")[2])
        return kb.build / "doit.json" if kb else None

    def _of(self, task_id: str) -> dict[str, dict[str, Any]]:
        file = self._file(task_id)
        if file not in self._tasks:
            self._tasks[file] = {}
            if file is not None:
                with suppress(OSError, ValueError, RecursionError):
                    loaded = json.loads(file.read_bytes())
                    if isinstance(loaded, dict):
                        tasks = {k: v for k, v in loaded.items() if isinstance(v, dict)}
                        self._tasks[file] = tasks
        return self._tasks[file]

    def _save(self, file: Path | None) -> None:
        if file is not None and self._tasks[file]:
            with suppress(ArtifactError):
                artifacts.write_text(file, artifacts.dumps(self._tasks[file]))
