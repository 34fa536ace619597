"""Tell which columns look personal or secret, by their names and by the shapes of their values.

A name is split into words; it is sensitive when a phrase for such data is its head
(`billing_email`, `telefono_movil`) and not what another head speaks of (`email_count`,
`card_type`). Some names count only in a table of persons (`customer.name`, not `product.name`).
Values are looked at whatever the name says: addresses, valid card numbers, keys.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from pipeline.errors import SettingError
from pipeline.profile import value_shapes
from pipeline.profile.kinds import Kind
from pipeline.profile.kinds import words as word_set
from pipeline.profile.nouns import (
    MEASURED_PAY,
    MEASURES,
    NEUTRAL,
    NOT_BEFORE,
    PERSONS,
    PLACES,
)
from pipeline.profile.sensitive_words import KINDS, vocabulary
from pipeline.text import singular, words
from schemas.facts import Column, Scalar, Table, TypeFamily

_ORDER_WORDS = frozenset(
    {"with", "by", "per", "for", "of", "and", "mit", "nach", "con", "por", "avec", "par"}
)
_TABLE_PREFIXES = word_set(
    """v vw view dim fact fct stg staging tbl t tb raw src mst ref vista tabla base all my"""
)
_TABLE_SUFFIXES = word_set(
    """table tbl data info information detail details history hist archive archived bak backup old
    new temp tmp master mst list record records profile profiles raw view all current snapshot v
    daten stamm stammdaten base dim account accounts"""
)
_PLACE_KINDS = frozenset({"street or postal address", "phone number", "position of a person"})
_BANK_TABLES = word_set(
    """account bank payment payee payout transfer transaction payroll beneficiary iban konto konten
    compte comptes cuenta cuentas"""
)
_ACCOUNT_NUMBERS = (
    ("account", "number"),
    ("account", "no"),
    ("acct", "number"),
    ("acct", "no"),
    ("acct", "num"),
    ("account", "num"),
)
_NAME_WORDS = word_set("name naam namn navn nom nombre nome nazwa full")
_OTHER_ADDRESSES = word_set("mac ip email mail wallet")
_MACHINES = word_set("memory register bus cpu packet segment opcode firmware heap symbol")
_MOVES = word_set("log track trip ping session visit checkin event ride journey")
"""Rows that tell where somebody was."""
_SHORT = 2
_ROW_NAMES = frozenset({"name", "nm", "nam", "nom", "naam"})
_OF_PERSONS = frozenset({"e-mail address", "date or place of birth"})
"""Kinds of columns that only persons have, where the table is called after no organisation."""
_ORGANISATIONS = word_set(
    """supplier vendor company firm manufacturer producer brand partner carrier shipper account
    organisation organization agency publisher retailer dealer reseller distributor merchant
    lieferant hersteller firma proveedor fournisseur fornecedor team group department project
    product campaign list newsletter system server domain"""
)
_NAME_PAIRS = tuple(
    frozenset(pair.split())
    for pair in ("fn ln", "fname lname", "first last", "vn nn", "vname nname", "f_name l_name")
)
"""Abbreviations that mean a person's first and last name where they stand side by side."""


@dataclass(frozen=True, slots=True)
class TableContext:
    """What a table's name says about its rows."""

    is_person: bool
    is_place: bool
    is_address: bool
    is_bank: bool
    is_pay: bool
    is_machine: bool
    """Its addresses are those of a memory or a bus."""


def why(table: str, column: str, family: TypeFamily, values: Sequence[Scalar] = ()) -> str | None:
    """Return why a column looks sensitive, or None; no value is ever quoted.

    Args:
        table: its table's name.
        column: its name.
        family: of its type; a flag is never personal, a count is no name.
        values: some of its stored values, if they may be read.
    """
    title = by_name(table, column, family)
    if title:
        return f"{title}, by its name"
    found = value_shapes.find([v for v in values if isinstance(v, str | int)])
    return f"{found.title}, by {found.share} of the values looked at" if found else None


def why_by_name(table: Table, column: Column) -> str | None:
    """Return why a column of a table looks sensitive by its name and its neighbours' names."""
    found = why(table.name, column.name, column.family)
    if found is None and column.family == "text":
        beside = {other.name.casefold() for other in table.columns}
        for pair in _NAME_PAIRS:
            if column.name.casefold() in pair and pair <= beside:
                return "name of a person, by its name and the one beside it"
        if _names_the_row(table, column) and _is_about_persons(table):
            return "name of a person, by its name and the personal columns beside it"
    return found


