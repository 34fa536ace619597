"""Which columns of a result carry values of sensitive columns.

Values are masked, not refused: the statement runs as it was written, and in the columns that carry
them tokens stand, equal for equal values. What carries a value, and what the mask can't hide, is
told in docs/explanation/masking.md.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from pipeline.database.masking.errors import scrubbed
from pipeline.database.masking.masks import Masks, Sensitive
from pipeline.database.masking.reading import Reading
from pipeline.database.masking.relations import UnfollowedError
from pipeline.database.masking.sources import words_of
from pipeline.database.masking.spelling import twins_in
from pipeline.database.masking.tables import ROW_NUMBERS, CatalogTables
from schemas.facts import Catalog

__all__ = ["find", "scrubbed", "touches"]

_KEY = secrets.token_hex(16)
_MOST_KEPT = 4
_SOURCES = {exp.Table, exp.Lateral, exp.TableFromRows}
_LEAVES = {exp.Identifier, exp.Literal, exp.DataType, exp.Null, exp.Boolean, str, bool, type(None)}


def find(
    tree: Any, dialect: str, *, catalog: Catalog | None, sensitive: Sensitive | None
) -> Masks | None:
    """Return which columns of the result of a statement are masked; None: none is.

    What can't be followed is masked whole.

    Args:
        tree: what `guard.check` returned; it isn't changed.
        dialect: of the statement.
        catalog: the tables that there are, views with their definitions.
        sensitive: the columns whose values are masked.

    Raises:
        RefusedError: values would become names of columns (PIVOT).
    """
    if not sensitive:
        return None
    tables = _tables(catalog, sensitive, dialect)
    if not _touches(tree, tables.carriers):
        return None
    twins = twins_in(tree, dialect, tables.names)
    if twins:
        return _whole(tables, f"names that differ in nothing but case, such as {twins[0]}")
    try:
        relation = Reading(tables, dialect).query(tree, None, None)
    except UnfollowedError as error:
        return _whole(tables, str(error))
    except (RecursionError, AttributeError, KeyError, TypeError, ValueError, IndexError):
        return _whole(tables, "something in it")
    origins = relation.origins
    if not origins:
        return None
    if not relation.is_whole:
        return _whole(tables, "* of something whose columns aren't known", origins)
    hidden = tuple(bool(column.origins) for column in relation.fields)
    names = tuple(
        None if column.name in ROW_NUMBERS.get("sqlite", ()) else column.name
        for column in relation.fields
    )
    return Masks(hidden, tuple(sorted(origins)), _KEY, names=names)


def touches(
    tree: Any, dialect: str, *, catalog: Catalog | None, sensitive: Sensitive | None
) -> bool:
    """Whether a statement reads a table with sensitive columns, be its result masked or not.

    Then errors and warnings of the engine may quote values: `scrubbed` leaves them out.
    """
    if not sensitive:
        return False
    return _touches(tree, _tables(catalog, sensitive, dialect).read)


def _whole(tables: CatalogTables, why: str, origins: Iterable[str] = ()) -> Masks:
    return Masks(None, tuple(sorted(origins or tables.origins)), _KEY, why)


def _touches(tree: Any, names: frozenset[str]) -> bool:
    """Whether a table of these folded names stands anywhere in the tree.

    Every statement pays for it, so it looks at nodes and nothing else: 0.06 ms for 640 characters.
    """
    waiting = [tree]
    leaves, sources, column, expression = _LEAVES, _SOURCES, exp.Column, exp.Expr
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind in sources and _names(node, names):
            return True
        values = (node.args["this"],) if kind is column else node.args.values()
        for value in values:
            if type(value) is list:
                parts = [p for p in value if type(p) not in leaves and isinstance(p, expression)]
                waiting += parts
            elif value and type(value) not in leaves and isinstance(value, expression):
                waiting.append(value)
    return False


def _names(source: Any, names: frozenset[str]) -> bool:
    if isinstance(source.this, exp.Identifier):
        return source.this.name.casefold() in names
    return any(name in names for name in words_of(source))  # a function may be told a table's name


@dataclass(frozen=True, slots=True)
class _Known:
    catalog: Catalog | None
    given: Sensitive
    sensitive: Mapping[str, frozenset[str]]
    dialect: str
    tables: CatalogTables

    def is_of(self, catalog: Catalog | None, sensitive: Sensitive, dialect: str) -> bool:
        if self.catalog is not catalog or self.dialect != dialect:
            return False
        return self.given is sensitive or self.sensitive == _frozen(sensitive)


_kept: list[_Known] = []
_keeping = threading.Lock()


def _tables(catalog: Catalog | None, sensitive: Sensitive, dialect: str) -> CatalogTables:
    """Return what is known of the tables, read once for a catalogue: views cost time."""
    for known in tuple(_kept):
        if known.is_of(catalog, sensitive, dialect):
            return known.tables
    tables = CatalogTables(catalog, sensitive, dialect)
    known = _Known(catalog, sensitive, _frozen(sensitive), dialect, tables)
    with _keeping:
        _kept.insert(0, known)
        del _kept[_MOST_KEPT:]
    return tables


def _frozen(sensitive: Sensitive) -> dict[str, frozenset[str]]:
    return {table: frozenset(columns) for table, columns in sensitive.items()}
