"""What is still open, what it is worth, and the coverage that follows from it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline import cards as merging
from pipeline.cards import ColumnCard, TableCard
from pipeline.needs import kinds
from schemas.models import Catalog, Coverage, DomainCoverage, Graph, Profile, Semantic, Share

if TYPE_CHECKING:
    from schemas.references import References

Uses = Mapping[tuple[str, str | None], int]
"""How many statements, joins and views use a table (column None) or a column."""
_USERS = frozenset(("example", "metric", "glossary", "relationship", "view"))
NEXT = 10
"""As many things to describe next are named."""
NO_DOMAIN = "(no domain)"


@dataclass(frozen=True, slots=True)
class ColumnNeed:
    """A column that counts, and what is open about it."""

    card: ColumnCard
    described: bool
    is_coded: bool
    codes_open: bool
    has_unit: bool
    unit_open: bool
    gain: float

    @property
    def is_open(self) -> bool:
        """Whether anything is."""
        return not self.described or self.codes_open or self.unit_open


@dataclass(frozen=True, slots=True)
class TableNeed:
    """A table that counts, and what is open about it."""

    card: TableCard
    described: bool
    columns: tuple[ColumnNeed, ...]
    """In catalog order, without bookkeeping."""
    gain: float

    @property
    def is_open(self) -> bool:
        """Whether anything is."""
        return not self.described or any(column.is_open for column in self.columns)


def assessed(
    catalog: Catalog, profile: Profile, semantic: Semantic, found: References
) -> list[TableNeed]:
    """Return what each table needs, as the draft sees it, with the references that are known."""
    return assess(cards_of(catalog, profile, semantic), catalog, semantic, counted(found))


def cards_of(catalog: Catalog, profile: Profile, semantic: Semantic) -> dict[str, TableCard]:
    """Return the cards that show what is needed: with the joins known before there is a graph."""
    declared = [link for table in catalog.tables for link in table.foreign_keys]
    return merging.cards(catalog, profile, semantic, Graph(links=(*declared, *profile.joins)))


def counted(found: References) -> Uses:
    """Count what uses each table and column: people's statements and joins, and views."""
    users = {
        (use.item.kind, use.item.keys, use.table, use.column)
        for use in found.uses
        if use.item.kind in _USERS and use.by != "prose"
    }
    return Counter((table, column) for _, _, table, column in users)


def assess(
    cards: dict[str, TableCard], catalog: Catalog, semantic: Semantic, uses: Uses | None = None
) -> list[TableNeed]:
    """Return what each table needs, in catalog order; hidden tables need nothing."""
    units = _stated_units(catalog, semantic)
    return [_table_need(card, units, uses or {}) for card in cards.values() if not card.hidden]


def _stated_units(catalog: Catalog, semantic: Semantic) -> dict[tuple[str, str], str]:
    stated = {}
    for name, text in semantic.tables.items():
        table = catalog.find(name)
        for column_name, words in text.columns.items():
            column = table.column(column_name) if table else None
            if table and column and words.unit:
                stated[table.name, column.name] = words.unit
    return stated


def _table_need(card: TableCard, units: dict[tuple[str, str], str], uses: Uses) -> TableNeed:
    gain = _table_gain(card)
    columns = tuple(
        _column_need(
            card,
            column,
            units.get((card.name, column.name)),
            gain * _use_weight(uses.get((card.name, column.name), 0)),
        )
        for column in card.columns
        if not column.housekeeping
    )
    gain *= _use_weight(uses.get((card.name, None), 0))
    return TableNeed(card, bool(card.description), columns, gain)


def _use_weight(used: int) -> float:
    """Return how much more something is worth that is used so often: a first use doubles it."""
    return 1 + math.log2(1 + used)


