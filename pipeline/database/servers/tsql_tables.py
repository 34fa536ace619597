"""From rows of SQL Server's catalogue views to tables: columns, keys, checks, indexes, traits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.database.connect import Row
from pipeline.database.families import family
from schemas.facts import Check, Column, Index, Key, Link

_OF_CHARACTERS = {"nvarchar", "nchar"}
_SIZED = {"varchar", "char", "varbinary", "binary"} | _OF_CHARACTERS
_EXACT = {"decimal", "numeric"}
_FRACTIONS = {"datetime2", "datetimeoffset", "time"}
_USUAL_FRACTION = 7
_USUAL_INDEXES = ("CLUSTERED", "NONCLUSTERED", "HEAP")


@dataclass(frozen=True, slots=True)
class Relation:
    """A row of `Queries.tables`."""

    id: int
    schema: int
    name: str
    type: str
    is_readable: int | None
    comment: str | None
    definition: str | None
    partitions: int
    is_indexed_view: int


def grouped(rows: Iterable[Row]) -> dict[int, list[Row]]:
    """Return rows by the object that stands first in them, without it."""
    found: dict[int, list[Row]] = defaultdict(list)
    for number, *rest in rows:
        found[number].append(tuple(rest))
    return found


def native(name: str, schema: str, is_user_defined: object, size: Sequence[int]) -> str:
    """Return a type as it is written in DDL: `nvarchar(50)`, `decimal(19,4)`, `dbo.Name`.

    Args:
        name: the type's.
        schema: in which a type of users lies.
        is_user_defined: whether it is one.
        size: length in bytes (-1: max), precision and scale.
    """
    return f"{schema}.{name}" if is_user_defined else _built_in(name, size)


def _built_in(name: str, size: Sequence[int]) -> str:
    length, precision, scale = size
    if name in _SIZED:
        if length == -1:
            return f"{name}(max)"
        return f"{name}({length // 2 if name in _OF_CHARACTERS else length})"
    if name in _EXACT:
        return f"{name}({precision},{scale})"
    if name in _FRACTIONS and scale != _USUAL_FRACTION:
        return f"{name}({scale})"
    return name


def columns(rows: Iterable[Row]) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Return the columns of a table's rows of `Queries.columns`, and the names of those hidden."""
    shown, hidden = [], []
    for row in rows:
        (
            _, name, kind, schema, is_user_defined, base, length, precision, scale, nullable,
            identity, default, expression, is_persisted, comment, is_readable,
        ) = row  # fmt: skip
        if is_readable == 0:
            hidden.append(name)
            continue
        size = (length, precision, scale)
        native_type = native(kind, schema, is_user_defined, size)
        plain = _built_in(base, size) if is_user_defined and base else native_type
        is_computed = expression is not None
        shown.append(
            Column(
                name=name,
                native_type=native_type,
                family=family(plain, "tsql"),
                nullable=bool(nullable),
                default=bare(default) if default and not is_computed else None,
                generated=("stored" if is_persisted else "virtual") if is_computed else None,
                expression=bare(expression) if is_computed else None,
                identity=bool(identity) or "NEXT VALUE FOR" in (default or "").upper(),
                comment=comment or None,
            )
        )
    return tuple(shown), tuple(hidden)


def bare(expression: str) -> str:
    """Return an expression without the brackets that SQL Server adds: `((1))` is `1`."""
    text = expression.strip()
    while text.startswith("(") and text.endswith(")") and _closes_last(text):
        text = text[1:-1].strip()
    return text


def _closes_last(text: str) -> bool:
    """Whether the bracket that opens a text is the one that closes at its end."""
    depth, quote = 0, ""
    for place, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"[":
            quote = "]" if character == "[" else character
        elif character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth == 0:
                return place == len(text) - 1
    return False


def keys(
    rows: Iterable[Row], names: frozenset[str]
) -> tuple[Key | None, tuple[Key, ...], tuple[Index, ...], tuple[str, ...]]:
    """Return primary key, unique constraints, indexes and traits of `Queries.indexes`.

    What has a column outside `names`, which this login may read, is left out.
    """
    by_name: dict[str, list[Row]] = defaultdict(list)
    for name, *rest in rows:
        by_name[name].append(tuple(rest))
    primary: Key | None = None
    unique: list[Key] = []
    indexes: list[Index] = []
    traits: list[str] = []
    for name, parts in by_name.items():
        is_primary, is_constraint, is_unique, is_disabled, kind, where, *_ = parts[0]
        terms = [part[7] for part in parts]
        if not names.issuperset(terms):
            continue
        if is_primary:
            primary = Key(tuple(terms), name)
        elif is_constraint:
            unique.append(Key(tuple(terms), name))
        else:
            shown = tuple(f"{part[7]} DESC" if part[8] else part[7] for part in parts)
            indexes.append(Index(name, shown, bool(is_unique and not is_disabled), where or None))
        if is_disabled:
            traits.append(f"DISABLED INDEX {name}")
        if kind not in _USUAL_INDEXES:
            traits.append(f"{kind} INDEX {name}")
    unique.sort(key=lambda key: (key.columns, key.name or ""))
    return primary, tuple(unique), tuple(sorted(indexes, key=lambda i: i.name)), tuple(traits)


def checks(rows: Iterable[Row]) -> tuple[tuple[Check, ...], tuple[str, ...]]:
    """Return check constraints, and as traits those that don't hold for all rows."""
    found = list(rows)
    made = (Check(bare(text), name) for name, text, _, _ in found)
    traits = [t for name, _, off, unproven in found if (t := _trust(name, off, unproven))]
    return tuple(sorted(made, key=lambda c: (c.expression, c.name or ""))), tuple(traits)


def links(
    table: str,
    rows: Iterable[Row],
    names: frozenset[str],
    target: Callable[[int, str, str], str],
) -> tuple[tuple[Link, ...], tuple[str, ...]]:
    """Return foreign keys of `Queries.foreign_keys`, and as traits those that may not hold.

    Args:
        table: how it is called.
        rows: its keys.
        names: the columns that this login may read.
        target: names the table to which a key leads by number, schema and name.
    """
    by_name: Mapping[str, list[Row]] = defaultdict(list)
    for name, *rest in rows:
        by_name[name].append(tuple(rest))
    found: dict[object, Link] = {}
    traits: list[str] = []
    for name, parts in by_name.items():
        number, schema, to_table, _, _, is_disabled, is_not_trusted = parts[0]
        own = tuple(part[3] for part in parts)
        if to_table is None or not names.issuperset(own):
            continue
        link = Link(
            table=table,
            columns=own,
            to_table=target(number, schema, to_table),
            to_columns=tuple(part[4] for part in parts),
            name=name,
        )
        found.setdefault(link.key, link)
        if trait := _trust(name, is_disabled, is_not_trusted):
            traits.append(trait)
    ordered = sorted(found.values(), key=lambda k: (k.columns, k.to_table, k.to_columns))
    return tuple(ordered), tuple(traits)


def _trust(name: str, is_disabled: object, is_not_trusted: object) -> str | None:
    """Return what to know of a constraint that SQL Server doesn't hold all rows to."""
    return (
        f"DISABLED: {name}" if is_disabled else f"NOT TRUSTED: {name}" if is_not_trusted else None
    )
