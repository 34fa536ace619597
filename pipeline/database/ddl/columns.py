"""What a column's definition says, and what a table constraint does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from pipeline.database.ddl.drafts import Alias, Draft, Name, Reference, Script
from pipeline.database.ddl.reader import Reader, Unread
from pipeline.database.families import family
from pipeline.database.names import name_set
from pipeline.database.servers import mysql_text
from pipeline.database.servers.postgres_types import about, listed
from pipeline.database.sqlite_ddl import Token, closing_of, members_of_check
from schemas.facts import Check, Column, Index, Key

_ENDS_TYPE = name_set(
    "CONSTRAINT PRIMARY NOT NULL UNIQUE CHECK DEFAULT COLLATE REFERENCES GENERATED AS IDENTITY "
    "AUTO_INCREMENT AUTOINCREMENT COMMENT ON KEY STORAGE COMPRESSION ENCODE DISTKEY SORTKEY VISIBLE "
    "INVISIBLE MASKED SPARSE ROWGUIDCOL OPTIONS CODEC TTL ALIAS MATERIALIZED EPHEMERAL ENABLE "
    "DISABLE TAG VIRTUAL PERSISTENT PERSISTED STORED CHARSET FORMAT TITLE FIRST AFTER COMPRESS "
    "DEFERRABLE INITIALLY ENCRYPT HIDDEN INDEX FOREIGN MASKING"
)
_PAIRS = (("CHARACTER", "SET"), ("WITH", "MASKING"), ("WITH", "TAG"), ("WITH", "DEFAULT"))
# pg_dump puts parentheses round what is cast: ((c)::text = ANY ((ARRAY[…])::text[]))
_ROUND_NAME = re.compile(r"""\(("(?:[^"]|"")+"|[a-z_][\w$]*)\)(?=::)""")
_ROUND_ARRAY = re.compile(r"\((ARRAY\[[^\]]*\])\)(?=::)")
_SERIAL = name_set("SERIAL BIGSERIAL SMALLSERIAL SERIAL2 SERIAL4 SERIAL8")
_POSTGRES = ("postgres", "redshift", "materialize", "risingwave")
_TSQL = ("tsql", "fabric")


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
            Unread: it is neither a column nor a constraint.
        """
        if self.is_constraint(item):
            self.constraint(item)
            return None
        return self.column(item, comment)

    def is_constraint(self, item: Reader) -> bool:
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
        return word == "INDEX" and item.lexis.dialect in (*_TSQL, "clickhouse")

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
            self._like(item.name())
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
        self._draft.primary_key = Key(self._own(item.names()), own)

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
            self._draft.unique.append(Key(self._own(terms), name))
        else:
            self._draft.indexes.append(Index(name or "", terms, unique=True))

    def check(self, item: Reader, name: str | None) -> None:
        start = item.at
        inside = item.group()
        text = item.span(start + 1, start + 1 + len(inside))
        self._draft.checks.append(Check(_bare(item, inside, text), name))

    def _foreign(self, item: Reader, name: str | None) -> None:
        if item.token.text != "(":  # MySQL's name of the index beneath
            item.take("IF", "NOT", "EXISTS")
            own = item.part()
            name = name or own
        columns = self._own(item.names())
        if not item.take("REFERENCES"):
            raise Unread(f"REFERENCES is expected behind the foreign key {', '.join(columns)}")
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

    def _like(self, name: Name) -> None:
        other = self._script.find(name)
        if other is None:
            raise Unread(f"LIKE names {name[1]}, which isn't there")
        self._draft.columns += other.columns

    def _to_group(self, item: Reader) -> None:
        while not item.is_done and item.token.text != "(":
            item.at += 1

    def _own(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return columns of the table by their own names."""
        places = [self._draft.column(name) for name in names]
        return tuple(
            name if place is None else self._draft.columns[place].name
            for name, place in zip(names, places, strict=True)
        )

    def column(self, item: Reader, comment: str | None = None) -> Column:
        """Read a column."""
        name = item.part()
        start = item.at
        while not item.is_done and not _ends_type(item):
            item.skip()
        native = type_text(item, item.tokens[start : item.at], self._default)
        if not native and item.is_done and item.lexis.dialect != "sqlite":
            raise Unread(f"the column {name} has no type")
        found = _Found(Column(name=name, native_type=native, family="other", comment=comment))
        self._draft.columns.append(found.column)  # its constraints may name it
        try:
            self._attributes(item, found)
        finally:
            self._draft.columns.pop()
        return self._typed(found, item)

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
        if item.take("PRIMARY", "KEY") or item.take("PRIMARY") or item.take("KEY"):
            own = "PRIMARY" if item.lexis.is_mysql else name
            self._draft.primary_key = Key(columns, own)
        elif item.take("UNIQUE"):
            item.take("KEY")
            own = found.column.name if item.lexis.is_mysql else name
            self._draft.unique.append(Key(columns, own))
        elif item.word == "CHECK" and item.ahead().text == "(":
            item.at += 1
            self.check(item, name)
        elif item.take("REFERENCES"):
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
        if text and self._default and item.lexis.dialect in _POSTGRES:
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
        if item.token.text == "(" and (is_spelled or not item.ahead().text == "SELECT"):
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
        if column.native_type.upper() in _SERIAL and dialect in _POSTGRES:
            column, nullable = replace(column, identity=True), False
        if "nextval(" in (column.default or "").casefold():
            column = replace(column, identity=True)
        return typed(
            replace(column, nullable=True if nullable is None else nullable),
            self._script,
            dialect,
        )


