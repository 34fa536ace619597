"""The guard on the bare text: what engines read otherwise than the parser does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlglot import TokenType

from pipeline.database.guard import gaps, nodes
from pipeline.errors import RefusedError

LONGEST = 20_000
"""Characters; sqlglot needs some 0.5 s for that many at worst."""

LONGEST_CHAIN = 60
"""Steps such as `.f(1)`, `[1]` and `|> …`: sqlglot's time grows with their square or worse."""

MYSQL_FAMILY = frozenset(["mysql", "doris", "singlestore", "starrocks", "tidb"])
TSQL_FAMILY = frozenset(["tsql", "fabric"])

# What MySQL takes for text or comment, so that `/*!` inside a string isn't taken for code.
_MYSQL_PIECES = re.compile(
    r"""
    '(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.|"")*" | `(?:[^`]|``)*`
  | \#[^\n]* | --(?=[\s\x00-\x1f])[^\n]* | (?P<code>/\*M?!) | /\*.*?\*/
    """,
    re.VERBOSE | re.DOTALL,
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029]|\r(?!\n)")
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
_ODD_SPACE = re.compile(r"[^\S\x00-\x7f]")  # non-ASCII white space
_QUOTED = frozenset(
    name
    for name in dir(TokenType)
    if name.endswith("STRING") or name in ("IDENTIFIER", "HEREDOC_STRING")
)
_LITERALS = _QUOTED - {"IDENTIFIER"}


class Text:
    """A statement's text and tokens, and the places in it."""

    QUOTED = _QUOTED
    LITERALS = _LITERALS

    def __init__(self, sql: str, dialect: str, tokens: Sequence[Any]) -> None:
        self.sql = sql
        self.dialect = dialect
        self.tokens = tokens
        self._refuse_odd_spaces()
        self._refuse_long_chains()
        gaps.check(self)
        self._refuse_unicode_escapes()

    def refusal(self, problem: str, start: int | None, *, fix: str) -> RefusedError:
        """Return the refusal of what begins at the offset `start`."""
        if start is None:
            return RefusedError(problem, fix=fix)
        return RefusedError(f"{problem} ({place(self.sql, start)})", fix=fix)

    def position(self, node: Any) -> int | None:
        """Return the offset of a node, as near as the parser kept it."""
        begun = self._begun(node)
        if begun is not None:
            return begun
        for part in node.walk(bfs=False):
            start = part.meta.get("start")
            if isinstance(start, int):
                return start
        kind = type(node).__name__
        words = nodes.FIRST_TOKENS.get(kind, (nodes.SPOKEN.get(kind, kind).upper(),))
        for token in self.tokens:
            if token.text.upper() in words:
                return int(token.start)
        for part in node.walk(bfs=False):  # a leaf that the parser made of several tokens
            if isinstance(part.args.get("this"), str) and part.name:
                start = self.find(part.name)
                if start >= 0:
                    return start
        above = node.parent
        return self.position(above) if above is not None else None

    def _begun(self, node: Any) -> int | None:
        """Return where the word stands that begins a node, of which the parser keeps a later place.

        That is the last such word before what the node holds.
        """
        words, part = nodes.first_words(node)
        known = (p.meta.get("start") for p in part.walk(bfs=False)) if words else ()
        inner = next((start for start in known if isinstance(start, int)), None)
        if inner is None:
            return None
        starts = [t.start for t in self.tokens if t.start < inner and t.text.upper() in words]
        return int(starts[-1]) if starts else None

    def find(self, word: str) -> int:
        """Return where a word stands first, whatever its case."""
        return self.sql.casefold().find(word.casefold())

    def index_at(self, start: int | None) -> int | None:
        """Return which token begins at or holds an offset."""
        for index, token in enumerate(self.tokens):
            if start is not None and token.start <= start <= token.end:
                return index
        return None

    def call(self, name: str, start: int | None) -> tuple[str, int | None]:
        """Return a function's name as it is written with what stands before it, and its place."""
        name = re.sub(r"^(M_L|A_I)_", "", name)  # how sqlglot spells ML.FORECAST
        for index, token in enumerate(self.tokens):
            if token.text.upper() != name.upper() or token.token_type.name in _LITERALS:
                continue
            if index >= 2 and self.tokens[index - 1].text == ".":
                qualifier = self.tokens[index - 2]
                return f"{qualifier.text}.{token.text}", int(qualifier.start)
            return str(token.text), int(token.start)
        return name, start

    def _refuse_odd_spaces(self) -> None:
        """The parser takes them for blanks, engines for letters of a name."""
        if self.sql.isascii():
            return
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

    def _refuse_long_chains(self) -> None:
        sql = self.sql
        if sql.count(".") + sql.count("[") + sql.count("|>") <= LONGEST_CHAIN:
            return
        steps = 0
        before = ""
        for token in self.tokens:
            text = token.text
            steps += text == "|>" or (text in (".", "[") and before in (")", "]"))
            before = text
            if steps > LONGEST_CHAIN:
                raise self.refusal(
                    f"there are more than {LONGEST_CHAIN} chained steps such as .f(…), […] or |>",
                    int(token.start),
                    fix="do part of the work in a CTE",
                )

    def _refuse_unicode_escapes(self) -> None:
        if "u&" not in self.sql.casefold():
            return
        for token in self.tokens:
            if token.token_type == TokenType.UNICODE_STRING:
                raise self.refusal(
                    "a U&'…' string hides what it says",
                    int(token.start),
                    fix="write the characters themselves, e.g. 'Ü' for U&'\\00DC'",
                )
        if self.dialect not in ("postgres", "redshift", "duckdb"):
            return
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
    if _HALF_CHARACTER.search(sql):
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
