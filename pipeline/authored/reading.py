"""Turn nodes into values and say what is wrong with them, all of it and where.

A `Read` takes (reading, node, path) and returns a value; what it can't use it reports to the
`Reading` and goes on, so that one look at a file shows all of its faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pipeline.authored.yaml_nodes import is_null, odd_tag, typed, where
from pipeline.errors import SettingError, did_you_mean
from pipeline.text import one_line, shorten, singular

Place = tuple[str | int, ...]
Read = Callable[["Reading", yaml.Node, Place], Any]

_SHOWN = 10
_QUERY = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that can't be used as it is."""

    problem: str
    fix: str


@dataclass(slots=True)
class Reading:
    """The reading of one file: collects what is wrong with it."""

    file: Path
    faults: list[Fault] = field(default_factory=list)

    def refuse(self, node: yaml.Node, place: Place, problem: str, fix: str) -> None:
        """Note a fault of the node at `place`."""
        self.faults.append(Fault(f"{where(self.file, node)}: {dotted(place)}{problem}", fix))

    def unfit(self, node: yaml.Node, place: Place, expected: str, fix: str = "") -> None:
        """Note that `expected` should stand where the node is."""
        self.refuse(
            node, place, f"expected {expected}, found {found(node)}", fix or f"write {expected}"
        )

    def finish(self) -> None:
        """Raise what was noted as one error.

        Raises:
            SettingError: something was; several faults are listed, one a line.
        """
        if not self.faults:
            return
        if len(self.faults) == 1:
            raise SettingError(self.faults[0].problem, fix=self.faults[0].fix)
        shown = self.faults[:_SHOWN]
        more = len(self.faults) - len(shown)
        raise SettingError(
            f"{self.file} has {len(self.faults)} faults\n"
            + "\n".join(f"  {fault.problem}\n    fix: {fault.fix}" for fault in shown)
            + (f"\n  … and {more} more" if more else ""),
            fix=f"mend {self.file} at the lines named above",
        )


def dotted(place: Place) -> str:
    """Return `tables.orders.columns.status: `; a list's items are counted from 1."""
    parts = (f"[{p + 1}]" if isinstance(p, int) else f".{shorten(one_line(p), 60)}" for p in place)
    text = "".join(parts).removeprefix(".")
    return f"{text}: " if text else ""


def found(node: yaml.Node) -> str:
    """Return what a node is, for a message."""
    if isinstance(node, yaml.MappingNode):
        return "a map (`key: value`)"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    return "nothing" if is_null(node) else f"`{shorten(one_line(node.value), 40)}`"


def text(reading: Reading, node: yaml.Node, place: Place) -> str:
    """Read a text; a plain scalar is taken as written and null is ''."""
    if not _is_scalar(reading, node, place, "a text"):
        return ""
    return "" if is_null(node) else str(node.value)


def optional_text(reading: Reading, node: yaml.Node, place: Place) -> str | None:
    """Read a text; null and '' are None."""
    return text(reading, node, place) or None


def needed_text(reading: Reading, node: yaml.Node, place: Place) -> str:
    """Read a text that may not be empty."""
    value = text(reading, node, place)
    if not value.strip() and isinstance(node, yaml.ScalarNode):
        reading.unfit(node, place, "a text")
    return value


def flag(reading: Reading, node: yaml.Node, place: Place) -> bool | None:
    """Read `true` or `false`; null is None."""
    if is_null(node):
        return None
    value = typed(node) if isinstance(node, yaml.ScalarNode) else None
    if not isinstance(value, bool) or _has_odd_tag(reading, node, place):
        reading.unfit(node, place, "true or false")
        return None
    return value


def whole(reading: Reading, node: yaml.Node, place: Place) -> int | None:
    """Read a whole number above 0; null is None."""
    if is_null(node):
        return None
    value = typed(node) if isinstance(node, yaml.ScalarNode) else None
    wrong = not isinstance(value, int) or isinstance(value, bool) or value < 1
    if wrong or _has_odd_tag(reading, node, place):
        reading.unfit(node, place, "a whole number above 0", "write it in digits, e.g. 100000")
        return None
    return value


def count(reading: Reading, node: yaml.Node, place: Place) -> int | None:
    """Read a whole number, 0 or more; null is None."""
    if is_null(node):
        return None
    value = typed(node) if isinstance(node, yaml.ScalarNode) else None
    wrong = not isinstance(value, int) or isinstance(value, bool) or value < 0
    if wrong or _has_odd_tag(reading, node, place):
        reading.unfit(node, place, "a whole number, 0 or more", "write it in digits, e.g. 12")
        return None
    return value


def choice(*options: str) -> Read:
    """Return a reader of one of `options`; null is None."""

    def read(reading: Reading, node: yaml.Node, place: Place) -> str | None:
        value = None if is_null(node) else text(reading, node, place)
        if value is not None and value not in options:
            expected = f"one of {', '.join(options)}"
            reading.unfit(node, place, expected, did_you_mean(value, options, f"use {expected}"))
        return value

    return read


def texts(reading: Reading, node: yaml.Node, place: Place) -> tuple[str, ...]:
    """Read a list of texts; a lone text is a list of one, null is empty."""
    if isinstance(node, yaml.ScalarNode):
        value = text(reading, node, place)
        return (value,) if value else ()
    return listing(needed_text)(reading, node, place)