def _names_the_row(table: Table, column: Column) -> bool:
    """Whether the column is the name of what a row is: `name`, `nm`, `<table's short form>_nm`."""
    *before, head = words(_without_accents(column.name)) or [""]
    if head not in _ROW_NAMES or len(before) > 1:
        return False
    own = _table_words(table.name)
    return not before or any(_is_short_for(before[0], word) for word in own)


def _is_short_for(short: str, word: str) -> bool:
    """Whether `short` begins like `word` and has only letters of it, in order."""
    letters = iter(word)
    return short[:1] == word[:1] and all(letter in letters for letter in short)


def _is_about_persons(table: Table) -> bool:
    """Whether columns of the table speak of a person, and its name of no organisation."""
    named = _all_words(table.name)
    if named & (_ORGANISATIONS | PLACES):
        return False
    kinds = {by_name(table.name, other.name, other.family) for other in table.columns}
    return bool(kinds & _OF_PERSONS)


def by_name(table: str, column: str, family: TypeFamily) -> str | None:
    """Return the kind of sensitive data that the names speak of, or None."""
    if family == "boolean":
        return None
    context, found = table_context(table), column_words(column)
    if not found:
        return None
    for kind in KINDS:
        if family not in kind.not_in and _speaks_of(kind, found, family, context):
            return kind.title
    return _by_context(found, family, context)


def matches(patterns: Iterable[str], table: str, column: str) -> str | None:
    """Return the first regular expression that finds the column or `table.column`.

    Raises:
        SettingError: a pattern can't be compiled.
    """
    for pattern in patterns:
        compiled = _compiled(pattern)
        if compiled.search(column) or compiled.search(f"{table}.{column}"):
            return pattern
    return None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise SettingError(
            f"profile.sensitive of kb.yaml: {pattern!r} is no regular expression: {error}",
            fix="correct the pattern; put a backslash before a sign that stands for itself",
        ) from error


@lru_cache(maxsize=4096)
def column_words(name: str) -> tuple[str, ...]:
    """Return a name's words without accents; `emailaddress` comes apart."""
    split: list[str] = []
    for word in words(_without_accents(name)):
        split.extend(_apart(word))
    return tuple(split)


@lru_cache(maxsize=4096)
def table_context(table: str) -> TableContext:
    """Return what a table's name says about its rows."""
    found = _table_words(table)
    heads = {found[-1], found[0]} if found else set()
    head = found[-1] if found else ""
    is_place = head in PLACES or (head not in PERSONS and bool(heads & PLACES))
    return TableContext(
        is_person=head in PERSONS or (len(found) > 1 and found[0] in _HEAD_FIRST_PERSONS),
        is_place=is_place and not _all_words(table) & (PERSONS | _MOVES),
        is_machine=bool(_all_words(table) & _MACHINES),
        is_address=head
        in ("address", "adresse", "anschrift", "direccion", "endereco", "indirizzo"),
        is_bank=bool(set(found) & _BANK_TABLES),
        is_pay=bool(set(found) & {"pay", "payroll", "salary", "compensation", "wage"}),
    )


def _all_words(table: str) -> set[str]:
    found = {part for word in words(_without_accents(table)) for part in _apart(word)}
    return found | {singular(word) for word in found}


_HEAD_FIRST_PERSONS = word_set(
    """cliente clientes empleado empleados usuario usuarios personas pacientes alumnos pessoas
    funcionarios clients utilisateurs"""
)


def _table_words(table: str) -> list[str]:
    """Return the words of a table's own name: no schema, no `tbl_`, nothing after `with`."""
    own = re.split(r"__|\.", _without_accents(table))[-1]
    found = [
        singular(part) if part not in PERSONS else part for w in words(own) for part in _apart(w)
    ]
    found = [word for word in found if not word.isdigit()]
    for position, word in enumerate(found):
        if position and word in _ORDER_WORDS:
            found = found[:position]
            break
    while len(found) > 1 and found[0] in _TABLE_PREFIXES:
        found = found[1:]
    while len(found) > 1 and found[-1] in _TABLE_SUFFIXES:
        found = found[:-1]
    return found


