"""A link as SQL text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from schemas.facts import Link

_NAME = r'(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[^\W\d]\w*)'
_TOKEN = re.compile(rf"'(?:[^']|'')*'|(?P<chain>{_NAME}(?:\s*\.\s*{_NAME})+)|{_NAME}")


def on_clause(link: Link, quote: Callable[[str], str], aliases: tuple[str, str]) -> str:
    """Return the ON condition of a link.

    Args:
        link: composite keys are joined by AND; the link's own condition is appended.
        quote: quotes one identifier for the dialect.
        aliases: what `link.table` and `link.to_table` are called in the statement, as SQL
            (aliases, or quoted table names).
    """
    left, right = aliases
    terms = [
        f"{left}.{quote(column)} = {right}.{quote(to_column)}"
        for column, to_column in zip(link.columns, link.to_columns, strict=True)
    ]
    if link.condition:
        names = {link.to_table: right, link.table: left}  # the referring side of a self-reference
        terms.append(f"({qualified(link.condition, names, quote)})")
    return " AND ".join(terms)


def qualified(condition: str, aliases: Mapping[str, str], quote: Callable[[str], str]) -> str:
    """Return `condition` with each `table.column` of `aliases` written as `alias.column`.

    Text in quotes and names of other tables stay as they are.
    """
    folded = {_plain(table).casefold(): alias for table, alias in aliases.items()}

    def rewrite(match: re.Match[str]) -> str:
        if not match["chain"]:
            return match[0]
        *table, column = [_bare(name) for name in re.findall(_NAME, match["chain"])]
        alias = folded.get(".".join(table).casefold())
        return f"{alias}.{quote(column)}" if alias else match[0]

    return _TOKEN.sub(rewrite, condition)


def _plain(table: str) -> str:
    """Return a table's name in dblore without the quotes that an odd part has."""
    if '"' not in table:
        return table
    return ".".join(_bare(name) for name in re.findall(_NAME, table))


def _bare(name: str) -> str:
    """Return an identifier without its quotes."""
    if name[0] in '"`':
        return name[1:-1].replace(name[0] * 2, name[0])
    return name[1:-1] if name[0] == "[" else name
