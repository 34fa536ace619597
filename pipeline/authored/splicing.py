"""Where the text of an entry begins and ends, and the text of a file with an entry exchanged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import yaml

from pipeline.authored.reading import Place
from pipeline.authored.rendering import block, entry, inline
from pipeline.authored.yaml_nodes import child, is_null

_DEFAULT_STEP = 2
_NOTHING = re.compile(r"(?:---|\.\.\.)?(?:(?:^|\s+)#.*)?")
_ALIAS = re.compile(r"\s*:\s+\*[^\s,\[\]{}]+")


class UneditableError(Exception):
    """The text around a place doesn't allow to change it alone."""


class Splice(NamedTuple):
    """A stretch of a text and what stands in its place."""

    start: int
    end: int
    text: str


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """Return the text with stretches exchanged; of two at one position the first stays first.

    Raises:
        UneditableError: two of them overlap.
    """
    parts, at = [], 0
    for splice in sorted(splices, key=lambda one: one.start):
        if splice.start < at:
            raise UneditableError("two changes meet there")
        parts += [text[at : splice.start], splice.text]
        at = splice.end
    return "".join([*parts, text[at:]])


def ended(text: str, root: yaml.Node | None) -> str:
    """Return a text whose last line ends if it is one of a `|` or `>` text: else none can follow.

    The text that stands there gets a line end by it, unless it is written `|-` or `>-`.
    """
    last = root
    while isinstance(last, yaml.CollectionNode) and last.value and not last.flow_style:
        entry = last.value[-1]
        last = entry[1] if isinstance(entry, tuple) else entry
    if last is None or not _is_literal_scalar(last) or text.endswith("\n"):
        return text
    return text + ("\r\n" if "\r\n" in text else "\n")


