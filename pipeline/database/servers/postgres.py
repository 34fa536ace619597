"""PostgreSQL over psycopg 3: one read-only statement at a time, read row by row, cancelled there.

Any other driver gets the same session, but sends text that may hold several statements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from pipeline.database.connect import Reply, Take
from pipeline.database.servers import postgres_fingerprint
from pipeline.database.servers.postgres_login import powers
from pipeline.database.servers.postgres_values import read_all_as_text, read_times_as_text
from pipeline.database.servers.server import (
    LOCK_SECONDS,
    Ask,
    Kind,
    Server,
    connect_seconds,
    lock_seconds,
    login_warning,
    notes,
    shut,
)

_ESSENTIAL = {
    "default_transaction_read_only": "on",
    "standard_conforming_strings": "on",
}
_SETTINGS = _ESSENTIAL | {
    "backslash_quote": "safe_encoding",
    "transform_null_equals": "off",
    "array_nulls": "on",
    "client_encoding": "UTF8",
    "datestyle": "ISO",
    "intervalstyle": "postgres",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "statement_timeout": "0",
    "lock_timeout": f"{LOCK_SECONDS}s",
    "idle_in_transaction_session_timeout": "60s",
}
# The server then sees within a second that a client is gone, and ends its statement.
_SINCE_14 = {"client_connection_check_interval": "500ms"}
# To compile what a catalogue is asked for takes longer than to run it: 0.8 s for its types.
_SINCE_11 = {"jit": "off"}
_TEMP_FILES = "1GB"
# The server computes all rows of a trip before it sends the first one.
_TRIP_BYTES = 262_144
_TRIP_ROWS = 100

_KINDS: dict[str, Kind] = {
    "57014": "stopped",
    "40001": "stopped",  # also a standby that has to go on
    "40P01": "locked",
    "55P03": "locked",
    "53100": "space",
    "53200": "space",
    "53400": "space",
    "25P03": "broken",
    "57P01": "broken",
    "57P02": "broken",
    "57P03": "broken",
    "57P05": "broken",
    "28P01": "login",
    "28000": "login",
    "3D000": "database",
    "53300": "full",
}
_CONNECT_KINDS: tuple[tuple[str, Kind], ...] = (
    ("too many c", "full"),
    ("remaining connection slots", "full"),
    ("no encryption", "tls"),
    ("ssl off", "tls"),
    ("ssl", "tls"),
    ("password", "login"),
    ("authentication", "login"),
    ("pg_hba.conf", "login"),
    ('database "', "database"),
    ('role "', "login"),
)


class PostgresServer(Server):
    """PostgreSQL, and what speaks its protocol."""

    title = "PostgreSQL"
    structure = postgres_fingerprint.STRUCTURE
    changes = postgres_fingerprint.CHANGES
    stamps = postgres_fingerprint.STAMPS

    def __init__(self, driver: str, connect: Callable[..., Any]) -> None:
        super().__init__(driver, connect)
        self._is_pooled = False

    def arrange(self, arguments: list[Any], options: dict[str, Any]) -> None:  # noqa: ARG002 - of the interface
        """Ask for a read-only session in the first packet: no role's setting can undo it."""
        if self.driver not in ("psycopg", "psycopg2"):
            return
        options["connect_timeout"] = connect_seconds(options.get("connect_timeout"))
        if not self._is_pooled:
            pinned = " ".join(f"-c {name}={value}" for name, value in _ESSENTIAL.items())
            options["options"] = f"{options.get('options') or ''} {pinned}".strip()
        options["client_encoding"] = "utf8"  # else a database without an encoding sends bytes

    def knows_another_way(self, error: BaseException) -> bool:
        """Poolers refuse a first packet with settings; then `prepare` alone makes them."""
        is_first = not self._is_pooled
        self._is_pooled = self._is_pooled or "startup parameter" in str(error)
        return is_first and self._is_pooled

    def prepare(self, raw: Any) -> None:
        """Pin what changes how SQL is read and values are written."""
        raw.rollback()
        raw.autocommit = True  # or a rollback would undo the settings
        settings = dict(_SETTINGS)
        version = getattr(getattr(raw, "info", None), "server_version", 0)
        settings |= _SINCE_11 if version >= 110_000 else {}
        settings |= _SINCE_14 if version >= 140_000 else {}
        cursor = raw.cursor()
        try:
            _set(cursor, settings)
        except Exception:  # noqa: BLE001 - something that isn't quite PostgreSQL: one by one
            for name, value in settings.items():
                if name not in _ESSENTIAL:
                    with suppress(Exception):
                        _set(cursor, {name: value})
            for name, value in _ESSENTIAL.items():
                cursor.execute(f"SET {name} = {value}")
        cursor.close()
        raw.autocommit = False
        if self.driver == "psycopg":
            raw.read_only = True  # BEGIN READ ONLY
            read_times_as_text(raw)

    def bound(self, raw: Any, seconds: float | None) -> None:
        """Limit the statements of this transaction."""
        if seconds is None:
            return
        with raw.cursor() as cursor:
            cursor.execute(
                f"SELECT set_config('statement_timeout', '{_milliseconds(seconds)}', true), "
                f"set_config('lock_timeout', '{_milliseconds(lock_seconds(seconds))}', true)"
            )

    def take_bytes(self, raw: Any) -> None:
        """Ask for bytes: as UTF-8 such a database sends only what happens to be."""
        if self.driver == "psycopg" and raw.info.parameter_status("server_encoding") == "SQL_ASCII":
            raw.execute("SET LOCAL client_encoding = 'SQL_ASCII'")

    def read(self, raw: Any, sql: str, take: Take) -> Reply:
        """Read through a cursor of the server, declared by the extended protocol.

        That takes one statement only, and one that reads: neither COMMIT nor COPY has a cursor.
        """
        if self.driver != "psycopg":
            return super().read(raw, sql, take)
        return self._through_cursor(raw, sql, take)

    def prove(self, raw: Any, sql: str) -> Reply:
        """Declare the cursor, for which the server plans the statement, and fetch nothing."""
        if self.driver != "psycopg":
            return self.read(raw, f"EXPLAIN {sql}", lambda _row: False)
        return self._through_cursor(raw, sql, None)

    def naming(self, sql: str) -> tuple[str, ...]:
        """Prepare the statement, which isn't even planned: planning calls functions."""
        return (f"PREPARE dblore_names AS {sql}",)

    def _through_cursor(self, raw: Any, sql: str, take: Take | None) -> Reply:
        said: list[str] = []
        raw.add_notice_handler(lambda diagnostic: said.append(diagnostic.message_primary or ""))
        declared = f"DECLARE dblore NO SCROLL CURSOR FOR {sql}".encode()
        with raw.cursor() as cursor:
            if raw.info.parameter_status("is_superuser") == "on":
                cursor.execute(f"SET LOCAL temp_file_limit = '{_TEMP_FILES}'")
            self.take_bytes(raw)
            read_all_as_text(cursor)
            cursor.execute(declared, prepare=True)
            cursor.execute("FETCH FORWARD 0 FROM dblore")  # the columns, also where no row comes
            names = [cursor.pgresult.fname(i) or b"" for i in range(cursor.pgresult.nfields)]
            if take is not None:
                _hand_out(cursor, take)
        columns = tuple(name.decode("utf-8", "replace") for name in names)
        return Reply(columns, notes(f"PostgreSQL says: {text}" for text in said))

    def cancel(self, raw: Any) -> None:
        """Send a cancel request."""
        if self.driver == "psycopg":
            raw.cancel_safe(timeout=2)
        else:
            super().cancel(raw)

    def sever(self, raw: Any) -> None:
        """Cut the connection."""
        shut(raw.fileno())

    def kind(self, error: BaseException) -> Kind | None:
        """Tell by the SQLSTATE; a failed connect has none, only text."""
        state = getattr(error, "sqlstate", None) or getattr(error, "pgcode", None)
        if state:
            return _KINDS.get(state)  # class 08 comes from the server of a foreign table
        text = str(error).casefold()
        if "connection failed" in text or "connection to server" in text:
            return next((kind for part, kind in _CONNECT_KINDS if part in text), None)
        return "broken" if type(error).__name__ == "OperationalError" else None

    def said(self, error: BaseException) -> str:
        """Return the message without the statement's text."""
        return getattr(getattr(error, "diag", None), "message_primary", None) or str(error)

    def warnings(self, ask: Ask) -> tuple[str, ...]:
        """Name what the role may do beyond reading, and a driver that takes many statements."""
        found = login_warning(
            powers(ask),
            "make a role that may only read: CREATE ROLE reader LOGIN PASSWORD '…'; "
            "GRANT pg_read_all_data TO reader (before PostgreSQL 14, for each schema: "
            "GRANT USAGE ON SCHEMA …, GRANT SELECT ON ALL TABLES IN SCHEMA …)",
        )
        if self.driver == "psycopg":
            return found
        driver = (
            f"the driver {self.driver} takes several statements at a time, psycopg doesn't: "
            "write the source as postgresql+psycopg://…"
        )
        return (*found, driver)


