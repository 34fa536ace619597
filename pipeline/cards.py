"""All that is known of a table, merged from facts and people's words: one record for every reader.

Docs, index, context and `describe_table` show cards; none of them merges for itself.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from pipeline import withheld
from pipeline.drafts import NONE, Accepted
from schemas.models import (
    Catalog,
    Column,
    ColumnProfile,
    Graph,
    Link,
    Profile,
    Scalar,
    Semantic,
    SemanticColumn,
    SemanticTable,
    Table,
    TableProfile,
)

TextOrigin = Literal["", "human", "database comment", "accepted draft"]
"""An accepted draft is a text of a machine that a person took over as it was."""


Written = Literal["", "human", "accepted draft"]


@dataclass(frozen=True, slots=True)
class Code:
    """A stored value of a coded column and what it means."""

    value: Scalar
    """Exactly as stored; as people wrote it where it isn't in the data."""
    meaning: str = ""
    """'' when nobody said."""
    count: int | None = None
    """Rows that hold it; 0 when it was looked for and isn't there, None when unknown."""


@dataclass(frozen=True)
class ColumnCard:
    """All that is known of one column."""

    column: Column
    profile: ColumnProfile
    description: str = ""
    description_origin: TextOrigin = ""
    synonyms: tuple[str, ...] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)
    """What people say that codes mean, by the code as they wrote it."""
    unit: str | None = None
    unit_origin: Written | Literal["inferred"] = ""
    sensitive: bool = False
    housekeeping: bool = False
    description_source: str = ""
    """What an accepted draft was derived from."""
    meanings_origin: str = "human"
    """Who says what the codes mean: `human`, `accepted draft`, or both."""

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """Stored values with meanings where given; most frequent first, unseen codes last.

        `H` explains the stored `'H '` too.
        """
        left = dict(self.meanings)
        by_stripped = {key.strip().casefold(): key for key in self.meanings}
        codes: list[Code] = []
        for stored in () if self.sensitive else self.profile.values:
            key = str(stored.value)
            if key not in self.meanings:
                key = by_stripped.get(key.strip().casefold(), key)
            left.pop(key, None)
            codes.append(Code(stored.value, self.meanings.get(key, ""), stored.count))
        unseen = 0 if self.codes_complete else None
        codes.extend(Code(value, meaning, unseen) for value, meaning in left.items())
        return tuple(codes)

    @property
    def codes_complete(self) -> bool:
        """Whether `codes` holds every value that is stored."""
        return self.profile.values_complete and not self.sensitive

    @property
    def explains_codes(self) -> bool:
        """Whether people say what a code means."""
        return any(self.meanings.values())

    @property
    def codes_seen(self) -> bool:
        """`codes` holds every value of the rows that were read: of all, or of a sample."""
        seen = len(self.profile.values)
        return self.codes_complete or (seen > 0 and seen == self.profile.distinct)


@dataclass(frozen=True, slots=True)
class TableCard:
    """All that is known of one table."""

    table: Table
    profile: TableProfile
    columns: tuple[ColumnCard, ...] = ()
    description: str = ""
    description_origin: TextOrigin = ""
    synonyms: tuple[str, ...] = ()
    grain: str | None = None
    notes: tuple[str, ...] = ()
    domain: str | None = None
    hidden: bool = False
    links: tuple[Link, ...] = ()
    """Links from and to this table, of any origin, cheapest first."""
    structure_only: str | None = None
    """Why no data is known: the structure came without a database."""
    description_source: str = ""
    """What an accepted draft was derived from."""
    grain_origin: Written = "human"

    @property
    def name(self) -> str:
        """The table's name."""
        return self.table.name

    def column(self, name: str) -> ColumnCard | None:
        """Return the card of the column of that exact name."""
        return next((c for c in self.columns if c.name == name), None)


def cards(
    catalog: Catalog,
    profile: Profile,
    semantic: Semantic,
    graph: Graph,
    accepted: Accepted = NONE,
) -> dict[str, TableCard]:
    """Return a card per table of the catalog, in its order; hidden tables too (`hidden` is set).

    `accepted` tells which texts of `semantic` a machine drafted.
    """
    links: dict[str, list[Link]] = {}
    for link in graph.links:
        for table in {link.table, link.to_table}:
            links.setdefault(table, []).append(link)
    written = {
        found.name: text for name, text in semantic.tables.items() if (found := catalog.find(name))
    }
    merged = {
        table.name: _table_card(
            table,
            profile.by_table.get(table.name) or TableProfile(table.name),
            written.get(table.name) or SemanticTable(),
            semantic,
            tuple(sorted(links.get(table.name, ()), key=lambda link: (link.cost, link.key))),
            accepted,
        )
        for table in catalog.tables
    }
    if catalog.structure_only:
        told = catalog.structure_only
        merged = {name: replace(card, structure_only=told) for name, card in merged.items()}
    return _without_withheld(merged)


