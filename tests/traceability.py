"""Which promises are proven by a test: `python -m tests.traceability`.

A test that proves a promise carries `@pytest.mark.req("ID")`; one that proves it only in part
carries `@pytest.mark.req("ID", part="what is proven")`. The capabilities that are said to be done
are listed in `tests/requirements.txt`, one ID a line; `ID partial` says that only a part is built
so far, `ID parts` that the parts which the marks name add up to the whole. Exit status 1: an ID in
that list has no test, a mark names an unknown ID, or an ID listed as whole is only proven in part.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
KNOWN = re.compile(
    r"(SCAN|PROF|SEM|KG|DOC|IDX|CTX|VAL|MCP|MEM|PRIV|MG|WS|CHART|LLM|SAFE|BLD|CLI)-G?\d{1,2}|[BC]\d{1,2}"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """One `req` mark."""

    requirement: str
    part: str | None
    test: str


def marks(folder: Path = HERE) -> list[Mark]:
    """Return every `req` mark in the test files of `folder`, read without importing them."""
    found = []
    for path in sorted(folder.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for decorator in node.decorator_list:
                    found += _mark(decorator, f"{path.name}::{node.name}")
            if isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == "pytestmark"
                for target in node.targets
            ):
                for item in ast.walk(node.value):
                    found += _mark(item, path.name)
    return found


def listed() -> dict[str, str]:
    """Return the IDs that are said to be built: ID to `whole`, `parts` or `partial`."""
    lines = (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines()
    words = [line.split("#")[0].split() for line in lines]
    return {w[0]: (w[1] if len(w) > 1 else "whole") for w in words if w}


def problems(found: list[Mark], promised: dict[str, str]) -> list[str]:
    """Return what keeps the list of promises from being true."""
    proven = _by_requirement(found)
    said = []
    for requirement, how in promised.items():
        tests = proven.get(requirement, [])
        if how not in {"whole", "parts", "partial"}:
            said.append(f"{requirement}: {how!r} is neither whole, parts nor partial")
        elif not tests:
            said.append(f"{requirement}: no test proves it")
        elif how == "whole" and all(mark.part for mark in tests):
            said.append(f"{requirement}: listed as whole, proven only in part")
    for requirement, tests in proven.items():
        if not KNOWN.fullmatch(requirement):
            said.append(f"{requirement}: unknown ID, marked in {tests[0].test}")
        elif requirement not in promised:
            said.append(f"{requirement}: marked in {tests[0].test}, not in tests/requirements.txt")
    return said


def main() -> int:
    """Print a line per promise and return the exit status."""
    found, promised = marks(), listed()
    proven = _by_requirement(found)
    for requirement, how in promised.items():
        tests = proven.get(requirement, [])
        state = "partial" if how == "partial" else "proven"
        parts = sorted({mark.part for mark in tests if mark.part})
        detail = f" ({'; '.join(parts)})" if parts and how != "whole" else ""
        sys.stdout.write(
            f"{requirement:<9} {state if tests else 'UNPROVEN':<9} {len(tests)} tests{detail}\n"
        )
    said = problems(found, promised)
    for line in said:
        sys.stdout.write(f"problem: {line}\n")
    return 1 if said else 0


def _mark(decorator: ast.AST, test: str) -> list[Mark]:
    if not (isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute)):
        return []
    if decorator.func.attr != "req":
        return []
    part = next((ast.literal_eval(k.value) for k in decorator.keywords if k.arg == "part"), None)
    return [Mark(ast.literal_eval(argument), part, test) for argument in decorator.args]


def _by_requirement(found: list[Mark]) -> dict[str, list[Mark]]:
    by: dict[str, list[Mark]] = defaultdict(list)
    for mark in found:
        by[mark.requirement].append(mark)
    return dict(by)


if __name__ == "__main__":
    sys.exit(main())
