"""The demo as a built knowledge base that several test files read."""

import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from pipeline import tasks
from pipeline.kb import Kb

DEMO = Path(__file__).resolve().parent.parent / "kb" / "demo"
STAGES = ("scan", "profile", "draft", "graph", "index", "validate")


def built(folder):
    """Return the demo, built in `folder` by the first process that asks."""
    kb, done = folder / "demo", folder / "demo.done"
    with FileLock(folder / "demo.lock"):
        if not done.exists():
            _build(kb)
            done.touch()
    return kb


def _build(kb):
    ignore = shutil.ignore_patterns("build", "private", "docs", "*.json", "*.sqlite", "__pycache__")
    shutil.copytree(DEMO, kb, ignore=ignore)
    settings = kb / "kb.yaml"
    kept = [k for k in settings.read_text("utf-8").splitlines() if not k.startswith("embedder")]
    settings.write_text("\n".join([*kept, "embedder: none", ""]), encoding="utf-8")
    subprocess.run([sys.executable, kb / "generate.py"], cwd=kb, check=True)
    assert tasks.run(Kb(kb), STAGES, quiet=True).error is None


def copied(kb, folder, *, source=False):
    """Return a copy of what people wrote and what was measured, to change; a build needs more."""
    ignore = shutil.ignore_patterns("build", "docs", "source", *([] if source else ["*.sqlite"]))
    shutil.copytree(kb, folder / "demo", ignore=ignore)
    return folder / "demo"
