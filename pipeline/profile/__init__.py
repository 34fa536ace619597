"""Measure what the data shows: counts, values, sensitive columns, undeclared joins and more.

Reads   catalog.json, the data, `profile:` of kb.yaml, the `sensitive:` marks of semantic.yaml
Writes  profile.json   shape: schemas/profile.schema.json

A profile states what was counted and what names and data say together; meaning is people's to
add. Terms follow Abedjan, Golab & Naumann, "Profiling relational data", VLDB Journal 24 (2015).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from pipeline import artifacts
from pipeline.authored import load_semantic
from pipeline.database.connect import Database, open_database
from pipeline.database.source import Source
from pipeline.errors import PassingError, is_late
from pipeline.kept import Kept, digest
from pipeline.profile import columns, declared, dictionaries, inclusion, pace, paid, renamed, views
from pipeline.profile.cache import TableCache
from pipeline.profile.columns import Rules
from pipeline.profile.pace import Pace, Progress, Step, silent
from pipeline.profile.remembered import RememberedDatabase
from pipeline.stamps import stamps as taken_stamps
from pipeline.text import counted
from schemas import codec
from schemas.facts import Catalog, Link, Profile, Table, TableProfile
from schemas.knowledge import Semantic
from schemas.settings import KbSettings, ProfileSettings

log = logging.getLogger("dblore.profile")

_POLL_SECONDS = 0.5
_NAMED = 5
"""Columns that a note names."""


def _nobody() -> None:
    pass


def build(
    *,
    source: Source,
    settings: KbSettings,
    catalog: Path,
    semantic: Path,
    out: Path,
    progress: Progress = silent,
    cache: Path | None = None,
    again: Callable[[], None] = _nobody,
) -> str:
    """Profile every table of `catalog` and write the result to `out`; return one line about it.

    A table that can't be read gets `error` and the rest goes on. With a `cache`, an interrupted
    run keeps its finished tables, and later ones read just what changed. Two things may then
    differ from a build without one: a view that took too long is tried again when something
    that it reads changed, and a search for joins that ran out of time gets further. What another
    session locks is tried twice; `again` is told that it is to be tried in the next run.

    Raises:
        ArtifactError: `catalog` is missing or damaged.
        SettingError: `semantic` is wrong, or a pattern of `profile.sensitive` is.
        SourceError: the database can't be reached.
    """
    facts = artifacts.read(catalog, Catalog)
    rules = Rules(settings.profile, marks(facts, load_semantic(semantic)))
    read = set()

    def told(step: Step) -> None:
        read.add(step.finished)
        progress(step)

    found = profile_of(source, facts, rules, progress=told, cache=cache, again=again)
    artifacts.write(out, found)
    return account(found, facts, read=len(read - {""}))


def profile_of(
    source: Source,
    catalog: Catalog,
    rules: Rules,
    *,
    progress: Progress = silent,
    cache: Path | None = None,
    again: Callable[[], None] = _nobody,
) -> Profile:
    """Return the profile of a database; without `profile.enabled` only what names tell."""
    named = _by_names(catalog, rules)
    rules = replace(rules, inherited=views.computed(catalog, named))
    why_not = _why_not(source, catalog, rules.settings)
    if why_not is not None:
        TableCache(cache, {}).keep_only(set())
        _joins_cache(cache).keep_only(set())
        rules = replace(rules, inherited=views.shown(catalog, _showing(named, catalog, rules)))
        return Profile(tuple(_showing(named, catalog, rules).values()), notes=(why_not,))
    stamps = taken_stamps(source, catalog) if cache is not None else {}
    keep = TableCache(cache, stamps)
    tables, missed = tables_of(source, catalog, rules, progress=progress, keep=keep)
    for table in tables:
        if table.error:
            log.warning("%s can't be profiled: %s", table.table, table.error)
    database = RememberedDatabase(source, catalog, stamps, _joins_cache(cache))
    joins, broken = _joins(database, catalog, tables, rules.settings)
    if missed or database.was_kept_out:
        log.warning("what was locked, or cut off, is read at the next build")
        again()
    notes = (*_notes(tables), *joins.notes)
    return Profile(dictionaries.without_references(tables, joins.links), joins.links, broken, notes)


def _why_not(source: Source, catalog: Catalog, settings: ProfileSettings) -> str | None:
    """Return why no data is read, or None."""
    if not settings.enabled:
        return "no data was read: profile.enabled is false"
    if catalog.structure_only:
        return f"no data was read: {catalog.structure_only}"
    reason = paid.reason(source.dialect, catalog, is_stated=settings.stated)
    if reason is not None:
        log.warning("%s: %s", source.shown, reason)
    return reason


def marks(catalog: Catalog, semantic: Semantic) -> dict[tuple[str, str], bool]:
    """Return the `sensitive:` marks of people by (table, column), as the catalogue names them."""
    found = {}
    for table_name, text in semantic.tables.items():
        table = catalog.find(table_name)
        for column_name, column_text in text.columns.items():
            column = table.column(column_name) if table else None
            if table and column and column_text.sensitive is not None:
                found[(table.name, column.name)] = column_text.sensitive
    return found


def account(profile: Profile, catalog: Catalog, *, read: int) -> str:
    """Return what a profile holds, in one line, and of how many tables if not all were `read`."""
    views = {table.name for table in catalog.tables if table.kind.endswith("view")}
    rows = sum(table.rows or 0 for table in profile.tables if table.table not in views)
    every = [column for table in profile.tables for column in table.columns]
    failed = sum(table.error is not None for table in profile.tables)
    counts = [
        counted(rows, "row"),
        counted(sum(bool(c.values) for c in every), "dictionary"),
        counted(sum(c.sensitive for c in every), "sensitive column"),
        counted(len(profile.joins), "inferred join"),
    ]
    if failed:
        counts.append(f"{failed} unreadable")
    if read < len(profile.tables):
        every_table = counted(len(profile.tables), "table")
        counts.append(f"{read or 'none'} of {every_table} read anew")
    return ", ".join(counts) if any(t.rows is not None for t in profile.tables) else "no data read"


def _by_names(catalog: Catalog, rules: Rules) -> dict[str, TableProfile]:
    """Return what names and marks alone tell of each table."""
    return {table.name: columns.unread(table, rules) for table in catalog.tables}


def _showing(
    named: dict[str, TableProfile], catalog: Catalog, rules: Rules
) -> dict[str, TableProfile]:
    """Return what `_by_names` tells, anew for just the tables that show columns of others."""
    showing = {table for table, _ in rules.inherited}
    anew = {t.name: columns.unread(t, rules) for t in catalog.tables if t.name in showing}
    return named | anew


def tables_of(
    source: Source,
    catalog: Catalog,
    rules: Rules,
    *,
    progress: Progress = silent,
    keep: TableCache | None = None,
) -> tuple[tuple[TableProfile, ...], frozenset[str]]:
    """Profile tables that `keep` doesn't hold, in parallel; results in catalogue order.

    Beside them the names of the tables that something passing kept from being read.
    """
    keep = keep or TableCache(None, {})
    structure = digest([codec.to_json(table) for table in catalog.tables])
    keys = {
        table.name: keep.key(table, rules.settings, _kept_by(rules, table, structure))
        for table in catalog.tables
    }
    keep.keep_only(set(keys.values()))  # first of all: a new mark forbids what is kept, at once
    done: dict[str, TableProfile] = {}
    for table in catalog.tables:
        known = keep.get(keys[table.name])
        if known is not None:
            done[table.name] = known
    todo = [table for table in catalog.tables if table.name not in done]
    walk = pace.begin(source, todo, known=len(done), most=rules.settings.rows)
    missed: set[str] = set()
    # views have a time limit: each gets the machine for itself
    for group, workers in (
        ([table for table in todo if "view" not in table.kind], rules.settings.workers),
        ([table for table in todo if "view" in table.kind], 1),
    ):
        if group and "view" in group[0].kind:  # now the tables are known
            shown, cleared = views.shown(catalog, done), renamed.cleared(catalog, done)
            rules = replace(rules, inherited=shown, cleared=cleared)
        running = closing(_twice(source, group, rules, workers, walk, missed))
        with (
            pace.told_when_stopped(lambda: sum(map(keep.holds, keys.values()))),
            running as profiles,
        ):
            for profile in profiles:
                if profile is not None:
                    done[profile.table] = profile
                    if profile.error is None or is_late(profile.error):  # others may not come again
                        keep.put(keys[profile.table], profile)
                progress(walk.step(profile))
    return tuple(done[table.name] for table in catalog.tables), frozenset(missed)


def _kept_by(rules: Rules, table: Table, structure: str) -> list[object]:
    """Return what a profile depends on besides the table: marks, and for a view all others."""
    if "view" in table.kind:
        return [sorted(rules.marks.items()), structure]
    return [sorted((key, mark) for key, mark in rules.marks.items() if key[0] == table.name)]


def _twice(
    source: Source,
    tables: Sequence[Table],
    rules: Rules,
    workers: int,
    walk: Pace,
    missed: set[str],
) -> Generator[TableProfile | None, None, None]:
    """Yield profiles as `_in_parallel` does; what was locked is tried again after all others.

    Args:
        source: the database.
        tables: which to read.
        rules: people's decisions.
        workers: how many at a time.
        walk: the way through all of them.
        missed: gets the names of those that were locked, or cut off, the second time as well.
    """
    first: set[str] = set()
    with closing(_in_parallel(source, tables, rules, workers, walk, first)) as profiles:
        for profile in profiles:
            yield None if profile is not None and profile.table in first else profile
    left = [table for table in tables if table.name in first]
    with closing(_in_parallel(source, left, rules, workers, walk, missed)) as profiles:
        yield from profiles


def _in_parallel(
    source: Source,
    tables: Sequence[Table],
    rules: Rules,
    workers: int,
    walk: Pace,
    missed: set[str],
) -> Generator[TableProfile | None, None, None]:
    """Yield profiles as they are finished, and None while nothing is.

    On Ctrl-C running statements are stopped.
    """
    if not tables:
        return
    workers = max(1, min(workers, len(tables)))
    connections = _Connections(source, walk, missed)
    pool = ThreadPoolExecutor(workers, thread_name_prefix="dblore-profile")
    left: set[Future[TableProfile]] = set()
    try:
        for table in tables:
            left.add(pool.submit(connections.profile, table, rules))
        while left:
            ready: set[Future[TableProfile]]
            ready, left = wait(left, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            if not ready:
                yield None
            for future in ready:
                yield future.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        left = {future for future in left if not future.cancelled()}
        connections.stop()
        while left:  # what begins a statement just now is stopped the next time
            connections.stop()
            _, left = wait(left, timeout=_POLL_SECONDS)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        connections.close()


class _Connections:
    """One connection a worker thread; all can be stopped from outside."""

    def __init__(self, source: Source, walk: Pace, missed: set[str]) -> None:
        self._source, self._walk, self._missed = source, walk, missed
        self._local = threading.local()
        self._all: list[Database] = []
        self._stopped = threading.Event()

    def profile(self, table: Table, rules: Rules) -> TableProfile:
        """Profile a table on this thread's connection."""
        if self._stopped.is_set():
            return columns.unread(table, rules, "stopped")
        database: Database | None = getattr(self._local, "database", None)
        if database is None:
            database = self._local.database = open_database(self._source)
            self._all.append(database)
        reached = partial(self._walk.reached, table.name)
        try:
            return columns.profile(database, table, rules, self._stopped.is_set, reached)
        except PassingError as error:
            self._missed.add(table.name)
            return columns.unread(table, rules, f"{error.problem}; the next build reads it")

    def stop(self) -> None:
        """Interrupt what runs, so that threads end soon."""
        self._stopped.set()
        for database in self._all:
            database.interrupt()

    def close(self) -> None:
        """Give all connections back."""
        for database in self._all:
            database.close()


