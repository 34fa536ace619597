"""Entities: resolved against the catalogue, then counted in the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pipeline.errors import QueryError, RefusedError, did_you_mean
from pipeline.graph.codes import error, failed, warning
from pipeline.graph.conditions import ConditionError, UnknownColumnError, both, check_filter
from pipeline.graph.measure import Probe, TooSlowError
from schemas.facts import Catalog, Profile, Table
from schemas.knowledge import Entity
from schemas.results import GraphEntity, Problem, Status


@dataclass(slots=True)
class Resolved:
    """An entity with all that it inherits. `table` is None when it failed on the way."""

    entity: Entity
    table: Table | None = None
    key: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    """Its parents' and its own, outermost parent first; all over `table`."""
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_usable(self) -> bool:
        """Whether relations may build on it."""
        return self.table is not None and not failed(self.problems)


def resolve(entities: Sequence[Entity], catalog: Catalog) -> list[Resolved]:
    """Return the entities as authored, with tables, keys and filters checked and inherited."""
    first: dict[str, Entity] = {}
    for entity in entities:
        first.setdefault(entity.name.casefold(), entity)
    done: dict[str, Resolved] = {}
    results = []
    for entity in entities:
        folded = entity.name.casefold()
        if first[folded] is entity:
            results.append(_resolve(entity, first, catalog, done, ()))
        else:
            message = f"there is already an entity {first[folded].name}"
            fix = "rename one of the two, or merge them"
            results.append(Resolved(entity, problems=[error("KG001", message, fix)]))
    return results


def _resolve(
    entity: Entity,
    by_name: dict[str, Entity],
    catalog: Catalog,
    done: dict[str, Resolved],
    below: tuple[str, ...],
) -> Resolved:
    folded = entity.name.casefold()
    if folded in done:
        return done[folded]
    resolved = Resolved(entity)
    parent = None
    if entity.is_a:
        parent = _parent(resolved, by_name, catalog, done, below)
    if not failed(resolved.problems):
        _place(resolved, parent, catalog)
    done[folded] = resolved
    return resolved


def _parent(
    resolved: Resolved,
    by_name: dict[str, Entity],
    catalog: Catalog,
    done: dict[str, Resolved],
    below: tuple[str, ...],
) -> Resolved | None:
    entity = resolved.entity
    name = entity.is_a or ""
    folded = entity.name.casefold()
    above = by_name.get(name.casefold())
    if above is None:
        known = [e.name for e in by_name.values() if e is not entity]
        message = f"its parent `{name}` is no entity"
        fix = did_you_mean(name, known, "define the parent, or remove is_a")
        resolved.problems.append(error("KG005", message, fix))
        return None
    circle = (*below, folded)
    if above.name.casefold() in circle:
        start = circle.index(above.name.casefold())
        names = [by_name[text].name for text in circle[start:]]
        message = f"is_a runs in a circle: {' → '.join([*names, above.name])}"
        resolved.problems.append(error("KG006", message, "remove is_a from the most general one"))
        return None
    parent = _resolve(above, by_name, catalog, done, circle)
    if not parent.is_usable:
        message = f"its parent {parent.entity.name} failed"
        resolved.problems.append(error("KG007", message, "mend the parent first"))
        return None
    return parent


def _place(resolved: Resolved, parent: Resolved | None, catalog: Catalog) -> None:
    """Find table, key and filters; columns of a table found are checked in any case."""
    entity = resolved.entity
    table = catalog.find(entity.table) if entity.table else None
    if entity.table and table is None:
        message = f"there is no table `{entity.table}`"
        fix = did_you_mean(entity.table, catalog.by_name, "name one that `dblore tables` lists")
        resolved.problems.append(error("KG003", message, fix))
        return
    if table is None and parent is not None:
        table = parent.table
    if table is None:
        message = "it has neither a table nor a parent"
        resolved.problems.append(error("KG002", message, "write `table:` or `is_a:`"))
        return
    inherits = parent is not None and parent.table is table
    resolved.table = table
    resolved.key = _key(resolved, parent if inherits else None)
    _check_columns(resolved, table)
    resolved.filters = parent.filters if parent is not None and inherits else ()
    if entity.filter:
        _check_filter(resolved, entity.filter, catalog)


def _key(resolved: Resolved, parent: Resolved | None) -> tuple[str, ...]:
    table = resolved.table
    assert table is not None
    if resolved.entity.key:
        found = [(name, table.column(_bare(name, table))) for name in resolved.entity.key]
        for name, column in found:
            if column is None:
                resolved.problems.append(_no_column("key", name, table))
        return tuple(column.name for _, column in found if column is not None)
    if parent is not None:
        return parent.key
    if table.primary_key is not None:
        return table.primary_key.columns
    if table.unique:
        return table.unique[0].columns
    message = f"{table.name} has no primary key, so that its instances can't be told apart"
    resolved.problems.append(warning("KG014", message, "name the identifying columns in `key:`"))
    return ()


