"""How well renames are recognised: random ones, some weeks later, and things that are none."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from evals.impact import mutations as make
from evals.impact.mutations import Facts
from pipeline.impact import changes
from pipeline.text import words
from schemas.changes import Change
from schemas.facts import Column, ColumnProfile, Key, Profile, Table, TableProfile, ValueCount

_UNRELATED = (
    "zeta", "col_17", "payload", "marker", "attr_x", "feld_neu", "legacy", "blob_ref", "x_val",
    "misc", "tmp_field", "extra",
)  # fmt: skip
"""Names that say nothing of what they are given to."""
_TRIES = 40


@dataclass(slots=True)
class Tally:
    """One kind of case."""

    kind: str
    cases: int = 0
    right: int = 0
    """Of renames: told as such, with the right new name."""
    false: int = 0
    """Renames told where there was none, or to another name."""
    examples: list[str] = field(default_factory=list)


def run(facts: Facts, seed: int, cases: int) -> list[Tally]:
    """Return a tally per kind, of `cases` each."""
    chance = random.Random(seed)
    tallies = []
    for kind, make_case in _KINDS.items():
        tally = Tally(kind)
        for _ in range(_TRIES * cases):  # not every database has what a case needs
            case = make_case(facts, chance) if tally.cases < cases else None
            if case is not None:
                _count(tally, facts, case, chance)
        tallies.append(tally)
    return tallies


@dataclass(frozen=True, slots=True)
class Case:
    """A changed copy and the renames in it."""

    after: Facts
    renames: frozenset[tuple[str, str | None, str]]
    """Table, column and new name, as far as they are to be found."""
    told: str
    has_profile: bool = True
    is_part: bool = False
    """There are other renames too, which are not looked at."""


def _count(tally: Tally, facts: Facts, case: Case, chance: random.Random) -> None:
    before = facts.profile if case.has_profile else Profile()
    after = make.grown(case.after, chance).profile if case.has_profile else Profile()
    found = changes(facts.catalog, case.after.catalog, before, after)
    named = {rename for change in found for rename in _renames(change)}
    tally.cases += 1
    wrong = set() if case.is_part else named - case.renames
    tally.false += bool(wrong)
    tally.right += case.renames <= named and not wrong
    if wrong or not case.renames <= named:
        told = ", ".join(
            ".".join(filter(None, n[:2])) + f" → {n[2]}" for n in sorted(wrong, key=str)
        )
        tally.examples.append(f"{case.told}: {told or 'not recognised'}")


def _renames(change: Change) -> Iterator[tuple[str, str | None, str]]:
    if change.kind == "table_renamed" and change.to_table:
        yield change.table, None, change.to_table
    elif change.kind in ("column_renamed", "column_moved"):
        yield change.table, change.column, change.to_columns[0]


def _column_renamed(
    facts: Facts, chance: random.Random, name: Callable[[str], str], *, has_profile: bool = True
) -> Case | None:
    table = _some_table(facts, chance)
    column = chance.choice(table.columns).name
    new = name(column)
    if table.column(new) is not None:
        return None
    after = make.renamed(facts, table.name, column, new)
    renames = frozenset({(table.name, column, new)})
    return Case(after, renames, f"{table.name}.{column} → {new}", has_profile)


def _restyled(facts: Facts, chance: random.Random) -> Case | None:
    return _column_renamed(facts, chance, lambda old: make.new_name(old, chance))


def _restyled_unmeasured(facts: Facts, chance: random.Random) -> Case | None:
    return _column_renamed(facts, chance, lambda old: make.new_name(old, chance), has_profile=False)


def _renamed_at_will(facts: Facts, chance: random.Random) -> Case | None:
    return _column_renamed(facts, chance, lambda _: chance.choice(_UNRELATED))


def _several_renamed(facts: Facts, chance: random.Random) -> Case | None:
    """Rename neighbours, so that places say little."""
    table = _some_table(facts, chance)
    start = chance.randrange(len(table.columns))
    after = facts
    renames: set[tuple[str, str | None, str]] = set()
    for column in table.columns[start : start + 4]:
        new = make.new_name(column.name, chance)
        if table.column(new) is not None or new in {r[2] for r in renames}:
            return None
        after = make.renamed(after, table.name, column.name, new)
        renames.add((table.name, column.name, new))
    if len(renames) < 2:
        return None
    return Case(after, frozenset(renames), f"{len(renames)} of {table.name}")


def _flag_exchanged(facts: Facts, chance: random.Random) -> Case | None:
    """Drop a column of few values and add another of the same type, last."""
    table = _some_table(facts, chance)
    profile = facts.profile.by_table[table.name]
    few = [c for c in profile.columns if 1 < (c.distinct or 0) <= 6]
    if not few:
        return None
    gone = chance.choice(few)
    old = table.column(gone.column)
    name = f"Is{chance.choice(('Blocked', 'Exported', 'Checked', 'Hidden', 'Shared'))}"
    if old is None or table.column(name) is not None:
        return None
    rows = profile.rows or 0
    values = (ValueCount(0, rows - rows // 3), ValueCount(1, rows // 3))
    data = ColumnProfile(name, 0, 2, 0, 1, values=values, values_complete=True)
    after = make.dropped(facts, table.name, gone.column)
    after = make.added(after, table.name, replace(old, name=name), data, len(table.columns) - 1)
    return Case(after, frozenset(), f"{table.name}.{gone.column} gone, {name} new")


def _table_renamed(facts: Facts, chance: random.Random) -> Case | None:
    table = _some_table(facts, chance)
    new = make.new_name(table.name, chance)
    if facts.catalog.find(new) is not None:
        return None
    after = make.renamed(facts, table.name, None, new)
    return Case(after, frozenset({(table.name, None, new)}), f"{table.name} → {new}")


def _table_and_columns_renamed(facts: Facts, chance: random.Random) -> Case | None:
    table = _some_table(facts, chance)
    after = facts
    for column in table.columns:
        new = "_".join(words(column.name))
        if new != column.name:
            after = make.renamed(after, table.name, column.name, new)
    new = "_".join(words(table.name.rpartition("__")[2]))
    if after.catalog.find(new) is not None:
        return None
    after = make.renamed(after, table.name, None, new)
    renames = frozenset({(table.name, None, new)})
    return Case(after, renames, f"{table.name} → {new}, with its columns", is_part=True)


def _all_tables_renamed(facts: Facts, chance: random.Random) -> Case | None:
    start = chance.choice(("tbl_", "dw_", "v2_"))
    after, renames = facts, set()
    for table in chance.sample(facts.catalog.tables, min(20, len(facts.catalog.tables))):
        after = make.renamed(after, table.name, None, start + table.name)
        renames.add((table.name, None, start + table.name))
    return Case(after, frozenset(renames), f"20 tables begin with {start}")


def _column_exchanged(facts: Facts, chance: random.Random) -> Case | None:
    """Drop a column and add one of another table, last, or now and then in its place."""
    table, other = _some_table(facts, chance), _some_table(facts, chance)
    column = chance.choice(table.columns)
    new = chance.choice(other.columns)
    data = facts.profile.by_table[other.name].column(new.name)
    is_common = sum(t.column(new.name) is not None for t in facts.catalog.tables) > 1
    if table is other or table.column(new.name) or data is None or is_common:
        return None
    rows = facts.profile.by_table[table.name].rows or 0
    least = min(rows, data.distinct or 0)
    data = replace(data, distinct=least, nulls=min(rows, data.nulls or 0))
    position = len(table.columns) - 1
    if chance.random() < 0.25:
        position = [c.name for c in table.columns].index(column.name)
    after = make.dropped(facts, table.name, column.name)
    after = make.added(after, table.name, new, data, position)
    return Case(after, frozenset(), f"{table.name}.{column.name} gone, {new.name} new")


def _table_exchanged(facts: Facts, chance: random.Random) -> Case | None:
    """Drop a table and add one of columns from everywhere."""
    table = _some_table(facts, chance)
    columns: dict[str, Column] = {}
    profiles: dict[str, ColumnProfile] = {}
    for _ in range(chance.randint(3, 10)):
        source = _some_table(facts, chance)
        column = chance.choice(source.columns)
        data = facts.profile.by_table[source.name].column(column.name)
        if source is not table and data is not None:
            columns[column.name], profiles[column.name] = column, data
    if not columns:
        return None
    name = f"New{chance.choice(('Queue', 'Basket', 'Audit', 'Campaign', 'Ticket'))}"
    made = Table(
        name, name, columns=tuple(columns.values()), primary_key=Key((next(iter(columns)),))
    )
    rows = chance.randint(10, 50_000)
    measured = TableProfile(name, rows, columns=tuple(profiles.values()))
    after = make.dropped(facts, table.name, None)
    after = Facts(
        replace(
            after.catalog, tables=tuple(sorted((*after.catalog.tables, made), key=lambda t: t.name))
        ),
        replace(after.profile, tables=(*after.profile.tables, measured)),
    )
    return Case(after, frozenset(), f"{table.name} gone, {name}({', '.join(columns)}) new")


def _column_moved(facts: Facts, chance: random.Random) -> Case | None:
    """Move a column of a name that is its own to a table beside."""
    table = _some_table(facts, chance)
    column = chance.choice(table.columns)
    links = [link for link in table.foreign_keys if link.to_table != table.name]
    data = facts.profile.by_table[table.name].column(column.name)
    is_common = sum(t.column(column.name) is not None for t in facts.catalog.tables) > 1
    if not links or is_common or data is None or (data.distinct or 0) < 8:
        return None
    target = facts.catalog.by_name[chance.choice(links).to_table]
    after = make.dropped(facts, table.name, column.name)
    after = make.added(after, target.name, column, data, len(target.columns))
    told = f"{table.name}.{column.name} → {target.name}"
    return Case(after, frozenset({(table.name, column.name, column.name)}), told)


_KINDS: dict[str, Callable[[Facts, random.Random], Case | None]] = {
    "column renamed": _restyled,
    "column renamed, no profile": _restyled_unmeasured,
    "column renamed at will": _renamed_at_will,
    "neighbours renamed": _several_renamed,
    "column moved to another table": _column_moved,
    "table renamed": _table_renamed,
    "table renamed with its columns": _table_and_columns_renamed,
    "20 tables renamed": _all_tables_renamed,
    "column dropped, another added": _column_exchanged,
    "flag dropped, another added": _flag_exchanged,
    "table dropped, another added": _table_exchanged,
}


def _some_table(facts: Facts, chance: random.Random) -> Table:
    tables = [
        t for t in facts.catalog.tables if t.kind == "table" and t.name in facts.profile.by_table
    ]
    return chance.choice(tables)
