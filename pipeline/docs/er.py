"""Entity-relationship diagrams in Mermaid, each within the limits of the renderers.

GitHub refuses a diagram of 50,000 characters or 500 edges, and one of more than some forty tables
can't be read. Names and labels are reduced to what every Mermaid parser takes: its lexer knows
keywords inside quoted text (`direction TB`), comments (`%%`) and entity codes (`#35;`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.cards import ColumnCard, TableCard
from pipeline.docs import markdown as md
from pipeline.docs.book import Book
from pipeline.docs.names import slug
from pipeline.docs.ties import Tie, is_optional
from pipeline.text import shorten, thousands
from schemas.models import Link

MOST_TABLES = 40
MOST_CHARACTERS = 40_000
MOST_LINKS = 400
CORE_TABLES = 28
"""Tables that a part starts from, so that their neighbours still fit."""
MOST_COLUMNS = 60
"""Columns of keys and links that a table shows at most."""
MORE_COLUMNS = 6
"""Columns beyond keys and links that a table shows in the diagram of its area."""
LONGEST_LABEL = 60
LEGEND = (
    "A solid line is a declared key or a join that people added; a dashed one was found in the "
    "data or comes from the knowledge graph. Each line bears its columns or its role. "
    "See [all tables](README.md)."
)

_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_PLAIN_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_KEYWORDS = frozenset(
    {
        "style", "class", "classdef", "subgraph", "end", "one", "many", "zero", "only", "to", "u",
        "optionally", "title", "direction", "erdiagram", "acctitle", "accdescr", "pk", "fk", "uk",
        "_",
    }
)  # fmt: skip
_SAFE = re.compile(r"[^\w .,:/()'+=?!@*-]", re.UNICODE)
_DIRECTION = re.compile(r"(direction)\s+(?=tb|bt|rl|lr)", re.IGNORECASE)
_LEFT = {"one": "||", "maybe": "|o", "many": "}o"}
_RIGHT = {"one": "||", "maybe": "o|", "many": "o{"}


@dataclass(frozen=True, slots=True)
class Diagram:
    """One picture, and what had no room in it."""

    tables: tuple[str, ...]
    """Those drawn with columns; neighbours stand without."""
    source: str
    far: int = 0
    """Links to tables of other parts that aren't drawn here."""
    cut: int = 0
    """Links that would pass the limits."""


def whole_page(book: Book) -> str:
    """Return er.md: all tables, keys only, in as many diagrams as it takes."""
    parts = diagrams(book, sorted(book.drawn), more_columns=0)
    blocks = ["# Entity-relationship diagram", LEGEND]
    if len(parts) > 1:
        blocks.append(
            f"{len(book.drawn)} tables are more than one diagram can show: {len(parts)} parts "
            "follow. Tables without columns belong to another part."
        )
    for number, part in enumerate(parts, start=1):
        title = f"## Part {number}: {_span(book, part)}" if len(parts) > 1 else ""
        blocks += [title, *_picture(part)]
    blocks.append(_pages(book))
    return md.page(blocks)


def group_page(book: Book, group: str) -> str:
    """Return er/<group>.md: the tables of one area with their neighbours."""
    names = book.groups[group]
    drawn = set(book.drawn)
    shown = [name for name in names if name in drawn]
    parts = diagrams(book, shown, more_columns=MORE_COLUMNS) if shown else []
    links = md.bullets(book.table_link(name, folder="../tables/") for name in names)
    back = md.link("all tables", "../README.md") + " · " + md.link("whole diagram", "../er.md")
    blocks = [f"# {md.name(group)}", md.text(book.group_texts.get(group, "")), back]
    for number, part in enumerate(parts, start=1):
        blocks += [f"## Part {number}" if len(parts) > 1 else "", *_picture(part)]
    return md.page([*blocks, "## Tables", links])


