"""What a column's definition says, and what a table constraint does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from pipeline.database.ddl.copies import copy_items
from pipeline.database.ddl.drafts import Draft, Reference, Script, UnreadError
from pipeline.database.ddl.native_types import POSTGRES, TSQL, type_text, typed
from pipeline.database.ddl.reader import Reader
from pipeline.database.ddl.terms import bare, described, index_terms
from pipeline.database.names import name_set
from pipeline.database.sqlite_ddl import closing_of
from schemas.facts import Check, Column, Index, Key

_ENDS_TYPE = name_set(
    "CONSTRAINT PRIMARY NOT NULL UNIQUE CHECK DEFAULT COLLATE REFERENCES GENERATED AS IDENTITY "
    "AUTO_INCREMENT AUTOINCREMENT COMMENT ON KEY STORAGE COMPRESSION ENCODE DISTKEY SORTKEY "
    "VISIBLE INVISIBLE "
    "MASKED SPARSE ROWGUIDCOL OPTIONS CODEC TTL ALIAS MATERIALIZED EPHEMERAL ENABLE "
    "DISABLE TAG VIRTUAL PERSISTENT PERSISTED STORED CHARSET FORMAT TITLE FIRST AFTER COMPRESS "
    "DEFERRABLE INITIALLY ENCRYPT HIDDEN INDEX FOREIGN MASKING"
)
_PAIRS = (("CHARACTER", "SET"), ("WITH", "MASKING"), ("WITH", "TAG"), ("WITH", "DEFAULT"))
_SERIAL = name_set("SERIAL BIGSERIAL SMALLSERIAL SERIAL2 SERIAL4 SERIAL8")


@dataclass(slots=True)
class _Found:
    """What is known of the column that is being read."""

    column: Column
    nullable: bool | None = None
    """None: it wasn't said."""


class Definitions:
    """Reads columns and constraints into one table."""

    def __init__(self, script: Script, draft: Draft, default_schema: str | None) -> None:
        self._script, self._draft, self._default = script, draft, default_schema

    def read(self, item: Reader, comment: str | None = None) -> Column | None:
        """Read one item between the parentheses of CREATE TABLE, or behind ADD.

        Returns:
            The column, when it is one; it isn't put into the table yet.

        Raises:
            UnreadError: it is neither a column nor a constraint.
        """
        if self.is_constraint(item):
            self.constraint(item)
            return None
        return self.column(item, comment)

    def is_constraint(self, item: Reader) -> bool:
        """Whether an item is a constraint of the table and no column."""
        word, following = item.word, item.ahead()
        if word in ("CONSTRAINT", "PRIMARY", "FOREIGN"):
            return word == "CONSTRAINT" or following.word == "KEY"
        if word == "UNIQUE":
            return True
        if word == "CHECK":
            return following.text == "("
        if word == "EXCLUDE":
            return following.word == "USING" or following.text == "("
        if word == "PERIOD":
            return following.word == "FOR"
        if word == "LIKE":
            return True
        is_key = word in ("KEY", "INDEX", "FULLTEXT", "SPATIAL")
        if item.lexis.is_mysql:
            return is_key
        return word == "INDEX" and item.lexis.dialect in (*TSQL, "clickhouse")

    def constraint(self, item: Reader) -> None:
        """Read a constraint of the table."""
        name = None
        if item.take("CONSTRAINT"):
            is_nameless = item.word in ("PRIMARY", "FOREIGN", "UNIQUE", "CHECK") and (
                item.ahead().word == "KEY" or item.ahead().text == "("
            )
            name = None if is_nameless else item.part()
        word = item.take_any("PRIMARY KEY", "UNIQUE", "CHECK", "FOREIGN KEY", "EXCLUDE", "LIKE")
        if word == "PRIMARY KEY":
            self._primary(item, name)
        elif word == "UNIQUE":
            self._unique(item, name)
        elif word == "CHECK":
            self.check(item, name)
        elif word == "FOREIGN KEY":
            self._foreign(item, name)
        elif word == "EXCLUDE":
            self._draft.checks.append(Check(item.span(item.at - 1, len(item.tokens)), name))
        elif word == "LIKE":
            copy_items(self._script, self._draft, item)
        elif word == "" and item.word in ("KEY", "INDEX", "FULLTEXT", "SPATIAL"):
            self._key(item)
        # PERIOD FOR, NOT NULL and the like of constraints say nothing that the catalogue holds

    def _primary(self, item: Reader, name: str | None) -> None:
        if item.take("USING", "INDEX"):
            wanted = item.part()
            for index in self._draft.indexes:
                if index.name == wanted:
                    self._draft.primary_key = Key(index.columns, name or wanted)
            self._script.drop_indexes([wanted])
            return
        self._to_group(item)
        own = "PRIMARY" if item.lexis.is_mysql else name
        self._draft.primary_key = Key(self._draft.own(item.names()), own)

    def _unique(self, item: Reader, name: str | None) -> None:
        if item.take("USING", "INDEX"):
            wanted = item.part()
            found = [index for index in self._draft.indexes if index.name == wanted]
            self._draft.unique += [Key(index.columns, name or wanted) for index in found]
            self._script.drop_indexes([wanted])
            return
        item.take_any("KEY", "INDEX")
        if item.lexis.is_mysql and item.token.text != "(" and item.word != "USING":
            name = item.part()
        self._to_group(item)
        terms = index_terms(item)
        is_plain = all(self._draft.column(term) is not None for term in terms)
        if is_plain or not item.lexis.is_mysql:
            self._draft.unique.append(Key(self._draft.own(terms), name))
        else:
            self._draft.indexes.append(Index(name or "", terms, unique=True))

    def check(self, item: Reader, name: str | None) -> None:
        """Read the condition behind CHECK."""
        start = item.at
        inside = item.group()
        text = item.span(start + 1, start + 1 + len(inside))
        self._draft.checks.append(Check(bare(item, inside, text), name))

    def _foreign(self, item: Reader, name: str | None) -> None:
        if item.token.text != "(":  # MySQL's name of the index beneath
            item.take("IF", "NOT", "EXISTS")
            own = item.part()
            name = name or own
        columns = self._draft.own(item.names())
        if not item.take("REFERENCES"):
            raise UnreadError(f"REFERENCES is expected behind the foreign key {', '.join(columns)}")
        self._refer(item, columns, name)

    def _refer(self, item: Reader, columns: tuple[str, ...], name: str | None) -> None:
        target = item.name()
        there = item.names() if item.token.text == "(" else ()
        self._draft.references.append(Reference(columns, self._script.full(target), there, name))

    def _key(self, item: Reader) -> None:
        kind = item.take_any("FULLTEXT", "SPATIAL")
        item.take_any("KEY", "INDEX")
        item.take("IF", "NOT", "EXISTS")
        name = item.part() if item.token.text != "(" and item.word != "USING" else ""
        is_unique = item.take("UNIQUE")
        self._to_group(item)
        terms = index_terms(item)
        self._draft.indexes.append(Index(name or terms[0], terms, unique=is_unique))
        if kind:
            self._draft.options.append(f"{kind} INDEX {name}")

    def _to_group(self, item: Reader) -> None:
        while not item.is_done and item.token.text != "(":
            item.at += 1

    def column(self, item: Reader, comment: str | None = None) -> Column:
        """Read a column."""
        name = item.part()
        start = item.at
        while not item.is_done and not _ends_type(item):
            item.skip()
        native = type_text(item, item.tokens[start : item.at], self._default)
        if not native and item.is_done and item.lexis.dialect != "sqlite":
            raise UnreadError(f"the column {name} has no type")
        found = _Found(Column(name=name, native_type=native, family="other", comment=comment))
        self._draft.columns.append(found.column)  # its constraints may name it
        try:
            self._attributes(item, found)
        finally:
            self._draft.columns.pop()
        return self._typed(found, item)

    def extended(self, item: Reader, column: Column) -> Column:
        """Read what is said further of a column that a type gave."""
        found = _Found(column)
        self._attributes(item, found)
        return replace(
            found.column, nullable=column.nullable if found.nullable is None else found.nullable
        )

    def _attributes(self, item: Reader, found: _Found) -> None:
        name: str | None = None
        while not item.is_done:
            if item.take("CONSTRAINT"):
                name = item.part()
                continue
            if not (self._key_attribute(item, found, name) or self._attribute(item, found)):
                item.skip()
            name = None

    def _key_attribute(self, item: Reader, found: _Found, name: str | None) -> bool:
        columns = (found.column.name,)
        is_short = item.lexis.is_mysql and item.take("KEY")
        if is_short or item.take("PRIMARY", "KEY") or item.take("PRIMARY"):
            own = "PRIMARY" if item.lexis.is_mysql else name
            self._draft.primary_key = Key(columns, own)
        elif item.take("UNIQUE"):
            item.take("KEY")
            own = found.column.name if item.lexis.is_mysql else name
            self._draft.unique.append(Key(columns, own))
        elif item.word == "CHECK" and item.ahead().text == "(":
            item.at += 1
            self.check(item, name)
        elif item.take("FOREIGN", "KEY", "REFERENCES") or item.take("REFERENCES"):
            self._refer(item, columns, name)
        elif item.take("ON"):
            _skip_action(item)
        else:
            return False
        return True

    def _attribute(self, item: Reader, found: _Found) -> bool:
        column = found.column
        if item.take("NOT", "NULL"):
            found.nullable = False
        elif item.take("NOT"):  # NOT DEFERRABLE, NOT FOR REPLICATION, …
            item.skip()
        elif item.take("NULL"):
            found.nullable = True if found.nullable is None else found.nullable
        elif item.take("DEFAULT"):
            item.take("ON", "NULL")
            found.column = replace(column, default=self.default(item))
        elif item.take("COLLATE") or item.take("CHARSET") or item.take("CHARACTER", "SET"):
            item.take("=")
            item.name()
        elif item.word in ("GENERATED", "AS"):
            self._generated(item, found)
        elif item.take_any("IDENTITY", "AUTO_INCREMENT", "AUTOINCREMENT"):
            found.column = replace(column, identity=True)
            found.nullable = False
        elif item.take("COMMENT"):
            item.take("=")
            found.column = replace(column, comment=item.literal() or column.comment)
        elif item.take("OPTIONS") and item.token.text == "(":
            found.column = replace(column, comment=described(item) or column.comment)
        else:
            return False
        return True

    def default(self, item: Reader) -> str | None:
        """Read a default, spelled as the engine's catalogue does."""
        start = item.at
        text = expression(item)
        tokens = item.tokens[start : item.at]
        if text and item.lexis.dialect == "sqlite" and tokens[0].text == "(":
            return text[1:-1] if closing_of(tokens, 0) == len(tokens) - 1 else text
        if text and self._default and item.lexis.dialect in POSTGRES:
            for one, following in reversed(list(pairwise(tokens))):
                if following.text == "." and item.lexis.name_of(one) == self._default:
                    at = one.start - tokens[0].start
                    text = text[:at] + text[at + len(one.text) + 1 :]
        return text

    def _generated(self, item: Reader, found: _Found) -> None:
        is_spelled = item.take("GENERATED")
        item.take_any("ALWAYS", "BY DEFAULT")
        item.take("ON", "NULL")
        item.take("AS")
        if item.take("IDENTITY"):
            found.column = replace(found.column, identity=True)
            found.nullable = False
            return
        rows = item.take_any("ROW START", "ROW END")
        if rows:
            found.column = replace(found.column, generated="stored", expression=rows)
            return
        start = item.at
        if item.token.text == "(" and (is_spelled or item.ahead().text != "SELECT"):
            inside = item.group()
            text = item.span(start + 1, start + 1 + len(inside))
        else:
            text = expression(item) or ""
        stored = item.take_any("STORED", "PERSISTED", "PERSISTENT")
        item.take("VIRTUAL")
        kind: Literal["stored", "virtual"] = "stored" if stored else "virtual"
        found.column = replace(found.column, generated=kind, expression=text)

    def _typed(self, found: _Found, item: Reader) -> Column:
        column, dialect = found.column, item.lexis.dialect
        nullable = found.nullable
        if column.native_type.upper() in _SERIAL and dialect in POSTGRES:
            column, nullable = replace(column, identity=True), False
        if item.lexis.is_mysql and (native := _mysql_serial(column)):
            column, nullable = replace(column, native_type=native, identity=True), False
            column = replace(column, default=None)
            self._draft.unique.append(Key((column.name,), column.name))
        if "nextval(" in (column.default or "").casefold():
            column = replace(column, identity=True)
        return typed(
            replace(column, nullable=True if nullable is None else nullable),
            self._script,
            dialect,
        )


