"""What a statement may do on a SQLite connection: an authorizer, limits and engine switches.

The second layer, below the guard: it holds when the guard errs, and inside the views of the file.
Our own catalogue queries need more than a caller's statement may do, so there are two of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from pipeline.database.names import name_set

LONGEST_VALUE = 32_000_000
"""Bytes of a value or a row; with less, not even the length of a stored photo can be read."""
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: LONGEST_VALUE,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 250_000,  # steps that a statement compiles to
    # What SQLite allows unless it was built otherwise. Less would hold for the file as well: a
    # table of 700 columns or a view of 300 UNIONs then makes the whole schema "malformed".
    sqlite3.SQLITE_LIMIT_COLUMN: 2_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 1_000,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 500,
}
DENIED_FUNCTIONS = name_set("""
    edit eval fts3_tokenizer fsdir load_extension readfile sqlar_compress sqlar_uncompress
    sqlite_log writefile zipfile
    """)
READING_PRAGMAS = name_set("""
    collation_list data_version foreign_key_list function_list index_info index_list
    index_xinfo module_list page_count page_size pragma_list schema_version table_info table_list
    table_xinfo
    """)
_READING = frozenset([sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE])
_SWITCHES = {  # https://www.sqlite.org/c3ref/c_dbconfig_defensive.html; Python can since 3.12
    "SQLITE_DBCONFIG_DEFENSIVE": True,
    "SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION": False,
    "SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER": False,
    "SQLITE_DBCONFIG_ENABLE_TRIGGER": False,
    "SQLITE_DBCONFIG_WRITABLE_SCHEMA": False,
}
_UNSAFE = ("unsafe use of ", "malformed database schema (")

# Each module is connected on first use, which asks for more rights than reading does.
_PRIMERS = (
    "SELECT 1 FROM json_each('[]') LIMIT 0",
    "SELECT 1 FROM json_tree('[]') LIMIT 0",
    "SELECT 1 FROM pragma_table_info('') LIMIT 0",
    "SELECT 1 FROM pragma_table_xinfo('') LIMIT 0",
    "SELECT 1 FROM pragma_index_list('') LIMIT 0",
    "SELECT 1 FROM pragma_index_info('') LIMIT 0",
    "SELECT 1 FROM pragma_index_xinfo('') LIMIT 0",
    "SELECT 1 FROM pragma_foreign_key_list('') LIMIT 0",
    "SELECT 1 FROM pragma_table_list LIMIT 0",
    "SELECT 1 FROM pragma_collation_list LIMIT 0",
    "SELECT 1 FROM pragma_function_list LIMIT 0",
    "SELECT 1 FROM pragma_module_list LIMIT 0",
    "SELECT 1 FROM pragma_pragma_list LIMIT 0",
)
_VIRTUAL = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage = 0"


def confine(connection: sqlite3.Connection) -> None:
    """Let the connection write nothing and reach nothing beyond the file, whatever its views say.

    The schema of the file isn't trusted: its views, indexes and generated columns may call only
    functions that SQLite takes for harmless.
    """
    connection.execute("PRAGMA query_only=1")
    connection.execute("PRAGMA trusted_schema=0")
    configure: Any = getattr(connection, "setconfig", None)
    for name, value in _SWITCHES.items() if configure else ():
        with suppress(AttributeError, sqlite3.Error):  # a switch that this SQLite doesn't have
            configure(getattr(sqlite3, name), value)
    connection.set_authorizer(authorize_own)


def is_distrust(error: sqlite3.Error) -> bool:
    """Return whether it failed only because the schema of the file isn't trusted."""
    text = str(error)
    return text.startswith(_UNSAFE) and "unsafe use of " in text


def trust_schema(connection: sqlite3.Connection) -> None:
    """Let the file's schema call what a statement may call; the authorizer sees it in both.

    SQLite before 3.41 takes its JSON functions for unsafe: with one in an index no table of the
    file opens. To be removed with the last such SQLite.
    """
    connection.execute("PRAGMA trusted_schema=1")


def prime(connection: sqlite3.Connection) -> None:
    """Connect the modules that reading may need; once a connection, before `restricted`."""
    for statement in _PRIMERS:
        with suppress(sqlite3.Error):
            connection.execute(statement)
    for (name,) in connection.execute(_VIRTUAL).fetchall():
        with suppress(sqlite3.Error):
            connection.execute('SELECT 1 FROM "' + name.replace('"', '""') + '" LIMIT 0')


@contextmanager
def restricted(connection: sqlite3.Connection) -> Iterator[None]:
    """Let the connection do nothing but read while the block runs."""
    before = {limit: connection.setlimit(limit, value) for limit, value in LIMITS.items()}
    connection.set_authorizer(authorize)
    try:
        yield
    finally:
        connection.set_authorizer(authorize_own)
        for limit, value in before.items():
            connection.setlimit(limit, value)


def authorize_own(
    action: int, _first: str | None, second: str | None, _schema: str | None, _inner: str | None
) -> int:
    """Allow dblore's own statements all but other files and the functions that reach for them."""
    if action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH):
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").casefold() in DENIED_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def authorize(
    action: int, first: str | None, second: str | None, _schema: str | None, _inner: str | None
) -> int:
    """Allow reading, functions that only compute, and pragmas that only tell."""
    if action in _READING:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and (second or "").casefold() not in DENIED_FUNCTIONS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and (first or "").casefold() in READING_PRAGMAS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY
