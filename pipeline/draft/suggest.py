"""Suggestions from the facts, each with where it comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

from pipeline.cards import ColumnCard, TableCard
from pipeline.draft import facts
from pipeline.drafts import Draft
from pipeline.needs import ColumnNeed, TableNeed, columns_in_order, kinds
from pipeline.text import label, one_line, shorten, singular, thousands, words
from schemas.models import Link

Drafts = dict[tuple[str, str], Draft]
"""(Target, field) to the text that a model drafted for it."""

_KEY_WORDS = frozenset(
    ("id", "ids", "key", "code", "no", "nr", "num", "number", "fk", "ref", "uuid")
)
_PREFIX = re.compile(r"__|\.")
_SHARES = frozenset(("discount", "margin", "rate", "ratio", "share", "tax", "commission", "pct"))
_UNIT_NAMING = frozenset(("unit", "uom", "measure", "of", "code", "id", "name"))
_CURRENCY_NAMING = frozenset(("currency", "code", "id", "iso", "name", "symbol"))
_MONEY = kinds.words_of(
    """amount amt balance charge cost credit debit due fee freight price revenue salary sales
    subtotal tax total"""
)
_PREPOSITIONS = frozenset(("at", "by", "for", "from", "in", "of", "on", "to", "with"))
_SPELT_OUT = 4
"""Shorter words of a name are likely abbreviations; a suggestion made of them says nothing."""
_SHORT_WORDS = kinds.words_of("to by from of for in out bill ship new old")
_LONGEST_MEANING = 160
COMMENT = "from: database comment"
_FEWEST_ROWS = 10
"""Among fewer rows a column is unique by chance."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A text to take over, '' to be filled in, and why it is suggested."""

    text: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class CodeSuggestion:
    """A stored code, how often it is stored, and perhaps its meaning."""

    code: str
    count: int
    meaning: Suggestion


@dataclass(frozen=True, slots=True)
class ColumnSuggestion:
    """What to say about a column; None where nothing is to be said."""

    name: str
    facts: str
    description: Suggestion | None
    values: tuple[CodeSuggestion, ...]
    unit: Suggestion | None


@dataclass(frozen=True, slots=True)
class TableSuggestion:
    """What to say about a table; None where nothing is to be said."""

    name: str
    facts: str
    description: Suggestion | None
    grain: Suggestion | None
    columns: tuple[ColumnSuggestion, ...]


def table(need: TableNeed, drafts: Drafts, passed: dict[str, Suggestion]) -> TableSuggestion:
    """Return suggestions for what is open about a table and its columns.

    `passed` holds what to say about columns that a view just passes on.
    """
    card = need.card
    description = None
    if not need.described:
        description = _drafted(drafts, card.name, "description") or _about_table(card)
    elif card.description_origin == "database comment":
        description = Suggestion(card.description, COMMENT)
    grain = None
    if not card.grain and card.table.kind == "table":
        grain = _drafted(drafts, card.name, "grain") or _grain(card)
    return TableSuggestion(
        card.name,
        facts.of_table(card),
        description,
        grain,
        tuple(_column(card, column, drafts, passed) for column in columns_in_order(need)),
    )


def _drafted(drafts: Drafts, target: str, field: str) -> Suggestion | None:
    found = drafts.get((target, field))
    return Suggestion(found.text, found.origin) if found else None


def _about_table(card: TableCard) -> Suggestion:
    """Suggest what a table is for where its keys tell: a bridge connects what it refers to."""
    ends = kinds.connected(card.table, [k for k in card.links if k.table == card.name])
    if ends:
        return Suggestion(
            f"Connects {' and '.join(ends[:3])}.", "guessed: its key is made of references to them"
        )
    return Suggestion()


def _grain(card: TableCard) -> Suggestion | None:
    if card.table.primary_key:
        columns, why = card.table.primary_key.columns, "from: primary key"
    elif card.table.unique:
        columns, why = card.table.unique[0].columns, "from: unique key"
    else:
        rows = card.profile.rows or 0
        if rows < _FEWEST_ROWS or card.profile.sample or card.profile.rows_estimated:
            return None
        unique = [column.name for column in card.columns if column.profile.distinct == rows]
        if not unique:
            return None
        columns, why = (unique[0],), f"measured: {thousands(rows)} distinct values in as many rows"
    return Suggestion(f"one row per {', '.join(columns)}", why)


def _column(
    card: TableCard, need: ColumnNeed, drafts: Drafts, passed: dict[str, Suggestion]
) -> ColumnSuggestion:
    column, target = need.card, f"{card.name}.{need.card.name}"
    description = None
    if not need.described:
        description = (
            _drafted(drafts, target, "description")
            or passed.get(column.name)
            or _about_column(card, column)
        )
    elif column.description_origin == "database comment":
        description = Suggestion(column.description, COMMENT)
    unit = None
    if need.unit_open or (not column.unit and column.profile.time_zone):
        unit = _drafted(drafts, target, "unit") or _unit(card, column)
    values = _codes(column, target, drafts) if need.codes_open else ()
    return ColumnSuggestion(
        column.name,
        facts.of_column(card, column, codes_shown=bool(values)),
        description,
        values,
        unit,
    )


