"""MariaDB and MySQL over PyMySQL: read-only, one statement at a time, killed by its thread's id.

Any other driver gets the same session as far as it goes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Any

from pipeline.database.connect import Reply, Row, Take
from pipeline.database.names import name_set
from pipeline.database.servers import mysql_fingerprint
from pipeline.database.servers.mysql_login import powers
from pipeline.database.servers.mysql_warnings import said_plainly
from pipeline.database.servers.server import (
    Ask,
    Kind,
    Server,
    connect_seconds,
    lock_seconds,
    login_warning,
    notes,
    odbc_numbers,
    odbc_words,
    shut,
)

_LOCAL_FILES = 1 << 7  # flags of the protocol: https://mariadb.com/kb/en/connection/#capabilities
_TLS = 1 << 11
_MULTI_STATEMENTS = 1 << 16
_REST_SECONDS = 0.2
_REST_ROWS = 2_000
_KILL_SECONDS = 2
_SETTLING_SECONDS = 5
"""Longest wait for a second without a change of a definition."""

# The last ones stand for a set of modes that has ANSI_QUOTES in it.
_MODES_THAT_READ_SQL_OTHERWISE = name_set(
    "ANSI_QUOTES NO_BACKSLASH_ESCAPES ANSI DB2 MAXDB MSSQL ORACLE POSTGRESQL"
)

_KINDS: dict[int, Kind] = {
    1969: "late",  # MariaDB, max_statement_time
    3024: "late",  # MySQL, max_execution_time
    1317: "stopped",
    1205: "locked",
    1213: "locked",
    1021: "space",
    1114: "space",
    1053: "broken",
    1080: "broken",
    1927: "broken",
    2006: "broken",
    2013: "broken",
    2055: "broken",
    4031: "broken",
    1044: "database",
    1045: "login",
    1698: "login",
    1862: "login",
    1049: "database",
    1040: "full",
    1203: "full",
    1226: "full",
    3159: "tls",
    2026: "tls",
}


class MysqlServer(Server):
    """MariaDB and MySQL."""

    title = "the server"

    def __init__(self, driver: str, connect: Callable[..., Any]) -> None:
        super().__init__(driver, connect)
        self.is_mariadb = False
        self._fresh = self._details = ""
        self._tls: dict[str, Any] = {}

    def arrange(self, arguments: list[Any], options: dict[str, Any]) -> None:  # noqa: ARG002 - of the interface
        """Take off what the URL may have asked for: more statements, files of this machine."""
        if self.driver != "pymysql":
            return
        if isinstance(options.get("password"), str):  # PyMySQL would send it as Latin-1
            options["password"] = options["password"].encode()
        flags = int(options.get("client_flag") or 0)
        options["client_flag"] = flags & ~(_LOCAL_FILES | _MULTI_STATEMENTS)
        options["local_infile"] = False
        options["charset"] = "utf8mb4"
        options["connect_timeout"] = connect_seconds(options.get("connect_timeout"))
        # PyMySQL's own limit ends before the server's greeting; `prepare` takes this one off.
        options["read_timeout"] = options["connect_timeout"]
        options |= self._tls

    def prepare(self, raw: Any) -> None:
        """Make the session read-only, and pin how it reads SQL."""
        with closing(raw.cursor()) as cursor:
            cursor.execute("SELECT @@SESSION.sql_mode, @@version, database()")
            modes, version, database = cursor.fetchone()
            self._know(str(version), has_database=database is not None)
            kept = [m for m in str(modes).split(",") if m not in _MODES_THAT_READ_SQL_OTHERWISE]
            cursor.execute(
                f"SET SESSION sql_mode = '{','.join(kept)}', {self._limits(None)}{self._fresh}"
            )
            cursor.execute("SET SESSION TRANSACTION READ ONLY")
        raw.rollback()
        if self.driver == "pymysql":
            raw._read_timeout = None  # noqa: SLF001 - it has no public way to do so
            self._tls = self._tls or _tls(raw)  # a later connection tells less

    def _know(self, version: str, *, has_database: bool) -> None:
        """Ask as this version answers."""
        numbers = tuple(map(int, re.findall(r"\d+", version.removeprefix("5.5.5-"))[:3]))
        self.is_mariadb = "mariadb" in version.casefold()
        is_recent = numbers >= ((10, 6) if self.is_mariadb else (8, 0, 16))
        told = {"is_mariadb": self.is_mariadb, "has_database": has_database}
        self.structure = mysql_fingerprint.structure(**told)
        self._details = mysql_fingerprint.details(**told, is_recent=is_recent)
        self.stamps = mysql_fingerprint.stamps(**told)
        self.changes = mysql_fingerprint.stamps(**told, otherwise="concat('unsure: ', uuid())")
        if not self.is_mariadb and numbers >= (8,):  # it would tell times of up to a day ago
            self._fresh = ", SESSION information_schema_stats_expiry = 0"

    def structure_rows(self, ask: Callable[[str | None], list[Row] | None]) -> list[Row] | None:
        """Ask for details where the time of each table's definition doesn't tell.

        Times of just now are waited for: what is told before and after a second ends would differ.
        """
        until = time.monotonic() + _SETTLING_SECONDS
        while (asked := ask(self.structure)) is not None:
            rows, is_timed, left = mysql_fingerprint.timed(asked)
            if is_timed and not left:
                return rows
            if not is_timed or time.monotonic() > until:
                details = ask(self._details)
                return None if details is None else [*rows, *details]
            time.sleep(left)
        return None

    def bound(self, raw: Any, seconds: float | None) -> None:
        """Limit the statements of this session."""
        with closing(raw.cursor()) as cursor:
            cursor.execute(f"SET {self._limits(seconds)}")

    def _limits(self, seconds: float | None) -> str:
        locks = max(1, int(lock_seconds(seconds)))  # it takes whole seconds
        return f"SESSION lock_wait_timeout = {locks}, {self._time_limit(seconds)}"

    def _time_limit(self, seconds: float | None) -> str:
        if self.is_mariadb:
            return f"SESSION max_statement_time = {max(seconds, 0.001) if seconds else 0:f}"
        return f"SESSION max_execution_time = {max(1, int(1000 * seconds)) if seconds else 0}"

    def read(self, raw: Any, sql: str, take: Take) -> Reply:
        """Read row by row in a read-only transaction, then ask what the server warns of."""
        with closing(raw.cursor()) as cursor:
            cursor.execute("START TRANSACTION READ ONLY")
        if self.driver != "pymysql":
            return super().read(raw, sql, take)
        from pymysql.cursors import SSCursor

        _read_as_written(raw)
        cursor = raw.cursor(SSCursor)
        try:
            cursor.execute(sql)
            columns = tuple(column[0] for column in cursor.description or ())
            unread = map(tuple, iter(cursor.fetchone, None))
            is_whole = all(take(row) for row in unread) or _is_short(unread)
            return Reply(columns, _warnings(raw) if is_whole else ())
        finally:
            self._let_go(raw, cursor)

    def prove(self, raw: Any, sql: str) -> Reply:
        """Have the server plan the statement; it doesn't say what its columns are."""
        self.read(raw, f"EXPLAIN {sql}", lambda _row: True)
        return Reply(())

    def naming(self, sql: str) -> tuple[str, ...]:
        """Prepare the statement; as hexadecimal digits it needs no quotes."""
        digits = sql.encode().hex()
        return (
            f"SET @dblore_names = CONVERT(0x{digits} USING utf8mb4)",
            "PREPARE dblore_names FROM @dblore_names",
        )

    def _let_go(self, raw: Any, cursor: Any) -> None:
        """Leave unread rows with the server: PyMySQL would read all of them to close a cursor."""
        result = cursor._result  # noqa: SLF001 - it has no public way to do so
        if result is not None and result.unbuffered_active:
            result.unbuffered_active = False
            with suppress(Exception):  # it ends by itself when it finds nobody to write to
                self.cancel(raw)
            raw._force_close()  # noqa: SLF001 - the same
        with suppress(Exception):
            cursor.close()

    def leave(self, raw: Any) -> None:
        """Roll back, unless rows left unread have closed the connection."""
        if getattr(raw, "open", True):
            raw.rollback()

    def cancel(self, raw: Any) -> None:
        """Kill the statement over a second connection."""
        thread = getattr(raw, "thread_id", None)
        if thread is None:
            super().cancel(raw)
            return
        waits = {f"{name}_timeout": _KILL_SECONDS for name in ("connect", "read", "write")}
        with (
            closing(self.connect(**waits, **self._tls)) as other,
            closing(other.cursor()) as cursor,
        ):
            cursor.execute(f"KILL QUERY {int(thread())}")

    def sever(self, raw: Any) -> None:
        """Cut the connection."""
        if self.driver == "pymysql" and raw._sock is not None:  # noqa: SLF001 - it has no public way
            shut(raw._sock.fileno())  # noqa: SLF001 - the same

    def kind(self, error: BaseException) -> Kind | None:
        """Tell by the error's number."""
        if isinstance(error, OSError):
            return "broken"
        if self.driver == "pyodbc":
            if error.args[:1] in (("IM002",), ("01000",)):
                return "driver"
            numbers = odbc_numbers(str(error))
        else:
            numbers = [n for n in error.args[:1] if isinstance(n, int)]
        return next((_KINDS[number] for number in numbers if number in _KINDS), None)

    def said(self, error: BaseException) -> str:
        """Return the text without its number."""
        text = str(error.args[-1]) if error.args else str(error)
        return odbc_words(text) if self.driver == "pyodbc" else text

    def warnings(self, ask: Ask) -> tuple[str, ...]:
        """Name what the user may do beyond reading, and a driver that takes many statements."""
        found = login_warning(
            powers(ask, is_mariadb=self.is_mariadb),
            "make a user who may only read: CREATE USER reader IDENTIFIED BY '…'; "
            "GRANT SELECT, SHOW VIEW ON `database`.* TO reader",
        )
        if self.driver in ("pymysql", "pyodbc"):
            return found
        driver = (
            f"the driver {self.driver} may take several statements at a time, PyMySQL doesn't: "
            "write the source as mysql+pymysql://…"
        )
        return (*found, driver)


