"""Where the columns of queries and views come from, and which tables and columns SQL uses."""

from __future__ import annotations

from pipeline.lineage.outputs import Place
from pipeline.lineage.parsing import UnreadableError, parse

__all__ = ["Place", "UnreadableError", "parse"]
