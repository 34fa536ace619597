"""Whether the tables and columns that semantic.yaml names are there."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator

from pipeline.authored.documents import Document
from pipeline.errors import did_you_mean
from schemas.facts import Catalog, Column, Table
from schemas.results import Problem


def check_names(document: Document, catalog: Catalog) -> tuple[Problem, ...]:
    """Return a problem per name in semantic.yaml that the catalog doesn't have, in file order.

    A missing table or column is an error; a pattern or a housekeeping name that fits nothing is a
    warning. Each message begins with the file's name and the line, e.g. `semantic.yaml:12: `.
    """
    return tuple(
        problem
        for check in (_housekeeping, _domains, _tables, _relationships, _glossary)
        for problem in check(document, catalog)
    )


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


def _housekeeping(document: Document, catalog: Catalog) -> Iterator[Problem]:
    names = {column.name for table in catalog.tables for column in table.columns}
    folded = {name.casefold() for name in names}
    for number, name in enumerate(document.semantic.housekeeping_columns):
        if name.casefold() not in folded:
            place = document.place("database", "housekeeping_columns", number)
            yield Problem(
                "unknown-column",
                "warning",
                f"{place}: no table has a column `{name}`",
                did_you_mean(name, sorted(names), "remove it from housekeeping_columns"),
            )


def _domains(document: Document, catalog: Catalog) -> Iterator[Problem]:
    folded = [table.name.casefold() for table in catalog.tables]
    for domain in document.semantic.domains:
        for number, glob in enumerate(domain.tables):
            if not fnmatch.filter(folded, glob.casefold()):
                place = document.place("domains", domain.name, "tables", number)
                yield Problem(
                    "empty-pattern",
                    "warning",
                    f"{place}: no table fits `{glob}` of domain {domain.name}",
                    did_you_mean(glob, catalog.by_name, "mend or remove the pattern"),
                )


def _tables(document: Document, catalog: Catalog) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for name, text in document.semantic.tables.items():
        place = document.place("tables", name)
        table = catalog.find(name)
        if table is None:
            yield _no_table(name, place, catalog)
            continue
        if table.name in seen:
            yield Problem(
                "described-twice",
                "error",
                f"{place}: `{name}` and `{seen[table.name]}` are the same table",
                f"merge the two under `{table.name}`",
            )
        seen.setdefault(table.name, name)
        for column in text.columns:
            if table.column(column) is None:
                yield _no_column(column, table, document.place("tables", name, "columns", column))


def _relationships(document: Document, catalog: Catalog) -> Iterator[Problem]:
    for number in range(len(document.semantic.relationships)):
        yield from check_relationship(document, number, catalog)


def check_relationship(document: Document, number: int, catalog: Catalog) -> Iterator[Problem]:
    """Yield a problem per name in the relationship of that number that can't be used."""
    relationship = document.semantic.relationships[number]
    sides = (("from", relationship.from_columns), ("to", relationship.to_columns))
    for side, columns in sides:
        tables = set()
        for item, text in enumerate(columns):
            place = document.place("relationships", number, side, item)
            table, column = find_column(text, catalog)
            if table is None:
                yield _no_table(text.rpartition(".")[0], place, catalog)
            elif column is None:
                yield _no_column(text.rpartition(".")[2], table, place)
            else:
                tables.add(table.name)
        if len(tables) > 1:
            place = document.place("relationships", number, side)
            yield Problem(
                "mixed-tables",
                "error",
                f"{place}: `{side}` names columns of {' and '.join(sorted(tables))}",
                "name columns of one table on each side",
            )


def _glossary(document: Document, catalog: Catalog) -> Iterator[Problem]:
    for number, term in enumerate(document.semantic.glossary):
        for item, name in enumerate(term.tables):
            if catalog.find(name) is None:
                place = document.place("glossary", number, "tables", item)
                yield _no_table(name, place, catalog)


def _no_table(name: str, place: str, catalog: Catalog) -> Problem:
    return Problem(
        "unknown-table",
        "error",
        f"{place}: there is no table `{name}`",
        did_you_mean(name, catalog.by_name, "name a table that `dblore tables` lists"),
    )


def _no_column(name: str, table: Table, place: str) -> Problem:
    columns = [column.name for column in table.columns]
    return Problem(
        "unknown-column",
        "error",
        f"{place}: table {table.name} has no column `{name}`",
        did_you_mean(name, columns, f"use one of {', '.join(columns[:8])}"),
    )
