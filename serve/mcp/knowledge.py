"""The toolset `knowledge`: what the database means and how its tables meet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import BaseModel, Field

from pipeline.cards import ColumnCard, TableCard
from pipeline.errors import NotFoundError, did_you_mean
from pipeline.joins import is_usable
from pipeline.text import thousands
from schemas.models import Link
from serve import cards, listing
from serve.mcp import shapes
from serve.mcp.lending import DEFAULT_BUDGET, SMALLEST_BUDGET, Lending, Lent, in_thread, lending_of
from serve.mcp.replies import Cursor, Item, Part, answer, fill, lines, read_only_tool, size

if TYPE_CHECKING:  # loaded by the first call
    from serve.knowledge import KnowledgeBase
    from serve.search import Hit

TableName = Annotated[
    str, Field(description="Table name as other tools return it.", min_length=1, max_length=300)
]
Kind = Literal["table", "column", "metric", "term", "entity", "relation", "example"]

_LISTED_DESCRIPTION = 160
"""Characters of a description in a list of tables; describe_table has all of it."""


def tools() -> list[Tool]:
    """Return the tools of this set."""
    return [
        read_only_tool(function, title)
        for function, title in (
            (get_sql_context, "Context for a question"),
            (describe_table, "Describe a table"),
            (list_tables, "List tables"),
            (find_join_path, "Find a join path"),
            (search_knowledge, "Search the knowledge base"),
        )
    ]


async def get_sql_context(
    context: Lent,
    question: Annotated[
        str, Field(description="In the user's words.", min_length=1, max_length=10_000)
    ],
    session_id: Annotated[
        str, Field(description="Your id of this conversation, if any.", max_length=200)
    ] = "",
    budget: Annotated[
        int, Field(description="Characters the answer may take.", ge=SMALLEST_BUDGET, le=60_000)
    ] = DEFAULT_BUDGET,
) -> Annotated[CallToolResult, shapes.ContextShape]:
    """Call this first, with the user's question.

    Returns the tables, columns, stored codes, joins, terms, metrics, similar queries and rules
    that its SQL needs, and says what was left out.
    """
    del session_id  # of memory, which is not in this version; clients may send it already
    return await in_thread(_get_sql_context, lending_of(context), question, budget)


async def describe_table(
    context: Lent,
    table: TableName,
    columns: Annotated[
        list[str], Field(description="Only these columns, with whole code lists.", max_length=100)
    ] = [],  # noqa: B006  # read only; mcp publishes it as the default
    cursor: Cursor = "",
) -> Annotated[CallToolResult, shapes.TableShape]:
    """Return all that is known of one table.

    That is its meaning, columns with types, codes, ranges and nulls, and joins. Use it for a
    table or code list that get_sql_context left out. Wide tables come in pages.
    """
    return await in_thread(_describe_table, lending_of(context), table, columns, cursor)


async def list_tables(
    context: Lent,
    pattern: Annotated[
        str, Field(description="Part of a name, or a glob: `order*`.", max_length=300)
    ] = "",
    domain: Annotated[str, Field(description="A subject area.", max_length=300)] = "",
    cursor: Cursor = "",
) -> Annotated[CallToolResult, shapes.TableList]:
    """List tables with row counts, subject area and description, a page at a time.

    For a question, get_sql_context is better.
    """
    return await in_thread(_list_tables, lending_of(context), pattern, domain, cursor)


async def find_join_path(
    context: Lent, from_table: TableName, to_table: TableName
) -> Annotated[CallToolResult, shapes.PathList]:
    """Return how two tables join, cheapest way first.

    Gives JOIN clauses with the bridge tables on the way. Several ways between two tables are
    several roles, such as bill-to and ship-to.
    """
    return await in_thread(_find_join_path, lending_of(context), from_table, to_table)


async def search_knowledge(
    context: Lent,
    query: Annotated[str, Field(description="Any words.", min_length=1, max_length=10_000)],
    limit: Annotated[int, Field(description="Hits at most.", ge=1, le=50)] = 10,
    kinds: Annotated[
        list[Kind], Field(description="Only these; all when empty.", max_length=7)
    ] = [],  # noqa: B006  # so
) -> Annotated[CallToolResult, shapes.HitList]:
    """Search the knowledge base by words and by meaning.

    It holds tables, columns, metrics, business terms, entities, relations and example queries.
    """
    return await in_thread(_search_knowledge, lending_of(context), query, limit, kinds)


def _get_sql_context(lending: Lending, question: str, budget: int) -> CallToolResult:
    from serve.context import context

    pack = context(lending.knowledge, question, budget=budget)
    return answer(pack.markdown(), shapes.ContextShape.model_validate(pack.data()))


def _describe_table(
    lending: Lending, table: str, columns: list[str], cursor: str
) -> CallToolResult:
    knowledge = lending.knowledge
    card, dialect = knowledge.table(table), knowledge.facts.catalog.dialect
    shape = shapes.table_shape(card, dialect)
    makers: list[Callable[[], Item[BaseModel]]]
    if columns:
        chosen = [_column(card, name) for name in columns]
        makers = [
            partial(_column_item, card, c, dialect, lending.budget // 3, lending.budget * 3 // 4)
            for c in chosen
        ]
    else:
        makers = [partial(_note_item, note) for note in card.notes]
        makers += [
            partial(_column_item, card, c, dialect, cards.CODES_LIMIT, lending.budget // 2)
            for c in card.columns
        ]
        makers += [partial(_join_item, k, dialect) for k in card.links if is_usable(k)]
    head = cards.card_head(card, dialect)
    part = fill(makers, cursor, lending.budget - max(len("\n".join(head)), size(shape)))
    shape = shape.model_copy(
        update={
            "notes": [data.note for data in part.data if isinstance(data, shapes.NoteShape)],
            "columns": [data for data in part.data if isinstance(data, shapes.ColumnShape)],
            "joins": [data for data in part.data if isinstance(data, shapes.JoinShape)],
            **part.page,
        }
    )
    text = lines(
        head if part.start == 0 else head[:1],
        _section("## Notes", part, shapes.NoteShape),
        _section(cards.columns_heading(card, len(shape.columns)), part, shapes.ColumnShape),
        _section("## Joins", part, shapes.JoinShape),
        f'(the next {part.total - part.end}: the same call with cursor="{part.end}")'
        if shape.next_cursor
        else "",
    )
    return answer(text, shape)


def _column(card: TableCard, name: str) -> ColumnCard:
    found = card.table.column(name)
    column = card.column(found.name) if found else None
    if column is None:
        raise NotFoundError(
            f"{card.name} has no column {name!r}",
            fix=did_you_mean(
                name, (c.name for c in card.columns), "describe_table without columns lists them"
            ),
        )
    return column


def _note_item(note: str) -> Item[shapes.NoteShape]:
    return Item(cards.note_line(note), shapes.NoteShape(note=note))


def _column_item(
    card: TableCard, column: ColumnCard, dialect: str, codes_limit: int, room: int
) -> Item[shapes.ColumnShape]:
    """Return a column; without its codes, all of them, when it would take more than `room`."""
    shape = shapes.column_shape(column, dialect, codes_limit=codes_limit)
    if size(shape) > room:
        codes_limit = 0
        shape = shapes.column_shape(column, dialect, codes_limit=0)
    return Item(cards.column_line(column, card, codes_limit, dialect), shape)


def _join_item(link: Link, dialect: str) -> Item[shapes.JoinShape]:
    return Item(cards.join_line(link, dialect), shapes.join_shape(link, dialect))


def _section(heading: str, part: Part[BaseModel], kind: type[BaseModel]) -> list[str]:
    found = [item.text for item in part.items if isinstance(item.data, kind)]
    return [heading, *found] if found else []


def _list_tables(lending: Lending, pattern: str, domain: str, cursor: str) -> CallToolResult:
    knowledge = lending.knowledge
    found = knowledge.tables(pattern or "*")
    if domain:
        found = tuple(c for c in found if (c.domain or "").casefold() == domain.casefold())
    if not found:
        raise _nothing_listed(knowledge, pattern, domain)
    part = fill([partial(_listed_item, card) for card in found], cursor, lending.budget)
    heading = f"{thousands(part.total)} table{'' if part.total == 1 else 's'}"
    more = ""
    if part.total > len(part.items):
        heading += f", {part.start + 1}–{part.end} here"
        more = f'(more: the same call with cursor="{part.end}")' if part.end < part.total else ""
    data = shapes.TableList(total=part.total, tables=part.data, **part.page)
    return answer(lines(heading, part.text, more), data)


def _listed_item(card: TableCard) -> Item[shapes.ListedTable]:
    return Item(
        listing.listed_line(card, description_limit=_LISTED_DESCRIPTION),
        shapes.listed_table(card, description_limit=_LISTED_DESCRIPTION),
    )


def _nothing_listed(knowledge: KnowledgeBase, pattern: str, domain: str) -> NotFoundError:
    everything = knowledge.tables()
    domains = sorted({card.domain for card in everything if card.domain})
    if domain and domain.casefold() not in {name.casefold() for name in domains}:
        known = f"the domains are {', '.join(domains)}" if domains else "there are no domains here"
        return NotFoundError(
            f"there is no domain {domain!r}", fix=did_you_mean(domain, domains, known)
        )
    return NotFoundError(
        f"no table matches {pattern!r}" + (f" in {domain}" if domain else ""),
        fix=did_you_mean(
            pattern, (card.name for card in everything), "call list_tables without pattern"
        ),
    )


def _find_join_path(lending: Lending, from_table: str, to_table: str) -> CallToolResult:
    from serve.paths import find_paths

    found = find_paths(lending.knowledge, from_table, to_table)
    return answer(found.markdown(), shapes.PathList.model_validate(found.data()))


def _search_knowledge(
    lending: Lending, query: str, limit: int, kinds: list[Kind]
) -> CallToolResult:
    from serve.search import search

    hits = search(lending.knowledge, query, limit=limit, kinds=kinds)
    if not hits:
        text = "nothing found; try other words, or list_tables"
        return answer(text, shapes.HitList(hits=[]))
    part = fill([partial(_hit_item, hit) for hit in hits], "", lending.budget)
    left = part.total - part.end
    more = f"({left} more left out; narrow it with kinds or other words)" if left else ""
    return answer(lines(part.text, more), shapes.HitList(hits=part.data, omitted=left))


def _hit_item(hit: Hit) -> Item[shapes.HitShape]:
    shape = shapes.HitShape(
        kind=hit.kind, ref=hit.ref, text=hit.text, tables=list(hit.tables), score=hit.score
    )
    return Item(listing.hit_line(hit.kind, hit.title, hit.text, hit.tables), shape)
