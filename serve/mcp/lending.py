"""What the tools share: the knowledge base, the database, and how long an answer may be."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context

from pipeline.database.page import DEFAULT_LIMITS, Limits
from pipeline.database.source import Source
from pipeline.errors import DbloreError

if TYPE_CHECKING:  # loaded by the first call that needs them
    from serve.knowledge import KnowledgeBase

log = logging.getLogger("dblore.mcp")

Answer = TypeVar("Answer")

DEFAULT_BUDGET = 12_000
"""Characters of one answer."""
STATEMENTS = 8
"""Calls of `run_sql` at a time: more than processes for them, so that none is idle."""
SMALLEST_BUDGET = 4_000
"""One item, such as a column with its codes, must always fit."""


@dataclass
class Lending:
    """One server's knowledge base; nothing is read before a tool needs it."""

    folder: Path
    source: Source | None = None
    """What `run_sql` asks; None: there is no such tool."""
    limits: Limits = DEFAULT_LIMITS
    """Of one statement."""
    unmask: bool = False
    """Show the values of sensitive columns."""
    budget: int = DEFAULT_BUDGET
    statements: anyio.CapacityLimiter = field(
        default_factory=lambda: anyio.CapacityLimiter(STATEMENTS)
    )
    """Apart from other calls, so that slow statements don't keep these waiting."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _knowledge: KnowledgeBase | None = None

    @property
    def knowledge(self) -> KnowledgeBase:
        """The knowledge base, opened by whoever asks first."""
        from serve.knowledge import KnowledgeBase

        with self._lock:
            if self._knowledge is None:
                self._knowledge = KnowledgeBase.open(self.folder)
            return self._knowledge

    def warm(self) -> None:
        """Load what the first question will need, in the background."""
        threading.Thread(target=self._warm, name="dblore-warm", daemon=True).start()

    def _warm(self) -> None:
        from serve.context import context

        try:
            context(self.knowledge, "what is there")
            if self.source is not None:
                from pipeline.database.workers import pool

                pool().warm(self.source.dialect)
        except DbloreError as error:  # the first call will say so to who asks
            log.warning("%s", error.problem)
        except Exception:  # nobody waits for this thread
            log.exception("warming failed")


Lent = Context[Lending, Any]
"""What a tool's `context` parameter is."""


def lending_of(context: Lent) -> Lending:
    """Return what the server of this call lends."""
    return context.request_context.lifespan_context


async def in_thread(work: Callable[..., Answer], *arguments: object, **options: object) -> Answer:
    """Run blocking work in a thread; a cancelled call doesn't wait for its end."""
    call = functools.partial(work, *arguments, **options)
    return await anyio.to_thread.run_sync(call, abandon_on_cancel=True)
