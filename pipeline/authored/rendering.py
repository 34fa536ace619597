"""JSON values as YAML, in block or flow style, for entries that are put into people's files."""

from __future__ import annotations

from typing import Any

from pipeline.authored.writing import key, scalar


def inline(value: Any, *, in_flow: bool = False) -> str:
    """Return a value on one line.

    Args:
        value: None, a bool, an int, text, or lists and dicts of these.
        in_flow: it stands inside `[…]` or `{…}`, where a comma ends plain text.
    """
    if isinstance(value, dict):
        pairs = (f"{_in_flow(key(k))}: {inline(v, in_flow=True)}" for k, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(inline(item, in_flow=True) for item in value) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return _in_flow(scalar(value)) if in_flow else scalar(value)


def block(value: Any, indent: int, step: int) -> list[str]:
    """Return the lines of a list or a dict that isn't empty, each `indent` blanks in."""
    pad = " " * indent
    lines = []
    if isinstance(value, dict):
        for name, item in value.items():
            lines += entry(f"{pad}{key(name)}:", item, indent + step, step)
        return lines
    for item in value:
        if isinstance(item, dict | list) and item:
            first, *others = block(item, indent + 2, step)
            lines += [f"{pad}- {first[indent + 2 :]}", *others]
        else:
            lines += entry(f"{pad}-", item, indent + 2, step)
    return lines


def entry(head: str, value: Any, indent: int, step: int) -> list[str]:
    """Return the lines of `head` (`key:` or `-`) and its value, of which nested ones stand below.

    Args:
        head: with the blanks before it.
        value: what follows it.
        indent: of the lines below it.
        step: how much deeper each level is.
    """
    if isinstance(value, dict | list) and value:
        return [head, *block(value, indent, step)]
    if isinstance(value, str) and is_literal(value):
        mark = "|" if value.endswith("\n") else "|-"
        pad = " " * indent
        return [f"{head} {mark}", *(pad + line if line else "" for line in value.splitlines())]
    return [f"{head} {inline(value)}"]


def is_literal(text: str) -> bool:
    """Whether text of several lines can stand as it is behind `|`."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return (
        "\n" in text
        and all(line.isprintable() for line in lines)
        and bool(lines[0].strip())
        and not lines[0][0].isspace()
        and bool(lines[-1].strip())
    )


def _in_flow(text: str) -> str:
    """Quote plain text that would mean something else inside brackets."""
    if text[0] in "'\"" or not any(character in text for character in ",[]{}?"):
        return text
    return "'" + text.replace("'", "''") + "'"
