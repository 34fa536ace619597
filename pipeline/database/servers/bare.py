"""Ask a server a few questions over the bare driver.

The import of SQLAlchemy takes longer than all else that a build with nothing to do needs. The
session is prepared as every other one; whatever is unusual, or fails, is left to the usual way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl, unquote

from pipeline.database.connect import Row
from pipeline.database.servers.server import Server, server_for
from pipeline.database.source import Source

Ask = Callable[[str | None], list[Row] | None]
"""Runs SQL of our own; None where there is none."""

_PLAIN_URL = re.compile(
    r"(?:postgresql\+(?P<postgres>psycopg)|(?:mysql|mariadb)\+(?P<mysql>pymysql))://"
    r"(?:(?P<user>[^:/@]+)(?::(?P<password>[^@]*))?@)?(?P<host>[\w.\-]+)(?::(?P<port>\d+))?"
    r"(?:/(?P<database>[\w.\-]*))?(?:\?(?P<query>.*))?"
)
_QUERY = {
    "psycopg": frozenset({"application_name", "sslmode", "sslrootcert", "sslcert", "sslkey"}),
    "pymysql": frozenset({"charset"}),  # which is ours to say
}
"""Parameters of a URL that the driver takes as they are."""
_DATABASE = {"psycopg": "dbname", "pymysql": "database"}


def answers(
    source: Source, wanted: Callable[[Server, Ask], list[list[Row] | None]]
) -> list[list[Row] | None] | None:
    """Return what `wanted` finds out; None if it is to be asked otherwise.

    Args:
        source: a server.
        wanted: gets how the server is spoken to, and what asks it.
    """
    options = _options(source.url)
    if options is None:
        return None
    driver, arguments = options
    try:
        with _session(source, driver, arguments) as (server, raw):
            return wanted(server, lambda sql: _rows(server, raw, sql))
    except Exception:  # noqa: BLE001 - the usual way tells what is wrong
        return None


def _options(url: str) -> tuple[str, dict[str, Any]] | None:
    """Return the driver and what its `connect` takes; None where a URL says more than that."""
    found = _PLAIN_URL.fullmatch(url)
    if found is None:
        return None
    driver = found["postgres"] or found["mysql"]
    query = dict(parse_qsl(found["query"] or "", keep_blank_values=True))
    if not query.keys() <= _QUERY[driver]:
        return None
    parts = {
        "host": found["host"],
        "port": int(found["port"]) if found["port"] else None,
        "user": found["user"] and unquote(found["user"]),
        "password": found["password"] and unquote(found["password"]),
        _DATABASE[driver]: found["database"],
    }
    return driver, {**query, **{name: value for name, value in parts.items() if value}}


@contextmanager
def _session(source: Source, driver: str, options: dict[str, Any]) -> Iterator[tuple[Server, Any]]:
    connect = import_module(driver).connect
    server = server_for(source.dialect, driver, connect)
    server.arrange([], options)
    with closing(connect(**options)) as raw:
        server.prepare(raw)
        yield server, raw


def _rows(server: Server, raw: Any, sql: str | None) -> list[Row] | None:
    if sql is None:
        return None
    try:
        server.take_bytes(raw)
        with closing(raw.cursor()) as cursor:
            cursor.execute(sql)
            return [tuple(row) for row in cursor.fetchall()]
    finally:
        raw.rollback()
