"""Table cards as Markdown, for agents and for a terminal: each line says where it comes from.

Names, comments and values come from a database that anyone may have written to. Here they become
one line each and lose what would be Markdown or a mark of origin.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline import sql_names
from pipeline.cards import Code, ColumnCard, TableCard
from pipeline.joins import cardinality_of, is_usable, on_clause
from pipeline.text import counted, one_line, shorten, thousands
from schemas.models import ColumnProfile, Link, Scalar
from serve.literals import sql_value

DESCRIPTION_LIMIT = 1_000
CODES_LIMIT = 1_500
"""Characters that the code list of one column may take; a longer one is left out whole."""
VALUES_LIMIT = 300
"""Characters that all values of a column without meanings may take; else some are examples."""
EXAMPLES = 5
"""Values shown of a column that is no code."""
EXAMPLE_LIMIT = 60

_AGAIN = "parent"
"""What a table is called when a statement meets it again."""
_UNSEEN = " (with characters that can't be shown, escaped here)"
_SIMPLE = re.compile(r"[\w.]+\Z")
_MARKDOWN = re.compile(r"([\\`\[\]<])")


@dataclass(frozen=True, slots=True)
class CardText:
    """A card in lines, so that a reader with little room can take whole ones."""

    head: tuple[str, ...]
    notes: tuple[str, ...]
    columns: tuple[str, ...]
    joins: tuple[str, ...]


def card_markdown(
    card: TableCard, *, columns: Sequence[ColumnCard] | None = None, dialect: str = ""
) -> str:
    """Return a card as Markdown.

    Args:
        card: The table.
        columns: Those to show; None shows all of them.
        dialect: The sqlglot name of the engine, for the quoting of names.
    """
    text = card_lines(card, columns=columns, dialect=dialect)
    parts = ["\n".join(text.head)]
    if text.notes:
        parts.append("\n".join(["## Notes", *text.notes]))
    parts.append("\n".join([columns_heading(card, len(text.columns)), *text.columns]))
    if text.joins:
        parts.append("\n".join(["## Joins", *text.joins]))
    return "\n\n".join(parts) + "\n"


def columns_heading(card: TableCard, shown: int) -> str:
    """Return the heading over `shown` of the card's columns."""
    total = len(card.columns)
    return f"## Columns ({total if shown == total else f'{shown} of {total}'})"


def card_lines(
    card: TableCard,
    *,
    columns: Sequence[ColumnCard] | None = None,
    dialect: str = "",
    codes_limit: int = CODES_LIMIT,
) -> CardText:
    """Return the lines of a card.

    Args:
        card: The table.
        columns: Those to show; None shows all of them.
        dialect: The sqlglot name of the engine, for the quoting of names.
        codes_limit: Characters that the code list of one column may take; a longer one is left
            out whole.
    """
    shown = card.columns if columns is None else columns
    return CardText(
        head=tuple(card_head(card, dialect)),
        notes=tuple(map(note_line, card.notes)),
        columns=tuple(column_line(column, card, codes_limit, dialect) for column in shown),
        joins=tuple(join_line(link, dialect) for link in card.links if is_usable(link)),
    )


def note_line(note: str) -> str:
    """Return what a person noted about a table as one line."""
    return f"- {plain(note)} [human]"


