"""What a rule is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pipeline.lint.world import World

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""Worst first."""

SEMANTIC, GRAPH = "semantic.yaml", "knowledge_graph.yaml"

Keys = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that a rule finds."""

    target: str
    """What it is about, by a name that stays when lines move: `orders.status`."""
    message: str
    fix: str
    place: Keys = ()
    """The keys that lead to it in the file; the nearest entry that there is counts."""
    file: str = SEMANTIC
    what: str = ""
    """Tells it from others of the same rule about the same target; stays when it does."""
    at: tuple[int, int] | None = None
    """Line and column, where they are known better than by the keys."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. The texts are what the reference page says of it."""

    id: str
    name: str
    severity: Severity
    finds: str
    why: str
    fix: str
    example: str
    """YAML that has the fault, with the message as a comment."""
    check: Callable[[World], Iterable[Found]]


@dataclass(frozen=True, slots=True)
class Finding:
    """What is reported: something that a rule found, and where in which file."""

    rule: Rule
    file: str
    line: int
    column: int
    target: str
    message: str
    fix: str
    fingerprint: str
    """Of rule, file, target and what is wrong; not of the line."""
    place: Keys = ()

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.rule.severity