def _mysql_serial(column: Column) -> str | None:
    """Return the type that MySQL's SERIAL stands for, or that SERIAL DEFAULT VALUE follows."""
    *before, last = column.native_type.split() or [""]
    if last.upper() != "SERIAL":
        return None
    is_attribute = before and (column.default or "").upper() == "VALUE"
    return " ".join(before) if is_attribute else None if before else "bigint unsigned"


def _ends_type(item: Reader) -> bool:
    word = item.word
    if word in _ENDS_TYPE:
        return True
    return any(word == first and item.ahead().word == second for first, second in _PAIRS)


def expression(item: Reader) -> str | None:
    """Read an expression up to the next attribute of the column; None for NULL."""
    start = item.at
    is_null = item.word == "NULL"
    item.skip()
    while not item.is_done and not _ends_type(item):
        item.skip()
    text = item.span(start)
    return None if is_null and text.upper() == "NULL" else text


def _skip_action(item: Reader) -> None:
    """Step over what follows ON: DELETE SET NULL, UPDATE now(), CONFLICT REPLACE, [PRIMARY]."""
    if not item.take_any("DELETE", "UPDATE", "CONFLICT"):
        item.skip()
        return
    if item.take_any("SET NULL", "SET DEFAULT", "NO ACTION"):
        return
    item.skip()
    if item.token.text == "(":
        item.skip()
