"""Findings for people and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from pipeline.lint.rule import SEVERITIES, Finding
from pipeline.lint.world import printable
from pipeline.text import counted


def lines(findings: Iterable[Finding], folder: str) -> Iterator[str]:
    """Yield the findings by file; each begins with a place that terminals and editors open.

    What to do stands behind the last of several findings in a row that ask for the same.
    """
    before = "" if folder in ("", ".") else f"{folder}/"
    for file, found in groupby(findings, key=lambda finding: finding.file):
        rows = list(found)
        for finding, after in zip(rows, [*rows[1:], None], strict=True):
            place = f"{before}{file}:{finding.line}:{finding.column}"
            yield f"{place} {finding.severity} {finding.rule.id} {printable(finding.message)}"
            if after is None or (after.rule.id, after.fix) != (finding.rule.id, finding.fix):
                yield f"  fix: {printable(finding.fix)}"
        yield ""


def account(findings: Iterable[Finding], ignored: int, known: int) -> str:
    """Return e.g. `2 errors, 1 warning; 3 ignored with a reason, 10 in the baseline`."""
    counts = Counter(finding.severity for finding in findings)
    words = {"error": "error", "warning": "warning", "info": "hint"}
    said = [counted(counts[s], words[s]) for s in SEVERITIES if counts[s]]
    text = ", ".join(said) if said else "no findings"
    left = [f"{ignored:,} ignored with a reason"] if ignored else []
    left += [f"{known:,} in the baseline"] if known else []
    return text + ("; " + ", ".join(left) if left else "")


def data(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Return the findings as JSON data."""
    return [
        {
            "rule": finding.rule.id,
            "name": finding.rule.name,
            "severity": finding.severity,
            "file": finding.file,
            "line": finding.line,
            "column": finding.column,
            "target": finding.target,
            "message": finding.message,
            "fix": finding.fix,
            "fingerprint": finding.fingerprint,
        }
        for finding in findings
    ]
