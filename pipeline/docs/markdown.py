"""Markdown that untrusted text can't break out of.

Two kinds of strings meet here: raw text (from data, comments, people, models) and finished
Markdown. `text`, `name`, `code` and `fence` make the second from the first; everything else takes
finished Markdown. The rules are those of GitHub Flavored Markdown.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterable, Sequence

from pipeline.text import one_line

_SYNTAX = re.compile(r"(?i)[\\`*\[\]~$]|<(?=[A-Za-z/!?])|&(?=#|\w+;)|:(?=//)|(?<=www)\.")
_OUTER_UNDERSCORES = re.compile(r"(?<!\w)_+|_+(?!\w)")
_LINE_START = re.compile(r"^(#{1,6}(?=\s|$)|[>|]|[-+](?=\s|$)|=+$|-+$|\d{1,9}(?=[.)](?:\s|$)))")
_UNSEEN_BLANKS = re.compile(r"^ +| +$|(?<= ) +")
_PLAIN_CODE = re.compile(r"^[^`|\s](?:[^`|]*[^`|\s])?$")


def text(raw: str) -> str:
    """Return raw text as inline Markdown that shows exactly its words, on one line, and no link."""
    escaped = _SYNTAX.sub(r"\\\g<0>", one_line(raw))
    escaped = _OUTER_UNDERSCORES.sub(lambda run: r"\_" * len(run[0]), escaped)
    return _LINE_START.sub(_escape_start, escaped)


def name(raw: str) -> str:
    """Return an identifier as inline Markdown; what can't be seen stands as an escape.

    So do blanks at an end, and all but one of several: a page shows none of them.
    """
    return text(_UNSEEN_BLANKS.sub(lambda run: r"\x20" * len(run[0]), visible(raw)))


def visible(raw: str) -> str:
    """Return `raw` with what can't be seen (line breaks, direction marks, …) as escapes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in raw)


def code(raw: str) -> str:
    """Return raw text as inline code that is safe in a table cell too, blanks at its ends kept."""
    shown = visible(raw)
    if _PLAIN_CODE.match(shown):
        return f"`{shown}`"
    entities = "".join(c if c.isalnum() or c == " " else f"&#{ord(c)};" for c in shown)
    return f"<code>{entities}</code>"


def origin(written_by: str, source: str = "") -> str:
    """Return in italics who wrote a text, unless it was a person; `source` is raw text."""
    if written_by in ("", "human"):
        return ""
    return f"*({written_by}{', ' + text(source) if source else ''})*"


def bold(raw: str) -> str:
    """Return raw text in bold; '' stays empty."""
    shown = text(raw)
    return f"**{shown}**" if shown else ""


def fence(raw: str, language: str = "sql") -> str:
    """Return raw text as a fenced block; the fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", raw)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{raw.strip(chr(10))}\n{ticks}"


def sentence(parts: Iterable[str]) -> str:
    """Return finished Markdown phrases as one, with semicolons between."""
    kept = [part for part in parts if part]
    return "; ".join([*(part.removesuffix(".") for part in kept[:-1]), *kept[-1:]])


def link(label: str, target: str) -> str:
    """Return a link; `label` is finished Markdown, `target` a raw relative path with `#anchor`."""
    path, _, anchor = target.partition("#")
    quoted = urllib.parse.quote(path) + (f"#{urllib.parse.quote(anchor)}" if anchor else "")
    return f"[{label}]({quoted})"


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of finished Markdown; columns that are empty in every row are left out."""
    filled = list(rows)
    kept = [i for i in range(len(headers)) if i == 0 or any(row[i] for row in filled)]
    lines = [_row([headers[i] for i in kept]), _row(["---"] * len(kept))]
    lines.extend(_row([row[i] for i in kept]) for row in filled)
    return "\n".join(lines)


def details(summary: str, body: str) -> str:
    """Return a block that is folded until it is clicked; `summary` is finished Markdown or HTML."""
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>"


def bullets(items: Iterable[str]) -> str:
    """Return finished Markdown lines as a list."""
    return "\n".join(f"- {item}" for item in items)


def page(blocks: Iterable[str]) -> str:
    """Return blocks as a page: one blank line between, none empty, a line break at the end."""
    return "\n\n".join(block for block in blocks if block) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _escape_start(match: re.Match[str]) -> str:
    found = match.group(1)
    if found == "|":
        return "&#124;"  # a backslash before it would be taken apart by a table
    return f"{found}\\" if found.isdigit() else f"\\{found}"
