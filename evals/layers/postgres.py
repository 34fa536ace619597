"""PostgreSQL: a read-only transaction and no more, and dblore's sessions of two logins."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from evals.layers.bench import (
    LIMIT_SECONDS,
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
from evals.layers.postgres_victim import Victim
from evals.throwaway import DATABASE, READER, Server
from pipeline.database.connect import Row
from pipeline.database.names import name_set
from pipeline.database.source import resolve

_EXTENSIONS = ("adminpack", "dblink", "file_fdw", "lo", "postgres_fdw", "xml2")
_MADE = f"""
    CREATE SEQUENCE orders_seq;
    CREATE SCHEMA scratch;
    CREATE TABLE scratch.t(a int);
    CREATE FUNCTION purge_audit() RETURNS int LANGUAGE plpgsql AS
        $$ BEGIN DELETE FROM audit_log; RETURN 1; END $$;
    GRANT USAGE ON SCHEMA public, scratch TO {READER};
    GRANT SELECT ON ALL TABLES IN SCHEMA public, scratch TO {READER};
"""
_RELATIONS = """
    SELECT format('%I.%I', nspname, relname), relkind = 'S' FROM pg_class c JOIN pg_namespace n ON
    n.oid = relnamespace WHERE relkind IN ('r', 'p', 'm', 'S') AND relpersistence <> 't'
    AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%' ORDER BY 1"""
_CATALOGUE = {
    "pg_class": "relpersistence <> 't'",
    "pg_proc": "oid >= 16384",
    "pg_namespace": "nspname NOT LIKE 'pg\\_%temp\\_%'",
    **dict.fromkeys(
        name_set("""
        pg_authid pg_auth_members pg_collation pg_database pg_db_role_setting pg_default_acl
        pg_description pg_event_trigger pg_extension pg_foreign_server pg_largeobject
        pg_largeobject_metadata pg_policy pg_publication pg_statistic pg_statistic_ext
        pg_subscription pg_trigger pg_user_mapping
        """),
        "true",
    ),
}
_HASH = "SELECT count(*) || ' ' || sum(hashtextextended(t::text, 0)) FROM {} t WHERE {}"
_COUNTER = "SELECT last_value::text || is_called FROM {}"
_ADMIN = {
    "stats": """SELECT (SELECT stats_reset FROM pg_stat_database
        WHERE datname = current_database()), (SELECT stats_reset FROM pg_stat_bgwriter),
        (SELECT stats_reset FROM pg_stat_archiver), (SELECT max(stats_reset) FROM pg_stat_slru)""",
    "configuration": "SELECT pg_conf_load_time()",
    "slots": "SELECT slot_name FROM pg_replication_slots ORDER BY 1",
}
_LOCKS = """
    SELECT locktype, mode, coalesce(relation::regclass::text, objid::text) FROM pg_locks
    WHERE pid <> pg_backend_pid() AND granted AND (locktype IN ('advisory', 'tuple')
        OR (locktype = 'relation' AND mode <> 'AccessShareLock'))"""
_TRAITS = """
    SELECT 'setting', name, setting FROM pg_settings
    UNION ALL SELECT 'prepared', name, '' FROM pg_prepared_statements
        WHERE name NOT LIKE '\\_pg3\\_%'
    UNION ALL SELECT 'listening', name, '' FROM pg_listening_channels() name
    UNION ALL SELECT 'temporary', relname::text, '' FROM pg_class WHERE relpersistence = 't'
    UNION ALL SELECT 'cursor', name, '' FROM pg_cursors WHERE is_holdable
    UNION ALL SELECT 'user', current_user::text, session_user::text
    ORDER BY 1, 2, 3"""
_LOCK = "SET lock_timeout = '1s'"


