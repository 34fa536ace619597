"""The likely unit of a column of numbers: what its name says, if the data agrees."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from pipeline.profile.aggregates import Counts
from pipeline.profile.kinds import words as word_set
from pipeline.profile.sentinels import NO_NUMBER
from pipeline.text import words
from schemas.facts import Column, Scalar

_NUMBERS = frozenset({"integer", "decimal", "float"})
_TIMES = frozenset({"date", "timestamp"})
_UNITS = """
cents: cents cent pence pfennig centimes centavos
kilograms: kg kilogram kilograms kilos
grams: gram grams gr
milligrams: mg milligrams
pounds (weight): lb lbs
ounces: oz ounces
tonnes: tonnes
kilometres: km kilometers kilometres
metres: meters metres
centimetres: cm centimeters centimetres
millimetres: mm millimeters millimetres
miles: miles
feet: ft feet
inches: inches inch
litres: liters litres
millilitres: ml milliliters millilitres
seconds: sec secs seconds sekunden secondes segundos
milliseconds: ms msec millis milliseconds
microseconds: usec micros microseconds
minutes: mins minutes minuten
hours: hrs hours stunden heures horas
days: days tage jours dias
weeks: weeks wochen
months: months monate meses
years: years jahre
bytes: bytes
kilobytes: kb kilobytes kib
megabytes: mb megabytes mib
gigabytes: gb gigabytes
kilowatt hours: kwh
degrees Celsius: celsius degc
degrees Fahrenheit: fahrenheit degf
basis points: bps
square metres: sqm
square feet: sqft
kilometres per hour: kmh kph
metres per second: mps
miles per hour: mph
watt hours: wh
megawatt hours: mwh
kilowatts: kw
watts: watts
volts: volts
hertz: hz
kilohertz: khz
megahertz: mhz
gigahertz: ghz
millibars: mbar
hectopascals: hpa
kilopascals: kpa
decibels: db
degrees: deg
pixels: px
revolutions per minute: rpm
parts per million: ppm
terabytes: tb
USD: usd
EUR: eur euro euros
GBP: gbp
JPY: jpy
CHF: chf
CAD: cad
AUD: aud
CNY: cny
INR: inr
BRL: brl
SEK: sek
NOK: nok
DKK: dkk
PLN: pln
"""
_UNIT_OF = {
    word: unit
    for unit, _, spellings in (line.partition(":") for line in _UNITS.strip().splitlines())
    for word in spellings.split()
}
_AFTER_QUANTITY = {
    "g": ("grams", word_set("weight gewicht mass net gross")),
    "m": ("metres", word_set("length width height depth distance altitude elevation laenge")),
    "l": ("litres", word_set("volume capacity")),
    "s": ("seconds", word_set("duration time elapsed latency timeout")),
    "t": ("tonnes", word_set("weight")),
    "min": ("minutes", word_set("duration prep cook length delay")),
    "in": ("inches", word_set("length width height")),
    "minor": ("cents", word_set("amount price total")),
    "c": ("degrees Celsius", word_set("temp temperature")),
    "f": ("degrees Fahrenheit", word_set("temp temperature")),
    "v": ("volts", word_set("voltage")),
    "a": ("amperes", word_set("current")),
    "w": ("watts", word_set("power")),
}
"""Letters that are a unit only after the right quantity."""
_SPEEDS = word_set("wind gust speed velocity geschwindigkeit tempo vitesse velocidad velocidade")
_LASTING = word_set(
    """duration time elapsed latency delay timeout wait took lag ping rtt response interval age
    runtime uptime cpu execution processing render load query request step total avg average mean
    min max median jitter pause period ttl dauer zeit duree tiempo tempo duracion duracao"""
)
"""Of these, milliseconds may have fractions; elsewhere `ms` is as likely metres per second."""
_WHOLE = frozenset({"bytes", "pixels", "cents"})
"""Units that have no parts."""
_PERCENT = word_set("pct percent percentage prozent pourcentage porcentaje perc")
_MONEY = word_set(
    """amount amt price cost total subtotal fee balance revenue charge payment refund tax betrag
    preis kosten montant prix precio importe valor"""
)
_CLOCK = word_set(
    """at time ts timestamp epoch unix date datetime created updated modified expires expiry start
    end seen login when since until s sec ms millis on"""
)
_EPOCHS = (  # 1980-01-01 to 2100-01-01
    ("epoch seconds", 315_532_800, 4_102_444_800),
    ("epoch milliseconds", 315_532_800_000, 4_102_444_800_000),
    ("epoch microseconds", 315_532_800_000_000, 4_102_444_800_000_000),
)
_COMPACT = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_DAYS = 3
"""Different numbers that read as days and aren't codes by chance."""
_ENDINGS = frozenset({99, 95, 90, 49, 79, 89, 98})
_MANY = 20


