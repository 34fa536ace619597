"""Numbers that states, banks and card networks give out, told by their check digits.

Each test takes one value as text. How often a number that is none passes is its `odds`: columns of
order numbers are told from those of identity numbers by how many values pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IdentityNumber:
    """How one state writes its numbers."""

    name: str
    form: re.Pattern[str]
    check: Callable[[str], bool]
    """Of the letters and digits alone, in capitals."""
    odds: float
    """Share of other values of that form that pass."""

    def holds(self, text: str) -> bool:
        """Return whether a value is such a number."""
        if not self.form.fullmatch(text):
            return False
        return self.check("".join(c for c in text.upper() if c.isalnum()))


def luhn(digits: str) -> bool:
    """Return whether the last digit is right (ISO/IEC 7812-1, annex B)."""
    total = 0
    for position, digit in enumerate(reversed(digits)):
        number = int(digit) * (2 if position % 2 else 1)
        total += number - 9 if number > 9 else number  # the digits' sum
    return total % 10 == 0


def ean(digits: str) -> bool:
    """Return whether the last digit is that of a trade item (GTIN, EAN, ISBN-13)."""
    total = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(reversed(digits)))
    return total % 10 == 0


def mod97(iban: str) -> bool:
    """Return whether the check digits are right and the length is the country's (ISO 13616)."""
    if _IBAN_LENGTHS.get(iban[:2]) != len(iban):
        return False
    return int("".join(str(int(c, 36)) for c in iban[4:] + iban[:4])) % 97 == 1


_COUNTRIES = """
15: NO
16: BE
18: DK FI FO GL NL
19: MK SI
20: AT BA EE KZ LT LU XK
21: CH HR LI LV
22: BG BH CR DE GB GE IE ME RS VA VG
23: AE GI IL IQ TL
24: AD CZ DZ ES MD PK RO SA SE SK TN
25: LY PT ST
26: IS TR
27: BI DJ FR GR IT MC MR SM
28: AL AZ BY CY DO EG GT HU LB NI PL SV
29: BR PS QA UA
30: JO KW MU
31: MT SC
32: LC
"""
_IBAN_LENGTHS = {
    country: int(length)
    for length, _, countries in (line.partition(":") for line in _COUNTRIES.strip().splitlines())
    for country in countries.split()
}


def _weighted(digits: Sequence[str], weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _is_day(day: str, month: str) -> bool:
    return 1 <= int(day) <= 31 and 1 <= int(month) <= 12


def _cpf(number: str) -> bool:
    if len(set(number)) == 1:
        return False
    return all(
        _weighted(number[:size], range(size + 1, 1, -1)) * 10 % 11 % 10 == int(number[size])
        for size in (9, 10)
    )


def _dni(number: str) -> bool:
    digits = number[:-1].translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == number[-1]


def _nir(number: str) -> bool:
    digits = number[:13].replace("2A", "19").replace("2B", "18")  # Corsica
    return digits.isdigit() and 97 - int(digits) % 97 == int(number[13:])


def _steuer_id(number: str) -> bool:
    most = max(number[:10].count(digit) for digit in number[:10])
    if number[0] == "0" or most not in (2, 3):  # exactly one digit comes twice or thrice
        return False
    product = 10
    for digit in number[:10]:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10 == int(number[10])


def _pesel(number: str) -> bool:
    is_day = _is_day(number[4:6], str(int(number[2:4]) % 20))
    total = _weighted(number, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1))
    return is_day and total % 10 == 0


def _personnummer(number: str) -> bool:
    short = number[-10:]
    day = int(short[4:6])
    return _is_day(str(day - 60 if day > 60 else day), short[2:4]) and luhn(short)


def _hetu(number: str) -> bool:
    digits = number[:6] + number[-4:-1]
    return (
        _is_day(number[:2], number[2:4])
        and "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(digits) % 31] == number[-1]
    )


def _fodselsnummer(number: str) -> bool:
    first = _weighted(number, (3, 7, 6, 1, 8, 9, 4, 5, 2, 1))
    second = _weighted(number, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1))
    return _is_day(number[:2], number[2:4]) and first % 11 == 0 and second % 11 == 0