def card_head(card: TableCard, dialect: str) -> list[str]:
    """Return the lines about the table itself; the first is its heading."""
    table, profile = card.table, card.profile
    lines = [f"# {plain(card.name)}"]
    facts = [table.kind.replace("_", " "), *filter(None, [card.structure_only])]
    if profile.rows is not None:
        about = "about " if profile.rows_estimated else ""
        facts.append(f"{about}{counted(profile.rows, 'row')}")
    origin = "measured" if profile.rows is not None else "declared"
    lines.append(f"{', '.join(facts)} [{origin}]")
    name = sql_names.table(card.name, dialect)
    if name != card.name:
        lines.append(f"in SQL: {sql_code(name)} [declared]")
    if card.description:
        text = plain(shorten(one_line(card.description), DESCRIPTION_LIMIT))
        lines.append(f"{text} [{card.description_origin}]")
    if card.grain:
        lines.append(f"grain: {plain(card.grain)} [{card.grain_origin}]")
    if card.synonyms:
        lines.append(f"also called: {', '.join(map(plain, card.synonyms))} [human]")
    if card.domain:
        lines.append(f"domain: {plain(card.domain)} [human]")
    if table.primary_key:
        lines.append(f"primary key: {_names(table.primary_key.columns, dialect)} [declared]")
    lines += [f"unique: {_names(key.columns, dialect)} [declared]" for key in table.unique]
    if profile.error:
        lines.append(f"its data couldn't be read: {plain(profile.error)} [measured]")
    elif profile.sample is not None:
        lines.append(f"measured on a sample of {thousands(profile.sample.rows)} rows [measured]")
    return lines


def column_line(
    column: ColumnCard, card: TableCard, codes_limit: int = CODES_LIMIT, dialect: str = ""
) -> str:
    """Return all that is known of a column as one line; names and values are SQL."""
    return f"- {sql_code(sql_names.quote(column.name, dialect))} " + column_about(
        column, card, codes_limit, dialect
    )


def column_about(column: ColumnCard, card: TableCard, codes_limit: int, dialect: str) -> str:
    """Return what `column_line` says after the column's name."""
    parts = [f"{_declared(column, card)} [declared]"]
    if column.description:
        text = plain(shorten(one_line(column.description), DESCRIPTION_LIMIT))
        parts.append(f"{text} [{column.description_origin}]")
    if column.synonyms:
        parts.append(f"also called {', '.join(map(plain, column.synonyms))} [human]")
    if column.unit:
        parts.append(f"unit: {plain(column.unit)} [{column.unit_origin}]")
    parts += [f"→ {target}" for target in _targets(column, card, dialect)]
    measured = _measured(column, card.profile.rows, codes_limit, dialect)
    if measured:
        parts.append(f"{', '.join(measured)} [measured]")
    values = _values(column, codes_limit, dialect)
    if values:
        parts.append(values)
    parts += _warnings(column, dialect)
    return " · ".join(parts)


def _declared(column: ColumnCard, card: TableCard) -> str:
    facts = [plain(column.column.native_type) or "untyped"]
    key = card.table.primary_key
    if key and column.name in key.columns:
        facts.append("primary key" if len(key.columns) == 1 else "part of the primary key")
    elif not column.column.nullable:
        facts.append("not null")
    if column.column.generated:
        facts.append("computed")
    return ", ".join(facts)


def _targets(column: ColumnCard, card: TableCard, dialect: str) -> list[str]:
    """Return where a single-column reference leads; composite ones stand under the joins."""
    return [
        f"{name_text(_reference(link, dialect))}"
        f"{f' ({plain(link.label)})' if link.label else ''} [{link_origin(link)}]"
        for link in card.links
        if link.table == card.name and link.columns == (column.name,) and is_usable(link)
    ]


def _reference(link: Link, dialect: str) -> str:
    table = sql_names.table(link.to_table, dialect)
    return f"{table}.{sql_names.quote(link.to_columns[0], dialect)}"


def _measured(column: ColumnCard, rows: int | None, codes_limit: int, dialect: str) -> list[str]:
    profile = column.profile
    facts: list[str] = []
    if column.housekeeping:
        return facts
    if profile.distinct is not None:
        facts.append(f"{thousands(profile.distinct)} distinct")
    if profile.nulls and rows:
        facts.append(f"{share(profile.nulls / rows)} null")
    if column.sensitive:
        return facts
    if shows_range(column, codes_limit):
        facts.append(
            " … ".join(
                literal(end, EXAMPLE_LIMIT, dialect, column.column.family)
                for end in (profile.minimum, profile.maximum)
                if end is not None
            )
        )
    if profile.text_format:
        facts.append(plain(profile.text_format))
    if profile.time_zone:
        facts.append(f"time zone {plain(profile.time_zone)}")
    return facts


