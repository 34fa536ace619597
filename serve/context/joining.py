"""How the chosen tables meet: by which links and columns, and which of them don't."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pipeline.joins import JoinGraph
from schemas.models import Link
from serve import cards
from serve.context.selection import Selection

_WORD = re.compile(r"\w+")


def links_of(selection: Selection, graph: JoinGraph) -> list[Link]:
    """Return the links of the tree, then others between its tables and of one to itself."""
    steps = list(selection.tree.steps)
    used = {step.link.key for step in steps}
    tables = list(selection.tables)
    for place, first in enumerate(tables):
        for step in graph.neighbours(first):
            if step.forward and step.target == first and step.link.key not in used:
                used.add(step.link.key)
                steps.append(step)
        for second in tables[place + 1 :]:
            for step in graph.between(first, second):
                if step.link.key not in used:
                    used.add(step.link.key)
                    steps.append(step)
    return [step.link for step in steps]


def joined_columns(links: Iterable[Link]) -> set[tuple[str, str]]:
    """Return table and column of all that stands in the ON conditions of `links`.

    Words of a link's condition count as columns of both tables: who asks for one that there
    isn't finds nothing.
    """
    found: set[tuple[str, str]] = set()
    for link in links:
        words = _WORD.findall(link.condition or "")
        found |= {(link.table, name) for name in (*link.columns, *words)}
        found |= {(link.to_table, name) for name in (*link.to_columns, *words)}
    return found


def apart(selection: Selection, links: Sequence[Link], graph: JoinGraph) -> list[str]:
    """Return a line for each group of the tables that no join of `links` ties to the first."""
    groups = list(_groups([*selection.tables], links))
    known = {table: number for number, part in enumerate(graph.parts()) for table in part}
    said = []
    for group in groups[1:]:
        first, other = groups[0][0], group[0]
        ends = f"{cards.code(first)} with {cards.code(other)}"
        if first in known and known[first] == known.get(other):
            said.append(f"No join here connects {ends}: call find_join_path [dblore]")
        else:
            said.append(
                f"No known join connects {ends}: don't invent one; call find_join_path, or ask "
                "the user "
                "[dblore]"
            )
    return said


def _groups(tables: list[str], links: Iterable[Link]) -> Iterator[list[str]]:
    """Yield tables that links tie together, in the order of `tables`."""
    ties: dict[str, set[str]] = {}
    for link in links:
        ties.setdefault(link.table, set()).add(link.to_table)
        ties.setdefault(link.to_table, set()).add(link.table)
    left = dict.fromkeys(tables)
    while left:
        reached: set[str] = set()
        todo = [next(iter(left))]
        while todo:
            table = todo.pop()
            if table not in reached:
                reached.add(table)
                todo += ties.get(table, ())
        yield [table for table in left if table in reached]
        left = dict.fromkeys(table for table in left if table not in reached)
