"""Columns of views that show the name of a firm or a thing under a name that sounds personal.

`Shippers.CompanyName AS ShipperName` is no person's name: its table says what it is, and its values
were looked at there. A source whose own name tells nothing (`value`, `F017`, `name` of a party)
clears nobody.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.profile import sensitive, sensitive_names
from pipeline.profile import words_context as context
from pipeline.profile.kinds import words
from pipeline.profile.sensitive_tables import column_words, table_context
from schemas.facts import Catalog, Table, TableProfile

Place = tuple[str, str]

_HEADS = words("name nm nam nom naam nome nombre namn bezeichnung title label")
_PERSONS_TOO = words("account partner artist band tenant list team group domain system server")
"""What organisations are called, and persons as well."""
_THINGS = (context.ORGANISATIONS | context.PLACES | context.THINGS) - _PERSONS_TOO


def cleared(catalog: Catalog, profiles: Mapping[str, TableProfile]) -> frozenset[Place]:
    """Return the (view, column) whose name says that a person is named, and whose source does not.

    Args:
        catalog: with the texts of its views.
        profiles: of its tables.
    """
    accused = {
        (view.name, column.name)
        for view in catalog.tables
        if "view" in view.kind and view.definition
        for column in view.columns
        if is_name(sensitive.why_by_name(view, column))
    }
    if not accused:
        return frozenset()
    from pipeline.lineage.views import origins  # sqlglot is heavy

    shown = origins(catalog)
    return frozenset(
        place
        for place in accused
        if place in shown
        and _is_of_things(catalog.by_name[shown[place][0]], shown[place], profiles)
    )


def is_name(reason: str | None) -> bool:
    """Whether a reason speaks of the name of a person, as the column's name says."""
    return reason is not None and reason.startswith(f"{sensitive_names.NAME}: the name says so")


def _is_of_things(table: Table, source: Place, profiles: Mapping[str, TableProfile]) -> bool:
    profile = profiles.get(table.name)
    if profile is None or profile.error or not profile.rows or "view" in table.kind:
        return False
    column = next((c for c in profile.columns if c.column == source[1]), None)
    if column is None or column.sensitive or column.nulls is None or column.nulls == profile.rows:
        return False  # nobody looked at its values
    *before, head = column_words(column.column) or ("",)
    if head not in _HEADS:
        return False
    if before:
        return bool(_THINGS.intersection(before)) and context.PERSONS.isdisjoint(before)
    where = table_context(table.name)
    return where.speaks_of(_THINGS) and not where.is_person and not where.speaks_of(_PERSONS_TOO)
