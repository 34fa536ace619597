"""What queries and tables give: named columns, each with the stored columns behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Place = tuple[str, str]
"""A column of the catalogue: its table and its own name."""

Places = frozenset[Place]
NOWHERE: Places = frozenset()


@dataclass(frozen=True, slots=True)
class Output:
    """A column of a query or a table."""

    name: str
    """As the engine compares it; '' where only the engine knows."""
    passes: Place | None = None
    """The column that it shows unchanged."""
    shows: Places = NOWHERE
    """The columns whose values it leaves readable, or nearly so."""
    reads: Places = NOWHERE
    """The columns that it is made from."""
    pending: Places = NOWHERE
    """The columns that a `*` took along, which are used as soon as this one is."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns of a source, in order."""

    outputs: tuple[Output, ...] = ()
    is_open: bool = False
    """There may be others."""

    @property
    def may_have_more(self) -> bool:
        """Whether a name that isn't among its columns may be one all the same."""
        return self.is_open or any(not output.name for output in self.outputs)

    def named(self, name: str) -> list[Output]:
        """Return the columns of that name."""
        return [output for output in self.outputs if output.name == name]

    def renamed(self, names: Sequence[str]) -> Shape:
        """Return it as `AS t(a, b)` names its columns."""
        if not names:
            return self
        if self.is_open:
            return Shape(tuple(Output(name) for name in names), is_open=True)
        given = [replace(o, name=n) for n, o in zip(names, self.outputs, strict=False)]
        return Shape((*given, *self.outputs[len(given) :]))


OPEN = Shape(is_open=True)


@dataclass(slots=True)
class Source:
    """What stands in FROM under a name."""

    names: tuple[str, ...]
    """As the engine compares them; a condition may call a table in several ways."""
    shape: Shape
    table: str | None = None
    """The table of the catalogue that it is."""


@dataclass(slots=True)
class Scope:
    """What the names in one SELECT mean."""

    ctes: dict[str, Shape]
    outer: Scope | None = None
    sources: list[Source] = field(default_factory=list)
    merged: dict[str, Output] = field(default_factory=dict)
    """Columns that USING or NATURAL made one of two."""
    aliases: dict[str, Output] = field(default_factory=dict)
    """What the SELECT list calls its columns."""

    def called(self, name: str) -> Source | None:
        """Return the source of that name."""
        return next((source for source in self.sources if name in source.names), None)

    @property
    def is_open(self) -> bool:
        """Whether a source may have columns that nobody knows."""
        return any(source.shape.may_have_more for source in self.sources)


def union(many: Iterable[Places]) -> Places:
    """Return the places that any of them holds."""
    return NOWHERE.union(*many)


def together(outputs: Sequence[Output]) -> Output:
    """Return several columns of one name as one."""
    first = outputs[0]
    if len(outputs) == 1:
        return first
    return Output(
        first.name,
        first.passes if all(o.passes == first.passes for o in outputs) else None,
        union(o.shows for o in outputs),
        union(o.reads for o in outputs),
        union(o.pending for o in outputs),
    )


def stacked(upper: Shape, lower: Shape) -> Shape:
    """Return the rows of both: columns that stand at one position are one."""
    if len(upper.outputs) != len(lower.outputs) or upper.is_open or lower.is_open:
        return Shape(upper.outputs, is_open=upper.is_open or lower.is_open)
    pairs = zip(upper.outputs, lower.outputs, strict=True)
    return Shape(tuple(together(pair) for pair in pairs))


def stacked_by_name(upper: Shape, lower: Shape) -> Shape:
    """Return the rows of both: columns of one name are one."""
    grouped: dict[str, list[Output]] = {}
    for output in (*upper.outputs, *lower.outputs):
        grouped.setdefault(output.name, []).append(output)
    is_open = upper.is_open or lower.is_open
    return Shape(tuple(together(group) for group in grouped.values()), is_open=is_open)


def shown(expression: Any) -> list[Any]:
    """Return the columns whose values an expression leaves readable, or nearly so."""
    from sqlglot import exp

    hiding = (
        exp.Predicate, exp.Count, exp.Sum, exp.Avg, exp.Length, exp.StrPosition, exp.Sub, exp.Year,
        exp.Extract, exp.Query, exp.Subquery,
    )  # fmt: skip
    if isinstance(expression, exp.Column):
        return [expression]
    if isinstance(expression, hiding):
        return []
    if isinstance(expression, exp.Case | exp.If):
        branches = expression.args.get("ifs") or [expression]
        parts = [branch.args.get("true") for branch in branches]
        parts += [expression.args.get("default"), expression.args.get("false")]
    elif isinstance(expression, exp.Window):
        parts = [expression.this]
    else:
        parts = list(expression.iter_expressions())
    return [column for part in parts if part is not None for column in shown(part)]
