"""What each kind of change means to each way of using a column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.impact.uses import Knowledge
from schemas.changes import Change, ImpactSeverity
from schemas.facts import Table
from schemas.references import Item, Use

if TYPE_CHECKING:
    from pipeline.lineage.roles import Role

_GONE = frozenset(
    ("table_dropped", "table_renamed", "column_dropped", "column_renamed", "column_moved")
)
_RETYPED = frozenset(("type_changed", "type_narrowed"))
_FANS_OUT = frozenset(("key_lost", "uniqueness_lost"))
_NULLS = frozenset(("became_nullable", "nulls_appeared"))
_CODES = frozenset(("code_appeared", "code_vanished"))
_ORPHANS = frozenset(("orphans_appeared", "foreign_key_lost"))
_STRICT = frozenset(("postgres", "redshift", "duckdb"))
"""Dialects that refuse to compare or add what isn't of one kind."""
_NAMED_PLACES = frozenset(("relationship", "relation", "question"))


Columns = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suspicion:
    """An item and what is the matter with it."""

    item: Item
    severity: ImpactSeverity
    reason: str
    ends_view: bool = False
    """Of a view: it fails or gives other rows, which whoever reads it gets too."""


def is_structural(change: Change) -> bool:
    """Whether something is gone, or has another name."""
    return change.kind in _GONE


def suspicions(
    change: Change, table: str, columns: Columns, knowledge: Knowledge
) -> Iterator[Suspicion]:
    """Yield the items that use `columns` of `table`, which show the change, in a way that matters.

    Args:
        change: what changed.
        table: where it shows: the table itself, or a view on it.
        columns: where in that; empty: the table as such.
        knowledge: what uses what.
    """
    rule = _RULES.get(change.kind)
    if rule is not None and change.change_class != "cosmetic":
        yield from rule(change, table, columns, knowledge)


def shown_as(
    change: Change, view: Table, table: str, column: str, knowledge: Knowledge
) -> Iterator[str]:
    """Yield the columns of a view in which a change of a column's values shows."""
    if change.kind in _GONE or change.kind in _ORPHANS:
        return  # the view itself fails, or its rows change
    place = (table, column)
    for name, output in knowledge.outputs(view.name).items():
        if change.kind in _CODES:
            carried = output.passes == place or place in output.shows
        elif change.kind in _FANS_OUT:
            carried = output.passes == place
        else:
            carried = place in output.reads
        if carried:
            yield name


# -- what is gone --------------------------------------------------------------------------------


def _gone(
    change: Change, table: str, columns: Columns, knowledge: Knowledge
) -> Iterator[Suspicion]:
    fate = _fate(change)
    uses = knowledge.uses(table, columns[0] if columns else None)
    for use in uses:
        what = ".".join((table, *columns))
        if columns and use.by == "sql" and not _names(use.item, (table, columns[0]), knowledge):
            told = f"its `*` showed {what}, {fate}"
            yield Suspicion(use.item, "warning", told, ends_view=True)
            continue
        verb = {"prose": "speaks of", "sql": "reads", "place": "names"}[use.by]
        yield Suspicion(use.item, "error", f"{verb} {what}, {fate}", ends_view=True)


def _names(item: Item, place: tuple[str, str], knowledge: Knowledge) -> bool:
    """Whether a statement names a column, rather than taking it with a `*`."""
    return any(role.place == place for role in knowledge.roles(item))


def _fate(change: Change) -> str:
    if change.kind == "table_renamed":
        return f"which is called {change.to_table} now"
    if change.kind == "column_renamed":
        return f"which is called {change.to_columns[0]} now"
    if change.kind == "column_moved":
        return f"which is in {change.to_table} now, as {change.to_columns[0]}"
    return "which is gone"


# -- other values --------------------------------------------------------------------------------


def _other_values(
    change: Change, table: str, columns: Columns, knowledge: Knowledge
) -> Iterator[Suspicion]:
    column = columns[0]
    what = f"{table}.{column}"
    told = f"its type changed: {change.evidence}"
    if change.kind == "expression_changed":
        told = change.evidence
    strict = change.change_class == "breaking" and knowledge.catalog.dialect in _STRICT
    for use in knowledge.uses(table, column):
        if use.by == "prose" or use.item.kind in ("table", "column", "database", "domain"):
            yield Suspicion(use.item, "info", f"describes {what}; {told}")
        elif use.item.kind == "codes":
            yield Suspicion(use.item, "warning", f"lists codes of {what}; {told}")
        elif use.by == "place":
            is_joined = use.item.kind in _NAMED_PLACES
            severity: ImpactSeverity = "warning" if is_joined else "info"
            verb = "joins by" if is_joined else "names"
            yield Suspicion(use.item, severity, f"{verb} {what}; {told}")
        else:
            part = _worst(knowledge.roles(use.item), (table, column))
            worst: ImpactSeverity = "info" if part == "reads" else "warning"
            if strict and part in ("joins by", "calculates with"):
                worst = "error"
            if change.kind == "type_narrowed":
                worst = "info"
            yield Suspicion(use.item, worst, f"{part} {what}; {told}")


