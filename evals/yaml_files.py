"""YAML files of evals: corpora, questions, lists of statements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where it was built


def read_yaml(path: Path) -> Any:
    """Return what a file says."""
    return yaml.load(path.read_text(encoding="utf-8"), _LOADER)  # noqa: S506 - a safe one
