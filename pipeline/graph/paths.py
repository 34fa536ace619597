"""The joins that a relation takes: spelt out by `via` or `on`, else the cheapest path there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.authored import find_column
from pipeline.graph.codes import error, warning
from pipeline.graph.conditions import ConditionError, Place, equalities
from pipeline.graph.entities import Resolved
from pipeline.graph.links import new_link, no_column
from pipeline.joins import JoinGraph, JoinPath, JoinStep
from schemas.facts import Catalog, Link, Table
from schemas.knowledge import Relation
from schemas.results import Problem

EQUAL = 0.05
"""Paths that differ by less are equally good."""
SHOWN = 4
"""Alternatives and neighbours that a message lists at most."""


@dataclass(frozen=True, slots=True)
class Router:
    """Finds the joins of relations."""

    catalog: Catalog
    graph: JoinGraph
    links: Sequence[Link]
    """Every link, also those that the planner doesn't take."""

    def route(
        self, relation: Relation, subject: Resolved, target: Resolved, problems: list[Problem]
    ) -> tuple[JoinStep, ...] | None:
        """Return the joins from subject to object; None when there are none, with a problem."""
        assert subject.table is not None
        assert target.table is not None
        if relation.on:
            return self._on(relation, subject, target, problems)
        if relation.via:
            steps = self._via(relation, subject, target, problems)
            if steps and fans_out(steps):
                message = f"the join that via spells out fans out: {shown(steps)}"
                fix = "aggregate one side before you join the other"
                problems.append(warning("KG110", message, fix))
            return steps
        return self._cheapest(subject.table.name, target.table.name, problems)

    def _cheapest(
        self, first: str, second: str, problems: list[Problem]
    ) -> tuple[JoinStep, ...] | None:
        paths = self.graph.path(first, second, at_most=12)
        if not paths:
            near = _names(step.target for step in self.graph.neighbours(first))
            message = f"no join leads from {first} to {second}"
            fix = f"name the columns in `on:`; {first} joins {near or 'nothing'}"
            problems.append(error("KG103", message, fix))
            return None
        best = paths[0]
        alike = [path for path in paths if path.cost - best.cost < EQUAL]
        if best.fans_out:
            message = (
                f"the join fans out: {shown(best.steps)} goes from many to one and then "
                "from one to many, which repeats rows"
            )
            fix = f"relate both to the table they share, or accept it with via: {_via_of(best)}"
            problems.append(error("KG109", message, fix))
            return None
        if len(alike) > 1:
            listed = " or ".join(_via_of(path) for path in alike[:SHOWN])
            more = f" (and {len(alike) - SHOWN} more)" if len(alike) > SHOWN else ""
            message = f"{len(alike)} joins are equally good; this one is taken: {shown(best.steps)}"
            problems.append(warning("KG108", message, f"choose one: via: {listed}{more}"))
        return best.steps

    def _via(
        self, relation: Relation, subject: Resolved, target: Resolved, problems: list[Problem]
    ) -> tuple[JoinStep, ...] | None:
        items = []
        for name in relation.via:
            table, column = find_column(name, self.catalog)
            if table is None or column is None:
                problems.append(no_column("KG104", "its via", name, self.catalog))
                return None
            items.append((table.name, column.name))
        assert subject.table is not None
        assert target.table is not None
        first, last = subject.table.name, target.table.name
        back_first = relation.cardinality == "one_to_many" and first == last
        walker = _Walker(self.links, tuple(items), last, back_first=back_first)
        steps = walker.walk(first)
        if steps is None:
            link = self._undeclared(tuple(items), subject, target)
            if link is not None:
                return (JoinStep(link, forward=link.table == first),)
            problems.append(self._misled(walker, first, last))
        return steps

    def _undeclared(
        self, items: tuple[tuple[str, str], ...], subject: Resolved, target: Resolved
    ) -> Link | None:
        """Return the link that `via` means where none is known: its columns = the other's key."""
        tables = {table for table, _ in items}
        columns = tuple(column for _, column in items)
        known = {(link.table, frozenset(link.columns)) for link in self.links}
        if any((table, frozenset(columns)) in known for table in tables):
            return None  # these columns refer to something else
        for here, there in ((subject, target), (target, subject)):
            assert here.table is not None
            assert there.table is not None
            if tables == {here.table.name} and len(there.key) == len(columns):
                return new_link(here.table, columns, there.table, there.key)
        return None

    def _misled(self, walker: _Walker, first: str, last: str) -> Problem:
        reached, used = walker.furthest
        rest = walker.items[used:]
        if not rest:
            message = f"its via ends at {reached}, not at {last}"
            onwards = self.graph.path(reached, last, at_most=1)
            fix = f"go on with {_via_of(onwards[0])}" if onwards else f"no join leads on to {last}"
            return error("KG105", message, fix)
        table, column = rest[0]
        message = f"its via can't take {table}.{column} from {reached}"
        if table not in (reached, *self._around(reached)):
            message += f", which {table} doesn't touch"
        near = _names(_columns_of(step.link) for step in self.graph.neighbours(reached))
        instead = self.graph.path(first, last, at_most=1)
        fix = f"joins from {reached}: {near or 'none'}"
        if instead:
            fix += f"; a whole path: via: {_via_of(instead[0])}"
        return error("KG105", message, fix)

    def _around(self, table: str) -> set[str]:
        return {step.target for step in self.graph.neighbours(table)}

    def _on(
        self, relation: Relation, subject: Resolved, target: Resolved, problems: list[Problem]
    ) -> tuple[JoinStep, ...] | None:
        assert subject.table is not None
        assert target.table is not None
        here = Place(subject.table, "t0", (subject.entity.name,))
        there = Place(target.table, "t1", (target.entity.name,))
        try:
            pairs = equalities(relation.on or "", [here, there], self.catalog)
        except ConditionError as failure:
            problems.append(error("KG106", f"its on: {failure.problem}", failure.fix))
            return None
        left = tuple(column if place is here else other for place, column, _, other in pairs)
        right = tuple(other if place is here else column for place, column, _, other in pairs)
        if _refers(here.table, left, there.table, right):
            return (
                JoinStep(
                    Link(here.table.name, left, there.table.name, right, "verified"), forward=True
                ),
            )
        link = Link(there.table.name, right, here.table.name, left, "verified")
        return (JoinStep(link, forward=False),)


