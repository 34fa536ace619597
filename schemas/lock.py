"""The lock of a knowledge base. Apart from the other models since every build reads it first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class StageRecord:
    """What the last good run of one stage read and wrote: name to SHA-256 (or a fingerprint)."""

    inputs: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lock:
    """kb.lock.json. `measured` (stage to UTC time) is outside every hash."""

    stages: dict[str, StageRecord] = field(default_factory=dict)
    measured: dict[str, str] = field(default_factory=dict)
    tool: str = ""
    """The version of dblore that wrote it."""
    format: Literal["dblore.lock/1"] = "dblore.lock/1"
