"""ALTER TABLE and ALTER TYPE: what changes what was made."""

from __future__ import annotations

from dataclasses import replace

from pipeline.database.ddl.columns import Definitions
from pipeline.database.ddl.drafts import Draft, Script, UnreadError, is_term_of
from pipeline.database.ddl.native_types import type_text, typed
from pipeline.database.ddl.reader import Reader
from pipeline.database.sqlite_ddl import definitions_in

KINDS = ("TABLE", "VIEW", "MATERIALIZED VIEW", "FOREIGN TABLE", "EXTERNAL TABLE")
_SAID: dict[str, dict[str, object]] = {
    "DROP DEFAULT": {"default": None},
    "SET NOT NULL": {"nullable": False},
    "DROP NOT NULL": {"nullable": True},
    "DROP IDENTITY": {"identity": False},
    "DROP EXPRESSION": {"generated": None, "expression": None},
    "ADD GENERATED": {"identity": True},
}
_IGNORED = ("OWNER", "SET", "RESET", "ENABLE", "DISABLE", "VALIDATE", "CLUSTER", "REPLICA", "FORCE")


class Alteration:
    """Reads ALTER statements into a script."""

    def __init__(self, script: Script, default_schema: str | None) -> None:
        self._script, self._default = script, default_schema

    def read(self, reader: Reader) -> bool:
        """Read one; False: it says nothing of structure.

        Raises:
            UnreadError: it can't be understood.
        """
        reader.take("ALTER")
        if reader.take("TYPE"):
            return self._alter_type(reader)
        if not reader.take_any(*KINDS):
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
            raise UnreadError(f"the table {name[1]} isn't there")
        self._actions(reader, draft)
        return True

    def _actions(self, reader: Reader, draft: Draft) -> None:
        """Read what is to be done, divided by commas; each ADD may go on without the word."""
        verb = ""
        rest = reader.rest()
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

    def _action(self, verb: str, action: Reader, draft: Draft) -> None:
        verbs = {
            "ADD": self._add,
            "DROP": self._drop_part,
            "RENAME": self._rename_part,
            "ALTER": self._alter_column,
            "MODIFY": self._modify,
            "CHANGE": self._change,
        }
        if verb in verbs:
            verbs[verb](action, draft)
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
            self._script.move(draft, (action.part(), draft.name[1]))

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
            rest = action.rest()
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
                draft.put_column(action.part(), default=value)
                return True
        action.at = start
        return False

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
            draft.drop_constraint(name)
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
        draft.indexes = [
            index
            for index in draft.indexes
            if not any(is_term_of(term, own) for term in index.columns)
        ]

    def _rename_part(self, action: Reader, draft: Draft) -> None:
        if action.take_any("TO", "AS"):
            name = action.name()
            self._script.move(draft, (name[0] or draft.name[0], name[1]))
            return
        if action.take_any("CONSTRAINT", "INDEX", "KEY"):
            return
        action.take("COLUMN")
        before = action.part()
        if action.take("TO"):
            self._script.rename_column(draft, before, action.part())

    def _alter_column(self, action: Reader, draft: Draft) -> None:
        action.take("COLUMN")
        if action.take_any("CONSTRAINT", "INDEX", "CHECK"):
            return
        name = action.part()
        said = next((what for words, what in _SAID.items() if action.take(*words.split())), None)
        if said is not None:
            draft.put_column(name, **said)
        elif action.take("SET", "DEFAULT"):
            definitions = Definitions(self._script, draft, self._default)
            self._default_of(draft, name, definitions.default(action))
        elif action.take_any("SET DATA TYPE", "TYPE"):
            self._retype(action, draft, name)
        elif action.take("COMMENT"):
            draft.put_column(name, comment=action.literal())
        elif action.word not in ("SET", "RESET", "ADD", "DROP") and not action.is_done:
            action.at -= 1
            self._redefine(action, draft, name)

    def _default_of(self, draft: Draft, name: str, value: str | None) -> None:
        draft.put_column(name, default=value)
        if "nextval(" in (value or "").casefold():
            draft.put_column(name, identity=True)

    def _retype(self, action: Reader, draft: Draft, name: str) -> None:
        start = action.at
        while not action.is_done and action.word not in ("USING", "COLLATE"):
            action.skip()
        native = type_text(action, action.tokens[start : action.at], self._default)
        draft.put_column(name, native_type=native)
        place = draft.column(name)
        if place is not None:
            dialect = action.lexis.dialect
            draft.columns[place] = typed(draft.columns[place], self._script, dialect)

    def _change(self, action: Reader, draft: Draft) -> None:
        """Read MySQL's CHANGE old new type …."""
        action.take("COLUMN")
        action.take("IF", "EXISTS")
        self._redefine(action, draft, action.part())

    def _modify(self, action: Reader, draft: Draft) -> None:
        action.take("COLUMN")
        action.take("IF", "EXISTS")
        if action.token.text == "(":
            for item in action.items():
                self._modify(item, draft)
            return
        if action.word in ("PARTITION", "CONSTRAINT"):
            return
        name = action.part()
        action.at -= 1
        self._redefine(action, draft, name)

    def _redefine(self, action: Reader, draft: Draft, name: str) -> None:
        """Read a column anew; what Oracle leaves unsaid stays."""
        place = draft.column(name)
        if place is None:
            raise UnreadError(f"{draft.name[1]} has no column {name}")
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
            self._script.rename_column(draft, before.name, after.name)
        draft.columns[place] = replace(after, comment=after.comment or before.comment)

    def _alter_type(self, reader: Reader) -> bool:
        name = self._script.type_key(reader.name()[1])
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


def _position(item: Reader, draft: Draft) -> int:
    """Return where MySQL puts a column that is added: FIRST, AFTER another, or last."""
    words = [token.word for token in item.tokens]
    if words[-1:] == ["FIRST"]:
        return 0
    if "AFTER" in words[-2:-1]:
        place = draft.column(item.lexis.name(item.tokens[-1]))
        return len(draft.columns) if place is None else place + 1
    return len(draft.columns)
