"""Database values as JSON values: no digit lost, no byte that isn't text, nothing endless."""

from __future__ import annotations

import datetime as dt
import decimal
import json
import math
from collections.abc import Mapping
from typing import Any


def to_json(value: Any) -> Any:
    """Return a value as JSON can hold it.

    Decimals, dates, intervals and UUIDs become text, bytes become their length, NaN and the
    infinities their name; arrays and structures stay what they are.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, float):
        return value if math.isfinite(value) else _not_finite(value)
    if isinstance(value, decimal.Decimal):
        return format(value, "f") if value.is_finite() else _not_finite(float(value))
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(value)} bytes>"
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, Mapping | list | tuple | set | frozenset):
        return _nested(value)
    return to_json(str(value))  # intervals, UUIDs, ranges, …


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


def _nested(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(to_json(key)): to_json(item) for key, item in value.items()}
    items = [to_json(item) for item in value]
    return sorted(items, key=str) if isinstance(value, set | frozenset) else items


def _not_finite(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"
