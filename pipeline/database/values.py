"""Database values as JSON values: no digit lost, no byte that isn't text, nothing endless."""

from __future__ import annotations

import datetime as dt
import decimal
import json
import math
import re
from collections.abc import Mapping
from typing import Any

DEEPEST = 100
"""Levels of lists and structures; Python's own JSON writer fails at some thousand."""
_SHORT_BYTES = 32  # a SHA-256, the longest value that people compare by sight or write as a literal
_MOST_ZEROS = 50  # that a decimal may gain by being written without an exponent
_LONG_BITS = (
    14_000  # some 4,200 digits: https://docs.python.org/3/library/stdtypes.html#int-max-str-digits
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json(value: Any) -> Any:
    """Return a value as JSON can hold it.

    Decimals, dates, intervals and UUIDs become text, NaN and the infinities their name, bytes
    their number and, if they are few, their hex digits; arrays and structures stay what they are.
    """
    return _to_json(value, 0)


def shortened(value: Any, limit: int) -> tuple[Any, bool]:
    """Return a JSON value of at most some `limit` characters, and whether it was cut."""
    if isinstance(value, list | dict):
        text = json.dumps(value, ensure_ascii=False)
        if len(text) <= limit:
            return value, False
        value = text
    if not isinstance(value, str) or len(value) <= limit:
        return value, False
    return f"{value[:limit]}… ({len(value) - limit:,} more characters)", True


def _to_json(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if value.bit_length() < _LONG_BITS else str(decimal.Decimal(value))
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else _not_finite(value)
    if isinstance(value, decimal.Decimal):
        return _decimal(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return _bytes(bytes(value))
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        return _duration(value)
    if isinstance(value, Mapping | list | tuple | set | frozenset):
        return _nested(value, depth + 1)
    return _to_json(str(value), depth)  # UUIDs, ranges, addresses, …


def _nested(value: Any, depth: int) -> Any:
    if depth > DEEPEST:
        return f"… (nested more than {DEEPEST} levels deep)"
    if isinstance(value, Mapping):
        pairs = [[_to_json(key, depth), _to_json(item, depth)] for key, item in value.items()]
        named = {key if isinstance(key, str) else _name(key): item for key, item in pairs}
        return named if len(named) == len(pairs) else pairs  # 1 and '1' may both be keys
    items = [_to_json(item, depth) for item in value]
    return sorted(items, key=str) if isinstance(value, set | frozenset) else items


def _name(key: Any) -> str:
    return str(key) if not isinstance(key, list | dict) else json.dumps(key, ensure_ascii=False)


def _decimal(value: decimal.Decimal) -> str:
    """Write all digits, and an exponent only where the zeros instead of it would be endless."""
    if not value.is_finite():
        return "NaN" if value.is_nan() else _not_finite(float(value))
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    zeros = max(exponent, -value.adjusted())
    return format(value, "f") if zeros <= _MOST_ZEROS else str(value)


def _bytes(value: bytes) -> str:
    size = f"{len(value)} byte{'' if len(value) == 1 else 's'}"
    return f"<{size} 0x{value.hex()}>" if 0 < len(value) <= _SHORT_BYTES else f"<{size}>"


def _duration(value: dt.timedelta) -> str:
    """Write hours, minutes and seconds, as SQL's own literals do: days would need a second sign."""
    whole = abs(value)
    minutes, seconds = divmod(whole.seconds, 60)
    hours = whole.days * 24 + minutes // 60
    fraction = f".{whole.microseconds:06}" if whole.microseconds else ""
    sign = "-" if value < dt.timedelta() else ""
    return f"{sign}{hours:02}:{minutes % 60:02}:{seconds:02}{fraction}"


def _not_finite(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"
