"""Fill many gaps of a YAML file that people write at once: what is there already always wins.

`editing` makes one change after another and reads the file again after each. Thousands of accepted
suggestions are spliced here in one go, and what comes out is checked in the same way: it must be
the old data with these gaps filled. An entry that can't be filled is left, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from pipeline.authored.editing import BOM, Append, Put
from pipeline.authored.reading import Place
from pipeline.authored.rendering import block, inline
from pipeline.authored.splicing import Splice, Splicer, UneditableError, ended, spliced
from pipeline.authored.yaml_nodes import data_of, is_null, parse_bytes
from pipeline.errors import SettingError

Gap = Put | Append
_TAKEN = "something else is to stand there"
Trail = list[yaml.Node | None]


@dataclass(frozen=True, slots=True)
class Filled:
    """The bytes of a file with gaps filled."""

    data: bytes
    left: tuple[tuple[Place, str], ...] = ()
    """Places that couldn't be filled, and why."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How people write a file."""

    lone: str = ""
    """Key of a map that a text in the map's place stands for."""
    first: tuple[str, ...] = ()
    """Keys that stand before others."""


def filled(data: bytes, gaps: Sequence[Gap], path: Path, habits: Habits = Habits()) -> Filled:
    """Return what a file holds with `gaps` filled where nothing stands yet.

    Args:
        data: what the file holds.
        gaps: Put sets a text where there is none; Append adds an item that the list lacks.
        path: of the file, for messages.
        habits: where a new entry belongs.

    Raises:
        SettingError: the file is no YAML.
    """
    root = parse_bytes(data, path)
    if not gaps:
        return Filled(data)
    text = data.removeprefix(BOM).decode()
    whole = ended(text, root)
    if whole != text:
        text, root = whole, parse_bytes(whole.encode(), path)
    filler = _Filler(text, root, habits)
    tree, filler.left = _tree(gaps)
    try:
        after = _checked(filler, tree, path)
    except (UneditableError, SettingError, UnicodeEncodeError, RecursionError) as error:
        if len(gaps) == 1:
            return Filled(data, ((gaps[0].place, str(error).splitlines()[0]),))
        middle = len(gaps) // 2
        first = filled(data, gaps[:middle], path, habits)
        second = filled(first.data, gaps[middle:], path, habits)
        return Filled(second.data, first.left + second.left)
    bom = BOM if data.startswith(BOM) else b""
    return Filled(bom + after if filler.splices else data, tuple(filler.left))


def _checked(filler: _Filler, tree: dict[str | int, Any], path: Path) -> bytes:
    """Return the bytes with a tree of gaps filled, read again to see that they say just that."""
    expected = filler.fill_root(tree)
    after = filler.result().encode()
    if filler.splices and data_of(parse_bytes(after, path)) != expected:
        raise UneditableError("the result wouldn't be what was asked for")
    return after


class _Items(list[Any]):
    """Items that a list should have, as opposed to a list that is a value."""


def _tree(gaps: Sequence[Gap]) -> tuple[dict[str | int, Any], list[tuple[Place, str]]]:
    """Return the gaps as nested maps, and those that another one takes the place of."""
    tree: dict[str | int, Any] = {}
    left: list[tuple[Place, str]] = []
    for gap in gaps:
        level: Any = tree
        for name in gap.place[:-1]:
            level = level.setdefault(name, {}) if isinstance(level, dict) else None
        if not isinstance(level, dict):
            left.append((gap.place, _TAKEN))
            continue
        wanted = _Items([gap.value]) if isinstance(gap, Append) else gap.value
        there = level.setdefault(gap.place[-1], wanted)
        if isinstance(gap, Append) and isinstance(there, _Items):
            if gap.value not in there:
                there.append(gap.value)
        elif there != wanted:
            left.append((gap.place, _TAKEN))
    return tree, left


def _plain(wanted: Any) -> Any:
    if isinstance(wanted, dict):
        return {name: _plain(item) for name, item in wanted.items()}
    return list(wanted) if isinstance(wanted, _Items) else wanted


