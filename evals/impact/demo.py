"""The demo's schema with made-up counts: enough to tell codes and keys, without a database."""

from __future__ import annotations

import re
from pathlib import Path

from evals.impact.mutations import Facts
from pipeline.database.ddl import catalog as ddl
from schemas.facts import Column, ColumnProfile, Profile, Scalar, Table, TableProfile, ValueCount

COUNTS = {
    "rename column": 6, "rename table": 3, "drop column": 5, "drop table": 3, "retype": 3,
    "new_code": 4, "not_unique": 4,
}  # fmt: skip
SCHEMA = Path(__file__).resolve().parents[2] / "kb" / "demo" / "source" / "schema.sql"
_ROWS = 1_000
_CODES = re.compile(r"(\w+) IN \(([^()]+)\)")


def facts() -> Facts:
    """Return the catalogue of the demo's schema, and a profile in which its checks hold."""
    catalog = ddl.read([SCHEMA], "sqlite", "demo")
    return Facts(catalog, Profile(tuple(map(_measured, catalog.tables))))


def _measured(table: Table) -> TableProfile:
    codes: dict[str, tuple[Scalar, ...]] = {}
    for check in table.checks:
        for name, listed in _CODES.findall(check.expression):
            codes.setdefault(name, tuple(map(_value, listed.split(","))))
    columns = tuple(
        _column(table, c, codes.get(c.name, ()), i) for i, c in enumerate(table.columns)
    )
    return TableProfile(table.name, _ROWS, columns=columns)


def _value(text: str) -> Scalar:
    text = text.strip()
    return text[1:-1] if text.startswith("'") else int(text)


def _column(table: Table, column: Column, codes: tuple[Scalar, ...], number: int) -> ColumnProfile:
    if codes:
        values = tuple(ValueCount(code, _ROWS // len(codes)) for code in codes)
        return ColumnProfile(column.name, 0, len(codes), values=values, values_complete=True)
    distinct = _ROWS if table.has_key((column.name,)) else 100 + 7 * number
    return ColumnProfile(column.name, 0, distinct, minimum=number, maximum=1000 * number + distinct)
