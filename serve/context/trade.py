"""Who trades with whom: whether a question speaks of what is sold or of what is bought.

`orders`, `turnover`, `bought` mean customers' orders unless the question says otherwise: by the
word before (`work orders`), or by naming suppliers and no customers. Which side a document is of
is read from the database: what refers to customers is sales, what refers to suppliers is
purchasing, a line is of the side of its document.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.cards import TableCard
from pipeline.lexicon import spelled_out, split_words, stem, stems
from pipeline.text import words
from serve.context.ranking import QueryWord, Topic, Vocabulary

Side = Literal["sales", "purchases", "other"]

_CUSTOMERS = frozenset(
    stems("customer client consumer buyer shopper reseller dealer guest subscriber")
)
_SUPPLIERS = frozenset(stems("supplier vendor"))
_GOODS = frozenset(stems("product article item good merchandise sku"))
_SALES = frozenset(stems("sale sell seller turnover revenue income proceeds margin profit"))
_PURCHASES = frozenset(stems("purchase procure procurement"))
_EITHER = frozenset(stems("order buy bought spend spent bill invoice"))
"""Words of trade that don't say which way the goods go."""
_DOCUMENTS = frozenset(stems("order sale invoice purchase bill booking receipt"))
"""What documents of trade are called."""
_PARTS = frozenset(stems("header head detail line item position entry row record"))
"""What their parts are called."""
_WE_BUY = re.compile(
    r"\bwe( have| had|'ve)?( ever| never)? (bought|buy|purchased?|order(ed)?|spent|spend)\b",
    re.IGNORECASE,
)
_TO_US = re.compile(
    r"\b(deliver|suppl[iy]|sell|sold|ship|send|sent|charge|provide)\w*\b"
    r"(?![^.?!;]{0,150}\bback\b)[^.?!;]{0,150}?\bus\b"
    r"|\bwe (obtain|source)\b",
    re.IGNORECASE,
)
"""Goods come to us: whoever does it is a supplier."""
_WE_PAY = re.compile(r"\bwe( have| had|'ve)? (pay|paid|owed?)\b", re.IGNORECASE)
_STAFF = frozenset(stems("staff employee worker wage salary department"))
"""Who else is paid."""
_THEY_BUY = re.compile(
    r"\b(people|persons?|they|their|who|customers?|clients?|shoppers?)\b", re.IGNORECASE
)
_NO_TRADE = re.compile(r"\b(on|for) sale\b", re.IGNORECASE)

_MONEY = frozenset(words("price total subtotal amount amt value net gross revenue"))
"""Words in names of columns that say what was paid for goods."""
_WORTH = frozenset(stems("sale sell turnover revenue income proceeds spend worth"))
"""Words that ask for an amount of money."""

_HEAD = 0.7
"""Weight of the table that holds a side's documents, as a topic."""
_PARTNER = 0.8
_OTHER_SIDE = 0.4
"""Share of its weight that a word of trade keeps for documents of the other side."""


@dataclass(frozen=True, slots=True)
class Document:
    """A table of trade documents or of their lines."""

    called: frozenset[str]
    """Stems of its name."""
    side: Side


@dataclass(frozen=True, slots=True)
class Trade:
    """The documents of trade in a database."""

    documents: Mapping[str, Document]
    heads: Mapping[Side, str]
    """Side to the table whose rows are its documents."""
    priced: Mapping[Side, str]
    """Side to the lines that have the money which its documents lack."""
    suppliers: str = ""
    """The table of those that we buy from."""
    goods: str = ""
    """The table of what is traded."""


def trade_of(cards: Mapping[str, TableCard], prefixes: Mapping[str, frozenset[str]]) -> Trade:
    """Return the documents of trade among tables, told by their names and references.

    Args:
        cards: The tables.
        prefixes: Table to the stems of its name that say only where it belongs.
    """
    names = {
        name: _named(name, prefixes.get(name, frozenset()))
        for name, card in cards.items()
        if "view" not in card.table.kind
    }
    referred = {
        name: [link.to_table for link in cards[name].links if link.table == name] for name in names
    }
    documents = {
        name: Document(
            called, _side(called, [names.get(r, ("", called))[0] for r in referred[name]])
        )
        for name, (noun, called) in names.items()
        if noun in _DOCUMENTS
    }
    parts = {
        name: [r for r in referred[name] if r in documents and r != name] for name in documents
    }
    for name, above in parts.items():
        if above:  # a line
            documents[name] = Document(documents[name].called, documents[above[0]].side)
    heads: dict[Side, str] = {}
    for side in ("sales", "purchases"):
        found = [n for n, d in documents.items() if d.side == side and not parts[n]]
        if found:
            heads[side] = min(found, key=lambda n: (-_weight(cards[n]), n))
    suppliers = [n for n, (noun, _) in names.items() if noun in _SUPPLIERS]
    lines = [name for name, above in parts.items() if above]
    traded = [n for n, (noun, _) in names.items() if noun in _GOODS and n not in documents]
    traded = traded or [r for n in lines for r in referred[n] if r not in documents]
    goods = min(traded, key=lambda n: (-_weight(cards[n]), n), default="")
    supplier = min(suppliers, key=lambda n: (len(n), n), default="")
    priced = {side: _priced_lines(head, lines, cards) for side, head in heads.items()}
    return Trade(documents, heads, {s: t for s, t in priced.items() if t}, supplier, goods)


