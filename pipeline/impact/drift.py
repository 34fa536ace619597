"""What changed in the data: codes, uniqueness, nulls, orphans."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.impact.columns import Side
from pipeline.impact.moves import Moves
from pipeline.text import counted, shorten
from schemas.changes import Change
from schemas.facts import Column, ColumnProfile, Link, Scalar, Table, TableProfile

_CODE_FAMILIES = frozenset({"text", "enum", "integer", "boolean", "other", "uuid"})
_MOST_CODES = 40
"""Columns with more distinct values are no code lists: a new value of them is just a new row."""
_REPEATS = 2
_JUMP = 0.1
"""A share of nulls that rises by this much has a cause."""
_FEW_ROWS = 20
"""Where fewer rows are all different, that is chance."""
_SHOWN = 8


def changes(old: Side, new: Side, moves: Moves) -> Iterator[Change]:
    """Yield what the data show otherwise than before, of tables that were read both times.

    What a view shows comes from its tables, where it is told.
    """
    for before in old.catalog.tables:
        after = new.catalog.by_name.get(moves.table(before.name))
        if after is None or "view" in before.kind:
            continue
        was, now = old.profiled(before.name), new.profiled(after.name)
        if was.rows is None or now.rows is None or was == now:
            continue
        if was.rows and not now.rows:
            told = f"{counted(was.rows, 'row')} before, none now"
            yield Change("table_emptied", "risky", before.name, (), told)
            continue
        ours, theirs = ({c.column: c for c in profile.columns} for profile in (was, now))
        for column in before.columns:
            one = ours.get(column.name)
            other = theirs.get(moves.column(before.name, column.name))
            if one is not None and other is not None:
                yield from _column(before, column, (was, one), (now, other), after)
    yield from _orphans(old, new, moves)


def _column(
    table: Table,
    column: Column,
    old: tuple[TableProfile, ColumnProfile],
    new: tuple[TableProfile, ColumnProfile],
    after: Table,
) -> Iterator[Change]:
    (was, before), (now, current) = old, new
    place = (column.name,)
    come, gone = _codes(column, was, before, now, current)
    if come:
        told = f"{counted(len(come), 'new code')}: {_listed(come)}"
        yield Change("code_appeared", "risky", table.name, place, told, values=come)
    if gone:
        told = f"{counted(len(gone), 'code')} no longer stored: {_listed(gone)}"
        yield Change("code_vanished", "risky", table.name, place, told, values=gone)
    if _lost_uniqueness(was, before, now, current) and not after.has_key((current.column,)):
        told = (
            f"{before.distinct:,} of {before.distinct:,} values were different, now "
            f"{current.distinct:,} of {(now.rows or 0) - (current.nulls or 0):,}"
        )
        yield Change("uniqueness_lost", "risky", table.name, place, told)
    shares = _null_shares(was, before, now, current)
    if shares is not None:
        told = f"{shares[0]:.1%} null before, {shares[1]:.1%} now"
        yield Change("nulls_appeared", "risky", table.name, place, told)


def _codes(
    column: Column,
    was: TableProfile,
    before: ColumnProfile,
    now: TableProfile,
    current: ColumnProfile,
) -> tuple[tuple[Scalar, ...], tuple[Scalar, ...]]:
    """Return the codes that came and those that went, where the column holds codes."""
    if column.family not in _CODE_FAMILIES or before.housekeeping:
        return (), ()
    if not (before.values and before.values_complete and current.values):
        return (), ()
    if len(before.values) > _MOST_CODES or (was.rows or 0) < _REPEATS * len(before.values):
        return (), ()
    old = {_plain(item.value) for item in before.values}
    new = {_plain(item.value) for item in current.values}
    come = tuple(v.value for v in current.values if _plain(v.value) not in old)
    is_whole = current.values_complete and now.sample is None
    gone = tuple(v.value for v in before.values if is_whole and _plain(v.value) not in new)
    return tuple(sorted(come, key=str)), tuple(sorted(gone, key=str))


def _plain(value: Scalar) -> str:
    return str(value).strip()


def _listed(values: tuple[Scalar, ...]) -> str:
    shown = ", ".join(shorten(str(value).strip(), 40) for value in values[:_SHOWN])
    return shown if len(values) <= _SHOWN else f"{shown}, …"


def _lost_uniqueness(
    was: TableProfile, before: ColumnProfile, now: TableProfile, current: ColumnProfile
) -> bool:
    if None in (before.distinct, before.nulls, current.distinct, current.nulls):
        return False
    if was.sample or now.sample or was.rows_estimated or now.rows_estimated:
        return False
    filled = (was.rows or 0) - (before.nulls or 0), (now.rows or 0) - (current.nulls or 0)
    was_unique = before.distinct == filled[0] >= _FEW_ROWS
    return was_unique and (current.distinct or 0) < filled[1]


def _null_shares(
    was: TableProfile, before: ColumnProfile, now: TableProfile, current: ColumnProfile
) -> tuple[float, float] | None:
    """Return the shares before and now where they tell of a new habit."""
    if before.nulls is None or current.nulls is None or not was.rows or not now.rows:
        return None
    old, new = before.nulls / was.rows, current.nulls / now.rows
    appeared = before.nulls == 0 and current.nulls > 0 and was.rows >= _FEW_ROWS
    return (old, new) if appeared or new - old >= _JUMP else None


def _orphans(old: Side, new: Side, moves: Moves) -> Iterator[Change]:
    """Compare the references that find no row, of declared keys and of joins seen in the data."""
    measured = {_key(link): link for link in (*new.profile.broken_keys, *new.profile.joins)}
    known = {_now(link, moves): link for link in (*old.profile.joins, *old.profile.broken_keys)}
    for table in old.catalog.tables:
        for link in table.foreign_keys:
            known.setdefault(_now(link, moves), link)  # kept by the engine, or not broken
    for key, link in known.items():
        there = measured.get(key)
        if there is None or there.evidence is None or not there.evidence.orphans:
            continue
        before = (link.evidence.orphans if link.evidence else 0) or 0
        rows = there.evidence.rows or 0
        if before == 0 or there.evidence.orphans > 2 * before:
            told = f"{counted(before, 'orphan')} before, {there.evidence.orphans:,} now"
            told += f" of {counted(rows, 'reference')}" if rows else ""
            yield Change(
                "orphans_appeared", "risky", link.table, link.columns, told, link.to_table,
                link.to_columns,
            )  # fmt: skip


_LinkKey = tuple[str, tuple[str, ...], str, tuple[str, ...]]


def _key(link: Link) -> _LinkKey:
    return link.table, link.columns, link.to_table, link.to_columns


def _now(link: Link, moves: Moves) -> _LinkKey:
    return (
        moves.table(link.table),
        tuple(moves.column(link.table, column) for column in link.columns),
        moves.table(link.to_table),
        tuple(moves.column(link.to_table, column) for column in link.to_columns),
    )
