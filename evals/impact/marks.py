"""Texts in which names of tables and columns are marked: what an item uses is known by its making.

The notation is told at the head of `adventureworks.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from schemas.facts import Catalog, Column, Table
from schemas.references import Key, dotted

_MARK = re.compile(r"\{(\w+)(?:\.(\w+))?(!?)(?::(join|match|sort))?\}")


@dataclass(frozen=True, slots=True)
class Mark:
    """One name in a text."""

    table: str
    column: str | None = None
    role: str = ""
    """`join`, `match`, `sort`, or nothing."""
    by: str = "sql"
    """`sql`, `prose` or `place`."""


@dataclass(slots=True)
class Made:
    """An item and what was put into it."""

    file: str
    kind: str
    keys: tuple[Key, ...]
    marks: set[Mark] = field(default_factory=set)
    codes: frozenset[str] = frozenset()
    """Of a code list, or of a relation whose type tells its target."""
    key: tuple[str, ...] = ()
    """Of an entity."""

    @property
    def id(self) -> tuple[str, str, str]:
        """What an item of the references is found by."""
        return (self.file, self.kind, dotted(self.keys))

    def uses(self, table: str, column: str | None = None, roles: str = "") -> bool:
        """Whether a table or column is marked in it, in one of these roles if any are told."""
        return any(
            mark.table == table
            and (column is None or mark.column == column)
            and (not roles or mark.role in roles.split())
            for mark in self.marks
        )


@dataclass(frozen=True, slots=True)
class Names:
    """How the tables and columns of a layer are called at some time."""

    tables: Mapping[str, str]
    """By short name."""
    renamed: Mapping[tuple[str, str | None], str] = field(default_factory=dict)
    """New names, by the old table and column."""

    def table(self, short: str) -> str:
        """Return a table's name of then."""
        old = self.tables[short]
        return self.renamed.get((old, None), old)

    def column(self, short: str, column: str) -> str:
        """Return a column's name of then."""
        return self.renamed.get((self.tables[short], column), column)

    def rendered(self, text: str) -> str:
        """Return a text without its marks."""

        def name(match: re.Match[str]) -> str:
            short, column, is_path = match[1], match[2], match[3]
            if column is None:
                return self.table(short)
            bare = self.column(short, column)
            return f"{self.table(short)}.{bare}" if is_path else bare

        return _MARK.sub(name, text)

    def marks(self, text: str, by: str) -> set[Mark]:
        """Return the marks of a text, by the names of today."""
        return {Mark(self.tables[m[1]], m[2], m[4] or "", by) for m in _MARK.finditer(text)}