class _Walker:
    """Follows `via`: each names a referring column of the next link; composite ones in a row."""

    def __init__(
        self,
        links: Sequence[Link],
        items: tuple[tuple[str, str], ...],
        last: str,
        *,
        back_first: bool,
    ) -> None:
        self.links = [link for link in links if link.state == "ok"]
        self.items = items
        self.last = last
        self.back_first = back_first
        self.furthest = ("", 0)

    def walk(self, table: str, used: int = 0) -> tuple[JoinStep, ...] | None:
        """Return the steps from `table` that use up the items and end at the last table."""
        if used >= self.furthest[1]:
            self.furthest = (table, used)
        if used == len(self.items):
            return () if table == self.last else None
        for taken, link in self._fitting(table, used):
            is_self = link.table == link.to_table
            forward = not self.back_first if is_self else link.table == table
            step = JoinStep(link, forward)
            rest = self.walk(step.target, used + taken)
            if rest is not None:
                return (step, *rest)
        return None

    def _fitting(self, table: str, used: int) -> list[tuple[int, Link]]:
        """Return the links that the next items may mean, and how many items each takes."""
        owner, column = self.items[used]
        found = []
        for link in self.links:
            if link.table != owner or table not in (link.table, link.to_table):
                continue
            size = len(link.columns)
            following = self.items[used : used + size]
            if sorted(following) == sorted((owner, name) for name in link.columns):
                found.append((0, bool(link.condition), -size, link.cost, link.key, size, link))
            elif column in link.columns:
                found.append((1, bool(link.condition), -size, link.cost, link.key, 1, link))
        return [(taken, link) for *_, taken, link in sorted(found, key=lambda item: item[:5])]


def _refers(here: Table, left: Sequence[str], there: Table, right: Sequence[str]) -> bool:
    """Whether `here` is the side that refers: the other's columns are its key, or none is one."""
    return there.has_key(right) or not here.has_key(left)


def fans_out(steps: Sequence[JoinStep]) -> bool:
    """Whether the steps go from many to one and later from one to many."""
    risen = False
    for step in steps:
        if risen and step.to_many:
            return True
        risen = risen or step.to_one
    return False


def shown(steps: Sequence[JoinStep]) -> str:
    """Return the tables of a path, with the columns that refer."""
    text = steps[0].source
    for step in steps:
        arrow = "→" if step.forward else "←"
        text += f" {arrow} {step.target} ({', '.join(step.link.columns)})"
    return text


def _via_of(path: JoinPath) -> str:
    return f"[{', '.join(_columns_of(step.link) for step in path.steps)}]"


def _columns_of(link: Link) -> str:
    return ", ".join(f"{link.table}.{column}" for column in link.columns)


def _names(names: Iterable[str]) -> str:
    unique = list(dict.fromkeys(names))
    more = f" and {len(unique) - SHOWN} more" if len(unique) > SHOWN else ""
    return ", ".join(unique[:SHOWN]) + more
