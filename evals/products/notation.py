"""A short notation for the tables of a product, their rows and the references meant by them.

    # a comment
    topics 6000: id pk, title title, user_id >users null=.02, deleted_at time null=.9

A table is its name, its number of rows and its columns; then `pk(a, b)` or `uq(a, b)` after `;`.
A column is its name, a kind (`kinds.SQL`) and options: `null=`, `zero=` and `orphan=` are shares of
rows, `uq` says unique, `bin` binary text on MariaDB. `>users` refers to a column of another table
(its first, unless named); columns with the same `g=` refer to one row together.
`?kind(A=a.id*3|B=b.id)` refers to the table that another column, whose kind is `of`, names; `*3`
is how often. Lines that begin with a blank go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TABLE = re.compile(r"(\w+) (\d+): (.*)", re.DOTALL)
_COLUMN = re.compile(r"(\w+) ([^\s(]+)(?:\(([^)]*)\))?(.*)")

Side = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Branch:
    """One table that a type column may name."""

    value: str
    table: str
    column: str
    weight: int


@dataclass(frozen=True, slots=True)
class Column:
    """A column and how its values are made."""

    name: str
    kind: str
    argument: str
    options: dict[str, str]
    target: tuple[str, str] | None = None
    branches: tuple[Branch, ...] = ()

    def share(self, option: str) -> float:
        """Return how many rows an option speaks of, 0–1."""
        return float(self.options.get(option, 0))


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a product."""

    name: str
    rows: int
    columns: tuple[Column, ...]
    primary: tuple[str, ...]
    unique: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> Column:
        """Return a column by its name."""
        return next(column for column in self.columns if column.name == name)

    def groups(self) -> dict[str, list[Column]]:
        """Return the columns that refer to one row together."""
        found: dict[str, list[Column]] = {}
        for column in self.columns:
            if "g" in column.options:
                found.setdefault(column.options["g"], []).append(column)
        return found


@dataclass(frozen=True, slots=True)
class Product:
    """All tables of a product."""

    tables: dict[str, Table] = field(default_factory=dict)

    def gold(self) -> Iterator[tuple[Side, Side]]:
        """Yield the references that its tables were made with."""
        for table in self.tables.values():
            for group in table.groups().values():
                yield _joined(table, group)
            for column in table.columns:
                if column.target and "g" not in column.options:
                    yield _joined(table, [column])
                for branch in column.branches:
                    yield (table.name, (column.name,)), (branch.table, (branch.column,))


def read(text: str) -> Product:
    """Return the product that a text describes."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = re.sub(r"\n\s+", " ", "\n".join(lines))
    tables = [_table(line) for line in joined.splitlines()]
    product = Product({table.name: table for table in tables})
    return Product({name: _resolved(t, product) for name, t in product.tables.items()})


def _table(line: str) -> Table:
    found = _TABLE.fullmatch(line)
    if found is None:
        raise ValueError(line)
    name, rows, rest = found.groups()
    columns, *keys = rest.split(";")
    parsed = tuple(_column(part.strip()) for part in re.split(r",\s+(?![^()]*\))", columns))
    primary = [c.name for c in parsed if c.kind == "pk"]
    unique: list[tuple[str, ...]] = [(c.name,) for c in parsed if "uq" in c.options]
    for key in keys:
        kind, names = key.strip().rstrip(")").split("(")
        chosen = tuple(part.strip() for part in names.split(","))
        if kind == "pk":
            primary = list(chosen)
        else:
            unique.append(chosen)
    unique = [names for names in unique if names != tuple(primary)]
    return Table(name, int(rows), parsed, tuple(primary), tuple(unique))


def _column(text: str) -> Column:
    found = _COLUMN.fullmatch(text)
    if found is None:
        raise ValueError(text)
    name, kind, argument, rest = found.groups()
    options = {word.split("=")[0]: word.partition("=")[2] for word in rest.split()}
    branches: list[Branch] = []
    for part in (argument or "").split("|") if kind.startswith("?") else ():
        value, _, target = part.partition("=")
        place, _, weight = target.partition("*")
        table, _, column = place.partition(".")
        branches.append(Branch(value, table, column, int(weight or 1)))
    target = None
    if kind.startswith(">"):
        table, _, column = kind[1:].partition(".")
        target = (table, column)
    return Column(name, kind, argument or "", options, target, tuple(branches))


def _resolved(table: Table, product: Product) -> Table:
    """Return a table whose references all name their column."""
    columns = tuple(
        Column(c.name, c.kind, c.argument, c.options, (to[0], _first(product, *to)), c.branches)
        if (to := c.target)
        else c
        for c in table.columns
    )
    return Table(table.name, table.rows, columns, table.primary, table.unique)


def _first(product: Product, table: str, column: str) -> str:
    found = product.tables[table]
    return found.column(column).name if column else (found.primary or (found.columns[0].name,))[0]


def _joined(table: Table, columns: list[Column]) -> tuple[Side, Side]:
    targets = [column.target for column in columns if column.target]
    to = (targets[0][0], tuple(target[1] for target in targets))
    return (table.name, tuple(column.name for column in columns)), to
