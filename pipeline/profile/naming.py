"""What names say about which column may refer to which key; pure, no data is read.

A table's stem is its name without schema, `tbl_` and `_header`; a column's stem is its name
without `_id`, `_code` and the like. `bill_to_address_id` has the stem `bill to address`, which ends
with the stem of `address`: what is left, `bill to`, is the role.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pipeline.profile import naming_words as vocabulary
from pipeline.profile.nouns import PERSONS
from pipeline.text import singular, words
from schemas.facts import Column, Table

Words = tuple[str, ...]

PERSON_ROLE = 0.7
"""Strength of `support_rep_id` → `employee`."""


@dataclass(frozen=True, slots=True)
class Match:
    """Why a column may refer to a key, by their names."""

    strength: float
    """0–1: how often such names mean a reference; see `inclusion` for what data must add."""
    reason: str
    role: Words = ()
    is_owner: bool = False
    """The key's table is what the column's name speaks of."""


@dataclass(frozen=True)
class TableName:
    """A table's name taken apart."""

    words: Words
    """Without schema and prefixes; singular."""
    column_prefix: Words = ()
    """What (nearly) all its columns begin with, e.g. `l` in `l_orderkey`."""

    @cached_property
    def stems(self) -> tuple[Words, ...]:
        """The name, and the name without words that only say that it is a table."""
        found = [self.words]
        short = self.words
        while len(short) > 1 and short[-1] in vocabulary.TABLE_SUFFIXES:
            short = short[:-1]
            found.append(short)
        return tuple(found)

    @cached_property
    def initials(self) -> str:
        """First letters of its words."""
        return "".join(word[0] for word in self.words)


@dataclass(frozen=True)
class ColumnName:
    """A column's name taken apart."""

    words: Words
    """Singular, without its table's column prefix."""
    stem: Words
    suffix: str
    """`id`, `code`, `number`, or '' when nothing says that it is a key."""

    @property
    def is_generic(self) -> bool:
        """It says nothing of what it identifies: `id`, `code`, `row_no`."""
        return all(word in vocabulary.GENERIC for word in self.words)


def table_name(table: Table, common: Words = ()) -> TableName:
    """Take a table's name apart; `common` is a prefix that all tables share."""
    own = re.split(r"__", table.object_name)[-1]
    found = [singular(word) for word in words(own) if not word.isdigit()] or words(own)
    if common and tuple(found[: len(common)]) == common and len(found) > len(common):
        found = found[len(common) :]
    while len(found) > 1 and found[0] in vocabulary.TABLE_PREFIXES:
        found = found[1:]
    return TableName(tuple(found) or (table.object_name,), _column_prefix(table))


def common_prefix(tables: Sequence[Table]) -> Words:
    """Return words that (nearly) all names of at least five tables begin with."""
    if len(tables) < 5:  # fewer may share a word by chance
        return ()
    names = [[singular(w) for w in words(re.split(r"__", t.object_name)[-1])] for t in tables]
    first = max(
        {n[0] for n in names if n}, key=lambda w: sum(n[:1] == [w] for n in names), default=""
    )
    shared = sum(n[:1] == [first] and len(n) > 1 for n in names)
    return (first,) if shared >= 0.9 * len(names) else ()  # an exception or two


def column_name(column: Column, table: TableName, stems: frozenset[str]) -> ColumnName:
    """Take a column's name apart; `stems` are the tables' stems written without gaps."""
    found = [singular(word) for word in words(column.name)]
    if table.column_prefix and tuple(found[: len(table.column_prefix)]) == table.column_prefix:
        found = found[len(table.column_prefix) :] or found
    if not found:  # a name of signs only
        return ColumnName((column.name,), (), "")
    if len(found) == 1 or found[-1] not in vocabulary.SUFFIXES:
        found = [*found[:-1], *_unglued(found[-1], stems)]
    if len(found) > 1 and found[-1] in vocabulary.SUFFIXES:
        return ColumnName(tuple(found), tuple(found[:-1]), _suffix_kind(found[-1]))
    if (
        len(found) > 1 and found[0] in vocabulary.LEADING and found[1] != "of"
    ):  # `no_of_rooms` counts
        return ColumnName(tuple(found), tuple(found[1:]), _suffix_kind(found[0]))
    if len(found) == 1 and found[0] in vocabulary.SUFFIXES:
        return ColumnName(tuple(found), (), _suffix_kind(found[0]))
    return ColumnName(tuple(found), tuple(found), "")


