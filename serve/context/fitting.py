"""Whole items into a budget, most needed first; what doesn't fit is named with its call."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from schemas import codec
from serve import cards
from serve.context.pack import ColumnLine, ContextPack, TableSection

_RESERVE = 0.1
"""Share of the budget that is kept for what was left out."""
_CARD = 120
"""Characters that a card takes in JSON besides its lines."""
_SECTION = 60


@dataclass(slots=True)
class CardDraft:
    """A table card while it is being filled."""

    name: str
    role: str
    head: list[str] = field(default_factory=list)
    columns: list[ColumnLine] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    """Columns that are neither shown nor named."""
    brief: set[str] = field(default_factory=set)
    """Columns of which more is known than their line says."""


class Fitting:
    """Takes items as long as the budget lasts."""

    def __init__(self, pack: ContextPack, budget: int) -> None:
        self.pack = pack
        self.budget = budget
        self.room = int(budget * (1 - _RESERVE)) - pack.size() - _SECTION
        self.sections: dict[str, list[Any]] = {}
        self.cards: dict[str, CardDraft] = {}
        self.refused: dict[str, int] = {}
        """Section, or a table whose card didn't fit, to the number of items left out."""

    def take(self, section: str, items: Sequence[Any], *, at_most: int | None = None) -> None:
        """Take the items of a section in order; those that don't fit are passed over."""
        for number, item in enumerate(items):
            if (at_most is None or number < at_most) and self._spend(item, section):
                self.sections.setdefault(section, []).append(item)
            else:
                self.refused[section] = self.refused.get(section, 0) + 1

    def card(self, name: str, role: str, head: Sequence[str]) -> None:
        """Begin a card: its first line must fit, the others are taken as they do."""
        first, *rest = head
        if not self._spend(first, name, extra=_CARD + len(name)):
            self.refused[name] = 1
            return
        draft = self.cards[name] = CardDraft(name, role, [first])
        draft.head += [line for line in rest if self._spend(line, name)]

    def more(self, table: str, lines: Sequence[str]) -> None:
        """Add further lines to the head of a card, as they fit."""
        if table in self.cards:
            self.cards[table].head += [line for line in lines if self._spend(line, table)]

    def column(self, table: str, line: ColumnLine) -> None:
        """Show a column of a card in full; its name need no longer stand among the others."""
        draft = self.cards.get(table)
        if draft is None:
            return
        for place, shown in enumerate(draft.columns):
            if shown.name == line.name:
                self._lengthen(draft, place, line)
                return
        named = line.name in draft.others
        refund = _name_cost(line.name) if named else 0
        if self._spend(line, table, extra=2 - refund):
            draft.columns.append(line)
            if named:
                draft.others.remove(line.name)
        elif not named:
            draft.waiting.append(line.name)

    def brief(self, table: str, line: ColumnLine) -> None:
        """Show the type of a column that is only named so far, when there is room."""
        draft = self.cards.get(table)
        if draft is None or line.name not in draft.others:
            return
        self.column(table, line)
        if line.name not in draft.others:
            draft.brief.add(line.name)

    def joint(self, table: str, line: ColumnLine) -> None:
        """Show the type of a column that a join needs, before all others."""
        self.column(table, line)
        draft = self.cards.get(table)
        if draft is not None and line.name not in draft.waiting:
            draft.brief.add(line.name)

    def _lengthen(self, draft: CardDraft, place: int, line: ColumnLine) -> None:
        """Put a column in full where it is shown in brief."""
        more = max(_length(line) - _length(draft.columns[place]), 0)
        if line.name in draft.brief and more <= self.room:
            self.room -= more
            draft.columns[place] = line
            draft.brief.discard(line.name)

    def names(self, table: str, names: Sequence[str]) -> None:
        """Name further columns of a card, as many as fit."""
        draft = self.cards.get(table)
        if draft is None:
            return
        shown = {line.name for line in draft.columns}
        listed = [n for n in dict.fromkeys([*draft.waiting, *names]) if n not in shown]
        for name in listed:
            if _name_cost(name) + _SECTION <= self.room:
                self.room -= _name_cost(name)
                draft.others.append(name)
        named = set(draft.others)
        draft.waiting = [name for name in listed if name not in named]

    def _spend(self, item: Any, section: str, *, extra: int = 0) -> bool:
        opened = section in self.sections or section in self.cards
        cost = _length(item) + extra + (0 if opened else _SECTION)
        if cost > self.room:
            return False
        self.room -= cost
        return True

    def finished(self) -> ContextPack:
        """Return the pack, within the budget for certain."""
        while True:
            pack = self._assembled()
            if pack.size() <= self.budget or not self._give_up_one():
                return pack

    def _assembled(self) -> ContextPack:
        sections: dict[str, Any] = {name: tuple(items) for name, items in self.sections.items()}
        drafts = self.cards.values()
        shown = tuple(
            TableSection(
                d.name, d.role, tuple(d.head), tuple(d.columns), tuple(d.others), len(d.waiting)
            )
            for d in drafts
        )
        joined = {t for join in sections.get("joins", ()) for t in (join.table, join.to_table)}
        tables = tuple(t for t in self.pack.tables if t in self.cards or t in joined)
        pack = dataclasses.replace(self.pack, tables=tables, cards=shown, **sections)
        return dataclasses.replace(pack, omitted=tuple(self._omitted(pack)))

    def _omitted(self, pack: ContextPack) -> list[str]:
        """Return what was left out, as far as there is room to say it."""
        said = []
        for draft in self.cards.values():
            short = len(draft.others) + len(draft.waiting) + len(draft.brief)
            if short:
                what = "1 column" if short == 1 else f"{short} columns"
                said.append(f"{what} in full: describe_table({cards.code(draft.name)})")
        said += [
            f"the card of {cards.code(name)}: describe_table({cards.code(name)})"
            for name in self.refused
            if name in self.pack.tables
        ]
        calls = {
            "values": "further value matches: search_knowledge with the value",
            "definitions": "further definitions: search_knowledge with the term",
            "concepts": "further concepts: search_knowledge with the name",
            "examples": "further similar questions: search_knowledge",
            "joins": "further joins: find_join_path(from_table, to_table)",
            "rules": "further rules: a larger budget",
        }
        said += [
            f"{self.refused[section]} {text}"
            for section, text in calls.items()
            if section in self.refused
        ]
        room = self.budget - pack.size() - _SECTION
        kept: list[str] = []
        for line in said:
            room -= len(json.dumps(line, ensure_ascii=False)) + 3
            if room < 0:
                return kept or ["the rest: describe_table"] if room > -len(line) else kept
            kept.append(line)
        return kept

    def _give_up_one(self) -> bool:
        """Drop the least needed item; False when there is none left."""
        for draft in reversed(list(self.cards.values())):
            if draft.others:
                draft.waiting += [draft.others.pop()]
                return True
            if draft.columns:
                draft.waiting += [draft.columns.pop().name]
                draft.brief.discard(draft.waiting[-1])
                return True
        for section in ("examples", "concepts", "values", "joins", "definitions", "rules"):
            if self.sections.get(section):
                self.sections[section].pop()
                self.refused[section] = self.refused.get(section, 0) + 1
                return True
        if self.cards:
            name, _ = self.cards.popitem()
            self.refused[name] = 1
            return True
        return False


def _length(item: Any) -> int:
    """Return the characters of an item: the longer of its Markdown and its JSON."""
    data = json.dumps(codec.to_json(item), ensure_ascii=False, separators=(",", ":"))
    text = item if isinstance(item, str) else item.text
    return max(len(text) + 3, len(data) + 1)


def _name_cost(name: str) -> int:
    return len(name) + 5
