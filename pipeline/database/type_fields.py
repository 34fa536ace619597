"""The fields of a type that has some, such as `STRUCT(email VARCHAR, n INTEGER)`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.database.families import family
from schemas.facts import TypeFamily

_HAS_FIELDS = re.compile(r"\b(struct|row|tuple|union|object|nested|record)\b\s*[(<]", re.IGNORECASE)

_SPELLINGS = ("duckdb", "bigquery", "spark", "clickhouse", "trino", "snowflake")


@dataclass(frozen=True, slots=True)
class Field:
    """One field, whatever lies around it."""

    name: str
    family: TypeFamily


def fields(native_type: str) -> tuple[Field, ...]:
    """Return the fields of a type at all depths, in order; none if it has none or isn't understood.

    Args:
        native_type: as its engine spells it.
    """
    if not _HAS_FIELDS.search(native_type):
        return ()
    for dialect in _SPELLINGS:
        found = _parsed(native_type, dialect)
        if found:
            return found
    return ()


def _parsed(native_type: str, dialect: str) -> tuple[Field, ...]:
    import sqlglot  # heavy, and few databases have such types
    from sqlglot import exp

    try:
        tree = exp.DataType.build(native_type, dialect=dialect)
    except (sqlglot.errors.SqlglotError, ValueError, RecursionError):
        return ()
    inner = (part for part in tree.find_all(exp.ColumnDef, bfs=False) if part.args.get("kind"))
    return tuple(
        Field(part.name, family(part.args["kind"].sql(dialect=dialect), dialect)) for part in inner
    )
