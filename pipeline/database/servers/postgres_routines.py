"""From rows of PostgreSQL's catalogue to functions, procedures, aggregates and triggers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from pipeline.database.connect import Row
from schemas.facts import Routine

_KINDS: dict[str, Literal["procedure", "aggregate"]] = {"p": "procedure", "a": "aggregate"}
# Bits of pg_trigger.tgtype; without a time, a trigger fires AFTER.
_TIMES = ((2, "BEFORE"), (64, "INSTEAD OF"))
_EVENTS = ((4, "INSERT"), (8, "DELETE"), (16, "UPDATE"), (32, "TRUNCATE"))


def routines(rows: Iterable[Row], name: Callable[[int, str], str]) -> tuple[Routine, ...]:
    """Return the routines of `Queries.routines`; `name` makes a name of schema and name."""
    found = [
        Routine(
            name=name(namespace, own),
            kind=_KINDS.get(kind, "function"),
            arguments=arguments or "",
            returns=returns,
            comment=comment or None,
        )
        for namespace, own, kind, arguments, returns, comment in rows
    ]
    return tuple(sorted(found, key=lambda r: (r.name, r.arguments, r.kind, r.returns or "")))


def triggers(rows: Iterable[Row], tables: Mapping[int, str]) -> tuple[Routine, ...]:
    """Return the triggers of `Queries.triggers` on `tables`, which are named by their oid."""
    found = [
        Routine(
            name=own,
            kind="trigger",
            arguments=_event(bits, columns),
            comment=comment or None,
            table=tables[relation],
        )
        for relation, own, bits, columns, comment in rows
        if relation in tables
    ]
    return tuple(sorted(found, key=lambda r: (r.table or "", r.name)))


def _event(bits: int, columns: Sequence[str]) -> str:
    """Return when a trigger fires, e.g. `BEFORE INSERT OR UPDATE OF price`."""
    when = next((word for bit, word in _TIMES if bits & bit), "AFTER")
    events = [word for bit, word in _EVENTS if bits & bit]
    text = f"{when} {' OR '.join(events)}"
    return text.replace("UPDATE", f"UPDATE OF {', '.join(columns)}") if columns else text