def _values(column: ColumnCard, codes_limit: int, dialect: str) -> str:
    """Return the codes with their meanings, all or none; or examples, told as such."""
    if column.sensitive or not column.codes:
        return ""
    coded = any(item.meaning for item in column.codes)
    if lists_codes(column, codes_limit):
        origin = f"measured; meanings {column.meanings_origin}" if coded else "measured"
        listed = code_list(column, dialect)
        return f"{'codes' if coded else 'values'} {_how_complete(column)}: {listed} [{origin}]"
    if coded:
        origin = column.meanings_origin
        return f"{len(column.codes)} codes with meanings, too many to list here [{origin}]"
    if column.housekeeping or shows_range(column, codes_limit):
        return ""
    top = column.codes[:EXAMPLES]
    total = column.profile.distinct
    of = f" of {thousands(total)}" if total is not None else ""
    family = column.column.family
    listed = ", ".join(code_text(item, EXAMPLE_LIMIT, dialect, family) for item in top)
    return f"values ({len(top)}{of}): {listed} [measured]"


def shows_range(column: ColumnCard, codes_limit: int = CODES_LIMIT) -> bool:
    """Whether the least and the greatest value say more than examples would."""
    profile = column.profile
    if column.sensitive or column.housekeeping or profile.minimum is None:
        return False
    if not column.codes:
        return True
    is_text = column.column.family in ("text", "enum", "other")
    return not is_text and not lists_codes(column, codes_limit)


def lists_codes(column: ColumnCard, codes_limit: int = CODES_LIMIT) -> bool:
    """Whether all codes of a column are to be listed: they fit, and are codes or all there is."""
    coded = any(item.meaning for item in column.codes)
    if column.sensitive or not column.codes or (column.housekeeping and not coded):
        return False
    if not coded and not column.codes_seen:
        return False
    room = codes_limit if coded else min(codes_limit, VALUES_LIMIT)
    return len(", ".join(map(code_text, column.codes))) <= room


def _how_complete(column: ColumnCard) -> str:
    if column.codes_complete:
        return "(complete)"
    if column.codes_seen:
        return "(all of the rows that were read)"
    total = column.profile.distinct
    stored = sum(1 for item in column.codes if item.count)
    return f"({stored} of {thousands(total)})" if total is not None else "(perhaps not all)"


def code_list(column: ColumnCard, dialect: str) -> str:
    """Return all codes of a column."""
    family = column.column.family
    return ", ".join(code_text(item, None, dialect, family) for item in column.codes)


def code_text(item: Code, limit: int | None = None, dialect: str = "", family: str = "text") -> str:
    """Return a value, of `limit` characters at most, with its meaning and the rows that hold it."""
    value = literal(item.value, limit, dialect, family)
    meaning = f" = {plain(item.meaning)}" if item.meaning else ""
    if item.count is None:
        return value + meaning
    rows = f" ({thousands(item.count)})" if item.count else " (not in the data)"
    return value + meaning + rows


def _warnings(column: ColumnCard, dialect: str) -> list[str]:
    profile: ColumnProfile = column.profile
    notes: list[str] = []

    def listed(values: Sequence[Scalar]) -> str:
        return ", ".join(literal(v, None, dialect, column.column.family) for v in values)

    if column.sensitive:
        notes.append("sensitive: no value is kept")
    if profile.padded and not column.sensitive:
        notes.append(f"{counted(profile.padded, 'value')} with blanks at an end")
    variants = () if column.sensitive else profile.variants[:EXAMPLES]
    notes += [f"stored in several spellings: {listed(v)}" for v in variants]
    if profile.sentinels and not column.sensitive:
        notes.append(f"{listed(profile.sentinels)} likely means none")
    if profile.soft_delete:
        notes.append("marks deleted rows")
    if column.housekeeping:
        notes.append("housekeeping")
    return [f"{note} [measured]" for note in notes]