_PARTS = (
    ("joined", "joins by"),
    ("computed", "calculates with"),
    ("matched", "compares"),
    ("compared", "compares"),
)


def _worst(roles: tuple[Role, ...], place: tuple[str, str]) -> str:
    kinds = {role.kind for role in roles if role.place == place}
    return next((verb for kind, verb in _PARTS if kind in kinds), "reads")


# -- rows that multiply, or are lost ---------------------------------------------------------------


def _fanned_out(
    change: Change, table: str, columns: Columns, knowledge: Knowledge
) -> Iterator[Suspicion]:
    places = {(table, column) for column in columns}
    what = f"{table}.{columns[0]}" if len(columns) == 1 else f"{table}({', '.join(columns)})"
    fate = f"which isn't unique any more ({change.evidence})"
    for use in _users(table, columns, knowledge):
        item = use.item
        if item.kind == "entity":
            owner, key = knowledge.entity_key(item)
            if owner == table and key and set(key) <= set(columns):
                told = f"tells its things apart by {what}, {fate}"
                yield Suspicion(item, "warning", told)
        elif places <= knowledge.joined(item):
            told = f"joins by {what}, {fate}: rows may multiply"
            yield Suspicion(item, "warning", told, ends_view=True)


def _users(table: str, columns: Columns, knowledge: Knowledge) -> Iterator[Use]:
    """Yield a use per item that uses one of the columns, and of the entities of the table."""
    found: dict[Item, Use] = {}
    for column in columns:
        for use in knowledge.uses(table, column):
            found.setdefault(use.item, use)
    for use in knowledge.uses(table):
        if use.item.kind == "entity":
            found.setdefault(use.item, use)
    yield from found.values()


def _orphans(
    change: Change, table: str, columns: Columns, knowledge: Knowledge
) -> Iterator[Suspicion]:
    if change.to_table is None or table != change.table:
        return
    places = {(table, column) for column in columns}
    others = {(change.to_table, column) for column in change.to_columns}
    severity: ImpactSeverity = "warning" if change.kind == "orphans_appeared" else "info"
    what = "some rows find no other" if severity == "warning" else "no key keeps it true any more"
    for use in _users(table, columns, knowledge):
        joined = knowledge.joined(use.item) if use.item.kind != "entity" else frozenset()
        is_via = use.item.kind == "relation" and places <= joined
        if is_via or (places | others) <= joined:
            to = f"{change.to_table}.{', '.join(change.to_columns)}"
            told = f"joins {table}.{', '.join(columns)} to {to}: {what}"
            yield Suspicion(use.item, severity, told, ends_view=severity == "warning")


def _whole_table(
    change: Change, table: str, _: Columns, knowledge: Knowledge
) -> Iterator[Suspicion]:
    is_empty = change.kind == "table_emptied"
    told = (
        f"{table}, which has no rows any more" if is_empty else f"the view {table}, which changed"
    )
    for use in knowledge.uses(table):
        reads = use.by == "sql" or use.item.kind in (*_NAMED_PLACES, "entity")
        is_told = use.item.kind in ("table", "column", "codes") and not is_empty
        if use.item.name == table and use.item.kind == "view":
            continue
        if reads:
            yield Suspicion(use.item, "warning", f"reads {told}", ends_view=True)
        elif is_told:
            yield Suspicion(use.item, "info", f"describes {told}")


# -- codes and nulls -------------------------------------------------------------------------------


