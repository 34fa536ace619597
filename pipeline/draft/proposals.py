"""Suggestions as single entries of semantic.yaml, each of which a person may take over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pipeline.draft import suggest
from pipeline.draft.gathering import Suggestions
from pipeline.draft.suggest import ColumnSuggestion, Suggestion
from schemas.models import Link

KINDS = ("descriptions", "grain", "codes", "units", "joins", "notes", "housekeeping")
"""What can be chosen by kind."""

COMMENTS = "comments"
"""Comments of the database count where they are; they are taken over only when asked for."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One text that can be taken over, and where it belongs."""

    kind: str
    table: str
    """'' for what is said of the whole database."""
    column: str
    key: str
    """As drafts.jsonl names it."""
    text: str
    why: str
    entry: Any = field(default=None, compare=False)
    """An item of a list, where it is more than the text."""

    @property
    def target(self) -> str:
        """`table` or `table.column`; '' for the database."""
        return f"{self.table}.{self.column}" if self.column else self.table


def proposals(found: Suggestions) -> list[Proposal]:
    """Return what can be taken over, most useful first; '' waits for somebody's words."""
    return [
        *_of_tables(found),
        *(_join(link, why) for link, why in found.joins),
        *(Proposal("notes", "", "", "dialect_notes", *note) for note in found.notes),
        *(
            Proposal("housekeeping", "", "", "housekeeping_columns", *name)
            for name in found.housekeeping
        ),
    ]


def takeable(found: Suggestions) -> int:
    """Return how many texts can be taken over as they are."""
    return sum(bool(proposal.text) and proposal.kind in KINDS for proposal in proposals(found))


def _of_tables(found: Suggestions) -> Iterator[Proposal]:
    for table in found.tables:
        named = (("descriptions", "description"), ("grain", "grain"))
        for kind, key in named:
            yield from _said(kind, table.name, "", key, getattr(table, key))
        for column in table.columns:
            yield from _of_column(table.name, column)


def _of_column(table: str, column: ColumnSuggestion) -> Iterator[Proposal]:
    name = column.name
    yield from _said("descriptions", table, name, "description", column.description)
    for code in column.values:
        yield from _said("codes", table, name, f"values.{code.code}", code.meaning)
    yield from _said("units", table, name, "unit", column.unit)


def _said(
    kind: str, table: str, column: str, key: str, said: Suggestion | None
) -> Iterator[Proposal]:
    if said is not None:
        kind = COMMENTS if said.why == suggest.COMMENT and key == "description" else kind
        yield Proposal(kind, table, column, key, said.text, said.why)


def _join(link: Link, why: str) -> Proposal:
    ends = (
        [f"{link.table}.{column}" for column in link.columns],
        [f"{link.to_table}.{column}" for column in link.to_columns],
    )
    one, other = (end[0] if len(end) == 1 else end for end in ends)
    entry: dict[str, Any] = {"from": one, "to": other}
    text = f"{', '.join(ends[0])} = {', '.join(ends[1])}"
    if link.condition:
        entry["condition"] = link.condition
        text += f" where {link.condition}"
    column = link.columns[0] if len(link.columns) == 1 else ""
    return Proposal("joins", link.table, column, "relationships", text, why, entry)
