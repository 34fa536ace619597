"""How a dialect writes names, texts and comments; taken from sqlglot's tokenizers.

Only the lexical rules are sqlglot's. DDL is full of clauses that differ by vendor and version and
say nothing of structure, so it is read piece by piece and what isn't known is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pipeline.database.sqlite_ddl import Token
from pipeline.errors import SettingError, did_you_mean

_NO_SQL = ("", "dax", "prql", "solr", "tableau")
_MYSQL = ("mysql", "doris", "starrocks", "singlestore")
_ESCAPED = {"0": "\0", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}
_BRACKETS = {"[": "]", "{": "}", "(": ")", "<": ">"}
_DEEPEST = 12
"""Levels of comments in comments; a regular expression can't count."""

Closer = Callable[[str, int], int]
"""Returns where something that was opened ends in a line, from a place on; -1 if it doesn't."""


@dataclass(frozen=True, slots=True)
class _Prefixed:
    """Texts with rules of their own, which letters before the quote announce."""

    letters: str
    """A regular expression of the letters."""
    before: str
    """One that holds where a quote follows them."""
    body: str
    """One of the text from its quote on."""


_ESCAPES = _Prefixed("[eE]", r"(?<=[eE])(?<![\w$][eE])", r"'(?:[^'\\]++|''|\\.)*+'")
_RAW = _Prefixed("[rR]", r"(?<=[rR])(?<![\w$][rR])", """(?:'[^']*+'|"[^"]*+")""")
_Q = _Prefixed(
    "[nN]?[qQ]",
    r"(?:(?<=[qQ])(?<![\w$\#][qQ])|(?<=[nN][qQ])(?<![\w$\#][nN][qQ]))",
    r"'(?:\[.*?\]|\{.*?\}|\(.*?\)|<.*?>|(?P<mark_q>[^\s\[{(<]).*?(?P=mark_q))'",
)


def dialects() -> tuple[str, ...]:
    """Return the names of all dialects that DDL may be in."""
    from sqlglot.dialects.dialect import Dialects

    return tuple(sorted(d.value for d in Dialects if d.value not in _NO_SQL))


class Lexis:
    """The lexical rules of one dialect."""

    def __init__(self, dialect: str) -> None:
        """See the class.

        Raises:
            SettingError: there is no such dialect.
        """
        from sqlglot.dialects.dialect import Dialect

        known = dialects()
        if dialect not in known:
            raise SettingError(
                f"dialect: {dialect} is no dialect of SQL that can be read",
                fix=did_you_mean(dialect, known, f"use one of {', '.join(known)}"),
            )
        found = Dialect.get_or_raise(dialect)
        rules: Any = found.tokenizer_class
        self.dialect = dialect
        self.is_mysql = dialect in _MYSQL
        self.folding = str(found.NORMALIZATION_STRATEGY.value)
        self._names = dict(_pairs(rules.IDENTIFIERS))
        self._texts = {o: c for o, c in _pairs(rules.QUOTES) if o not in self._names}
        self._backslashes = "\\" in rules.STRING_ESCAPES
        self._lines = [c for c in rules.COMMENTS if isinstance(c, str)]
        self._prefixed = _prefixed(dialect, rules)
        self._nests = bool(rules.NESTED_COMMENTS)
        self.has_dollars = bool(rules.HEREDOC_STRINGS) or dialect in ("snowflake", "databricks")
        text = "|".join(self._text(o, c) for o, c in self._texts.items())
        name = "|".join(_quoted(o, c) for o, c in self._names.items())
        line = "|".join(map(re.escape, sorted(self._lines, key=len, reverse=True)))
        special = self._prefixed
        announced = f"{special.letters}{special.body}|" if special else ""
        dollars = r"|\$(?P<tag>\w*+)\$.*?(?:\$(?P=tag)\$|\Z)" if self.has_dollars else ""
        self._dollar = re.compile(r"(?<![\w$])\$\w*\$") if self.has_dollars else None
        self._before = re.compile(special.before) if special else None
        free = f"{special.before}{special.body}|(?!{special.before})" if special else ""
        self.quoted = f"(?:{free}(?:{text})|{name})"
        """A regular expression of a complete text or quoted name."""
        self.line_comment = f"(?:{line})"
        self._token = re.compile(
            rf"""(?P<space>\s++)|(?P<line>(?:{line})[^\n]*+)|(?P<block>{_block(nests=self._nests)})"""
            rf"""|(?P<text>{announced}[nNbBxX]?(?:{text}){dollars})|(?P<name>{name})"""
            r"""|(?P<word>[@\#]*+[^\W\d][\w$\#]*+|\d[\w.]*+)|(?P<mark>.)""",
            re.DOTALL,
        )

    def _text(self, opening: str, closing: str) -> str:
        mark = re.escape(closing[0])
        if len(opening) > 1:
            return f"{re.escape(opening)}.*?{re.escape(closing)}"
        if self._backslashes:
            return rf"{re.escape(opening)}(?:[^{mark}\\]++|{mark}{mark}|\\.)*+{mark}"
        return rf"{re.escape(opening)}(?:[^{mark}]++|{mark}{mark})*+{mark}"

    def closer(self, line: str, position: int) -> Closer | None:
        """Return what ends the comment, text or name that begins at `position`; None: none does."""
        if line.startswith("/*", position):
            return _comment_closer(nests=self._nests)
        dollar = self._dollar.match(line, position) if self._dollar else None
        if dollar is not None:
            return _closer(re.compile(f".*?{re.escape(dollar[0])}", re.DOTALL), len(dollar[0]))
        special = self._prefixed
        if (
            special
            and line[position] == "'"
            and self._before
            and self._before.match(line, position)
        ):
            return _announced_closer(special, line, position)
        closing = self._rest_of(line[position])
        return None if closing is None else _closer(closing, 1)

    def _rest_of(self, opening: str) -> re.Pattern[str] | None:
        """Return what closes a text or name behind the mark that opens it."""
        closing = self._texts.get(opening) or self._names.get(opening)
        if closing is None:
            return None
        mark = re.escape(closing)
        if self._backslashes and opening in self._texts:
            return re.compile(rf"(?:[^{mark}\\]++|{mark}{mark}|\\.)*+{mark}", re.DOTALL)
        return re.compile(rf"(?:[^{mark}]++|{mark}{mark})*+{mark}", re.DOTALL)

    @property
    def openings(self) -> str:
        """The marks that open a text or a quoted name."""
        return "".join(mark for mark in (*self._texts, *self._names) if len(mark) == 1)

    def tokens(self, sql: str) -> list[Token]:
        """Split SQL text; the pieces joined are the text again."""
        return [
            Token(_KINDS.get(m.lastgroup or "", m.lastgroup or ""), m[0], m.start())
            for m in self._token.finditer(sql)
        ]

    def fold(self, name: str) -> str:
        """Return an unquoted name as the engine stores it."""
        if self.folding == "UPPERCASE":
            return name.upper()
        return name.lower() if self.folding == "LOWERCASE" else name

    def name(self, token: Token) -> str:
        """Return the name that a token stands for."""
        if token.kind == "word":
            return self.fold(token.text)
        if token.kind == "text":
            return self.text(token)
        closing = self._names[token.text[:1]]
        return token.text[1:].removesuffix(closing).replace(closing * 2, closing)

    def name_of(self, token: Token) -> str | None:
        """Return the name that a token stands for; None if it is none."""
        return self.name(token) if token.kind in ("word", "name") else None

    def text(self, token: Token) -> str:
        """Return the text that a literal stands for."""
        spelled = token.text
        if self.has_dollars and spelled.startswith("$"):
            tag = spelled[: spelled.index("$", 1) + 1]
            return spelled.removeprefix(tag).removesuffix(tag)
        escapes = self._backslashes
        if spelled[:1].isalpha():
            special = self._prefixed
            if special in (_Q, _RAW) and re.match(f"{special.letters}['\"]", spelled):
                edge = 1 + (special is _Q)
                return spelled.lstrip("nNqQrR")[edge:-edge]
            escapes = escapes or spelled[0] in "eE"
            spelled = spelled[1:]
        mark = spelled[:1]
        inner = spelled[1:].removesuffix(mark)
        if not escapes:
            return inner.replace(mark * 2, mark)
        return re.sub(
            rf"{re.escape(mark)}{re.escape(mark)}|\\(.)",
            lambda m: _ESCAPED.get(m[1], m[1]) if m[1] else mark,
            inner,
            flags=re.DOTALL,
        )