def _check_columns(resolved: Resolved, table: Table) -> None:
    entity = resolved.entity
    named = [("attribute", name) for name in entity.attributes]
    if entity.label:
        named.insert(0, ("label", entity.label))
    for what, name in named:
        if table.column(_bare(name, table)) is None:
            resolved.problems.append(_no_column(what, name, table))


def _check_filter(resolved: Resolved, text: str, catalog: Catalog) -> None:
    table = resolved.table
    assert table is not None
    try:
        check_filter(text, table, catalog)
    except UnknownColumnError as failure:
        resolved.problems.append(error("KG009", f"its filter: {failure.problem}", failure.fix))
    except ConditionError as failure:
        resolved.problems.append(error("KG008", f"its filter: {failure.problem}", failure.fix))
    else:
        resolved.filters = (*resolved.filters, text)


def _bare(name: str, table: Table) -> str:
    """Return the column of `table.column`, or the name itself."""
    owner, dot, column = name.rpartition(".")
    is_owner = owner.casefold() in (table.name.casefold(), table.object_name.casefold())
    return column if dot and is_owner else name


def _no_column(what: str, name: str, table: Table) -> Problem:
    columns = [column.name for column in table.columns]
    message = f"its {what}: table {table.name} has no column `{name}`"
    fix = did_you_mean(name, columns, f"use one of {', '.join(columns[:8])}")
    return error("KG004", message, fix)


def measured(
    entities: Iterable[Resolved], profile: Profile, probe: Probe | None
) -> list[GraphEntity]:
    """Count the entities that can be used; without a database they stay unverified."""
    counted: dict[str, int] = {}
    results: list[GraphEntity] = []
    for resolved in entities:
        rows = None
        unique = None
        is_complete = probe is not None
        if resolved.is_usable and probe is not None:
            try:
                with probe.checking(f"entity {resolved.entity.name}"):
                    rows, unique = _count(resolved, probe)
            except TooSlowError:
                is_complete = False
                message = f"counting it was {probe.stopped}"
                fix = "index the columns of its filter"
                resolved.problems.append(warning("KG015", message, fix))
            except (QueryError, RefusedError) as failure:
                message = f"its rows can't be counted: {failure.problem}"
                resolved.problems.append(error("KG010", message, failure.fix))
        if rows is not None:
            counted[resolved.entity.name.casefold()] = rows
        results.append(
            GraphEntity(
                entity=resolved.entity,
                status=status_of(resolved.problems, is_complete=is_complete),
                table=resolved.table.name if resolved.table else "",
                key=resolved.key,
                filter=both(resolved.filters),
                rows=rows,
                key_unique=unique,
                problems=tuple(resolved.problems),
            )
        )
    return [_with_selectivity(entity, counted, profile) for entity in results]


def status_of(problems: Sequence[Problem], *, is_complete: bool) -> Status:
    """Return what the problems make of an item; `is_complete`: all that was asked was measured."""
    if failed(list(problems)):
        return "failed"
    return "verified" if is_complete else "unverified"


def _count(resolved: Resolved, probe: Probe) -> tuple[int, bool | None]:
    table = resolved.table
    assert table is not None
    rows = probe.rows(table, resolved.filters)
    if not rows and resolved.filters:
        message = "its filter matches no row"
        fix = "compare the filter with the stored values: `dblore table` lists them"
        resolved.problems.append(warning("KG011", message, fix))
    if not resolved.key:
        return rows, None
    if table.primary_key is not None and set(table.primary_key.columns) <= set(resolved.key):
        return rows, True
    distinct = probe.distinct(table, resolved.filters, resolved.key)
    if distinct < rows:
        message = (
            f"its key ({', '.join(resolved.key)}) isn't unique: "
            f"{distinct:,} values for {rows:,} rows"
        )
        resolved.problems.append(warning("KG013", message, "add the columns that are missing"))
    return rows, distinct == rows


def _with_selectivity(item: GraphEntity, counted: dict[str, int], profile: Profile) -> GraphEntity:
    """Add a warning when the entity's own filter leaves nothing out."""
    entity = item.entity
    if not entity.filter or not item.rows:
        return item
    whole = profile.by_table.get(item.table)
    total = counted.get(entity.is_a.casefold()) if entity.is_a else None
    if total is None and whole is not None and not whole.rows_estimated:
        total = whole.rows
    if total != item.rows:
        return item
    of = entity.is_a or item.table
    message = f"its filter keeps all {total:,} rows of {of}"
    problem = warning("KG012", message, "drop the filter, or correct it")
    return replace(item, problems=(*item.problems, problem))
