"""The report for people: what failed and why, what is gone, what wasn't run, what passed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.checked import TITLES, account
from pipeline.database.page import DEFAULT_LIMITS
from pipeline.text import counted, one_line, shorten
from pipeline.validate.running import Outcome

_LONGEST_CELL = 200


def report(outcomes: Sequence[Outcome]) -> str:
    """Return validation.md."""
    lines = ["# Validation", "", f"{account([outcome.item for outcome in outcomes])}.".capitalize()]
    gone = _gone(outcomes)
    if gone:
        lines += ["", "## Gone", "", *gone]
    for status, title in TITLES:
        chosen = [outcome for outcome in outcomes if outcome.item.status == status]
        if chosen:
            lines += ["", f"## {title}", "", *_table(status, chosen)]
    return "\n".join(lines) + "\n"


def _gone(outcomes: Sequence[Outcome]) -> list[str]:
    """Return a line for each name that leads to nothing, with all that uses it."""
    users: dict[str, list[str]] = {}
    written: dict[str, str] = {}
    for outcome in outcomes:
        for name in outcome.item.missing:
            kind = "entry" if outcome.item.kind == "name" else outcome.item.kind
            who = f"{kind} {_cell(outcome.item.name)} ({outcome.place})"
            users.setdefault(name.casefold(), []).append(who)
            written.setdefault(name.casefold(), name)
    return [f"- {_cell(written[name])}: {', '.join(users[name])}" for name in sorted(users)]


def _table(status: str, outcomes: Sequence[Outcome]) -> list[str]:
    heads: tuple[str, ...]
    if status == "ok":
        rows = [
            (o.item.kind, o.item.name, o.place, _how(o), ", ".join(o.item.columns))
            for o in outcomes
        ]
        heads = ("what", "name", "where", "result", "columns")
    else:
        rows = [(o.item.kind, o.item.name, o.place, o.item.cause, o.fix) for o in outcomes]
        heads = ("what", "name", "where", "cause", "what to do")
    lines = [heads, ("---",) * len(heads), *rows]
    return [f"| {' | '.join(map(_cell, line))} |" for line in lines]


def _how(outcome: Outcome) -> str:
    """Return e.g. `12 rows, as pinned`."""
    if outcome.item.rows is None:
        return "proven, not run"
    rows = counted(outcome.item.rows, "row")
    if outcome.item.pinned:
        return f"{rows}, as pinned"
    is_page = outcome.item.rows == DEFAULT_LIMITS.rows and outcome.item.kind != "relationship"
    return f"{rows} or more" if is_page else rows


def _cell(text: str) -> str:
    """Return untrusted text so that it can't leave its table cell or become markup."""
    escaped = re.sub(r"([\\`*_\[\]<>|~#&])", r"\\\1", shorten(one_line(text), _LONGEST_CELL))
    return escaped or " "
