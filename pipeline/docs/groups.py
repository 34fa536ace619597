"""Subject areas: the domains that people gave, or else the ones that names or links suggest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pipeline.cards import TableCard
from pipeline.docs.ties import Tie

REST = "other tables"
SINGLE = 12
"""A database of so few tables is one area when nobody divided it."""
SEED = 7
RESOLUTION = 1.0
NAMED_SHARE = 0.9
"""Share of the tables that a prefix must cover to be how the database is divided."""


def groups(cards: dict[str, TableCard], ties: dict[str, tuple[Tie, ...]]) -> dict[str, list[str]]:
    """Return the areas and their tables, both in a fixed order; () for a small database."""
    if any(card.domain for card in cards.values()):
        return _collect((card.domain or REST, name) for name, card in cards.items())
    if len(cards) <= SINGLE:
        return {}
    for split in (_by_schema, _by_prefix):
        found = split(cards)
        if found:
            return found
    return _by_links(cards, ties)


def _by_schema(cards: dict[str, TableCard]) -> dict[str, list[str]]:
    schemas = {card.table.schema for card in cards.values()}
    if len(schemas) < 2:
        return {}
    return _collect((card.table.schema or "default schema", name) for name, card in cards.items())


def _by_prefix(cards: dict[str, TableCard]) -> dict[str, list[str]]:
    """Divide by `Sales__Order`-like names, when nearly all tables are named so."""
    for separator in ("__", "_"):
        prefixes = {
            name: card.table.object_name.partition(separator)[0]
            for name, card in cards.items()
            if separator in card.table.object_name.strip("_")
        }
        sizes = Counter(prefixes.values())
        covered = sum(size for size in sizes.values() if size > 1)
        if 1 < len(sizes) <= len(cards) / 3 and covered >= NAMED_SHARE * len(cards):
            named = ((prefixes.get(n, REST), n) for n in cards)
            return _collect((p if sizes[p] > 1 else REST, n) for p, n in named)
    return {}


def _by_links(
    cards: dict[str, TableCard], ties: dict[str, tuple[Tie, ...]]
) -> dict[str, list[str]]:
    """Divide by communities of linked tables, each named after its best linked table."""
    from networkx import Graph  # a quarter of a second; not all databases need it
    from networkx.algorithms.community import louvain_communities

    graph: Graph[str] = Graph()
    graph.add_nodes_from(cards)
    for name in cards:
        for tie in ties[name]:
            if tie.outward and tie.other != name:
                weight = graph.get_edge_data(name, tie.other, {"weight": 0})["weight"]
                graph.add_edge(name, tie.other, weight=weight + 1)
    parts = louvain_communities(graph, resolution=RESOLUTION, seed=SEED)
    found: dict[str, list[str]] = {}
    for part in sorted(parts, key=min):
        if len(part) == 1:
            found.setdefault(REST, []).extend(part)
            continue
        centre = min(part, key=lambda name: (-_links_within(ties[name], part), name))
        found[f"around {centre}"] = sorted(part)
    return _in_order(found)


def _links_within(ties: Iterable[Tie], part: set[str]) -> int:
    return sum(tie.other in part for tie in ties)


def _collect(named: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for group, name in named:
        found.setdefault(group, []).append(name)
    return _in_order(found)


def _in_order(found: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return groups by name, the rest last, tables by name."""
    return {
        group: sorted(found[group])
        for group in sorted(found, key=lambda group: (group == REST, group))
    }
