"""Which tables and columns are the same under another name."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.impact.columns import ColumnJudge, Moved, Side, columns_between, plain, surest
from pipeline.impact.likeness import data_likeness, name_likeness
from pipeline.text import words
from schemas.facts import Column, Table

_WORD = 2.0
"""What a shared word of two tables' names counts, beside the rarity of shared columns."""
_COMMON = 400
"""A name of so many new tables tells none from another."""
_MOST_CANDIDATES = 4
"""New tables that a lost one is compared with in full."""
_COMMON_SHARE = 0.05
"""A column name of so many tables is nobody's own: it doesn't tell where a column went."""


@dataclass(slots=True)
class Moves:
    """The names of the older catalogue in the newer one."""

    tables: dict[str, Moved] = field(default_factory=dict)
    """Tables that have another name now."""
    columns: dict[tuple[str, str], Moved] = field(default_factory=dict)
    """Columns that have another name, or are in another table."""

    def table(self, name: str) -> str:
        """Return the name of a table now."""
        moved = self.tables.get(name)
        return moved.table if moved else name

    def column(self, table: str, name: str) -> str:
        """Return the name of a column now, if it still is in its table."""
        moved = self.columns.get((table, name))
        is_here = moved is not None and moved.table == self.table(table)
        return moved.column or name if moved and is_here else name


def find_moves(old: Side, new: Side) -> Moves:
    """Return what was renamed or moved, each new name taken once, the surest first."""
    moves = Moves()
    kept = {name for name in old.catalog.by_name if name in new.catalog.by_name}
    lost = [table for table in old.catalog.tables if table.name not in kept]
    found = [table for table in new.catalog.tables if table.name not in kept]
    moves.tables = _tables(lost, found, old, new)
    same = [*kept, *moves.tables]
    for name in same:
        before, after = old.catalog.by_name[name], new.catalog.by_name[moves.table(name)]
        for column, moved in columns_between(before, after, old, new).items():
            moves.columns[name, column] = moved
    _to_other_tables(moves, old, new)
    return moves


def _tables(
    lost: Sequence[Table], found: Sequence[Table], old: Side, new: Side
) -> dict[str, Moved]:
    if not lost or not found:
        return {}
    rarity = _rarity([*old.catalog.tables, *new.catalog.tables])
    candidates = _Candidates(found, rarity)
    judged = {
        (a.name, b.name): _table(a, b, old, new, rarity)
        for a in lost
        for b in candidates.of(a)
        if (a.kind == "table") == (b.kind == "table")
    }
    pairs = surest((moved.confidence, a, b) for (a, b), moved in judged.items())
    return {a: judged[a, b] for a, b in pairs}


def _rarity(tables: Iterable[Table]) -> Mapping[str, float]:
    """Return what a column name tells of its table: `id` nothing, `commission_pct` a lot."""
    tables = tuple(tables)
    counts = Counter(name for t in tables for name in {plain(c.name) for c in t.columns})
    return {name: math.log(1 + len(tables) / count) for name, count in counts.items()}


class _Candidates:
    """Finds the new tables that a lost one may be: alike in columns or in name."""

    def __init__(self, found: Sequence[Table], rarity: Mapping[str, float]) -> None:
        self._found = found
        self._rarity = rarity
        self._by_column: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for number, table in enumerate(found):
            for name in {plain(column.name) for column in table.columns}:
                self._by_column[name].append(number)
            for word in set(words(table.object_name)):
                self._by_word[word].append(number)

    def of(self, lost: Table) -> list[Table]:
        """Return the likeliest."""
        if len(self._found) <= _MOST_CANDIDATES:
            return list(self._found)
        told: dict[int, float] = defaultdict(float)
        own = {plain(column.name) for column in lost.columns}
        for name in own:
            for number in self._few(self._by_column.get(name, ())):
                told[number] += self._rarity[name]
        for word in set(words(lost.object_name)):
            for number in self._few(self._by_word.get(word, ())):
                told[number] += _WORD
        best = max(told.values(), default=0.0)
        ranked = sorted((-score, number) for number, score in told.items() if score > best / 2)
        return [self._found[number] for _, number in ranked[:_MOST_CANDIDATES]]

    def _few(self, numbers: Sequence[int]) -> Sequence[int]:
        """Return the tables behind a name, none where it is so common that it tells nothing."""
        return numbers if len(numbers) <= _COMMON else ()


