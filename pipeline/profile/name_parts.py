"""Names of tables and columns taken apart into words; pure, no data is read.

A table's stem is its name without schema, `tbl_` and `_header`; a column's stem is its name
without `_id`, `_code` and the like.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product

from pipeline.profile import naming_words as vocabulary
from pipeline.text import singular, words
from schemas.facts import Column, Table

Words = tuple[str, ...]

_MODULE = 3
_SHORT = 2
_PART = 4
_NUMBERED = frozenset({"pos", "position", "zeile", "line", "lfd"})
"""What numbers count within another row: `posnr`."""
_ENDINGS = ("s", "es", "n", "en", "e", "er", "i")
_VOWELS = frozenset("aeiou")


@dataclass(frozen=True)
class TableName:
    """A table's name taken apart."""

    words: Words
    """Without schema and prefixes; singular."""
    column_prefix: Words = ()
    """What (nearly) all its columns begin with, e.g. `l` in `l_orderkey`."""
    bare: Words = ()
    """The name without its module's (`res_partner`), where no other table is called so."""
    is_staff: bool = False
    """It is the only table of persons who work there."""

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
    def called(self) -> tuple[Words, ...]:
        """The stems, and what they are short for: `ord` is an `order`."""
        return self.stems + self.spelled_out

    @cached_property
    def spelled_out(self) -> tuple[Words, ...]:
        """The stems with usual short forms written in full."""
        options = (
            product(*(vocabulary.SHORT_FOR.get(word, (word,)) for word in stem))
            for stem in self.stems
        )
        found = dict.fromkeys(words for option in options for words in option)
        return tuple(words for words in found if words not in self.stems)

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
    family: str = ""
    """Of its type."""
    is_plural: bool = False
    """It counts: `pages`."""

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
    while len(found) > 1 and (found[0] in vocabulary.TABLE_PREFIXES or found[0] == found[1]):
        found = found[1:]  # `tbl_order`, `product_product`
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


def with_bare_names(
    names: Mapping[str, TableName], columns: AbstractSet[Words]
) -> dict[str, TableName]:
    """Return tables' names with what is left of them without the module that they belong to.

    A module's name begins those of at least three tables, and is no table's own: `res_users`,
    `res_partner`, `res_company`; but `order_status` isn't any status.

    Args:
        names: of the tables.
        columns: the stems of all references; one that is called like the module speaks of a thing.
    """
    starts = Counter(name.words[0] for name in names.values() if len(name.words) > 1)
    things = {name.words for name in names.values()} | columns
    modules = {word for word, count in starts.items() if count >= _MODULE and (word,) not in things}
    ends = Counter(name.stems[-1][-1] for name in names.values() if len(name.stems[-1]) <= _SHORT)

    def bare(name: TableName) -> Words:
        stem = name.stems[-1]
        is_alone = len(stem) == _SHORT and ends[stem[-1]] == 1
        return stem[1:] if is_alone and name.words[0] in modules else ()

    return {table: replace(name, bare=bare(name)) for table, name in names.items()}


def column_name(column: Column, table: TableName, stems: frozenset[str]) -> ColumnName:
    """Take a column's name apart; `stems` are the tables' stems written without gaps."""
    plain = words(column.name)
    found = _without_prefix([singular(word) for word in plain], table, stems)
    if not found:  # a name of signs only
        return ColumnName((column.name,), (), "")
    if len(found) == 1 or found[-1] not in vocabulary.SUFFIXES:
        found = [*found[:-1], *_unglued(found[-1], stems)]
    elif found[-2] not in stems:
        found = [*found[:-2], *(_compound(found[-2], stems) or found[-2:-1]), found[-1]]
    stem, suffix = _parted(found)
    is_plural = bool(plain) and plain[-1] != singular(plain[-1])
    return ColumnName(tuple(found), tuple(stem), suffix, column.family, is_plural)


def _without_prefix(found: list[str], table: TableName, stems: frozenset[str]) -> list[str]:
    """Return a column's words without what all columns of its table begin with."""
    prefix = table.column_prefix
    if not prefix or tuple(found[: len(prefix)]) != prefix:
        return found
    rest = found[len(prefix) :]
    is_other = "".join(prefix) in stems and prefix not in table.stems
    if is_other and set(rest) <= vocabulary.SUFFIXES:  # `user_newtalk.user_id` is a user's
        return found
    return rest or found