def diagrams(book: Book, names: Sequence[str], *, more_columns: int) -> list[Diagram]:
    """Return diagrams that together draw `names`, each within the limits."""
    if len(names) <= MOST_TABLES:
        found = _draw(book, names, more_columns)
        if _fits(found):
            return [found]
    found_parts = []
    for part in _parts(book, names):
        found_parts.extend(_shrunk(book, part, more_columns))
    return found_parts


def _shrunk(book: Book, names: Sequence[str], more_columns: int) -> list[Diagram]:
    found = _draw(book, names, more_columns)
    if _fits(found) or len(names) == 1:
        return [found]
    middle = len(names) // 2
    halves = (names[:middle], names[middle:])
    return [part for half in halves for part in _shrunk(book, half, more_columns)]


def _parts(book: Book, names: Sequence[str]) -> list[list[str]]:
    """Divide tables by area; a large area into runs of tables that are linked."""
    chosen = set(names)
    areas = [[n for n in tables if n in chosen] for tables in book.groups.values()]
    parts: list[list[str]] = []
    for area in areas or [list(names)]:
        ordered = _linked_order(book, area)
        parts.extend(
            ordered[start : start + CORE_TABLES] for start in range(0, len(ordered), CORE_TABLES)
        )
    merged: list[list[str]] = []
    for part in filter(None, parts):
        if merged and len(merged[-1]) + len(part) <= CORE_TABLES:
            merged[-1].extend(part)
        else:
            merged.append(part)
    return merged


def _linked_order(book: Book, names: Sequence[str]) -> list[str]:
    """Return tables so that linked ones are near: breadth first from the best linked."""
    left = set(names)
    ordered: list[str] = []
    for start in sorted(names, key=lambda name: (-len(book.ties[name]), name)):
        waiting = [start] if start in left else []
        left.discard(start)
        while waiting:
            name = waiting.pop(0)
            ordered.append(name)
            near = sorted({t.other for t in book.ties[name]} & left)
            left -= set(near)
            waiting.extend(near)
    return ordered


def _draw(book: Book, names: Sequence[str], more_columns: int) -> Diagram:
    """Draw tables and the links that touch them, with neighbours as far as there is room."""
    core = set(names)
    room = MOST_TABLES - len(core)
    ends: dict[str, int] = {}
    for name in names:
        for tie in book.ties[name]:
            if tie.other not in core:
                ends[tie.other] = ends.get(tie.other, 0) + 1
    near = sorted(sorted(ends, key=lambda name: (-ends[name], name))[: max(0, room)])
    shown = core | set(near)
    lines = ["erDiagram"]
    for name in sorted(core):
        lines.extend(_table(book, book.cards[name], more_columns))
    lines.extend(f"    {_declared(book, name)}" for name in near)
    links = _links(book, names, shown)
    used = sum(len(line) + 1 for line in lines)
    ends_at = itertools.accumulate((len(line) + 1 for line in links), initial=used)
    kept = min(MOST_LINKS, sum(end <= MOST_CHARACTERS for end in ends_at) - 1)
    lines.extend(links[: max(0, kept)])
    far = sum(count for name, count in ends.items() if name not in shown)
    return Diagram(tuple(names), "\n".join(lines), far, len(links) - max(0, kept))


def _fits(diagram: Diagram) -> bool:
    return diagram.cut == 0 and len(diagram.source) <= MOST_CHARACTERS


def _table(book: Book, card: TableCard, more_columns: int) -> list[str]:
    marks = _marks(card, book.ties[card.name])
    columns = [c for c in card.columns if c.name in marks]
    others = [c for c in card.columns if c.name not in marks and not c.housekeeping]
    chosen = {c.name for c in (*columns[:MOST_COLUMNS], *others[:more_columns])}
    if not chosen:
        return [f"    {_declared(book, card.name)}"]
    lines = [f"    {_declared(book, card.name)} {{"]
    lines.extend(
        f"        {_attribute(c, marks.get(c.name, ''))}" for c in card.columns if c.name in chosen
    )
    return [*lines, "    }"]


