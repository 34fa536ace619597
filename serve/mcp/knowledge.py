"""The toolset `knowledge`: what the database means and how its tables meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import BaseModel, Field

from pipeline.cards import ColumnCard, TableCard
from pipeline.errors import NotFoundError, did_you_mean
from pipeline.joins import is_usable
from pipeline.text import thousands
from serve import cards
from serve.mcp import shapes
from serve.mcp.lending import SMALLEST_BUDGET, Lending, Lent, in_thread, lending_of
from serve.mcp.replies import READ_ONLY, Cursor, Item, answer, fill, lines, place, size

if TYPE_CHECKING:  # loaded by the first call
    from serve.knowledge import KnowledgeBase

TableName = Annotated[
    str, Field(description="Table name as other tools return it.", min_length=1, max_length=300)
]
Kind = Literal["table", "column", "metric", "term", "entity", "relation", "example"]

_LISTED_DESCRIPTION = 160
"""Characters of a description in a list of tables; describe_table has all of it."""


def tools() -> list[Tool]:
    """Return the tools of this set."""
    return [
        Tool.from_function(function, title=title, annotations=READ_ONLY)
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
        int | None,
        Field(description="Characters the answer may take.", ge=SMALLEST_BUDGET, le=60_000),
    ] = None,
) -> Annotated[CallToolResult, shapes.ContextShape]:
    """Call this first: tables, columns, codes, joins, terms and rules for one question's SQL."""
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
    """Return all that is known of a table: meaning, columns, codes, ranges, joins."""
    return await in_thread(_describe_table, lending_of(context), table, columns, cursor)


async def list_tables(
    context: Lent,
    pattern: Annotated[
        str, Field(description="Part of a name, or a glob: `order*`.", max_length=300)
    ] = "",
    domain: Annotated[str, Field(description="A subject area.", max_length=300)] = "",
    cursor: Cursor = "",
) -> Annotated[CallToolResult, shapes.TableList]:
    """List tables by name with rows and description. Prefer get_sql_context for a question."""
    return await in_thread(_list_tables, lending_of(context), pattern, domain, cursor)


async def find_join_path(
    context: Lent, from_table: TableName, to_table: TableName
) -> Annotated[CallToolResult, shapes.PathList]:
    """Return ready FROM and JOIN clauses between two tables, bridges included, cheapest first."""
    return await in_thread(_find_join_path, lending_of(context), from_table, to_table)


async def search_knowledge(
    context: Lent,
    query: Annotated[str, Field(description="Any words.", min_length=1, max_length=10_000)],
    limit: Annotated[int, Field(ge=1, le=50)] = 10,
    kinds: Annotated[list[Kind], Field(description="Only these; all when empty.")] = [],  # noqa: B006  # as above
) -> Annotated[CallToolResult, shapes.HitList]:
    """Search tables, columns, metrics, terms, entities, relations and example queries."""
    return await in_thread(_search_knowledge, lending_of(context), query, limit, kinds)


def _get_sql_context(lending: Lending, question: str, budget: int | None) -> CallToolResult:
    from serve.context import context

    pack = context(lending.knowledge, question, budget=budget or lending.budget)
    data = shapes.ContextShape(tables=list(pack.tables), pack=pack.data())
    return answer(pack.markdown(), data)


