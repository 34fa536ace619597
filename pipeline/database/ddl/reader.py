"""A statement as a row of tokens, read from left to right."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.database.ddl.drafts import Name, UnreadError
from pipeline.database.ddl.lexing import Lexis
from pipeline.database.sqlite_ddl import Token, closing_of, definitions_in, significant_of, span_of


class Reader:
    """Tokens without blanks and comments, and a place among them."""

    def __init__(self, lexis: Lexis, sql: str, pieces: Sequence[Token] | None = None) -> None:
        self.lexis, self.sql = lexis, sql
        self.pieces = lexis.tokens(sql) if pieces is None else pieces
        """With blanks and comments."""
        self.tokens = significant_of(self.pieces)
        self.at = 0

    @property
    def token(self) -> Token:
        """The next token; an empty mark at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    @property
    def word(self) -> str:
        """The next keyword in capitals; '' for others."""
        return self.token.word

    @property
    def is_done(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.tokens)

    def ahead(self, steps: int = 1) -> Token:
        """Return the token after the next."""
        return self.tokens[self.at + steps] if self.at + steps < len(self.tokens) else _END

    def take(self, *words: str) -> bool:
        """Step over these keywords or marks if they come next, all of them."""
        for step, word in enumerate(words):
            token = self.ahead(step)
            if (token.word or token.text) != word:
                return False
        self.at += len(words)
        return True

    def take_any(self, *words: str) -> str:
        """Step over the first of these that comes next and return it; else ''."""
        return next((word for word in words if self.take(*word.split())), "")

    def name(self) -> Name:
        """Read a name; of several parts the last two count.

        Raises:
            UnreadError: none comes.
        """
        parts = [self.part()]
        while self.token.text == "." or (self.token.text == ".." and len(parts) == 1):
            self.at += 1
            if self.token.text == ".":  # database..table
                self.at += 1
            parts.append(self.part())
        return (parts[-2] if len(parts) > 1 else None, parts[-1])

    def path(self) -> list[str]:
        """Read a name of any number of parts."""
        parts = [self.part()]
        while self.take("."):
            parts.append(self.part())
        return parts

    def part(self) -> str:
        """Read one part of a name."""
        token = self.token
        if token.kind not in ("word", "name", "text") or token.text[:1].isdigit():
            raise UnreadError(f"a name is expected before {_shown(token)}")
        self.at += 1
        return self.lexis.name(token)

    def group(self) -> list[Token]:
        """Read what stands in the parentheses that come next, without them.

        Raises:
            UnreadError: none come, or they are never closed.
        """
        if self.token.text != "(":
            raise UnreadError(f"( is expected before {_shown(self.token)}")
        end = closing_of(self.tokens, self.at)
        if end >= len(self.tokens):
            raise UnreadError("a ( is never closed")
        inside = self.tokens[self.at + 1 : end]
        self.at = end + 1
        return inside

    def rest(self) -> Sequence[Token]:
        """Return the pieces from here on, with blanks and comments."""
        start = self.token.start
        place = next((i for i, t in enumerate(self.pieces) if t.start == start), len(self.pieces))
        return [] if self.is_done else self.pieces[place:]

    def skip(self) -> None:
        """Step over one token, or all of a pair of parentheses."""
        self.at = closing_of(self.tokens, self.at) + 1 if self.token.text == "(" else self.at + 1

    def items(self) -> list[Reader]:
        """Read parentheses and return what its commas divide, each to be read by itself."""
        return [Reader(self.lexis, self.sql, d.body) for d in definitions_in(self.group())]

    def names(self) -> tuple[str, ...]:
        """Read the names in parentheses; what stands behind each, such as DESC, is left out."""
        return tuple(item.part() for item in self.items() if not item.is_done)

    def literal(self) -> str | None:
        """Read a text; None when none comes."""
        if self.token.kind not in ("text", "name") or self.token.text[:1] in "[`":
            return None
        token = self.token
        self.at += 1
        return self.lexis.text(token) if token.kind == "text" else self.lexis.name(token)

    def span(self, start: int, end: int | None = None) -> str:
        """Return the text of tokens, as written."""
        return span_of(self.sql, self.tokens[start : self.at if end is None else end])


def _shown(token: Token) -> str:
    return repr(token.text[:30]) if token.text else "the end"


_END = Token("mark", "", 0)
