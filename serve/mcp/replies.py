"""Answers to an agent: short Markdown, the same facts as structured content, never over budget.

A list that doesn't fit is served in pages of whole items; nothing is cut inside an item.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from pipeline.errors import SettingError

READ_ONLY = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

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


def fill(items: Sequence[Item[BaseModel]], cursor: str, room: int) -> tuple[int, int]:
    """Return the range of items that a page holds: whole ones, one at least.

    Args:
        items: The whole list.
        cursor: '' for the first page.
        room: Characters that text and data may each take.

    Raises:
        SettingError: the cursor is none of this list.
    """
    start = _place(cursor, len(items))
    text = data = _ENVELOPE
    end = start
    while end < len(items):
        text += len(items[end].text) + 1
        data += size(items[end].data)
        if max(text, data) > room and end > start:
            break
        end += 1
    return start, end


def place(items: Sequence[Item[BaseModel]], start: int, end: int) -> dict[str, Any]:
    """Return the fields of `Page` for the page that holds `items[start:end]`."""
    more = end < len(items)
    return {"omitted": len(items) - (end - start), "next_cursor": str(end) if more else None}


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
