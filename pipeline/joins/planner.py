"""Cheapest joins, by Dijkstra's algorithm over a few dicts: a question has only milliseconds.

A link that leads nowhere (`state` other than `ok`), or that was only guessed (inferred, with no
measured match), is never planned with.

A walk that goes from many to one and later from one to many pays `FAN_OUT_COST` on top of its
links: both ends meet only in that they share a row in the middle, so that each row of one end
is repeated for every row of the other.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pipeline.joins.links import JoinPath, JoinStep, JoinTree, is_usable
from schemas.facts import Link

if TYPE_CHECKING:
    import networkx as nx

FAN_OUT_COST = 2.0
"""What a shared row in the middle costs: as much as two more declared joins."""
SLACK = 1.0
"""An alternative path may cost one declared join more than the cheapest."""
EXPANSIONS = 2_000
"""Partial paths looked at before the search for alternatives ends."""
STARTS = 6
"""Tables from which `connect` grows a tree. On 72 random sets of 3–5 among 68 tables all starts
gave the optimum (Dreyfus & Wagner 1971) 71 times, one start 58 times."""

_FLAT, _RISEN, _FANNED = range(3)
"""How a walk went so far: no step to one; some; some, and later one to many."""
_TINY = 1e-6


@dataclass(frozen=True, slots=True)
class _Edge:
    """A link seen from one of its ends."""

    number: int
    """Place of the link in key order, which decides between equals."""
    step: JoinStep
    source: str
    target: str
    cost: float
    to_many: bool
    to_one: bool


class JoinGraph:
    """The tables and their links, ready for planning."""

    def __init__(self, links: Iterable[Link]) -> None:
        self.links = tuple(sorted(filter(is_usable, links), key=lambda link: link.key))
        self._edges: dict[str, list[_Edge]] = {}
        for number, link in enumerate(self.links):
            for forward in (True, False):
                if forward or link.table != link.to_table:
                    edge = _edge(number, JoinStep(link, forward))
                    self._edges.setdefault(edge.source, []).append(edge)

    @cached_property
    def network(self) -> nx.MultiGraph[str]:
        """The same graph for networkx: an edge a link, its place in `links` as key."""
        import networkx as nx  # a quarter second that no question should pay

        graph: nx.MultiGraph[str] = nx.MultiGraph()
        for number, link in enumerate(self.links):
            graph.add_edge(link.table, link.to_table, key=number, cost=link.cost)
        return graph

    def parts(self) -> tuple[frozenset[str], ...]:
        """Return the connected parts, largest first; tables without a link are in none."""
        import networkx as nx  # as above

        parts = [frozenset(part) for part in nx.connected_components(self.network)]
        return tuple(sorted(parts, key=lambda part: (-len(part), min(part))))

    def between(self, first: str, second: str) -> tuple[JoinStep, ...]:
        """Return the direct joins of two tables, cheapest first: several when roles differ."""
        edges = [e for e in self._edges.get(first, ()) if e.target == second]
        return tuple(e.step for e in sorted(edges, key=lambda e: (e.cost, e.number)))

    def neighbours(self, table: str) -> tuple[JoinStep, ...]:
        """Return every direct join of a table, in key order."""
        return tuple(edge.step for edge in self._edges.get(table, ()))

    def path(self, first: str, second: str, *, at_most: int = 3) -> tuple[JoinPath, ...]:
        """Return the cheapest paths from one table to another, best first; () when there is none.

        Paths over the same tables by other links are paths of their own: `label` tells them
        apart. What costs more than `SLACK` above the cheapest is left out. From a table to
        itself: its self-references, else round trips over one bridge table.
        """
        if first == second:
            return self._round_trips(first)[:at_most]
        rest = self._costs_to(second, first)
        if (first, _FLAT) not in rest:
            return ()
        limit = rest[first, _FLAT] + SLACK + _TINY
        found: list[JoinPath] = []
        queue: list[tuple[float, int, tuple[int, ...], _Walk]] = [
            (rest[first, _FLAT], 0, (), _Walk((first,), (), 0.0, _FLAT))
        ]
        for _ in range(EXPANSIONS):
            if not queue or len(found) == at_most:
                break
            _, length, numbers, walk = heapq.heappop(queue)
            if walk.tables[-1] == second:
                found.append(walk.path())
                continue
            for edge in self._edges[walk.tables[-1]]:
                further = walk.follow(edge)
                onwards = rest.get((edge.target, further.state))
                if onwards is None or edge.target in walk.tables:
                    continue
                estimate = round(further.cost + onwards, 6)
                if estimate <= limit:
                    heapq.heappush(queue, (estimate, length + 1, (*numbers, edge.number), further))
        return tuple(found)

    def _costs_to(self, goal: str, start: str) -> dict[tuple[str, int], float]:
        """Return what is left to pay from each table and state to `goal`, as far as needed."""
        settled: dict[tuple[str, int], float] = {}
        queue = [(0.0, goal, state) for state in (_FLAT, _RISEN, _FANNED)]
        limit = float("inf")
        while queue:
            cost, table, state = heapq.heappop(queue)
            if cost > limit:
                break
            if (table, state) in settled:
                continue
            settled[table, state] = cost
            if table == start and state == _FLAT:
                limit = cost + SLACK + _TINY
            for edge in self._edges.get(table, ()):  # walked the other way round
                for before in (_FLAT, _RISEN, _FANNED):
                    after, extra = _advance(before, to_many=edge.to_one, to_one=edge.to_many)
                    if after == state and (edge.target, before) not in settled:
                        heapq.heappush(queue, (cost + edge.cost + extra, edge.target, before))
        return settled

    def _round_trips(self, table: str) -> tuple[JoinPath, ...]:
        edges = self._edges.get(table, ())
        direct = [e for e in edges if e.target == table]
        if direct:
            direct.sort(key=lambda e: (e.cost, e.number))
            return tuple(
                JoinPath((table, table), (e.step,), e.cost, fans_out=False) for e in direct
            )
        start = _Walk((table,), (), 0.0, _FLAT)
        trips = [
            start.follow(out).follow(_turned(back)).path()
            for place, out in enumerate(edges)
            for back in edges[place + 1 :]
            if back.target == out.target
        ]
        return tuple(sorted(trips, key=lambda path: path.cost))

    def connect(self, tables: Sequence[str], *, at_most: int = 12) -> JoinTree:
        """Return the cheapest joins found that hold `tables` together.

        Args:
            tables: most important first; when they fall apart, the part with the most of them
                (then the cheapest) is connected and the others are `unconnected`.
            at_most: tables of the tree, bridges included.
        """
        wanted = tuple(dict.fromkeys(tables))
        if not wanted:
            return JoinTree((), (), (), ())
        grown = [self._grow(wanted, start, at_most) for start in wanted[:STARTS]]
        return min(grown, key=_Growth.rank).tree(wanted)

    def _grow(self, wanted: Sequence[str], start: str, at_most: int) -> _Growth:
        """Grow a tree from `start`, each time by the cheapest path to a table still missing."""
        growth = _Growth(start)
        missing = set(wanted) - {start}
        while missing:
            edges = self._nearest(growth, missing, at_most - len(growth.tables))
            if not edges:
                break
            for edge in edges:
                growth.add(edge)
                missing.discard(edge.target)
        growth.missing = len(missing)
        return growth

    def _nearest(self, growth: _Growth, missing: set[str], room: int) -> tuple[_Edge, ...]:
        """Return the cheapest way from the tree to any table of `missing` with `room` to spare."""
        queue: list[tuple[float, int, int, str, bool, tuple[_Edge, ...]]] = [
            (0.0, 0, turn, table, shared, ())
            for turn, (table, shared) in enumerate(growth.tables.items())
        ]
        turn = len(queue)
        settled: set[tuple[str, bool]] = set()
        while queue:
            cost, length, _, table, shared, way = heapq.heappop(queue)
            if table in missing:
                return way
            if (table, shared) in settled or length == room:
                continue
            settled.add((table, shared))
            for edge in self._edges.get(table, ()):
                if edge.target in growth.tables or (edge.target, edge.to_one) in settled:
                    continue
                if any(edge.target == passed.source for passed in way):  # no way back
                    continue
                turn += 1
                total = cost + edge.cost + (FAN_OUT_COST if shared and edge.to_many else 0.0)
                entry = (total, length + 1, turn, edge.target, edge.to_one, (*way, edge))
                heapq.heappush(queue, entry)
        return ()


class _Growth:
    """A tree in the making."""

    def __init__(self, root: str) -> None:
        self.tables: dict[str, bool] = {root: False}
        """Each table, and whether it is the `one` of a join that is already in the tree."""
        self.edges: list[_Edge] = []
        self.cost = 0.0
        self.missing = 0
        self.fans_out = False

    def add(self, edge: _Edge) -> None:
        if edge.target in self.tables:
            return
        if self.tables[edge.source] and edge.to_many:
            self.cost += FAN_OUT_COST
            self.fans_out = True
        self.cost = round(self.cost + edge.cost, 6)
        self.tables[edge.source] |= edge.to_many
        self.tables[edge.target] = edge.to_one
        self.edges.append(edge)

    def rank(self) -> tuple[int, float, int, tuple[int, ...]]:
        numbers = tuple(sorted(edge.number for edge in self.edges))
        return self.missing, self.cost, len(self.tables), numbers

    def tree(self, wanted: Sequence[str]) -> JoinTree:
        """Return the tree in joining order from its most important table."""
        ordered = _Growth(next(table for table in wanted if table in self.tables))
        waiting = list(self.edges)
        while waiting:
            edge = next(e for e in waiting if {e.source, e.target} & ordered.tables.keys())
            waiting.remove(edge)
            ordered.add(edge if edge.source in ordered.tables else _turned(edge))
        return JoinTree(
            tables=tuple(ordered.tables),
            bridges=tuple(table for table in ordered.tables if table not in wanted),
            steps=tuple(edge.step for edge in ordered.edges),
            unconnected=tuple(table for table in wanted if table not in ordered.tables),
            fans_out=ordered.fans_out,
        )


@dataclass(frozen=True, slots=True, order=True)
class _Walk:
    """A path in the making."""

    tables: tuple[str, ...]
    steps: tuple[JoinStep, ...]
    cost: float
    state: int

    def follow(self, edge: _Edge) -> _Walk:
        state, extra = _advance(self.state, to_many=edge.to_many, to_one=edge.to_one)
        return _Walk(
            tables=(*self.tables, edge.target),
            steps=(*self.steps, edge.step),
            cost=self.cost + edge.cost + extra,
            state=state,
        )

    def path(self) -> JoinPath:
        fans_out = self.state == _FANNED
        return JoinPath(self.tables, self.steps, round(self.cost, 6), fans_out=fans_out)


def _advance(state: int, *, to_many: bool, to_one: bool) -> tuple[int, float]:
    """Return the state after a step and what the step costs on top of its link."""
    if state == _RISEN and to_many:
        return _FANNED, FAN_OUT_COST
    if state == _FLAT and to_one:
        return _RISEN, 0.0
    return state, 0.0


def _edge(number: int, step: JoinStep) -> _Edge:
    return _Edge(
        number=number,
        step=step,
        source=step.source,
        target=step.target,
        cost=step.link.cost,
        to_many=step.to_many,
        to_one=step.to_one,
    )


def _turned(edge: _Edge) -> _Edge:
    return _edge(edge.number, JoinStep(edge.step.link, not edge.step.forward))
