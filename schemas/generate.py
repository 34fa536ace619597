"""Write the JSON Schemas of the artifacts from the models: `python -m schemas.generate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from schemas import codec, models
from schemas.golden import GoldenReport

HERE = Path(__file__).resolve().parent

ARTIFACTS: dict[str, type[Any]] = {
    "catalog": models.Catalog,
    "profile": models.Profile,
    "graph": models.Graph,
    "coverage": models.Coverage,
    "validation": models.Validation,
    "lock": models.Lock,
    "test": GoldenReport,
}
"""File stem to model, for the files that stages write. People's files have hand-written schemas."""


def texts() -> dict[str, str]:
    """Return file name to text of every generated schema."""
    return {
        f"{stem}.schema.json": json.dumps(codec.json_schema(cls, title=f"{stem}.json"), indent=1)
        + "\n"
        for stem, cls in ARTIFACTS.items()
    }


def main() -> None:
    """Write them beside this file."""
    for name, text in texts().items():
        (HERE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
