"""Declared keys that stored rows break, measured.

SQLite looks after keys only where an application asks it to, MariaDB not while a dump is loaded,
PostgreSQL not for the rows that were there before a key that is NOT VALID. Other engines keep
their word, and nothing is measured there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from pipeline.database.connect import Database
from pipeline.errors import PassingError, QueryError
from pipeline.profile.containment import Pair, contained
from schemas.facts import Catalog, Link, Table, TableProfile

TOTAL_SECONDS = 30.0
QUERY_SECONDS = 10.0
_NOT_VALID = "NOT VALID: "


def broken(
    database: Database,
    catalog: Catalog,
    profiles: Mapping[str, TableProfile],
    *,
    seconds: float = TOTAL_SECONDS,
) -> tuple[Link, ...]:
    """Return the declared keys that some rows break, with what was counted.

    A table that was sampled is left out, and so is what can't be counted in time.
    """
    deadline = time.monotonic() + seconds
    found: list[Link] = []
    for table in catalog.tables:
        profile = profiles.get(table.name)
        pairs = [(link, _pair(link, table, catalog)) for link in _doubtful(table, catalog.dialect)]
        if not pairs or profile is None or not profile.rows or profile.sample is not None:
            continue
        left = min(QUERY_SECONDS, deadline - time.monotonic())
        if left <= 0:
            break
        with suppress(QueryError, PassingError):
            counts = database.fetch(
                _statement(database, table, [pair for _, pair in pairs]), timeout_seconds=left
            )[0]
            for (link, pair), orphans in zip(pairs, counts, strict=True):
                if orphans:
                    data = contained(database, pair, timeout_seconds=left)
                    evidence = data.evidence(
                        to_distinct=None, null_share=None, is_key=table.has_key(link.columns)
                    )
                    found.append(replace(link, evidence=evidence))
    return tuple(found)


def _doubtful(table: Table, dialect: str) -> Iterator[Link]:
    """Yield the keys of a table that the engine doesn't vouch for."""
    unproven = {
        name
        for option in table.options
        if option.startswith(_NOT_VALID)
        for name in option.removeprefix(_NOT_VALID).split(", ")
    }
    for link in table.foreign_keys:
        if link.state == "ok" and (dialect in ("sqlite", "mysql") or link.name in unproven):
            yield link


def _pair(link: Link, table: Table, catalog: Catalog) -> Pair:
    target = catalog.by_name[link.to_table]
    columns = tuple(c for name in link.columns if (c := table.column(name)))
    return Pair(
        table, columns, target, tuple(c for n in link.to_columns if (c := target.column(n)))
    )


def _statement(database: Database, table: Table, pairs: list[Pair]) -> str:
    """Return one pass over a table that counts, per key, the rows whose parent is missing."""
    counts = []
    for pair in pairs:
        here = [f"c.{database.quote(column.name)}" for column in pair.columns]
        there = [f"p.{database.quote(key.name)}" for key in pair.keys]
        filled = " AND ".join(f"{column} IS NOT NULL" for column in here)
        equal = " AND ".join(f"{b} = {a}" for a, b in zip(here, there, strict=True))
        exists = f"EXISTS (SELECT 1 FROM {database.table(pair.target)} p WHERE {equal})"
        counts.append(f"SUM(CASE WHEN {filled} AND NOT {exists} THEN 1 ELSE 0 END)")
    return f"SELECT {', '.join(counts)} FROM {database.table(table)} c"
