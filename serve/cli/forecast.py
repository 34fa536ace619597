"""What a build would do, without doing it: `dblore build --dry-run`."""

from __future__ import annotations

from contextlib import suppress

from pipeline import artifacts, tasks
from pipeline import lock as locks
from pipeline.errors import ArtifactError
from pipeline.kb import Kb
from pipeline.staleness import Situation
from schemas.models import Catalog, Profile
from serve.cli.arguments import say


def show(kb: Kb, database: str | None) -> None:
    """Print per stage whether it would run, why, and about how much it would ask."""
    situation = Situation(kb, database=database)
    situation.settings()
    lock = locks.read(kb)
    running: set[str] = set()
    for stage in tasks.STAGES:
        reasons = [str(reason) for reason in situation.reasons(stage, lock)]
        before = [s.name for s in tasks.needs(stage, tasks.STAGES) if s.name in running]
        if reasons:
            running.add(stage.name)
            say(f"{stage.name:<9} runs: {'; '.join(reasons)}")
        elif before:
            running.add(stage.name)
            say(f"{stage.name:<9} runs if the result of {', '.join(before)} differs")
        else:
            say(f"{stage.name:<9} up to date")
    for line in _cost(kb, running):
        say(line)
    situation.digests.save()


def _cost(kb: Kb, running: set[str]) -> list[str]:
    """Return about how much the database and a model would be asked, from the last facts."""
    with suppress(ArtifactError):
        catalog = artifacts.read(kb.catalog, Catalog)
        lines = []
        if "profile" in running:
            columns = sum(len(table.columns) for table in catalog.tables)
            rows: int | None = None
            with suppress(ArtifactError):
                rows = sum(t.rows or 0 for t in artifacts.read(kb.profile, Profile).tables)
            known = "an unknown number of rows" if rows is None else f"{rows:,} rows"
            lines.append(
                f"profile would ask about {len(catalog.tables)} + {columns} queries over {known}"
            )
        lines.append("model tokens: 0 (no stage calls a language model)")
        return lines
    return ["no facts yet: the first scan tells how much there is to read"] if running else []
