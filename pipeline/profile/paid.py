"""Engines that bill what is read: there a profile needs people's word first."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.text import counted
from schemas.facts import Catalog


@dataclass(frozen=True, slots=True)
class Bill:
    """What an engine bills."""

    title: str
    unit: str


_BYTES = "the bytes that a query reads"
_TIME = "the time that its warehouse runs"
BILLS = {
    "bigquery": Bill("BigQuery", _BYTES),
    "athena": Bill("Athena", _BYTES),
    "snowflake": Bill("Snowflake", _TIME),
    "databricks": Bill("Databricks", _TIME),
}
"""By sqlglot's name of the dialect."""


def reason(dialect: str, catalog: Catalog, *, is_stated: bool) -> str | None:
    """Return why no data is read of a database that bills it, and about how much it would be.

    Args:
        dialect: of the database.
        catalog: what would be read.
        is_stated: people set `profile:` in kb.yaml, so that they have decided.
    """
    bill = BILLS.get(dialect)
    if bill is None or is_stated:
        return None
    tables = [table for table in catalog.tables if "view" not in table.kind]
    columns = sum(len(table.columns) for table in tables)
    return (
        f"no data was read: {bill.title} bills {bill.unit}, and a profile reads every row of "
        f"{counted(len(tables), 'table')} ({counted(columns, 'column')}) at least once; "
        "set `profile:` in kb.yaml to decide: `{rows: 100000}` reads at most so many rows a "
        "table, `false` reads none"
    )
