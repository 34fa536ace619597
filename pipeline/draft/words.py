"""What a file in the shape of semantic.yaml says: somebody's words, or suggestions as they were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pipeline.authored import Document
from pipeline.authored.yaml_nodes import child, data_of
from pipeline.draft.proposals import Proposal
from schemas.models import Catalog, SemanticColumn, SemanticTable

_LISTS = ("relationships", "glossary", "metrics", "examples")


def words(document: Document, catalog: Catalog, known: Iterable[Proposal]) -> list[Proposal]:
    """Return what the document says; a text that is suggested too keeps where that comes from."""
    suggested = {(p.table, p.column, p.key, p.text): p for p in known}
    return [
        suggested.get((said.table, said.column, said.key, said.text), said)
        for said in _all(document, catalog)
        if said.text.strip()
    ]


def _all(document: Document, catalog: Catalog) -> Iterator[Proposal]:
    for name, said in document.semantic.tables.items():
        table = catalog.find(name)
        yield from _of_table(table.name if table else name, said)
        for written, words_of_column in said.columns.items():
            column = table.column(written) if table else None
            shown = column.name if column else written
            yield from _of_column(table.name if table else name, shown, words_of_column)
    database = document.semantic
    yield from _listed("notes", "", "dialect_notes", database.dialect_notes)
    yield from _listed("housekeeping", "", "housekeeping_columns", database.housekeeping_columns)
    for key in _LISTS:
        found = child(document.root, key)
        for entry in data_of(found[1]) or () if found else ():
            kind = "joins" if key == "relationships" else "notes"
            yield Proposal(kind, "", "", key, _text_of(entry), "", entry)


def _text_of(entry: dict[str, Any]) -> str:
    """Return what names an entry of a list."""
    return ", ".join(str(value) for value in list(entry.values())[:2])


def _of_table(name: str, said: SemanticTable) -> Iterator[Proposal]:
    yield Proposal("descriptions", name, "", "description", said.description, "")
    yield Proposal("grain", name, "", "grain", said.grain or "", "")
    yield Proposal("descriptions", name, "", "domain", said.domain or "", "")
    if said.hidden:
        yield Proposal("descriptions", name, "", "hidden", "true", "", said.hidden)
    yield from _listed("descriptions", name, "synonyms", said.synonyms)
    yield from _listed("descriptions", name, "notes", said.notes)


def _of_column(table: str, name: str, said: SemanticColumn) -> Iterator[Proposal]:
    yield Proposal("descriptions", table, name, "description", said.description, "")
    for code, meaning in said.values.items():
        yield Proposal("codes", table, name, f"values.{code}", meaning, "")
    yield Proposal("units", table, name, "unit", said.unit or "", "")
    if said.sensitive is not None:
        text = str(said.sensitive).lower()
        yield Proposal("descriptions", table, name, "sensitive", text, "", said.sensitive)
    for item in _listed("descriptions", table, "synonyms", said.synonyms):
        yield replace(item, column=name)


def _listed(kind: str, table: str, key: str, items: Sequence[str]) -> Iterator[Proposal]:
    for item in items:
        yield Proposal(kind, table, "", key, item, "", item)