def _describe_table(
    lending: Lending, table: str, columns: list[str], cursor: str
) -> CallToolResult:
    knowledge = lending.knowledge
    card, dialect = knowledge.table(table), knowledge.facts.catalog.dialect
    shape = shapes.table_shape(card, dialect)
    items: list[Item[BaseModel]]
    if columns:
        chosen = [_column(card, name) for name in columns]
        items = [*_column_items(card, chosen, codes_limit=lending.budget // 3)]
    else:
        items = [
            *_note_items(card),
            *_column_items(card, card.columns, codes_limit=cards.CODES_LIMIT),
            *_join_items(card, dialect),
        ]
    head = "\n".join(cards.card_lines(card, columns=(), dialect=dialect).head)
    start, end = fill(items, cursor, lending.budget - max(len(head), size(shape)))
    shown = [item.data for item in items[start:end]]
    page = place(items, start, end)
    shape = shape.model_copy(
        update={
            "notes": [data.note for data in shown if isinstance(data, shapes.NoteShape)],
            "columns": [data for data in shown if isinstance(data, shapes.ColumnShape)],
            "joins": [data for data in shown if isinstance(data, shapes.JoinShape)],
            **page,
        }
    )
    call = f'describe_table(table={card.name!r}, cursor="{page["next_cursor"]}")'
    return answer(
        lines(
            head if start == 0 else head.partition("\n")[0],
            _section("## Notes", items[start:end], shapes.NoteShape),
            _section(
                cards.columns_heading(card, len(shape.columns)),
                items[start:end],
                shapes.ColumnShape,
            ),
            _section("## Joins", items[start:end], shapes.JoinShape),
            f"({page['omitted']} items omitted; the next: {call})" if page["next_cursor"] else "",
        ),
        shape,
    )


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


def _note_items(card: TableCard) -> Iterator[Item[shapes.NoteShape]]:
    for line, note in zip(cards.card_lines(card, columns=()).notes, card.notes, strict=True):
        yield Item(line, shapes.NoteShape(note=note))


def _column_items(
    card: TableCard, columns: Iterable[ColumnCard], *, codes_limit: int
) -> Iterator[Item[shapes.ColumnShape]]:
    for column in columns:
        line = cards.column_line(column, card, codes_limit)
        yield Item(line, shapes.column_shape(column, codes_limit=codes_limit))


def _join_items(card: TableCard, dialect: str) -> Iterator[Item[shapes.JoinShape]]:
    for link in filter(is_usable, card.links):
        yield Item(cards.join_line(link, dialect), shapes.join_shape(link, dialect))


def _section(heading: str, items: Sequence[Item[BaseModel]], kind: type[BaseModel]) -> list[str]:
    found = [item.text for item in items if isinstance(item.data, kind)]
    return ["", heading, *found] if found else []


def _list_tables(lending: Lending, pattern: str, domain: str, cursor: str) -> CallToolResult:
    knowledge = lending.knowledge
    found = knowledge.tables(pattern or "*")
    if domain:
        found = tuple(c for c in found if (c.domain or "").casefold() == domain.casefold())
    if not found:
        raise _nothing_listed(knowledge, pattern, domain)
    items = [
        Item(
            cards.listed_line(card, description_limit=_LISTED_DESCRIPTION),
            shapes.listed_table(card, description_limit=_LISTED_DESCRIPTION),
        )
        for card in found
    ]
    start, end = fill(items, cursor, lending.budget)
    shown = items[start:end]
    page = place(items, start, end)
    data = shapes.TableList(total=len(items), tables=[item.data for item in shown], **page)
    more = f'(more: the same call with cursor="{end}")' if page["next_cursor"] else ""
    heading = f"{thousands(len(items))} tables"
    if page["omitted"]:
        heading += f", {start + 1}–{end} here"
    return answer(lines(heading, (item.text for item in shown), more), data)


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
    items = [
        Item(
            cards.hit_line(hit.kind, hit.title, hit.text),
            shapes.HitShape(
                kind=hit.kind, ref=hit.ref, text=hit.text, tables=list(hit.tables), score=hit.score
            ),
        )
        for hit in hits
    ]
    _, end = fill(items, "", lending.budget) if items else (0, 0)
    shown = items[:end]
    omitted = len(items) - end
    data = shapes.HitList(hits=[item.data for item in shown], omitted=omitted)
    if not items:
        return answer("nothing found; try other words or list_tables", data)
    more = f"({omitted} more left out; narrow it with kinds or other words)" if omitted else ""
    return answer(lines((item.text for item in shown), more), data)
