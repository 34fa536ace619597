"""Lines of lists: a table, something found."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.cards import TableCard
from pipeline.text import counted, one_line, shorten
from serve.cards import code, plain


def listed_line(card: TableCard, *, description_limit: int) -> str:
    """Return a table as one line of a list."""
    facts = [card.table.kind.replace("_", " ")] if card.table.kind != "table" else []
    if card.profile.rows is not None:
        about = "about " if card.profile.rows_estimated else ""
        facts.append(about + counted(card.profile.rows, "row"))
    facts.append(counted(len(card.columns), "column"))
    text = f"- {code(card.name)} ({', '.join(facts)}) [measured]"
    if card.domain:
        text += f" · {plain(card.domain)} [human]"
    if card.description:
        description = plain(shorten(one_line(card.description), description_limit))
        text += f" · {description} [{card.description_origin}]"
    return text


def hit_line(kind: str, title: str, text: str, tables: Sequence[str] = ()) -> str:
    """Return something found as one line."""
    said = f": {plain(text)}" if text else ""
    named = ", ".join(map(code, tables)) if kind not in ("table", "column") else ""
    return f"- {kind} {code(title)}{said}{f' · about {named}' if named else ''}"
