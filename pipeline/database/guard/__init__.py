"""The guard: only one statement that reads, judged on its syntax tree, gets past it."""

from pipeline.database.guard.check import check

__all__ = ["check"]