class Splicer:
    """One text and its tree; each method returns what to exchange in the text."""

    def __init__(self, text: str, root: yaml.Node | None) -> None:
        self._text, self._root = text, root
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._uses = _uses(root)
        self._step = _step(root)

    def put(self, place: Place, value: Any) -> Splice:
        """Return what sets `value` at `place`."""
        depth, trail = self._deepest(place)
        for name in reversed(place[depth + 1 :]):
            value = {name: value}
        node = trail[-1]
        if depth == len(place):
            return self._replaced(place, trail, value)
        if node is None or is_null(node):
            return self._replaced(place[:depth], trail, {place[depth]: value})
        if not isinstance(node, yaml.MappingNode):
            raise UneditableError("text or a list stands above it")
        if node.flow_style and not node.value and not _is_in_flow(trail):
            return self._replaced(place[:depth], trail, {place[depth]: value})
        if node.flow_style:
            return self._into_flow(node, inline({place[depth]: value})[1:-1])
        column = node.start_mark.column
        return self._after(node, block({place[depth]: value}, column, self._step))

    def append(self, place: Place, value: Any) -> Splice:
        """Return what makes `value` the last item of the list at `place`."""
        depth, trail = self._deepest(place)
        node = trail[-1]
        if depth < len(place) or not isinstance(node, yaml.SequenceNode):
            return self.put(place, [value])
        if node.flow_style and not node.value and not _is_in_flow(trail):
            return self._replaced(place, trail, [value])
        if node.flow_style:
            return self._into_flow(node, inline(value, in_flow=True))
        return self._after(node, block([value], node.start_mark.column, self._step))

    def remove(self, place: Place) -> Splice:
        """Return what takes the entry at `place` away."""
        _, trail = self._deepest(place)
        parent = trail[-2]
        at, entries = _entries(parent, place[-1])
        if isinstance(parent, yaml.CollectionNode) and parent.flow_style:
            return self._out_of_flow(entries, at)
        if len(entries) == 1 and len(place) > 1:
            empty: Any = {} if isinstance(parent, yaml.MappingNode) else []
            return self._replaced(place[:-1], trail[:-1], empty)
        begin = self._begin(parent, entries[at][0])
        line = self._line_start(begin)
        if not self._text[line:begin].strip(" "):
            return Splice(line, self._last_line_end(entries[at][1]), "")
        if at + 1 == len(entries):
            raise UneditableError("something else stands on its line")
        return Splice(begin, self._begin(parent, entries[at + 1][0]), "")

    def _deepest(self, place: Place) -> tuple[int, list[yaml.Node | None]]:
        """Return how far a place is there, and the nodes from the root down to there."""
        trail: list[yaml.Node | None] = [self._root]
        for depth, name in enumerate(place):
            found = child(trail[-1], name)
            if found is None:
                return depth, trail
            trail.append(found[1])
            if self._uses[id(found[1])] > 1:
                raise UneditableError("an alias (*name) repeats it elsewhere")
        return len(place), trail

    def _replaced(self, place: Place, trail: list[yaml.Node | None], value: Any) -> Splice:
        node = trail[-1]
        if not place:
            return self._whole(node, value)
        parent = trail[-2]
        if node is None or parent is None:
            raise UneditableError("there is nothing to replace")
        if _is_in_flow(trail[:-1]):
            start, end = node.start_mark.index, node.end_mark.index
            blank = "" if start < end or self._text[start - 1] in " {[" else " "
            return Splice(start, end, blank + inline(value, in_flow=True))
        at, entries = _entries(parent, place[-1])
        begin = self._begin(parent, entries[at][0])
        head = self._head(parent, entries[at][0])
        indent = begin - self._line_start(begin)
        is_map = isinstance(parent, yaml.MappingNode)
        lines = entry("", value, indent + (self._step if is_map else 2), self._step)
        return self._exchanged(head, node, lines)

    def _exchanged(self, head: int, node: yaml.Node, lines: list[str]) -> Splice:
        """Put `lines` behind the `key:` or `-` that ends at `head`, where `node` stands."""
        first, below = lines[0], lines[1:]
        start, end = node.start_mark.index, self._end(node)
        text, newline = self._text, self._newline
        if start < end and self._line_start(start) > head:  # it stands below its key
            if not _is_block(node) and text[end : self._line_end(end)].strip():
                raise UneditableError("a comment stands behind its last line")
            rest = text[head : self._line_start(start)]
            shown = newline.join(below) + newline if below else ""
            return Splice(head, self._last_line_end(node), first + rest + shown)
        tail_end = self._line_end(end)
        tail = text[max(head, end) : tail_end]
        if _is_literal_scalar(node):  # its first line may end in a comment, its last can't
            tail = self._newline if end and text[end - 1] == "\n" else ""
            tail_end = end
        if not below:
            return Splice(head, tail_end, first + tail)
        if is_null(node):  # comments below its key are about what stands there from now on
            column = len(below[0]) - len(below[0].lstrip(" "))
            behind = self._past_comments(tail_end, column)
            tail, tail_end = tail + text[tail_end:behind], behind
        ended = tail if tail.endswith("\n") else tail + newline
        shown = newline.join(below) + (newline if tail.endswith("\n") else "")
        return Splice(head, tail_end, first + ended + shown)

    def _whole(self, node: yaml.Node | None, value: Any) -> Splice:
        """Put a value where nothing, `{}` or `null` is the whole file."""
        text, newline = self._text, self._newline
        if isinstance(node, yaml.CollectionNode) and node.value:
            raise UneditableError("it is the whole file")
        if not isinstance(value, dict | list) or not value:
            raise UneditableError("a file holds a map")
        if node is not None:
            text = text[: node.start_mark.index] + text[node.end_mark.index :]
        elif text.strip() and not all(_says_nothing(line) for line in text.splitlines()):
            raise UneditableError("what stands in the file isn't a map")
        if text and not text.endswith("\n"):
            text += newline
        shown = newline.join(block(value, 0, self._step)) + newline
        return Splice(0, len(self._text), text + shown)

    def _after(self, node: yaml.Node, lines: list[str]) -> Splice:
        """Put lines behind the line on which a node ends; behind comments on its last entry."""
        at = self._last_line_end(node)
        if _is_block(node):
            at = self._past_comments(at, node.start_mark.column + 1)  # of its last entry
        shown = self._newline.join(lines)
        if self._text[at - 1 : at] == "\n":
            return Splice(at, at, shown + self._newline)
        return Splice(at, at, self._newline + shown)

    def _past_comments(self, at: int, column: int) -> int:
        """Return where comments end that begin in the next line, at `column` or further in."""
        line = end = at
        while line < len(self._text):
            line_end = self._line_end(line)
            shown = self._text[line:line_end].lstrip(" ")
            if shown.startswith("#") and line_end - line - len(shown) >= column:
                end = line_end
            elif shown.strip():
                break
            line = line_end
        return end

    def _into_flow(self, node: yaml.CollectionNode, shown: str) -> Splice:
        if not node.value:
            at = node.start_mark.index + 1
            return Splice(at, at, shown)
        at = self._entry_end(node)
        return Splice(at, at, f", {shown}")

    def _out_of_flow(self, entries: list[tuple[yaml.Node, yaml.Node]], at: int) -> Splice:
        start, end = entries[at][0].start_mark.index, self._end(entries[at][1])
        if at + 1 < len(entries):
            end = entries[at + 1][0].start_mark.index
        elif at:
            start = self._end(entries[at - 1][1])
        return Splice(start, end, "")

    def _begin(self, parent: yaml.Node | None, first: yaml.Node) -> int:
        """Return where an entry of a block begins: at its key, or at the dash before it."""
        if isinstance(parent, yaml.MappingNode):
            return int(first.start_mark.index)
        if parent is None:
            raise UneditableError("nothing stands above it")
        column, line = parent.start_mark.column, self._line_start(first.start_mark.index)
        while self._text[line + column : line + column + 1] != "-" and line:
            line = self._line_start(line - 1)
        return int(line + column)

    def _head(self, parent: yaml.Node, first: yaml.Node) -> int:
        """Return where the `key:` or the `-` of an entry ends."""
        if isinstance(parent, yaml.MappingNode):
            end = first.end_mark.index
            colon = self._text.find(":", end)
            if colon < 0 or self._text[end:colon].strip():
                raise UneditableError("its key is written in an unusual way")
            return colon + 1
        return self._begin(parent, first) + 1

    def _end(self, node: yaml.Node) -> int:
        """Return where the text of a node ends; a block ends with its last entry."""
        if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            return self._entry_end(node)
        if _is_literal_scalar(node):
            return self._literal_end(node)
        return int(node.end_mark.index)

    def _entry_end(self, node: yaml.CollectionNode) -> int:
        """Return where the text of the last entry ends; an alias is where its anchor is."""
        key, last = _entries(node, None)[1][-1]
        if self._uses[id(last)] == 1:
            return self._end(last)
        if isinstance(node, yaml.MappingNode) and last.start_mark.index > key.start_mark.index:
            return self._end(last)
        alias = _ALIAS.match(self._text, key.end_mark.index)
        if not isinstance(node, yaml.MappingNode) or alias is None:
            raise UneditableError("an alias (*name) is its last entry")
        return alias.end()

    def _last_line_end(self, node: yaml.Node) -> int:
        """Return where the line ends on which a node ends, its line break included."""
        end = self._end(node)
        return end if self._text[end - 1 : end] == "\n" else self._line_end(end)

    def _literal_end(self, node: yaml.Node) -> int:
        """Return where the last line of a `|` or `>` text ends, its line break included."""
        end = int(node.end_mark.index)
        head = self._text[node.start_mark.index : self._line_end(node.start_mark.index)]
        if "+" not in head.partition("#")[0]:
            while end and self._text[end - 1].isspace():
                end -= 1
            return self._line_end(end)
        return end

    def _line_start(self, at: int) -> int:
        return self._text.rfind("\n", 0, at) + 1

    def _line_end(self, at: int) -> int:
        """Return where the line of a position ends, its line break included."""
        end = self._text.find("\n", at)
        return len(self._text) if end < 0 else end + 1


