"""Answers to an agent: short Markdown, the same facts as structured content, never over budget.

A list that doesn't fit is served in pages of whole items; nothing is cut inside an item.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from pipeline.errors import SettingError

READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)

Cursor = Annotated[str, Field(description="`next_cursor` of the page before.", max_length=20)]

Shape_co = TypeVar("Shape_co", bound=BaseModel, covariant=True)

_ENVELOPE = 600
"""Characters kept free for headings, hints and JSON around the items."""


class Page(BaseModel):
    """What every paged answer tells of its place in the list."""

    omitted: int = 0
    """Items that are on other pages."""
    next_cursor: str | None = None
    """Pass it as `cursor` to get what follows; null at the end."""


@dataclass(frozen=True, slots=True)
class Item(Generic[Shape_co]):
    """One item of a list, as a line of Markdown and as data."""

    text: str
    data: Shape_co


@dataclass(frozen=True, slots=True)
class Part(Generic[Shape_co]):
    """The items of one page."""

    start: int
    total: int
    items: tuple[Item[Shape_co], ...]

    @property
    def end(self) -> int:
        """Place of the first item that follows."""
        return self.start + len(self.items)

    @property
    def data(self) -> list[Shape_co]:
        """The items as data."""
        return [item.data for item in self.items]

    @property
    def text(self) -> list[str]:
        """The items as lines."""
        return [item.text for item in self.items]

    @property
    def page(self) -> dict[str, Any]:
        """The fields of `Page`."""
        more = self.end < self.total
        return {
            "omitted": self.total - len(self.items),
            "next_cursor": str(self.end) if more else None,
        }


def read_only_tool(function: Callable[..., Any], title: str) -> Tool:
    """Return a tool that changes nothing; its description is the docstring as one paragraph."""
    description = " ".join((function.__doc__ or "").split())
    return Tool.from_function(function, title=title, description=description, annotations=READ_ONLY)


def answer(text: str, data: BaseModel) -> CallToolResult:
    """Return an answer; defaults are left out of the structured content."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=data.model_dump(mode="json", exclude_defaults=True),
    )


def lines(*parts: str | Iterable[str]) -> str:
    """Return the lines that aren't empty, joined."""
    flat = [line for part in parts for line in ([part] if isinstance(part, str) else part)]
    return "\n".join(line for line in flat if line)


def fill(makers: Sequence[Callable[[], Item[Shape_co]]], cursor: str, room: int) -> Part[Shape_co]:
    """Return a page of a list: whole items, one at least.

    Args:
        makers: Make the items of the whole list; those of other pages aren't made.
        cursor: '' for the first page.
        room: Characters that text and data may each take.

    Raises:
        SettingError: the cursor is none of this list.
    """
    start = _place(cursor, len(makers))
    shown: list[Item[Shape_co]] = []
    text = data = _ENVELOPE
    for make in makers[start:]:
        item = make()
        text += len(item.text) + 1
        data += size(item.data)
        if max(text, data) > room and shown:
            break
        shown.append(item)
    return Part(start, len(makers), tuple(shown))


def size(data: BaseModel) -> int:
    """Return the characters that `data` takes as compact JSON in a list."""
    dumped = data.model_dump(mode="json", exclude_defaults=True)
    return len(json.dumps(dumped, ensure_ascii=False, separators=(",", ":"))) + 1


def _place(cursor: str, length: int) -> int:
    if not cursor:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or not 0 < int(cursor) < length:
        raise SettingError(
            f"the cursor {cursor!r} is none of this list",
            fix="call again without cursor; the knowledge base may have been rebuilt",
        )
    return int(cursor)
