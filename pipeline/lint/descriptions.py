"""DL1xx: what tables and columns are said to be."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from pipeline.lint import claims
from pipeline.lint.rule import Found, Keys, Rule
from pipeline.lint.world import World, shown
from pipeline.needs import kinds
from pipeline.text import counted, singular, words
from schemas.models import Graph, Link, Table

_STAND_INS = frozenset(
    """todo, to do, tbd, tba, tbc, fixme, xxx, n/a, na, none, null, nil, description,
    no description, unknown, placeholder, to be defined, to be determined, to be described,
    to be done, to be added, missing, empty, lorem ipsum, dummy, foo, bar, asdf, test,
    undocumented, not documented, no documentation, see above, describe me, add description,
    fill in, ask someone, same, ditto""".replace("\n    ", " ").split(", ")
)
_OPENED = re.compile(r"(?:TODO|TBD|TBA|FIXME|XXX)\b|<[^<>]{1,60}>$|lorem ipsum\b", re.IGNORECASE)
_SIGNS = re.compile(r"[^\w/]+")
_LONG = re.compile(r"(?:\W{0,2}\w){25}")
"""More letters than a stand-in has; most texts begin so."""
_ROOM = 30
"""Characters that a text needs beyond the name to say more than it."""
_SAYS_NOTHING = kinds.words_of(
    """a an the this that is of for in its it column field value data attribute id identifier key
    table row record entry contain hold store"""
)


def _placeholders(world: World) -> Iterator[Found]:
    for target, name, place, text in _texts(world):
        why = _why_placeholder(text, name) if text else ""
        if why:
            yield Found(
                target,
                f"the description of {target} {why}: `{shown(text)}`",
                "say what it means to the business, or remove the line: the draft will ask again",
                place,
            )


def _texts(world: World) -> Iterator[tuple[str, str, Keys, str]]:
    """Yield target, name, place and text of each description that people wrote."""
    semantic = world.semantic
    for written, table in semantic.tables.items():
        yield written, written, ("tables", written, "description"), table.description
        for name, column in table.columns.items():
            place: Keys = ("tables", written, "columns", name, "description")
            yield f"{written}.{name}", name, place, column.description
    for domain in semantic.domains:
        place = ("domains", domain.name, "description")
        yield f"domain {domain.name}", domain.name, place, domain.description
    for number, term in enumerate(semantic.glossary):
        yield f"term {term.term}", term.term, ("glossary", number, "definition"), term.definition
    for number, metric in enumerate(semantic.metrics):
        place = ("metrics", number, "definition")
        yield f"metric {metric.name}", metric.name, place, metric.definition


def _why_placeholder(text: str, name: str) -> str:
    if not _LONG.match(text):
        plain = " ".join(_SIGNS.sub(" ", text[:80]).split()).casefold()
        if not plain or plain in _STAND_INS:
            return "is a placeholder"
    if _OPENED.match(text.strip()):
        return "is a placeholder"
    if len(text) > len(name) + _ROOM:
        return ""
    said = [singular(word) for word in words(text)]
    kept = [word for word in said if word not in _SAYS_NOTHING]
    if not kept:
        return "says nothing"
    own = [singular(word) for word in words(name)]
    if said == own or kept == [word for word in own if word not in _SAYS_NOTHING] == own:
        return "only repeats the name"
    if [word for word in said if word not in {"a", "an", "the"}] == own:
        return "only repeats the name"
    return ""


def _contradictions(world: World) -> Iterator[Found]:
    for table in world.tables:
        card = table.card
        if card.description_origin:
            place = ("tables", table.written, "description")
            for found in claims.of_table(card, card.description):
                yield _against(card.name, place, found)
    for column in world.columns:
        if column.card.description_origin:
            text = column.card.description
            for found in claims.of_column(column.table.card, column.card, text):
                yield _against(column.target, (*column.place, "description"), found)


def _against(target: str, place: Keys, found: claims.Contradiction) -> Found:
    claim = shown(found.claim)
    return Found(
        target,
        f"{target} is described as `{claim}`, but {found.measured}",
        "correct the description, or the data",
        place,
        what=claim.casefold(),
    )


def _undescribed(world: World) -> Iterator[Found]:
    measured: defaultdict[str, list[Link]] = defaultdict(list)
    for link in (world.graph or Graph()).links:
        measured[link.table].append(link)
    for table in world.catalog.tables:
        card = world.cards.get(table.name)
        is_open = not table.comment if card is None else not (card.description or card.hidden)
        if is_open and table.kind != "virtual_table":
            columns = counted(len(table.columns), "column")
            yield Found(
                table.name,
                f"nobody said what {table.name} is ({columns})",
                f"{_accept(world, table, measured[table.name])}; hide it with `hidden: true` if "
                "nobody should use it",
                ("tables", table.name),
            )


def _accept(world: World, table: Table, measured: Iterable[Link]) -> str:
    """Return what to do: take over what is suggested for the table, or write."""
    links = (*table.foreign_keys, *measured)
    if table.name in world.drafted or kinds.connected(table, links):
        return f"take over what is suggested: {world.command('accept', table.name)}"
    return f"make room for your words: {world.command('accept', table.name, '--blank')}"


RULES = (
    Rule(
        "DL101",
        "placeholder-description",
        "warning",
        "A description that stands in for one (`TODO`, `tbd`, `-`), says nothing (`The id`) or "
        "only "
        "repeats the name (`Order status` of `order_status`).",
        "It counts as described, so nobody is asked for a better one, and an agent reads it as "
        "if it "
        "said something.",
        "Write what the name doesn't say, or remove it.",
        "columns:\n  status: TODO  # the description of orders.status is a placeholder: `TODO`",
        _placeholders,
    ),
    Rule(
        "DL102",
        "description-against-data",
        "warning",
        "A description that claims what the profile refutes: never null, never filled, unique, "
        "never "
        "negative, between 1 and 5, always EUR, always 8 characters. English, and only claims "
        "without a condition: `never empty for shops` isn't held against all rows.",
        "A query that trusts the claim leaves rows out, or counts them twice.",
        "Correct the description, or the data.",
        "columns:\n  currency: Always EUR.  # …, but other values are stored: GBP, USD",
        _contradictions,
    ),
    Rule(
        "DL103",
        "undescribed-table",
        "info",
        "A table with neither a description nor a comment in the database.",
        "An agent can only guess from its name.",
        "Describe it, take over the draft's suggestion (`dblore accept`), or hide it.",
        "tables:\n  orders: {description: …}\n  # invoices: nobody said what invoices is (12 "
        "columns)",
        _undescribed,
    ),
)