def _joins(
    database: RememberedDatabase,
    catalog: Catalog,
    tables: tuple[TableProfile, ...],
    settings: ProfileSettings,
) -> tuple[inclusion.Inferred, tuple[Link, ...]]:
    """Return the joins that nobody declared, and the declared keys that rows break."""
    profiles = {table.table: table for table in tables}
    with database:
        try:
            found = inclusion.infer(database, catalog, profiles, rows=settings.rows)
            broken = declared.broken(database, catalog, profiles)
        except BaseException:
            database.interrupt()
            raise
    database.forget_the_rest()
    return found, broken


def _joins_cache(cache: Path | None) -> Kept:
    """Return the answers that were kept of the search for joins."""
    return Kept(None if cache is None else cache.with_name(f"{cache.name}-joins"))


def _notes(tables: tuple[TableProfile, ...]) -> tuple[str, ...]:
    sampled = [table.table for table in tables if table.sample is not None]
    failed = [table.table for table in tables if table.error is not None]
    notes = []
    if sampled:
        notes.append(f"{len(sampled)} of {len(tables)} tables were sampled (profile.rows)")
    if any(table.rows_estimated for table in tables):
        notes.append("rows of large tables are what the engine estimates")
    if failed:
        notes.append(f"{len(failed)} of {len(tables)} tables couldn't be read")
    lost = [
        f"{table.table}.{column.column}"
        for table in tables
        for column in table.columns
        if table.error is None and column.nulls is None
    ]
    if lost:
        more = ", …" if len(lost) > _NAMED else ""
        named = ", ".join(lost[:_NAMED]) + more
        notes.append(f"{counted(len(lost), 'column')} couldn't be read: {named}")
    return tuple(notes)