class _Filler(Splicer):
    """Walks a tree of gaps beside the tree of the file; each step returns the data that results."""

    def __init__(self, text: str, root: yaml.Node | None, habits: Habits) -> None:
        super().__init__(text, root)
        self._lone, self._first = habits.lone, habits.first
        self.splices: list[Splice] = []
        self.left: list[tuple[Place, str]] = []

    def result(self) -> str:
        return spliced(self._text, self.splices)

    def fill_root(self, wanted: dict[str | int, Any]) -> Any:
        root = self._root
        if _is_vacant(root):
            self.splices.append(self._whole(root, _plain(wanted)))
            return _plain(wanted)
        if not isinstance(root, yaml.MappingNode):
            raise UneditableError("the file isn't a map")
        return self._fill_map([root], root, (), wanted)

    def _fill_map(
        self, trail: Trail, node: yaml.MappingNode, place: Place, wanted: dict[str | int, Any]
    ) -> Any:
        there = {str(key.value): value for key, value in node.value}
        data = {key: data_of(value) for key, value in there.items() if key not in wanted}
        for name, value in there.items():
            if name in wanted:
                data[name] = self._fill_entry(trail, value, (*place, name), wanted[name])
        new = {str(n): _plain(item) for n, item in wanted.items() if str(n) not in there}
        if new and node.flow_style:
            self.splices.append(self._into_flow(node, inline(new)[1:-1]))
        elif new:
            self._add(node, new)
        return {**data, **new}

    def _add(self, node: yaml.MappingNode, new: dict[str, Any]) -> None:
        """Add entries to a block; those that people write first stand there, the others behind."""
        column = node.start_mark.column
        known = {str(key.value): value for key, value in node.value if key.value in self._first}
        order = {name: number for number, name in enumerate(self._first)}
        first = {name: new[name] for name in self._first if name in new}
        behind = {name: item for name, item in new.items() if name not in first}
        before = {
            name: item
            for name, item in first.items()
            if not any(order[there] < order[name] for there in known)
        }
        if before:
            at = node.value[0][0].start_mark.index
            lines = block(before, column, self._step)
            text = self._newline.join([*lines, " " * column])[column:]
            self.splices.append(Splice(at, at, text))
        later = {name: item for name, item in first.items() if name not in before}
        if later:
            last = max(known.values(), key=lambda value: int(value.start_mark.index))
            self.splices.append(self._after(last, block(later, column, self._step)))
        if behind:
            self.splices.append(self._after(node, block(behind, column, self._step)))

    def _fill_entry(self, above: Trail, node: yaml.Node, place: Place, wanted: Any) -> Any:
        try:
            return self._fill(above, node, place, wanted)
        except UneditableError as error:
            self.left.append((place, str(error)))
            return data_of(node)

    def _fill(self, above: Trail, node: yaml.Node, place: Place, wanted: Any) -> Any:
        if self._uses[id(node)] > 1:
            raise UneditableError("an alias (*name) repeats it elsewhere")
        trail = [*above, node]
        if _is_vacant(node) and wanted == "":
            return data_of(node)
        if _is_vacant(node):
            self.splices.append(self._replaced(place, trail, _plain(wanted)))
            return _plain(wanted)
        if isinstance(node, yaml.MappingNode) and isinstance(wanted, str) and self._lone:
            wanted = {self._lone: wanted}
        if isinstance(wanted, dict):
            if isinstance(node, yaml.MappingNode):
                return self._fill_map(trail, node, place, wanted)
            rest = {name: item for name, item in wanted.items() if name != self._lone}
            if not rest:
                return data_of(node)
            if isinstance(node, yaml.SequenceNode) or not self._lone:
                raise UneditableError("no map stands there")
            self._open(above, node, f"{self._lone}: ", _plain(rest))
            return {self._lone: data_of(node), **_plain(rest)}
        if isinstance(wanted, _Items):
            return self._fill_list(trail, node, wanted)
        return data_of(node)

    def _fill_list(self, trail: Trail, node: yaml.Node, wanted: _Items) -> Any:
        if isinstance(node, yaml.MappingNode):
            raise UneditableError("a map stands there, not a list")
        data = data_of(node)
        there = data if isinstance(data, list) else [data]
        new = [item for item in wanted if item not in there]
        if not new:
            return data
        if isinstance(node, yaml.ScalarNode):
            self._open(trail[:-1], node, "- ", new)
        elif isinstance(node, yaml.SequenceNode) and node.flow_style:
            self.splices.append(self._into_flow(node, inline(new)[1:-1]))
        elif isinstance(node, yaml.SequenceNode):
            lines = block(new, node.start_mark.column, self._step)
            self.splices.append(self._after(node, lines))
        return [*there, *new]

    def _open(
        self, above: Trail, node: yaml.Node, head: str, rest: dict[str, Any] | list[Any]
    ) -> None:
        """Make a text the first entry, behind `head`, of a map or list that goes on with `rest`."""
        start, end = node.start_mark.index, self._end(node)
        if any(isinstance(n, yaml.CollectionNode) and n.flow_style for n in above):
            opening, closing = "{}" if isinstance(rest, dict) else "[]"
            written = opening + (head if isinstance(rest, dict) else "")
            self.splices.append(Splice(start, start, written))
            self.splices.append(Splice(end, end, ", " + inline(rest)[1:-1] + closing))
            return
        parent = above[-1]
        if node.start_mark.line != node.end_mark.line or not isinstance(parent, yaml.MappingNode):
            raise UneditableError("its text is written over several lines")
        key = next(key for key, value in parent.value if value is node)
        behind = self._head(parent, key)
        if self._text[behind:start].strip() or "\n" in self._text[behind:start]:
            raise UneditableError("its text doesn't stand behind its key")
        indent = key.start_mark.column + self._step
        pad = " " * indent
        self.splices.append(Splice(behind, start, f"{self._newline}{pad}{head}"))
        at = self._line_end(end)
        shown = self._newline.join(block(rest, indent, self._step))
        ended = self._text[at - 1 : at] == "\n"
        text = shown + self._newline if ended else self._newline + shown
        self.splices.append(Splice(at, at, text))


def _is_vacant(node: yaml.Node | None) -> bool:
    """Whether nothing stands there: no node, `~`, `''`, `{}` or `[]`."""
    if node is None or is_null(node):
        return True
    if isinstance(node, yaml.ScalarNode):
        return not str(node.value).strip()
    return isinstance(node, yaml.CollectionNode) and not node.value
