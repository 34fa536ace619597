"""People's YAML as a tree of nodes that know their lines, and what a scalar in it is.

Only `true`, `false`, `null`, `~`, nothing at all and canonical integers are typed; every other
plain scalar (`NO`, `012`, `1e3`, `2024-01-01`, `1.10`) stays the text that somebody wrote.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from pipeline.errors import SettingError

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # absent where PyYAML lacks libyaml
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_NULLS = frozenset(("null", "~", ""))
_PLAIN_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in ("str", "int", "float", "bool", "null", "timestamp", "value", "merge", "map", "seq")
)
_EXPANSION = 10
"""Aliases may repeat what a file holds this often (and a little more in small files)."""

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_CONFLICT = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)")
"""A line that Git leaves where two versions of a file didn't fit."""

_ADVICE = (
    (
        "found character that cannot start any token",
        "indent with blanks, not tabs, and put quotes around a text that begins with one of `@%|",
    ),
    (
        "mapping values are not allowed",
        "put quotes around a text that holds `: `, and begin the keys of one map in one column",
    ),
    ("unknown escape character", 'write the text in single quotes, where \\ is just a "\\"'),
    ("unexpected end of stream", "close the quote that is opened there"),
    ("found undefined alias", "put quotes around a text that begins with *"),
    ("but found another document", "keep one document a file: remove the line `---`"),
    ("exceeded maximum nesting depth", "nest less deeply"),
    ("control characters are not allowed", "delete the character"),
    ("YAML document", "remove the line that begins with %YAML"),
    ("directive", "put quotes around a text that begins with %"),
    ("found duplicate anchor", "give each &anchor a name of its own"),
    ("Unicode character escape", "write the character itself in place of its \\ code"),
)


def parse(path: Path) -> yaml.Node | None:
    """Return the root node of the file; None when it is absent or holds nothing.

    Raises:
        SettingError: it can't be read, is no UTF-8 or no YAML, or its aliases multiply without end.
    """
    return parse_text(text_of(path), path)


def text_of(path: Path) -> str:
    """Return what a file holds, without a byte order mark; '' when it is absent.

    Raises:
        SettingError: it can't be read, or is no UTF-8.
    """
    if path.exists() and not path.is_file():  # reading a pipe would wait for ever
        raise SettingError(
            f"{path} can't be read: it is no file", fix="make it a file that you may read"
        )
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SettingError(
            f"{path} can't be read: {error.strerror or error}",
            fix="make it a file that you may read",
        ) from error
    return _decoded(data, path)


def parse_bytes(data: bytes, path: Path) -> yaml.Node | None:
    """Return the root node of `data`, which is what `path` holds."""
    return parse_text(_decoded(data, path), path)


def parse_text(text: str, path: Path) -> yaml.Node | None:
    """Return the root node of `text`, which is what `path` holds."""
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=_LOADER)
    except (yaml.YAMLError, RecursionError) as error:
        raise _not_yaml(error, text, path) from error
    if root is None or is_null(root):
        return None
    if "&" in text and "*" in text:
        _refuse_bomb(root, path)
    return root


def is_plain(node: yaml.Node) -> bool:
    """Return whether the node is a scalar that was written without quotes or block marks."""
    return isinstance(node, yaml.ScalarNode) and not node.style


def is_null(node: yaml.Node) -> bool:
    """Return whether the node stands for nothing: `null`, `~` or an empty place."""
    return is_plain(node) and node.value in _NULLS


def typed(node: yaml.ScalarNode) -> Any:
    """Return a scalar's value: None, True, False, an int, or the text as written."""
    if node.style or node.tag == "tag:yaml.org,2002:str":
        return node.value
    if node.value in _NULLS:
        return None
    if node.value in ("true", "false"):
        return node.value == "true"
    return int(node.value) if _INTEGER.fullmatch(node.value) else node.value


def data_of(node: yaml.Node | None) -> Any:
    """Return the JSON data of a node; keys are text as written, a doubled key's last value wins."""
    if node is None:
        return None
    if isinstance(node, yaml.MappingNode):
        return {str(key.value): data_of(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [data_of(item) for item in node.value]
    return typed(node) if isinstance(node, yaml.ScalarNode) else None


def child(node: yaml.Node | None, key: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """Return where the entry of a map's key or a list's index begins, and its value."""
    if isinstance(node, yaml.MappingNode):
        return next(((k, v) for k, v in node.value if k.value == key), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        return (node.value[key], node.value[key])
    return None


def where(path: Path, node: yaml.Node) -> str:
    """Return `file:line:column` of a node, counted from 1 as editors do."""
    return f"{path}:{node.start_mark.line + 1}:{node.start_mark.column + 1}"


def odd_tag(node: yaml.Node) -> str | None:
    """Return the tag of a node that has one of its own (`!vault`, `!!python/…`), else None."""
    if node.tag in _PLAIN_TAGS:
        return None
    return str(node.tag).replace("tag:yaml.org,2002:", "!!")


def _decoded(data: bytes, path: Path) -> str:
    nulls = data[:2] != b"\0\0" and b"\0" in data[:2]  # two bytes a letter
    if data.startswith(_UTF_16) or nulls:
        raise SettingError(f"{path} is UTF-16 or UTF-32, not UTF-8", fix="save the file as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SettingError(
            f"{path}:{line}: byte {error.start + 1} of the file (0x{data[error.start]:02x}) "
            "is no UTF-8",
            fix="save the file as UTF-8",
        ) from error


def _not_yaml(error: Exception, text: str, path: Path) -> SettingError:
    for number, row in enumerate(text.split("\n"), start=1):
        if _CONFLICT.match(row):
            return SettingError(
                f"{path}:{number}:1 is no YAML: two versions of the file meet there ({row[:7]})",
                fix="settle the merge conflict: keep what is right, delete the marks",
            )
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark, context = error.problem_mark, error.context_mark
        if context is not None and "unexpected end of stream" in str(error.problem):
            mark = context
        place = f"{path}:{mark.line + 1}:{mark.column + 1}"
        problem = ", ".join(part for part in (error.context, error.problem) if part)
    elif isinstance(error, yaml.reader.ReaderError):
        before = text[: error.position].split("\n")
        place = f"{path}:{len(before)}:{len(before[-1]) + 1}"
        problem = f"{error.reason} (U+{int(error.character):04X})"
    else:
        place, problem = str(path), "exceeded maximum nesting depth"
    fix = next((fix for part, fix in _ADVICE if part in problem), "mend the indentation or quotes")
    return SettingError(f"{place} is no YAML: {problem}", fix=f"{fix}, there or just above")


def _refuse_bomb(root: yaml.Node, path: Path) -> None:
    """Refuse aliases that contain themselves or multiply a small file into a huge one."""
    sizes: dict[int, int] = {}
    opened: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, done = stack.pop()
        children = _children(node)
        if done:
            opened.discard(id(node))
            sizes[id(node)] = 1 + sum(sizes[id(c)] for c in children)
        elif id(node) in opened:
            raise SettingError(
                f"{where(path, node)}: an alias stands inside what it repeats",
                fix="write the text out instead of *alias",
            )
        elif id(node) not in sizes:
            opened.add(id(node))
            stack.append((node, True))
            stack.extend((c, False) for c in children if id(c) not in sizes or id(c) in opened)
    if sizes[id(root)] > 10_000 + _EXPANSION * len(sizes):
        raise SettingError(
            f"{path}: its aliases repeat {len(sizes):,} entries into {sizes[id(root)]:,}",
            fix="write the entries out, or use fewer aliases",
        )


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []
