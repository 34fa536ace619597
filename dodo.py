"""The build, one task per stage and knowledge base: what `doit` loads.

    kb.yaml ──┐
    database ─┴▶ scan ─▶ catalog.json ─┬▶ profile ─▶ profile.json ─┐
                                       │                           │
    semantic.yaml ─────────────────────┼───────────────────────────┤
    knowledge_graph.yaml ──────────────┴─▶ draft ─▶ semantic.draft.yaml, coverage.json
                                           graph ─▶ graph.json ─┬▶ docs ─▶ docs/
                                                                ├▶ index ─▶ build/index/
                                                                └▶ validate ─▶ validation.json, .md

What each stage reads, writes and calls stands in `STAGES` of pipeline/tasks.py. A stage runs when
the content of something it reads, or wrote, isn't what kb.lock.json says.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from pipeline import tasks

HERE = Path(__file__).resolve().parent
FOLDERS = [
    folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
    for folder in tasks.knowledge_bases(HERE / "kb")
]
DEMO = HERE / "kb" / "demo"

DOIT_CONFIG = tasks.config(sys.stdout, HERE, FOLDERS)


def task_demo() -> tasks.Task:
    """Generate the demo's source database, an outdoor-gear retailer."""
    return tasks.generator(DEMO / "generate.py", DEMO / "source.sqlite")


def task_scan() -> Iterator[tasks.Task]:
    """Read the structure: tables, columns, keys, comments."""
    yield from tasks.of_stage("scan", FOLDERS, after={"demo": ["demo"]})


def task_profile() -> Iterator[tasks.Task]:
    """Measure the data: counts, ranges, value dictionaries, join candidates."""
    yield from tasks.of_stage("profile", FOLDERS)


def task_draft() -> Iterator[tasks.Task]:
    """Suggest what is still undescribed; measure coverage."""
    yield from tasks.of_stage("draft", FOLDERS)


def task_graph() -> Iterator[tasks.Task]:
    """Verify entities and relations on the data; collect every link."""
    yield from tasks.of_stage("graph", FOLDERS)


def task_docs() -> Iterator[tasks.Task]:
    """Write the pages for people: cards, ER diagrams."""
    yield from tasks.of_stage("docs", FOLDERS)


def task_index() -> Iterator[tasks.Task]:
    """Build the search index."""
    yield from tasks.of_stage("index", FOLDERS)


def task_validate() -> Iterator[tasks.Task]:
    """Run every example, metric, definition and curated join."""
    yield from tasks.of_stage("validate", FOLDERS)
