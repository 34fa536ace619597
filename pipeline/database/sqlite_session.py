"""What a statement may do on a SQLite connection: an authorizer and limits.

The second layer, below the guard: it holds when the guard errs, and inside the views of the file.
Our own catalogue queries need more than a caller's statement may do, so there are two of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pipeline.database.names import name_set

LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 10_000_000,  # bytes of a value
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 500,
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


def prime(connection: sqlite3.Connection) -> None:
    """Connect the modules that reading may need; once a connection, before `restricted`."""
    for statement in _PRIMERS:
        with suppress(sqlite3.Error):
            connection.execute(statement)
    for (name,) in connection.execute(_VIRTUAL).fetchall():
        with suppress(sqlite3.Error):
            connection.execute('SELECT 1 FROM "' + name.replace('"', '""') + '" LIMIT 0')


def confine(connection: sqlite3.Connection) -> None:
    """Let the connection call nothing that reaches beyond the file, whatever a view of it says."""
    connection.set_authorizer(authorize_own)


@contextmanager
def restricted(connection: sqlite3.Connection) -> Iterator[None]:
    """Let the connection do nothing but read while the block runs."""
    before = {limit: connection.setlimit(limit, value) for limit, value in LIMITS.items()}
    connection.set_authorizer(authorize)
    try:
        yield
    finally:
        confine(connection)
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
