"""DL2xx: codes, their meanings, and values that stand for something else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.cards import Code, ColumnCard, TableCard
from pipeline.lint import prose_codes
from pipeline.lint.rule import Found, Rule
from pipeline.lint.world import SaidColumn, World, listed, quoted, shown, stored
from pipeline.needs import kinds
from pipeline.text import words

_CODE_NAMES = kinds.words_of(
    """category cd class code flag grade kind method mode phase priority reason role stage stat
    state status tier type typ"""
)
_MANY = 100
"""Distinct values; a column with more holds no codes."""


def _unexplained(world: World) -> Iterator[Found]:
    for column in world.columns:
        missing = _without_meaning(column)
        if missing:
            yield Found(
                column.target,
                f"{column.target} stores codes without a meaning: "
                + listed(missing, written=lambda code: f"{stored(code.value)} ({code.count:,})"),
                "add them under `values:`; in quotes what YAML would read otherwise",
                (*column.place, "values"),
                what="|".join(sorted(str(code.value) for code in missing)),
            )


def _without_meaning(column: SaidColumn) -> list[Code]:
    card, table = column.card, column.table.card
    if column.is_bookkeeping or card.sensitive or table.table.kind != "table":
        return []
    explained = card.explains_codes
    if not explained and not _waits_for_meanings(column):
        return []
    if explained and not card.codes_seen:
        return []
    empty = {str(value) for value in card.profile.sentinels}
    text = f" {card.description.casefold()} "
    return [
        code
        for code in card.codes
        if code.count
        and not code.meaning
        and str(code.value).strip()
        and str(code.value) not in empty
        and not _is_told(str(code.value), text)
    ]


def _waits_for_meanings(column: SaidColumn) -> bool:
    """Whether values that nobody explained are codes: by what they are, and by the name."""
    named = not _CODE_NAMES.isdisjoint(words(column.card.name))
    return named and kinds.is_coded(column.table.card, column.card) and not _prose(column)


def _is_told(code: str, text: str) -> bool:
    """Whether a description names the code: `empty, or X after a recall`."""
    word = code.strip().casefold()
    return word in text and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _absent(world: World) -> Iterator[Found]:
    for column in world.columns:
        for code in column.card.codes if column.card.meanings else ():
            if code.count == 0 and column.table.card.profile.rows:
                written = str(code.value)
                if not _is_allowed(written, column.table.card, column.card):
                    yield Found(
                        column.target,
                        f"{column.target} explains {stored(written)}, which no row holds",
                        _instead(column.card),
                        (*column.place, "values", written),
                        what=written,
                    )


def _instead(card: ColumnCard) -> str:
    open_codes = [stored(code.value) for code in card.codes if code.count and not code.meaning]
    if open_codes:
        return f"correct it, or remove it; stored without a meaning: {listed(open_codes)}"
    return "remove it, or ignore this with the reason why it may come"


def _is_allowed(code: str, table: TableCard, column: ColumnCard) -> bool:
    """Whether the schema itself lists the code: it may be stored at any time."""
    if code in column.column.enum_members:
        return True
    quoted = re.compile(rf"'{re.escape(code)}'" if not code.isdigit() else rf"\b{code}\b")
    return any(
        column.name.casefold() in check.expression.casefold() and quoted.search(check.expression)
        for check in table.table.checks
    )


def _respelled(world: World) -> Iterator[Found]:
    for column in world.columns:
        if column.card.sensitive or not column.said.values:
            continue
        exact = {str(value.value) for value in column.card.profile.values}
        alike = {text.strip().casefold(): text for text in exact}
        for written in column.said.values:
            found = alike.get(written.strip().casefold())
            if found is not None and written not in exact:
                yield Found(
                    column.target,
                    f"{column.target} explains {quoted(written)}, stored as {quoted(found)}",
                    "write it as it is stored: a comparison with the other spelling finds nothing",
                    (*column.place, "values", written),
                    what=written,
                )


def _in_prose(world: World) -> Iterator[Found]:
    for column in world.columns:
        told = _prose(column)
        if told:
            lines = ", ".join(f'"{code}": {shown(told[code], 30)}' for code in told)
            yield Found(
                column.target,
                f"{column.target} explains {len(told)} codes in prose only: {listed(list(told))}",
                f"write them as `values: {{{shown(lines, 120)}}}`",
                (*column.place, "description"),
            )


def _prose(column: SaidColumn) -> dict[str, str]:
    """Return the codes that only the description explains."""
    card = column.card
    told = prose_codes.find(card.description)
    if len(told) < 2 or column.is_bookkeeping:
        return {}
    known = {str(code.value).strip().casefold() for code in card.codes if code.meaning}
    told = {code: meaning for code, meaning in told.items() if code.casefold() not in known}
    if len(told) < 2:
        return {}
    values = card.profile.values
    if not values:
        return told if card.sensitive or not _is_many(card) else {}
    if _is_many(card):
        return {}
    seen = {str(value.value).strip().casefold() for value in values}
    # codes of another column, e.g. of the type beside a reference
    return told if seen & {code.casefold() for code in told} else {}


def _is_many(card: ColumnCard) -> bool:
    return (card.profile.distinct or 0) > _MANY


def _sentinels(world: World) -> Iterator[Found]:
    for column in world.columns:
        card, table = column.card, column.table.card
        if column.is_bookkeeping or card.sensitive or table.table.kind != "table":
            continue
        said = (card.description, table.description, table.grain or "", *table.notes)
        more = (card.unit or "", *column.said.values, world.told_of_all)
        told = "\n".join((*said, *more)).casefold()  # fmt: skip
        for value in card.profile.sentinels:
            text = str(value).strip()
            short = re.sub(r"[ T]00:00:00(?:\.0+)?$", "", text).casefold()
            if re.search(r"\d", short) and not re.search(
                rf"(?<![\w.]){re.escape(short)}(?![\w])", told
            ):
                yield Found(
                    column.target,
                    f"{column.target} stores {shown(text)}, which seems to stand for something "
                    f"else",
                    "say in the description what it means, e.g. that it stands for `none`",
                    (*column.place, "description"),
                    what=short,
                )


RULES = (
    Rule(
        "DL201",
        "code-without-meaning",
        "warning",
        "A stored code that `values:` doesn't explain, in a column where others are explained; and "
        "a column of codes that nobody explained, in a table that people described.",
        "An agent that filters by a code guesses which one is meant.",
        "Add the code under `values:`.",
        "status:\n  values: {O: open}  # orders.status stores codes without a meaning: X (12)",
        _unexplained,
    ),
    Rule(
        "DL202",
        "code-not-in-data",
        "info",
        "A code under `values:` that no row holds. Only where every value is known, and not when a "
        "check or the type of the column lists the code.",
        "It is mistyped, or of another column; a filter by it finds nothing.",
        "Correct or remove it; if it may come, ignore this with the reason.",
        "status:\n  values: {Q: quoted}  # orders.status explains Q, which no row holds",
        _absent,
    ),
    Rule(
        "DL203",
        "codes-in-prose",
        "warning",
        "A description that lists codes (`1 = new; 2 = paid`) that `values:` doesn't have.",
        "Contexts, search and literal linking read `values:`; the sentence is cut first where "
        "room is "
        "scarce.",
        "Move the list to `values:`.",
        'status: "1 = new; 2 = paid"  # orders.status explains 2 codes in prose only: 1, 2',
        _in_prose,
    ),
    Rule(
        "DL204",
        "unexplained-sentinel",
        "warning",
        "A stored value that seems to stand for something else (9999-12-31, -1, `n/a`) and that "
        "neither description, notes nor `dialect_notes` name. In tables that people described.",
        "An average or a duration over it is nonsense.",
        "Name the value and what it stands for.",
        "columns:\n  valid_to: Last day.  # prices.valid_to stores 9999-12-31, which seems to …",
        _sentinels,
    ),
    Rule(
        "DL205",
        "code-spelled-differently",
        "info",
        "A code under `values:` that is stored with other blanks or in other case.",
        "The meaning is found, but a query that compares with the code as written finds no row.",
        "Write the code as it is stored, in quotes.",
        "carrier:\n  values: {H: own van}  # shipments.carrier explains H, which is stored as 'H "
        "  '",
        _respelled,
    ),
)
