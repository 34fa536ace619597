"""How one kind of server is spoken to; here what any driver of a SQLAlchemy URL can do."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Literal

from pipeline.database.connect import Reply, Row, Take, hand_out

LOCK_SECONDS = 5
_OF_LIMIT = 0.8
"""Share of a statement's time limit after which a lock is taken for a lock, not for slowness."""
CONNECT_SECONDS = 10
_NOTES = 5
_LONGEST_NOTE = 200
_ODBC_BEFORE = re.compile(r"^(\[[^\]]*\]\s*)+")
_ODBC_BEHIND = re.compile(r"\s+\(\d+\)(\s*\(SQL\w+\))?(;.*)?$", re.DOTALL)
_ODBC_NUMBER = re.compile(r"\((\d+)\)")

Kind = Literal[
    "late", "stopped", "locked", "space", "broken",  # of a statement
    "login", "database", "full", "tls", "driver",  # of a connection
]  # fmt: skip
"""What an error of a driver means, where it is more than a faulty statement."""

Ask = Callable[[str], list[Row]]
"""Runs SQL of our own and returns all rows; none where the server refuses it."""


class Server:
    """Best effort for any DB-API driver; one object belongs to one `Database`."""

    structure: str | None = None
    """Query whose rows change with the structure."""
    changes: str | None = None
    """Query whose rows change when data does."""
    stamps: str | None = None
    """Query whose rows are schema, name and a value that changes when the table's rows do."""
    title = "the database"

    def __init__(self, driver: str, connect: Callable[..., Any]) -> None:
        self.driver = driver
        self.connect = connect
        """Opens a second, short-lived connection with the same login."""
        self.cursor: Any = None

    def arrange(self, arguments: list[Any], options: dict[str, Any]) -> None:
        """Change what the driver's `connect` gets."""

    def knows_another_way(self, _error: BaseException) -> bool:
        """Whether `arrange` does otherwise from now on, since a connection failed with this."""
        return False

    def prepare(self, raw: Any) -> None:
        """Set up a new session: read-only, and reading SQL as the guard does."""

    def structure_rows(self, ask: Callable[[str | None], list[Row] | None]) -> list[Row] | None:
        """Return rows that change with the structure; None if the server can't tell.

        Args:
            ask: returns rows; None if there is no such query, or the server doesn't take it.
        """
        return ask(self.structure)

    def bound(self, raw: Any, seconds: float | None) -> None:
        """Set the server's own time limit of the next statements; None takes it off again."""

    def take_bytes(self, raw: Any) -> None:
        """Let text come as bytes in this transaction, if the server doesn't know its encoding."""

    def read(self, raw: Any, sql: str, take: Take) -> Reply:
        """Run a caller's statement as it is, and hand out its rows one by one."""
        self.cursor = raw.cursor()
        self.cursor.execute(sql)
        hand_out(map(tuple, iter(self.cursor.fetchone, None)), take)
        return Reply(tuple(column[0] for column in self.cursor.description or ()))

    def prove(self, raw: Any, sql: str) -> Reply:
        """Have a caller's statement looked through and not run; what no server needs is to read.

        Any engine that knows SELECT knows this form; one with a form of its own is better asked so.
        """
        statement = sql.rstrip().rstrip(";")
        return self.read(
            raw, f"SELECT * FROM (\n{statement}\n) dblore WHERE 1 = 0", lambda _row: True
        )

    def naming(self, _sql: str) -> tuple[str, ...]:
        """Return statements that have the server look up all that SQL of our own names.

        They read no row and evaluate nothing; none where there is no such way.
        """
        return ()

    def leave(self, raw: Any) -> None:
        """Undo all that a caller's statement did, before the connection is closed."""
        raw.rollback()

    def cancel(self, raw: Any) -> None:
        """Stop the running statement; called from another thread."""
        for target in (raw, self.cursor):
            for name in ("cancel", "interrupt"):
                method = getattr(target, name, None)
                if callable(method):
                    method()
                    return

    def sever(self, raw: Any) -> None:
        """Cut the connection under a driver that waits for a server that doesn't answer."""

    def kind(self, _error: BaseException) -> Kind | None:
        """Return what an error of the driver means."""
        return None

    def said(self, error: BaseException) -> str:
        """Return the server's own words."""
        return str(error)

    def warnings(self, _ask: Ask) -> tuple[str, ...]:
        """Return what the login could do beyond reading."""
        return (
            "sessions of this database can't be made read-only: use a login that may only read",
        )


def server_for(dialect: str, driver: str, connect: Callable[..., Any]) -> Server:
    """Return how to speak with a server of this sqlglot dialect over this SQLAlchemy driver."""
    if dialect == "postgres":
        from pipeline.database.servers.postgres import PostgresServer

        return PostgresServer(driver, connect)
    if dialect == "mysql":
        from pipeline.database.servers.mysql import MysqlServer

        return MysqlServer(driver, connect)
    if dialect == "tsql":
        from pipeline.database.servers.tsql import TsqlServer

        return TsqlServer(driver, connect)
    return Server(driver, connect)


def lock_seconds(limit: float | None) -> float:
    """Return how long to wait for a lock: shorter than the statement may take."""
    return LOCK_SECONDS if limit is None else min(LOCK_SECONDS, limit * _OF_LIMIT)


def connect_seconds(wanted: Any) -> int:
    """Return how long to wait for a connection: what a URL says, if that is less than usual."""
    try:
        return max(1, min(int(wanted), CONNECT_SECONDS))
    except (TypeError, ValueError):
        return CONNECT_SECONDS


def notes(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the first few distinct texts of an engine, each on one short line."""
    lines = (" ".join(text.split()) for text in texts)
    short = (f"{t[:_LONGEST_NOTE]}…" if len(t) > _LONGEST_NOTE else t for t in lines if t)
    return tuple(dict.fromkeys(short))[:_NOTES]


def login_warning(powers: Sequence[str], advice: str) -> tuple[str, ...]:
    """Return one sentence on a login that may do more than read, none if it may not."""
    if not powers:
        return ()
    *most, last = powers
    listed = f"{', '.join(most)} and {last}" if most else last
    return (f"the login can do more than read: it {listed}; {advice}",)


def odbc_words(text: str) -> str:
    """Return a message of ODBC without `[state] [vendor][driver]` before and `(number)` behind."""
    body = _ODBC_BEFORE.sub("", text.strip())
    return _ODBC_BEHIND.sub("", body) or body


def odbc_numbers(text: str) -> list[int]:
    """Return the numbers of the server's own that stand in a message of ODBC."""
    return [int(number) for number in _ODBC_NUMBER.findall(text)]


def shut(descriptor: int) -> None:
    """End a TCP connection whose socket belongs to a driver, so that its call returns."""
    with suppress(OSError), socket.fromfd(descriptor, socket.AF_INET, socket.SOCK_STREAM) as copy:
        copy.shutdown(socket.SHUT_RDWR)
