"""From a question to a context pack: the tables, columns, codes and joins that its SQL needs.

No model is asked but the small one that embeds the question. The steps: link values and topics,
rank the tables, choose a few and join them, write what is known of them into a budget.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.cards import ColumnCard
from pipeline.errors import SettingError
from pipeline.text import shorten
from serve import cards
from serve.context import lines, meaning, ranking, selection, topics, trade
from serve.context.columns import columns_to_show, telling
from serve.context.fitting import Fitting
from serve.context.joining import apart, joined_columns, links_of
from serve.context.pack import ContextPack, ValueLine
from serve.context.schema import schema_of, trade_in
from serve.context.shortened import with_short_forms
from serve.knowledge import Facts, KnowledgeBase, SearchIndex
from serve.search import dense
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
_APART = 3
_FIRST = 4
"""Columns of each card that come before anyone's further ones."""
_CODES = 700
"""Characters of a code list that a card of the pack carries."""
_BRIEF_CODES = 200
"""The same of a column that is shown by its type and codes alone."""
_SHARE_OF_NAMES = 5
"""A fifth of the budget may list all tables when no word leads to any."""
_WORTH_SHOWING = 0.3
_SURE = 0.8
"""Weight from which a value match is shown: of a table that is shown, and of any other."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a question speaks of."""

    matches: tuple[ValueMatch, ...]
    items: tuple[topics.Named, ...]
    similar: tuple[topics.Similar, ...]
    ranking: ranking.Ranking


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
    index = kb.index  # first: it may have to be built
    facts = kb.facts
    reading = _read(facts, index, question)
    if tables is None:
        schema = schema_of(facts, index)
        chosen = selection.select(question, reading.ranking, facts.cards, facts.joins, schema)
    else:
        chosen = selection.given([kb.table(name).name for name in tables], facts.joins)
    empty = ContextPack(
        question=shorten(question, limit // 8),
        database=facts.semantic.name or facts.catalog.database or kb.name,
        dialect=facts.catalog.dialect,
        kb_revision=kb.revision,
        tables=tuple(chosen.tables),
        measured=kb.measured,
    )
    fitting = Fitting(empty, limit)
    voice = lines.Voice(facts, facts.catalog.dialect)
    if chosen.guessed or not chosen.tables:
        _say_what_there_is(fitting, facts)
    _fill(fitting, voice, reading, chosen)
    return fitting.finished()


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


def _read(facts: Facts, index: SearchIndex, question: str) -> _Reading:
    """Find out what a question speaks of; names of several words count as one thing."""
    schema = schema_of(facts, index)
    words = ranking.vocabulary(index, ranking.query_words(question), len(schema.tables))
    linked = link_values(index, question, words.called)
    matches = tuple(match for match in linked if match.table in facts.cards)
    items = topics.named(facts, index, question)
    names = quoted_words(question, matches) | topics.spoken_words(items, question)
    asked = ranking.query_words(question, names)
    words = ranking.vocabulary(index, asked, len(schema.tables))
    asked = with_short_forms(asked, words.called, schema.short_names)
    words = ranking.vocabulary(index, asked, len(schema.tables))
    trading = trade_in(facts, index)
    meant = trade.sides_meant(question, trading)
    words = trade.weighed(words, asked, meant, trading)
    likeness = dense(index, question)
    similar = topics.similar(facts, index, question, likeness)
    leads = [ranking.Topic(m.phrase, m.table, m.weight) for m in matches]
    leads += topics.topics(items, similar)
    leads = [lead for lead in leads if not trade.of_other_side(lead, meant, trading)]
    leads += trade.leads(question, meant, trading)
    leads += meaning.leads(index, asked, words, leads)
    ranked = ranking.rank(index, likeness, asked, words, leads, schema)
    return _Reading(matches, items, similar, ranked)


def _fill(
    fitting: Fitting, voice: lines.Voice, reading: _Reading, chosen: selection.Selection
) -> None:
    """Offer all that is known to the budget, what SQL can't do without first."""
    facts = voice.facts
    fitting.take("rules", lines.rules(voice, chosen))
    links = links_of(chosen, facts.joins)
    fitting.take("joins", lines.joins(voice, links), at_most=_JOINS)
    if not chosen.guessed:
        fitting.take("apart", apart(chosen, links, facts.joins), at_most=_APART)
    fitting.take("values", _value_lines(voice, reading.matches, chosen), at_most=_VALUES)
    fitting.take("definitions", lines.definitions(voice, reading.items))
    columns = columns_to_show(facts, reading.ranking, chosen, reading.matches, links[:_JOINS])
    for table, role in chosen.tables.items():
        fitting.card(table, role, lines.head(voice, facts.cards[table], role))
    joined = joined_columns(links[:_JOINS])
    for table in chosen.tables:
        for item in facts.cards[table].columns:
            if (table, item.name) in joined:
                fitting.joint(table, lines.brief(voice, item, 0))
    for table in chosen.tables:
        fitting.names(table, [item.name for item in telling(facts.cards[table])])
    _show_columns(fitting, voice, columns, slice(_FIRST))
    for table in chosen.tables:
        fitting.more(table, lines.notes(facts.cards[table]))
    relations = topics.relations_of(facts, reading.items, tuple(chosen.tables))
    fitting.take("concepts", lines.concepts(voice, reading.items, relations), at_most=_CONCEPTS)
    fitting.take("examples", lines.examples(voice, reading.similar))
    _show_columns(fitting, voice, columns, slice(_FIRST, None))
    for table in chosen.tables:
        for item in telling(facts.cards[table]):
            fitting.brief(table, lines.brief(voice, item, _BRIEF_CODES))


def _show_columns(
    fitting: Fitting, voice: lines.Voice, columns: Mapping[str, Sequence[ColumnCard]], part: slice
) -> None:
    for table, items in columns.items():
        for item in items[part]:
            fitting.column(table, lines.column(voice, voice.facts.cards[table], item, _CODES))


def _value_lines(
    voice: lines.Voice, matches: Sequence[ValueMatch], chosen: selection.Selection
) -> list[ValueLine]:
    """Return value lines: of shown tables, and sure ones of others, for they may be meant."""
    kept = [
        match
        for match in matches
        if match.weight >= (_WORTH_SHOWING if match.table in chosen.tables else _SURE)
    ]
    return lines.values(voice, kept, chosen.tables)


def _say_what_there_is(fitting: Fitting, facts: Facts) -> None:
    """Say that the tables are a guess, and list the domains; the tables where none are shown."""
    said = ["No word of the question leads to a table: ask in other words, or look at all [dblore]"]
    said += [f"domain {cards.plain(domain.name)} [human]" for domain in facts.semantic.domains]
    fitting.take("rules", said)
    listed: list[str] = []
    room = fitting.budget // _SHARE_OF_NAMES
    for name in map(cards.code, facts.cards):
        room -= len(name) + 2
        if room < 0:
            break
        listed.append(name)
    more = len(facts.cards) - len(listed)
    rest = f" and {more} more" if more else ""
    fitting.take("rules", [f"There are: {', '.join(listed)}{rest} [declared]"])
