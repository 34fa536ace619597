"""By which grammar SQL is read and written of an engine that sqlglot may not know."""

from __future__ import annotations

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
