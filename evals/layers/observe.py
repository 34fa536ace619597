"""One statement in one session, and everything that is different afterwards."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from evals.layers.bench import Bench, Fetch, Item, Ran
from evals.layers.marks import shows_anything, shows_secret

_SLEPT_SECONDS = 1.15
"""The statements that sleep want 1.2 s; a session that bounds time ends them at 0.8 s."""
_DISCLOSING = frozenset(["file", "secret", "bulk", "host"])
_MISSING = ("cannot open shared object", "No such file", "not found")
"""What an engine says that would have loaded a file which isn't there."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a statement did."""

    effects: frozenset[str]
    error: str | None

    @property
    def outcome(self) -> str:
        """Say in the corpora's words what came of it."""
        if self.effects:
            return "not_stopped"
        return "stopped" if self.error else "no_effect"


def observed(bench: Bench, layer: str, item: Item, opened: frozenset[str] | None) -> Seen:
    """Run an item with a layer and return its effects.

    Args:
        bench: where to run it.
        layer: one of the bench's.
        item: the statement.
        opened: the effects that it has with no layer; None: this is to be found out.
    """
    bench.marks.restore()
    item = _placed(bench, item)
    bench.prepare(item)
    calls, files = bench.marks.listener.count, bench.marks.files()
    before = bench.world()
    locks: set[str] = set()
    session = bench.session(layer)
    try:
        free = bench.locks()
        first = bench.traits(session.fetch)
        for statement in item.first:
            session.run(statement, _nothing)
        with bench.exposing():
            ran = session.run(item.sql, lambda: locks.update(bench.locks() - free))
        last = _traits(bench, session.fetch)
        locks |= bench.locks() - free
    finally:
        session.close()
    after = bench.world()
    effects = {kind for kind in after if after[kind] != before.get(kind)}
    if last and first != last:
        effects.add("session")
    if locks and item.effect == "lock":
        effects.add("lock")
    if bench.marks.files() != files:
        effects.add("file_out")
    if bench.marks.listener.count != calls:
        effects.add("net")
    effects |= _of_answer(item, ran, is_open=opened is None)
    return Seen(frozenset(_telling(effects, opened)), ran.error)


def _nothing() -> None:
    """Look at nothing."""


def _placed(bench: Bench, item: Item) -> Item:
    """Return the item with our folder and port for those that it names."""
    port = bench.marks.listener.port
    if item.effect != "net":
        port = getattr(getattr(bench, "server", None), "port", port)
    return replace(item, sql=bench.marks.rewritten(item.sql, port))


def _of_answer(item: Item, ran: Ran, *, is_open: bool) -> set[str]:
    effects = set()
    if item.effect in _DISCLOSING:
        if shows_secret(ran.rows):
            effects.add("secret")
        if shows_anything(ran.rows):
            effects.add("values")
    was_let = is_open or ran.error is None
    if item.effect == "time" and was_let and ran.seconds >= _SLEPT_SECONDS:
        effects.add("time")
    if item.effect == "ext" and any(text in (ran.error or "") for text in _MISSING):
        effects.add("loading")
    return effects


def _telling(effects: set[str], opened: frozenset[str] | None) -> set[str]:
    """Leave out what proves nothing where something else does.

    Values may be harmless ones where the secret is what shows without any layer, and a server
    writes to its log for many a reason.
    """
    known = effects if opened is None else opened
    if "secret" in known:
        effects = effects - {"values"}
    return effects - {"wal"} if known - {"wal"} else effects


def _traits(bench: Bench, fetch: Fetch) -> str:
    """Return what the session is like; nothing when the statement has broken it."""
    with suppress(Exception):
        return bench.traits(fetch)
    return ""
