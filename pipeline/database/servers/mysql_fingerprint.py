"""Queries that tell whether a MariaDB or MySQL database has changed.

They read the database that the URL names, or else all that the login may see.

Structure: the server hashes every row of its catalogue, and combines the hashes in a way that
doesn't depend on their order; GROUP_CONCAT would sort all of it, and cut it at
`group_concat_max_len`. To tell of columns and indexes it opens every table, which takes a second
for some hundred; MariaDB writes each change of an InnoDB table's definition into a file, whose time
it tells, to the second. So the details are only asked for where there are other tables or
partitions. A definition of this second could change again within it: its time tells once that
second has ended.

Data: InnoDB keeps the time of a table's last change in memory, to the second. It knows none for a
table that nobody changed since the server started, or that it dropped from its cache, and a
partitioned table's may hide such a partition; then nothing tells but the position of the redo log,
which moves with a change of any table, so that the value begins with "unsure". TRUNCATE TABLE
leaves the time alone, but no rows. MyISAM takes the time of its file. For other engines MariaDB
counts what is written to any table; MySQL counts its own temporary tables among them. What lies on
another server can't be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from pipeline.database.connect import Row

_I = "information_schema"
_UNTIMED = "NULL, NULL"
_ONE = "= database()"
_ALL = "NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')"
_COLUMNS = (
    "table_name, column_name, ordinal_position, quote(column_default), is_nullable, column_type, "
    "extra, column_comment, quote(generation_expression)"
)
_INDEXES = (
    "table_name, index_name, seq_in_index, quote(column_name), non_unique, quote(collation), "
    "quote(sub_part), index_type"
)
_KEYS = (
    "table_name, constraint_name, ordinal_position, column_name, referenced_table_schema, "
    "referenced_table_name, referenced_column_name"
)
_ROUTINES = "routine_name, routine_type, quote(dtd_identifier), quote(routine_comment)"
_BODIES = "routine_name, routine_type, last_altered, quote(routine_definition)"
_PARAMETERS = (
    "specific_name, routine_type, ordinal_position, quote(parameter_mode), quote(parameter_name), "
    "dtd_identifier"
)
_DESCRIBED = "table_name, table_type, quote(engine), quote(table_comment), quote(create_options)"
_TRIGGERS = "trigger_name, event_object_table, action_timing, event_manipulation"
_TIMED = """table_type IN ('VIEW', 'SYSTEM VIEW') OR engine = 'InnoDB'
    AND create_options NOT LIKE '%partitioned%' AND create_time <= sysdate()"""
# A file's time may lag behind the clock by a tick of the system, some hundredths of a second.
_YOUNG = """max(if(table_type NOT LIKE '%VIEW' AND create_time <= sysdate(),
    1.1 - timestampdiff(MICROSECOND, create_time, sysdate(6)) / 1000000, NULL))"""
_REDO_LOG = "if(variable_name IN ('INNODB_LSN_CURRENT', 'Innodb_redo_log_current_lsn')"
_BEGAN = "unix_timestamp(sysdate()) - max(if(variable_name = 'UPTIME', variable_value, NULL))"
_WRITES = ", ".join(
    f"'{name}'"
    for name in (
        "HANDLER_WRITE", "HANDLER_UPDATE", "HANDLER_DELETE", "COM_TRUNCATE", "COM_ALTER_TABLE",
        "COM_RENAME_TABLE", "COM_CREATE_TABLE", "COM_DROP_TABLE",
    )
)  # fmt: skip
_STATUS = f"""
        SELECT concat('unsure: redo log ', max({_REDO_LOG}, variable_value, NULL))) AS redo_log,
            concat_ws(' ', 'unsure: writes', {_BEGAN},
                sum(if(variable_name IN ({_WRITES}), variable_value, 0))) AS writes
        FROM """
_LOCAL = "'MyISAM', 'Aria', 'MEMORY', 'CSV', 'ARCHIVE', 'MRG_MyISAM'"
_TABLES = "table_type NOT IN ('VIEW', 'SYSTEM VIEW', 'SEQUENCE', 'TEMPORARY')"


@cache
def structure(*, is_mariadb: bool, has_database: bool) -> str:
    """Return the query whose rows change with the structure, but for what `details` tells.

    Of the tables there are two more values: how many of them have no time that tells, and the
    seconds until the youngest time tells, negative if it does.

    Args:
        is_mariadb: it writes a table's definition to a file, whose time is the table's.
        has_database: the URL names a database.
    """
    described = f"{_DESCRIBED}, quote(create_time)" if is_mariadb else _DESCRIBED
    timed = f"sum(coalesce({_TIMED}, false) IS FALSE), {_YOUNG}" if is_mariadb else "1, NULL"
    asked = {
        "tables": ("table_schema", described, timed),
        "views": ("table_schema", "table_name, quote(view_definition)", _UNTIMED),
        "triggers": ("trigger_schema", _TRIGGERS, _UNTIMED),
        "routines": ("routine_schema", _ROUTINES, _UNTIMED),
        "parameters": ("specific_schema", _PARAMETERS, _UNTIMED),
        "column_privileges": (
            "table_schema", "grantee, table_name, column_name, privilege_type", _UNTIMED,
        ),
    }  # fmt: skip
    within = _ONE if has_database else _ALL
    return " UNION ALL ".join(
        f"SELECT '{table}', count(*), {_hash(f'{schema}, {columns}')}, {timed} "
        f"FROM {_I}.{table} WHERE {schema} {within}"
        for table, (schema, columns, timed) in asked.items()
    )


def timed(rows: Sequence[Sequence[Any]]) -> tuple[list[Row], bool, float]:
    """Return what of the rows of `structure` changes with it alone, and what tells of times.

    That is whether all tables have a time that tells, and in how many seconds it does.
    """
    untimed, left = next((row[3], row[4]) for row in rows if row[0] == "tables")
    return [tuple(row[:4]) for row in rows], not untimed, max(0.0, float(left or 0))


@cache
def details(*, is_mariadb: bool, is_recent: bool, has_database: bool) -> str:
    """Return the query whose rows change with columns, indexes, keys, checks and partitions.

    The server opens each table several times for it.

    Args:
        is_mariadb: the two tell different things of indexes.
        is_recent: the server tells of CHECK constraints, and of indexes that it doesn't use.
        has_database: the URL names a database.
    """
    within = _ONE if has_database else _ALL
    ignored = "quote(ignored)" if is_mariadb else "is_visible, quote(expression)"
    asked = {
        "columns": ("table_schema", _COLUMNS, "true"),
        "statistics": (
            "table_schema", f"{_INDEXES}, {ignored}" if is_recent else _INDEXES, "true",
        ),
        "key_column_usage": ("table_schema", _KEYS, "referenced_table_name IS NOT NULL"),
        "partitions": (
            "table_schema", "table_name, partition_name, quote(subpartition_name)",
            "partition_name IS NOT NULL",
        ),
    }  # fmt: skip
    if is_recent:
        clause = "constraint_name, check_clause" + (", table_name" if is_mariadb else "")
        asked["check_constraints"] = ("constraint_schema", clause, "true")
    return " UNION ALL ".join(
        f"SELECT '{table}', count(*), {_hash(f'{schema}, {columns}')} FROM {_I}.{table} "
        f"WHERE {schema} {within} AND {condition}"
        for table, (schema, columns, condition) in asked.items()
    )


def _hash(columns: str) -> str:
    row = f"md5(concat_ws(char(0), {columns}))"
    return f"bit_xor(cast(conv(left({row}, 16), 16, 10) AS unsigned))"


@cache
def stamps(*, is_mariadb: bool, has_database: bool, otherwise: str = "NULL") -> str:
    """Return the query for schema, name and a value that changes when the table's rows do.

    Views may ask functions, so that those of a schema come as one more: no table has such a name.

    A table that changed in this second could change again within it, so the query first waits for
    the second to end: that yields a row of nulls.

    Args:
        is_mariadb: the two count in different places, and different things.
        has_database: the URL names a database.
        otherwise: SQL of the value for tables of which the server can't tell.
    """
    within = f"table_schema {_ONE if has_database else _ALL}"
    server = f"{_I}.global_status" if is_mariadb else "performance_schema.global_status"
    by_count = f"WHEN engine IN ({_LOCAL}) THEN status.writes" if is_mariadb else ""
    left_of_second = "sleep(1.01 - microsecond(sysdate(6)) / 1000000)"
    waited = f"nullif(if(latest.at >= sysdate(), {left_of_second}, 0), 0)"
    return f"""
        SELECT NULL, NULL, cast({waited} AS char)
        FROM (SELECT max(update_time) AS at FROM {_I}.tables WHERE {within}) AS latest
        UNION ALL
        SELECT table_schema, table_name, coalesce(
            CASE
            WHEN engine IN ('InnoDB', 'MyISAM') AND update_time < sysdate()
                    AND create_options NOT LIKE '%partitioned%'
                THEN concat_ws(' ', engine, create_time, update_time, table_rows = 0)
            WHEN engine = 'InnoDB' THEN status.redo_log
            {by_count}
            END, {otherwise})
        FROM {_I}.tables, ({_STATUS}{server}) AS status
        WHERE {within} AND {_TABLES}
        UNION ALL
        SELECT routine_schema, concat('routines', char(0)), {_hash(_BODIES)}
        FROM {_I}.routines WHERE {within.replace("table", "routine")} GROUP BY routine_schema
        ORDER BY 1, 2"""
