"""What PIVOT and UNPIVOT give. A PIVOT turns values into names of columns, which nothing masks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from pipeline.database.masking.relations import (
    Field,
    Origins,
    Relation,
    Scope,
    union,
    unknown,
)
from pipeline.errors import RefusedError

if TYPE_CHECKING:
    from pipeline.database.masking.reading import Reading


def pivoted(reading: Reading, pivot: Any, relation: Relation, around: Scope) -> Relation:
    """Return what a PIVOT or UNPIVOT makes of a table.

    Raises:
        RefusedError: values of a sensitive column would become names of columns.
    """
    scope = Scope(around.names, around.outer, sources=[("", relation)], star=relation)
    if pivot.args.get("unpivot"):
        return _unpivoted(reading, pivot, relation, scope)
    fields = pivot.args.get("fields") or pivot.expressions
    for item in fields:
        _refuse_values_as_names(reading, item, scope)
    is_standard = bool(pivot.args.get("fields"))
    aggregates = pivot.expressions if is_standard else pivot.args.get("using") or []
    shown = reading.values.of_all(aggregates, scope) | relation.fed
    group = pivot.args.get("group")
    if group is not None:
        kept = [Field(_name(item), reading.values.of(item, scope)) for item in group.expressions]
    else:
        used = _mentioned([*fields, *aggregates])
        kept = [f for f in relation.fields if f.name not in used]
        if not relation.is_whole:
            shown |= relation.rest
    return Relation(tuple(kept), is_whole=False, rest=shown, fed=relation.fed)


def _refuse_values_as_names(reading: Reading, item: Any, scope: Scope) -> None:
    target = item.this if isinstance(item, exp.In) else item
    written = isinstance(item, exp.In) and item.expressions and not item.args.get("query")
    if written and all(isinstance(part.unalias(), exp.Literal) for part in item.expressions):
        return  # the names stand in the statement
    origins = reading.values.of(target, scope) if isinstance(target, exp.Expr) else frozenset()
    if isinstance(item, exp.In):
        origins |= reading.values.of_parts(item, scope, without=["this"])
    if origins:
        raise RefusedError(
            f"PIVOT would turn values of {_listed(origins)}, marked sensitive, into names of "
            "columns",
            fix="group by that column instead (GROUP BY): then its values come back masked; or "
            "name the values: ON … IN ('a', 'b')",
        )


def _unpivoted(reading: Reading, pivot: Any, relation: Relation, scope: Scope) -> Relation:
    listed: list[Any] = [*pivot.expressions]
    names: list[str | None] = []
    for item in pivot.args.get("fields") or ():
        names += [str(part.name).casefold() for part in pivot.expressions]
        names.append(str(item.this.name).casefold())
        listed = [part for item in pivot.args["fields"] for part in item.expressions]
    used = _mentioned(listed)
    kept = [f for f in relation.fields if f.name not in used]
    shown = reading.values.of_all(listed, scope) | union(
        f.origins for f in relation.fields if f.name in used
    )
    if not relation.is_whole or not all(isinstance(part, exp.Column) for part in listed):
        return unknown(relation.origins | shown, fed=relation.fed)
    given = [Field(name, shown) for name in names]
    return Relation((*kept, *given), is_whole=False, rest=shown, fed=relation.fed)


def _mentioned(nodes: list[Any]) -> set[str]:
    return {
        str(column.name).casefold()
        for node in nodes
        if isinstance(node, exp.Expr)
        for column in node.find_all(exp.Column)
    }


def _name(item: Any) -> str | None:
    return str(item.alias_or_name).casefold() or None


def _listed(origins: Origins) -> str:
    return ", ".join(sorted(origins))