def _read_as_written(raw: Any) -> None:
    """Make PyMySQL hand over bits as a number, and times as text: Python has no day 0."""
    from pymysql.constants import FIELD_TYPE

    times = ("DATE", "NEWDATE", "TIME", "DATETIME", "TIMESTAMP")
    raw.decoders = {
        **raw.decoders,
        **{getattr(FIELD_TYPE, name): None for name in times},
        FIELD_TYPE.BIT: lambda data: int.from_bytes(data, "big"),
    }


def _is_short(unread: Iterator[Any]) -> bool:
    """Read what is left if that is little: only then can the server be asked for its warnings."""
    until = time.monotonic() + _REST_SECONDS
    for count, _ in enumerate(unread):
        if count == _REST_ROWS or time.monotonic() > until:
            return False
    return True


def _warnings(raw: Any) -> tuple[str, ...]:
    with closing(raw.cursor()) as cursor:
        cursor.execute("SHOW WARNINGS")
        found = cursor.fetchall()
    return notes(said_plainly(int(row[1]), str(row[2])) for row in found)


def _tls(raw: Any) -> dict[str, Any]:
    """Return how later connections encrypt as this one does.

    Unless told otherwise PyMySQL encrypts where the server can, and reads all certificates of the
    machine for each connection, which takes longer than connecting.
    """
    if getattr(raw, "_ssl_required", True) or getattr(raw, "ctx", None) is None:
        return {}  # the URL says how
    if raw.server_capabilities & _TLS:
        return {"ssl": raw.ctx}
    return {"ssl_disabled": True}