_KINDS = {"tag": "text", "mark_q": "text"}


def _prefixed(dialect: str, rules: Any) -> _Prefixed | None:
    """Return the texts of a dialect that letters announce; those of one kind, as none has two."""
    if ("E'", "'") in _pairs(rules.BYTE_STRINGS):
        return _ESCAPES
    if dialect == "oracle":
        return _Q
    return _RAW if dialect in ("spark", "databricks") else None


def _block(*, nests: bool) -> str:
    """Return a regular expression of a comment, whole or cut off."""
    if not nests:
        return r"/\*.*?(?:\*/|\Z)"
    found = r"/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)"
    for _ in range(_DEEPEST):
        found = rf"/\*(?:[^*/]++|\*(?!/)|/(?!\*)|{found})*+(?:\*/|\Z)"
    return found


def _closer(pattern: re.Pattern[str], skips: int) -> Closer:
    """Return what finds the end of something; in the line that opens it, behind the opening."""
    is_first = True

    def close(line: str, position: int) -> int:
        nonlocal is_first
        start = position + skips if is_first else position
        is_first = False
        match = pattern.match(line, start)
        return match.end() if match else -1

    return close


def _announced_closer(special: _Prefixed, line: str, position: int) -> Closer:
    if special is _ESCAPES:
        return _closer(re.compile(r"(?:[^'\\]++|''|\\.)*+'", re.DOTALL), 1)
    if special is _RAW:
        return _closer(re.compile(r"[^']*+'"), 1)
    mark = line[position + 1 : position + 2]
    return _closer(re.compile(rf".*?{re.escape(_BRACKETS.get(mark, mark))}'", re.DOTALL), 2)


_ENDS = re.compile(r"/\*|\*/")


def _comment_closer(*, nests: bool) -> Closer:
    """Return what finds the end of a comment; where they nest, each `/*` needs a `*/`."""
    depth = 0

    def close(line: str, position: int) -> int:
        nonlocal depth
        for match in _ENDS.finditer(line, position):
            if match[0] == "*/":
                depth -= 1
            elif nests or depth == 0:
                depth += 1
            if depth == 0:
                return match.end()
        return -1

    return close


def _pairs(marks: Iterable[Any]) -> Iterable[tuple[str, str]]:
    for mark in marks:
        yield (mark, mark) if isinstance(mark, str) else (mark[0], mark[1])


def _quoted(opening: str, closing: str) -> str:
    mark = re.escape(closing)
    return rf"{re.escape(opening)}(?:[^{mark}]++|{mark}{mark})*+{mark}"
