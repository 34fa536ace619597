"""CREATE statements: tables, views, types, indexes, routines, triggers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from pipeline.database.ddl.columns import Definitions, expression
from pipeline.database.ddl.copies import copy_table
from pipeline.database.ddl.drafts import Alias, Draft, Name, Script, UnreadError
from pipeline.database.ddl.native_types import POSTGRES, type_text
from pipeline.database.ddl.reader import Reader
from pipeline.database.ddl.routines import ROUTINES, Routines
from pipeline.database.ddl.terms import bare, described, index_terms, whole
from pipeline.database.ddl.typed_tables import read_parts, read_typed
from pipeline.database.names import name_set, table_id
from pipeline.database.sqlite_ddl import (
    closing_of,
    comment_of_table,
    definitions_in,
    joined,
    parse_view_comment,
)
from schemas.facts import Index, Key, TableKind

_HEADS = name_set(
    "OR REPLACE ALTER GLOBAL LOCAL TEMPORARY TEMP UNLOGGED TRANSIENT VOLATILE MULTISET SET "
    "EXTERNAL FOREIGN VIRTUAL HYBRID DYNAMIC ICEBERG EDITIONABLE NONEDITIONABLE FORCE NO SECURE "
    "RECURSIVE MATERIALIZED UNIQUE CLUSTERED NONCLUSTERED BITMAP FULLTEXT SPATIAL COLUMNSTORE "
    "PRIMARY XML AGGREGATE CONSTRAINT DATABASE COLUMN "
    "PRIVATE SHARED IMMUTABLE INVISIBLE"
)
_OBJECTS = name_set(
    "TABLE VIEW INDEX TYPE DOMAIN FUNCTION PROCEDURE PROC TRIGGER MACRO SCHEMA DATABASE AGGREGATE"
)
_AFTER_WHERE = ("WITH", "ON", "TABLESPACE")
_TRAITS = ("UNLOGGED",)
_PRIVATE = ("TEMPORARY", "TEMP")
_LASTING = ("oracle", "teradata")
"""Whose GLOBAL TEMPORARY tables stay; only their rows go."""


class Creation:
    """Reads CREATE statements into a script."""

    def __init__(self, script: Script, default_schema: str | None) -> None:
        self._script, self._default = script, default_schema
        self._routines = Routines(script)

    def read(self, reader: Reader) -> bool:
        """Read one; False: what it creates is nothing of the catalogue's.

        Raises:
            UnreadError: it can't be understood.
        """
        reader.take("CREATE")
        heads = _heads(reader)
        what = reader.word
        reader.at += 1
        makes: dict[str, Callable[[Reader, set[str]], None]] = {
            "TABLE": self._table,
            "VIEW": self._view,
            "INDEX": self._index,
            "TYPE": self._type,
            "DOMAIN": self._type,
        }
        if what in makes:
            is_lasting = "GLOBAL" in heads and reader.lexis.dialect in _LASTING
            if what == "TABLE" and not heads.isdisjoint(_PRIVATE) and not is_lasting:
                return False
            makes[what](reader, heads)
            return True
        if what == "TRIGGER":
            self._routines.trigger(reader)
            return True
        if what in ROUTINES:
            self._routines.routine(reader, ROUTINES[what])
            return True
        return False

    def _new(self, reader: Reader, heads: set[str], kind: TableKind) -> Draft | None:
        """Begin a table; None when one of that name is there and may stay."""
        is_careful = reader.take("IF", "NOT", "EXISTS")
        schema, name = reader.name()
        draft = Draft(self._script.full((schema, name)), kind)
        known = self._script.known(draft.name)
        if known is None:
            return draft
        if is_careful:
            return None
        if known.kind == kind == "table" and "REPLACE" not in heads:
            shown = table_id(name, None if draft.name[0] == self._default else draft.name[0])
            self._script.notes.append(f"{shown} is created twice: the later statement counts")
        return draft

    def _table(self, reader: Reader, heads: set[str]) -> None:
        kind: TableKind = "table"
        if "FOREIGN" in heads or "EXTERNAL" in heads:
            kind = "foreign_table"
        elif "VIRTUAL" in heads:
            kind = "virtual_table"
        draft = self._new(reader, heads, kind)
        if draft is None:
            return
        draft.options += [trait for trait in _TRAITS if trait in heads]
        draft.options += ["GLOBAL TEMPORARY"] if not heads.isdisjoint(_PRIVATE) else []
        if reader.take("PARTITION", "OF"):
            draft.partition_of = self._script.full(reader.name())
            self._script.put(draft)
            return
        if reader.take("OF"):
            read_typed(self._script, draft, reader, self._default)
            self._script.put(draft)
            return
        if reader.take_any("LIKE", "CLONE"):
            copy_table(self._script, draft, reader)
        elif kind == "virtual_table":
            self._virtual(draft, reader)
        elif self._to_body(reader):
            self._body(draft, reader)
            self._tail(draft, reader)
        elif not self._as_query(draft, reader):
            raise UnreadError("neither columns nor a query follow the name")
        self._script.put(draft)

    def _to_body(self, reader: Reader) -> bool:
        """Go to the parentheses with columns; options such as CLUSTER BY (id) may come before."""
        start = reader.at
        while not reader.is_done and reader.word != "AS":
            if reader.token.text == "(":
                at = reader.at
                is_query = reader.ahead().word in ("SELECT", "WITH")
                is_body = at == start or any(len(i.tokens) > 1 for i in reader.items())
                reader.at = at
                if is_body and not is_query:
                    return True
            reader.skip()
        reader.at = start
        return False

    def _virtual(self, draft: Draft, reader: Reader) -> None:
        """Read SQLite's CREATE VIRTUAL TABLE … USING module(arguments)."""
        reader.take("USING")
        module = reader.part().casefold()
        draft.options.append(module)
        if module.startswith(("fts", "rtree", "geopoly")) and reader.token.text == "(":
            definitions = Definitions(self._script, draft, self._default)
            for item in reader.items():
                if item.ahead().text != "=" and item.token.kind in ("word", "name"):
                    item.tokens = item.tokens[:1]
                    draft.columns.append(definitions.column(item))

    def _body(self, draft: Draft, reader: Reader) -> None:
        pieces = list(reader.pieces)
        opening = next(i for i, t in enumerate(pieces) if t.start == reader.token.start)
        closing = closing_of(pieces, opening)
        if closing >= len(pieces):
            raise UnreadError("the ( of its columns is never closed")
        found = whole(definitions_in(pieces[opening + 1 : closing]), pieces)
        draft.comment = comment_of_table(pieces, opening, found)
        definitions = Definitions(self._script, draft, self._default)
        later: list[Reader] = []
        for number, definition in enumerate(found):
            item = Reader(reader.lexis, reader.sql, definition.body)
            if item.is_done:
                if number < len(found) - 1:
                    raise UnreadError("a column is expected before ,")
                continue
            if definitions.is_constraint(item):  # of LIKE the columns come here
                (definitions.constraint if item.word == "LIKE" else later.append)(item)
                continue
            column = definitions.column(item, joined(definition.comments))
            if any(column.name == other.name for other in draft.columns):
                raise UnreadError(f"it has two columns {column.name}")
            draft.columns.append(column)
        for item in later:  # they may stand before the columns that they name
            definitions.constraint(item)
        reader.skip()

    def _tail(self, draft: Draft, reader: Reader) -> None:
        """Read what follows the columns: parents, partitions, comment, options."""
        while not reader.is_done:
            if reader.take("INHERITS"):
                draft.parents += [self._script.full(item.name()) for item in reader.items()]
            elif reader.take("PARTITION", "BY"):
                self._partitions(draft, reader)
            elif reader.take("PRIMARY", "KEY") and reader.token.text == "(":  # ClickHouse
                draft.primary_key = Key(reader.names())
            elif reader.word == "AS" and reader.ahead().word in ("SELECT", "WITH", "("):
                self._as_query(draft, reader)
            elif not (self._comment(draft, reader) or self._trait(draft, reader)):
                reader.skip()

    def _comment(self, draft: Draft, reader: Reader) -> bool:
        if reader.take("COMMENT"):
            reader.take("=")
            draft.comment = reader.literal() or draft.comment
            return True
        if reader.word == "OPTIONS" and reader.ahead().text == "(":
            reader.at += 1
            draft.comment = described(reader) or draft.comment
            return True
        return False

    def _trait(self, draft: Draft, reader: Reader) -> bool:
        if reader.take("WITHOUT", "ROWID"):
            draft.options.append("WITHOUT ROWID")
        elif reader.word == "STRICT" and reader.lexis.dialect == "sqlite":
            draft.options.append("STRICT")
            reader.at += 1
        elif reader.take("ENGINE"):
            reader.take("=")
            engine = reader.token.text
            if reader.lexis.is_mysql and engine.casefold() != "innodb":
                draft.options.append(engine)
            reader.skip()
        elif reader.take("WITH", "SYSTEM", "VERSIONING"):
            draft.options.append("SYSTEM VERSIONED")
        elif reader.take("SERVER"):
            draft.options.append(f"SERVER {reader.part()}")
        else:
            return False
        return True

    def _partitions(self, draft: Draft, reader: Reader) -> None:
        start = reader.at
        while not reader.is_done and reader.token.text != "(":
            reader.at += 1
        if not reader.is_done:
            reader.skip()
        if not reader.lexis.is_mysql:
            draft.options.append(f"PARTITION BY {reader.span(start)}")
        while not reader.is_done and reader.token.text != "(":
            if reader.take("PARTITIONS"):
                draft.partitions = int(reader.token.text) if reader.token.text.isdigit() else None
            reader.at += 1
        if not reader.is_done:
            parts = [item for item in reader.items() if item.word == "PARTITION"]
            draft.partitions = len(parts) or draft.partitions

    def _as_query(self, draft: Draft, reader: Reader) -> bool:
        """Read CREATE TABLE … AS SELECT, whatever stands between."""
        while not reader.is_done:
            is_as = reader.take("AS")
            if reader.word in ("SELECT", "WITH") or (is_as and reader.token.text == "("):
                draft.query = reader.sql[reader.token.start :]
                reader.at = len(reader.tokens)
                return True
            if not is_as:
                reader.skip()
        return False

    def _view(self, reader: Reader, heads: set[str]) -> None:
        kind: TableKind = "materialized_view" if "MATERIALIZED" in heads else "view"
        draft = self._new(reader, heads, kind)
        if draft is None:
            return
        if reader.token.text == "(":
            items = reader.items()
            draft.named = tuple(dict.fromkeys(i.part() for i in items if not i.is_done))
            for name, item in zip(draft.named, items, strict=False):
                if item.take("COMMENT") and (comment := item.literal()):
                    draft.column_comments[name] = comment
        while not reader.is_done and not (
            reader.word == "AS" and reader.ahead().word not in ("OWNER", "CALLER", "SELF")
        ):
            if not self._comment(draft, reader):
                reader.skip()
        if not reader.take("AS") or reader.is_done:
            raise UnreadError("a view needs AS and a query")
        query = reader.sql[reader.token.start :].strip()
        draft.query = _WITHOUT.sub("", query)
        is_sqlite = reader.lexis.dialect == "sqlite"
        draft.definition = reader.sql if is_sqlite else draft.query
        draft.comment = draft.comment or parse_view_comment(reader.sql)
        self._script.put(draft)

    def _type(self, reader: Reader, _heads: set[str]) -> None:
        name = self._script.type_key(reader.name()[1])
        if reader.take("AS", "ENUM"):
            members = [item.literal() or "" for item in reader.items() if not item.is_done]
            self._script.types[name] = Alias("enum", tuple(members))
            return
        word = reader.take_any("AS", "IS", "FROM")
        if (word != "FROM" and reader.take("OBJECT")) or (
            word == "AS" and reader.token.text == "("
        ):
            read_parts(self._script, name, reader, self._default)
            return
        if reader.token.text == "(" or reader.word in ("RANGE", "TABLE", "VARRAY", "VARYING"):
            return  # no other type stands beneath
        start = reader.at
        stops = name_set("DEFAULT NOT NULL CONSTRAINT CHECK COLLATE")
        while not reader.is_done and reader.word not in stops:
            reader.skip()
        native = type_text(reader, reader.tokens[start : reader.at], self._default)
        self._script.types[name] = self._domain(reader, Alias(native))

    def _domain(self, reader: Reader, alias: Alias) -> Alias:
        name = None
        while not reader.is_done:
            if reader.take("NOT", "NULL"):
                alias = replace(alias, nullable=False)
            elif reader.take("DEFAULT"):
                alias = replace(alias, default=expression(reader))
            elif reader.take("CONSTRAINT"):
                name = reader.part()
                continue
            elif reader.word == "CHECK" and reader.ahead().text == "(":
                reader.at += 1
                inside = Draft((None, ""))
                Definitions(self._script, inside, self._default).check(reader, name)
                alias = replace(alias, checks=(*alias.checks, *inside.checks))
            else:
                reader.skip()
            name = None
        return alias

    def _index(self, reader: Reader, heads: set[str]) -> None:
        reader.take("CONCURRENTLY")
        reader.take("IF", "NOT", "EXISTS")
        name = "" if reader.word == "ON" else reader.name()[1]
        while not reader.is_done and not reader.take("ON"):
            reader.skip()
        reader.take("ONLY")
        target = reader.name()
        draft = self._script.find(target)
        if draft is None:
            raise UnreadError(f"its table {target[1]} isn't there")
        if reader.take("USING"):
            reader.skip()
        if reader.token.text != "(":
            return  # such as a columnstore index of all columns
        terms = draft.own(index_terms(reader))
        where = None
        while not reader.is_done:
            if reader.take("WHERE"):
                start = reader.at
                rest = takewhile(lambda t: t.word not in _AFTER_WHERE, reader.tokens[start:])
                condition = list(rest)
                where = reader.span(start, start + len(condition))
                if reader.lexis.dialect in POSTGRES:
                    where = bare(reader, condition, where)
                break
            reader.skip()
        is_unique = "UNIQUE" in heads
        name = name or "_".join((draft.name[1], *terms, "idx"))
        if is_unique and reader.lexis.is_mysql:
            draft.unique.append(Key(terms, name))
        else:
            draft.indexes.append(Index(name, terms, is_unique, where))


