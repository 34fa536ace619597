"""What a column's name and counts say about its meaning: units, formats, bookkeeping, sentinels.

Every claim needs a name and data that agree: a wrong claim is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.profile.aggregates import Counts
from pipeline.profile.kinds import phrases
from pipeline.profile.kinds import words as word_set
from pipeline.profile.measure import EXAMPLE_LENGTH
from pipeline.text import words
from schemas.facts import Column, Scalar, Table, ValueCount

_NUMBERS = frozenset({"integer", "decimal", "float"})
_TIMES = frozenset({"date", "timestamp"})

# ------------------------------------------------------------------ bookkeeping

_CHANGED = word_set(
    """modified updated changed upd mod update edited refreshed synced geaendert geandert modifie
    modificado atualizado actualizado"""
)
_CREATED = word_set(
    """created inserted added create loaded imported ingested extracted creation insert erstellt
    angelegt cree creado criado"""
)
_LOADED = word_set("loaded imported ingested extracted synced etl dwh")
_WHEN = word_set("""date at on time ts timestamp datetime dt utc local am datum fecha data tms""")
_WHO = word_set("by user userid uid von par por id name")
_TOOL = re.compile(
    r"(?i)^(_fivetran_|_airbyte_|_sdc_|_dbt_|dbt_(scd_id|updated_at|valid_)|_dlt_|etl_"
    r"|dw_(load|insert|update)|__\$)"
)
_ROW_IDS = frozenset(
    phrases(
        """rowguid, row guid, row uuid, row version, rowversion, rowver, row ver, lock version,
        optlock, row hash, hash diff, hashdiff, record source, etag, msrepl tran version"""
    )
)


def housekeeping(table: Table, column: Column) -> str | None:
    """Return why a column is bookkeeping, or None.

    A creation time counts only where another date tells of the business and a modification time
    stands beside it: else it may be the one date that people ask about.
    """
    found = words(column.name)
    if _TOOL.match(column.name):
        return "written by a loading tool"
    if tuple(found) in _ROW_IDS:
        return "technical row identifier or version"
    if _is_change(found, column, _CHANGED):
        return "when or by whom the row was last changed"
    if _is_change(found, column, _CREATED):
        if set(found) & _WHO and not set(found) & _WHEN:
            return "by whom the row was added"
        has_change = any(_is_change(words(c.name), c, _CHANGED) for c in table.columns)
        if set(found) & _LOADED or (has_change and _has_business_date(table)):
            return "when the row was added"
    if found[:1] == ["deleted"] and found[1:] == ["by"]:
        return "by whom the row was deleted"
    return None


def _is_change(found: Sequence[str], column: Column, verbs: frozenset[str]) -> bool:
    """Return whether a name is `modified_at`, `last_update`, `DateCreated`, `updated_by`, …."""
    own = [word for word in found if word not in ("last", "row", "record", "rec", "sys", "first")]
    if not own or len(own) > 3 or not set(own) & verbs:  # `updated_at_utc`
        return False
    rest = set(own) - verbs
    is_time = column.family in _TIMES or column.family in ("text", "integer", "time", "other")
    if not rest:
        return column.family in _TIMES or "last" in found
    if rest <= _WHEN:
        return is_time
    return (rest <= _WHO and "by" in rest | set(found)) or rest <= {
        "user",
        "userid",
        "von",
        "par",
        "por",
    }


def _has_business_date(table: Table) -> bool:
    return any(
        c.family in _TIMES
        and not _is_change(words(c.name), c, _CHANGED | _CREATED)
        and not set(words(c.name)) & {"birth", "dob", "deleted", "born", "birthday"}
        for c in table.columns
    )


_DELETED = word_set(
    """deleted delete removed geloescht geloscht borrado eliminado supprime excluido cancellato"""
)
_DELETE_FLAGS = re.compile(
    r"(?i)^(is_?|has_?been_?|row_?|record_?)?(soft_?)?"
    r"(deleted|removed|del|loeschkennzeichen|loeschkz|geloescht)_?(flag|ind|yn|fg)?$"
    r"|^del(ete)?_?(flag|ind|yn)$|^(is_?)?(borrado|eliminado|excluido|supprime)$"
)
_FLAG_VALUES = frozenset(
    {"0", "1", "y", "n", "yes", "no", "true", "false", "t", "f", "j", "x", "d", ""}
)


def soft_delete(column: Column, counts: Counts, rows: int, values: Sequence[ValueCount]) -> bool:
    """Return whether a column marks rows as deleted without removing them."""
    found = words(column.name)
    marks_time = bool(set(found) & _DELETED or "deletion" in found) and set(found) <= (
        _DELETED | _WHEN | {"deletion", "soft"}
    )
    if (
        marks_time
        and column.family in (*_TIMES, "text", "integer")
        and len(found) > 1
        and set(found) & _WHEN
    ):
        return rows == 0 or (counts.nulls or 0) * 2 >= rows
    if not _DELETE_FLAGS.match(column.name) or column.family in _TIMES | {"binary"}:
        return False
    if (counts.distinct or 0) > 2:  # a flag has two
        return False
    stored = {str(v.value).strip().casefold() for v in values}
    return stored <= _FLAG_VALUES


# ------------------------------------------------------------------ units

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
USD: usd
EUR: eur euro euros
GBP: gbp
JPY: jpy
CHF: chf
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
}
"""Letters that are a unit only after the right quantity."""
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
    return (
        _epoch(found, column, numbers)
        or _percent(found, numbers)
        or _named_epoch(found)
        or _named(found)
        or _cents(found, column, examples)
    )


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
    if last in _UNIT_OF:
        return _UNIT_OF[last]
    if found[0] in ("days", "hours", "minutes", "weeks", "months", "years") and len(found) > 1:
        return found[0]
    if len(found) > 1 and last in _AFTER_QUANTITY:
        name, quantities = _AFTER_QUANTITY[last]
        return name if set(found[:-1]) & quantities else None
    return None


def _cents(found: Sequence[str], column: Column, examples: Sequence[Scalar]) -> str | None:
    """Whole numbers under a money name that mostly end like prices do: 1999, 2495, 4990."""
    if column.family != "integer" or found[-1] not in _MONEY:
        return None
    whole = [v for v in examples if isinstance(v, int) and v > 0]
    if len(set(whole)) < _MANY:
        return None
    ends = sum(v % 100 in _ENDINGS for v in whole)
    return "cents" if ends * 2 >= len(whole) and max(whole) >= 1000 else None  # ten units of money


# ------------------------------------------------------------------ time zones, formats

_ZONES = {
    "utc": "UTC",
    "gmt": "UTC",
    "zulu": "UTC",
    "local": "local time",
    "lcl": "local time",
    "est": "",
    "cet": "",
}
_UTC_END = re.compile(r"(Z|\+00:?00)$")


def time_zone(column: Column, text_format: str | None, examples: Sequence[Scalar]) -> str | None:
    """Return the zone that a name's suffix or every value's suffix tells, or None."""
    found = words(column.name)
    is_time = column.family in ("timestamp", "time") or (text_format or "").startswith(
        "ISO timestamp"
    )
    is_time = is_time or (
        column.family in ("text", "integer", "date", "other") and bool(set(found) & _WHEN)
    )
    if is_time and len(found) > 1 and found[-1] in _ZONES:
        return _ZONES[found[-1]] or None
    texts = [v for v in examples if isinstance(v, str) and v.strip()]
    if (
        text_format == "ISO timestamp with zone"
        and texts
        and all(_UTC_END.search(t) for t in texts)
    ):
        return "UTC"
    return None


def _cut(text: str) -> str:
    return text[: EXAMPLE_LENGTH + 1].strip()


def _json(text: str) -> bool:
    if len(text) >= EXAMPLE_LENGTH:  # the end was cut off
        return bool(re.match(r'[{\[]\s*["\d{\[]', text))
    return (text[:1] == "{" and text[-1:] == "}") or (
        text[:1] == "[" and text[-1:] == "]" and text[1:2] in '{["0123456789]'
    )


@dataclass(frozen=True, slots=True)
class _Format:
    name: str
    test: Callable[[str], bool]
    longest: int | None = None
    """Characters; the longest value of all is known even when only some were looked at."""


def _full(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda text: bool(compiled.fullmatch(text))


_DAY = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_CLOCK_TIME = r"(?:[01]\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?"
_ZONE = r" ?(?:Z|[+-]\d\d:?(?:\d\d)?)"
_FORMATS = (
    _Format("UUID", _full(r"\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?"), 38),
    _Format("ISO date", _full(_DAY), 10),
    _Format("ISO timestamp with zone", _full(rf"{_DAY}[T ]{_CLOCK_TIME}{_ZONE}"), 36),
    _Format("ISO timestamp", _full(rf"{_DAY}[T ]{_CLOCK_TIME}"), 29),
    _Format("ISO date or timestamp", _full(rf"{_DAY}(?:[T ]{_CLOCK_TIME}(?:{_ZONE})?)?"), 36),
    _Format("time of day", _full(_CLOCK_TIME), 18),
    _Format("ISO month", _full(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])"), 7),
    _Format(
        "DD.MM.YYYY",
        _full(r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d"),
        10,
    ),
    _Format("URL", _full(r"(?:https?|ftp)://[^\s]+|www\.[^\s]+")),
    _Format("JSON", _json),
    _Format("XML", _full(r"(?s)<[\w?!].*")),
    _Format("hex digits", _full(r"(?:0x)?(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{16,}")),
)
MIXED_DATES = ("dates, day first and month first mixed", "dates, day or month first")
_SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](?:19|20)\d\d")


def text_format(counts: Counts, examples: Sequence[Scalar]) -> str | None:
    """Return the one shape of all texts that were seen, or None."""
    if counts.max_length is None:
        return None
    ends = [v for v in (counts.minimum, counts.maximum) if isinstance(v, str)]
    if any(not isinstance(v, str) for v in examples):
        return None
    texts = [t for v in (*examples, *ends) if isinstance(v, str) and (t := _cut(v))]
    if not texts:
        return None
    for shape in _FORMATS:
        fits = shape.longest is None or counts.max_length <= shape.longest + (counts.padded or 0)
        if fits and all(shape.test(text) for text in texts):
            return shape.name
    return _slashed(texts) if counts.max_length <= len("31/12/2025") else None


def _slashed(texts: Sequence[str]) -> str | None:
    found = [_SLASHED.fullmatch(text) for text in texts]
    if not all(found):
        return None
    first = max(int(m[1]) for m in found if m)
    second = max(int(m[2]) for m in found if m)
    if first > 12 and second > 12:  # months end at 12
        return MIXED_DATES[0]
    if first > 12:
        return "DD/MM/YYYY"
    return "MM/DD/YYYY" if second > 12 else MIXED_DATES[1]
