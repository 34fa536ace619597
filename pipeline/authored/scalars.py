"""Where each character of a YAML scalar stands in its file.

The parser gives a scalar's text and where it begins and ends. How the text is written (quotes,
escapes, folded lines, indentation) is read here again, each character with its place; if that gives
another text than the parser's, nothing is claimed but the beginning.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

import yaml

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_BLANKS = " \t"
_PROPERTY = re.compile("(?:[&!][^ \t\r\n]*(?:[ \t\r\n\x85\u2028\u2029]+|$))+")
_HEADER = re.compile("[|>]([+-]?)([1-9]?)([+-]?)[ \t]*(?:#[^\r\n\x85\u2028\u2029]*)?")
_ESCAPED = {"x": 2, "u": 4, "U": 8}
_NAMED = dict(
    zip(
        '0abt\tnvfre "/\\N_LP',
        '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029',
        strict=True,
    )
)


@dataclass(slots=True)
class _Traced:
    """A text that is put together, and where in the source each character of it was."""

    text: list[str] = field(default_factory=list)
    at: list[int] = field(default_factory=list)

    def add(self, character: str, at: int) -> None:
        self.text.append(character)
        self.at.append(at)

    def extend(self, other: _Traced) -> None:
        self.text += other.text
        self.at += other.at


class Scalar:
    """One scalar of a file."""

    def __init__(self, node: yaml.ScalarNode, text: str) -> None:
        """See the class.

        Args:
            node: as the parser gave it.
            text: of the whole file, without a byte order mark.
        """
        self._value = str(node.value)
        self._begin = (node.start_mark.line, node.start_mark.column)
        self._start = int(node.start_mark.index)
        self._text = text
        self._at = self._traced(node)
        """Where the characters of its text stand in the file; one more for its end."""
        end = self._at[-1] if self._at else 0
        self._lines = [self._start]
        self._lines += [m.end() for m in _BREAK.finditer(text, self._start, end)]

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return line and column in the file of a place in the text; all count from 1.

        Of a place behind the end, that of the end; the scalar's own where nothing else is known.
        """
        first, start = self._begin
        if not self._at:
            return first + 1, start + 1
        at = 0
        for _ in range(line - 1):
            following = self._value.find("\n", at)
            if following < 0:
                break
            at = following + 1
        offset = self._at[min(at + column - 1, len(self._value))]
        number = bisect_right(self._lines, offset) - 1
        before = start if number == 0 else 0
        return first + number + 1, before + offset - self._lines[number] + 1

    def _traced(self, node: yaml.ScalarNode) -> list[int]:
        end = int(node.end_mark.index)
        properties = _PROPERTY.match(self._text, self._start, end)
        start = properties.end() if properties else self._start
        if node.style in ("|", ">"):
            return self._block(start, is_literal=node.style == "|")
        inner = _Traced()
        quote = node.style or ""
        if quote:
            start, end = start + 1, end - 1
        _flow(self._text, start, end, quote, inner)
        return [*inner.at, end] if "".join(inner.text) == self._value else []

    def _block(self, start: int, *, is_literal: bool) -> list[int]:
        header = _HEADER.match(self._text, start)
        following = _BREAK.match(self._text, header.end()) if header else None
        if header is None or following is None:
            return []
        chomp = header[1] or header[3]
        first = following.end()
        lead = re.compile("(?: *(?:\r\n|[\n\r\x85\u2028\u2029]))*( *)").match(self._text, first)
        deepest = len(lead[1]) if lead else 0
        for indent in range(deepest, -1, -1):  # an indicator says less than all leading blanks
            traced, end = _block(self._text, first, indent, chomp, is_literal=is_literal)
            if "".join(traced.text) == self._value:
                return [*traced.at, end]
        return []


def _breaks(text: str, at: int, end: int, indent: int | None = None) -> tuple[_Traced, int]:
    """Read line breaks, with the blanks between them: `indent` ones at most, or any."""
    found = _Traced()
    while True:
        begin = at
        while (
            at < end
            and text[at] in (" " if indent is not None else _BLANKS)
            and (indent is None or at - begin < indent)
        ):
            at += 1
        broken = _BREAK.match(text, at, end)
        if broken is None:
            return found, at
        found.add(broken[0] if broken[0] in "\u2028\u2029" else "\n", at)
        at = broken.end()


def _flow(text: str, at: int, end: int, quote: str, into: _Traced) -> None:
    """Read a plain or quoted scalar that goes from `at` to `end`."""
    while at < end:
        character = text[at]
        if character in _BLANKS or _BREAK.match(text, at):
            at = _folded(text, at, end, into)
        elif quote == '"' and character == "\\" and at + 1 < end:
            broken = _BREAK.match(text, at + 1, end)
            if broken is not None:
                further, at = _breaks(text, broken.end(), end)
                into.extend(further)
                continue
            code = text[at + 1]
            length = _ESCAPED.get(code, 0)
            if length:
                digits = text[at + 2 : at + 2 + length]
                into.add(chr(int(digits, 16)), at)
            else:
                into.add(_NAMED.get(code, code), at)
            at += 2 + length
        else:
            into.add(character, at)
            at += 2 if quote == "'" and character == "'" else 1


def _folded(text: str, at: int, end: int, into: _Traced) -> int:
    """Read blanks, which stay within a line, and line breaks, which become one blank or fewer."""
    begin = at
    while at < end and text[at] in _BLANKS:
        at += 1
    if _BREAK.match(text, at, end) is None:
        for blank in range(begin, at):
            into.add(text[blank], blank)
        return at
    found, at = _breaks(text, at, end)
    if found.text[0] != "\n":
        into.extend(found)
    elif len(found.text) == 1:
        into.add(" ", found.at[0])
    else:
        into.extend(_Traced(found.text[1:], found.at[1:]))
    return at


def _block(text: str, at: int, indent: int, chomp: str, *, is_literal: bool) -> tuple[_Traced, int]:
    """Read the lines of a block scalar that are indented so far; return also where it ends."""
    end = len(text)
    into = _Traced()
    trailing, at = _breaks(text, at, end, indent)
    last, was_blank = _Traced(), False
    while at < end and _column(text, at) == indent:
        is_blank = text[at] in _BLANKS
        if not is_literal and last.text == ["\n"] and not was_blank and not is_blank:
            if not trailing.text:
                into.add(" ", last.at[0])
        else:
            into.extend(last)
        into.extend(trailing)
        was_blank = is_blank
        broken = _BREAK.search(text, at)
        stop = broken.start() if broken else end
        for place in range(at, stop):
            into.add(text[place], place)
        last, at = _Traced(), stop
        if broken is not None:
            last.add(broken[0] if broken[0] in "\u2028\u2029" else "\n", stop)
            at = broken.end()
        trailing, at = _breaks(text, at, end, indent)
    closing = last.at[0] if last.at else at
    if chomp != "-":
        into.extend(last)
    if chomp == "+":
        into.extend(trailing)
    return into, closing


def _column(text: str, at: int) -> int:
    """Return how many blanks stand before a place, from the beginning of its line."""
    begin = at
    while begin > 0 and text[begin - 1] == " ":
        begin -= 1
    return at - begin
