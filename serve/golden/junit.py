"""A report as JUnit XML, as CI servers read it: a test case a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree as ET

from pipeline.repository import from_root
from schemas.golden import GoldenReport, GoldenResult

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML 1.0 document may hold, escaped or not."""


def junit(report: GoldenReport, folder: Path, seconds: Sequence[float]) -> str:
    """Return the document.

    Args:
        report: what came of the questions.
        folder: where their file stands; it is named from the root of its repository.
        seconds: what each took.
    """
    counts = {
        "tests": str(len(report.results)),
        "failures": str(report.failed),
        "errors": "0",
        "skipped": str(report.skipped),
    }
    root = ET.Element("testsuites", {"name": "dblore test", **counts})
    suite = ET.SubElement(root, "testsuite", {"name": _text(report.kb), **counts})
    for element in (root, suite):
        element.set("time", f"{sum(seconds):.3f}")
    base = from_root(folder)
    for result, took in zip(report.results, seconds, strict=True):
        _case(suite, report.kb, result, base, took)
    ET.indent(root, " ")
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _case(
    suite: ET.Element, kb: str, result: GoldenResult, base: PurePosixPath, seconds: float
) -> None:
    attributes = {
        "classname": _text(f"dblore.{kb}"),
        "name": _text(f"{result.id}: {result.question}"),
        "file": _text(str(base / result.file)),
        "line": str(result.line),
        "time": f"{seconds:.3f}",
    }
    case = ET.SubElement(suite, "testcase", attributes)
    failed = [check for check in result.checks if check.verdict == "failed"]
    if failed:
        message = _text(", ".join(check.name for check in failed))
        failure = ET.SubElement(case, "failure", {"message": message, "type": message})
        failure.text = _text("\n".join(f"{check.name}: {check.detail}" for check in failed))
    elif result.verdict == "skipped":
        why = next((check.detail for check in result.checks if check.detail), "nothing to check")
        ET.SubElement(case, "skipped", {"message": _text(why)})
    left_out = [check for check in result.checks if check.verdict == "skipped"]
    if left_out and result.verdict != "skipped":
        told = "\n".join(f"{check.name}: not run: {check.detail}" for check in left_out)
        ET.SubElement(case, "system-out").text = _text(told)


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
