"""How a dialect writes names, texts and comments; taken from sqlglot's tokenizers.

Only the lexical rules are sqlglot's. DDL is full of clauses that differ by vendor and version and
say nothing of structure, so it is read piece by piece and what isn't known is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pipeline.database.sqlite_ddl import Token
from pipeline.errors import SettingError, did_you_mean

_NO_SQL = ("", "dax", "prql", "solr", "tableau")
_MYSQL = ("mysql", "doris", "starrocks", "singlestore")
_ESCAPED = {"0": "\0", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}


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
        self.has_dollars = bool(rules.HEREDOC_STRINGS) or dialect in ("snowflake", "databricks")
        text = "|".join(self._text(o, c) for o, c in self._texts.items())
        name = "|".join(_quoted(o, c) for o, c in self._names.items())
        line = "|".join(map(re.escape, sorted(self._lines, key=len, reverse=True)))
        escaped = r"|[eE]'(?:[^'\\]++|''|\\.)*+'?" if self.has_dollars else ""
        dollars = r"|\$(?P<tag>\w*+)\$.*?(?:\$(?P=tag)\$|\Z)" if self.has_dollars else ""
        self.quoted = f"(?:{text}|{name})"
        """A regular expression of a complete text or quoted name."""
        self.line_comment = f"(?:{line})"
        self._token = re.compile(
            rf"""(?P<space>\s++)|(?P<line>(?:{line})[^\n]*+)|(?P<block>/\*.*?(?:\*/|\Z))"""
            rf"""|(?P<text>[nNbBxX]?(?:{text}){escaped}{dollars})|(?P<name>{name})"""
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

    def rest_of(self, opening: str) -> re.Pattern[str] | None:
        """Return what closes a text or name that was opened in an earlier line."""
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
            Token(m.lastgroup if m.lastgroup != "tag" else "text", m[0], m.start())  # type: ignore[arg-type]  # every branch has a name
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


def _pairs(marks: Iterable[Any]) -> Iterable[tuple[str, str]]:
    for mark in marks:
        yield (mark, mark) if isinstance(mark, str) else (mark[0], mark[1])


def _quoted(opening: str, closing: str) -> str:
    mark = re.escape(closing)
    return rf"{re.escape(opening)}(?:[^{mark}]++|{mark}{mark})*+{mark}"
