"""What the items of semantic.yaml use."""

from __future__ import annotations

import fnmatch

from pipeline.authored import Document
from pipeline.authored.names import find_column
from pipeline.references.gathering import File, Gathering, Keys
from pipeline.references.statements import Named
from schemas.facts import Table
from schemas.knowledge import GlossaryTerm, Relationship, SemanticTable


def gather(document: Document, gathering: Gathering) -> None:
    """Note the items of a semantic.yaml."""
    file = gathering.of_file(document.path.name, document.positions)
    semantic = document.semantic
    _database(document, file)
    for name, table in semantic.tables.items():
        _table(name, table, file)
    for number, relationship in enumerate(semantic.relationships):
        _relationship(relationship, ("relationships", number), file)
    for number, term in enumerate(semantic.glossary):
        _term(term, ("glossary", number), file)
    for number, metric in enumerate(semantic.metrics):
        keys: Keys = ("metrics", number)
        item = file.item("metric", keys, metric.name)
        tables = file.sql(item, metric.sql, (*keys, "sql"))
        own = [file.catalog.by_name[table] for table in tables]
        file.prose(item, metric.definition, (*keys, "definition"), own)
    for number, example in enumerate(semantic.examples):
        keys = ("examples", number)
        item = file.item("example", keys, example.question)
        file.sql(item, example.sql, (*keys, "sql"))


def _database(document: Document, file: File) -> None:
    semantic = document.semantic
    if semantic.description or semantic.dialect_notes:
        item = file.item("database", ("database",), semantic.name or "database")
        file.prose(item, semantic.description, ("database", "description"))
        for number, note in enumerate(semantic.dialect_notes):
            file.prose(item, note, ("database", "dialect_notes", number))
    for domain in semantic.domains:
        item = file.item("domain", ("domains", domain.name), domain.name)
        file.prose(item, domain.description, ("domains", domain.name, "description"))
        for number, glob in enumerate(domain.tables):
            if not any(character in glob for character in "*?["):
                file.table(item, glob, ("domains", domain.name, "tables", number))
                continue
            pattern = glob.casefold()
            for table in file.catalog.tables:
                if fnmatch.fnmatchcase(table.name.casefold(), pattern):
                    file.use(item, table.name)


def _table(name: str, said: SemanticTable, file: File) -> None:
    keys: Keys = ("tables", name)
    item = file.item("table", keys, name)
    table = file.table(item, name, keys)
    own = (table,) if table else ()
    file.prose(item, said.description, (*keys, "description"), own)
    file.prose(item, said.grain or "", (*keys, "grain"), own)
    for number, note in enumerate(said.notes):
        file.prose(item, note, (*keys, "notes", number), own)
    for column, words in said.columns.items():
        here: Keys = (*keys, "columns", column)
        item = file.item("column", here, f"{name}.{column}")
        exact = file.column(item, table, column, here) if table else None
        file.prose(item, words.description, (*here, "description"), own)
        if words.values:
            codes = file.item("codes", (*here, "values"), f"{name}.{column}")
            if table and exact:
                file.use(codes, table.name, exact)


def _relationship(said: Relationship, keys: Keys, file: File) -> None:
    name = f"{', '.join(said.from_columns)} → {', '.join(said.to_columns)}"
    item = file.item("relationship", keys, name)
    tables: dict[str, Table] = {}
    for side, columns in (("from", said.from_columns), ("to", said.to_columns)):
        for number, column in enumerate(columns):
            table = file.place(item, column, (*keys, side, number))
            if table is not None:
                tables[table.name] = table
    over = [named(table, any_case=True) for table in tables.values()]
    if said.condition and len(over) == len({_table_of(c, file) for c in _both(said)}):
        file.sql(item, said.condition, (*keys, "condition"), over)
    file.prose(item, said.description, (*keys, "description"), tables.values())


def _both(said: Relationship) -> tuple[str, ...]:
    return (*said.from_columns, *said.to_columns)


def _table_of(column: str, file: File) -> str | None:
    table, _ = find_column(column, file.catalog)
    return table.name if table else None


def _term(said: GlossaryTerm, keys: Keys, file: File) -> None:
    item = file.item("glossary", keys, said.term)
    found = [
        file.table(item, name, (*keys, "tables", number)) for number, name in enumerate(said.tables)
    ]
    tables = {table.name: table for table in found if table is not None}
    if said.sql:
        over = [named(table) for table in tables.values()]
        for name in file.sql(item, said.sql, (*keys, "sql"), over):
            tables.setdefault(name, file.catalog.by_name[name])
    file.prose(item, said.definition, (*keys, "definition"), tables.values())


def named(table: Table, *more: str, any_case: bool = False) -> Named:
    """Return a table as a condition may call it."""
    names = dict.fromkeys((table.object_name, table.name, *more))
    folded = dict.fromkeys(name.casefold() for name in names)
    return Named(table, tuple({**names, **folded}), any_case)