class Layer:
    """A marked semantic layer: its files, and what each of their items uses."""

    def __init__(self, path: Path) -> None:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        self.names = Names(data["tables"])
        self._views: dict[str, Any] = data.get("views", {})
        self._semantic: dict[str, Any] = data["semantic"]
        self._graph: dict[str, Any] = data.get("graph", {})
        self._questions: list[dict[str, Any]] = data.get("questions", [])
        self.semantic, self.graph = self._rendered()

    def files(self) -> dict[str, str]:
        """Return the texts of the people's files."""
        questions = self._plain(self._questions)
        for said in questions:
            said["tables"] = [self.names.tables[short] for short in said.get("tables", [])]
        return {
            "semantic.yaml": _dump(self.semantic),
            "knowledge_graph.yaml": _dump(self.graph),
            "evaluation.yaml": _dump(questions),
        }

    # -- views --------------------------------------------------------------------------------

    def with_views(self, catalog: Catalog, names: Names | None = None) -> Catalog:
        """Return a catalogue whose views are those of the layer, written with `names`."""
        then = names or self.names
        tables = [table for table in catalog.tables if "view" not in table.kind]
        for short, said in self._views.items():
            name = self.names.tables[short]
            columns = tuple(Column(column, "", "other") for column in said["columns"])
            definition = then.rendered(said["sql"])
            tables.append(Table(name, name, kind="view", columns=columns, definition=definition))
        return replace(catalog, tables=tuple(sorted(tables, key=lambda table: table.name)))

    def shown(self, table: str, column: str) -> Iterator[tuple[str, str, bool]]:
        """Yield the columns of views made from a column; the flag: it is shown unchanged."""
        for short, said in self._views.items():
            for name, behind in said["columns"].items():
                for text in [behind] if isinstance(behind, str) else behind:
                    own, _, source = text.rstrip("*").partition(".")
                    if text and self.names.tables[own] == table and source == column:
                        yield self.names.tables[short], name, not text.endswith("*")

    # -- items --------------------------------------------------------------------------------

    def items(self, catalog: Catalog) -> list[Made]:
        """Return every item and what it uses."""
        made = [*self._of_tables(), *self._of_lists(), *self._of_entities(catalog)]
        made += [*self._of_relations(catalog), *self._of_questions()]
        for short, said in self._views.items():
            keys = ("tables", self.names.tables[short])
            made.append(Made("catalog.json", "view", keys, self.names.marks(said["sql"], "sql")))
        return made

    def _of_tables(self) -> Iterator[Made]:
        for short, said in self._semantic["tables"].items():
            name = self.names.tables[short]
            here = Made("semantic.yaml", "table", ("tables", name), {Mark(name, None, "", "place")})
            notes = said.get("notes", [])
            for text in (said.get("description", ""), said.get("grain", ""), *notes):
                here.marks |= self.names.marks(text, "prose")
            yield here
            for column, words in said.get("columns", {}).items():
                place = Mark(name, column, "", "place")
                keys = ("tables", name, "columns", column)
                text = words if isinstance(words, str) else words.get("description", "")
                marks = {place, *self.names.marks(text, "prose")}
                yield Made("semantic.yaml", "column", keys, marks)
                values = {} if isinstance(words, str) else words.get("values", {})
                if values:
                    listed = frozenset(values)
                    yield Made("semantic.yaml", "codes", (*keys, "values"), {place}, listed)

    def _of_lists(self) -> Iterator[Made]:
        kinds = (("glossary", "glossary"), ("metrics", "metric"), ("examples", "example"))
        for section, kind in kinds:
            for number, said in enumerate(self._semantic.get(section, [])):
                here = Made("semantic.yaml", kind, (section, number))
                here.marks |= self.names.marks(said.get("sql", ""), "sql")
                here.marks |= self.names.marks(said.get("definition", ""), "prose")
                for short in said.get("tables", []):
                    here.marks.add(Mark(self.names.tables[short], None, "", "place"))
                yield here
        for number, said in enumerate(self._semantic.get("relationships", [])):
            here = Made("semantic.yaml", "relationship", ("relationships", number))
            for text in (*said["from"], *said["to"]):
                here.marks.add(self._mark(text))
            here.marks |= self.names.marks(said.get("condition", ""), "sql")
            here.marks |= self.names.marks(said.get("description", ""), "prose")
            yield here

    def _of_entities(self, catalog: Catalog) -> Iterator[Made]:
        for number, said in enumerate(self._graph.get("entities", [])):
            table = self._table_of(said["name"])
            keys: tuple[Key, ...] = ("entities", number)
            here = Made("knowledge_graph.yaml", "entity", keys, {Mark(table, None, "", "place")})
            own = [*said.get("key", []), *said.get("attributes", [])]
            own += [said["label"]] if "label" in said else []
            here.marks |= {Mark(table, column, "", "place") for column in own}
            here.marks |= self.names.marks(said.get("description", ""), "prose")
            primary = catalog.by_name[table].primary_key
            here.key = tuple(said.get("key", primary.columns if primary else ()))
            yield here
            if "filter" in said:
                marks = {Mark(table), *self.names.marks(said["filter"], "sql")}
                yield Made("knowledge_graph.yaml", "filter", (*keys, "filter"), marks)

    def _of_relations(self, catalog: Catalog) -> Iterator[Made]:
        for number, said in enumerate(self._graph.get("relations", [])):
            here = Made("knowledge_graph.yaml", "relation", ("relations", number))
            polymorphic = said.get("polymorphic", {})
            ends = [said["subject"], *([said["object"]] if "object" in said else [])]
            ends += [target["object"] for target in polymorphic.get("targets", [])]
            here.marks |= {Mark(self._table_of(end), None, "", "place") for end in ends}
            if polymorphic:
                table = self._table_of(said["subject"])
                here.marks.add(Mark(table, polymorphic["column"], "join", "place"))
                here.marks.add(Mark(table, polymorphic["type_column"], "", "place"))
                here.codes = frozenset(target["type"] for target in polymorphic["targets"])
            for text in said.get("via", []):
                mark = self._mark(text)
                here.marks.add(mark)
                for link in catalog.by_name[mark.table].foreign_keys:
                    if link.columns == (mark.column,):
                        to = link.to_columns[0]
                        here.marks.add(Mark(link.to_table, to, "join", "place"))
            for key in ("on", "condition"):
                here.marks |= self.names.marks(said.get(key, ""), "sql")
            yield here

    def _of_questions(self) -> Iterator[Made]:
        for number, said in enumerate(self._questions):
            here = Made("evaluation.yaml", "question", (number,))
            for short in said.get("tables", []):
                here.marks.add(Mark(self.names.tables[short], None, "", "place"))
            for text in said.get("joins", []):
                marks = self.names.marks(text, "place")
                here.marks |= {replace(mark, role="join") for mark in marks}
            here.marks |= self.names.marks(said.get("sql", ""), "sql")
            yield here

    def _mark(self, text: str) -> Mark:
        short, _, column = text.partition(".")
        return Mark(self.names.tables[short], column, "join", "place")

    def _table_of(self, entity: str) -> str:
        said = next(e for e in self._graph["entities"] if e["name"] == entity)
        return self.names.tables[said["table"]] if "table" in said else self._table_of(said["is_a"])

    # -- rendering ----------------------------------------------------------------------------

    def _rendered(self) -> tuple[dict[str, Any], dict[str, Any]]:
        semantic = self._plain(self._semantic)
        semantic["tables"] = {
            self.names.tables[short]: said for short, said in semantic["tables"].items()
        }
        for said in semantic.get("glossary", []):
            if "tables" in said:
                said["tables"] = [self.names.tables[short] for short in said["tables"]]
        for said in semantic.get("relationships", []):
            for side in ("from", "to"):
                said[side] = [self._dotted(text) for text in said[side]]
        graph = self._plain(self._graph)
        for said in graph.get("entities", []):
            if "table" in said:
                said["table"] = self.names.tables[said["table"]]
        for said in graph.get("relations", []):
            if "via" in said:
                said["via"] = [self._dotted(text) for text in said["via"]]
        return semantic, graph

    def _dotted(self, text: str) -> str:
        short, _, column = text.partition(".")
        return f"{self.names.tables[short]}.{column}"

    def _plain(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._plain(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._plain(item) for item in value]
        return self.names.rendered(value)


def _dump(data: dict[str, Any] | list[dict[str, Any]]) -> str:
    return str(yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=1000))
