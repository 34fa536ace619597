"""From a question to a context pack: the tables, columns, codes and joins that its SQL needs.

No model is asked but the small one that embeds the question. The steps: link values and topics,
rank the tables, choose a few and join them, write what is known of them into a budget.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pipeline.cards import ColumnCard, TableCard
from pipeline.errors import SettingError
from serve.context import lines, ranking, selection, topics
from serve.context.fitting import Fitting
from serve.context.pack import ContextPack
from serve.knowledge import Facts, KnowledgeBase, SearchIndex
from serve.values import ValueMatch, link_values, quoted_words

__all__ = ["DEFAULT_BUDGET", "SMALLEST_BUDGET", "ContextPack", "context"]

DEFAULT_BUDGET = 12_000
"""Characters; a token counts as four."""
SMALLEST_BUDGET = 1_000
LONGEST_QUESTION = 10_000

_CHARACTERS = 4
"""Of a token."""
_VALUES = 12
_CONCEPTS = 12
_JOINS = 14
_COLUMNS = {"asked": 14, "person": 6, "bridge": 4, "near": 5}
"""Columns that a card shows in full, at most, by the role of its table."""
_FIRST = 5
"""Columns of each card that come before anyone's further ones."""
_CODES = 700
"""Characters of a code list that a card of the pack carries."""


def context(
    kb: KnowledgeBase,
    question: str,
    *,
    budget: int = DEFAULT_BUDGET,
    tokens: int | None = None,
    tables: Sequence[str] | None = None,
) -> ContextPack:
    """Return what is known that the SQL for `question` needs.

    Args:
        kb: The knowledge base.
        question: In the user's words.
        budget: Characters that Markdown and JSON may each take.
        tokens: The same in tokens; wins over `budget`.
        tables: Show these instead of choosing.

    Raises:
        SettingError: there is no question, it is too long, or the budget too small.
        NotFoundError: one of `tables` isn't there.
    """
    limit = budget if tokens is None else tokens * _CHARACTERS
    _check(question, limit)
    facts, index = kb.facts, kb.index
    schema = schema_of(facts, index)
    seen = ranking.vocabulary(index, ranking.query_words(question), len(schema.tables))
    matches = [m for m in link_values(index, question, seen.called) if m.table in facts.cards]
    asked = ranking.query_words(question, quoted_words(question, matches))
    seen = ranking.vocabulary(index, asked, len(schema.tables))
    items = topics.named(facts, index, question)
    similar = topics.similar(facts, index, question)
    leads = [ranking.Topic(m.phrase, m.table, m.weight) for m in matches]
    leads += topics.topics(items, similar)
    ranked = ranking.rank(index, question, asked, seen, leads, schema)
    if tables is None:
        chosen = selection.select(question, ranked, facts.cards, facts.joins, schema)
    else:
        chosen = selection.given([kb.table(name).name for name in tables], facts.joins)
    pack = ContextPack(
        question if len(question) <= limit // 8 else question[: limit // 8] + "…",
        facts.semantic.name or facts.catalog.database or kb.name,
        facts.catalog.dialect,
        kb.revision,
        tuple(chosen.tables),
        kb.measured,
    )
    fitting = Fitting(pack, limit)
    voice = lines.Voice(facts, facts.catalog.dialect)
    if not chosen.tables:
        return _nothing_found(fitting, voice)
    fitting.take("rules", lines.rules(voice, chosen))
    fitting.take("joins", lines.joins(voice, chosen, facts.joins), at_most=_JOINS)
    fitting.take("values", _worth_showing(voice, matches, chosen), at_most=_VALUES)
    fitting.take("definitions", lines.definitions(voice, items))
    columns = _columns(facts, ranked, chosen, matches)
    for table, role in chosen.tables.items():
        fitting.card(table, role, lines.head(voice, facts.cards[table], role))
        for item in columns[table][:_FIRST]:
            fitting.column(table, lines.column(facts.cards[table], item, _CODES))
    for table in chosen.tables:
        first = {item.name for item in columns[table][:_FIRST]}
        fitting.names(table, [c.name for c in _telling(facts.cards[table]) if c.name not in first])
    relations = topics.relations_of(facts, items, tuple(chosen.tables))
    fitting.take("concepts", lines.concepts(voice, items, relations), at_most=_CONCEPTS)
    fitting.take("examples", lines.examples(voice, similar))
    for table in chosen.tables:
        for item in columns[table][_FIRST:]:
            fitting.column(table, lines.column(facts.cards[table], item, _CODES))
    return fitting.finished()


