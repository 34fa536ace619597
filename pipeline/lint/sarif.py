"""Findings as SARIF 2.1.0, which code hosts show beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from pipeline import VERSION
from pipeline.lint.rule import Finding, Rule, Severity
from pipeline.repository import from_root

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_ROOT = "%SRCROOT%"


def log(findings: Sequence[Finding], folder: Path, rules: Sequence[Rule]) -> dict[str, Any]:
    """Return the findings about the knowledge base in `folder` as one SARIF log.

    Files are named from the root of the repository that the folder is in, or else from the current
    folder.
    """
    number = {rule.id: place for place, rule in enumerate(rules)}
    base = from_root(folder)
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(rules)},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {
                    _ROOT: {"description": {"text": "The root of the repository."}}
                },
                "results": [_result(f, base, number[f.rule.id]) for f in findings],
            }
        ],
    }


def _driver(rules: Iterable[Rule]) -> dict[str, Any]:
    return {
        "name": "dblore lint",
        "version": VERSION,
        "semanticVersion": VERSION,
        "rules": [
            {
                "id": rule.id,
                "name": "".join(word.capitalize() for word in rule.name.split("-")),
                "shortDescription": {"text": rule.name.replace("-", " ")},
                "fullDescription": {"text": f"{rule.finds} {rule.why}"},
                "help": {"text": rule.fix},
                "defaultConfiguration": {"level": _LEVELS[rule.severity]},
            }
            for rule in rules
        ],
    }


def _result(finding: Finding, base: PurePosixPath, number: int) -> dict[str, Any]:
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": number,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.message}. Fix: {finding.fix}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {
                        "uri": quote(str(base / finding.file)),
                        "uriBaseId": _ROOT,
                    },
                    "region": {"startLine": finding.line, "startColumn": finding.column},
                },
                "logicalLocations": [{"fullyQualifiedName": finding.target}],
            }
        ],
        "partialFingerprints": {"dbloreLint/v1": finding.fingerprint},
    }
