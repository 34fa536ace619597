"""How a stage's function is called: imported now, with what its declaration names."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING, Any

from pipeline.errors import DbloreError, SourceError
from pipeline.staleness import Situation, Stage

if TYPE_CHECKING:
    from pipeline.reporter import Reporter

OF_FACTS = frozenset({"scan", "profile"})
"""Stages that are nothing without the database; what they wrote stays when it can't be reached."""
CACHE = "-cache"
"""Behind a stage's name: what it keeps under `build/`."""


def call(stage: Stage, situation: Situation, reporter: Reporter) -> str:
    """Import the stage's function and call it with its declared inputs and outputs."""
    module, function = stage.build.split(":")
    arguments: dict[str, Any] = {
        name: getattr(situation.kb, attribute)
        for name, attribute in {**stage.reads, **stage.writes}.items()
    }
    if "settings" in stage.extras:
        arguments["settings"] = situation.settings()
    if "embedder" in stage.extras:
        arguments["embedder"] = situation.settings().embedder
    if "progress" in stage.extras:
        arguments["progress"] = reporter.progress
    if "kept" in stage.extras:
        arguments["kept"] = situation.kb.references_cache
    if "cache" in stage.extras:
        arguments["cache"] = situation.kb.build / f"{stage.name}{CACHE}"
    if "again" in stage.extras:
        arguments["again"] = partial(situation.read_in_part, stage)
    if "source" in stage.extras:
        arguments["source"] = _source(stage, situation)
    return str(getattr(importlib.import_module(module), function)(**arguments))


def _source(stage: Stage, situation: Situation) -> Any:
    """Return the database; None for a stage that can do without one that can't be reached."""
    needed = stage.name in OF_FACTS
    if situation.unreachable is not None:
        if needed:
            raise SourceError(situation.unreachable.problem, fix=situation.unreachable.fix)
        return None
    try:
        return situation.source()
    except DbloreError as error:
        if needed:
            raise
        situation.warn_unreachable(error)
        return None
