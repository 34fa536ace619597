"""Heads of functions, procedures, aggregates and triggers."""

from __future__ import annotations

from typing import Literal

from pipeline.database.ddl.drafts import Name, Script
from pipeline.database.ddl.reader import Reader
from pipeline.database.names import name_set
from schemas.facts import Routine

_EVENTS = name_set("INSERT UPDATE DELETE TRUNCATE")
Kind = Literal["function", "procedure", "trigger", "aggregate"]
ROUTINES: dict[str, Kind] = {
    "FUNCTION": "function",
    "MACRO": "function",
    "PROCEDURE": "procedure",
    "PROC": "procedure",
    "AGGREGATE": "aggregate",
}


class Routines:
    """Reads routines into a script."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def routine(self, reader: Reader, kind: Kind) -> None:
        """Read a function, procedure or aggregate, without its body."""
        reader.take("IF", "NOT", "EXISTS")
        schema, name = reader.name()
        arguments = returns = None
        if reader.token.text == "(":
            start = reader.at
            inside = reader.group()
            arguments = reader.span(start + 1, start + 1 + len(inside))
        elif reader.token.text.startswith("@"):  # SQL Server lists them bare
            start = reader.at
            while not reader.is_done and reader.word not in ("AS", "WITH"):
                reader.skip()
            arguments = reader.span(start)
        if reader.take_any("RETURNS", "RETURN"):
            returns = _returned(reader)
        text = " ".join((arguments or "").split())
        key = self._script.full((schema, name))
        self._script.routines[(key, kind, text)] = Routine(name, kind, text, returns)

    def trigger(self, reader: Reader) -> None:
        """Read a trigger."""
        reader.take("IF", "NOT", "EXISTS")
        name = reader.name()[1]
        if reader.take("ON"):  # SQL Server names the table first
            target: Name = reader.name()
            event = _event(reader)
        else:
            event = _event(reader)
            if not reader.take("ON"):
                return
            target = reader.name()
        draft = self._script.find(target)
        if draft is not None:
            routine = Routine(name, "trigger", event, table=draft.name[1])
            self._script.routines[((None, name), "trigger", draft.name)] = routine


def _event(reader: Reader) -> str:
    """Return when a trigger fires, e.g. `AFTER INSERT OR UPDATE OF price`."""
    start = reader.at
    while not reader.is_done and reader.word not in ("ON", "AS", "BEGIN", "FOR", "REFERENCING"):
        reader.skip()
    if reader.word == "FOR" and reader.ahead().word in _EVENTS:
        reader.at += 1
        while not reader.is_done and reader.word not in ("ON", "AS", "BEGIN"):
            reader.skip()
    return " ".join(reader.span(start).split())


def _returned(reader: Reader) -> str:
    start = reader.at
    stops = name_set(
        "AS LANGUAGE IMMUTABLE STABLE VOLATILE STRICT DETERMINISTIC BEGIN IS RETURN READS NO "
        "CONTAINS MODIFIES SQL COMMENT NOT CALLED SECURITY PARALLEL COST ROWS WINDOW LEAKPROOF WITH"
    )
    while not reader.is_done and reader.word not in stops:
        reader.skip()
    return " ".join(reader.span(start).split())
