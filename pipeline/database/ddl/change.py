"""DROP, RENAME, COMMENT ON, USE and SQL Server's procedures: what else changes what was made."""

from __future__ import annotations

import re
from dataclasses import replace

from pipeline.database.ddl.alter import KINDS
from pipeline.database.ddl.drafts import Name, Script
from pipeline.database.ddl.reader import Reader
from pipeline.database.sqlite_ddl import definitions_in

_SEARCH_PATH = re.compile(
    r"(?is)set\s+(?:session\s+|local\s+)?(?:search_path|schema|current_schema)\b"
)
_LEVELS = ("level0type", "level0name", "level1type", "level1name", "level2type", "level2name")
_PROCEDURES = {
    "sp_addextendedproperty": ("name", "value", *_LEVELS),
    "sp_updateextendedproperty": ("name", "value", *_LEVELS),
    "sp_rename": ("objname", "newname", "objtype"),
}


class Change:
    """Reads such statements into a script."""

    def __init__(self, script: Script, default_schema: str | None) -> None:
        self._script, self._default = script, default_schema

    def drop(self, reader: Reader) -> bool:
        """Read DROP …; False: it drops nothing of the catalogue's."""
        reader.take("DROP")
        kind = reader.take_any(
            *KINDS, "INDEX", "TYPE", "DOMAIN", "TRIGGER", "FUNCTION", "PROCEDURE"
        )
        if not kind:
            return False
        reader.take("CONCURRENTLY")
        reader.take("IF", "EXISTS")
        while not reader.is_done:
            name = reader.name()
            if kind == "INDEX":
                self._drop_index(name, reader)
            elif kind in KINDS:
                self._script.drop(name)
            elif kind in ("TYPE", "DOMAIN"):
                self._script.types.pop(self._script.type_key(name[1]), None)
            else:
                self._drop_routine(kind.lower(), name)
            if not reader.take(","):
                break
        return True

    def _drop_index(self, name: Name, reader: Reader) -> None:
        on = self._script.find(reader.name()) if reader.take("ON") else None
        if on is not None:
            on.drop_constraint(name[1])
        else:
            self._script.drop_indexes([name[1]])

    def _drop_routine(self, kind: str, name: Name) -> None:
        full = self._script.full(name)
        is_trigger = kind == "trigger"
        wanted = (None, name[1]) if is_trigger else full
        for key in [k for k in self._script.routines if k[:2] == (wanted, kind)]:
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
                self._script.move(draft, (name[0] or draft.name[0], name[1]))
            if not reader.take(","):
                break
        return True

    def comment(self, reader: Reader) -> bool:
        """Read COMMENT ON …; False: it is about nothing of the catalogue's."""
        reader.take("COMMENT")
        reader.take("IF", "EXISTS")
        if not reader.take("ON"):
            return False
        kind = reader.take_any(*KINDS, "COLUMN", "DATABASE", "FUNCTION", "PROCEDURE", "AGGREGATE")
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
        elif kind in KINDS:
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
            draft.put_column(column, comment=text)

    def _describe_routine(self, path: list[str], kind: str, text: str | None) -> None:
        full = self._script.full((path[-2] if len(path) > 1 else None, path[-1]))
        for key, routine in self._script.routines.items():
            if key[:2] == (full, kind):
                self._script.routines[key] = replace(routine, comment=text)

    def execute(self, reader: Reader) -> bool:
        """Read SQL Server's sp_addextendedproperty and sp_rename; False: another procedure."""
        reader.take_any("EXECUTE", "EXEC")
        procedure = reader.path()[-1].casefold() if not reader.is_done else ""
        if procedure not in _PROCEDURES:
            return False
        given: dict[str, str] = {}
        rest = reader.rest()
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
                self._script.rename_column(draft, path[-1], name)
        elif kind in ("", "object"):
            draft = self._script.find((path[-2] if len(path) > 1 else None, path[-1]))
            if draft is not None:
                self._script.move(draft, (draft.name[0], name))

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
