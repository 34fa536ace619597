"""Codes that a description explains in prose: `1 = In process; 2 = Approved`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CODE = r"(?P<code>'[^']{1,20}'|\"[^\"]{1,20}\"|`[^`]{1,20}`|-?\d{1,4}|[A-Z][A-Z0-9]{0,4})"
_HEADS = tuple(
    (signs, re.compile(rf"(?:(?<=[\s(,;.:\[])|^){_CODE}{mark}"))
    for signs, mark in (
        ("=", r"\s*=\s*(?!=)"),
        (":", r"\s*:\s+"),
        ("–—-", r"\s+[–—-]\s+"),
        (("->", "→"), r"\s*(?:->|→)\s*"),
        (("means", "for"), r"\s+(?:means|stands for|is for|for)\s+"),
    )
)
"""One way to write it at a time: a description that mixes them isn't a list of codes. Before it
what such a text has in it twice; most texts don't."""
_NOT_CODES = frozenset({"NULL", "NOTE", "TODO", "FIXME", "NB"})
_LONGEST = 200


def find(text: str) -> dict[str, str]:
    """Return code to meaning, in the order of the text; empty when it lists no codes.

    Two at least: a lone `NULL = current` or a formula is no list.
    """
    for signs, head in _HEADS:
        if sum(map(text.count, signs)) < 2:
            continue
        found = dict(_pairs(head, text))
        if len(found) >= 2 and len({code.isdigit() for code in found}) == 1:
            return found
    return {}


def _pairs(head: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    heads = list(head.finditer(text))
    for number, match in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        code = match["code"].strip("'\"`")
        meaning = _meaning(text[match.end() : end], last=number + 1 == len(heads))
        if code not in _NOT_CODES and meaning:
            yield code, meaning


def _meaning(text: str, *, last: bool) -> str:
    """Return the meaning at the beginning of what stands between two codes; '' when it is none."""
    if last:
        text = re.split(r"(?<=\w)[.;](?:\s|$)|\n\s*\n", text, maxsplit=1)[0]
    text = re.sub(r"\s+(?:and|or)\s*$", "", text.strip()).strip(" \t\n,;.|/([")
    if not re.match(r"[^\W\d_]", text) or len(text) > _LONGEST:
        return ""
    return " ".join(text.split())