def unit(column: Column, counts: Counts, examples: Sequence[Scalar]) -> str | None:
    """Return the likely unit of a numeric column, or None."""
    found = words(column.name)
    if not found:
        return None
    numbers = [v for v in (counts.minimum, counts.maximum) if isinstance(v, int | float)]
    # SQLite: columns of any type may hold numbers, and those of a view have no type
    if column.family not in _NUMBERS and (len(numbers) < 2 or column.family == "boolean"):
        return None
    if any(isinstance(v, str) for v in (counts.minimum, counts.maximum)):
        return None
    if not counts.distinct and column.family not in _NUMBERS:
        return None
    told = _told(numbers, examples)
    return (
        _epoch(found, column, told)
        or _compact(told, examples)
        or _percent(found, numbers)
        or _named_epoch(found)
        or _fitting(_named(found), found, column, numbers)
        or _cents(found, column, examples)
    )


def _told(numbers: Sequence[float], examples: Sequence[Scalar]) -> list[float]:
    """Return the ends of the range; instead of one that is likely no number, that of examples."""
    seen = [v for v in examples if isinstance(v, int | float) and v not in NO_NUMBER]
    if not seen:
        return list(numbers)
    return [
        end if end not in NO_NUMBER else own
        for end, own in zip(numbers, (min(seen), max(seen)), strict=False)
    ]


def _compact(numbers: Sequence[float], examples: Sequence[Scalar]) -> str | None:
    """Days written as numbers: 20240131."""
    seen = {v for v in (*numbers, *examples) if v not in NO_NUMBER}
    is_so = len(seen) >= _DAYS and all(_COMPACT.fullmatch(str(v)) for v in seen)
    return "YYYYMMDD" if is_so else None


def _epoch(found: Sequence[str], column: Column, numbers: Sequence[float]) -> str | None:
    if len(numbers) < 2 or not (set(found) & _CLOCK or column.family in _TIMES):  # both ends
        return None
    low, high = numbers
    return next((name for name, least, most in _EPOCHS if least <= low and high <= most), None)


def _named_epoch(found: Sequence[str]) -> str | None:
    """`epoch_ms` holds what it says even where a value is out of range."""
    unit_name = _named(found) or ("seconds" if found[-1] in ("s", "epoch") else "")
    is_epoch = bool(set(found) & {"epoch", "unix"})
    return f"epoch {unit_name}" if is_epoch and unit_name.endswith("seconds") else None


def _percent(found: Sequence[str], numbers: Sequence[float]) -> str | None:
    if found[-1] not in _PERCENT and found[0] not in _PERCENT:
        return None
    if len(numbers) == 2 and numbers[0] >= -1 and 0 < numbers[1] <= 1:  # both ends
        return "fraction of 1"
    return "percent"


def _named(found: Sequence[str]) -> str | None:
    last = found[-1]
    if "per" in found or (found[0] in ("num", "count", "no") and last != "days"):
        return None
    if found[-2:] == ["m", "2"] or found[-2:] == ["m", "3"]:
        return "square metres" if last == "2" else "cubic metres"
    if last in _UNIT_OF:
        return _UNIT_OF[last]
    if found[0] in ("days", "hours", "minutes", "weeks", "months", "years") and len(found) > 1:
        return found[0]
    if len(found) > 1 and last in _AFTER_QUANTITY:
        name, quantities = _AFTER_QUANTITY[last]
        return name if set(found[:-1]) & quantities else None
    return None


def _fitting(
    name: str | None, found: Sequence[str], column: Column, numbers: Sequence[float]
) -> str | None:
    """Return the unit of a name if the numbers can have it: there is no half a byte."""
    has_parts = any(number % 1 for number in numbers if math.isfinite(number))
    if name in _WHOLE and has_parts:
        return None
    if name == "milliseconds" and found[-1] == "ms":
        if set(found) & _SPEEDS:
            return "metres per second"
        is_broken = has_parts or column.family == "float"
        return name if not is_broken or set(found[:-1]) & _LASTING else None
    return name


def _cents(found: Sequence[str], column: Column, examples: Sequence[Scalar]) -> str | None:
    """Whole numbers under a money name that mostly end like prices do: 1999, 2495, 4990."""
    if column.family != "integer" or found[-1] not in _MONEY:
        return None
    whole = [v for v in examples if isinstance(v, int) and v > 0]
    if len(set(whole)) < _MANY:
        return None
    ends = sum(v % 100 in _ENDINGS for v in whole)
    return "cents" if ends * 2 >= len(whole) and max(whole) >= 1000 else None  # ten units of money