def _priced_lines(head: str, lines: Sequence[str], cards: Mapping[str, TableCard]) -> str:
    """Return the lines of a table of documents when only they say what was paid."""
    if _has_money(cards[head]):
        return ""
    own = [n for n in lines if any(k.table == n and k.to_table == head for k in cards[n].links)]
    return next((name for name in own if _has_money(cards[name])), "")


def _has_money(card: TableCard) -> bool:
    return any(_MONEY & set(split_words(column.name)) for column in card.columns)


def _named(table: str, prefix: frozenset[str]) -> tuple[str, frozenset[str]]:
    """Return the stem of the noun that says what a row is, and those of all words of the name."""
    parts = [long for word in split_words(table) for long in (spelled_out(word) or [word])]
    found = [key for word in parts if (key := stem(word)) not in prefix]
    nouns = [word for word in found if word not in _PARTS]
    return (nouns[-1] if nouns else ""), frozenset(found)


def _side(called: frozenset[str], referred: Sequence[str]) -> Side:
    if called & (_PURCHASES | _SUPPLIERS):
        return "purchases"
    if called & (_SALES | _CUSTOMERS):
        return "sales"
    if set(referred) & _CUSTOMERS:
        return "sales"
    if set(referred) & _SUPPLIERS:
        return "purchases"
    return "other" if called - _DOCUMENTS - _PARTS else "sales"


def _weight(card: TableCard) -> float:
    """Return how central a document is: by its rows and by what it refers to or is referred by."""
    return math.log10(1 + (card.profile.rows or 0)) + len(card.links)


def sides_meant(question: str, trade: Trade) -> dict[str, Side]:
    """Return the stems of a question that are words of trade, and which side each means."""
    if not trade.heads:
        return {}
    said = [stem(word) for word in words(_NO_TRADE.sub(" ", question))]
    everyone = set(said)
    to_us = comes_to_us(question, trade)
    buying = (
        to_us
        or bool(_WE_BUY.search(question))
        or bool(everyone & (_SUPPLIERS | _PURCHASES) and not everyone & (_CUSTOMERS | _SALES))
    )
    theirs = bool(_THEY_BUY.search(question)) and not _WE_BUY.search(question)
    found: dict[str, Side] = {}
    if buying and _we_pay(question):
        found["pay"] = found["paid"] = "purchases"
    for before, word in zip(["", *said], said, strict=False):
        if word not in _SALES | _PURCHASES | _EITHER:
            continue
        named = {d.side for d in trade.documents.values() if {before, word} <= d.called}
        if len(named) == 1 and before:
            found[word] = named.pop()
            found[before] = found[word]
        elif word in _EITHER:
            found.setdefault(word, "purchases" if buying else "sales")
        elif to_us and word in _SALES:
            found.setdefault(word, "purchases")
        elif word in _SALES or (theirs and not everyone & _SUPPLIERS):
            found.setdefault(word, "sales")
        else:
            found.setdefault(word, "purchases")
    return found


def comes_to_us(question: str, trade: Trade) -> bool:
    """Whether a question speaks of what suppliers do for us."""
    named = set(stems(question)) & _CUSTOMERS
    return bool(trade.suppliers and not named and (_TO_US.search(question) or _we_pay(question)))


def _we_pay(question: str) -> bool:
    return bool(_WE_PAY.search(question)) and not set(stems(question)) & _STAFF


def leads(question: str, meant: Mapping[str, Side], trade: Trade) -> Iterator[Topic]:
    """Yield the tables that hold the documents of the sides meant, and whoever supplies us."""
    if comes_to_us(question, trade):
        yield Topic("supplier", trade.suppliers, _PARTNER)
    for side in dict.fromkeys(meant.values()):
        if side in trade.heads:
            yield Topic(side, trade.heads[side], _HEAD, counted=False)
            if side in trade.priced and _WORTH & set(stems(question)):
                yield Topic(f"{side} lines", trade.priced[side], _HEAD, counted=False)


def of_other_side(topic: Topic, meant: Mapping[str, Side], trade: Trade) -> bool:
    """Whether a topic is a word of trade that means documents of another side than its table's."""
    document = trade.documents.get(topic.table)
    side = meant.get(stem(topic.phrase))
    return document is not None and side is not None and side != document.side


def weighed(
    seen: Vocabulary, asked: Sequence[QueryWord], meant: Mapping[str, Side], trade: Trade
) -> Vocabulary:
    """Return the vocabulary in which words of trade tell little of documents of another side."""
    sides = set(meant.values())
    if len(sides) != 1:
        return seen
    keys = {key for word in asked if stem(word.word) in meant for key in word.stems}
    others = {name for name, document in trade.documents.items() if document.side not in sides}
    occurrences = tuple(
        dataclasses.replace(row, factor=_OTHER_SIDE)
        if row.stem in keys and row.table in others
        else row
        for row in seen.occurrences
    )
    return dataclasses.replace(seen, occurrences=occurrences)