def listing(read_item: Read) -> Callable[[Reading, yaml.Node, Place], tuple[Any, ...]]:
    """Return a reader of a list; null is empty."""

    def read(reading: Reading, node: yaml.Node, place: Place) -> tuple[Any, ...]:
        if is_null(node):
            return ()
        if not isinstance(node, yaml.SequenceNode):
            reading.unfit(node, place, "a list", "begin each entry with `- `")
            return ()
        if _has_odd_tag(reading, node, place):
            return ()
        items: list[Any] = []
        for number, item in enumerate(node.value):
            if is_null(item):
                reading.unfit(item, (*place, number), "an entry", "write one, or delete the `-`")
            else:
                items.append(read_item(reading, item, (*place, number)))
        return tuple(items)

    return read


def mapping(read_value: Read) -> Callable[[Reading, yaml.Node, Place], dict[str, Any]]:
    """Return a reader of a map from any names to values; null is empty."""

    def read(reading: Reading, node: yaml.Node, place: Place) -> dict[str, Any]:
        return {
            key: read_value(reading, value, (*place, key))
            for key, value in entries(reading, node, place, "a map (`name: …`)").items()
        }

    return read


def record(
    build: Callable[..., Any],
    fields: Mapping[str, Read],
    *,
    required: tuple[str, ...] = (),
    lone: str | None = None,
    renamed: Mapping[str, str] | None = None,
    parts: str | None = None,
) -> Read:
    """Return a reader of a map with known keys that calls `build` with those that are given.

    Args:
        build: gets one argument a key; keys that are null or absent are left to its defaults.
        fields: key to reader.
        required: keys that must hold something.
        lone: key that is meant when a text stands where the map is expected.
        renamed: key to argument, where they differ.
        parts: key of the map of named parts, which may stand one level too high.
    """
    names = dict(renamed or {})
    keys = f"a map with keys such as {', '.join(list(fields)[:3])}"
    known = Known(frozenset(fields), required, parts)

    def read(reading: Reading, node: yaml.Node, place: Place) -> Any:
        given: dict[str, Any] = {}
        if lone is not None and isinstance(node, yaml.ScalarNode):
            given[lone] = fields[lone](reading, node, (*place, lone))
            return build(**given)
        if required and is_null(node):
            return None
        faults = len(reading.faults)
        for key, value in entries(reading, node, place, keys, known).items():
            item = fields[key](reading, value, (*place, key))
            if item is not None:
                given[names.get(key, key)] = item
        lacking = [key for key in required if not given.get(names.get(key, key))]
        if lacking and len(reading.faults) == faults:
            reading.refuse(node, place, f"lacks `{lacking[0]}`", f"add `{lacking[0]}: …`")
        return None if lacking else build(**given)

    return read


@dataclass(frozen=True, slots=True)
class Known:
    """The keys that a map may have."""

    keys: frozenset[str]
    required: tuple[str, ...] = ()
    parts: str | None = None
    """The key of the map of named parts."""

    def fix(self, key: str, value: yaml.Node, written: AbstractSet[str]) -> str:
        """Return what to do about a key that isn't among them; `written` are all of the map."""
        if key == "<<":
            return "write the entries out: maps aren't merged"
        lacking = [needed for needed in self.required if needed not in written]
        if "sql" in self.keys - written and _QUERY.match(str(value.value)):
            return "did you mean sql?"
        otherwise = f"use one of {', '.join(sorted(self.keys))}"
        part = singular(self.parts) if self.parts else ""
        if part and isinstance(value, yaml.MappingNode):
            otherwise = f"`{_visible(key)}` is a {part}: put it under `{self.parts}:`"
        elif part:
            otherwise += f"; if it is a {part}, put it under `{self.parts}:`"
        fix = did_you_mean(key.strip(), sorted(self.keys), otherwise)
        return f"{fix}; `{lacking[0]}` is missing" if lacking else fix


def entries(
    reading: Reading,
    node: yaml.Node,
    place: Place,
    expected: str,
    known: Known | None = None,
) -> dict[str, yaml.Node]:
    """Return a map's keys, as written, and value nodes; doubled and unknown keys are reported."""
    if is_null(node):
        return {}
    if not isinstance(node, yaml.MappingNode):
        reading.unfit(node, place, expected)
        return {}
    if _has_odd_tag(reading, node, place):
        return {}
    lines: dict[str, int] = {}
    values: dict[str, yaml.Node] = {}
    for key_node, value in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            reading.unfit(key_node, place, "a key", "write a name or code before the `:`")
            continue
        key = str(key_node.value)
        if key in lines:
            reading.refuse(
                key_node,
                place,
                f"the key `{shorten(one_line(key), 40)}` stands in line {lines[key]} too",
                "keep one of the two, or merge them",
            )
        elif known is not None and key not in known.keys:
            written = {str(key_of.value) for key_of, _ in node.value}
            fix = known.fix(key, value, written)
            reading.refuse(key_node, place, f"unknown key `{_visible(key)}`", fix)
        else:
            values[key] = value
        lines.setdefault(key, key_node.start_mark.line + 1)
    return values


def _visible(key: str) -> str:
    """Return a key for a message, blanks that an editor doesn't tell apart as their codes."""
    shown = "".join(
        f"\\u{ord(c):04x}" if c != " " and (c.isspace() or not c.isprintable()) else c for c in key
    )
    return shorten(one_line(shown), 40)


def _is_scalar(reading: Reading, node: yaml.Node, place: Place, expected: str) -> bool:
    if isinstance(node, yaml.ScalarNode):
        return not _has_odd_tag(reading, node, place)
    reading.unfit(
        node, place, expected, f"write {expected}, in quotes where it begins with `[`, `{{` or `- `"
    )
    return False


def _has_odd_tag(reading: Reading, node: yaml.Node, place: Place) -> bool:
    tag = odd_tag(node)
    if tag is not None:
        reading.refuse(
            node, place, f"the tag `{shorten(tag, 40)}` isn't understood", "delete the tag"
        )
    return tag is not None