def match(
    column: ColumnName, owner: TableName, key: ColumnName, target: TableName, *, same_table: bool
) -> Match | None:
    """Return the best reason why `column` of `owner` may refer to `key` of `target`, or None."""
    if same_table:
        return _self_reference(column, key, target)
    found = [
        _same_key_name(column, key, target),
        _table_in_name(column, owner, key, target),
        _abbreviated(column, key, target),
        _spelled_out(column, key, target),
        _person_role(column, target),
    ]
    return max((m for m in found if m), key=lambda m: m.strength, default=None)


def _same_key_name(column: ColumnName, key: ColumnName, target: TableName) -> Match | None:
    """`ProductID` = `ProductID`; `FromCurrencyCode` ends with it; `ID_STF_ADM`, `ID_STF`."""
    if key.is_generic or not key.suffix:
        return None
    owns = any(_alike(key.stem, stem) for stem in target.stems)
    if _alike(column.words, key.words):
        return Match(0.95 if owns else 0.9, "both columns have the same name", is_owner=owns)
    role = _before(column.words, key.words)
    if role:
        strength = 0.88 if _known(role) else 0.72
        return Match(strength, "the name ends with the key's name", role, is_owner=owns)
    role = column.words[len(key.words) :]
    if role and key.words[0] in vocabulary.LEADING and column.words[: len(key.words)] == key.words:
        return Match(
            0.84 if owns else 0.79, "the name begins with the key's name", role, is_owner=owns
        )
    return None


def _table_in_name(
    column: ColumnName, owner: TableName, key: ColumnName, target: TableName
) -> Match | None:
    """`customer_id` names the table `customer`; `bill_to_address_id` ends with `address`."""
    fits = _fits(column, key)
    if not fits or not column.stem:
        return None
    for stem in target.stems:
        if _alike(column.stem, stem):
            return Match(0.93 * fits, "the name is that of the table", is_owner=True)
    for stem in target.stems:
        role = _before(column.stem, stem)
        if role and (column.suffix or _known(role)):
            strength = 0.86 if _known(role) else 0.7
            return Match(
                strength * fits, "the name ends with that of the table", role, is_owner=True
            )
    for stem in target.stems:
        role = column.stem[len(stem) :]
        if role and _alike(column.stem[: len(stem)], stem) and column.suffix and _known(role):
            return Match(0.72 * fits, "the name begins with that of the table", role, is_owner=True)
    for stem in target.stems:  # a suffix of the table's name is no proof but beside a shared prefix
        prefix = _before(stem, column.stem)
        if prefix and column.suffix and owner.words[: len(prefix)] == prefix:
            return Match(
                0.84 * fits,
                "the name is that of the table without the prefix that both tables have",
                is_owner=True,
            )
    return None


def _abbreviated(column: ColumnName, key: ColumnName, target: TableName) -> Match | None:
    """`cust_id`, `dept_no`, `soh_id`; `kundennr`."""
    fits = _fits(column, key)
    if not column.suffix or not column.stem or not fits:
        return None
    joined = "".join(column.stem)
    for stem in target.stems:
        if len(column.stem) == len(stem) and all(map(_short_for, column.stem, stem)):
            return Match(0.82 * fits, "the name is short for that of the table", is_owner=True)
    if len(target.words) > 1 and len(joined) == len(target.words) and joined == target.initials:
        return Match(0.8 * fits, "the name is the initials of the table", is_owner=True)
    last = target.stems[-1]
    if (
        len(last) == 1
        and len(column.stem) > 1
        and _short_for(column.stem[-1], last[0])
        and _known(column.stem[:-1])
    ):
        return Match(
            0.75 * fits,
            "the name ends with a short form of the table's",
            column.stem[:-1],
            is_owner=True,
        )
    return None


def _spelled_out(column: ColumnName, key: ColumnName, target: TableName) -> Match | None:
    """`encounter_id` → `tb_enc.id_enc`: here the table's name is the short one."""
    fits, last = _fits(column, key), target.stems[-1]
    if (
        not fits
        or len(column.stem) != 1
        or len(last) != 1
        or not _short_for(last[0], column.stem[0])
    ):
        return None
    own = _alike(key.stem, last) or (len(key.stem) == 1 and _short_for(key.stem[0], last[0]))
    if column.stem == last or not own:
        return None
    return Match(0.78 * fits, "the table's name is short for it", is_owner=True)


