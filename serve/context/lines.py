"""The lines of a context pack: what is known, written so that nothing in it can break out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline import sql_names
from pipeline.cards import ColumnCard, TableCard
from pipeline.text import counted, one_line, shorten, thousands
from schemas.models import GraphEntity, GraphRelation, Link
from serve import cards
from serve.context.pack import ColumnLine, ExampleLine, JoinLine, ValueLine
from serve.context.selection import Selection
from serve.context.topics import Named, Similar, metric_of, term_of
from serve.knowledge import Facts
from serve.literals import sql_line, sql_value
from serve.values import ValueMatch

_DESCRIPTION = 300
_IN_LIST = 6
_ROLES = {
    "bridge": "needed to join",
    "person": "holds the names",
    "time": "holds the dates",
    "place": "holds the places",
    "near": "near",
}
_DIALECT_RULES = {
    "sqlite": "SQLite: dates are mostly text, see the ranges; 7 / 2 is 3.",
    "duckdb": "DuckDB: dates and times are typed; 7 / 2 is 3.5.",
    "postgres": "PostgreSQL: names are lower case unless quoted; 7 / 2 is 3.",
    "mysql": "MySQL: text compares without regard to case unless the collation says otherwise.",
    "tsql": "SQL Server: use TOP, not LIMIT; 7 / 2 is 3.",
}


@dataclass(frozen=True, slots=True)
class Voice:
    """What all lines of a pack need to know."""

    facts: Facts
    dialect: str

    def name(self, identifier: str) -> str:
        """Return a column's name as SQL."""
        return sql_names.quote(identifier, self.dialect)

    def column_span(self, identifier: str) -> str:
        """Return a column's name as SQL in a code span."""
        return cards.sql_code(self.name(identifier))

    def column(self, table: str, column: str) -> str:
        """Return `table.column` as SQL."""
        return f"{sql_names.table(table, self.dialect)}.{self.name(column)}"

    def dated(self, stage: str) -> str:
        """Return the day a stage last looked at the data, with a blank before it, or ''."""
        when = self.facts.lock.measured.get(stage, "")
        return f" {when[:10]}" if when else ""

    def checked(self, kind: str, name: str) -> str:
        """Return what validation found of an item, for its origin tag."""
        for item in self.facts.validation.items:
            if item.kind == kind and item.name == name and item.status == "ok":
                return f", verified{self.dated('validate')}"
            if item.kind == kind and item.name == name and item.status == "failed":
                return ", stale: it failed when last run"
        return ""


def rules(voice: Voice, selection: Selection) -> list[str]:
    """Return what holds for all SQL over this database and this selection."""
    said = [f"One SELECT or WITH … SELECT in the {voice.dialect} dialect [dblore]"]
    if voice.dialect in _DIALECT_RULES:
        said.append(f"{_DIALECT_RULES[voice.dialect]} [dblore]")
    said.append(
        "Names and literals stand below as SQL needs them: quotes, case and blanks count [dblore]"
    )
    for note in voice.facts.semantic.dialect_notes:
        is_draft = voice.facts.accepted.origin("", "dialect_notes", note)
        said.append(f"{cards.plain(note)} [{'accepted draft' if is_draft else 'human'}]")
    if selection.tree.fans_out:
        said.append(
            "The joins below repeat rows of one table for several of another: "
            "aggregate before joining, or sums come out too high [measured]"
        )
    for table in selection.tables:
        for column in voice.facts.cards[table].columns:
            if column.profile.soft_delete:
                marks = cards.code(voice.column(table, column.name))
                said.append(f"{marks} marks deleted rows [measured]")
    return said


def values(
    voice: Voice, matches: Iterable[ValueMatch], shown: Mapping[str, object]
) -> list[ValueLine]:
    """Return the stored values that the question speaks of; those of shown tables first."""
    groups: dict[tuple[str, str, str, str], list[ValueMatch]] = {}
    for match in matches:
        key = (match.phrase, match.table, match.column, match.how)
        groups.setdefault(key, []).append(match)
    lines = [line for group in groups.values() if (line := _value(voice, group))]
    return sorted(lines, key=lambda line: line.table not in shown)