def _parted(found: list[str]) -> tuple[list[str], str]:
    """Return the stem of a column's words and what kind of key they say that it is."""
    if len(found) > 1 and found[-1] in vocabulary.SUFFIXES:
        return found[:-1], _suffix_kind(found[-1])
    if len(found) > 1 and found[0] in vocabulary.LEADING and found[1] != "of":
        return found[1:], _suffix_kind(found[0])  # but `no_of_rooms` counts
    if len(found) == 1 and found[0] in vocabulary.SUFFIXES:
        return [], _suffix_kind(found[0])
    return found, ""


def as_primary(name: ColumnName) -> ColumnName:
    """Return the name of a primary key: it is a key even without `_id` (`DocumentNode`)."""
    if name.suffix or name.words[-1] in vocabulary.LABELS or not name.stem:
        return name
    return replace(name, suffix="id")


def as_generic(name: ColumnName) -> ColumnName:
    """Return the name of a key that is called like too many others to say what it identifies."""
    return replace(name, words=name.words[-1:], stem=()) if name.suffix else name


@lru_cache(maxsize=100_000)
def alike(some: Words, other: Words) -> bool:
    """Return whether two names are the same but for gaps and a plural ending."""
    if some == other:
        return True
    one, two = "".join(some), "".join(other)
    if one == two:
        return True
    short, long = sorted((one, two), key=len)
    return short in forms(long)


def forms(name: str) -> list[str]:
    """Return a name and it without an ending of the plural, so that two alike share one."""
    found = [name.removesuffix(ending) for ending in _ENDINGS if name.endswith(ending)]
    return [name, *(form for form in found if len(form) > 3)]  # shorter words differ by their ends


@lru_cache(maxsize=100_000)
def is_short_for(short: str, word: str) -> bool:
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
        if rest == word or len(rest) < 3:
            continue
        if rest in _NUMBERED or any(_is_called(rest, stem) for stem in stems):
            return [rest, suffix]
        if suffix == "id" and rest in vocabulary.PEOPLE_ROLES:
            return [rest, suffix]
        parts = _segmented(rest, stems) or _compound(rest, stems)
        if parts:
            return [*parts, suffix]
    return [word]


def _is_called(word: str, stem: str) -> bool:
    """Return whether a word may stand for a table: its name, a short form, its longer part."""
    if alike((word,), (stem,)) or is_short_for(word, stem):
        return True
    return len(word) > _PART and stem.endswith((word, word + "e"))


def _compound(word: str, stems: frozenset[str]) -> list[str]:
    """Split `hauptlieferant` before the table that it ends with: the longest, not too short."""
    ends = (at for at in range(3, len(word) - 4) if word[at:] in stems)
    at = next(ends, None)
    return [] if at is None or word in stems else [word[:at], word[at:]]


def _segmented(text: str, stems: frozenset[str]) -> list[str]:
    """Split `relateduser`, `billtoaddress` and `referenceorder` into roles and what plays them."""
    for size in range(2, len(text) - 2):
        role, rest = text[:size], text[size:]
        if role not in vocabulary.ROLES | vocabulary.ANYTHING:
            continue
        if rest in stems:
            return [role, rest]
        if role in vocabulary.ANYTHING and len(rest) > 3 and sum(rest in s for s in stems) > 1:
            return [role, rest]  # several tables are orders
        parts = _segmented(rest, stems)
        if parts:
            return [role, *parts]
    return []


def _suffix_kind(word: str) -> str:
    if word in vocabulary.CODES:
        return "code"
    return "number" if word in vocabulary.NUMBERS else "id"


def _column_prefix(table: Table) -> Words:
    """Return a short first word that all columns share, but for one in five."""
    names = [words(column.name) for column in table.columns]
    starts = {name[0] for name in names if len(name) > 1}
    if len(starts) == 1 and len(names) > 1 and all(len(name) > 1 for name in names):
        own = words(re.split(r"__", table.object_name)[-1])  # `user_former_groups.ufg_user`
        if any("".join(w[0] for w in own[at:]) in starts for at in range(len(own) - 1)):
            return tuple(starts)
    longer = [n for n in names if len(n) > 1]
    if len(longer) < 3:  # two columns may share a word by chance
        return ()
    first = max({n[0] for n in longer}, key=lambda w: sum(n[0] == w for n in longer))
    shared = sum(n[0] == first for n in longer)
    return (first,) if shared >= 0.8 * len(names) and len(first) <= 4 else ()  # an abbreviation