def _belgian(number: str) -> bool:
    digits, check = number[:9], int(number[9:])
    return 97 - int(digits) % 97 == check or 97 - int("2" + digits) % 97 == check


def _bsn(number: str) -> bool:
    return number != "0" * 9 and _weighted(number, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def _chinese(number: str) -> bool:
    rest = _weighted(number[:17], (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11
    return _is_day(number[12:14], number[10:12]) and "10X98765432"[rest] == number[17]


def _cuit(number: str) -> bool:
    check = 11 - _weighted(number[:10], (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return {11: 0, 10: 9}.get(check, check) == int(number[10])


def _rut(number: str) -> bool:
    weights = [2 + i % 6 for i in range(len(number) - 1)]
    check = 11 - _weighted(number[-2::-1], weights) % 11
    return {11: "0", 10: "K"}.get(check, str(check)) == number[-1]


def _tckn(number: str) -> bool:
    digits = [int(c) for c in number]
    tenth = (sum(digits[0:9:2]) * 7 - sum(digits[1:8:2])) % 10
    return digits[9] == tenth and digits[10] == sum(digits[:10]) % 10


def _south_african(number: str) -> bool:
    return _is_day(number[4:6], number[2:4]) and luhn(number) and not ean(number)


def _any(_: str) -> bool:
    return True


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


IDENTITY_NUMBERS = (
    IdentityNumber("Brazil", _form(r"\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11}"), _cpf, 0.01),
    IdentityNumber("Spain", _form(r"(?:\d{8}|[XYZ]\d{7})-?[A-HJ-NP-TV-Z]"), _dni, 1 / 23),
    IdentityNumber(
        "France",
        _form(r"[12] ?\d\d ?(?:0[1-9]|1[0-2]|[2-9]\d) ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d"),
        _nir,
        0.01,
    ),
    IdentityNumber("Germany", _form(r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}"), _steuer_id, 0.1),
    IdentityNumber(
        "Italy",
        _form(r"[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]"),
        _any,
        0.001,
    ),
    IdentityNumber("Poland", _form(r"\d{11}"), _pesel, 0.04),
    IdentityNumber("Sweden", _form(r"(?:\d\d)?\d{6}[-+]\d{4}"), _personnummer, 0.04),
    IdentityNumber("Finland", _form(r"\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]"), _hetu, 0.01),
    IdentityNumber("Norway", _form(r"\d{6} ?\d{5}"), _fodselsnummer, 0.005),
    IdentityNumber("Belgium", _form(r"\d\d\.\d\d\.\d\d-\d{3}[.-]\d\d"), _belgian, 0.02),
    IdentityNumber("the Netherlands or Portugal", _form(r"\d{9}"), _bsn, 1 / 11),
    IdentityNumber(
        "the United Kingdom",
        _form(
            r"(?:QQ|(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]) ?"
            r"(?:\d\d ?){3}[A-D]"
        ),
        _any,
        0.001,
    ),
    IdentityNumber("Canada", _form(r"[1-79]\d\d[ -]\d{3}[ -]\d{3}"), luhn, 0.1),
    IdentityNumber("India", _form(r"[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]"), _any, 0.01),
    IdentityNumber("China", _form(r"\d{6}(?:19|20)\d{9}[\dX]"), _chinese, 0.05),
    IdentityNumber("Mexico", _form(r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d"), _any, 0.001),
    IdentityNumber("Argentina", _form(r"(?:2[0347])-?\d{8}-?\d"), _cuit, 0.1),
    IdentityNumber("Chile", _form(r"\d{1,2}(?:\.\d{3}){2}-[\dkK]|\d{7,8}-[\dkK]"), _rut, 1 / 11),
    IdentityNumber("Turkey", _form(r"[1-9]\d{10}"), _tckn, 0.01),
    IdentityNumber("South Africa", _form(r"\d{13}"), _south_african, 0.04),
    IdentityNumber("Switzerland", _form(r"756\.\d{4}\.\d{4}\.\d\d"), ean, 0.1),
)
"""Those of which a value alone tells much; others are known by the names of their columns."""
