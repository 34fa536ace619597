"""A row of INFORMATION_SCHEMA.COLUMNS as a column; what engines add to the standard is used."""

from __future__ import annotations

from pipeline.database.connect import Row
from pipeline.database.families import family
from pipeline.database.servers.mysql_text import members
from schemas.facts import Column

NAMES = (
    "column_name", "ordinal_position", "column_default", "is_nullable", "data_type", "column_type",
    "udt_name", "character_maximum_length", "numeric_precision", "numeric_scale", "is_identity",
    "is_generated", "generation_expression", "extra", "column_comment|comment|remarks",
)  # fmt: skip
"""The columns of which `column` makes one: a name, or names of which the first counts."""
_UNBOUNDED = 2**31 - 1


def column(row: Row, dialect: str) -> Column:
    """Return the column that a row with the values of `NAMES` describes."""
    (
        name, _, default, nullable, data_type, column_type, udt, length, precision, scale,
        identity, generated, expression, extra, comment,
    ) = row  # fmt: skip
    extra = str(extra or "").upper()
    native = str(column_type or _native(str(data_type or ""), udt, length, precision, scale))
    is_computed = str(generated or "").upper() in ("ALWAYS", "YES", "STORED", "VIRTUAL") or (
        "VIRTUAL GENERATED" in extra or "STORED GENERATED" in extra
    )
    default = None if is_computed or str(default) in ("None", "NULL") else str(default)
    is_numbered = _is_yes(identity) or "AUTO_INCREMENT" in extra
    return Column(
        name=str(name),
        native_type=native,
        family=family(native, dialect),
        nullable=_is_yes(nullable),
        default=default,
        generated=("virtual" if "VIRTUAL" in f"{extra} {generated}".upper() else "stored")
        if is_computed
        else None,
        expression=str(expression) if is_computed and expression else None,
        identity=is_numbered or "nextval(" in (default or "").casefold(),
        comment=str(comment) if comment else None,
        enum_members=members(native.partition("(")[0].strip().casefold(), native),
    )


def _is_yes(value: object) -> bool:
    """Engines write YES, a number or a truth value."""
    return str(value).upper() in ("YES", "TRUE", "1", "Y", "T")


def _native(data_type: str, udt: object, length: object, precision: object, scale: object) -> str:
    """Return the type with the arguments that the standard keeps in columns of their own."""
    if data_type.upper() == "ARRAY" and udt:
        return f"{str(udt).removeprefix('_')}[]"
    if data_type.upper() == "USER-DEFINED" and udt:
        return str(udt)
    if "(" in data_type or data_type.endswith("]"):
        return data_type
    is_sized = any(word in data_type.casefold() for word in ("char", "binary", "bit"))
    if is_sized and length is not None and 0 < int(str(length)) < _UNBOUNDED:
        return f"{data_type}({length})"
    is_exact = any(word in data_type.casefold() for word in ("decimal", "numeric", "number"))
    if is_exact and precision is not None:
        return f"{data_type}({precision},{scale})" if scale is not None else data_type
    return data_type
