"""The guard: only one statement that reads, judged on its syntax tree, gets past it.

What stands on no list is refused, so that a construct nobody thought of is refused too. The text
that was checked is the text that runs; it is never written anew from the tree. Why each rule is
there, with the cases that made it: tests/guard/.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from pipeline.database import guard_nodes as nodes
from pipeline.database.guard_text import Text, check_text
from pipeline.database.guard_walk import CALLED, Walk
from pipeline.errors import RefusedError, SettingError
from schemas.facts import Catalog

_warned = threading.local()


def check(
    sql: str,
    dialect: str,
    *,
    catalog: Catalog | None,
    allow_functions: Iterable[str] = (),
    allow_tables: Iterable[str] = (),
) -> Any:
    """Return the tree of `sql` (a sqlglot expression) when it is one statement that only reads.

    With a `catalog` each table must be in it, be named by a CTE, be in `allow_tables` or be one of
    the dialect's harmless system views; without one any plain name passes.

    Raises:
        RefusedError: it is anything else; the text says what, where, and what to write instead.
        SettingError: sqlglot doesn't know the dialect.
    """
    parser = _dialect(dialect)
    check_text(sql, dialect)
    text = Text(sql, dialect, _tokens(parser, sql, dialect))
    _refuse_other_statements(text)
    tree = _parse(parser, text)
    try:
        Walk(
            text,
            catalog,
            allow_functions=frozenset(name.casefold() for name in allow_functions),
            allow_tables=frozenset(name.casefold() for name in allow_tables),
        ).check(tree)
    except RecursionError as error:
        raise _too_deep() from error
    return tree


@cache
def _dialect(name: str) -> Any:
    try:
        dialect = Dialect.get_or_raise(name)
    except ValueError as error:
        raise SettingError(
            f"SQL of the dialect {name!r} can't be checked",
            fix="use a source whose dialect sqlglot reads, or work without run_sql",
        ) from error
    dialect.ORIGINAL_NAME_META_KEY = CALLED
    return dialect


def _tokens(dialect: Any, sql: str, name: str) -> list[Any]:
    try:
        return list(dialect.tokenize(sql))
    except (SqlglotError, RecursionError) as error:
        raise RefusedError(
            f"this can't be read as {name} SQL: {_first_line(error)}",
            fix="close every quote and comment, then send it again",
        ) from error


def _refuse_other_statements(text: Text) -> None:
    """Refuse what isn't a query, and a second statement, by the words that begin them."""
    at_start = True
    is_first = True
    for token in text.tokens:
        if token.token_type == sqlglot.TokenType.SEMICOLON:
            at_start, is_first = True, False
            continue
        if at_start:
            word = (token.text.split() or [""])[0].upper()
            if not is_first:
                raise text.refusal(
                    f"a second statement ({word or token.text}) follows the first",
                    token.start,
                    fix="send one statement at a time, without anything after `;`",
                )
            quoted = token.token_type in (sqlglot.TokenType.IDENTIFIER, sqlglot.TokenType.STRING)
            if word in nodes.STATEMENT_WORDS and not quoted:
                raise text.refusal(f"{word} is no query", token.start, fix=_instead_of(word))
        at_start = False
    if not text.tokens:
        raise RefusedError("there is no statement", fix="send one SELECT statement")


def _instead_of(word: str) -> str:
    if word in ("SHOW", "PRAGMA", "EXPLAIN"):
        return "only SELECT runs here; table structure is in the catalogue: use describe_table"
    return "only SELECT (or WITH … SELECT) runs here; the data can't be changed"


def _parse(dialect: Any, text: Text) -> Any:
    _warned.messages = []
    try:
        trees = dialect.parser().parse(text.tokens, text.sql)
        warned = list(_warned.messages)
    except RecursionError as error:
        raise _too_deep() from error
    except SqlglotError as error:
        raise _unparsable(text, error) from error
    except (ValueError, TypeError, AttributeError, IndexError, KeyError) as error:
        # sqlglot trips over some malformed input; that is a statement nobody can judge.
        raise text.refusal(
            f"this can't be read as {text.dialect} SQL", 0, fix="write it in a plainer way"
        ) from error
    finally:
        _warned.messages = None
    whole = [t for t in trees if t is not None and not isinstance(t, exp.Semicolon)]
    if len(whole) != 1:
        raise RefusedError(
            f"there are {len(whole)} statements instead of one", fix="send one SELECT statement"
        )
    tree = whole[0]
    if type(tree).__name__ not in nodes.ROOTS:
        kind = type(tree).__name__
        found = nodes.SPOKEN.get(kind, kind)
        raise text.refusal(
            f"{found} is no query", text.position(tree), fix=_instead_of(found.upper())
        )
    if warned:
        raise text.refusal(
            f"part of this can't be judged ({warned[0]})", 0, fix="write it in a plainer way"
        )
    return tree


def _unparsable(text: Text, error: SqlglotError) -> RefusedError:
    for token in text.tokens:
        word = token.text.upper()
        if word in nodes.WRITING_WORDS and token.token_type != sqlglot.TokenType.IDENTIFIER:
            raise text.refusal(
                f"{word} is not allowed in a query", token.start, fix=_instead_of(word)
            ) from error
    details: Sequence[dict[str, Any]] = getattr(error, "errors", None) or [{}]
    first = details[0]
    message = str(first.get("description") or _first_line(error)).rstrip(".")
    near = str(first.get("highlight") or "").strip()
    where = f" near {near!r}" if near else ""
    line, column = first.get("line"), first.get("col")
    place = f" (line {line}, column {column})" if line else ""
    return RefusedError(
        f"this can't be read as {text.dialect} SQL{where}{place}: {message}",
        fix="correct the syntax; only one SELECT of this dialect runs",
    )


def _first_line(error: Exception) -> str:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    return (plain.splitlines() or [""])[0]


def _too_deep() -> RefusedError:
    return RefusedError(
        "the statement is nested too deeply to be judged",
        fix="write fewer nested parentheses, CASEs and subqueries, e.g. with CTEs",
    )


class _Listener(logging.Filter):
    """Takes sqlglot's warnings during a parse: it warns where it gives up understanding."""

    def filter(self, record: logging.LogRecord) -> bool:
        messages: list[str] | None = getattr(_warned, "messages", None)
        if messages is None:
            return True
        messages.append(record.getMessage().splitlines()[0][:100])
        return False


logging.getLogger("sqlglot").addFilter(_Listener())