class PostgresBench(Bench):
    """A database of a throw-away PostgreSQL server."""

    dialect = "postgres"
    ours = frozenset([
        "read_only_tx", "read_only_tx_and_select_role", "read_only_tx_single_statement_protocol",
    ])  # fmt: skip
    plain = frozenset(["begin_read_only_only"])
    unguarded = ("open", "open_in_transaction")

    def __init__(self, marks: Marks, server: Server) -> None:
        super().__init__(marks)
        self.server = server
        self._admin: Any = None
        self._victim: Victim | None = None
        self._pristine = ""
        self._make()

    def restore(self) -> None:
        """Put the database back if it isn't what it was, and send a victim in."""
        self._let_victim_go()
        if self._state() != self._pristine:
            self._rebuild()
        for statement in self.item.setup:
            self._ask(statement)
        if self.item.effect == "admin":
            self._victim = Victim(self._address("postgres"), self.item.sql)

    def session(self, layer: str) -> Session:
        """Connect with that layer."""
        if layer in self.ours:
            user = READER if "role" in layer else "postgres"
            url = f"postgresql://{user}@127.0.0.1:{self.server.port}/{DATABASE}"
            return OurSession(resolve(url, Path(), {}))
        seconds = OPEN_SECONDS if layer.startswith("open") else LIMIT_SECONDS
        bound = f"SET statement_timeout = {int(seconds * 1000)}"
        ways = {
            "open": Way((bound, _LOCK)),
            "open_in_transaction": Way((bound, _LOCK), "BEGIN", "COMMIT"),
            "begin_read_only_only": Way((bound, _LOCK), "BEGIN READ ONLY", "ROLLBACK"),
        }
        connection = psycopg.connect(self._address("postgres"), autocommit=True)
        return PlainSession(connection, ways[layer])

    def world(self) -> World:
        """Return the data, the catalogue and, where an item is after it, the server's state."""
        seen = {"state": self._state()}
        if self._victim is not None:
            for _ in range(3):  # signals and statistics take a moment
                time.sleep(0.05)
                self._ask("SELECT pg_stat_clear_snapshot()")
            seen |= {kind: repr(self._ask(sql)) for kind, sql in _ADMIN.items()}
            seen |= self._victim.world()
            seen["wal"] = repr(self._ask("SELECT pg_current_wal_insert_lsn()"))
        return seen

    def locks(self) -> frozenset[str]:
        """Return what others hold."""
        return frozenset(map(repr, self._ask(_LOCKS)))

    def traits(self, fetch: Fetch) -> str:
        """Return the settings and what the session keeps."""
        return repr([tuple(row) for row in fetch(_TRAITS)])

    def close(self) -> None:
        """Close what is open."""
        self._let_victim_go()
        if self._admin is not None:
            self._admin.close()

    def _let_victim_go(self) -> None:
        if self._victim is not None:
            self._victim.close()
            self._victim = None

    def _address(self, user: str, database: str = DATABASE) -> str:
        return f"host=127.0.0.1 port={self.server.port} user={user} dbname={database}"

    def _ask(self, sql: str) -> Sequence[Row]:
        """Ask as superuser, on a connection that statements may have killed."""
        for _ in range(3):
            try:
                if self._admin is None or self._admin.closed:
                    self.server.connect().close()  # waits until the server is back
                    self._admin = psycopg.connect(self._address("postgres"), autocommit=True)
                cursor = self._admin.execute(sql)
                return cursor.fetchall() if cursor.description else []
            except psycopg.OperationalError:
                if not self._admin.closed:
                    self._admin.close()
        raise psycopg.OperationalError(f"the server can't be asked: {sql[:60]}")

    def _state(self) -> str:
        relations = self._ask(_RELATIONS)
        parts = [(_COUNTER if counts else _HASH).format(name, "true") for name, counts in relations]
        parts += [_HASH.format(name, rule) for name, rule in _CATALOGUE.items()]
        hashes = self._ask(" UNION ALL ".join(f"({part})" for part in parts))
        settings = self._ask("SELECT pg_read_file('postgresql.auto.conf', 0, 100000, true)")
        return repr((relations, hashes, settings))

    def _make(self) -> None:
        with self.server.connect() as connection:
            connection.execute(f"CREATE ROLE {READER} LOGIN")
            connection.execute(f"CREATE DATABASE {DATABASE}_pristine")
        with psycopg.connect(
            self._address("postgres", f"{DATABASE}_pristine"), autocommit=True
        ) as connection:
            for name in _EXTENSIONS:
                with suppress(psycopg.Error):  # part of a package that may not be there
                    connection.execute(f"CREATE EXTENSION {name}")
            for statement in [*shop("postgres"), _MADE]:
                connection.execute(statement)
        self._rebuild()

    def _rebuild(self) -> None:
        """Make the database anew, and undo what was done to the server."""
        if self._admin is not None:
            self._admin.close()
        with self.server.connect() as connection:
            for slot in connection.execute(_ADMIN["slots"]).fetchall():
                connection.execute("SELECT pg_drop_replication_slot(%s)", slot)
            connection.execute("ALTER SYSTEM RESET ALL")
            connection.execute("SELECT pg_reload_conf()")
            connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
            made = connection.execute(
                "SELECT rolname FROM pg_roles WHERE oid >= 16384 AND rolname <> %s", [READER]
            )
            for (role,) in made.fetchall():
                with suppress(psycopg.Error):
                    connection.execute(f'DROP ROLE "{role}"')
            connection.execute(f"CREATE DATABASE {DATABASE} TEMPLATE {DATABASE}_pristine")
        self._pristine = self._state()
