"""One build of a knowledge base at a time: a second one waits, and says so."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from pipeline import artifacts
from pipeline.kb import Kb

log = logging.getLogger("dblore.build")

_PATIENCE_SECONDS = 0.5
"""Waiting longer than this is worth a line."""


@contextmanager
def exclusive(kb: Kb) -> Iterator[None]:
    """Hold the file lock of `kb`; wait, without limit, while another process holds it.

    Raises:
        ArtifactError: the folder can't be written.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(kb.build / "lock")
    try:
        kb.build.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(timeout=_PATIENCE_SECONDS)
        except Timeout:
            waits = "another build of %s is running; waiting for it (Ctrl-C gives up)"
            log.warning(waits, kb.folder)
            lock.acquire()
    except OSError as error:
        raise artifacts.unwritable(kb.build / "lock", error) from error
    try:
        yield
    finally:
        lock.release()
