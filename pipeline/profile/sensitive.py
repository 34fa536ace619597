"""Tell which columns look personal or secret, and say why.

The name is judged with its table's name first, then with the columns beside it, then the comment
of a name that says nothing. Values are looked at whatever the name says: addresses, valid card
numbers, keys. No value is ever quoted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from pipeline import value_shapes
from pipeline.database.type_fields import fields
from pipeline.errors import SettingError
from pipeline.profile import sensitive_names
from pipeline.profile import words_context as context
from pipeline.profile.sensitive_names import Named
from pipeline.profile.sensitive_tables import column_words, is_short_for, table_context
from pipeline.value_shapes import Addresses
from schemas.facts import Column, Scalar, Table, TypeFamily

_ROW_NAMES = frozenset({"name", "nm", "nam", "nom", "naam", "nome", "nombre", "namn"})
_NAME_PAIRS = tuple(
    frozenset(pair.split())
    for pair in ("fn ln", "fname lname", "first last", "vn nn", "vname nname", "f_name l_name")
)
"""Abbreviations that mean a person's first and last name where they stand side by side."""
_OWN_NAMES = frozenset(
    """first name|last name|surname|given name|family name|firstname|lastname|fname|lname|vorname
    |nachname|prenom|apellido|apellidos|sobrenome|cognome|voornaam|achternaam|fornamn|efternamn
    |imie|nazwisko""".replace("\n    ", "").split("|")
)
"""Names that a row has only if it is a person."""
_COMMENT = "its comment"
_COMMENT_WORDS = 4
"""A longer comment speaks of other things as well."""
_COMMENT_LENGTH = 120

_LEAST_AFFIXED = 4
"""So many names at least share a word that means the table."""

_Columns = tuple[tuple[str, TypeFamily], ...]


def why(table: str, column: str, family: TypeFamily, values: Sequence[Scalar] = ()) -> str | None:
    """Return why a column looks sensitive, or None; no value is ever quoted.

    Args:
        table: its table's name.
        column: its name.
        family: of its type; a flag is never personal, a count is no name.
        values: some of its stored values, if they may be read.
    """
    named = sensitive_names.find(table, column, family)
    return _said(named) if named else why_by_values(table, column, values)


def why_by_name(table: Table, column: Column) -> str | None:
    """Return why a column of a table looks sensitive by its name, its neighbours, its comment."""
    return Names(table).why(column)


