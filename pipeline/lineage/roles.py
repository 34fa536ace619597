"""What a statement does with the columns it reads: compares, joins, sums, or only shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlglot import exp

from pipeline.lineage.outputs import Output, Place, Source
from pipeline.lineage.reading import read
from pipeline.lineage.tables import Tables

RoleKind = Literal["matched", "joined", "compared", "computed", "shown"]
"""`matched`: compared with literals; `joined`: with a column of another row; `compared`: with
anything else; `computed`: aggregated or calculated with; `shown`: none of these."""


@dataclass(frozen=True, slots=True)
class Role:
    """One column in one place of a statement."""

    place: Place
    kind: RoleKind
    values: tuple[str, ...] = ()
    """The literals it is matched with."""
    is_open: bool = False
    """Values that nobody names fall on one side too: `<>`, NOT IN, CASE, ranges."""


_WRAPPERS = (
    exp.Paren, exp.Cast, exp.TryCast, exp.Trim, exp.Upper, exp.Lower, exp.Coalesce, exp.Collate,
    exp.Alias,
)  # fmt: skip
_COMPARISONS = (
    exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like,
    exp.ILike, exp.Is, exp.Between, exp.In, exp.SimilarTo, exp.RegexpLike, exp.Glob, exp.Distance,
)  # fmt: skip
_CLOSED = (exp.EQ, exp.NullSafeEQ, exp.In)
_CALCULATIONS = (exp.Binary, exp.Neg, exp.Func, exp.Window, exp.Interval, exp.Ordered)


def roles(
    sql: str, tables: Tables, sources: Sequence[Source] = (), *, engines_own: bool = False
) -> tuple[Role, ...]:
    """Return the parts that stored columns play in a query, or in a condition over `sources`.

    Raises:
        UnreadableError: it can't be parsed.
    """
    reading = read(sql, tables, sources, engines_own=engines_own)
    resolved = {id(node): output for node, output in reading.resolved}
    found: dict[Role, None] = {}
    for node, output in reading.resolved:
        found.update(dict.fromkeys(_roles(node, output, resolved)))
    for output in reading.equated:
        found.update(dict.fromkeys(Role(place, "joined") for place in sorted(output.reads)))
    return tuple(found)


def _roles(node: Any, output: Output, resolved: dict[int, Output]) -> Iterable[Role]:
    carried = frozenset((output.passes,)) if output.passes is not None else output.shows
    kind, values, is_open = _part(node, resolved)
    told = [Role(place, kind, values, is_open) for place in sorted(carried)]
    if kind in ("computed", "compared", "matched"):
        rest = output.reads - carried
        told += [Role(place, "computed") for place in sorted(rest)]
    elif kind == "shown" and not carried:
        told += [Role(place, "shown") for place in sorted(output.reads)]
    return told


def _part(node: Any, resolved: dict[int, Output]) -> tuple[RoleKind, tuple[str, ...], bool]:
    """Return what is done with a column where it stands."""
    inner, parent = _unwrapped(node)
    if isinstance(parent, _COMPARISONS):
        return _comparison(inner, parent, resolved)
    if isinstance(parent, exp.Case) and inner.arg_key == "this":
        values = [_literal(branch.this) for branch in parent.args.get("ifs") or ()]
        return "matched", tuple(v for v in values if v is not None), True
    if isinstance(parent, exp.Select) and isinstance(parent.parent, exp.In | exp.Subquery):
        query = parent.parent if isinstance(parent.parent, exp.In) else parent.parent.parent
        if isinstance(query, exp.In):
            return "joined", (), False
    if isinstance(parent, exp.Count):
        return "computed", (), False
    if isinstance(parent, exp.Func | exp.Window) or (
        isinstance(parent, exp.Binary | exp.Neg) and not isinstance(parent, exp.Connector)
    ):
        return "computed", (), False
    return "shown", (), False


def _unwrapped(node: Any) -> tuple[Any, Any]:
    """Return the outermost expression that still is the column's value, and what holds it."""
    parent = node.parent
    while isinstance(parent, _WRAPPERS):
        node, parent = parent, parent.parent
    if isinstance(parent, exp.Tuple):
        return node, parent.parent
    return node, parent


def _comparison(
    inner: Any, parent: Any, resolved: dict[int, Output]
) -> tuple[RoleKind, tuple[str, ...], bool]:
    others = [e for e in parent.iter_expressions() if e is not inner and inner not in e.walk()]
    if isinstance(parent, exp.In) and parent.args.get("query") is not None:
        return "joined", (), False
    columns = [c for other in others for c in other.find_all(exp.Column) if id(c) in resolved]
    own = inner.find(exp.Column)
    if any(_is_another_row(own, column) for column in columns):
        return "joined", (), False
    literals = [_literal(other) for other in others]
    values = tuple(value for value in literals if value is not None)
    if isinstance(parent, exp.Is) or not values:
        return "compared", (), False
    negated = isinstance(parent.parent, exp.Not) or isinstance(
        getattr(parent.parent, "parent", None), exp.Not
    )
    is_open = negated or not isinstance(parent, _CLOSED) or _in_case(parent)
    return "matched", values, is_open


def _in_case(node: Any) -> bool:
    """Whether a comparison is the condition of a branch: what it doesn't name goes elsewhere."""
    while node is not None and not isinstance(node, exp.Query):
        if isinstance(node, exp.If | exp.Case):
            return True
        node = node.parent
    return False


def _is_another_row(own: Any, other: Any) -> bool:
    if own is None:
        return True
    return str(own.table).casefold() != str(other.table).casefold() or not own.table


def _literal(node: Any) -> str | None:
    while isinstance(node, _WRAPPERS):
        node = node.this
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return f"-{node.this.name}"
    if isinstance(node, exp.Literal):
        return str(node.name).strip()
    if isinstance(node, exp.Boolean):
        return str(node.this).casefold()
    return None
