"""What differs between database servers: session settings, time limits, fingerprints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipeline.database.names import name_set

READ_ONLY = frozenset(["postgres", "mysql"])
"""Dialects whose sessions can be made read-only."""

LOCK_SECONDS = 5

STRUCTURE = {
    "postgres": """
        SELECT n.nspname, c.relname, c.relkind::text,
               md5(string_agg(concat_ws('|', a.attnum, a.attname,
                   format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated,
                   a.attidentity, pg_get_expr(d.adbin, d.adrelid),
                   col_description(c.oid, a.attnum)), E'\\n' ORDER BY a.attnum)),
               obj_description(c.oid, 'pg_class'),
               (SELECT md5(string_agg(k.conname || pg_get_constraintdef(k.oid), E'\\n'
                   ORDER BY k.conname)) FROM pg_constraint k WHERE k.conrelid = c.oid),
               CASE WHEN c.relkind IN ('v', 'm') THEN md5(pg_get_viewdef(c.oid)) END
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
        WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
          AND n.nspname NOT LIKE 'pg\\_temp%' AND n.nspname NOT LIKE 'pg\\_toast%'
        GROUP BY c.oid, n.nspname, c.relname, c.relkind
        ORDER BY 1, 2, 3""",
    "mysql": """
        SELECT 'column', table_name, ordinal_position, column_name, column_type, is_nullable,
               column_default, extra, column_comment
        FROM information_schema.columns WHERE table_schema = database()
        UNION ALL
        SELECT 'key', table_name, ordinal_position, column_name, constraint_name,
               referenced_table_name, referenced_column_name, NULL, NULL
        FROM information_schema.key_column_usage WHERE table_schema = database()
        UNION ALL
        SELECT 'view', table_name, 0, NULL, view_definition, NULL, NULL, NULL, NULL
        FROM information_schema.views WHERE table_schema = database()
        ORDER BY 1, 2, 3, 4, 5""",
}
"""Rows that change with the structure."""

CHANGES = {
    "postgres": """
        SELECT relid, n_tup_ins, n_tup_upd, n_tup_del FROM pg_stat_user_tables ORDER BY relid""",
    "mysql": """
        SELECT table_name, create_time, update_time FROM information_schema.tables
        WHERE table_schema = database() ORDER BY table_name""",
}
"""Rows that change when data does."""


def session_statements(dialect: str, cursor: Any) -> Iterator[str]:
    """Yield what makes a new session read-only, and its reading of SQL what the guard assumes."""
    if dialect == "postgres":
        yield "SET default_transaction_read_only = on"
        yield "SET standard_conforming_strings = on"
        yield f"SET lock_timeout = '{LOCK_SECONDS}s'"
    elif dialect == "mysql":
        cursor.execute("SELECT @@SESSION.sql_mode")
        modes = str(cursor.fetchone()[0]).split(",")
        kept = [m for m in modes if m not in _MODES_THAT_READ_SQL_OTHERWISE]
        yield f"SET SESSION sql_mode = '{','.join(kept)}'"
        yield f"SET SESSION lock_wait_timeout = {LOCK_SECONDS}"
        yield "SET SESSION TRANSACTION READ ONLY"


# The last ones stand for a set of modes that has ANSI_QUOTES in it.
_MODES_THAT_READ_SQL_OTHERWISE = name_set(
    "ANSI_QUOTES NO_BACKSLASH_ESCAPES ANSI DB2 MAXDB MSSQL ORACLE POSTGRESQL"
)


def timeout_statement(dialect: str, seconds: float | None, engine: Any) -> str | None:
    """Return what bounds the next statement's time; `seconds` None takes a bound off again."""
    bound = seconds or 0
    if dialect == "postgres":
        return f"SET LOCAL statement_timeout = {int(bound * 1000)}"
    if dialect == "mysql":
        if getattr(engine, "is_mariadb", False):
            return f"SET SESSION max_statement_time = {bound:g}"
        return f"SET SESSION max_execution_time = {int(bound * 1000)}"
    return None


def is_late(text: str) -> bool:
    """Whether a driver's text says that the time was up."""
    folded = text.casefold()
    return any(
        part in folded
        for part in ("statement timeout", "max_statement_time", "maximum statement execution time")
    )


def streaming_cursor(dialect: str) -> tuple[Any, ...]:
    """Return the arguments for a cursor that doesn't read all rows at once."""
    if dialect == "mysql":
        try:
            from pymysql.cursors import SSCursor
        except ModuleNotFoundError:  # another driver
            return ()
        return (SSCursor,)
    return ()


def read_times_as_text(raw: Any) -> None:
    """Make psycopg hand over times as PostgreSQL writes them.

    Python has no infinity, no year before 1 or after 9999, and no 24:00.
    """
    try:
        from psycopg.types.string import TextLoader
    except ModuleNotFoundError:  # another driver
        return
    for name in ("date", "time", "timetz", "timestamp", "timestamptz", "interval"):
        raw.adapters.register_loader(name, TextLoader)