def sensitive_columns(
    catalog: Catalog, profile: Profile, semantic: Semantic, graph: Graph
) -> dict[str, frozenset[str]]:
    """Return the sensitive columns of each table that has some, hidden tables too."""
    return marked(cards(catalog, profile, semantic, graph))


def marked(found: Mapping[str, TableCard]) -> dict[str, frozenset[str]]:
    """Return the columns of cards that are sensitive, of each table that has some."""
    columns = {
        name: frozenset(column.name for column in card.columns if column.sensitive)
        for name, card in found.items()
    }
    return {name: sensitive for name, sensitive in columns.items() if sensitive}


def _without_withheld(found: dict[str, TableCard]) -> dict[str, TableCard]:
    """Return the cards without what the structure tells of sensitive values."""
    sensitive = {
        name: [c.name for c in card.columns if c.sensitive] for name, card in found.items()
    }
    elsewhere: dict[str, set[str]] = {}
    for name, columns in sensitive.items():
        elsewhere.setdefault(found[name].table.object_name, set()).update(columns)
    safe: dict[str, TableCard] = {}
    for name, card in found.items():
        table = withheld.structure(card.table, sensitive[name], elsewhere)
        if table is not card.table:
            pairs = zip(card.columns, table.columns, strict=True)
            shown = tuple(replace(column, column=structure) for column, structure in pairs)
            card = replace(card, table=table, columns=shown)  # noqa: PLW2901 - the safe one
        safe[name] = card
    return safe


def _table_card(
    table: Table,
    profile: TableProfile,
    text: SemanticTable,
    semantic: Semantic,
    links: tuple[Link, ...],
    accepted: Accepted,
) -> TableCard:
    profiles = {c.column: c for c in profile.columns}
    described = {found.name: c for name, c in text.columns.items() if (found := table.column(name))}
    housekeeping = {name.casefold() for name in semantic.housekeeping_columns}
    columns = tuple(
        _column_card(
            column,
            profiles.get(column.name) or ColumnProfile(column.name),
            described.get(column.name) or SemanticColumn(),
            column.name.casefold() in housekeeping,
            _Origins(accepted, f"{table.name}.{column.name}") if accepted.texts else _PEOPLE,
        )
        for column in table.columns
    )
    origins = _Origins(accepted, table.name)
    description, origin, source = origins.text(text.description, table.comment)
    closed = {c.name for c in columns if c.sensitive}
    known = (withheld.profile(c) if c.column in closed else c for c in profile.columns)
    return TableCard(
        table,
        replace(profile, columns=tuple(known)) if closed else profile,
        columns,
        description,
        origin,
        text.synonyms,
        text.grain,
        text.notes,
        text.domain or _domain_of(table, semantic),
        text.hidden,
        links,
        description_source=source,
        grain_origin=origins.field("grain", text.grain),
    )


def _column_card(
    column: Column,
    profile: ColumnProfile,
    text: SemanticColumn,
    named_housekeeping: bool,
    origins: _Origins,
) -> ColumnCard:
    description, origin, source = origins.text(text.description, column.comment)
    sensitive = profile.sensitive if text.sensitive is None else text.sensitive
    return ColumnCard(
        column,
        withheld.profile(profile) if sensitive else profile,
        description,
        origin,
        text.synonyms,
        text.values,
        text.unit or profile.unit,
        origins.field("unit", text.unit) or ("inferred" if profile.unit else ""),
        sensitive,
        named_housekeeping or (profile.housekeeping is not None and not text.description),
        description_source=source,
        meanings_origin=origins.meanings(text.values),
    )


@dataclass(frozen=True, slots=True)
class _Origins:
    """Who wrote the texts of one table or column."""

    accepted: Accepted
    target: str

    def text(self, written: str, comment: str | None) -> tuple[str, TextOrigin, str]:
        """Return the description to show, who wrote it, and from what a machine derived it."""
        if not written:
            return (comment, "database comment", "") if comment else ("", "", "")
        source = self.accepted.origin(self.target, "description", written)
        return written, self.field("description", written), source

    def field(self, name: str, written: str | None) -> Written:
        """Return who wrote the text of a field."""
        if not written:
            return ""
        return "accepted draft" if self.accepted.origin(self.target, name, written) else "human"

    def meanings(self, written: dict[str, str]) -> str:
        """Return who wrote what codes mean."""
        if not written:
            return ""
        found = {self.field(f"values.{code}", meaning) for code, meaning in written.items()}
        return " and ".join(sorted(filter(None, found), reverse=True))


_PEOPLE = _Origins(NONE, "")
"""Of texts that no machine drafted."""


def _domain_of(table: Table, semantic: Semantic) -> str | None:
    for domain in semantic.domains:
        for glob in domain.tables:
            if fnmatch.fnmatchcase(table.name.casefold(), glob.casefold()):
                return domain.name
    return None
