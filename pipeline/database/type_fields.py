"""The fields of a type that has some, such as `STRUCT(email VARCHAR, n INTEGER)`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.database.families import family
from schemas.facts import TypeFamily

_HAS_FIELDS = re.compile(r"\b(struct|row|tuple|union|object|nested|record)\b\s*[(<]", re.IGNORECASE)

_ROW = re.compile(r"(?<= )ROW\(")
"""Before it stands the name that a composite type of PostgreSQL has."""
_NAME = re.compile(r'[(,] ?(?:"(?P<quoted>(?:[^"]|"")+)"|(?P<plain>[^\W\d]\w*)) ')

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
    row = _ROW.search(native_type)
    for dialect in _SPELLINGS:
        found = _parsed(native_type[row.start() :] if row else native_type, dialect)
        if found:
            return found
    return _named(native_type)


def _named(native_type: str) -> tuple[Field, ...]:
    """Return the names of fields of types that nobody can parse, so that none is overlooked."""
    if not _ROW.search(native_type):
        return ()
    found = [match["quoted"] or match["plain"] for match in _NAME.finditer(native_type)]
    return tuple(Field(name.replace('""', '"'), "other") for name in found)


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