def _codes(
    change: Change, table: str, columns: Columns, knowledge: Knowledge
) -> Iterator[Suspicion]:
    column = columns[0]
    what = f"{table}.{column}"
    is_new = change.kind == "code_appeared"
    values = {str(value).strip() for value in change.values}
    listed = ", ".join(sorted(values))
    place = (table, column)
    uses = knowledge.uses(table, column)
    has_list = any(use.item.kind == "codes" for use in uses)
    for use in uses:
        item = use.item
        if item.kind == "codes":
            yield from _code_list(item, what, values, knowledge, is_new=is_new)
        elif item.kind == "column" and use.by == "place" and not has_list:
            if knowledge.description(item):
                told = "new" if is_new else "gone"
                yield Suspicion(
                    item, "info", f"describes {what}, whose codes changed: {listed} {told}"
                )
        elif item.kind == "relation" and knowledge.relation(item).polymorphic:
            yield from _targets(item, what, values, column, knowledge, is_new=is_new)
        else:
            matched = [r for r in knowledge.roles(item) if r.place == place and r.kind == "matched"]
            yield from _matches(change, item, what, matched, values)


def _code_list(
    item: Item, what: str, values: set[str], knowledge: Knowledge, *, is_new: bool
) -> Iterator[Suspicion]:
    known = {code.strip() for code in knowledge.meanings(item)}
    if is_new and values - known:
        listed = ", ".join(sorted(values - known))
        yield Suspicion(item, "warning", f"has no meaning for {listed}, new in {what}")
    elif not is_new and values & known:
        listed = ", ".join(sorted(values & known))
        yield Suspicion(item, "info", f"explains {listed}, which {what} no longer holds")


def _targets(
    item: Item, what: str, values: set[str], column: str, knowledge: Knowledge, *, is_new: bool
) -> Iterator[Suspicion]:
    polymorphic = knowledge.relation(item).polymorphic
    if polymorphic is None or polymorphic.type_column.casefold() != column.casefold():
        return
    known = {target.type.strip() for target in polymorphic.targets}
    touched = values - known if is_new else values & known
    if touched:
        told = "has no target for" if is_new else "has a target for"
        end = "new in" if is_new else "no longer stored in"
        yield Suspicion(item, "warning", f"{told} {', '.join(sorted(touched))}, {end} {what}")


def _matches(
    change: Change, item: Item, what: str, matched: list[Role], values: set[str]
) -> Iterator[Suspicion]:
    if not matched:
        return
    listed = ", ".join(sorted(values))
    folded = {value.casefold() for value in values}
    if change.kind == "code_vanished":
        named = {v for role in matched for v in role.values if v.strip().casefold() in folded}
        if named:
            told = f"looks for {', '.join(sorted(named))}, which {what} no longer holds"
            yield Suspicion(item, "error" if change.change_class == "breaking" else "warning", told)
        return
    if any(role.is_open for role in matched):
        told = f"sorts the values of {what} into kinds; {listed} is new"
        yield Suspicion(item, "warning", told)
    else:
        told = f"picks values of {what}; {listed} is new, and not among them"
        yield Suspicion(item, "info", told)


def _nulls(
    change: Change, table: str, columns: Columns, knowledge: Knowledge
) -> Iterator[Suspicion]:
    column = columns[0]
    what = f"{table}.{column}"
    told = f"it may be null now ({change.evidence})"
    severity: ImpactSeverity = "warning" if change.kind == "nulls_appeared" else "info"
    for use in knowledge.uses(table, column):
        if use.item.kind == "column" and use.by == "place":
            yield Suspicion(use.item, "info", f"describes {what}; {told}")
        elif use.item.kind in _NAMED_PLACES and use.by == "place":
            yield Suspicion(use.item, severity, f"joins by {what}; {told}")
        elif use.by == "sql":
            part = _worst(knowledge.roles(use.item), (table, column))
            if part != "reads":
                yield Suspicion(use.item, severity, f"{part} {what}; {told}")


def _checked(
    change: Change, table: str, columns: Columns, knowledge: Knowledge
) -> Iterator[Suspicion]:
    for column in columns:
        for use in knowledge.uses(table, column):
            if use.item.kind == "codes":
                told = f"a check of {table} changed: {change.evidence}"
                yield Suspicion(use.item, "info", told)


_RULES: dict[str, Callable[[Change, str, Columns, Knowledge], Iterator[Suspicion]]] = {
    **dict.fromkeys(_GONE, _gone),
    **dict.fromkeys(_RETYPED | {"expression_changed"}, _other_values),
    **dict.fromkeys(_FANS_OUT, _fanned_out),
    **dict.fromkeys(_CODES, _codes),
    **dict.fromkeys(_NULLS, _nulls),
    **dict.fromkeys(_ORPHANS, _orphans),
    **dict.fromkeys(("view_changed", "table_emptied"), _whole_table),
    "check_changed": _checked,
}
