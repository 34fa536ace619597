"""From a native type to its family."""

from __future__ import annotations

import re
from functools import lru_cache

from schemas.facts import TypeFamily

_FAMILIES: dict[TypeFamily, str] = {
    "integer": "int integer tinyint smallint mediumint bigint int2 int4 int8 int16 int32 int64 "
        "int128  hugeint uhugeint uint8 uint16 uint32 uint64 utinyint usmallint uinteger "
        "ubigint bignum byteint serial smallserial bigserial serial2 serial4 serial8 oid year long "
        "counter autonumber",
    "decimal": "decimal dec numeric number money smallmoney bignumeric bigdecimal currency fixed "
        "decfloat",
    "float": "float real double float4 float8 float32 float64 binary_float binary_double "
        "double_precision floating_point half_float",
    "text": "text char character varchar varchar2 nvarchar nvarchar2 nchar bpchar string clob "
        "nclob  tinytext mediumtext longtext ntext citext name sysname character_varying "
        "char_varying  national_character national_char national_varchar native_character "
        "varying_character  long_varchar rowid urowid ltree",
    "boolean": "boolean bool bit yesno logical",
    "date": "date date32",
    "time": "time timetz time_with_time_zone time_without_time_zone time_ns",
    "timestamp": "timestamp timestamptz datetime datetime2 smalldatetime datetimeoffset datetime64 "
        "timestamp_ns timestamp_ms timestamp_s timestamptz_ns timestamp_ltz timestamp_ntz "
        "timestamp_tz timestamp_with_time_zone timestamp_without_time_zone "
        "timestamp_with_local_time_zone",
    "interval": "interval",
    "binary": "blob tinyblob mediumblob longblob binary varbinary bytea bytes image raw long_raw "
        "bfile bit_varying varbit rowversion binary_varying binary_large_object",
    "json": "json jsonb hstore variant super",
    "uuid": "uuid guid uniqueidentifier",
    "enum": "enum set",
    "geometry": "geometry geography point line lseg box path polygon circle linestring multipoint "
        "geomcollection multilinestring multipolygon geometrycollection sdo_geometry",
    "xml": "xml xmltype",
    "other": "any struct row map union object record sql_variant hierarchyid tsvector tsquery inet "
        "cidr macaddr macaddr8 inet4 inet6 pg_lsn vector bitmap void null",
}  # fmt: skip
_BY_NAME: dict[str, TypeFamily] = {
    name: family for family, names in _FAMILIES.items() for name in names.split()
}
_MODIFIERS = re.compile(r"\b(unsigned|zerofill|signed|identity|collate\s+\S+|character set \S+)\b")
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
"""Members of an enumeration and names of fields, which may look like anything."""
_ARGUMENTS = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)")


@lru_cache(maxsize=4096)
def family(native_type: str, dialect: str) -> TypeFamily:
    """Return the family of a type as the engine spells it."""
    text = _without_members(native_type.strip().casefold())
    arguments = _ARGUMENTS.search(text)
    base = " ".join(_MODIFIERS.sub(" ", _ARGUMENTS.sub(" ", text)).split())
    if base.endswith("[]") or text.endswith("]") or base.split(" ")[:1] in (["array"], ["list"]):
        return "array"
    special = _special(base, arguments[0] if arguments else "", dialect)
    if special is not None:
        return special
    named = _BY_NAME.get(base.replace(" ", "_")) or _BY_NAME.get(base.partition(" ")[0])
    if named is not None:
        return named
    return _affinity(base) if dialect == "sqlite" else "other"


def _without_members(text: str) -> str:
    opening = text.find("(") + 1
    return text[:opening] + _QUOTED.sub("''", text[opening:]) if opening else text


def _special(base: str, arguments: str, dialect: str) -> TypeFamily | None:
    """Types whose name alone misleads."""
    if base == "bit" and (arguments not in ("", "(1)") or dialect == "duckdb"):
        return "binary"
    if base == "tinyint" and arguments == "(1)" and dialect in ("mysql", "sqlite"):
        return "boolean"  # what MySQL turns BOOLEAN into
    if base in ("timestamp", "rowversion") and dialect == "tsql":
        return "binary"  # a row version, no time
    if base == "number" and re.fullmatch(r"\(\s*(\d+|\*)\s*(,\s*0\s*)?\)", arguments):
        return "integer"
    if base.startswith("interval"):
        return "interval"
    return None


def _affinity(base: str) -> TypeFamily:
    """Return what SQLite makes of a type it doesn't know: https://www.sqlite.org/datatype3.html."""
    if "int" in base:
        return "integer"
    if any(part in base for part in ("char", "clob", "text")):
        return "text"
    if "blob" in base:
        return "binary"
    if any(part in base for part in ("real", "floa", "doub")):
        return "float"
    return "decimal" if base else "other"