def _self_reference(column: ColumnName, key: ColumnName, target: TableName) -> Match | None:
    """`parent_id`, `manager_id`, `ReportsTo`, `parent_category_id`."""
    if column.words == key.words:
        return None
    stem = column.stem
    for own in (*target.stems, key.stem):
        role = _before(stem, own) if own else ()
        if role and (set(role) & (vocabulary.SELF | vocabulary.SELF_OF_PEOPLE) or _known(role)):
            return Match(0.85, "the name ends with that of its own table", role, is_owner=True)
    is_reference = (
        bool(column.suffix) or stem[-1:] in (("to",), ("of",), ("by",)) or stem == ("parent",)
    )
    is_people = target.stems[-1][-1] in vocabulary.PEOPLE | PERSONS
    above = vocabulary.SELF | vocabulary.SELF_OF_PEOPLE if is_people else vocabulary.SELF
    if stem and stem[0] in above and is_reference and len(stem) <= 2:  # `reports to`
        return Match(0.8, "the name is that of a row above or beside in the same table", stem)
    return None


def _person_role(column: ColumnName, target: TableName) -> Match | None:
    """`support_rep_id`, `approved_by`, `owner` refer to employees or users."""
    if (
        not column.stem
        or not set(target.stems[-1][-1:]) & vocabulary.PEOPLE
        or len(target.stems[-1]) > 1
    ):
        return None
    head = column.stem[-1]
    is_role = head in vocabulary.PEOPLE_ROLES and (
        bool(column.suffix) or head in ("by", "owner", "assignee", "manager")
    )
    if not is_role or not set(column.stem) & (vocabulary.PEOPLE_ROLES - {"by"}):
        return None
    return Match(PERSON_ROLE, "the name is a role of a person", column.stem)


def _fits(column: ColumnName, key: ColumnName) -> float:
    """Return how well two kinds of key go together: an id isn't a code; 0 not at all."""
    if column.suffix == key.suffix:
        return 1.0
    if not column.suffix:
        return 0.85
    if key.suffix == "id" or column.suffix == "id":
        return 0.8 if key.is_generic or key.suffix else 0.0
    return 0.7 if key.suffix else 0.0


def _known(role: Words) -> bool:
    return all(
        word in vocabulary.ROLES or word in vocabulary.SELF or word.isdigit() for word in role
    )


def _before(longer: Words, shorter: Words) -> Words:
    """Return what stands before `shorter` at the end of `longer`; () when it doesn't end so."""
    rest = len(longer) - len(shorter)
    if rest <= 0 or not _alike(longer[rest:], shorter):
        return ()
    return longer[:rest]


@lru_cache(maxsize=100_000)
def _alike(some: Words, other: Words) -> bool:
    """Return whether two names are the same but for gaps and a plural ending."""
    if some == other:
        return True
    one, two = "".join(some), "".join(other)
    if one == two:
        return True
    short, long = sorted((one, two), key=len)
    return (
        len(short) > 3
        and long.startswith(short)
        and long[len(short) :] in ("s", "es", "n", "en", "e", "er", "i")
    )  # shorter words differ by their ends


_VOWELS = frozenset("aeiou")


@lru_cache(maxsize=100_000)
def _short_for(short: str, word: str) -> bool:
    """Return whether `short` is an abbreviation: a prefix, or letters of the word in order."""
    if short == word:
        return True
    if not 2 < len(short) < len(word) or short[0] != word[0]:
        return False
    if word.startswith(short):
        return True
    rest = iter(word)
    in_order = all(letter in rest for letter in short)
    return (in_order and not set(short[1:]) & _VOWELS) or (in_order and short[-1] == word[-1])


def _unglued(word: str, stems: frozenset[str]) -> list[str]:
    """Split `customerid` into `customer id` when `customer` is (short for) a table."""
    for suffix in ("identifier", "number", "nummer", "code", "key", "num", "id", "no", "nr"):
        rest = word.removesuffix(suffix)
        if (
            rest != word
            and len(rest) > 2
            and any(_alike((rest,), (s,)) or _short_for(rest, s) for s in stems)
        ):
            return [rest, suffix]
    return [word]


def as_primary(name: ColumnName) -> ColumnName:
    """Return the name of a primary key: it is a key even without `_id` (`DocumentNode`)."""
    if name.suffix or name.words[-1] in vocabulary.LABELS or not name.stem:
        return name
    return ColumnName(name.words, name.stem, "id")


def _suffix_kind(word: str) -> str:
    if word in vocabulary.CODES:
        return "code"
    return "number" if word in vocabulary.NUMBERS else "id"


def _column_prefix(table: Table) -> Words:
    """Return a short first word that all columns share, but for one in five."""
    names = [words(column.name) for column in table.columns]
    longer = [n for n in names if len(n) > 1]
    if len(longer) < 3:  # two columns may share a word by chance
        return ()
    first = max({n[0] for n in longer}, key=lambda w: sum(n[0] == w for n in longer))
    shared = sum(n[0] == first for n in longer)
    return (first,) if shared >= 0.8 * len(names) and len(first) <= 4 else ()  # an abbreviation
