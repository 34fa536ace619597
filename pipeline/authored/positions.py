"""Where the entries of a file stand, and where within an entry a part of its text does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import yaml

from pipeline.authored.scalars import Scalar

_Entry = tuple[yaml.Node, yaml.Node]
"""Where an entry begins, and its value."""


class Positions:
    """The places of one file; each map is looked through once, however often it is asked."""

    def __init__(self, root: yaml.Node | None, text: str = "") -> None:
        self._root = root
        self._text = text
        self._entries: dict[int, dict[str | int, _Entry]] = {}
        self._above: tuple[tuple[str | int, ...], _Entry | None, bool] = ((), None, True)
        """The entry around what was asked for last, and whether it is that or just the nearest."""
        self._scalars: dict[int, Scalar] = {}

    def of(self, keys: Sequence[str | int]) -> tuple[int, int]:
        """Return line and column of an entry, or of the nearest one around it that there is.

        Both count from 1; (0, 0) stands for nothing at all.
        """
        entry = self._entry(keys)
        return _begin(entry[0]) if entry else (0, 0)

    def shown(self, file: Path | str, keys: Sequence[str | int]) -> str:
        """Return `file:line:column` of an entry, or of the nearest one around it."""
        line, column = self.of(keys)
        return f"{file}:{line or 1}:{column or 1}"

    def within(self, keys: Sequence[str | int], line: int, column: int) -> tuple[int, int]:
        """Return line and column in the file of a place in the text under `keys`.

        Args:
            keys: of an entry that is a text.
            line: in the text, from 1; 0: unknown.
            column: in that line, from 1.
        """
        entry = self._entry(keys)
        if entry is None:
            return 0, 0
        node = entry[1]
        if not isinstance(node, yaml.ScalarNode) or line < 1:
            return _begin(entry[0])
        scalar = self._scalars.get(id(node))
        if scalar is None:
            scalar = self._scalars[id(node)] = Scalar(node, self._text)
        return scalar.place(line, max(column, 1))

    def _entry(self, keys: Sequence[str | int]) -> _Entry | None:
        if not keys:
            return None
        above = tuple(keys[:-1])
        if above != self._above[0]:
            self._above = (above, *self._walk(above))
        _, found, is_there = self._above
        node = found[1] if found else self._root
        entry = self._children(node).get(keys[-1]) if is_there and node is not None else None
        return entry or found

    def _walk(self, keys: Sequence[str | int]) -> tuple[_Entry | None, bool]:
        found: _Entry | None = None
        node = self._root
        for key in keys:
            entry = self._children(node).get(key) if node is not None else None
            if entry is None:
                return found, False
            found, node = entry, entry[1]
        return found, True

    def _children(self, node: yaml.Node) -> dict[str | int, _Entry]:
        known = self._entries.get(id(node))
        if known is None:
            known = {}
            if isinstance(node, yaml.MappingNode):
                for key, value in node.value:
                    if isinstance(key, yaml.ScalarNode):
                        known.setdefault(key.value, (key, value))
            elif isinstance(node, yaml.SequenceNode):
                known = {number: (item, item) for number, item in enumerate(node.value)}
            elif isinstance(node, yaml.ScalarNode):  # a lone text may stand for a list of one
                known = {0: (node, node)}
            self._entries[id(node)] = known
        return known


def _begin(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1
