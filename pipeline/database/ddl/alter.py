"""ALTER TABLE, DROP, RENAME, COMMENT ON and SQL Server's procedures: what changes what was made."""

from __future__ import annotations

import re
from dataclasses import replace

from pipeline.database.ddl.columns import Definitions, type_text, typed
from pipeline.database.ddl.drafts import Draft, Name, Reference, Script
from pipeline.database.ddl.reader import Reader, Unread
from pipeline.database.names import table_id
from pipeline.database.sqlite_ddl import definitions_in
from schemas.facts import Check, Key

_KINDS = ("TABLE", "VIEW", "MATERIALIZED VIEW", "FOREIGN TABLE", "EXTERNAL TABLE")
_IGNORED = ("OWNER", "SET", "RESET", "ENABLE", "DISABLE", "VALIDATE", "CLUSTER", "REPLICA", "FORCE")


class Change:
    """Reads statements that change what others made."""

    def __init__(self, script: Script, default_schema: str | None) -> None:
        self._script, self._default = script, default_schema

    def alter(self, reader: Reader) -> bool:
        """Read ALTER …; False: it says nothing of structure.

        Raises:
            Unread: it can't be understood.
        """
        reader.take("ALTER")
        if reader.take("TYPE"):
            return self._alter_type(reader)
        if not reader.take_any(*_KINDS):
            return False
        reader.take("IF", "EXISTS")
        reader.take("ONLY")
        name = reader.name()
        reader.take("*")
        if reader.take("WITH"):
            reader.take_any("CHECK", "NOCHECK")
        if reader.word in _IGNORED and reader.ahead().word != "SCHEMA":
            return False
        draft = self._script.find(name)
        if draft is None:
            if reader.word == "CHECK" or reader.ahead().word == "SEQUENCE":
                return False
            raise Unread(f"the table {name[1]} isn't there")
        self._actions(reader, draft)
        return True

    def _actions(self, reader: Reader, draft: Draft) -> None:
        """Read what is to be done, divided by commas; each ADD may go on without the word."""
        verb = ""
        rest = reader.pieces[self._place(reader) :]
        for definition in definitions_in(rest):
            action = Reader(reader.lexis, reader.sql, definition.body)
            if action.is_done:
                continue
            before = action.at
            found = action.take_any("ADD", "DROP", "RENAME", "ALTER", "MODIFY", "CHANGE")
            if found == "ADD" and action.word == "GENERATED":
                action.at, found = before, verb
            verb = found or verb
            if not found and verb not in ("ADD", "DROP"):
                verb = ""
            self._action(verb, action, draft)

    def _place(self, reader: Reader) -> int:
        start = reader.token.start
        return next((i for i, t in enumerate(reader.pieces) if t.start == start), 0)

    def _action(self, verb: str, action: Reader, draft: Draft) -> None:
        if verb == "ADD":
            self._add(action, draft)
        elif verb == "DROP":
            self._drop_part(action, draft)
        elif verb == "RENAME":
            self._rename_part(action, draft)
        elif verb == "ALTER":
            self._alter_column(action, draft)
        elif verb in ("MODIFY", "CHANGE"):
            self._modify(action, draft, is_renaming=verb == "CHANGE")
        elif action.take("ATTACH", "PARTITION"):
            child = self._script.find(action.name())
            if child is not None:
                child.partition_of = draft.name
        elif action.take("DETACH", "PARTITION"):
            child = self._script.find(action.name())
            if child is not None:
                child.partition_of = None
        elif action.take("INHERIT"):
            draft.parents.append(self._script.full(action.name()))
        elif action.take("SET", "SCHEMA"):
            self._move(draft, (action.part(), draft.name[1]))

    def _add(self, action: Reader, draft: Draft) -> None:
        definitions = Definitions(self._script, draft, self._default)
        if self._add_default(action, draft):
            return
        is_column = action.take("COLUMN")
        action.take("IF", "NOT", "EXISTS")
        if action.token.text == "(":
            items = action.items()
        elif action.word in ("PARTITION", "TABLE", "PERIOD"):
            return
        else:
            rest = action.pieces[self._place(action) :]
            items = [Reader(action.lexis, action.sql, rest)]
        for item in items:
            if not is_column and definitions.is_constraint(item):
                definitions.constraint(item)
                continue
            column = definitions.column(item)
            place = draft.column(column.name)
            if place is None:
                draft.columns.insert(_position(item, draft), column)

    def _add_default(self, action: Reader, draft: Draft) -> bool:
        """Read SQL Server's ADD CONSTRAINT name DEFAULT value FOR column."""
        start = action.at
        if action.take("CONSTRAINT"):
            action.part()
        if action.take("DEFAULT"):
            begins = action.at
            while not action.is_done and action.word != "FOR":
                action.skip()
            value = action.span(begins)
            if action.take("FOR"):
                self._replace(draft, action.part(), default=value)
                return True
        action.at = start
        return False

    def _replace(self, draft: Draft, name: str, **what: object) -> None:
        place = draft.column(name)
        if place is None:
            raise Unread(f"{draft.name[1]} has no column {name}")
        draft.columns[place] = replace(draft.columns[place], **what)  # type: ignore[arg-type]  # fields of Column

    def _drop_part(self, action: Reader, draft: Draft) -> None:
        if action.take("PRIMARY", "KEY"):
            draft.primary_key = None
            return
        kind = action.take_any("CONSTRAINT", "FOREIGN KEY", "INDEX", "KEY", "CHECK", "PARTITION")
        action.take("COLUMN")
        action.take("IF", "EXISTS")
        if action.token.text == "(":
            for item in action.items():
                self._drop_column(draft, item.part())
            return
        if kind == "PARTITION":
            return
        name = action.part()
        if kind:
            self._drop_constraint(draft, name)
        else:
            self._drop_column(draft, name)

    def _drop_column(self, draft: Draft, name: str) -> None:
        place = draft.column(name)
        if place is None:
            return
        own = draft.columns.pop(place).name
        if draft.primary_key and own in draft.primary_key.columns:
            draft.primary_key = None
        draft.unique = [key for key in draft.unique if own not in key.columns]
        draft.references = [link for link in draft.references if own not in link.columns]
        draft.indexes = [index for index in draft.indexes if own not in index.columns]

    def _drop_constraint(self, draft: Draft, name: str) -> None:
        def stays(item: Key | Reference | Check) -> bool:
            return (item.name or "").casefold() != name.casefold()

        if draft.primary_key is not None and not stays(draft.primary_key):
            draft.primary_key = None
        draft.unique = [key for key in draft.unique if stays(key)]
        draft.references = [link for link in draft.references if stays(link)]
        draft.checks = [check for check in draft.checks if stays(check)]
        draft.indexes = [i for i in draft.indexes if i.name.casefold() != name.casefold()]

    def _rename_part(self, action: Reader, draft: Draft) -> None:
        if action.take_any("TO", "AS"):
            name = action.name()
            self._move(draft, (name[0] or draft.name[0], name[1]))
            return
        if action.take_any("CONSTRAINT", "INDEX", "KEY"):
            return
        action.take("COLUMN")
        before = action.part()
        if action.take("TO"):
            self._rename_column(draft, before, action.part())

    def _rename_column(self, draft: Draft, before: str, after: str) -> None:
        place = draft.column(before)
        if place is None:
            raise Unread(f"{draft.name[1]} has no column {before}")
        own = draft.columns[place].name
        draft.columns[place] = replace(draft.columns[place], name=after)

        def put(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(after if name == own else name for name in names)

        if draft.primary_key:
            draft.primary_key = replace(draft.primary_key, columns=put(draft.primary_key.columns))
        draft.unique = [replace(key, columns=put(key.columns)) for key in draft.unique]
        draft.indexes = [replace(index, columns=put(index.columns)) for index in draft.indexes]
        draft.references = [replace(r, columns=put(r.columns)) for r in draft.references]
        for other in self._script.tables.values():
            other.references = [
                replace(r, to_columns=put(r.to_columns)) if r.target == draft.name else r
                for r in other.references
            ]

    def _move(self, draft: Draft, name: Name) -> None:
        """Give a table another name; keys to it follow, as they do in databases."""
        before = draft.name
        self._script.drop(before)
        draft.name = name
        self._script.put(draft)
        for other in self._script.tables.values():
            other.references = [
                replace(r, target=name) if r.target == before else r for r in other.references
            ]
            if other.partition_of == before:
                other.partition_of = name

    def _alter_column(self, action: Reader, draft: Draft) -> None:
        action.take("COLUMN")
        if action.take_any("CONSTRAINT", "INDEX", "CHECK"):
            return
        name = action.part()
        if action.take("SET", "DEFAULT"):
            definitions = Definitions(self._script, draft, self._default)
            self._default_of(draft, name, definitions.default(action))
        elif action.take("DROP", "DEFAULT"):
            self._replace(draft, name, default=None)
        elif action.take("SET", "NOT", "NULL"):
            self._replace(draft, name, nullable=False)
        elif action.take("DROP", "NOT", "NULL"):
            self._replace(draft, name, nullable=True)
        elif action.take("DROP", "IDENTITY"):
            self._replace(draft, name, identity=False)
        elif action.take("DROP", "EXPRESSION"):
            self._replace(draft, name, generated=None, expression=None)
        elif action.take("ADD", "GENERATED"):
            self._replace(draft, name, identity=True)
        elif action.take_any("SET DATA TYPE", "TYPE"):
            self._retype(action, draft, name)
        elif action.take("COMMENT"):
            self._replace(draft, name, comment=action.literal())
        elif action.word not in ("SET", "RESET", "ADD", "DROP") and not action.is_done:
            action.at -= 1
            self._redefine(action, draft, name)

    def _default_of(self, draft: Draft, name: str, value: str | None) -> None:
        self._replace(draft, name, default=value)
        if "nextval(" in (value or "").casefold():
            self._replace(draft, name, identity=True)

    def _retype(self, action: Reader, draft: Draft, name: str) -> None:
        start = action.at
        while not action.is_done and action.word not in ("USING", "COLLATE"):
            action.skip()
        native = type_text(action, action.tokens[start : action.at], self._default)
        self._replace(draft, name, native_type=native)
        place = draft.column(name)
        if place is not None:
            dialect = action.lexis.dialect
            draft.columns[place] = typed(draft.columns[place], self._script, dialect)

    def _modify(self, action: Reader, draft: Draft, *, is_renaming: bool) -> None:
        action.take("COLUMN")
        action.take("IF", "EXISTS")
        if action.token.text == "(":
            for item in action.items():
                self._modify(item, draft, is_renaming=False)
            return
        if action.word in ("PARTITION", "CONSTRAINT"):
            return
        name = action.part()
        if not is_renaming:
            action.at -= 1
        self._redefine(action, draft, name)

    def _redefine(self, action: Reader, draft: Draft, name: str) -> None:
        """Read a column anew; what Oracle leaves unsaid stays."""
        place = draft.column(name)
        if place is None:
            raise Unread(f"{draft.name[1]} has no column {name}")
        before = draft.columns[place]
        after = Definitions(self._script, draft, self._default).column(action)
        if not after.native_type:
            words = {token.word for token in action.tokens}
            after = replace(
                before,
                name=after.name,
                nullable=after.nullable if "NULL" in words else before.nullable,
                default=after.default if "DEFAULT" in words else before.default,
            )
        if after.name != before.name:
            self._rename_column(draft, before.name, after.name)
        draft.columns[place] = replace(after, comment=after.comment or before.comment)

    def _alter_type(self, reader: Reader) -> bool:
        name = reader.name()[1].casefold()
        known = self._script.types.get(name)
        if known is None or not reader.take("ADD", "VALUE"):
            return False
        reader.take("IF", "NOT", "EXISTS")
        members = list(known.members)
        place = len(members)
        value = reader.literal() or ""
        side = reader.take_any("BEFORE", "AFTER")
        other = reader.literal() if side else None
        if other in members:
            place = members.index(other) + (side == "AFTER")
        if value not in members:
            members.insert(place, value)
        alias = replace(known, members=tuple(members))
        self._script.types[name] = alias
        return True

    def drop(self, reader: Reader) -> bool:
        """Read DROP …; False: it drops nothing of the catalogue's."""
        reader.take("DROP")
        kind = reader.take_any(
            *_KINDS, "INDEX", "TYPE", "DOMAIN", "TRIGGER", "FUNCTION", "PROCEDURE"
        )
        if not kind:
            return False
        reader.take("CONCURRENTLY")
        reader.take("IF", "EXISTS")
        while not reader.is_done:
            name = reader.name()
            if kind == "INDEX":
                self._drop_index(name, reader)
            elif kind in _KINDS:
                self._script.drop(name)
            elif kind in ("TYPE", "DOMAIN"):
                self._script.types.pop(name[1].casefold(), None)
            else:
                self._drop_routine(kind.lower(), name)
            if not reader.take(","):
                break
        return True

    def _drop_index(self, name: Name, reader: Reader) -> None:
        on = self._script.find(reader.name()) if reader.take("ON") else None
        if on is not None:
            self._drop_constraint(on, name[1])
        else:
            self._script.drop_indexes([name[1]])

    def _drop_routine(self, kind: str, name: Name) -> None:
        shown = table_id(name[1], None if name[0] == self._default else name[0])
        for key in [k for k in self._script.routines if k[0] == shown and k[1] == kind]:
            del self._script.routines[key]

    def rename(self, reader: Reader) -> bool:
        """Read RENAME TABLE a TO b, c TO d."""
        reader.take("RENAME")
        reader.take("TABLE")
        while not reader.is_done:
            draft = self._script.find(reader.name())
            if not reader.take("TO"):
                break
            name = reader.name()
            if draft is not None:
                self._move(draft, (name[0] or draft.name[0], name[1]))
            if not reader.take(","):
                break
        return True

    def comment(self, reader: Reader) -> bool:
        """Read COMMENT ON …; False: it is about nothing of the catalogue's."""
        reader.take("COMMENT")
        reader.take("IF", "EXISTS")
        if not reader.take("ON"):
            return False
        kind = reader.take_any(*_KINDS, "COLUMN", "DATABASE", "FUNCTION", "PROCEDURE", "AGGREGATE")
        if not kind:
            return False
        path = reader.path()
        while not reader.is_done and reader.word != "IS":
            reader.skip()
        reader.take("IS")
        text = reader.literal()
        if kind == "DATABASE":
            self._script.comment = text
        elif kind == "COLUMN":
            self.describe(path[:-1], text, path[-1])
        elif kind in _KINDS:
            self.describe(path, text)
        else:
            self._describe_routine(path, kind.lower(), text)
        return True

    def describe(self, path: list[str], text: str | None, column: str | None = None) -> None:
        """Give a table, or a column of it, its comment."""
        if not path:
            return
        draft = self._script.find((path[-2] if len(path) > 1 else None, path[-1]))
        if draft is None:
            return
        text = text or None
        if column is None:
            draft.comment = text
        elif draft.query is not None:
            draft.column_comments[column] = text or ""
        elif draft.column(column) is not None:
            self._replace(draft, column, comment=text)

    def _describe_routine(self, path: list[str], kind: str, text: str | None) -> None:
        schema = path[-2] if len(path) > 1 else None
        shown = table_id(path[-1], None if schema == self._default else schema)
        for key, routine in self._script.routines.items():
            if key[:2] == (shown, kind):
                self._script.routines[key] = replace(routine, comment=text)

    def execute(self, reader: Reader) -> bool:
        """Read SQL Server's sp_addextendedproperty and sp_rename; False: another procedure."""
        reader.take_any("EXECUTE", "EXEC")
        procedure = reader.path()[-1].casefold() if not reader.is_done else ""
        if procedure not in _PROCEDURES:
            return False
        given: dict[str, str] = {}
        rest = reader.pieces[self._place(reader) :] if not reader.is_done else []
        order = _PROCEDURES[procedure]
        for number, definition in enumerate(definitions_in(rest)):
            item = Reader(reader.lexis, reader.sql, definition.body)
            name = order[number] if number < len(order) else ""
            if item.token.text.startswith("@") and item.ahead().text == "=":
                name = item.token.text.removeprefix("@").casefold()
                item.at += 2
            if not item.is_done and item.word != "NULL":
                value = item.literal()
                given[name] = item.token.text if value is None else value
        if procedure == "sp_rename":
            self._rename_object(given, reader)
        elif given.get("name", "").casefold() == "ms_description":
            self._describe_property(given)
        return True

    def _describe_property(self, given: dict[str, str]) -> None:
        if given.get("level0type", "").casefold() not in ("schema", "user"):
            return
        if given.get("level1type", "").casefold() not in ("table", "view"):
            return
        path = [given.get("level0name", ""), given.get("level1name", "")]
        level = given.get("level2type", "").casefold()
        if level in ("", "column"):
            self.describe(path, given.get("value"), given.get("level2name") if level else None)

    def _rename_object(self, given: dict[str, str], reader: Reader) -> None:
        path = Reader(reader.lexis, given.get("objname", "")).path()
        kind, name = given.get("objtype", "").casefold(), given.get("newname", "")
        if kind == "column" and len(path) > 1:
            draft = self._script.find((path[-3] if len(path) > 2 else None, path[-2]))
            if draft is not None:
                self._rename_column(draft, path[-1], name)
        elif kind in ("", "object"):
            draft = self._script.find((path[-2] if len(path) > 1 else None, path[-1]))
            if draft is not None:
                self._move(draft, (draft.name[0], name))

    def settle(self, reader: Reader) -> bool:
        """Read USE and SET search_path, which say where names without a schema belong."""
        if reader.take("USE"):
            if reader.lexis.is_mysql or reader.take("SCHEMA"):
                self._script.schema = reader.path()[-1]
                return True
            return False
        found = _SEARCH_PATH.match(reader.sql)
        if found is None:
            return False
        while not reader.is_done and reader.word not in ("SEARCH_PATH", "SCHEMA", "CURRENT_SCHEMA"):
            reader.at += 1
        reader.at += 1
        reader.take_any("=", "TO")
        if reader.is_done or reader.token.text in ("''", '""'):
            self._script.schema = self._default
            return True
        name = reader.part()
        self._script.schema = name
        return True


_SEARCH_PATH = re.compile(
    r"(?is)set\s+(?:session\s+|local\s+)?(?:search_path|schema|current_schema)\b"
)
_LEVELS = ("level0type", "level0name", "level1type", "level1name", "level2type", "level2name")
_PROCEDURES = {
    "sp_addextendedproperty": ("name", "value", *_LEVELS),
    "sp_updateextendedproperty": ("name", "value", *_LEVELS),
    "sp_rename": ("objname", "newname", "objtype"),
}


def _position(item: Reader, draft: Draft) -> int:
    """Return where MySQL puts a column that is added: FIRST, AFTER another, or last."""
    words = [token.word for token in item.tokens]
    if words[-1:] == ["FIRST"]:
        return 0
    if "AFTER" in words[-2:-1]:
        place = draft.column(item.lexis.name(item.tokens[-1]))
        return len(draft.columns) if place is None else place + 1
    return len(draft.columns)