def typed(column: Column, script: Script, dialect: str) -> Column:
    """Return a column with what its type means: family, members, what a domain adds."""
    native = column.native_type
    alias = _alias(native, script)
    members = alias.members if alias else ()
    base = native
    if alias is not None:
        base = "enum" if alias.members else alias.native_type
        inner = _alias(base, script)
        base = inner.native_type if inner and not inner.members else base
        column = replace(
            column,
            nullable=column.nullable and alias.nullable,
            default=column.default if column.default is not None else alias.default,
        )
    word = base.partition("(")[0].strip().casefold()
    if word in ("enum", "set", "enum8", "enum16") and "(" in base:
        members = mysql_text.members("enum", base)
        base = "enum"
    return replace(column, family=family(base.strip('"'), dialect), enum_members=members)


def _alias(native: str, script: Script) -> Alias | None:
    if not script.types or native.endswith("]"):
        return None
    name = native.rpartition(".")[2] if not native.endswith('"') else native
    return script.types.get(name.strip('"').casefold())


def alias_checks(column: Column, script: Script) -> tuple[Check, ...]:
    """Return the checks that a column's domain adds, about the column."""
    alias = _alias(column.native_type, script)
    if alias is None:
        return ()
    return tuple(Check(about(c.expression, column.name), c.name) for c in alias.checks)


def type_text(item: Reader, tokens: Sequence[Token], default_schema: str | None) -> str:
    """Return a type as the engine's catalogue would spell it: one blank, no default schema."""
    if not tokens:
        return ""
    start, end = tokens[0].start, tokens[-1].end
    pieces = [t for t in item.pieces if start <= t.start < end and not t.is_comment]
    if item.lexis.dialect in (*_TSQL, "sqlite"):
        spelled = [item.lexis.name(t) if t.kind == "name" else t.text for t in pieces]
    else:
        spelled = [t.text for t in pieces]
    spelled = [" " if t.kind == "space" else s for t, s in zip(pieces, spelled, strict=True)]
    schemas = {default_schema, "sys"} if item.lexis.dialect in _TSQL else {default_schema}
    if len(pieces) > 2 and pieces[1].text == "." and item.lexis.name(pieces[0]) in schemas:
        spelled = spelled[2:]
    return "".join(spelled).strip()


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


def described(item: Reader) -> str | None:
    """Return the description among the options in parentheses, as BigQuery writes them."""
    for option in item.items():
        if option.word in ("DESCRIPTION", "COMMENT"):
            option.at += 1
            option.take("=")
            return option.literal()
    return None


def index_terms(item: Reader) -> tuple[str, ...]:
    """Read the terms of an index: columns by name, expressions as their text."""
    terms = []
    for part in item.items():
        first, following = part.token, part.ahead()
        is_alone = not following.text or following.kind in ("word", "name")
        if first.kind in ("word", "name") and is_alone:
            name = part.part()
            is_descending = item.lexis.is_mysql and part.word == "DESC"
            terms.append(f"{name} DESC" if is_descending else name)
        elif item.lexis.is_mysql and following.text == "(" and first.kind in ("word", "name"):
            name = part.part()
            part.skip()
            is_descending = part.word == "DESC"
            terms.append(_prefixed(name, part, is_descending))
        else:
            while part.tokens and part.tokens[-1].word in ("ASC", "DESC"):
                part.tokens.pop()
            terms.append(part.span(0, len(part.tokens)))
    return tuple(terms)


def _prefixed(name: str, part: Reader, is_descending: bool) -> str:
    length = part.span(2, part.at - 1)
    return f"{name}({length}){' DESC' if is_descending else ''}"


def _bare(item: Reader, inside: Sequence[Token], text: str) -> str:
    """Return a condition without the parentheses that PostgreSQL puts around all of it."""
    reader = Reader(item.lexis, item.sql, inside)
    while reader.token.text == "(":
        reader.skip()
        if not reader.is_done:
            return text
        inner = reader.tokens[1:-1]
        reader = Reader(item.lexis, item.sql, inner)
        text = reader.span(0, len(inner))
    return text


def members_of(check: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the column, and what a check says that it may hold; None if it says another thing."""
    plain = _ROUND_ARRAY.sub(r"\1", _ROUND_NAME.sub(r"\1", check))
    return listed(plain) or members_of_check(check)
