"""SQL Server over pyodbc: it has no read-only session, so the login and the guard must do.

Nothing is ever committed; a statement is cancelled through the ODBC driver.
"""

from __future__ import annotations

import math
import re
import struct
from contextlib import closing
from typing import Any

from pipeline.database.connect import Reply, Row, Take
from pipeline.database.servers.server import (
    CONNECT_SECONDS,
    LOCK_SECONDS,
    Ask,
    Kind,
    Server,
    lock_seconds,
    login_warning,
    notes,
    odbc_numbers,
    odbc_words,
)

_SESSION = (
    f"SET LOCK_TIMEOUT {LOCK_SECONDS * 1000}; SET QUOTED_IDENTIFIER ON; SET ANSI_NULLS ON; "
    "SET CONCAT_NULL_YIELDS_NULL ON; SET XACT_ABORT ON; SET ROWCOUNT 0"
)
_MICROSOFTS = re.compile(
    r"(?i)driver\s*=\s*\{?\s*(odbc driver \d+ for sql server|sql server native)"
)
_INTENT = re.compile(r"(?i)(^|;)\s*application\s*intent\s*=")

# Types that pyodbc doesn't know: https://learn.microsoft.com/sql/relational-databases/native-client-odbc-date-time
_DATETIMEOFFSET = -155
_OBJECT = -151
_PARTS = struct.Struct("<hHHHHHIhh")

_KINDS: dict[str, Kind] = {
    "HYT00": "late",
    "HYT01": "late",
    "HY008": "stopped",
    "08S01": "broken",
    "08003": "broken",
    "08007": "broken",
    "28000": "login",
    "IM002": "driver",
    "IM003": "driver",
    "01000": "driver",
}
_NUMBERS: dict[int, Kind] = {  # of SQL Server's own messages
    1222: "locked",
    1205: "locked",
    1105: "space",
    9002: "space",
    4060: "database",
    18456: "login",
    10928: "full",
    17809: "full",
}

_POWERS = """
SELECT IS_SRVROLEMEMBER('sysadmin'), IS_ROLEMEMBER('db_owner'), IS_ROLEMEMBER('db_datawriter'),
       IS_ROLEMEMBER('db_ddladmin'), HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'INSERT'),
       HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'UPDATE'),
       HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'DELETE'),
       HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'EXECUTE'),
       HAS_PERMS_BY_NAME(NULL, NULL, 'ADMINISTER BULK OPERATIONS')
"""
_PHRASES = (
    "is a sysadmin of the server",
    "is a db_owner",
    "is a db_datawriter",
    "is a db_ddladmin",
    "may insert rows",
    "may update rows",
    "may delete rows",
    "may execute procedures",
    "may load files of the server",
)


class TsqlServer(Server):
    """SQL Server and Azure SQL."""

    title = "SQL Server"

    def arrange(self, arguments: list[Any], options: dict[str, Any]) -> None:
        """Say that the connection only reads: an availability group then gives a read replica."""
        if self.driver != "pyodbc":
            return
        options.setdefault("timeout", CONNECT_SECONDS)
        if arguments and _MICROSOFTS.search(arguments[0]) and not _INTENT.search(arguments[0]):
            arguments[0] = f"{arguments[0].rstrip('; ')};ApplicationIntent=ReadOnly"

    def prepare(self, raw: Any) -> None:
        """Pin what changes how SQL is read; wait for locks no longer than a little."""
        with closing(raw.cursor()) as cursor:
            cursor.execute(_SESSION)
        raw.rollback()
        if self.driver == "pyodbc":
            raw.add_output_converter(_DATETIMEOFFSET, datetimeoffset)
            raw.add_output_converter(_OBJECT, lambda data: data)  # geometry, hierarchyid: bytes

    def bound(self, raw: Any, seconds: float | None) -> None:
        """Set the driver's query timeout, in whole seconds, and how long to wait for a lock."""
        with closing(raw.cursor()) as cursor:
            cursor.execute(f"SET LOCK_TIMEOUT {int(lock_seconds(seconds) * 1000)}")
        if self.driver == "pyodbc":
            raw.timeout = math.ceil(seconds or 0)

    def read(self, raw: Any, sql: str, take: Take) -> Reply:
        """Read row by row; the driver leaves the rest on the server."""
        reply = super().read(raw, sql, take)
        said = getattr(self.cursor, "messages", None) or ()
        return Reply(
            reply.columns, notes(f"SQL Server says: {odbc_words(text)}" for _, text in said)
        )

    def prove(self, raw: Any, sql: str) -> Reply:
        """Have the server tell the columns of a statement that it doesn't run.

        It looks up what the statement names; `SET NOEXEC` would let unknown tables pass.
        """
        text = sql.replace("'", "''")
        names: list[str] = []

        def take(row: Row) -> bool:
            names.append(str(row[2] or ""))
            return True

        described = f"EXEC sp_describe_first_result_set @tsql = N'{text}'"
        self.read(raw, described, take)
        return Reply(tuple(names))

    def kind(self, error: BaseException) -> Kind | None:
        """Tell by the SQLSTATE, or by the server's number in the text."""
        state = str(error.args[0]) if error.args else ""
        for number in odbc_numbers(str(error)):
            if number in _NUMBERS:
                return _NUMBERS[number]
        return _KINDS.get(state)

    def said(self, error: BaseException) -> str:
        """Return the text without the names of drivers before it and the call after it."""
        return odbc_words(str(error.args[-1])) if error.args else str(error)

    def warnings(self, ask: Ask) -> tuple[str, ...]:
        """Name what the login may do, and that nothing but the login stops it."""
        advice = (
            "make a login that may only read: CREATE USER reader FOR LOGIN reader; "
            "ALTER ROLE db_datareader ADD MEMBER reader"
        )
        rows = ask(_POWERS)
        flags = rows[0] if rows else ()
        found = [phrase for phrase, flag in zip(_PHRASES, flags, strict=False) if flag == 1]
        return (
            "sessions of SQL Server can't be made read-only: use a login that may only read",
            *login_warning(found[:1] if flags and flags[0] == 1 else found, advice),
        )


def datetimeoffset(data: bytes | None) -> str | None:
    """Return a datetimeoffset as text, from the structure in which the driver hands it over."""
    if data is None:
        return None
    year, month, day, hour, minute, second, nanoseconds, zone_hour, zone_minute = _PARTS.unpack(
        data[: _PARTS.size]
    )
    fraction = f".{nanoseconds // 100:07d}".rstrip("0").rstrip(".")
    sign = "-" if zone_hour < 0 or zone_minute < 0 else "+"
    zone = f"{sign}{abs(zone_hour):02d}:{abs(zone_minute):02d}"
    date = f"{year:04d}-{month:02d}-{day:02d}"
    return f"{date} {hour:02d}:{minute:02d}:{second:02d}{fraction}{zone}"
