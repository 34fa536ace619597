"""Rows of an invented product: seeded, each column from its own chance."""

from __future__ import annotations

import random
from collections.abc import Sequence

from evals.products import kinds
from evals.products.kinds import Value
from evals.products.notation import Column, Product, Table

_LEAST = 40
"""Tables with fewer rows are lists; they keep their size at any scale."""


class Rows:
    """The rows of all tables of a product, made when they are first asked for."""

    def __init__(self, product: Product, seed: int = 1, scale: float = 1.0) -> None:
        self._product, self._seed, self._scale = product, seed, scale
        self._made: dict[str, list[tuple[Value, ...]]] = {}
        self._columns: dict[tuple[str, str], list[Value]] = {}

    def of(self, name: str) -> list[tuple[Value, ...]]:
        """Return a table's rows, none twice under its keys."""
        if name not in self._made:
            table = self._product.tables[name]
            columns = [self._values(table, column) for column in table.columns]
            self._made[name] = _distinct(table, list(zip(*columns, strict=True)))
        return self._made[name]

    def count(self, table: Table) -> int:
        """Return how many rows are made before those that break a key are left out."""
        return max(min(_LEAST, table.rows), int(table.rows * self._scale))

    def _values(self, table: Table, column: Column) -> list[Value]:
        place = (table.name, column.name)
        if place not in self._columns:
            self._columns[place] = self._blanked(table, column, self._full(table, column))
        return self._columns[place]

    def _full(self, table: Table, column: Column) -> list[Value]:
        chance, count = self._chance(table, column), self.count(table)
        if column.kind == "pk":
            first = int(column.argument or 1)
            return list(range(first, first + count))
        if column.kind == "of":
            pointing = next(c for c in table.columns if c.kind == f"?{column.name}")
            weights = [branch.weight for branch in pointing.branches]
            names = [branch.value for branch in pointing.branches]
            return list(chance.choices(names, weights, k=count))
        if column.branches:
            return self._pointing(table, column, chance)
        if column.target:
            return self._references(table, column, chance)
        return [kinds.value(chance, column.kind, column.argument, n + 1) for n in range(count)]

    def _pointing(self, table: Table, column: Column, chance: random.Random) -> list[Value]:
        types = self._values(table, table.column(column.kind[1:]))
        keys = {b.value: self._keys(b.table, b.column) for b in column.branches}
        return [None if t is None else _picked(chance, keys[str(t)]) for t in types]

    def _references(self, table: Table, column: Column, chance: random.Random) -> list[Value]:
        count = self.count(table)
        assert column.target is not None
        keys = self._keys(*column.target)
        if "uq" in column.options:
            return [keys[n] if n < len(keys) else None for n in range(count)]
        if column.target[0] == table.name:  # rows above come first
            return [keys[chance.randrange(max(1, n))] for n in range(count)]
        return [_picked(chance, keys) for _ in range(count)]

    def _keys(self, table: str, column: str) -> Sequence[Value]:
        found = self._product.tables[table]
        wanted = found.column(column)
        is_plain = not wanted.target and found.primary in ((), (column,), (wanted.name,))
        if wanted.kind == "pk" or (is_plain and wanted.kind in ("seq", "slug", "ser", "file")):
            return self._values(found, wanted)
        at = [c.name for c in found.columns].index(column)
        return [row[at] for row in self.of(table)]

    def _blanked(self, table: Table, column: Column, values: list[Value]) -> list[Value]:
        """Return values with nulls, zeros and orphans where a column has some."""
        chance = self._chance(table, column, "blank")
        shares = [column.share(option) for option in ("null", "zero", "orphan")]
        found: list[Value] = []
        for value in values:
            draw = chance.random()
            if draw < shares[0]:
                found.append(None)
            elif draw < shares[0] + shares[1]:
                found.append(0)
            elif draw < sum(shares):
                found.append(_orphan(column, value, chance))
            else:
                found.append(value)
        return found

    def _chance(self, table: Table, column: Column, purpose: str = "") -> random.Random:
        group = column.options.get("g", column.name)  # one row for all columns of a group
        return random.Random(f"{self._seed} {table.name} {group} {purpose}")


def _distinct(table: Table, rows: list[tuple[Value, ...]]) -> list[tuple[Value, ...]]:
    names = [column.name for column in table.columns]
    for key in (table.primary, *table.unique):
        at = [names.index(name) for name in key]
        seen: dict[tuple[Value, ...], tuple[Value, ...]] = {}
        for number, row in enumerate(rows):
            values = tuple(row[i] for i in at)
            free = values if None not in values and at else (None, number)
            seen.setdefault(free, row)
        rows = list(seen.values())
    return rows


def _picked(chance: random.Random, keys: Sequence[Value]) -> Value:
    """Return a key; the first are taken more often."""
    return keys[int(len(keys) * chance.random() ** 1.5)] if keys else None


def _orphan(column: Column, value: Value, chance: random.Random) -> Value:
    if isinstance(value, int):
        if "g" in column.options:  # the other column is enough
            return value
        return value + 10_000_000 + chance.randrange(1000)
    return f"gone-{chance.randrange(1000)}"
