"""SQL that people or engines wrote, as a tree, or why it can't be read and where."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any

from pipeline.database.grammar import grammar
from pipeline.errors import RefusedError
from pipeline.text import one_line, shorten

MOST_CHARACTERS = 100_000
"""Longer text costs the parser seconds."""
_OPEN = re.compile(r"^Missing .* from \d+:(\d+)$", re.DOTALL)
"""How sqlglot tells of a quote without an end: where it begins in the whole text."""


class UnreadableError(Exception):
    """A text is no SQL that can be read."""

    def __init__(self, reason: str, line: int = 0, column: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line, self.column = line, column
        """Counted from 1; 0: unknown."""


def parse(sql: str, dialect: str) -> Any:
    """Return the tree of one statement or condition.

    Raises:
        UnreadableError: it is none, or more than one.
    """
    import sqlglot

    if len(sql) > MOST_CHARACTERS:
        raise UnreadableError(f"it is longer than {MOST_CHARACTERS:,} characters")
    try:
        trees = [tree for tree in _trees(sql, dialect) if tree is not None]
    except sqlglot.errors.ParseError as error:
        found = error.errors[0] if error.errors else {}
        said = one_line(str(found.get("description") or "it can't be parsed")).split(" but got ")[0]
        near = one_line(str(found.get("highlight") or ""))
        told = f"{shorten(said, 80)}, near `{shorten(near, 40)}`" if near else shorten(said, 80)
        column = int(found.get("col") or 0) - len(str(found.get("highlight") or " ")) + 1
        raise UnreadableError(told, int(found.get("line") or 0), max(column, 1)) from error
    except sqlglot.errors.SqlglotError as error:
        raise _unsplit(sql, error) from error
    except RecursionError as error:
        raise UnreadableError("it is nested too deeply") from error
    except (ValueError, TypeError, AttributeError, IndexError, KeyError) as error:
        raise UnreadableError("sqlglot trips over it") from error  # it does over some input
    if len(trees) != 1:
        raise UnreadableError(
            "it holds no statement" if not trees else "it holds several statements"
        )
    return trees[0]


def _unsplit(sql: str, error: Exception) -> UnreadableError:
    """Return the error of a text that can't be split into words, with the quote that is open."""
    why = "it can't be split into words: is a quote left open?"
    begin = _OPEN.search(str(error.__cause__ or error))
    if begin is None or int(begin[1]) >= len(sql):
        return UnreadableError(why)
    before = sql[: int(begin[1])]
    return UnreadableError(why, before.count("\n") + 1, len(before) - before.rfind("\n"))


def _quiet(record: logging.LogRecord) -> bool:
    """Keep back what sqlglot says of statements that it gives up: they are told as findings."""
    return "Falling back to parsing as a 'Command'" not in record.getMessage()


def _trees(sql: str, dialect: str) -> Sequence[Any]:
    """Return the trees of a text, in the spelling that the guard found its parser to need."""
    from sqlglot import exp
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.errors import ParseError

    from pipeline.database.guard import respelling
    from pipeline.database.guard.text import Text

    logging.getLogger("sqlglot").addFilter(_quiet)
    parser = Dialect.get_or_raise(grammar(dialect))
    tokens = list(parser.tokenize(sql))
    try:
        text = Text(sql, dialect, tokens)
    except RefusedError:  # odd blanks and the like, which matter to the guard alone
        return [t for t in parser.parser().parse(tokens, sql) if not isinstance(t, exp.Semicolon)]
    tokens = list(respelling.for_parser(text))
    try:
        trees = parser.parser().parse(tokens, sql)
    except ParseError:
        respelled = respelling.for_second_try(text, tokens)
        if respelled is None:
            raise
        trees = parser.parser().parse(list(respelled), sql)
    return [tree for tree in trees if not isinstance(tree, exp.Semicolon)]