def schema_of(facts: Facts, index: SearchIndex) -> ranking.Schema:
    """Return what ranking needs to know of the tables that are shown."""
    neighbours = {
        table: tuple(dict.fromkeys(s.target for s in facts.joins.neighbours(table) if s.target != table))
        for table in facts.cards
    }
    views = frozenset(t for t, card in facts.cards.items() if "view" in card.table.kind)
    return ranking.Schema(tuple(facts.cards), views, neighbours, _standings(facts, index))


def _standings(facts: Facts, index: SearchIndex) -> dict[str, float]:
    """Return how central each table is: half by its rows, half by what people's items use."""
    places = index.chunks
    uses = dict.fromkeys(facts.cards, 0)
    for kind, tables in zip(places.kinds, places.tables, strict=True):
        for table in tables if kind not in {"table", "column", "entity"} else ():
            if table in uses:
                uses[table] += 1
    rows = {t: card.profile.rows or 0 for t, card in facts.cards.items()}
    most_used = math.log1p(max(uses.values(), default=0)) or 1.0
    most_rows = math.log1p(max(rows.values(), default=0)) or 1.0
    return {
        t: (math.log1p(uses[t]) / most_used + math.log1p(rows[t]) / most_rows) / 2 for t in uses
    }


def _check(question: str, budget: int) -> None:
    if not question.strip():
        raise SettingError("there is no question", fix="ask something, in your own words")
    if len(question) > LONGEST_QUESTION:
        raise SettingError(
            f"the question has {len(question):,} characters, {LONGEST_QUESTION:,} are the limit",
            fix="ask for one thing, without pasted data",
        )
    if budget < SMALLEST_BUDGET:
        raise SettingError(
            f"a budget of {budget:,} characters is too small",
            fix=f"use {SMALLEST_BUDGET:,} or more ({SMALLEST_BUDGET // _CHARACTERS} tokens)",
        )


def _worth_showing(
    voice: lines.Voice, matches: Sequence[ValueMatch], chosen: selection.Selection
) -> list[lines.ValueLine]:
    """Return value lines: of shown tables, and sure ones of others, for they may be meant."""
    kept = [m for m in matches if m.weight >= (0.3 if m.table in chosen.tables else 0.8)]
    return lines.values(voice, kept, chosen.tables)


def _columns(
    facts: Facts,
    ranked: ranking.Ranking,
    chosen: selection.Selection,
    matches: Sequence[ValueMatch],
) -> dict[str, list[ColumnCard]]:
    """Return the columns of each table to show in full, most relevant first."""
    joined = {
        (t, c)
        for step in chosen.tree.steps
        for t, names in ((step.link.table, step.link.columns), (step.link.to_table, step.link.to_columns))
        for c in names
    }
    meant = {(m.table, m.column): m.weight for m in reversed(matches)}
    found = {}
    for table, role in chosen.tables.items():
        card = facts.cards[table]
        said = ranked.evidence[table].columns
        scored = []
        for place, item in enumerate(card.columns):
            score = said.get(item.name, 0.0) + meant.get((table, item.name), 0.0)
            score += 0.25 * ((table, item.name) in joined) + _always(card, item)
            if not (item.housekeeping and not said.get(item.name)):
                scored.append((-score, place, item))
        scored.sort(key=lambda entry: entry[:2])
        worth = [item for score, _, item in scored if -score > 0] or [i for _, _, i in scored]
        found[table] = worth[: _COLUMNS[role]]
    return found


def _telling(card: TableCard) -> list[ColumnCard]:
    """Return the columns that aren't bookkeeping."""
    return [item for item in card.columns if not item.housekeeping]


def _always(card: TableCard, item: ColumnCard) -> float:
    """Return what makes a column worth showing whatever the question."""
    key = card.table.primary_key
    score = 0.1 if key and item.name in key.columns else 0.0
    if any(code.meaning for code in item.codes):
        score += 0.15
    if item.description:
        score += 0.02
    if item.name.casefold() in {"name", "title", "description"} or item.name.casefold().endswith("name"):
        score += 0.12
    if item.column.family in {"date", "timestamp", "decimal"}:
        score += 0.06
    return score


def _nothing_found(fitting: Fitting, voice: lines.Voice) -> ContextPack:
    """Say that no table speaks to the question, and what there is."""
    facts = voice.facts
    said = ["No table was found for this question; ask in other words. There are: [dblore]"]
    said += [f"domain {lines.cards.plain(d.name)} [human]" for d in facts.semantic.domains]
    said += [
        lines.cards.listed_line(card, description_limit=80).removeprefix("- ")
        for card in facts.cards.values()
    ]
    fitting.take("rules", said)
    return fitting.finished()