def _entries(
    node: yaml.Node | None, name: str | int | None
) -> tuple[int, list[tuple[yaml.Node, yaml.Node]]]:
    """Return the index of the entry `name`, and for each entry where it begins and its value."""
    if isinstance(node, yaml.MappingNode):
        found = list(node.value)
        at = next((i for i, (key, _) in enumerate(found) if key.value == name), 0)
        return at, found
    items = node.value if isinstance(node, yaml.SequenceNode) else []
    return (name if isinstance(name, int) else 0), [(item, item) for item in items]


def _is_in_flow(trail: list[yaml.Node | None]) -> bool:
    """Whether the last node's place is inside brackets."""
    return any(isinstance(n, yaml.CollectionNode) and n.flow_style and n.value for n in trail)


def _is_block(node: yaml.Node) -> bool:
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def _is_literal_scalar(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")


def _says_nothing(line: str) -> bool:
    stripped = line.strip()
    return not stripped or _NOTHING.fullmatch(stripped) is not None


def _uses(root: yaml.Node | None) -> Counter[int]:
    """Return how often each node is used: more than once where an alias repeats it."""
    uses: Counter[int] = Counter()
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        uses[id(node)] += 1
        if uses[id(node)] == 1 and isinstance(node, yaml.CollectionNode):
            for item in node.value:
                waiting += item if isinstance(item, tuple) else (item,)
    return uses


def _step(root: yaml.Node | None) -> int:
    """Return by how much the file indents a map below another one."""
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        if not isinstance(node, yaml.MappingNode) or node.flow_style:
            continue
        for _, value in node.value:
            if isinstance(value, yaml.MappingNode) and not value.flow_style and value.value:
                return max(1, value.start_mark.column - node.start_mark.column)
            waiting.append(value)
    return _DEFAULT_STEP