def _speaks_of(
    kind: Kind, found: tuple[str, ...], family: TypeFamily, context: TableContext
) -> bool:
    of_place = context.is_place or (not context.is_person and set(found[:-1]) & PLACES)
    if kind.title in _PLACE_KINDS and (of_place or context.is_machine):
        return False
    if context.is_person and any(_equals(found, phrase) for phrase in kind.in_person_table):
        return True
    if kind.title == "pay of a person" and set(found) & MEASURED_PAY:
        return False
    for phrase in kind.tail:
        for start in _starts(found, phrase):
            if _fits(kind, found[:start], found[start + len(phrase) :], family):
                return True
    for phrase in kind.head:
        for start in _starts(found, phrase):
            before, after = found[:start], found[start + len(phrase) :]
            if not set(before) & NOT_BEFORE and not set(after) & MEASURES:
                return True
    return False


def _fits(kind: Kind, before: Sequence[str], after: Sequence[str], family: TypeFamily) -> bool:
    """Return whether words around a phrase leave it what it is."""
    if set(before) & NOT_BEFORE:
        return False
    if family == "integer" and kind.title.startswith("password") and set(before) - {"user"}:
        return False  # tokens that are counted, a key's number
    if kind.title == "user name or login" and set(before) & {"last", "first"}:
        return False
    if kind.title == "street or postal address" and set(before) & _OTHER_ADDRESSES:
        return False
    may_follow = NEUTRAL | kind.tail_words
    if family in ("integer", "decimal") and "id" in after:
        return False
    return all(word in may_follow or word.isdigit() for word in after)


def _by_context(found: tuple[str, ...], family: TypeFamily, context: TableContext) -> str | None:
    """Judge names that mean something only together with their table or another word."""
    if family in ("text", "other", "enum"):
        if context.is_person and len(found) == 2 and found[1] == "name" and len(found[0]) <= 2:
            return "name of a person"  # `c_name`
        if (
            len(found) > 1
            and found[-1] in _NAME_WORDS
            and found[-2] in PERSONS - {"hr", "lead", "child"}
        ):
            return None if found[0] in NOT_BEFORE else "name of a person"
        if (
            len(found) > 1
            and found[0] in _NAME_WORDS
            and found[-1] in PERSONS
            and found[0] != "name"
        ):
            return "name of a person"
        if context.is_address and found[0] in ("line", "street", "zeile", "ligne", "linea"):
            return "street or postal address"
    if family in ("text", "integer", "other") and context.is_bank:
        account = any(_equals(found, phrase) for phrase in _ACCOUNT_NUMBERS)
        return "bank account" if account else None
    if (
        context.is_pay
        and family in ("decimal", "float", "integer")
        and found[-1] in ("rate", "amount", "pay")
    ):
        return "pay of a person"
    return None


def _starts(found: Sequence[str], phrase: tuple[str, ...]) -> list[int]:
    size = len(phrase)
    return [
        start
        for start in range(len(found) - size + 1)
        if all(_same(found[start + i], phrase[i]) for i in range(size))
    ]


def _equals(found: Sequence[str], phrase: tuple[str, ...]) -> bool:
    return len(found) == len(phrase) and bool(_starts(found, phrase))


def _same(word: str, other: str) -> bool:
    return word == other or (len(word) == len(other) + 1 and word[-1] == "s" and word[:-1] == other)


@cache
def _apart(word: str) -> tuple[str, ...]:
    """Split a word that is nothing but known words put together; else it stays whole."""
    known = vocabulary()
    if (
        word in known or len(word) < 6 or not word.isalpha()
    ):  # nothing that short comes apart safely
        return (word,)
    best: list[tuple[str, ...] | None] = [(), *([None] * len(word))]
    for end in range(1, len(word) + 1):
        for start in range(end - 1, -1, -1):
            part, before = word[start:end], best[start]
            if before is None or part not in known or (len(part) <= _SHORT and end < len(word)):
                continue
            current = best[end]
            if current is None or len(before) + 1 < len(current):
                best[end] = (*before, part)
    return best[-1] or (word,)


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize(
        "NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f")
    )
