"""A report as JUnit XML, as CI servers read it: a test case a question."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from schemas.golden import GoldenReport, GoldenResult

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML 1.0 document may hold, escaped or not."""


def junit(report: GoldenReport) -> str:
    """Return the document."""
    counts = {
        "tests": str(len(report.results)),
        "failures": str(report.failed),
        "errors": "0",
        "skipped": str(report.skipped),
    }
    root = ET.Element("testsuites", {"name": "dblore test", **counts})
    suite = ET.SubElement(root, "testsuite", {"name": _text(report.kb), **counts})
    for result in report.results:
        _case(suite, report.kb, result)
    ET.indent(root, " ")
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _case(suite: ET.Element, kb: str, result: GoldenResult) -> None:
    attributes = {
        "classname": _text(f"dblore.{kb}"),
        "name": _text(f"{result.id}: {result.question}"),
        "file": _text(result.file),
        "line": str(result.line),
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


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
