"""The guard on the bare text: what engines read otherwise than the parser does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlglot import TokenType, exp

from pipeline.database import guard_nodes as nodes
from pipeline.errors import RefusedError

LONGEST = 20_000
"""Characters; sqlglot needs some 0.5 s for that many at worst."""

MYSQL_FAMILY = frozenset(["mysql", "doris", "singlestore", "starrocks", "tidb"])

# What MySQL takes for text or comment, so that `/*!` inside a string isn't taken for code.
_MYSQL_PIECES = re.compile(
    r"""
    '(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.|"")*" | `(?:[^`]|``)*`
  | \#[^\n]* | --(?=[\s\x00-\x1f])[^\n]* | (?P<code>/\*M?!) | /\*.*?\*/
    """,
    re.VERBOSE | re.DOTALL,
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029]|\r(?!\n)")
_ODD_SPACE = re.compile(r"[^\S\x00-\x7f]")  # non-ASCII white space
_QUOTED = frozenset(
    name
    for name in dir(TokenType)
    if name.endswith("STRING") or name in ("IDENTIFIER", "HEREDOC_STRING")
)


class Text:
    """A statement's text and tokens, and the places in it."""

    def __init__(self, sql: str, dialect: str, tokens: Sequence[Any]) -> None:
        self.sql = sql
        self.dialect = dialect
        self.tokens = tokens
        self._refuse_odd_spaces()
        if dialect in ("tsql", "fabric"):
            self._refuse_statement_words()
        if dialect in ("postgres", "redshift", "duckdb"):
            self._refuse_unicode_escapes()

    def refusal(self, problem: str, start: int | None, *, fix: str) -> RefusedError:
        """Return the refusal of what begins at the offset `start`."""
        if start is None:
            return RefusedError(problem, fix=fix)
        return RefusedError(f"{problem} ({place(self.sql, start)})", fix=fix)

    def position(self, node: Any) -> int | None:
        """Return the offset of a node, as near as the parser kept it."""
        for part in node.walk(bfs=False):
            start = part.meta.get("start")
            if isinstance(start, int):
                return start
        kind = type(node).__name__
        words = nodes.FIRST_TOKENS.get(kind, (nodes.SPOKEN.get(kind, kind).upper(),))
        for token in self.tokens:
            if token.text.upper() in words:
                return int(token.start)
        above = node.parent
        return self.position(above) if isinstance(above, exp.Alias | exp.Dot) else None

    def _refuse_odd_spaces(self) -> None:
        """The parser takes them for blanks, engines for letters of a name."""
        for match in _ODD_SPACE.finditer(self.sql):
            inside = any(
                token.start <= match.start() <= token.end
                for token in self.tokens
                if token.token_type.name in _QUOTED
            )
            if not inside:
                raise self.refusal(
                    f"a blank that isn't plain (U+{ord(match[0]):04X}) stands outside quotes",
                    match.start(),
                    fix="use ordinary spaces",
                )

    def _refuse_statement_words(self) -> None:
        for token in self.tokens:
            word = token.text.upper()
            if word in nodes.TSQL_WORDS and token.token_type.name not in _QUOTED:
                raise self.refusal(
                    f"{word} begins a statement of its own in T-SQL",
                    token.start,
                    fix="send one SELECT; a column of that name is written [" + token.text + "]",
                )

    def _refuse_unicode_escapes(self) -> None:
        for match in re.finditer(r"[uU]&(?=[\"'])", self.sql):
            if any(t.start == match.start() and t.text.upper() == "U" for t in self.tokens):
                raise self.refusal(
                    "a U&'…' or U&\"…\" escape hides what it names",
                    match.start(),
                    fix="write the characters themselves",
                )


def check_text(sql: str, dialect: str) -> None:
    """Refuse text that is too long or that no parser and engine read alike."""
    if len(sql) > LONGEST:
        raise RefusedError(
            f"the statement has {len(sql):,} characters, {LONGEST:,} are allowed",
            fix="write less: join to a table instead of listing values",
        )
    control = _CONTROL.search(sql)
    if control:
        raise RefusedError(
            f"there is a control character (U+{ord(control[0]):04X}, "
            f"{place(sql, control.start())}), which engines read in different ways",
            fix="write line breaks as \\n and leave out other control characters",
        )
    if any("\ud800" <= character <= "\udfff" for character in sql):
        raise RefusedError("the text is no valid Unicode", fix="leave out the broken characters")
    if dialect in MYSQL_FAMILY:
        _refuse_executable_comments(sql)


def _refuse_executable_comments(sql: str) -> None:
    for match in _MYSQL_PIECES.finditer(sql):
        if match["code"]:
            raise RefusedError(
                f"MySQL and MariaDB run what stands in a {match['code']} … */ comment "
                f"({place(sql, match.start())})",
                fix="leave the comment out, or begin it with a blank: /* …",
            )


def place(sql: str, start: int) -> str:
    """Return `line 2, column 5` for an offset."""
    line = sql.count("\n", 0, start) + 1
    return f"line {line}, column {start - (sql.rfind(chr(10), 0, start) + 1) + 1}"