def join_line(link: Link, dialect: str = "") -> str:
    """Return a link as an ON condition with what is known of it."""
    facts = [cardinality_of(link).replace("_", " ")]
    if sql_names.namesakes(link.table, link.to_table):
        again = " again" if link.table == link.to_table else ""
        facts.append(f"{code(_AGAIN)} is {plain(link.to_table)}{again}")
    if link.label:
        facts.insert(0, plain(link.label))
    if link.evidence and link.evidence.orphans:
        facts.append(counted(link.evidence.orphans, "orphan"))
    text = f"- {sql_code(on_sql(link, dialect))} · {', '.join(facts)} [{link_origin(link)}]"
    if link.description:
        text += f" · {plain(shorten(one_line(link.description), DESCRIPTION_LIMIT))} [human]"
    return text


def on_sql(link: Link, dialect: str) -> str:
    """Return a link's ON condition; an other end of the same name is called `parent`."""
    here, there = sql_names.table(link.table, dialect), sql_names.table(link.to_table, dialect)
    ends = (here, _AGAIN if sql_names.namesakes(link.table, link.to_table) else there)
    return on_clause(link, lambda name: sql_names.quote(name, dialect), ends)


def link_origin(link: Link) -> str:
    """Return where a link comes from, e.g. `declared` or `inferred 98 %`."""
    if link.origin == "inferred" and link.evidence and link.evidence.matched_share is not None:
        return f"inferred {share(link.evidence.matched_share)}"
    return link.origin


def share(value: float) -> str:
    """Return a share of 0–1 in per cent; only a true 0 or 1 reads 0 % or 100 %."""
    if 0 < value < 0.01:  # under one per cent
        return "< 1 %"
    if 0.99 < value < 1:  # over 99 per cent
        return "> 99 %"
    return f"{value * 100:.0f} %"


def plain(text: str) -> str:
    """Return untrusted text as one line in which Markdown and marks of origin are literal."""
    return _MARKDOWN.sub(r"\\\1", one_line(text))


def code(text: str) -> str:
    """Return untrusted text as a Markdown code span of one line, blanks and backticks kept.

    What can't be seen (line breaks, zero-width characters, …) stands as an escape.
    """
    shown = visible(text)
    ticks = "`"
    while ticks in shown:
        ticks += "`"
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def visible(text: str) -> str:
    """Return untrusted text as one line of characters that can be seen, others as escapes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def sql_code(sql: str) -> str:
    """Return SQL as a code span, with a word of warning when it can't be copied."""
    return code(sql) if sql.isprintable() else code(sql) + _UNSEEN


def name_text(sql: str) -> str:
    """Return a name in SQL as text; as a code span when it holds more than letters and digits."""
    return sql if _SIMPLE.match(sql) else sql_code(sql)


def literal(
    value: Scalar, limit: int | None = None, dialect: str = "", family: str = "text"
) -> str:
    """Return a stored value as SQL in a code span, cut with `…` after `limit`.

    One that has no SQL that can be seen stands as JSON, and says so.
    """
    if isinstance(value, str) and limit is not None and len(value) > limit:
        return code("'" + shorten(one_line(value), limit).replace("'", "''") + "'")
    sql = sql_value(value, dialect, family)
    if sql is not None:
        return code(sql)
    if str(value).isprintable():
        return plain(str(value))
    return f"{code(json.dumps(value, ensure_ascii=False))}{_UNSEEN}"


def _names(columns: Sequence[str], dialect: str) -> str:
    return ", ".join(sql_code(sql_names.quote(column, dialect)) for column in columns)
