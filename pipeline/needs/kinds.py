"""What a column asks its people: the meaning of codes, a unit, or just a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipeline.cards import ColumnCard, TableCard
from pipeline.text import singular, words
from schemas.facts import Link, Scalar, Table


def words_of(text: str) -> frozenset[str]:
    """Return the words of a list that reads best as text."""
    return frozenset(text.split())


JOIN_SHARE = 0.99
"""An inferred join is suggested when at least this share of its references finds a row."""

_MOST_CODES = 30
_FEW_NUMBERS = 6
_LONGEST_CODE = 20
_LONGEST_OPAQUE = 3
_LONGEST_CAPITALS = 5
_REPEATS = 2
"""A code stands in at least so many rows on average; where each is in one, its row explains it."""

_BOOLEANS = (
    frozenset({"0", "1"}),
    frozenset({"y", "n"}),
    frozenset({"yes", "no"}),
    frozenset({"t", "f"}),
    frozenset({"true", "false"}),
    frozenset({"-1", "0"}),
)
_CODE_WORDS = words_of(
    """category cat cd class code flag flg frequency gender grade ind kind method mode option phase
    priority reason role stage state status style tier type variant"""
)
_PUBLIC_CODE_WORDS = words_of("country currency language locale province region state timezone")
_MEASURE_WORDS = words_of(
    """age amount average avg count counter day days height hour hours index length level line
    lines max min minute minutes month months number order position qty quantity rank rate rating
    score sequence seq size revision sort stock total version week weeks weight width year years"""
)
_UNIT_WORDS = words_of(
    """amount amt area balance bonus budget charge commission cost credit debit depth discount
    distance duration fee freight gross height income length margin net pay payment price profit
    quota revenue salary sales size speed subtotal tax temperature total turnover volume wage weight
    width"""
)
_NUMBERS = ("integer", "decimal", "float")
_CENT_STEMS = ("cent", "pence", "minor", "pfennig")
_NUMBERED_NAMES = [[word] for word in ("id", "no", "code", "number", "key", "nr")]
_TITLE_WORDS = words_of("honorific prefix salutation suffix title")
_INITIAL_WORDS = words_of("init initial initials")
_ADDRESS_WORDS = words_of("address city country county postal postcode street town zip")
_STATE = "state"
_FLAG_WORDS = words_of("are can flag flg has have ind is was")
_ONE_CHARACTER = frozenset({"0", "1", "t", "f"})
_COUNTED = words_of("count index level line number order qty quantity rank seq sequence")


def is_coded(table: TableCard, column: ColumnCard) -> bool:
    """Return whether the column holds house codes: few short values that don't explain themselves.

    Flags with two plain answers, public codes such as countries, keys and references are none.
    """
    if table.table.kind != "table":  # a view shows codes of its tables
        return False
    if column.explains_codes and (column.codes_seen or not lacks_meanings(column)):
        return True  # people explain its codes; where some are left, lint asks for them, too
    values = [code.value for code in column.codes if code.count]
    if not column.codes_seen or not 2 <= len(values) <= _MOST_CODES:
        return False
    texts = [str(value).strip() for value in values]
    named = set(words(column.name))
    if max(map(len, texts)) > _LONGEST_CODE or column.column.family == "boolean":
        return False
    if is_boolean(texts) and not _is_open(texts, named):
        return False
    rows = sum(code.count or 0 for code in column.codes)
    if rows < _REPEATS * len(values) or is_key(table, column) or references(table, column):
        return False
    if column.column.family == "integer":
        return _is_numbered(words(column.name), values)
    if column.column.family not in ("text", "enum", "other"):
        return False
    return _is_abbreviated(table, named, texts)


def _is_abbreviated(table: TableCard, named: set[str], texts: list[str]) -> bool:
    if _is_public(table, named, texts) or named & _INITIAL_WORDS:
        return False
    digits = sum(text.isdigit() for text in texts)
    if 2 * digits > len(texts) and named & (_MEASURE_WORDS | _UNIT_WORDS):
        return False
    opaque = sum(_is_opaque(text) for text in texts)
    return 2 * opaque > len(texts)


def _is_numbered(named: list[str], values: list[Scalar]) -> bool:
    if not named or set(named) & {"id", "ids", "uuid", "guid"}:
        return False
    if set(named) & _CODE_WORDS:
        return True
    numbers = [value for value in values if isinstance(value, int)]
    few = len(numbers) == len(values) <= _FEW_NUMBERS
    numbered = few and min(numbers) >= 0 and max(numbers) <= len(numbers) + 1
    counts = named[-1] != singular(named[-1])  # `stars`, `phone_orders`
    return numbered and not counts and not set(named) & (_MEASURE_WORDS | _UNIT_WORDS)


def _is_open(texts: list[str], named: set[str]) -> bool:
    """Return whether two answers don't say to what: which kind, state or class is 0?"""
    asks = named & _FLAG_WORDS or not named & _CODE_WORDS
    return not asks and {text.casefold() for text in texts} <= _ONE_CHARACTER


