"""Shapes of values that are personal or secret whatever their column is called."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """A shape that some values have."""

    title: str
    hits: int
    looked_at: int

    @property
    def share(self) -> str:
        """Return `3 of 40`."""
        return f"{self.hits} of {self.looked_at}"


@dataclass(frozen=True, slots=True)
class Shape:
    """A test of one value, and the share of values that must pass it."""

    title: str
    test: Callable[[str], bool]
    least_share: float
    """0: a single value is enough, since nothing else looks like it."""


_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,24}(?![\w-])")
_CARD_RUN = re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w.-])")
_CARD = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|62\d{14}"
)
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_SSN = re.compile(r"(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_SSN_LIKE = re.compile(r"\d{3}-\d{2}-\d{4}")
_CPF = re.compile(r"\d{3}\.\d{3}\.\d{3}-\d{2}")
_PHONE_IN_TEXT = re.compile(r"(?<![\w+])\+\d{1,3}[ .\-/()]{0,2}\d(?:[ .\-/()]{0,2}\d){5,12}(?!\w)")
_PHONE = re.compile(
    r"(?:\+|00)[1-9][\d ().\-/]{6,20}\d|\(\d{2,5}\)[ -]?\d[\d -]{4,12}\d"
    r"|\d{3}[-. ]\d{3}[-. ]\d{4}|0\d{1,4}[-/ ]\d{3,4}[- ]?\d{3,5}"
)
_SECRET = re.compile(
    r"AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|gh[pousr]_\w{30,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
    r"|[sr]k_(?:live|test)_\w{16,}|xox[abprs]-[\w-]{10,}|AIza[\w-]{35}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"|\$2[abxy]\$\d\d\$[./\w]{53}|\$argon2(?:id|i|d)\$|pbkdf2_sha256\$|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|sk-[A-Za-z0-9_-]{20,}"
)  # fmt: skip
_MOST = 0.8
_HALF = 0.5
_TEXT_LIMIT = 4000


def find(values: Sequence[str | int]) -> Found | None:
    """Return the first shape that enough of `values` have."""
    texts = [text[:_TEXT_LIMIT] for value in values if (text := str(value).strip())]
    for shape in SHAPES:
        hits = sum(shape.test(text) for text in texts)
        if hits and hits >= shape.least_share * len(texts):
            return Found(shape.title, hits, len(texts))
    return None


def _is_card(text: str) -> bool:
    digits = re.sub(r"[ -]", "", text)
    return bool(_CARD.fullmatch(digits)) and _luhn(digits)


def _holds_card(text: str) -> bool:
    """Grouped in fours, or after a word: a bare run of digits in a text may be any number."""
    return any(
        (" " in run or "-" in run) and _is_card(run) and len(re.split(r"[ -]", run)) in (3, 4, 5)
        for run in _CARD_RUN.findall(text)
    )


def _luhn(digits: str) -> bool:
    """Return whether the check digit is right (ISO/IEC 7812-1, annex B)."""
    total = 0
    for position, digit in enumerate(reversed(digits)):
        number = int(digit) * (2 if position % 2 else 1)
        total += number - 9 if number > 9 else number  # the digits' sum
    return total % 10 == 0


def _holds_iban(text: str) -> bool:
    return any(_mod97(match.replace(" ", "")) for match in _IBAN.findall(text))


def _mod97(iban: str) -> bool:
    """Return whether the check digits are right (ISO 13616)."""
    if not 15 <= len(iban) <= 34:  # Norway's and the longest allowed
        return False
    return int("".join(str(int(c, 36)) for c in iban[4:] + iban[:4])) % 97 == 1


def _is_cpf(text: str) -> bool:
    if not _CPF.fullmatch(text):
        return False
    digits = [int(c) for c in text if c.isdigit()]
    for size in (9, 10):
        rest = sum(d * (size + 1 - i) for i, d in enumerate(digits[:size])) * 10 % 11 % 10
        if rest != digits[size]:
            return False
    return True


def _is_ip(text: str) -> bool:
    parts = text.split(".")
    if len(parts) != 4 or not all(
        p.isdigit() and len(p) <= 3 and int(p) <= 255 for p in parts
    ):  # dotted quad
        return False
    return sum(len(p) for p in parts) >= 8  # shorter ones may be version numbers


SHAPES = (
    Shape("e-mail address", lambda text: bool(_EMAIL.search(text)), 0),
    Shape("password, key or other secret", lambda text: bool(_SECRET.search(text)), 0),
    Shape("bank account", _holds_iban, 0),
    Shape("payment card", _is_card, _HALF),
    Shape("payment card", _holds_card, 0),
    Shape("national identity number", lambda text: bool(_SSN_LIKE.fullmatch(text)), _MOST),
    Shape("national identity number", lambda text: bool(_SSN.search(text)), _HALF),
    Shape("national identity number", _is_cpf, _HALF),
    Shape("phone number", lambda text: bool(_PHONE.fullmatch(text)), _HALF),
    Shape("phone number", lambda text: bool(_PHONE_IN_TEXT.search(text)), 0),
    Shape("network or device identifier", _is_ip, _MOST),
)
"""Those that one value settles come first where their titles say more."""
