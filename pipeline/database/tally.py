"""The number of rows of a result and a checksum of its values, the same on every engine and run.

The checksum is SHA-256, cut to 128 bits, of the values written so that what people take for the
same is the same:

- NULL is NULL, and nothing else is
- numbers: 1, 1.0, 1.00 and TRUE are one number; a fraction, and all floating-point numbers, are
  rounded to 12 significant digits, for sums differ in the last ones; NaN and the infinities count
- dates and times: text as ISO 8601 writes it, with a blank between the two, without the zeros at
  the end of a fraction, `Z` for UTC; every other text is as it is, also its case and blanks
- bytes: themselves; lists and structures: their JSON, keys sorted

Rows are a bag, but for the columns of the result by which it is sorted: rows that are equal in
these make a bag each, and the order of the bags counts. So ties may come in any order. The names of
columns aren't part of it. A value that is masked counts as a value and no more, so that nobody can
find it by trying out what it may be.
"""

from __future__ import annotations

import datetime as dt
import decimal
import hashlib
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.database.connect import Row
from pipeline.database.masking.masks import Masks
from pipeline.database.values import to_json

VERSION = "v1"
"""Begins a checksum; to be raised when the same result gets another one."""
MOST_ROWS = 100_000
"""Rows that are read for a checksum; a larger result has none."""

_DIGITS = decimal.Context(prec=12, rounding=decimal.ROUND_HALF_EVEN)
_EXACT = decimal.Context(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
_LONGEST_PLAIN = 400
"""Digits that a number is written with; a longer one keeps its exponent."""
_TIME = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[ T](?P<time>\d\d:\d\d:\d\d)(?:\.(?P<fraction>\d+))?"
    r"(?P<zone> ?(?:Z|UTC|[+-]\d\d(?::?\d\d)?))?"
)
_UTC = re.compile(r" ?(?:Z|UTC|[+-]00(?::?00)?)")
_LONG_BITS = 1_000
_HIDDEN = (b"m", b"")
_BITS = 256
_SHOWN = 32


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted of a result."""

    rows: int
    has_more: bool
    """There are rows beyond the limit, and so no checksum."""
    checksum: str | None


class Tallying:
    """Counts rows and sums up their values, one row after another, in constant memory."""

    def __init__(self, most: int, masks: Masks | None = None, *, order: Sequence[int] = ()) -> None:
        """See the class.

        Args:
            most: rows to read.
            masks: of sensitive columns.
            order: the places of the columns by which the result is sorted.
        """
        self._most = most
        self._masks = masks
        self._order = tuple(order)
        self._key: list[tuple[bytes, bytes]] = []
        self._rows = 0
        self._has_more = False
        self._bag = 0
        self._chain = hashlib.sha256()

    def take(self, row: Row) -> bool:
        """Take a row; False when it was one too many."""
        if self._rows == self._most:
            self._has_more = True
            return False
        self._rows += 1
        if self._masks is not None:
            hidden = self._masks.of(len(row))
            pairs = zip(row, hidden, strict=True)
            forms = [_HIDDEN if h and v is not None else normal_form(v) for v, h in pairs]
        else:
            forms = [normal_form(value) for value in row]
        cells = b"".join([b"%b%d:%b" % (tag, len(data), data) for tag, data in forms])
        digest = hashlib.sha256(cells).digest()
        if self._order:
            key = [forms[place] for place in self._order if place < len(forms)]
            if key != self._key and self._rows > 1:
                self._close_bag()
            self._key = key
        self._bag = (self._bag + int.from_bytes(digest, "big")) % (1 << _BITS)
        return True

    def _close_bag(self) -> None:
        self._chain.update(self._bag.to_bytes(_BITS // 8, "big"))
        self._bag = 0

    def tally(self, columns: tuple[str, ...]) -> Tally:
        """Return what was counted; no checksum when these aren't the columns that were expected."""
        is_outdated = self._masks is not None and not self._masks.are_for(columns)
        is_blind = self._masks is not None and self._masks.hidden is None
        if self._has_more or is_outdated or is_blind:
            return Tally(self._rows, self._has_more, None)
        self._close_bag()
        head = b"%d rows of %d columns " % (self._rows, len(columns))
        text = hashlib.sha256(head + self._chain.digest()).hexdigest()[:_SHOWN]
        return Tally(self._rows, has_more=False, checksum=f"{VERSION}-{text}")


def normal_form(value: Any) -> tuple[bytes, bytes]:
    """Return the kind of a value and its bytes, equal for what counts as equal."""
    if value is None:
        return b"n", b""
    if type(value) is int and value.bit_length() < _LONG_BITS:
        return b"d", b"%d" % value
    if type(value) is str:
        return b"t", _text(value).encode("utf-8", "surrogatepass")
    if isinstance(value, bytes | bytearray | memoryview):
        return b"b", bytes(value)
    if isinstance(value, int | float | decimal.Decimal):
        return b"d", _number(value).encode()
    if isinstance(value, dt.date | dt.time):
        value = value.isoformat()
    if not isinstance(value, str):
        value = to_json(value)
    if isinstance(value, str):
        return b"t", _text(value).encode("utf-8", "surrogatepass")
    if isinstance(value, int | float):
        return b"d", _number(value).encode()
    return b"j", json.dumps(value, ensure_ascii=False, sort_keys=True).encode()


def _number(value: float | decimal.Decimal) -> str:
    if isinstance(value, float):
        if not math.isfinite(value):
            return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
        number = _DIGITS.create_decimal(repr(value))
    else:
        number = decimal.Decimal(value)
        if not number.is_finite():
            return _number(float("nan") if number.is_nan() else float(number))
        if number != number.to_integral_value(context=_EXACT):
            number = _DIGITS.plus(number)
    if not number:
        return "0"
    if abs(number.adjusted()) > _LONGEST_PLAIN:
        return str(number.normalize(_EXACT))
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _text(value: str) -> str:
    """Return a moment in one form, and any other text as it is."""
    found = _TIME.fullmatch(value) if value[4:5] == "-" else None
    if found is None:
        return value
    fraction = (found["fraction"] or "").rstrip("0")
    zone = (found["zone"] or "").strip()
    if zone and _UTC.fullmatch(zone):
        zone = "Z"
    return f"{found['day']} {found['time']}{'.' if fraction else ''}{fraction}{zone}"
