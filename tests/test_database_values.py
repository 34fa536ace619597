"""Values of databases as JSON: exact, readable, and always valid."""

import datetime as dt
import ipaddress
import json
import uuid
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.database.values import shortened, to_json

HOUR = dt.timezone(dt.timedelta(hours=1))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(2**63 - 1, 2**63 - 1, id="64-bit integer"),
        pytest.param(2**127 - 1, 2**127 - 1, id="128-bit integer"),
        pytest.param(10**5000, "1" + "0" * 5000, id="integer that Python doesn't print"),
        pytest.param(Decimal("1.50"), "1.50", id="decimal keeps its zeros"),
        pytest.param(Decimal("1E-38"), "0." + "0" * 37 + "1", id="smallest decimal"),
        pytest.param(Decimal("1E+3"), "1000", id="decimal with an exponent"),
        pytest.param(Decimal("1E+400"), "1E+400", id="decimal that would be endless"),
        pytest.param(Decimal("-1.5E-4000"), "-1.5E-4000", id="decimal that would be endless zeros"),
        pytest.param(Decimal("9" * 80 + ".1"), "9" * 80 + ".1", id="long decimal"),
        pytest.param(Decimal("-0.00"), "-0.00", id="negative zero"),
        pytest.param(Decimal("sNaN"), "NaN", id="signalling NaN"),
        pytest.param(Decimal("-Infinity"), "-Infinity", id="infinite decimal"),
        pytest.param(float("nan"), "NaN", id="NaN"),
        pytest.param(float("-inf"), "-Infinity", id="infinity"),
        pytest.param(dt.timedelta(days=1, hours=2), "26:00:00", id="more than a day"),
        pytest.param(dt.timedelta(microseconds=-1), "-00:00:00.000001", id="just below zero"),
        pytest.param(-dt.timedelta(hours=838, minutes=59), "-838:59:00", id="least TIME of MySQL"),
        pytest.param(dt.timedelta.min, "-23999999976:00:00", id="least duration"),
        pytest.param(dt.time(1, 2, 3, 4, HOUR), "01:02:03.000004+01:00", id="time with zone"),
        pytest.param(
            dt.datetime(1, 2, 3, tzinfo=HOUR),
            "0001-02-03T00:00:00+01:00",
            id="time stamp with zone",
        ),
        pytest.param(b"", "<0 bytes>", id="no bytes"),
        pytest.param(b"\x01", "<1 byte 0x01>", id="a bit field"),
        pytest.param(
            uuid.UUID(int=7).bytes, "<16 bytes 0x00000000000000000000000000000007>", id="binary key"
        ),
        pytest.param(memoryview(b"x" * 33), "<33 bytes>", id="more bytes than are shown"),
        pytest.param("a\0b", "a\0b", id="NUL in text"),
        pytest.param("a\ud800b", "a\ufffdb", id="half a character"),
        pytest.param("007", "007", id="text that looks like a number"),
        pytest.param({1: "a", "1": "b"}, [[1, "a"], ["1", "b"]], id="keys of one spelling"),
        pytest.param({(1, 2): "a"}, {"[1, 2]": "a"}, id="a key that is a list"),
        pytest.param(frozenset([2, 1]), [1, 2], id="set"),
        pytest.param(ipaddress.ip_address("10.0.0.1"), "10.0.0.1", id="address"),
    ],
)
def test_a_value_becomes_json_without_loss(value, expected):
    assert to_json(value) == expected
    assert type(to_json(value)) is type(expected)


def test_negative_zero_stays_negative():
    assert str(to_json(-0.0)) == "-0.0"


def test_what_is_nested_without_end_is_cut():
    bomb = []
    for _ in range(10_000):
        bomb = [bomb]

    text = json.dumps(to_json(bomb))

    assert "nested more than 100 levels deep" in text


SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.decimals() | st.binary()
    | st.timedeltas() | st.datetimes() | st.dates() | st.times() | st.uuids() | st.ip_addresses()
    | st.text(st.characters(codec=None, exclude_categories=()))
)  # fmt: skip
KEYS = st.integers() | st.text() | st.floats() | st.dates()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20
)


@settings(derandomize=True, max_examples=50, database=None, deadline=None)
@given(VALUES)
def test_whatever_comes_is_valid_json_and_utf_8(value):
    cell, _ = shortened(to_json(value), 50)
    text = json.dumps(cell, allow_nan=False, ensure_ascii=False)

    assert json.loads(text.encode()) == cell


@settings(derandomize=True, max_examples=50, database=None, deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_a_decimal_reads_back_as_itself(value):
    back = Decimal(to_json(value))

    assert back == value
    assert back.is_signed() == value.is_signed()
