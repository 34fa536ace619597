"""Whether the tables and columns that semantic.yaml names are there."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pipeline.authored.documents import Document
from pipeline.authored.reading import Place
from pipeline.errors import did_you_mean
from schemas.facts import Catalog, Column, Table
from schemas.results import Problem


@dataclass(frozen=True, slots=True)
class NameFault:
    """A name that can't be used, and the keys that lead to it."""

    code: str
    severity: Literal["error", "warning"]
    place: Place
    target: str
    """What it is about: a table, `table.column`, a domain."""
    message: str
    fix: str

    @property
    def is_gone(self) -> bool:
        """Whether the name leads to nothing."""
        return self.code in {"unknown-table", "unknown-column"}

    def problem(self, document: Document) -> Problem:
        """Return it as a problem whose message begins with `file:line:column: `."""
        message = f"{document.place(*self.place)}: {self.message}"
        return Problem(self.code, self.severity, message, self.fix)


def check_names(document: Document, catalog: Catalog) -> tuple[Problem, ...]:
    """Return a problem per name in semantic.yaml that the catalog doesn't have, in file order.

    A missing table or column is an error; a pattern or a housekeeping name that fits nothing is a
    warning. Each message begins with the file's name, line and column, e.g. `semantic.yaml:12:5: `.
    """
    return tuple(fault.problem(document) for fault in name_faults(document, catalog))


def name_faults(document: Document, catalog: Catalog) -> Iterator[NameFault]:
    """Yield the same with the keys that lead to each name, in place of its line."""
    for check in (_housekeeping, _domains, _tables, _relationships, _glossary):
        yield from check(document, catalog)


def find_column(text: str, catalog: Catalog) -> tuple[Table | None, Column | None]:
    """Resolve `table.column`; a part may hold dots, and the table be found alone."""
    table: Table | None = None
    position = text.rfind(".")
    while position > 0:
        candidate = catalog.find(text[:position])
        column = candidate.column(text[position + 1 :]) if candidate else None
        if column is not None:
            return candidate, column
        table = table or candidate
        position = text.rfind(".", 0, position)
    return table, None


def _housekeeping(document: Document, catalog: Catalog) -> Iterator[NameFault]:
    names = {column.name for table in catalog.tables for column in table.columns}
    folded = {name.casefold() for name in names}
    for number, name in enumerate(document.semantic.housekeeping_columns):
        if name.casefold() not in folded:
            yield NameFault(
                "unknown-column",
                "warning",
                ("database", "housekeeping_columns", number),
                name,
                f"no table has a column `{name}`",
                did_you_mean(name, sorted(names), "remove it from housekeeping_columns"),
            )


def _domains(document: Document, catalog: Catalog) -> Iterator[NameFault]:
    folded = [table.name.casefold() for table in catalog.tables]
    for domain in document.semantic.domains:
        for number, glob in enumerate(domain.tables):
            if not fnmatch.filter(folded, glob.casefold()):
                yield NameFault(
                    "empty-pattern",
                    "warning",
                    ("domains", domain.name, "tables", number),
                    f"domain {domain.name}",
                    f"no table fits `{glob}` of domain {domain.name}",
                    did_you_mean(glob, catalog.by_name, "mend or remove the pattern"),
                )


def _tables(document: Document, catalog: Catalog) -> Iterator[NameFault]:
    seen: dict[str, str] = {}
    for name, text in document.semantic.tables.items():
        table = catalog.find(name)
        if table is None:
            yield _no_table(name, ("tables", name), catalog)
            continue
        if table.name in seen:
            yield NameFault(
                "described-twice",
                "error",
                ("tables", name),
                table.name,
                f"`{name}` and `{seen[table.name]}` are the same table",
                f"merge the two under `{table.name}`",
            )
        seen.setdefault(table.name, name)
        for column in text.columns:
            if table.column(column) is None:
                yield _no_column(column, table, ("tables", name, "columns", column))


def _relationships(document: Document, catalog: Catalog) -> Iterator[NameFault]:
    for number in range(len(document.semantic.relationships)):
        yield from relationship_faults(document, number, catalog)


def relationship_faults(document: Document, number: int, catalog: Catalog) -> Iterator[NameFault]:
    """Yield the names in the relationship of that number that can't be used."""
    relationship = document.semantic.relationships[number]
    sides = (("from", relationship.from_columns), ("to", relationship.to_columns))
    for side, columns in sides:
        tables = set()
        for item, text in enumerate(columns):
            place: Place = ("relationships", number, side, item)
            table, column = find_column(text, catalog)
            if table is None:
                yield _no_table(text.rpartition(".")[0], place, catalog)
            elif column is None:
                yield _no_column(text.rpartition(".")[2], table, place)
            else:
                tables.add(table.name)
        if len(tables) > 1:
            yield NameFault(
                "mixed-tables",
                "error",
                ("relationships", number, side),
                ", ".join(columns),
                f"`{side}` names columns of {' and '.join(sorted(tables))}",
                "name columns of one table on each side",
            )


def _glossary(document: Document, catalog: Catalog) -> Iterator[NameFault]:
    for number, term in enumerate(document.semantic.glossary):
        for item, name in enumerate(term.tables):
            if catalog.find(name) is None:
                yield _no_table(name, ("glossary", number, "tables", item), catalog)


def _no_table(name: str, place: Place, catalog: Catalog) -> NameFault:
    return NameFault(
        "unknown-table",
        "error",
        place,
        name,
        f"there is no table `{name}`",
        did_you_mean(name, catalog.by_name, "name a table that `dblore tables` lists"),
    )


def _no_column(name: str, table: Table, place: Place) -> NameFault:
    columns = [column.name for column in table.columns]
    return NameFault(
        "unknown-column",
        "error",
        place,
        f"{table.name}.{name}",
        f"table {table.name} has no column `{name}`",
        did_you_mean(name, columns, f"use one of {', '.join(columns[:8])}"),
    )