def _about_column(card: TableCard, column: ColumnCard) -> Suggestion:
    """Suggest what a key or a reference is; of other columns the name says all that is known."""
    thing = _thing(card)
    links = kinds.references(card, column)
    key = card.table.primary_key
    alone = key is not None and key.columns == (column.name,)
    if links:
        link = links[0]
        if len(link.columns) > 1:
            return Suggestion(
                f"Part of the reference to {link.to_table}.", f"guessed from its {_key_kind(link)}"
            )
        role = " ".join(w for w in label(column.name).split() if w not in _KEY_WORDS)
        if not all(len(word) >= _SPELT_OUT or word in _SHORT_WORDS for word in role.split()):
            role = ""  # an abbreviation says nothing that the name doesn't
        role = role or _thing_of(link.to_table)
        ends = sorted({link.to_table for link in links})
        if len(ends) > 1:
            depends = ", depending on its type" if any(link.condition for link in links) else ""
            text = f"{role.capitalize()} of the {thing}; refers to {' or '.join(ends)}{depends}."
        elif alone and link.to_columns:
            text = f"Identifies the {thing}, the same as {link.to_table}.{link.to_columns[0]}."
        elif role.split()[-1] in _PREPOSITIONS:
            row = "another row" if link.to_table == card.name else "a row"
            text = f"{role.capitalize()} {row} of {link.to_table}."
        elif link.to_table == card.name:
            text = f"The {role}: another row of {card.name}."
        elif set(role.split()) <= set(thing.split()):
            text = f"The {role}; refers to {link.to_table}."
        else:
            text = f"{role.capitalize()} of the {thing}; refers to {link.to_table}."
        return Suggestion(text, f"guessed from its {_key_kind(link)}")
    if alone:
        return Suggestion(f"Identifies the {thing}.", "guessed: it is the primary key")
    return Suggestion()


def _thing(card: TableCard) -> str:
    """Return what a row is called: the table's name without a schema in front, in the singular."""
    return _thing_of(card.name)


def _thing_of(table: str) -> str:
    named = [word for word, _ in groupby(words(_bare(table)))] or [table]
    return " ".join([*named[:-1], singular(named[-1])])


def _bare(table: str) -> str:
    return _PREFIX.split(table)[-1] or table


def _key_kind(link: Link) -> str:
    if link.origin == "declared":
        return "foreign key"
    return "measured join" if link.origin == "inferred" else "curated join"


def _unit(card: TableCard, column: ColumnCard) -> Suggestion:
    if column.unit:
        return Suggestion(column.unit, "guessed from name and values")
    if column.profile.time_zone:
        return Suggestion(column.profile.time_zone, "guessed from name and values")
    low, high = column.profile.minimum, column.profile.maximum
    own = set(words(column.name))
    if own & _SHARES and isinstance(low, int | float) and isinstance(high, int | float):
        is_share = low >= 0 and 0 < high <= 1
        if is_share:
            return Suggestion("fraction of 1", f"measured: {low} to {high}")
    for other in card.columns:
        named = set(words(other.name))
        measures = named & {"unit", "uom"} and named & own and named - own <= _UNIT_NAMING
        pays = "currency" in named and named <= _CURRENCY_NAMING and own & _MONEY
        if other.name != column.name and (measures or pays):
            return Suggestion(f"the unit that {other.name} names", f"guessed: see {other.name}")
    return Suggestion()


def _codes(column: ColumnCard, target: str, drafts: Drafts) -> tuple[CodeSuggestion, ...]:
    why = COMMENT
    if column.description_origin != "database comment":
        why = "from: the description"
    suggested = []
    for code in column.codes:
        if not code.count or code.meaning:
            continue
        text = str(code.value)
        meaning = _drafted(drafts, target, f"values.{text}")
        told = _meaning_in(column.description, text)
        if meaning is None and told:
            meaning = Suggestion(told, why)
        suggested.append(CodeSuggestion(text, code.count, meaning or Suggestion()))
    if all(code.code.lstrip("-").isdigit() for code in suggested):
        suggested.sort(key=lambda code: int(code.code))
    return tuple(suggested)


def _meaning_in(description: str, code: str) -> str:
    """Return the meaning of a code that prose tells: `1 = Pending; 2 = Approved`, `M: male`."""
    written = re.escape(code.strip())
    found = re.search(
        rf"(?<![\w.-])['\"]?{written}['\"]?\s*(?:=|:|->|–|- )\s*([^;,\n=:]+)", description
    )
    if not written or found is None:
        return ""
    first = re.split(r"\.\s|\s(?:or|and)\s*$", found[1])[0]
    return shorten(one_line(first.strip(" .\"'")), _LONGEST_MEANING)
