"""The guard: only one statement that reads, judged on its syntax tree, gets past it.

What stands on no list is refused, so that a construct nobody thought of is refused too. The text
that was checked is the text that runs; it is never written anew from the tree. Why each rule is
there, with the cases that made it: tests/guard/.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from pipeline.database.guard import keywords, nodes, respelling, statements, unread
from pipeline.database.guard.blame import blame
from pipeline.database.guard.calls import CALLED, Look
from pipeline.database.guard.kept import keeping
from pipeline.database.guard.tables import Tables
from pipeline.database.guard.text import Text, check_text
from pipeline.database.guard.walk import check_tree
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
    statements.refuse_other_statements(text)
    tree = _parse(parser, text)
    try:
        allowed = frozenset(name.casefold() for name in allow_tables)
        functions = frozenset(name.casefold() for name in allow_functions)
        check_tree(Look(text, Tables(text, catalog, allowed), functions), tree)
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
    dialect.parser_class = keeping(dialect.parser_class)
    try:
        dialect.parser()
    except TypeError as error:  # compiled classes can't be derived from
        raise SettingError(
            "the compiled parts of sqlglot are installed, which the guard can't look into",
            fix="remove them: pip uninstall sqlglotc",
        ) from error
    return dialect


def _tokens(dialect: Any, sql: str, name: str) -> list[Any]:
    try:
        return list(dialect.tokenize(sql))
    except (SqlglotError, RecursionError) as error:
        tokens = _commented(dialect, sql) if name == "sqlite" else None
        if tokens is None:
            raise unread.untokenizable(sql, name, error) from error
        return tokens


def _commented(dialect: Any, sql: str) -> list[Any] | None:
    """Return the tokens of a text that ends in an open comment, as SQLite reads it; else None."""
    try:
        tokens = list(dialect.tokenize(f"{sql}*/"))
    except SqlglotError:
        return None
    return tokens if all(token.end < len(sql) for token in tokens) else None


def _parse(dialect: Any, text: Text) -> Any:
    _warned.messages = []
    try:
        trees = _trees(dialect, text)
        warned = list(_warned.messages)
    except RecursionError as error:
        raise _too_deep() from error
    except SqlglotError as error:
        raise blame(text) or unread.unreadable(text, error) from error
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
    kind = type(tree).__name__
    if kind not in nodes.ROOTS:
        raise statements.no_query_at(text, text.position(tree), kind)
    if warned:
        raise text.refusal(
            f"part of this can't be judged ({warned[0]})", 0, fix="write it in a plainer way"
        )
    keywords.check(text, dialect.parser_class, tree)
    return tree


def _trees(dialect: Any, text: Text) -> Sequence[Any]:
    tokens = respelling.for_parser(text)
    try:
        return list(dialect.parser().parse(tokens, text.sql))
    except SqlglotError:
        respelled = respelling.for_second_try(text, tokens)
        if respelled is None:
            raise
        return list(dialect.parser().parse(respelled, text.sql))


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
