"""Kinds of columns of an invented product: their SQL types and plausible values."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

Value = str | int | float | bool | None

_WORDS = (
    "amber", "river", "stone", "maple", "quiet", "lantern", "harbor", "violet", "copper", "meadow",
    "signal", "winter", "orchard", "falcon", "marble", "velvet", "cedar", "summit", "canyon",
    "ember", "willow", "prairie", "beacon", "saffron", "granite",
)  # fmt: skip
_FIRST = ("Anna", "Bruno", "Clara", "David", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas")
_LAST = ("Abel", "Bauer", "Costa", "Diaz", "Engel", "Fuchs", "Garcia", "Huber", "Ivanov", "Kaya")
_BEGIN = datetime(2021, 3, 1, tzinfo=UTC)


def _some(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(_WORDS) for _ in range(count))


def _time(chance: random.Random) -> datetime:
    return _BEGIN + timedelta(seconds=chance.randrange(4 * 365 * 86400))


def _digits(chance: random.Random, count: int) -> str:
    return "".join(chance.choice("0123456789") for _ in range(count))


def _phone(chance: random.Random) -> str:
    return f"+49 30 {_digits(chance, 7)}"


def _between(chance: random.Random, argument: str) -> int:
    low, high = argument.split("..")
    return chance.randint(int(low), int(high))


def _decimal(chance: random.Random, argument: str) -> float:
    low, high = argument.split("..")
    return round(chance.uniform(float(low), float(high)), 2)


def _json(chance: random.Random) -> str:
    return json.dumps({"note": _some(chance, 2), "count": chance.randrange(50)})


_VALUES: dict[str, Callable[[random.Random, str, int], Value]] = {
    "int": lambda c, a, _: _between(c, a),
    "big": lambda c, a, _: _between(c, a),
    "small": lambda c, a, _: int(c.choice(a.split("|"))),
    "dec": lambda c, a, _: _decimal(c, a),
    "bool": lambda c, *_: c.random() < 0.3,
    "text": lambda c, *_: _some(c, c.randrange(5, 30)),
    "str": lambda c, *_: _some(c, c.randrange(1, 4)),
    "title": lambda c, *_: _some(c, 3).title(),
    "slug": lambda c, _, n: f"{_some(c, 2).replace(' ', '-')}-{n}",
    "seq": lambda _, a, n: f"{a}{n:05d}",
    "ser": lambda _, a, n: int(a) + n,
    "person": lambda c, *_: f"{c.choice(_FIRST)} {c.choice(_LAST)}",
    "first": lambda c, *_: c.choice(_FIRST),
    "last": lambda c, *_: c.choice(_LAST),
    "street": lambda c, *_: f"{c.choice(_WORDS).title()} Street {c.randrange(1, 200)}",
    "zip": lambda c, *_: _digits(c, 5),
    "email": lambda c, _, n: f"{c.choice(_FIRST)}.{c.choice(_LAST)}{n}@example.org".lower(),
    "ip": lambda c, *_: ".".join(str(c.randrange(1, 250)) for _ in range(4)),
    "phone": lambda c, *_: _phone(c),
    "ssn": lambda c, *_: f"{c.randrange(100, 700)}-{c.randrange(10, 99)}-{_digits(c, 4)}",
    "iban": lambda c, *_: f"DE{_digits(c, 20)}",
    "url": lambda c, _, n: f"https://example.org/{c.choice(_WORDS)}/{n}",
    "file": lambda c, _, n: f"{c.choice(_WORDS)}_{n}.png",
    "hash": lambda c, *_: f"{c.getrandbits(160):040x}",
    "token": lambda c, *_: f"{c.getrandbits(64):016x}",
    "hex": lambda c, *_: f"{c.getrandbits(24):06X}",
    "uuid": lambda c, *_: "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}".format(
        *map(c.getrandbits, (32, 16, 12, 12, 48))
    ),
    "digits": lambda c, *_: str(c.randrange(1, 10**6)),
    "json": lambda c, *_: _json(c),
    "time": lambda c, *_: _time(c).strftime("%Y-%m-%d %H:%M:%S"),
    "date": lambda c, *_: _time(c).date().isoformat(),
    "birth": lambda c, *_: (date(1940, 1, 1) + timedelta(days=c.randrange(25000))).isoformat(),
    "unix": lambda c, *_: int(_time(c).timestamp()),
    "mw": lambda c, *_: _time(c).strftime("%Y%m%d%H%M%S"),
    "enum": lambda c, a, _: c.choice(a.split("|")),
}
_TYPES = {
    "postgresql": {
        "pk": "bigint", "int": "integer", "big": "bigint", "small": "smallint", "ser": "integer",
        "dec": "numeric(12, 2)", "bool": "boolean", "text": "text", "json": "jsonb",
        "time": "timestamp", "date": "date", "birth": "date", "unix": "bigint", "uuid": "uuid",
        "ip": "inet", "": "varchar",
    },
    "mysql": {
        "pk": "int unsigned", "int": "int", "big": "bigint", "small": "smallint",
        "ser": "int", "dec": "decimal(12, 2)", "bool": "tinyint(1)", "text": "mediumtext",
        "json": "longtext", "time": "datetime", "date": "date", "birth": "date",
        "unix": "bigint", "mw": "binary(14)", "": "varchar(255)",
    },
    "sqlite": {
        "pk": "INTEGER", "int": "INTEGER", "big": "BIGINT", "small": "SMALLINT", "ser": "INTEGER",
        "dec": "NUMERIC(12, 2)", "bool": "BOOLEAN", "text": "TEXT", "json": "JSON",
        "time": "DATETIME", "date": "DATE", "birth": "DATE", "unix": "BIGINT", "": "VARCHAR(255)",
    },
}  # fmt: skip
_BINARY = {"text": "mediumblob", "mw": "binary(14)", "": "varbinary(255)"}


def value(chance: random.Random, kind: str, argument: str, number: int) -> Value:
    """Return a value of a kind; `number` is that of its row, from 1."""
    return _VALUES[kind](chance, argument, number)


def native_type(kind: str, dialect: str, *, binary: bool) -> str:
    """Return the SQL type of a kind."""
    types = _TYPES[dialect]
    if binary and dialect == "mysql":
        return _BINARY.get(kind, _BINARY[""])
    return types.get(kind, types[""])