def _table(a: Table, b: Table, old: Side, new: Side, rarity: Mapping[str, float]) -> Moved:
    name = name_likeness(a.object_name, b.object_name)
    kept = {c.name for c in a.columns} & {c.name for c in b.columns}
    renamed = columns_between(a, b, old, new)
    judge = ColumnJudge(a, b, old, new)
    told = {c.name: rarity.get(plain(c.name), 1.0) for c in (*a.columns, *b.columns)}
    families = [{c.name: c.family for c in table.columns} for table in (a, b)]
    agreed = 0.0
    for column in kept:
        data = data_likeness(
            judge.data[0].get(column), judge.data[1].get(column), (judge.old.rows, judge.new.rows)
        )
        same = 1.0 if families[0][column] == families[1][column] else 0.5
        agreed += 2 * told[column] * same * (data.score if data else 1.0)
    for column, moved in renamed.items():
        agreed += (told[column] + told[moved.column or column]) * moved.confidence
    total = sum(told[c.name] for c in a.columns) + sum(told[c.name] for c in b.columns)
    share = agreed / total if total else 0.0
    own = sum(told[c] for c in kept) + sum(told[c] for c in renamed)
    strength = min(1.0, own / 8.0)  # two columns such as `id` and `name` fit any table
    rows = _rows_likeness(judge.old.rows, judge.new.rows)
    total_score = -5.5 + 4.5 * name + 7.0 * (share - 0.4) * (0.5 + strength) + 1.5 * rows
    confidence = round(1 / (1 + math.exp(-total_score)), 3)
    alike = len(kept) + len(renamed)
    evidence = f"names {name:.0%} alike, {alike} of {len(a.columns)} columns found again"
    if judge.old.rows is not None and judge.new.rows is not None:
        evidence += f", {judge.old.rows:,} rows before and {judge.new.rows:,} now"
    return Moved(b.name, None, confidence, evidence)


def _rows_likeness(old: int | None, new: int | None) -> float:
    if old is None or new is None:
        return 0.0
    if old == new:
        return 1.0 if old > 20 else 0.3
    low, high = sorted((old, new))
    return 0.6 if high and low / high > 0.9 else -0.6 if not low or low / high < 0.5 else 0.0


def _to_other_tables(moves: Moves, old: Side, new: Side) -> None:
    """Find columns that left their table for another: the same rare name, type and data."""
    counts = Counter(c.name.casefold() for t in old.catalog.tables for c in t.columns)
    most = max(2, _COMMON_SHARE * len(old.catalog.tables))
    arrived = _arrived(moves, old, new)
    for table in old.catalog.tables:
        target = moves.table(table.name)
        after = new.catalog.by_name.get(target)
        if after is None or not arrived:
            continue
        here = {column.name for column in after.columns}
        for column in table.columns:
            if column.name in here or (table.name, column.name) in moves.columns:
                continue
            if counts[column.name.casefold()] > most:
                continue
            moved = _where(table, column, arrived.get(plain(column.name), []), old, new)
            if moved is not None:
                moves.columns[table.name, column.name] = moved


def _arrived(moves: Moves, old: Side, new: Side) -> dict[str, list[tuple[Table, Column]]]:
    """Return the columns that weren't there before, by their plain name."""
    before = {moves.table(table.name): table for table in old.catalog.tables}
    renamed = {(m.table, m.column) for m in moves.columns.values()}
    found: dict[str, list[tuple[Table, Column]]] = defaultdict(list)
    for table in new.catalog.tables:
        earlier = before.get(table.name)
        known = {column.name for column in earlier.columns} if earlier else set()
        for column in table.columns if table.kind == "table" else ():
            if column.name not in known and (table.name, column.name) not in renamed:
                found[plain(column.name)].append((table, column))
    return found


def _where(
    table: Table, column: Column, arrived: Sequence[tuple[Table, Column]], old: Side, new: Side
) -> Moved | None:
    best: list[Moved] = []
    profile = old.profiled(table.name)
    for target, there in arrived:
        if there.family != column.family or table.kind != "table":
            continue
        after = new.profiled(target.name)
        data = data_likeness(
            profile.column(column.name), after.column(there.name), (profile.rows, after.rows)
        )
        if data is not None and (data.score < 0.7 or data.weight < 0.3):
            continue
        confidence = round(0.65 + 0.3 * data.score * data.weight, 3) if data else 0.62
        evidence = f"a column {there.name} of the same type is new in {target.name}"
        if data is not None:
            evidence += f", data {data.score:.0%} alike"
        best.append(Moved(target.name, there.name, confidence, evidence))
    return best[0] if len(best) == 1 else None