class Names:
    """Judges the columns of one table; what they all share is looked at once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._beside = tuple((other.name, other.family) for other in table.columns)

    def why(self, column: Column) -> str | None:
        """Return why a column looks sensitive by its name, its neighbours, its comment."""
        named = sensitive_names.find(self._table.name, column.name, column.family)
        if named and sensitive_names.is_protected(named) and self._is_catalogue:
            return None
        if named is None and column.family != "boolean":
            named = (
                self._by_neighbours(column)
                or _by_comment(self._table.name, column)
                or _by_fields(self._table.name, column)
            )
        return _said(named) if named else None

    @cached_property
    def _is_catalogue(self) -> bool:
        """Whether a row is a disease or the like itself, whoever has it: its code is the key."""
        table = self._table
        keys = [key.columns for key in (table.primary_key, *table.unique) if key is not None]
        keys += [index.columns for index in table.indexes if index.unique and not index.where]
        alone = [column for key in keys if len(key) == 1 and (column := table.column(key[0]))]
        is_listed = any(
            named and sensitive_names.is_protected(named)
            for column in alone
            if (named := sensitive_names.find(table.name, column.name, column.family))
        )
        persons = context.PERSONS - context.ROLES_OF_THINGS
        named_beside = {word for column in table.columns for word in column_words(column.name)}
        where = table_context(table.name)
        return is_listed and not where.is_person and named_beside.isdisjoint(persons - {"parent"})

    @cached_property
    def _folded(self) -> frozenset[str]:
        return frozenset(name.casefold() for name, _ in self._beside)

    @cached_property
    def _about(self) -> str | None:
        return _about(self._table.name, self._beside)

    @cached_property
    def _affixes(self) -> tuple[str | None, str | None]:
        return _affixes([name for name, _ in self._beside])

    def _by_neighbours(self, column: Column) -> Named | None:
        """Judge a name with the names beside it."""
        table, own = self._table.name, column.name.casefold()
        if column.family == "text":
            if any(own in pair and pair <= self._folded for pair in _NAME_PAIRS):
                return Named(sensitive_names.NAME, own, "with its other half beside it")
            if _names_the_row(table, column.name) and self._about:
                return Named(sensitive_names.NAME, own, "with personal columns beside it")
        plain = _without_affixes(table, column.name, self._affixes)
        if plain is not None:
            named = sensitive_names.find(table, plain, column.family)
            if named:
                return named
        if self._about != "person":
            return None
        return sensitive_names.find_beside_personal(table, plain or column.name, column.family)


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


def is_of_picture(reason: str | None) -> bool:
    """Whether it is a picture of a person, or a trait, that a reason speaks of."""
    return reason is not None and reason.startswith(f"{sensitive_names.PICTURE}:")


def _said(named: Named) -> str:
    """Return a reason that begins with the kind: readers of the profile look for it there."""
    if named.needs == _COMMENT:
        return f"{named.title}: its comment says so ({named.phrase})"
    if named.needs is None:
        return f"{named.title}: the name says so ({named.phrase})"
    return f"{named.title}: the name says so ({named.phrase}, {named.needs})"


def why_by_values(table: str, column: str, values: Sequence[Scalar]) -> str | None:
    """Return why a column looks sensitive by its stored values alone, or None."""
    if not values:
        return None
    texts = [v for v in values if isinstance(v, str | int) and not isinstance(v, bool)]
    where = table_context(table)
    tells_moves = where.is_person or where.speaks_of(context.MOVES | context.DEVICES)
    is_of_machines = where.speaks_of(context.MACHINES | context.SERVICES | context.NETWORKS)
    addresses: Addresses = "any" if tells_moves else "none" if is_of_machines else "sure"
    found = value_shapes.find(texts, addresses)
    if not found or sensitive_names.is_of_place(table, column, found.title):
        return None
    return f"{found.title}: {found.share} values look like one"


def _by_fields(table: str, column: Column) -> Named | None:
    """Judge a column with fields by each of them: who reads it reads them all."""
    for part in fields(column.native_type):
        named = sensitive_names.find(table, part.name, part.family)
        if named:
            return Named(named.title, named.phrase, "in a field of it")
    return None


def _without_affixes(table: str, column: str, affixes: tuple[str | None, str | None]) -> str | None:
    """Return a name without what most names of its table begin or end with, if it has that.

    Only a letter or the table's short form goes: `cLogin`, `login_adh`. A word that all share
    (`is`, `count`) may say what they are.
    """
    whole = found = column_words(column)
    first, last = affixes
    if len(found) > 1 and found[0] == first and _means_nothing(table, first):
        found = found[1:]
    if len(found) > 1 and found[-1] == last and _means_nothing(table, last):
        found = found[:-1]
    return " ".join(found) if len(found) < len(whole) else None


def _means_nothing(table: str, word: str) -> bool:
    return len(word) == 1 or (_is_short(word, table) and word not in context.NOT_BEFORE)


def _affixes(names: Sequence[str]) -> tuple[str | None, str | None]:
    """Return the word that most names begin with and the one that most end with, if there are."""
    split = [found for name in names if len(found := column_words(name)) > 1]
    least = max(_LEAST_AFFIXED, len(names) // 2)
    most = [Counter(found[end] for found in split).most_common(1) for end in (0, -1)]
    first, last = (top[0][0] if top and top[0][1] >= least else None for top in most)
    return first, last


def _about(table: str, beside: _Columns) -> str | None:
    """Return `person` if the columns are those of one, `somebody` if they may be, else None."""
    others = context.ORGANISATIONS | context.PLACES | context.THINGS
    if table_context(table).speaks_of(others):
        return None
    found = [sensitive_names.find(table, name, family) for name, family in beside]
    own = [n for n, (name, _) in zip(found, beside, strict=True) if n and _is_own(table, name, n)]
    if any(n.title == sensitive_names.BIRTH or n.phrase in _OWN_NAMES for n in own):
        return "person"
    return "somebody" if any(n and n.title == sensitive_names.EMAIL for n in found) else None


def _is_own(table: str, column: str, named: Named) -> bool:
    """Whether a name says no more than its phrase and the table's short form."""
    *before, first = column_words(column)[: -len(named.phrase.split()) + 1 or None]
    return named.phrase.startswith(first) and (
        not before or (len(before) == 1 and (len(before[0]) == 1 or _is_short(before[0], table)))
    )


def _is_short(word: str, table: str) -> bool:
    return any(is_short_for(word, own) for own in table_context(table).own)


def _names_the_row(table: str, column: str) -> bool:
    """Whether the column is the name of what a row is: `name`, `nm`, `<table's short form>_nm`."""
    *before, head = column_words(column) or ("",)
    if head not in _ROW_NAMES or len(before) > 1:
        return False
    return not before or _is_short(before[0], table)


def _by_comment(table: str, column: Column) -> Named | None:
    """Judge a short comment as if it were the name: old systems call columns `F017`."""
    comment = (column.comment or "").strip().rstrip(".")
    if not comment or len(comment) > _COMMENT_LENGTH or len(comment.split()) > _COMMENT_WORDS:
        return None
    named = sensitive_names.find(table, comment, column.family)
    return Named(named.title, named.phrase, _COMMENT) if named else None
