"""Tables that take their columns over from another: LIKE, CLONE, LIKE among the columns."""

from __future__ import annotations

from dataclasses import replace

from pipeline.database.ddl.drafts import Draft, Script, UnreadError
from pipeline.database.ddl.native_types import POSTGRES
from pipeline.database.ddl.reader import Reader
from schemas.facts import Column, Key

_PARTS = ("DEFAULTS", "GENERATED", "IDENTITY", "COMMENTS", "CONSTRAINTS", "INDEXES", "ALL")
_SERIAL = {
    "serial": "integer",
    "serial4": "integer",
    "bigserial": "bigint",
    "serial8": "bigint",
    "smallserial": "smallint",
    "serial2": "smallint",
}


def copy_table(script: Script, draft: Draft, reader: Reader) -> None:
    """Read the name behind LIKE or CLONE and make a table all alike.

    Raises:
        UnreadError: the other table isn't there.
    """
    other = script.find(reader.name())
    if other is None:
        raise UnreadError("the table that it copies isn't there")
    _copy_all(draft, other)


def _copy_all(draft: Draft, other: Draft) -> None:
    draft.columns += other.columns
    draft.primary_key = other.primary_key
    draft.unique += other.unique
    draft.indexes += other.indexes
    draft.checks += other.checks


def copy_items(script: Script, draft: Draft, item: Reader) -> None:
    """Read what follows LIKE and put the other table's columns behind those that are there.

    PostgreSQL takes names, types and NOT NULL, and more as INCLUDING says; MySQL everything but
    foreign keys; of others the columns are taken.

    Raises:
        UnreadError: the other table isn't there.
    """
    name = item.name()
    other = script.find(name)
    if other is None:
        raise UnreadError(f"LIKE names {name[1]}, which isn't there")
    if item.lexis.dialect in POSTGRES:
        _copy_included(draft, other, _included(item))
        return
    if item.lexis.is_mysql:
        _copy_all(draft, other)
    else:
        draft.columns += other.columns


def _included(item: Reader) -> set[str]:
    found: set[str] = set()
    while not item.is_done:
        verb = item.take_any("INCLUDING", "EXCLUDING")
        words = set(_PARTS) if item.word == "ALL" else {item.word}
        if verb:
            found = found | words if verb == "INCLUDING" else found - words
        item.skip()
    return found


def _copy_included(draft: Draft, other: Draft, included: set[str]) -> None:
    key = set(other.primary_key.columns if other.primary_key else ())
    draft.columns += [
        _copied(replace(column, nullable=column.nullable and column.name not in key), included)
        for column in other.columns
    ]
    if "CONSTRAINTS" in included:
        draft.checks += other.checks
    if "INDEXES" in included:  # under names that the engine makes
        draft.primary_key = Key(other.primary_key.columns) if other.primary_key else None
        draft.unique += [Key(key.columns) for key in other.unique]
        draft.indexes += [
            replace(index, name="_".join((draft.name[1], *index.columns, "idx")))
            for index in other.indexes
        ]


def _copied(column: Column, included: set[str]) -> Column:
    native = _SERIAL.get(column.native_type.casefold(), column.native_type)
    is_serial = native != column.native_type or "nextval(" in (column.default or "").casefold()
    part = "DEFAULTS" if is_serial else "IDENTITY"
    found = replace(column, native_type=native, identity=column.identity and part in included)
    if "DEFAULTS" not in included:
        found = replace(found, default=None)
    if "GENERATED" not in included:
        found = replace(found, generated=None, expression=None)
    return found if "COMMENTS" in included else replace(found, comment=None)
