"""The guard on what stands between the words: blanks and comments, as the engine reads them.

The parser takes some comments to end elsewhere than the engine does, and doesn't know all its
quotes; what it then passes over, the engine would run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from sqlglot import TokenType

from pipeline.errors import RefusedError

_NESTING = frozenset(["postgres", "redshift", "duckdb", "tsql", "fabric"])
_HASH = frozenset(["mysql", "doris", "singlestore", "starrocks", "tidb", "bigquery"])
_MARKS = ("/*", "--", "#", "//")
_BLANKS = re.compile(r"\s+")
_LINE = r"[^\n]*"
_DASHES = re.compile("--" + _LINE)
_MYSQL_DASHES = re.compile(r"--(?=[\s\x00-\x1f\x7f]|$)" + _LINE)
_OTHER_LINE = {"#": re.compile("#" + _LINE), "//": re.compile("//" + _LINE)}
_IN_BACKTICKS = "quote names in backticks: `name`"
_HOW_TO_QUOTE = dict.fromkeys([*sorted(_HASH), "databricks", "hive", "spark"], _IN_BACKTICKS)
_HOW_TO_QUOTE |= dict.fromkeys(["tsql", "fabric"], "quote names in brackets: [name]")
_EDGE = re.compile(r"/\*|\*/")


class Written(Protocol):
    """A statement with its tokens, able to refuse (`text.Text`)."""

    sql: str
    dialect: str
    tokens: Sequence[Any]

    def refusal(self, problem: str, start: int | None, *, fix: str) -> RefusedError:
        """Return the refusal of what begins at an offset."""
        ...


def check(text: Written) -> None:
    """Refuse text between the words that isn't blank and no comment of that engine.

    Raises:
        RefusedError: with the place where the engine would read on.
    """
    _refuse_unknown(text)
    if not any(mark in text.sql for mark in _MARKS):
        return
    for start, end in _gaps(text):
        stop = _skip(text, start, end)
        if stop < end:
            raise text.refusal(
                f"the comment here ends elsewhere for the engine than for the parser: "
                f"{text.sql[stop : stop + 20]!r} would run",
                stop,
                fix="leave the comment out",
            )


def _refuse_unknown(text: Written) -> None:
    for token in text.tokens:
        if token.token_type == TokenType.UNKNOWN and token.text.upper() != "UNKNOWN":
            raise text.refusal(
                f"the character {token.text[:1]!r} can't be read as {text.dialect} SQL",
                token.start,
                fix=_HOW_TO_QUOTE.get(text.dialect, 'quote names in double quotes: "name"'),
            )


def _gaps(text: Written) -> Iterator[tuple[int, int]]:
    """Yield where nothing but blanks and comments stands, for the parser."""
    start = 0
    for token in text.tokens:
        if token.start > start:
            yield start, token.start
        start = token.end + 1
    if start < len(text.sql):
        yield start, len(text.sql)


def _skip(text: Written, start: int, end: int) -> int:
    """Return where blanks and comments from `start` on end for the engine, at most `end`."""
    position = start
    while position < end:
        after = _one(text, position, end)
        if after is None:
            return position
        position = after
    return end


def _one(text: Written, position: int, end: int) -> int | None:
    """Return where one run of blanks or one comment ends; None where there is neither."""
    sql, dialect = text.sql, text.dialect
    if sql.startswith("/*", position):
        after = _block(sql, position, end, nests=dialect in _NESTING)
        # SQLite alone lets the last comment stay open.
        return end if after is None and dialect == "sqlite" and end == len(sql) else after
    patterns = [_BLANKS, _MYSQL_DASHES if dialect in _HASH - {"bigquery"} else _DASHES]
    if dialect in _HASH:
        patterns.append(_OTHER_LINE["#"])
    if dialect == "snowflake":
        patterns.append(_OTHER_LINE["//"])
    for pattern in patterns:
        match = pattern.match(sql, position, end)
        if match is not None:
            return match.end()
    return None


def _block(sql: str, position: int, end: int, *, nests: bool) -> int | None:
    if not nests:
        close = sql.find("*/", position + 2, end)
        return None if close < 0 else close + 2
    depth = 0
    for edge in _EDGE.finditer(sql, position, end):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    return None
