"""What a change of a column's type means."""

from __future__ import annotations

import re

from schemas.changes import ChangeClass, ChangeKind
from schemas.facts import Column, TypeFamily

_WIDER: dict[TypeFamily, frozenset[TypeFamily]] = {
    "integer": frozenset({"decimal", "float"}),
    "decimal": frozenset({"float"}),
    "boolean": frozenset({"integer"}),
    "date": frozenset({"timestamp"}),
    "enum": frozenset({"text"}),
    "uuid": frozenset({"text"}),
    "float": frozenset({"decimal"}),
}
"""Families that hold every value of the other: statements run, and may mean something else."""
_SIZES = (
    ("tinyint", 8), ("int1", 8), ("smallint", 16), ("int2", 16), ("smallserial", 16),
    ("mediumint", 24), ("bigint", 64), ("int8", 64), ("bigserial", 64), ("hugeint", 128),
    ("integer", 32), ("int4", 32), ("serial", 32), ("int", 32), ("real", 32), ("float4", 32),
    ("double", 64), ("float8", 64), ("tinytext", 8), ("mediumtext", 24), ("longtext", 32),
)  # fmt: skip
_UNBOUNDED = frozenset({"text", "string", "clob", "varchar", "character varying", "nclob"})


def changed_type(
    before: Column, after: Column, *, same_dialect: bool
) -> tuple[ChangeKind, ChangeClass, str] | None:
    """Return kind, class and evidence; None where the type is what it was."""
    told = f"{_spelled(before)} before, {_spelled(after)} now"
    if before.family != after.family:
        if after.family in _WIDER.get(before.family, frozenset()):
            return "type_changed", "risky", told
        return "type_changed", "breaking", told
    if not same_dialect or _plain(before) == _plain(after):
        return None
    one, other = _size(before), _size(after)
    if one is None or other is None or one == other:
        return None if before.family in ("text", "integer") else ("type_changed", "risky", told)
    is_wider = all(a <= b for a, b in zip(one, other, strict=True))
    if is_wider:
        return "type_widened", "additive", told
    return "type_narrowed", "risky", told


def _spelled(column: Column) -> str:
    return column.native_type or column.family


def _plain(column: Column) -> str:
    return " ".join(column.native_type.casefold().split())


def _size(column: Column) -> tuple[float, float] | None:
    """Return how much the type holds, before and after the point; None where nobody knows."""
    plain = _plain(column)
    base = plain.partition("(")[0].strip()
    numbers = [int(n) for n in re.findall(r"\d+", plain.partition("(")[2])]
    if numbers:
        scale = numbers[1] if len(numbers) > 1 else 0
        return (numbers[0] - scale, scale)
    size = next((bits for name, bits in _SIZES if base.startswith(name)), None)
    if size is not None:
        return (size, 0)
    return (float("inf"), 0) if base in _UNBOUNDED else None