def _value(voice: Voice, group: Sequence[ValueMatch]) -> ValueLine | None:
    """Return a line for the matches of a phrase in a column; None when no SQL can name them."""
    first = group[0]
    place = voice.column(first.table, first.column)
    card = voice.facts.cards[first.table].column(first.column)
    family = card.column.family if card else "text"
    written = (sql_value(match.value, voice.dialect, family) for match in group)
    literals = [sql for sql in dict.fromkeys(written) if sql is not None]
    if not literals:
        return None
    if len(literals) == 1:
        condition = f"{place} = {literals[0]}"
    else:
        condition = f"{place} IN ({', '.join(literals[:_IN_LIST])})"
    meanings = dict.fromkeys(match.meaning for match in group if match.meaning)
    said = f"“{cards.plain(first.phrase)}”"
    if meanings:
        said += f": {'; '.join(cards.plain(shorten(m, _DESCRIPTION)) for m in meanings)}"
    elif first.how == "part":
        said += " is part of it"
    elif first.how == "words":
        said += ": the same words"
    if len(literals) > _IN_LIST:
        said += f", {len(literals) - _IN_LIST} more"
    count = sum(match.count or 0 for match in group)
    held = f", {counted(count, 'row')}" if count else ""
    origin = "curated" if first.origin == "curated" else "measured"
    return ValueLine(first.table, first.column, condition, f"{said}{held} [{origin}]")


def definitions(voice: Voice, items: Iterable[Named]) -> list[str]:
    """Return the metrics and terms that the question names."""
    lines = []
    for item in items:
        if item.kind == "metric":
            metric = metric_of(voice.facts, item.name)
            text, sql = metric.definition, metric.sql
        elif item.kind == "term":
            term = term_of(voice.facts, item.name)
            text, sql = term.definition, term.sql or ""
        else:
            continue
        parts = [f"{item.kind} **{cards.plain(item.name)}**"]
        parts += [cards.plain(text)] if text else []
        parts += [cards.sql_code(sql_line(sql))] if sql else []
        origin = f"[human{voice.checked(item.kind, item.name)}]"
        lines.append(f"{' · '.join(parts)} {origin}")
    return lines


def concepts(
    voice: Voice, items: Iterable[Named], relations: Sequence[tuple[GraphEntity, GraphRelation]]
) -> list[str]:
    """Return the entities that the question names, then their relations with ready joins."""
    graph = voice.facts.graph
    lines = [
        _entity(voice, graph.by_entity[item.name])
        for item in items
        if item.kind == "entity" and item.name in graph.by_entity
    ]
    lines += [_relation(voice, entity, relation) for entity, relation in relations]
    return lines


def _entity(voice: Voice, item: GraphEntity) -> str:
    entity = item.entity
    where = sql_names.table(item.table, voice.dialect)
    condition = f" WHERE {item.filter}" if item.filter else ""
    parts = [f"**{cards.plain(entity.name)}** is {cards.sql_code(sql_line(where + condition))}"]
    if entity.is_a:
        parts[0] += f", a kind of {cards.plain(entity.is_a)}"
    if item.rows is not None:
        parts.append(counted(item.rows, "row"))
    if entity.description:
        parts.append(cards.plain(shorten(one_line(entity.description), _DESCRIPTION)))
    return f"{' · '.join(parts)} [{_graph_origin(voice, item.status)}]"


