"""Text as YAML that every YAML reader takes for that same text, on one line."""

from __future__ import annotations

import re

from pipeline.text import one_line, shorten

_PLAIN = re.compile(r"(?:\.{0,2}/)*[A-Za-z_][\w .,;/()'%+$*=<>!&?-]*", re.ASCII)
_WORD_VALUES = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null"])
_CODE = re.compile(r"0|[1-9][0-9]{0,17}")


def scalar(text: str) -> str:
    """Return `text` as a YAML value: plain where that is safe in any YAML, else quoted."""
    if (
        _PLAIN.fullmatch(text)
        and text == text.strip()
        and text.casefold() not in _WORD_VALUES
        and " #" not in text
    ):
        return text
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_escaped(c) for c in text) + '"'


def key(text: str) -> str:
    """Return `text` as a YAML key; a whole number stays as it is, dblore reads keys as text."""
    return text if _CODE.fullmatch(text) else scalar(text)


def flow(texts: tuple[str, ...]) -> str:
    """Return a list on one line."""
    quoted = (scalar(text) for text in texts)
    return "[" + ", ".join(f"'{q}'" if "," in q and q[0] not in "'\"" else q for q in quoted) + "]"


def comment(text: str, limit: int = 160) -> str:
    """Return untrusted text as a comment: one line, `# ` before it."""
    return f"# {shorten(one_line(text), limit)}"


def _escaped(character: str) -> str:
    if character in '\\"':
        return "\\" + character
    if character.isprintable():
        return character
    number = ord(character)
    if 0xD800 <= number <= 0xDFFF:  # half of a pair: no YAML can hold it
        return "\ufffd"
    if character == "\n":
        return "\\n"
    return (
        f"\\x{number:02x}"
        if number < 0x100
        else (f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}")
    )