def _milliseconds(seconds: float) -> int:
    return max(1, int(seconds * 1000))


def _set(cursor: Any, settings: dict[str, str]) -> None:
    calls = ", ".join(f"set_config('{n}', '{v}', false)" for n, v in settings.items())
    cursor.execute(f"SELECT current_schemas(false)::text[], {calls}")
    schemas: Sequence[str] = cursor.fetchone()[0]
    if "pg_catalog" in schemas:  # named, it may stand behind a schema with functions of its names
        path = ", ".join('"{}"'.format(s.replace('"', '""')) for s in schemas if s != "pg_catalog")
        cursor.execute(f"SET search_path = {path or chr(39) * 2}")


def _hand_out(cursor: Any, take: Take) -> None:
    """Give rows to `take`; one row at a time is in memory, and few are left over at the end."""
    trip, largest, is_wanted = 2, 1, True
    while is_wanted:
        count = 0
        for row in cursor.stream(f"FETCH FORWARD {trip} FROM dblore"):
            count += 1
            if is_wanted:
                largest = max(largest, sum(_size(value) for value in row))
                is_wanted = take(row)
        if count < trip:
            return
        trip = max(1, min(_TRIP_ROWS, _TRIP_BYTES // largest))


def _size(value: Any) -> int:
    if isinstance(value, str | bytes):
        return len(value)
    return sum(map(_size, value)) if isinstance(value, list) else 8
