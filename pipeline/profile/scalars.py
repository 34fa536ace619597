"""From a driver's value to one that JSON can hold."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
)
from typing import Any
from uuid import UUID

from schemas.facts import Scalar

_AS_WRITTEN = (
    UUID,
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
)
_MICROSECONDS = 1_000_000
_LONGEST = 300
"""Digits of a number that any reader of JSON takes; a NUMERIC of PostgreSQL may have 131,072."""


def scalar(value: Any) -> Scalar | None:
    """Return a driver's value as JSON can hold it; None for null, bytes and damaged text."""
    if value is None or isinstance(value, bytes | bytearray | memoryview):
        return None
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return None if is_damaged(value) else value
    if isinstance(value, datetime):
        return _moment(value).isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, timedelta):
        return _duration(value)
    return str(value) if isinstance(value, _AS_WRITTEN) else None


def is_damaged(text: str) -> bool:
    """Return whether bytes weren't UTF-8 (U+FFFD stands there), or can't be written as such."""
    return "\ufffd" in text or (not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text))


def _moment(value: datetime) -> datetime:
    """Return a moment in UTC: the zone of a session is nothing that was stored."""
    try:
        return value if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError:  # at an end of Python's years
        return value


def _number(value: Decimal) -> Scalar:
    """Return a number if JSON's is the same one, else its digits as text."""
    if not value.is_finite():
        return str(float(value))
    if value.adjusted() > _LONGEST:
        return str(value)
    if value == value.to_integral_value():
        return int(value)
    as_float = float(value)
    return as_float if Decimal(repr(as_float)) == value else str(value)


def _duration(value: timedelta) -> str:
    """Return a duration as hours, minutes and seconds, as MariaDB writes a TIME."""
    total = (value.days * 86_400 + value.seconds) * _MICROSECONDS + value.microseconds
    seconds, fraction = divmod(abs(total), _MICROSECONDS)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return ("-" if total < 0 else "") + text + (f".{fraction:06}" if fraction else "")
