"""Ends of whole numbers that a profile doesn't tell: of sensitive columns, for this search only.

An account's or an address's number is as good a key as any; without its least and greatest value
nothing tells a reference from chance, nor 0 for "no row" from an orphan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pipeline.database.connect import Database
from pipeline.errors import PassingError, QueryError
from schemas.facts import Catalog, ColumnProfile, Table, TableProfile

_SECONDS = 10.0


def with_hidden_ranges(
    database: Database, catalog: Catalog, profiles: Mapping[str, TableProfile]
) -> dict[str, TableProfile]:
    """Return profiles with the least and greatest of whole numbers that are withheld."""
    found = dict(profiles)
    for table in catalog.tables:
        profile = profiles.get(table.name)
        hidden = _hidden(table, profile) if profile is not None and not profile.sample else []
        if profile is not None and hidden:
            found[table.name] = replace(profile, columns=_asked(database, table, profile, hidden))
    return found


def _hidden(table: Table, profile: TableProfile) -> list[str]:
    whole = {column.name for column in table.columns if column.family == "integer"}
    return [
        c.column
        for c in profile.columns
        if c.column in whole and c.sensitive and c.distinct and c.minimum is None
    ]


def _asked(
    database: Database, table: Table, profile: TableProfile, hidden: list[str]
) -> tuple[ColumnProfile, ...]:
    ends = ", ".join(f"MIN({database.quote(c)}), MAX({database.quote(c)})" for c in hidden)
    try:
        row = database.fetch(
            f"SELECT {ends} FROM {database.table(table)}", timeout_seconds=_SECONDS
        )[0]
    except (QueryError, PassingError):
        return profile.columns
    known = {name: row[2 * at : 2 * at + 2] for at, name in enumerate(hidden)}
    return tuple(
        replace(c, minimum=known[c.column][0], maximum=known[c.column][1])
        if c.column in known
        else c
        for c in profile.columns
    )
