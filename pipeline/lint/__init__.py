"""Look for faults in what people wrote, against the facts and against itself.

Reads files only: catalog.json, semantic.yaml, and, where they are there, knowledge_graph.yaml,
profile.json, graph.json, validation.json. Each rule is a pure function of these; `RULES` lists them
all, with the texts that docs/reference/lint.md is made of.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.authored import Document, GraphDocument
from pipeline.collecting import uncollected
from pipeline.errors import NotFoundError, did_you_mean
from pipeline.kb import Kb
from pipeline.lint import ignores
from pipeline.lint.rule import GRAPH, SEMANTIC, SEVERITIES, Finding, Found, Rule, Severity
from pipeline.lint.rules import BY_ID, MALFORMED_IGNORE, RULES, UNUSED_IGNORE
from pipeline.lint.world import Stale, World, open_world

__all__ = ["RULES", "Finding", "Report", "Rule", "lint", "worst"]

_NO_PROFILE = "profile.json is missing: rules that hold texts against the data find nothing"
_NO_GRAPH = "graph.json is missing: joins, entities and relations are not judged"


@dataclass(frozen=True, slots=True)
class Report:
    """What lint says of one knowledge base."""

    folder: Path
    findings: tuple[Finding, ...]
    """By file, the worst first, and line."""
    ignored: int
    """Findings that comments leave out."""
    notes: tuple[str, ...]
    """What was missing or older than what it is made from."""


def lint(kb: Kb, stale: Stale, rules: Sequence[str] = ()) -> Report:
    """Apply the rules (all of them when none is named, by id or name) to a knowledge base.

    `stale` is what `tasks.stale` says of it.

    Raises:
        NotFoundError: there is no such rule.
        ArtifactError: there is no catalog, or a file is damaged.
        SettingError: a file of people can't be read.
    """
    chosen = _chosen(rules)
    with uncollected():
        return _report(kb, chosen, open_world(kb, stale))


def _report(kb: Kb, chosen: tuple[Rule, ...], world: World) -> Report:
    files = {
        SEMANTIC: _File(kb.semantic, world.document),
        GRAPH: _File(kb.knowledge_graph, world.graph_document),
    }
    found: dict[str, list[Finding]] = {name: [] for name in files}
    for finding in _findings(world, chosen, files):
        found[finding.file].append(finding)
    kept, left_out = [], 0
    for name, file in files.items():
        marks, malformed = ignores.read(file.text(), file.document.root)
        left = list(ignores.apply(found[name], marks))
        left_out += len(found[name]) - len(left)
        kept += left + list(_about_ignores(name, marks, malformed, chosen))
    kept.sort(key=lambda finding: _order(finding, list(files)))
    return Report(kb.folder, tuple(kept), left_out, tuple(_notes(world)))


def _order(finding: Finding, files: Sequence[str]) -> tuple[int, int, int, int, str, str]:
    bad, rule = SEVERITIES.index(finding.severity), finding.rule.id
    place = (finding.line, finding.column)
    return (files.index(finding.file), bad, *place, rule, finding.target)


def worst(findings: Iterable[Finding], at_least: Severity) -> bool:
    """Whether a finding is as bad as `at_least`, or worse."""
    bad = SEVERITIES[: SEVERITIES.index(at_least) + 1]
    return any(finding.severity in bad for finding in findings)


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    document: Document | GraphDocument

    def text(self) -> str:
        """Return what it holds; it was read once, so it can be."""
        if not self.path.is_file():
            return ""
        return self.path.read_text(encoding="utf-8-sig")


def _chosen(names: Sequence[str]) -> tuple[Rule, ...]:
    if not names:
        return RULES
    by_name = {rule.name: rule for rule in RULES}
    found = []
    for name in names:
        rule = BY_ID.get(name.upper()) or by_name.get(name)
        if rule is None:
            known = [*BY_ID, *by_name]
            raise NotFoundError(
                f"there is no rule {name!r}",
                fix=did_you_mean(name, known, "see docs/reference/lint.md"),
            )
        found.append(rule)
    return tuple(dict.fromkeys(found))


def _findings(world: World, rules: Iterable[Rule], files: dict[str, _File]) -> Iterator[Finding]:
    doubles: Counter[str] = Counter()
    for rule in rules:
        for found in world.found(rule.id):
            stable = f"{rule.id}\0{found.file}\0{found.target}\0{found.what}"
            doubles[stable] += 1
            yield _finding(rule, found, files[found.file], f"{stable}\0{doubles[stable]}")


def _finding(rule: Rule, found: Found, file: _File, stable: str) -> Finding:
    line, column = found.at or file.document.positions.of(found.place)
    digest = hashlib.sha256(stable.encode("utf-8", "surrogatepass")).hexdigest()[:20]
    return Finding(
        rule,
        found.file,
        line or 1,
        column or 1,
        found.target,
        found.message,
        found.fix,
        digest,
        found.place,
    )


def _about_ignores(
    file: str,
    marks: Iterable[ignores.Ignore],
    malformed: Iterable[ignores.Malformed],
    chosen: tuple[Rule, ...],
) -> Iterator[Finding]:
    ids = {rule.id for rule in chosen}
    for mark in marks:
        useless = [rule for rule in mark.rules if rule in ids and rule not in mark.used]
        if useless and UNUSED_IGNORE in chosen:
            told = f"the ignore of {', '.join(useless)} leaves out nothing"
            yield _about(UNUSED_IGNORE, file, mark, ", ".join(useless), told)
    for broken in malformed if MALFORMED_IGNORE in chosen else ():
        yield _about(MALFORMED_IGNORE, file, broken, broken.text, f"`{broken.text}` has no effect")


def _about(
    rule: Rule, file: str, mark: ignores.Ignore | ignores.Malformed, what: str, message: str
) -> Finding:
    digest = hashlib.sha256(f"{rule.id}\0{file}\0{what}".encode()).hexdigest()[:20]
    fix = "delete it, or move it beside what it is about" if rule is UNUSED_IGNORE else ignores.FORM
    return Finding(rule, file, mark.line, mark.column, what, message, fix, digest)


def _notes(world: World) -> Iterator[str]:
    names = {"scan": "catalog.json", "profile": "profile.json", "graph": "graph.json"}
    names["validate"] = "validation.json"
    if world.profile is None:
        yield _NO_PROFILE
    if world.graph is None:
        yield _NO_GRAPH
    for stage, reasons in world.stale.items():
        there = {"profile": world.profile, "graph": world.graph, "validate": world.validation}
        if there.get(stage, world) is not None:
            yield f"{names[stage]} is stale: {', '.join(reasons)}"
