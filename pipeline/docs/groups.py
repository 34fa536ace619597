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


def groups(
    cards: dict[str, TableCard],
    ties: dict[str, tuple[Tie, ...]],
    read_by: dict[str, tuple[str, ...]],
) -> dict[str, list[str]]:
    """Return the areas and their tables, both in a fixed order; none for a small database.

    Args:
        cards: All tables.
        ties: The links of each.
        read_by: The tables that a view reads: it belongs where most of them are.
    """
    if any(card.domain for card in cards.values()):
        return _collect((card.domain or REST, name) for name, card in cards.items())
    if len(cards) <= SINGLE:
        return {}
    for split in (_by_schema, _by_prefix):
        found = split(cards)
        if found:
            return found
    return _by_links(cards, ties, read_by)


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
    cards: dict[str, TableCard],
    ties: dict[str, tuple[Tie, ...]],
    read_by: dict[str, tuple[str, ...]],
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
    area_of: dict[str, str] = {}
    for part in parts:
        if len(part) > 1:
            centre = min(part, key=lambda name: _centrality(cards[name], ties[name]))
            area_of.update(dict.fromkeys(part, f"around {centre}"))
    for name in sorted(cards):
        if name not in area_of:
            votes = Counter(area_of[read] for read in read_by.get(name, ()) if read in area_of)
            most = min(votes, key=lambda area: (-votes[area], area), default=REST)
            area_of[name] = most
    return _collect((area_of[name], name) for name in cards)


def _centrality(card: TableCard, ties: Iterable[Tie]) -> tuple[int, int, str]:
    """Sort the table first that most others refer to, then the largest."""
    return -sum(not tie.outward for tie in ties), -(card.profile.rows or 0), card.name


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
