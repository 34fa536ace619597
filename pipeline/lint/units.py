"""DL3xx: amounts, times, and rows that are marked as deleted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.cards import ColumnCard
from pipeline.lint import prose_codes
from pipeline.lint.rule import Found, Rule
from pipeline.lint.world import SaidColumn, World
from pipeline.needs import kinds
from pipeline.soft_deletes import kept
from pipeline.text import words

_CURRENCY = re.compile(
    r"[€$£¥]|\b(?:euros?|cents?|dollars?|pounds?|pence|yen|francs?|kron[ae]r?|zloty|rupees?|eur|usd|"
    r"gbp|chf|jpy|sek|nok|dkk|pln|cad|aud|cny|inr|brl|mxn|currency|currencies)\b",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"%|\b(?:per ?cent(?:age)?|percents?|ratio|share|fraction|hours?|minutes?|(?:milli)?seconds?|"
    r"days?|weeks?|months?|years?|pieces|units?|kilo(?:gram|meter|metre)s?|kg|grams?|pounds?|lbs?|ounces?|"
    r"met(?:er|re)s?|cm|mm|km|miles?|inch(?:es)?|feet|lit(?:er|re)s?|celsius|fahrenheit|bytes?|[kmg]i?b|"
    r"watts?|kwh|volts?)\b",
    re.IGNORECASE,
)
_ZONE = re.compile(
    r"\b(?:utc|gmt|zulu|local|time ?zones?|wall[- ]clock|cet|cest|est|edt|pst|pdt|cst|mst|"
    r"(?:europe|america|asia|africa|australia|pacific)/\w+)\b",
    re.IGNORECASE,
)
_MONEY_WORDS = kinds.words_of(
    """amount amt balance bonus budget charge commission cost credit debit discount fee freight
    gross margin net pay payment price profit quota revenue salary sales subtotal tax total
    turnover wage due paid rate"""
)
_UNIT_NAMES = frozenset({"unit", "units", "uom", "currency", "measure"})
_OF_UNITS = frozenset({"code", "id", "iso", "name", "of", "type"})
_MIDNIGHT = re.compile(r"\d[ T]00:00(?::00(?:\.0+)?)?$")


def _unitless(world: World) -> Iterator[Found]:
    notes = world.told_of_all
    for column in world.columns:
        card, table = column.card, column.table.card
        if column.is_bookkeeping or not kinds.needs_unit(table, card) or _is_coded(column):
            continue
        if kinds.unit_is_known(card, column.said.unit):
            continue
        is_money = bool(set(words(card.name)) & _MONEY_WORDS)
        said = "\n".join((card.description, table.description, *table.notes))
        if _MEASURE.search(card.description) or _CURRENCY.search(card.description):
            continue
        if _has_unit_beside(column):
            continue
        if is_money and (_CURRENCY.search(said) or _CURRENCY.search(notes)):
            continue
        yield Found(
            column.target,
            f"nobody said in what unit {column.target} is",
            "add `unit:` to the column, e.g. `unit: euro cents`; or say it for all amounts in "
            "`database.dialect_notes`",
            (*column.place, "unit") if column.said.unit else column.place,
        )


def _is_coded(column: SaidColumn) -> bool:
    return kinds.is_coded(column.table.card, column.card) or bool(
        prose_codes.find(column.card.description)
    )


def _has_unit_beside(column: SaidColumn) -> bool:
    """Whether another column holds the unit of each row: `WeightUnit`, `currency_code`."""
    own = set(words(column.card.name))
    for other in column.table.card.columns:
        named = set(words(other.name))
        if named & _UNIT_NAMES - own and named - own <= _UNIT_NAMES | _OF_UNITS:
            return True
    return False


def _zoneless(world: World) -> Iterator[Found]:
    if _ZONE.search(world.told_of_all):
        return
    for column in world.columns:
        card, table = column.card, column.table.card
        said = "\n".join((card.description, card.unit or "", card.name, *table.notes))
        if (
            not column.is_bookkeeping
            and not card.sensitive
            and table.table.kind == "table"
            and _is_moment(card)
            and not card.profile.time_zone
            and not _ZONE.search(said.replace("_", " "))
        ):
            yield Found(
                column.target,
                f"nobody said in which time zone {column.target} is",
                "add `unit: UTC`, or say it once for all in `database.dialect_notes`",
                column.place,
            )


def _is_moment(card: ColumnCard) -> bool:
    """Whether the values have a time of day that isn't always midnight."""
    is_time = card.column.family == "timestamp" or card.profile.text_format == "ISO timestamp"
    native = card.column.native_type.casefold()
    if not is_time or "with time zone" in native or "timestamptz" in native or "offset" in native:
        return False
    ends = [str(end) for end in (card.profile.minimum, card.profile.maximum) if end is not None]
    return bool(ends) and not all(_MIDNIGHT.search(end) or len(end) <= 10 for end in ends)


def _undeleted(world: World) -> Iterator[Found]:
    filters: dict[str, list[str]] = {}
    for entity in world.graph_document.graph.entities:
        of = world.catalog.find(entity.table) if entity.table else None
        if of and entity.filter:
            filters.setdefault(of.name, []).append(entity.filter)
    for column in world.columns:
        card, table = column.card, column.table.card
        if not card.profile.soft_delete or table.table.kind != "table":
            continue
        said = [*filters.get(table.name, ()), *table.notes, *world.semantic.dialect_notes]
        if _names(card.name, said) or _excludes(card.description):
            continue
        condition = kept(card, world.catalog.dialect)
        yield Found(
            column.target,
            f"{column.target} marks deleted rows, and no rule says to leave them out",
            "add a note to the table, e.g. "
            + (
                f"`Leave out deleted rows: {condition}.`"
                if condition
                else "which rows to leave out"
            ),
            column.place,
        )


def _names(name: str, texts: list[str]) -> bool:
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return any(pattern.search(text) for text in texts)


def _excludes(text: str) -> bool:
    return re.search(r"\b(?:leave out|exclude|filter|ignore|skip)", text, re.IGNORECASE) is not None


RULES = (
    Rule(
        "DL301",
        "amount-without-unit",
        "warning",
        "A column of amounts, durations or sizes whose unit neither `unit:`, its name, its "
        "description nor (of money) the notes tell. In tables that people described.",
        "Cents taken for euro are wrong by a factor of 100, and look right.",
        "Add `unit:`.",
        "columns:\n  freight: Shipping cost.  # nobody said in what unit orders.freight is",
        _unitless,
    ),
    Rule(
        "DL302",
        "time-without-zone",
        "warning",
        "A column of moments (with a time of day that isn't always midnight) whose time zone "
        "neither "
        "its type, its name, its description nor a note tells. In tables that people described.",
        "Orders of the last evening of a month move to the next one.",
        "Add `unit: UTC`, or one sentence in `dialect_notes` for all.",
        "columns:\n  placed_at: When it was placed.  # nobody said in which time zone …",
        _zoneless,
    ),
    Rule(
        "DL303",
        "deleted-rows-without-rule",
        "warning",
        "A column that marks rows as deleted, in a table that people described, without a note "
        "or an "
        "entity's filter that names it.",
        "Counts include what was deleted.",
        "Add a note to the table or to `dialect_notes`, or a filter to the entity.",
        "customers: {description: Who buys.}  # customers.deleted_at marks deleted rows, and no …",
        _undeleted,
    ),
)
