"""By which grammar SQL is read and written of an engine that sqlglot may not know."""

from __future__ import annotations

from typing import Any

from pipeline.database.names import name_set

_KNOWN = name_set(
    "athena bigquery clickhouse databricks doris dremio drill druid duckdb exasol fabric hive "
    "materialize mysql oracle postgres presto redshift risingwave snowflake spark "
    "spark2 sqlite starrocks teradata trino tsql"
)
"""sqlglot's dialects; named here since importing sqlglot takes a tenth of a second."""


def grammar(dialect: str) -> str:
    """Return the sqlglot dialect that reads an engine's SQL: its own, or '' for the standard's."""
    return dialect if dialect in _KNOWN else ""


def parsed(sql: str, dialect: str) -> Any:
    """Return the tree of a statement that an engine wrote; None where sqlglot can't read it."""
    import sqlglot  # heavy, and not every run needs it

    try:
        return sqlglot.parse_one(sql, dialect=grammar(dialect))
    except sqlglot.errors.SqlglotError:
        return None
    except (RecursionError, ValueError, TypeError, AttributeError, IndexError, KeyError):
        return None  # it trips over some input