_WITHOUT = re.compile(
    r"(?is)\s+with\s+(?:no\s+)?data\s*\Z|\s+with\s+(?:\w+\s+)?check\s+option\s*\Z"
)


def _heads(reader: Reader) -> set[str]:
    """Step over what stands before the kind of the object, e.g. OR REPLACE, DEFINER=…."""
    found = set()
    while not reader.is_done:
        word = reader.word
        if word == "AGGREGATE" and reader.ahead().word != "FUNCTION":
            break
        if word == "DATABASE" and reader.ahead().word != "TRIGGER":
            break
        if word in _HEADS:
            found.add(word)
            reader.at += 1
        elif word in ("ALGORITHM", "DEFINER") and reader.ahead().text == "=":
            reader.at += 3
            while reader.token.text.startswith("@") or reader.token.text == "(":
                mark = reader.token.text
                reader.skip()
                if mark == "@":
                    reader.skip()
        elif word == "SQL" and reader.ahead().word == "SECURITY":
            reader.at += 3
        else:
            break
    return found


def created(reader: Reader) -> tuple[str, Name | None]:
    """Return what a statement creates, and its name as far as it can be told; '' for others."""
    reader.at = 0
    if not reader.take("CREATE"):
        return "", None
    _heads(reader)
    what = reader.word.lower()
    reader.at += 1
    reader.take("IF", "NOT", "EXISTS")
    try:
        return what, reader.name()
    except UnreadError:
        return what, None