def _table_gain(card: TableCard) -> float:
    """Return what describing the table is worth: links to it first, then its rows."""
    referrers = {
        link.table
        for link in card.links
        if link.to_table == card.name and link.table != card.name and kinds.is_firm(link)
    }
    referred = {
        link.to_table for link in card.links if link.table == card.name and kinds.is_firm(link)
    }
    rows = card.profile.rows
    if rows == 0:
        return 0.1 * (1 + len(referrers))
    if card.table.kind != "table":  # a view shows facts of its tables
        return 1 + math.log10(1 + (rows or 0)) / 2
    links = 2 * math.log2(1 + len(referrers)) + min(len(referred), 4) / 2
    return 1 + links + math.log10(1 + (rows or 0))


def _column_need(
    card: TableCard, column: ColumnCard, stated_unit: str | None, table_gain: float
) -> ColumnNeed:
    described = bool(column.description)
    is_coded = kinds.is_coded(card, column)
    codes_open = is_coded and kinds.lacks_meanings(column)
    has_unit = not is_coded and kinds.needs_unit(card, column)
    unit_open = has_unit and not kinds.unit_is_known(column, stated_unit)
    weight = 0.0
    if not described:
        plain = kinds.is_key(card, column) or kinds.references(card, column)
        weight = 0.05 if plain else 0.4 if kinds.is_cryptic(column.name) else 0.15
    weight += 0.5 * codes_open + 0.2 * unit_open
    return ColumnNeed(
        column, described, is_coded, codes_open, has_unit, unit_open, round(table_gain * weight, 6)
    )


def in_order(needs: list[TableNeed]) -> list[TableNeed]:
    """Return the tables that have something open, most useful first."""
    chosen = [need for need in needs if need.is_open]
    return sorted(chosen, key=lambda need: -need.gain * (0.5 if need.described else 1.0))


def columns_in_order(need: TableNeed) -> list[ColumnNeed]:
    """Return the columns that have something open, most useful first."""
    return sorted((c for c in need.columns if c.is_open), key=lambda column: -column.gain)


def coverage(needs: list[TableNeed], semantic: Semantic) -> Coverage:
    """Return how far the tables are described, in all and per subject area."""
    domains: dict[str, list[TableNeed]] = {}
    for need in needs:
        domains.setdefault(need.card.domain or NO_DOMAIN, []).append(need)
    order = [domain.name for domain in semantic.domains]
    order += [*sorted(set(domains) - {*order, NO_DOMAIN}), NO_DOMAIN]
    split = set(domains) != {NO_DOMAIN}
    return Coverage(
        *_shares(needs),
        domains=tuple(
            DomainCoverage(name, *_shares(domains[name]))
            for name in order
            if split and name in domains
        ),
        next=tuple(place(need, column) for need, column in first(needs)),
    )


def _shares(needs: list[TableNeed]) -> tuple[Share, Share, Share, Share]:
    columns = [column for need in needs for column in need.columns]
    return (
        Share(sum(need.described for need in needs), len(needs)),
        Share(sum(column.described for column in columns), len(columns)),
        Share(
            sum(column.is_coded and not column.codes_open for column in columns),
            sum(column.is_coded for column in columns),
        ),
        Share(
            sum(column.has_unit and not column.unit_open for column in columns),
            sum(column.has_unit for column in columns),
        ),
    )


def first(needs: list[TableNeed]) -> list[tuple[TableNeed, ColumnNeed | None]]:
    """Return what to describe next, most useful first: tables, and columns of them."""
    worth: list[tuple[float, TableNeed, ColumnNeed | None]] = []
    worth += [(need.gain, need, None) for need in needs if not need.described]
    worth += [
        (column.gain, need, column) for need in needs for column in need.columns if column.is_open
    ]
    worth.sort(key=lambda item: -item[0])
    return [(need, column) for _, need, column in worth[:NEXT]]


def place(need: TableNeed, column: ColumnNeed | None) -> str:
    """Return `table` or `table.column`."""
    return f"{need.card.name}.{column.card.name}" if column else need.card.name
