"""Shapes of values that are personal or secret whatever their column is called."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.value_checks import IDENTITY_NUMBERS, ean, luhn, mod97


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
    odds: float = 0.0
    """Share of look-alikes that pass by chance; as many must pass as rule chance out."""
    look_alike: Callable[[str], bool] | None = None
    """What looks the same until its check digits are looked at."""
    least_valid: float = 0.5
    """Share of the look-alikes that must pass."""

    def hits(self, texts: Sequence[str]) -> int:
        """Return how many values have the shape; 0 where too few have it to mean anything."""
        hits = sum(map(self.test, texts))
        if not hits or hits < self.least_share * len(texts) or self.odds**hits > _CHANCE:
            return 0
        if self.look_alike and hits < self.least_valid * sum(map(self.look_alike, texts)):
            return 0
        return hits


_MOST = 0.8
_HALF = 0.5
_CHANCE = 0.002
"""So rarely may look-alikes be taken for the real thing."""
_TEXT_LIMIT = 4000
_CARD_LENGTHS = (3, 4, 5)
"""Groups that a card number is written in."""
_OLD_CARD = 13
_IPV6_COLONS = 7
_LEAST_QUAD = 7
"""Digits of a dotted quad; shorter ones may be version numbers."""
_SURE_QUAD = 9
"""So many digits no version number has that ends below 256 four times."""

Addresses = Literal["none", "sure", "any"]
"""Which network addresses count."""

_FILES = "png|jpe?g|gif|svg|webp|ico|bmp|css|js|ts|html?|json|xml|pdf|txt|zip|gz|exe|dll|so"
_EMAIL = re.compile(
    rf"(?<![\w.+/-])(?!git@)[\w.+-]{{1,64}}@[\w-]+(?:\.[\w-]+)*\.(?!(?:{_FILES})\b)"
    r"[^\W\d_]{2,24}(?![\w-])"
)
_CARD_RUN = re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w.-])")
_CARD = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|62\d{14}"
)
_CARD_NAMED = re.compile(
    r"(?:card|karte|tarjeta|carte|cart[aã]o|carta|\bpan|\bcc|visa|mastercard|amex)"
    r"[^\d\n]{1,20}(\d{13,19})(?![\w.-])",
    re.IGNORECASE,
)
"""A bare run of digits counts behind a word for a card."""
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_SSN = re.compile(r"(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_SSN_LIKE = re.compile(r"\d{3}-\d{2}-\d{4}")
_PHONE_IN_TEXT = re.compile(
    r"(?<![\w+])\+\d{1,3}[ .\-/()]{0,2}\d(?:[ .\-/()]{0,2}\d){5,12}(?!\w)"
    r"|(?<![\w.\-/])\(?[2-9]\d\d\)?[-. ][2-9]\d\d-\d{4}(?![\w-])"
)
_PHONE = re.compile(
    r"\+[1-9][\d ().\-/]{6,20}\d|00[1-9]\d{0,2}[ ./-][\d ().\-/]{5,18}\d"
    r"|1? ?\(\d{1,5}\)[ -]?\d[\d -]{4,14}\d"
    r"|\d{3}[-. ]\d{3}[-. ]\d{4}|0[1-9]\d{0,3}[-/ ](?!(?:19|20)\d\d-)\d{3,4}[- ]?\d{3,5}"
    r"|0[1-9](?:[ .-]\d\d){4}|0[1-9]\d{1,4}[/ ]\d[\d ]{4,9}\d|[679]\d\d \d{3} \d{3}|3\d\d \d{6,7}"
)
_SECRET = re.compile(
    r"(?<![\w-])(?:(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)|gh[pousr]_\w{30,}|github_pat_\w{20,}"
    r"|gl(?:pat|dt|rt)-[\w-]{16,}|[sr]k_(?:live|test)_\w{16,}|whsec_\w{16,}|xox[abeprs]-[\w-]{10,}"
    r"|xapp-[\w-]{20,}|AIza[\w-]{35}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,}|npm_\w{36}|pypi-[\w-]{30,}"
    r"|hf_[A-Za-z]{30,}|dop_v1_\w{30,}|shp(?:at|ca|pa|ss)_\w{30,}|hvs\.[\w-]{20,}|SK[0-9a-f]{32}"
    r"|AGE-SECRET-KEY-1\w{20,}|key-[0-9a-f]{32}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|sk-(?:[a-z]+-){0,3}(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{20,}"
    r"|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*)"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|otpauth://\w+/"
    r"|\$2[abxy]\$\d\d\$[./\w]{53}|\$argon2(?:id|i|d)\$|\$scrypt\$|\$(?:1|5|6|y|7)\$[^$\s]{1,64}\$[./\w]{20,}"
    r"|\$(?:P|H)\$[./\w]{31}(?!\w)|\{S?SHA(?:256|512)?\}[\w+/]{20,}|(?:pbkdf2|scrypt)[_:]\w+[$:]\d+"
    r"|(?<![a-z0-9+])[a-z][a-z0-9+]{1,20}://[^\s/:@]{1,80}:[^\s/@]{3,120}@[\w.-]+"
)  # fmt: skip
_AUTHORIZATION = re.compile(
    r"\b(?:Basic (?=\S*[a-z])(?=\S*[A-Z])(?=\S*[\d=])[A-Za-z0-9+/]{10,}={0,2}"
    r"|Bearer (?=\S*\d)[\w.~+/-]{16,}=*)(?!\w)"
)
_GIVEN_AFTER = (
    r"(?:pass(?:word|wd|phrase|wort)|pwd|kennwort|contrase[nñ]a|senha|mot de passe|пароль|secret"
    r"|(?:access|auth|api|bearer|refresh)[ _-]?(?:token|key)|api[_-]?secret|apikey|client_secret"
    r"|secret_?(?:access_?)?key|private[_-]?key|account_?key|sharedaccesskey|token|sig"
    r"|x-amz-signature)"
)
_MIXED = r"(?-i:(?=[^\s\"']*(?:\d|[a-z][A-Z]|[A-Z]{2}[a-z])))"
"""A value that no sentence would go on with."""
_SECRET_GIVEN = re.compile(
    rf"(?<![A-Za-z0-9])(?<!max_)(?<!page_){_GIVEN_AFTER}"
    rf"(?:[\"']?\s?:\s?[\"']?{_MIXED}|[\"']?\s?=\s?[\"']?|\s[\"'](?=[^\s\"']+[\"']))"
    r"(?![\"'$<{(%*])(?!(?:null|none|true|false)\b)[^\s\"'&;,()]{6,}"
    rf"|(?<![A-Za-z0-9]){_GIVEN_AFTER}\s?=\s?\"[^\s\"$<{{][^\"]{{5,80}}\"",
    re.IGNORECASE,
)
"""`password=…`, `api_key: …` with a digit, `PASSWORD '…'`: what follows is no sentence."""


def find(values: Sequence[str | int], addresses: Addresses = "none") -> Found | None:
    """Return the first shape that enough of `values` have.

    Args:
        values: what a column holds; not necessarily all of it.
        addresses: which network addresses count: those of servers are nobody's, short ones may
            be version numbers.
    """
    texts = [text[:_TEXT_LIMIT] for value in values if (text := str(value).strip())]
    for shape in (*SHAPES, *_ADDRESSES[addresses]):
        hits = shape.hits(texts)
        if hits:
            return Found(shape.title, hits, len(texts))
    return None


def _is_card(text: str) -> bool:
    digits = re.sub(r"[ -]", "", text)
    if not _is_card_like(text) or not luhn(digits):
        return False
    return len(digits) != _OLD_CARD or not ean(digits)  # else a trade item's number


def _is_card_like(text: str) -> bool:
    return bool(_CARD.fullmatch(re.sub(r"[ -]", "", text)))


def _grouped(text: str) -> list[str]:
    """Return card-like runs of digits in groups: a bare run in a text may be any number."""
    return [
        run
        for run in _CARD_RUN.findall(text)
        if len(groups := re.split(r"[ -]", run)) in _CARD_LENGTHS
        and all(len(group) <= 6 for group in groups)  # Amex has one of six
    ]


def _holds_card(text: str) -> bool:
    return any(map(_is_card, _grouped(text)))


def _names_card(text: str) -> bool:
    return any(map(_is_card, _CARD_NAMED.findall(text)))


def _ibans(text: str) -> list[str]:
    return [match.replace(" ", "") for match in _IBAN.findall(text)]


def _holds_iban(text: str) -> bool:
    return any(map(mod97, _ibans(text)))


def _is_imei(text: str) -> bool:
    return bool(re.fullmatch(r"(?:01|3[35]|86|99)\d{13}", text)) and luhn(text)


def _is_mac(text: str) -> bool:
    return bool(re.fullmatch(r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}", text))


def _is_ip(text: str, least_digits: int = _LEAST_QUAD) -> bool:
    parts = text.split(".")
    if len(parts) == 4 and all(p.isdecimal() and len(p) <= 3 and int(p) <= 255 for p in parts):
        return sum(len(p) for p in parts) >= least_digits
    if not re.fullmatch(r"[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}", text):
        return False
    return text.count(":") == _IPV6_COLONS or ("::" in text and any(c.isdigit() for c in text))


SHAPES = (
    Shape("password, key or other secret", lambda text: bool(_SECRET.search(text)), 0),
    Shape("password, key or other secret", lambda text: bool(_SECRET_GIVEN.search(text)), 0),
    Shape("password, key or other secret", lambda text: bool(_AUTHORIZATION.search(text)), 0),
    Shape("e-mail address", lambda text: bool(_EMAIL.search(text)), 0),
    Shape("bank account", _holds_iban, 0, look_alike=lambda text: bool(_ibans(text))),
    Shape("payment card", _is_card, _HALF, look_alike=_is_card_like, least_valid=_MOST),
    Shape("payment card", _names_card, 0),
    Shape("payment card", _holds_card, 0, look_alike=lambda text: bool(_grouped(text))),
    Shape("national identity number", lambda text: bool(_SSN_LIKE.fullmatch(text)), _MOST),
    Shape("national identity number", lambda text: bool(_SSN.search(text)), _HALF),
    *(
        Shape("national identity number", number.holds, _MOST, odds=number.odds)
        for number in IDENTITY_NUMBERS
    ),
    Shape("network or device identifier", _is_imei, _MOST, odds=0.1),
    Shape("phone number", lambda text: bool(_PHONE.fullmatch(text)), _HALF),
    Shape("phone number", lambda text: bool(_PHONE_IN_TEXT.search(text)), 0),
)
"""Those that one value settles come first where their titles say more."""
_ADDRESSES: dict[Addresses, tuple[Shape, ...]] = {
    "none": (),
    "sure": (
        Shape("network or device identifier", lambda t: _is_ip(t, _SURE_QUAD) or _is_mac(t), _HALF),
    ),
    "any": (Shape("network or device identifier", lambda t: _is_ip(t) or _is_mac(t), _MOST),),
}