def _marks(card: TableCard, ties: Iterable[Tie]) -> dict[str, str]:
    """Return the columns that are part of a key or link, and what they are there."""
    found: dict[str, list[str]] = {}
    if card.table.primary_key:
        for name in card.table.primary_key.columns:
            found.setdefault(name, []).append("PK")
    for tie in ties:
        for name in tie.columns:
            kinds = found.setdefault(name, [])
            if tie.outward and "FK" not in kinds:
                kinds.append("FK")
    return {name: ", ".join(kinds) for name, kinds in found.items()}


def _attribute(column: ColumnCard, mark: str) -> str:
    word = _word(column.name)
    family = "any" if column.column.family == "other" else column.column.family
    kind = _word(column.column.native_type.partition("(")[0] or family)
    parts = [kind, word]
    if mark:
        parts.append(mark)
    if word != column.name:
        parts.append(f'"{label(column.name)}"')
    return " ".join(parts)


def _links(book: Book, names: Sequence[str], shown: set[str]) -> list[str]:
    found = {
        (tie.link.to_table, *tie.link.key): tie.link
        for name in names
        for tie in book.ties[name]
        if tie.other in shown
    }
    return [_link_line(book, found[key]) for key in sorted(found)]


def _link_line(book: Book, link: Link) -> str:
    """Return `parent ||--o{ child : "columns"`; dashed when no key declares it."""
    child, parent = book.tables[link.table], book.tables[link.to_table]
    cardinality = book.cardinality(link)
    one_parent = cardinality in ("many_to_one", "one_to_one")
    optional = is_optional(child, link.columns)
    left = "many" if not one_parent else ("maybe" if optional else "one")
    one_child = cardinality in ("one_to_many", "one_to_one") or child.has_key(link.columns)
    right = "maybe" if one_child else "many"
    line = "--" if link.origin in ("declared", "curated") else ".."
    name = link.label or ", ".join(link.columns)
    return (
        f"    {_reference(parent.name)} {_LEFT[left]}{line}{_RIGHT[right]} "
        f'{_reference(child.name)} : "{label(name)}"'
    )


def _declared(book: Book, name: str) -> str:
    """Return how a table is introduced: its reference, with its name when that is another."""
    reference = _reference(name)
    return reference if reference == book.tables[name].name else f'{reference}["{label(name)}"]'


def _reference(name: str) -> str:
    if _PLAIN_NAME.fullmatch(name) and name.casefold() not in _KEYWORDS:
        return name
    return "t_" + re.sub(r"[^A-Za-z0-9_]", "_", slug(name))


def _word(raw: str) -> str:
    """Return an attribute's name or type: letters, digits, underscores."""
    word = re.sub(r"\W|[^A-Za-z0-9_\u00C0-\uD7FF\uF900-\uFDFF]", "_", raw).strip("_") or "x"
    if not (word[0].isalpha() or word[0] == "_") or not raw.strip("_"):
        word = f"_{word}"
    return f"_{word}" if word.casefold() in _KEYWORDS else word


def label(raw: str) -> str:
    """Return raw text for a quoted Mermaid label; what could be syntax becomes an entity code."""
    shown = shorten(md.visible(raw), LONGEST_LABEL)
    shown = _SAFE.sub(lambda match: f"#{ord(match.group())};", shown)
    return _DIRECTION.sub(r"\1_", shown) or "#32;"


def _picture(part: Diagram) -> list[str]:
    left_out = part.far + part.cut
    note = f"{thousands(left_out)} more links had no room; see the cards." if left_out else ""
    return [md.fence(part.source, "mermaid"), note]


def _span(book: Book, part: Diagram) -> str:
    areas = sorted({book.group_of[name] for name in part.tables if name in book.group_of})
    if 0 < len(areas) <= 4:  # as many as a heading holds
        return ", ".join(md.name(area) for area in areas)
    return f"{md.name(part.tables[0])} and {len(part.tables) - 1} more"


def _pages(book: Book) -> str:
    if not book.er_files:
        return ""
    lines = (md.link(md.name(g), f"er/{book.er_files[g]}.md") for g in book.groups)
    return "## By subject area\n\n" + md.bullets(lines)