def _is_public(table: TableCard, named: set[str], texts: list[str]) -> bool:
    """Return whether the column holds codes that everybody knows: `DE`, `EUR`, `Mr`.

    They have two letters or more. A state is one of a country only in an address.
    """
    if not named & (_PUBLIC_CODE_WORDS | _TITLE_WORDS):
        return False
    if 2 * sum(len(text) > 1 and text[0].isalpha() for text in texts) <= len(texts):
        return False
    around = named.union(*(words(column.name) for column in table.table.columns))
    return named & (_PUBLIC_CODE_WORDS | _TITLE_WORDS) != {_STATE} or bool(around & _ADDRESS_WORDS)


def _is_opaque(text: str) -> bool:
    if re.fullmatch(r"[0-9]{1,3}|[^\W_]{1,3}", text):
        return True
    return len(text) <= _LONGEST_CAPITALS and text == text.upper() and not text.isdigit()


def is_boolean(texts: list[str]) -> bool:
    """Return whether the values are two plain answers, such as 0 and 1 or Y and N."""
    folded = {text.casefold() for text in texts}
    return any(folded <= answers for answers in _BOOLEANS)


def lacks_meanings(column: ColumnCard) -> bool:
    """Return whether a stored value has no meaning yet."""
    return any(code.count and not code.meaning for code in column.codes)


def needs_unit(table: TableCard, column: ColumnCard) -> bool:
    """Return whether a column without codes holds amounts, durations or sizes: what has units."""
    if table.table.kind != "table" or column.column.family not in _NUMBERS:
        return False
    named = words(column.name)
    if is_key(table, column) or references(table, column):
        return False
    if column.profile.unit is not None:
        return True
    if column.profile.time_zone or set(named) & _COUNTED or named[-1:] in _NUMBERED_NAMES:
        return False
    return bool(set(named) & _UNIT_WORDS)


def unit_is_known(column: ColumnCard, said: str | None) -> bool:
    """Return whether people `said` the unit, or the column's name does.

    Cents that only the values suggest wait for somebody to say so.
    """
    if said or column.profile.unit is None:
        return bool(said)
    named = words(column.name)
    return column.profile.unit != "cents" or any(w.startswith(_CENT_STEMS) for w in named)


def is_key(table: TableCard, column: ColumnCard) -> bool:
    """Return whether the column is in the primary key or unique by itself."""
    keys = [table.table.primary_key] if table.table.primary_key else []
    alone = any(key.columns == (column.name,) for key in table.table.unique)
    return alone or any(column.name in key.columns for key in keys)


def references(table: TableCard, column: ColumnCard) -> tuple[Link, ...]:
    """Return the links that lead from the column to another row."""
    return tuple(
        link
        for link in table.links
        if link.table == table.name and column.name in link.columns and is_firm(link)
    )


def is_firm(link: Link) -> bool:
    """Return whether a link is stated by somebody, or measured to hold (nearly) always."""
    if link.origin != "inferred":
        return True
    share = link.evidence.matched_share if link.evidence else None
    return share is not None and share >= JOIN_SHARE


def connected(table: Table, links: Iterable[Link]) -> tuple[str, ...]:
    """Return the tables that a table connects: its key is made of references to them.

    `links` lead from the table. Empty: it is something of its own.
    """
    firm = [link for link in links if is_firm(link)]
    ends = tuple(dict.fromkeys(link.to_table for link in firm if link.origin == "declared"))
    referring = {column for link in firm for column in link.columns}
    key = table.primary_key.columns if table.primary_key else ()
    return ends if len(key) > 1 and len(ends) > 1 and set(key) <= referring else ()


def is_cryptic(name: str) -> bool:
    """Return whether a name has a part that no one can read, such as `x1` or `cstmr`."""
    parts = words(name)
    return any(
        len(part) == 1 or (not re.search(r"[aeiouy]", part) and not part.isdigit())
        for part in parts
    )
