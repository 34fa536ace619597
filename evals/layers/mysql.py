"""MariaDB: dblore's sessions of two logins. A MySQL 8 server would do as well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pymysql
from pymysql.constants import CLIENT

from evals.layers.bench import (
    OPEN_SECONDS,
    Bench,
    Fetch,
    OurSession,
    PlainSession,
    Session,
    Way,
    World,
    shop,
)
from evals.layers.marks import Marks
from evals.throwaway import DATABASE, READER, Server
from pipeline.database.connect import Row
from pipeline.database.source import resolve

_MADE = (
    "CREATE SEQUENCE orders_seq",
    "CREATE PROCEDURE purge_audit() DELETE FROM audit_log",
)
_READER = (
    f"CREATE USER {READER}@'%' IDENTIFIED BY ''",
    f"GRANT SELECT ON {DATABASE}.* TO {READER}@'%'",
)
_CATALOGUE = (
    "SELECT schema_name FROM information_schema.schemata",
    f"""SELECT table_name, column_name, column_type, column_default, is_nullable
        FROM information_schema.columns WHERE table_schema = '{DATABASE}' ORDER BY 1, 2""",
    f"""SELECT table_name, index_name, seq_in_index, column_name FROM
        information_schema.statistics WHERE table_schema = '{DATABASE}' ORDER BY 1, 2, 3""",
    f"""SELECT table_name, table_type, engine, table_comment, create_time FROM
        information_schema.tables WHERE table_schema = '{DATABASE}' ORDER BY 1""",
    "SELECT routine_schema, routine_name, routine_definition FROM information_schema.routines",
    "SELECT trigger_name, action_statement FROM information_schema.triggers",
    "SELECT event_name, event_definition FROM information_schema.events",
    "SELECT plugin_name FROM information_schema.plugins",
    "SELECT user, host, priv FROM mysql.global_priv ORDER BY 1, 2",
    "SELECT user, host, db FROM mysql.db ORDER BY 1, 2, 3",
    "SELECT name FROM mysql.func",
)
_RESTLESS = re.compile(
    r"(?i)gtid|^timestamp$|rand_seed|pseudo|^in_transaction$|warning_count|error_count|"
    r"^last_gtid$|_lsn$"
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_TEXT = re.compile(r"'([^']*)'|\"([^\"]*)\"")


class MysqlBench(Bench):
    """A database of a throw-away MariaDB server."""

    dialect = "mysql"
    ours = frozenset([
        "read_only_session", "read_only_session_and_select_role",
        "read_only_session_single_statement_protocol",
    ])  # fmt: skip
    plain = frozenset[str]()
    unguarded = ("open", "open_in_transaction")

    def __init__(self, marks: Marks, server: Server) -> None:
        super().__init__(marks)
        self.server = server
        self._admin: Any = None
        self._tables: list[str] = []
        self._globals: dict[str, str] = {}
        self._pristine = ""
        for statement in (f"CREATE DATABASE {DATABASE}", *_READER):
            self._ask(statement)
        self._rebuild()

    def restore(self) -> None:
        """Put the database back if it isn't what it was."""
        if self._state() != self._pristine:
            self._rebuild()
        for statement in self.item.setup:
            self._ask(statement)

    def session(self, layer: str) -> Session:
        """Connect with that layer."""
        if layer in self.ours:
            user = READER if "role" in layer else "root"
            url = f"mysql+pymysql://{user}@127.0.0.1:{self.server.port}/{DATABASE}"
            return OurSession(resolve(url, Path(), {}))
        bound = f"SET max_statement_time = {OPEN_SECONDS:g}, lock_wait_timeout = 1"
        in_transaction = layer == "open_in_transaction"
        way = Way((bound,), "START TRANSACTION", "COMMIT") if in_transaction else Way((bound,))
        return PlainSession(self._connect(client_flag=CLIENT.MULTI_STATEMENTS), way)

    def world(self) -> World:
        """Return the data and the catalogue."""
        return {"state": self._state()}

    def locks(self) -> frozenset[str]:
        """Return which tables and rows can't be written, and which named locks are held."""
        if self.item.effect != "lock":
            return frozenset()
        held = [f"table {name}" for name in self._tables if self._is_locked(name)]
        for match in _TEXT.findall(self.item.sql):
            with suppress(pymysql.Error):
                name = match[0] or match[1]
                if self._ask(f"SELECT IS_USED_LOCK('{name}')")[0][0] is not None:
                    held.append(f"name {name}")
        return frozenset(held)

    def traits(self, fetch: Fetch) -> str:
        """Return the settings and what the session keeps."""
        said: list[object] = [
            [tuple(row) for row in fetch("SHOW SESSION VARIABLES") if not _RESTLESS.search(row[0])],
            fetch("SELECT DATABASE()"),
            fetch("SELECT * FROM information_schema.user_variables ORDER BY 1"),
            fetch("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'"),
        ]
        for word in sorted(set(_WORD.findall(self.item.sql))):
            for probe in (f"HANDLER `{word}` READ FIRST", f"SELECT 1 FROM `{word}` LIMIT 0"):
                with suppress(Exception):
                    fetch(probe)
                    said.append(probe)
        return repr(said)

    def close(self) -> None:
        """Close what is open."""
        if self._admin is not None:
            self._admin.close()

    def _connect(self, **options: Any) -> Any:
        return pymysql.connect(
            host="127.0.0.1", port=self.server.port, user="root", database=DATABASE,
            autocommit=True, **options,
        )  # fmt: skip

    def _is_locked(self, table: str) -> bool:
        """Try to change the table, without waiting and without changing anything."""
        connection = self._connect()
        try:
            cursor = connection.cursor()
            cursor.execute("SET lock_wait_timeout = 0, innodb_lock_wait_timeout = 0")
            cursor.execute("START TRANSACTION")
            cursor.execute(f"DELETE FROM `{table}`")
            cursor.execute("ROLLBACK")
        except pymysql.Error:
            return True
        finally:
            connection.close()
        return False

    def _ask(self, sql: str) -> Sequence[Row]:
        """Ask as root, on a connection that statements may have killed."""
        if self._admin is None or not self._is_there():
            self._admin = self.server.connect()
        cursor = self._admin.cursor()
        cursor.execute(sql)
        rows: Sequence[Row] = cursor.fetchall()
        return rows

    def _is_there(self) -> bool:
        try:
            self._admin.ping(reconnect=False)
        except pymysql.Error:
            return False
        return True

    def _state(self) -> str:
        said = [self._ask(question) for question in _CATALOGUE]
        names = [str(row[0]) for row in said[3]]
        rows = [sorted(map(repr, self._ask(f"SELECT * FROM {DATABASE}.`{n}`"))) for n in names]
        return repr((said, rows, self._server_settings()))

    def _server_settings(self) -> dict[str, str]:
        found = {str(name): str(value) for name, value in self._ask("SHOW GLOBAL VARIABLES")}
        return {name: value for name, value in found.items() if not _RESTLESS.search(name)}

    def _rebuild(self) -> None:
        """Make the database anew, and undo what was done to the server."""
        now = self._server_settings()
        for name, value in self._globals.items():
            if now.get(name) != value:
                text = value if value.isdigit() else f"'{value}'"
                with suppress(pymysql.Error):
                    self._ask(f"SET GLOBAL {name} = {text}")
        self._ask(f"DROP DATABASE IF EXISTS {DATABASE}")
        self._ask(f"CREATE DATABASE {DATABASE}")
        self._ask(f"USE {DATABASE}")
        for statement in [*shop("mysql"), *_MADE]:
            self._ask(statement)
        rows = self._ask("SHOW FULL TABLES WHERE table_type = 'BASE TABLE'")
        self._tables = [str(name) for name, _ in rows]
        self._globals = self._globals or self._server_settings()
        self._pristine = self._state()
