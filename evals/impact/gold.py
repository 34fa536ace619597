"""Which items a mutation makes suspect, from the marks alone."""

from __future__ import annotations

from collections.abc import Iterator

from evals.impact.marks import Layer, Made
from evals.impact.mutations import Mutation
from schemas.facts import Catalog

_READS_ROWS = frozenset(
    ("relationship", "metric", "example", "entity", "filter", "relation", "view", "question")
)
Id = tuple[str, str, str]


class Gold:
    """The marks of a layer, asked about one mutation at a time."""

    def __init__(self, layer: Layer, catalog: Catalog) -> None:
        self.layer = layer
        self.items = layer.items(catalog)

    def suspects(self, mutation: Mutation) -> set[Id]:
        """Return the items that a mutation makes suspect."""
        if mutation.kind in ("rename", "drop"):
            return {made.id for made in self._gone(mutation)}
        assert mutation.column is not None
        place = (mutation.table, mutation.column)
        if mutation.kind == "retype":
            found = self._retyped(*place)
        elif mutation.kind == "new_code":
            found = self._coded(*place, mutation.new)
        else:
            found = self._multiplied(*place)
        return {made.id for made in found}

    def _gone(self, mutation: Mutation) -> Iterator[Made]:
        for made in self.items:
            if made.uses(mutation.table, mutation.column):
                is_view = made.kind == "view"
                if is_view and mutation.adapts_views:
                    continue
                yield made
                if is_view:
                    yield from self._readers(str(made.keys[1]))

    def _readers(self, view: str) -> Iterator[Made]:
        """Yield what reads rows of a view, views on it included."""
        for made in self.items:
            in_sql = any(m.table == view and m.by in ("sql", "place") for m in made.marks)
            reads = made.kind in _READS_ROWS or (
                made.kind == "glossary"
                and any(m.table == view for m in made.marks if m.by == "sql")
            )
            if in_sql and reads:
                yield made
                if made.kind == "view":
                    yield from self._readers(str(made.keys[1]))

    def _retyped(self, table: str, column: str) -> Iterator[Made]:
        yield from (made for made in self.items if made.uses(table, column))
        for view, name, _ in self.layer.shown(table, column):
            yield from self._retyped(view, name)

    def _coded(self, table: str, column: str, code: str) -> Iterator[Made]:
        listed = [made for made in self.items if made.kind == "codes" and made.uses(table, column)]
        for made in self.items:
            if not made.uses(table, column):
                continue
            is_list = made.kind == "codes" and code not in made.codes
            is_only = made.kind == "column" and not listed
            is_only = is_only and any(m.by == "place" and m.column == column for m in made.marks)
            is_typed = made.kind == "relation" and made.codes and code not in made.codes
            if is_list or is_only or is_typed or made.uses(table, column, "match sort"):
                yield made
        for view, name, is_same in self.layer.shown(table, column):
            if is_same:
                yield from self._coded(view, name, code)

    def _multiplied(self, table: str, column: str) -> Iterator[Made]:
        for made in self.items:
            if made.kind == "entity":
                if made.key == (column,) and made.uses(table):
                    yield made
            elif made.uses(table, column, "join"):
                yield made
                if made.kind == "view":
                    yield from self._readers(str(made.keys[1]))
        for view, name, is_same in self.layer.shown(table, column):
            if is_same:
                yield from self._multiplied(view, name)
