"""Which items a change makes suspect, how badly, and why."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from pipeline.impact import rules
from pipeline.impact.rules import Suspicion
from pipeline.impact.uses import Knowledge
from schemas.changes import Change, Impact
from schemas.facts import Catalog

if TYPE_CHECKING:
    from pipeline.lineage.tables import Tables

_SEVERITY = {"error": 0, "warning": 1, "info": 2}
_JOINERS = frozenset(("relationship", "entity", "filter", "relation", "question"))
"""Items that read rows of the tables that they name, also without a statement."""


def impact(
    changes: Iterable[Change], knowledge: Knowledge, *, now: Catalog | None = None
) -> tuple[Impact, ...]:
    """Return every item that is suspect, per change the worst first, each once a change.

    Args:
        changes: what changed.
        knowledge: what uses what, by the names before the changes.
        now: the catalogue after them. A view that it has, and that reads nothing which is gone,
            was adapted by the engine, and shields what reads it. None: no view was.
    """
    found: list[Impact] = []
    today = _Today(now) if now is not None else None
    for change in changes:
        own = _Spread(change, knowledge, today).all()
        found += sorted(own, key=lambda i: (_SEVERITY[i.severity], i.item.file, i.item.line,
                                            i.item.kind, i.item.path))  # fmt: skip
    return tuple(found)


class _Spread:
    """Follows one change from where it happened through the views."""

    def __init__(self, change: Change, knowledge: Knowledge, today: _Today | None) -> None:
        self.change, self.knowledge, self.today = change, knowledge, today
        self._found: dict[object, Impact] = {}
        self._seen: set[tuple[str, tuple[str, ...]]] = set()

    def all(self) -> list[Impact]:
        """Return the items."""
        self._at(self.change.table, self.change.columns, ())
        return list(self._found.values())

    def _at(self, table: str, columns: tuple[str, ...], through: tuple[str, ...]) -> None:
        """Note what is suspect because the change shows in these columns of a table or view."""
        if (table, columns) in self._seen:
            return
        self._seen.add((table, columns))
        for suspicion in rules.suspicions(self.change, table, columns, self.knowledge):
            item = suspicion.item
            if item.kind == "view" and self._is_shielded(item.name):
                continue
            self._note(suspicion, through)
            if item.kind == "view" and suspicion.ends_view:
                self._broken(item.name, suspicion, (item.name, *through))
        for column in columns:
            for view in self.knowledge.views_on(table, column):
                for shown in rules.shown_as(self.change, view, table, column, self.knowledge):
                    self._at(view.name, (shown,), (view.name, *through))

    def _broken(self, view: str, cause: Suspicion, through: tuple[str, ...]) -> None:
        """Note what reads a view that fails, or gives other rows."""
        for use in self.knowledge.uses(view):
            item = use.item
            if item.kind == "view" and item.name == view:
                continue
            if use.by != "sql" and not (use.by == "place" and item.kind in _JOINERS):
                continue
            told = f"reads the view {view}, which {cause.reason}"
            severity = cause.severity if self.change.kind != "view_changed" else "warning"
            self._note(Suspicion(item, severity, told, ends_view=True), through)
            if item.kind == "view" and item.name not in through:
                self._broken(item.name, cause, (item.name, *through))

    def _is_shielded(self, view: str) -> bool:
        """Whether a view still runs: the engine gave it the new names, or people did."""
        is_gone = rules.is_structural(self.change)
        return is_gone and self.today is not None and self.today.runs(view)

    def _note(self, suspicion: Suspicion, through: tuple[str, ...]) -> None:
        made = Impact(self.change, suspicion.item, suspicion.severity, suspicion.reason, through)
        known = self._found.get(suspicion.item)
        if known is None or _SEVERITY[made.severity] < _SEVERITY[known.severity]:
            self._found[suspicion.item] = made


class _Today:
    """The views of the catalogue after the changes."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._runs: dict[str, bool] = {}

    def runs(self, view: str) -> bool:
        """Whether a view is there and names only what is there."""
        known = self._runs.get(view)
        if known is None:
            known = self._runs[view] = self._names_lead_somewhere(view)
        return known

    @cached_property
    def _tables(self) -> Tables:
        from pipeline.lineage.tables import Tables

        return Tables(self.catalog)

    def _names_lead_somewhere(self, view: str) -> bool:
        from pipeline.lineage.parsing import UnreadableError
        from pipeline.lineage.reading import read

        there = self.catalog.by_name.get(view)
        try:
            definition = there.definition if there else None
            return (
                bool(definition)
                and not read(definition or "", self._tables, engines_own=True).unknown
            )
        except UnreadableError:
            return False
