"""kb.lock.json: per stage, the digests of what its last good run read and wrote.

The lock is the state of a build. It is committed, so a clone knows what is up to date; it is
replaced whole at the end of each stage, so a killed run keeps what it finished.
"""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

from pipeline import VERSION, artifacts
from pipeline.errors import ArtifactError
from pipeline.kb import Kb
from schemas.lock import Lock, StageRecord


def read(kb: Kb) -> Lock:
    """Return the lock of `kb`; one that is missing or damaged is empty: everything is stale."""
    try:
        return artifacts.read(kb.lock, Lock)
    except ArtifactError:
        return Lock()


def record(kb: Kb, stage: str, done: StageRecord, *, measured: bool) -> None:
    """Write that `stage` ran; `measured` also notes when, if it looked at the database."""
    old = read(kb)
    times = dict(old.measured)
    if measured:
        times[stage] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    new = dataclasses.replace(
        old, stages={**old.stages, stage: done}, measured=times, tool=f"dblore {VERSION}"
    )
    artifacts.write(kb.lock, new)


def forget(kb: Kb, stage: str) -> None:
    """Drop what is known of `stage`, so that it runs at the next build."""
    old = read(kb)
    if stage in old.stages:
        kept = {name: done for name, done in old.stages.items() if name != stage}
        artifacts.write(kb.lock, dataclasses.replace(old, stages=kept))
