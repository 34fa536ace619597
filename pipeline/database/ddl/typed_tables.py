"""Types of several parts, and the tables OF them."""

from __future__ import annotations

from pipeline.database.ddl.columns import Definitions
from pipeline.database.ddl.drafts import Draft, Script, UnreadError
from pipeline.database.ddl.reader import Reader
from pipeline.database.names import name_set

_METHODS = name_set("MEMBER STATIC CONSTRUCTOR MAP ORDER OVERRIDING FINAL NOT INSTANTIABLE")
"""What parts of Oracle's object types begin with that are no columns."""


def read_parts(script: Script, name: str, reader: Reader, default_schema: str | None) -> None:
    """Read the parts of a type in parentheses, for tables of it."""
    if reader.token.text != "(":
        return
    whole = Draft((None, name))
    definitions = Definitions(script, whole, default_schema)
    for item in reader.items():
        if item.is_done or (item.word in _METHODS and item.lexis.dialect == "oracle"):
            continue
        whole.columns.append(definitions.column(item))
    script.parts[name] = tuple(whole.columns)


def read_typed(script: Script, draft: Draft, reader: Reader, default_schema: str | None) -> None:
    """Read CREATE TABLE … OF type, and what parentheses add to its columns.

    Raises:
        UnreadError: what they hold is neither a constraint nor about a column.
    """
    written = reader.name()
    parts = script.parts.get(script.type_key(written[1]))
    if parts is None:
        script.notes.append(
            f"the columns of {draft.name[1]} can't be told: nothing says what {written[1]} is"
        )
        return
    draft.columns += parts
    draft.options.append(f"OF {written[1]}")
    while not reader.is_done and reader.token.text != "(":
        if reader.word in ("PARTITION", "TABLESPACE", "ON"):
            return
        reader.at += 1
    if reader.is_done:
        return
    definitions = Definitions(script, draft, default_schema)
    for item in reader.items():
        if item.is_done:
            continue
        if definitions.is_constraint(item):
            definitions.constraint(item)
            continue
        name = item.part()
        item.take("WITH", "OPTIONS")
        place = draft.column(name)
        if place is None:
            raise UnreadError(f"{written[1]} has no part {name}")
        draft.columns[place] = definitions.extended(item, draft.columns[place])