def _relation(voice: Voice, entity: GraphEntity, item: GraphRelation) -> str:
    title = f"{item.subject} {item.predicate} {item.object}"
    parts = [f"**{cards.plain(title)}**"]
    name = entity.entity.name
    if name not in {item.subject, item.object}:
        parts.append(f"holds for {cards.plain(name)} too")
    if item.cardinality:
        parts[0] += f" ({item.cardinality.replace('_', ' ')})"
    conditions = [cards.on_sql(link, voice.dialect) for link in item.links]
    if item.relation.condition:
        conditions.append(item.relation.condition)
    if entity.filter and entity.entity.is_a:
        conditions.append(entity.filter)
    if conditions:
        parts.append(cards.sql_code(" AND ".join(map(sql_line, conditions))))
    if item.unmatched:
        parts.append(f"{thousands(item.unmatched)} without a match")
    return f"{' · '.join(parts)} [{_graph_origin(voice, item.status)}]"


def _graph_origin(voice: Voice, status: str) -> str:
    return f"verified{voice.dated('graph')}" if status == "verified" else f"curated, {status}"


def examples(voice: Voice, found: Iterable[Similar]) -> list[ExampleLine]:
    """Return similar questions with their SQL; those that no longer run are left out."""
    lines = []
    for similar in found:
        example = similar.example
        checked = voice.checked("example", example.question)
        if "stale" in checked:
            continue
        question = cards.plain(example.question)
        lines.append(ExampleLine(question, example.sql.strip(), f"human{checked}"))
    return lines


def head(voice: Voice, card: TableCard, role: str) -> list[str]:
    """Return what a compact card says of the table as a whole."""
    profile = card.profile
    facts = [card.table.kind.replace("_", " ")] if card.table.kind != "table" else []
    if profile.rows is not None:
        about = "about " if profile.rows_estimated else ""
        facts.append(about + counted(profile.rows, "row"))
    facts += [_ROLES[role]] if role in _ROLES else []
    origin = "measured" if profile.rows is not None else "declared"
    name = sql_names.table(card.name, voice.dialect)
    said = [f"## {cards.sql_code(name)}{' · ' if facts else ''}{', '.join(facts)} [{origin}]"]
    if card.description:
        text = cards.plain(shorten(one_line(card.description), _DESCRIPTION))
        said.append(f"{text} [{card.description_origin}]")
    if card.grain:
        said.append(f"Grain: {cards.plain(card.grain)} [{card.grain_origin}]")
    if card.table.primary_key:
        key = ", ".join(map(voice.column_span, card.table.primary_key.columns))
        said.append(f"Key: {key} [declared]")
    return said


def notes(card: TableCard) -> list[str]:
    """Return what people noted of a table."""
    return [f"{cards.plain(note)} [human]" for note in card.notes]


def column(voice: Voice, card: TableCard, item: ColumnCard, codes_limit: int) -> ColumnLine:
    """Return a column as one line."""
    about = cards.column_about(item, card, codes_limit, voice.dialect)
    return ColumnLine(item.name, about, _when_quoted(voice, item))


def _when_quoted(voice: Voice, item: ColumnCard) -> str:
    quoted = voice.name(item.name)
    return "" if quoted == item.name else quoted


def brief(voice: Voice, item: ColumnCard, codes_limit: int) -> ColumnLine:
    """Return a column as its type and its codes, where these are few."""
    parts = [f"{cards.plain(item.column.native_type) or 'untyped'} [declared]"]
    if item.codes and cards.lists_codes(item, codes_limit):
        parts.append(f"{cards.code_list(item, voice.dialect)} [measured]")
    return ColumnLine(item.name, " · ".join(parts), _when_quoted(voice, item))


def joins(voice: Voice, links: Iterable[Link]) -> list[JoinLine]:
    """Return the links as ON conditions."""
    return [_join(voice, link) for link in links]


def _join(voice: Voice, link: Link) -> JoinLine:
    origin = cards.link_origin(link)
    if link.origin == "verified":
        origin += voice.dated("graph")
    on = cards.on_sql(link, voice.dialect)
    about = cards.join_line(link, voice.dialect).removeprefix(f"- {cards.sql_code(on)} · ")
    return JoinLine(link.table, link.to_table, on, about.replace("[verified]", f"[{origin}]"))
