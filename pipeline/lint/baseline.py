"""A file of findings that are known: only what is new is reported."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from pipeline import artifacts
from pipeline.errors import SettingError
from pipeline.lint.rule import Finding

FORMAT = "dblore.lint-baseline/1"


def read(path: Path, folder: Path) -> dict[str, str]:
    """Return fingerprint to what was found, of the baseline of a knowledge base's `folder`.

    Raises:
        SettingError: the file can't be read, or is no baseline.
    """
    fix = f"write it anew: dblore lint --kb {folder} --write-baseline {path}"
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise SettingError(f"the baseline {path} can't be read: {error}", fix=fix) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SettingError(f"{path} is no baseline of lint", fix=fix)
    found = {}
    for item in data.get("findings", ()):
        if not isinstance(item, dict) or not isinstance(item.get("fingerprint"), str):
            raise SettingError(f"{path} is damaged: a finding has no fingerprint", fix=fix)
        found[item["fingerprint"]] = str(item.get("message", ""))
    return found


def write(path: Path, findings: Iterable[Finding]) -> None:
    """Write the findings as a baseline, in an order that stays."""
    items = [
        {
            "fingerprint": finding.fingerprint,
            "rule": finding.rule.id,
            "target": finding.target,
            "message": finding.message,
        }
        for finding in findings
    ]
    items.sort(key=lambda item: (item["rule"], item["target"], item["fingerprint"]))
    artifacts.write_text(path, artifacts.dumps({"format": FORMAT, "findings": items}))
