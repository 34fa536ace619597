"""Comments in people's YAML that say which finding is known, and why.

    # dblore: ignore DL302 because the source has no zone
    # dblore: ignore DL103, DL301 on audit_* because nobody asks for it

Beside or above an entry it is about that entry and all below it; with `on GLOB` it is about every
finding of the file whose target fits.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import yaml

from pipeline.lint.rule import Finding, Keys

_COMMENT = re.compile(r"#\s*dblore\s*:\s*ignore\b(?P<rest>.*)$")
_GRAMMAR = re.compile(
    r"\s+(?P<rules>DL\d{3}(?:\s*,\s*DL\d{3})*)(?:\s+on\s+(?P<on>\S.*?))?\s+because\s+(?P<why>\S.*)$"
)
FORM = "write `# dblore: ignore DL302 because …`, or `… ignore DL302 on orders.* because …`"


@dataclass(slots=True)
class Ignore:
    """One such comment."""

    line: int
    column: int
    rules: tuple[str, ...]
    on: str | None
    keys: Keys | None
    """Of the entry that it stands beside or above; None with `on`, or where there is none."""
    why: str
    used: set[str] = field(default_factory=set)
    """The rules of which it left out a finding."""

    def fits(self, finding: Finding) -> bool:
        """Whether it is about the finding."""
        if finding.rule.id not in self.rules:
            return False
        if self.on is not None:
            return fnmatch.fnmatchcase(finding.target.casefold(), self.on.casefold())
        return self.keys is not None and finding.place[: len(self.keys)] == self.keys


@dataclass(frozen=True, slots=True)
class Malformed:
    """A comment that wants to be one and isn't."""

    line: int
    column: int
    text: str


def read(text: str, root: yaml.Node | None) -> tuple[list[Ignore], list[Malformed]]:
    """Return the ignores of a file, and those that can't be understood."""
    marks = [
        (number, match)
        for number, line in enumerate(text.splitlines())
        if "dblore" in line and (match := _COMMENT.search(line))
    ]
    if not marks:
        return [], []
    entries = list(_entries(root))
    texts = [value for _, _, value in entries if isinstance(value, yaml.ScalarNode)]
    ignores, malformed = [], []
    for number, match in marks:
        if any(_is_inside(number, match.start(), node) for node in texts):
            continue
        understood = _GRAMMAR.match(match["rest"])
        if understood is None:
            malformed.append(Malformed(number + 1, match.start() + 1, match[0].strip()))
            continue
        rules = tuple(re.findall(r"DL\d{3}", understood["rules"]))
        on = understood["on"]
        keys = None if on else _entry(number, match.start(), text, entries)
        ignores.append(
            Ignore(number + 1, match.start() + 1, rules, on, keys, understood["why"].strip())
        )
    return ignores, malformed


def _entries(root: yaml.Node | None) -> Iterator[tuple[Keys, yaml.Node, yaml.Node]]:
    """Yield the keys to every entry of a file, where it begins and its value."""
    stack: list[tuple[Keys, yaml.Node]] = [((), root)] if root else []
    while stack:
        keys, node = stack.pop()
        found: list[tuple[str | int, yaml.Node, yaml.Node]]
        if isinstance(node, yaml.MappingNode):
            found = [(str(key.value), key, value) for key, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            found = [(number, item, item) for number, item in enumerate(node.value)]
        else:
            continue
        for key, start, value in found:
            yield (*keys, key), start, value
            stack.append(((*keys, key), value))


def _is_inside(line: int, column: int, node: yaml.Node) -> bool:
    """Whether the place is within a text, where a `#` is no comment."""
    start, end = node.start_mark, node.end_mark
    return (start.line, start.column) <= (line, column) < (end.line, end.column)


def _entry(
    line: int, column: int, text: str, entries: Iterable[tuple[Keys, yaml.Node, yaml.Node]]
) -> Keys | None:
    """Return the outermost entry that begins on the line, or else the next one below it."""
    alone = not text.splitlines()[line][:column].strip()
    lines = [(key.start_mark.line, len(keys), keys) for keys, key, _ in entries]
    if alone:
        later = [at for at, _, _ in lines if at > line]
        if not later:
            return None
        line = min(later)
    begun = [(depth, keys) for at, depth, keys in lines if at == line]
    return min(begun)[1] if begun else None


def apply(findings: Iterable[Finding], ignores: list[Ignore]) -> Iterator[Finding]:
    """Yield the findings of one file that no ignore is about, and note which ignores were used."""
    for finding in findings:
        chosen = [ignore for ignore in ignores if ignore.fits(finding)]
        for ignore in chosen:
            ignore.used.add(finding.rule.id)
        if not chosen:
            yield finding
