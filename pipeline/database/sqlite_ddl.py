"""What only the text of a CREATE statement tells: expressions, checks, names, comments.

SQLite keeps the statement as it was typed. Its pragmas leave out the expression of a generated
column, checks, the names of constraints and every comment, so they are read from the text.
Grammar: https://www.sqlite.org/lang_createtable.html
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<line>--[^\n]*)
  | (?P<block>/\*.*?(?:\*/|\Z))
  | (?P<text>'(?:[^']|'')*'?)
  | (?P<name>"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?)
  | (?P<word>[^\W\d][\w$]*|\d[\w.]*)
  | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_DEPTHS = {"(": 1, ")": -1}
_TABLE_CONSTRAINTS = {"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"}
_COLUMN_CONSTRAINTS = {
    "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES",
    "GENERATED", "AS",
}  # fmt: skip


class Token(NamedTuple):
    """A piece of SQL text; a tuple, as a schema of 1,000 tables has half a million of them."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where the next one starts."""
        return self.start + len(self.text)

    @property
    def word(self) -> str:
        """The keyword in capitals; '' for anything quoted or a mark."""
        return self.text.upper() if self.kind == "word" else ""

    @property
    def is_comment(self) -> bool:
        """Whether it is a `--` or `/* */` comment."""
        return self.kind in ("line", "block")


@dataclass(frozen=True, slots=True)
class ColumnText:
    """What the text says of one column."""

    name: str
    expression: str | None = None
    members: tuple[str, ...] = ()
    """Of a check `column IN ('a', 'b')`."""
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """Columns of a key; `name` is that of the constraint."""

    columns: tuple[str, ...]
    name: str | None = None


@dataclass(frozen=True, slots=True)
class TableText:
    """What the text says of a table."""

    comment: str | None = None
    columns: dict[str, ColumnText] = field(default_factory=dict)
    """By folded name."""
    checks: tuple[tuple[str, str | None], ...] = ()
    """Expression and name."""
    primary_key: str | None = None
    """The name of its constraint."""
    unique: tuple[NamedColumns, ...] = ()
    foreign_keys: tuple[NamedColumns, ...] = ()


def tokens(sql: str) -> list[Token]:
    """Split SQL text; the pieces joined are the text again."""
    return [Token(m.lastgroup or "mark", m[0], m.start()) for m in _TOKEN.finditer(sql)]


def unquoted(text: str) -> str:
    """Return the name that a quoted identifier or string stands for."""
    first = text[:1]
    if first in ('"', "`", "'"):
        return text[1:].removesuffix(first).replace(first * 2, first)
    return text[1:].removesuffix("]") if first == "[" else text


def folded(name: str) -> str:
    """Return a name as SQLite compares it: the case of letters counts beyond A to Z."""
    return name.translate(_LOWER)


def parse_table(sql: str) -> TableText:
    """Read a CREATE TABLE statement; what isn't understood is left out."""
    pieces = tokens(sql)
    opening = next((i for i, t in enumerate(pieces) if t.text == "("), None)
    if opening is None:
        return TableText()
    closing = closing_of(pieces, opening)
    definitions = definitions_in(pieces[opening + 1 : closing])
    result = TableText(comment=comment_of_table(pieces, opening, definitions))
    for definition in definitions:
        significant = significant_of(definition.body)
        if not significant:
            continue
        if significant[0].word in _TABLE_CONSTRAINTS:
            result = _with_constraints(result, significant, sql, None)
        else:
            result = _with_column(result, definition, significant, sql)
    return _with_members(result)


def parse_view_comment(sql: str) -> str | None:
    """Return the comment between a view's head and the first word of its query."""
    comments: list[str] = []
    past_name = past_as = False
    for token in tokens(sql):
        if token.is_comment and past_name:
            comments.append(_comment_text(token))
        elif token.word == "VIEW":
            past_name = True
        elif token.word == "AS":
            past_as = True
        elif past_as and token.kind != "space":
            break
    return joined(comments)


def module_of(sql: str) -> str | None:
    """Return the module of a CREATE VIRTUAL TABLE statement, e.g. `fts5`."""
    significant = significant_of(tokens(sql))
    for token, following in pairwise(significant):
        if token.word == "USING":
            return unquoted(following.text).casefold()
    return None


def index_parts(sql: str) -> tuple[tuple[str, ...], str | None]:
    """Return the terms of a CREATE INDEX statement, as text, and its WHERE condition."""
    pieces = tokens(sql)
    opening = next((i for i, t in enumerate(pieces) if t.text == "("), None)
    if opening is None:
        return (), None
    closing = closing_of(pieces, opening)
    terms = []
    for definition in definitions_in(pieces[opening + 1 : closing]):
        term = significant_of(definition.body)
        while term and term[-1].word in ("ASC", "DESC"):
            term.pop()
        terms.append(span_of(sql, term))
    rest = significant_of(pieces[closing + 1 :])
    where = span_of(sql, rest[1:]) if rest and rest[0].word == "WHERE" else None
    return tuple(terms), where


@dataclass(slots=True)
class Definition:
    """A column or table constraint, and the comments that end on its own line."""

    body: list[Token] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    own_lines: list[str] = field(default_factory=list)
    """Comments on lines of their own before it."""


def definitions_in(body: Sequence[Token]) -> list[Definition]:
    """Split at top-level commas; a comment belongs to the definition whose line it ends."""
    found = [current := Definition()]
    line_of: Definition | None = None  # the last definition with something on this line
    depth = 0
    for token in body:
        kind, text, _ = token
        if kind == "space":
            if "\n" in text:
                line_of = None
            if current.body:
                current.body.append(token)
        elif token.is_comment:
            if line_of is not None and (line_of is not current or current.body):
                line_of.comments.append(_comment_text(token))
            else:
                current.own_lines.append(_comment_text(token))
            if kind == "block" and "\n" in text:
                line_of = None
        elif text == "," and depth == 0:
            line_of = current
            found.append(current := Definition())
        else:
            depth += _DEPTHS.get(text, 0)
            current.body.append(token)
            line_of = current
    return found


def comment_of_table(
    pieces: Sequence[Token], opening: int, definitions: Sequence[Definition]
) -> str | None:
    """Return the comment in a statement's head, or the one that opens its list of columns."""
    head = [_comment_text(t) for t in pieces[:opening] if t.is_comment]
    after = [i for i, t in enumerate(pieces[opening + 1 :], start=opening + 1) if t.kind != "space"]
    if not head and after and pieces[after[0]].is_comment:
        gap = pieces[opening + 1 : after[0]]
        on_same_line = not any("\n" in t.text for t in gap)
        # A lone comment line before the first column speaks of the table; where others have one
        # too, such lines are headings of columns.
        alone = not any(d.own_lines for d in definitions[1:])
        if on_same_line or alone:
            first = definitions[0].own_lines
            head = first[:1] if on_same_line and not alone else first
    return joined(head)


def _with_column(
    table: TableText, definition: Definition, significant: list[Token], sql: str
) -> TableText:
    name = unquoted(significant[0].text)
    start = next(
        (i for i, t in enumerate(significant) if i and t.word in _COLUMN_CONSTRAINTS),
        len(significant),
    )
    constraints = significant[start:]
    column = ColumnText(
        name=name,
        expression=_generated(constraints, sql),
        comment=joined(definition.comments),
    )
    table.columns[folded(name)] = column  # the reader's own: a copy a column would be quadratic
    return _with_constraints(table, constraints, sql, name) if constraints else table


def _generated(constraints: Sequence[Token], sql: str) -> str | None:
    depth = 0
    for i, token in enumerate(constraints):
        if depth == 0 and token.word == "AS" and constraints[i + 1 : i + 2]:
            return _inner(constraints, i + 1, sql)
        depth += _DEPTHS.get(token.text, 0)
    return None


def _with_constraints(
    table: TableText, parts: Sequence[Token], sql: str, column: str | None
) -> TableText:
    """Add the constraints in `parts`: those of one column, or one of the table."""
    name: str | None = None
    position = 0
    while position < len(parts):
        token = parts[position]
        if token.text == "(":
            position = closing_of(parts, position)
        elif token.word == "CONSTRAINT" and position + 1 < len(parts):
            name = unquoted(parts[position + 1].text)
            position += 1
        elif token.word in ("PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "REFERENCES"):
            table = _with_constraint(table, parts, position, sql, column, name)
            if column is None:
                return table
            name = None
        position += 1
    return table


def _with_constraint(
    table: TableText,
    parts: Sequence[Token],
    position: int,
    sql: str,
    column: str | None,
    name: str | None,
) -> TableText:
    word = parts[position].word
    if word == "PRIMARY":
        return replace(table, primary_key=name)
    opening = next((i for i in range(position, len(parts)) if parts[i].text == "("), None)
    if word == "CHECK":
        expression = _inner(parts, opening, sql) if opening is not None else None
        return replace(table, checks=(*table.checks, (expression, name))) if expression else table
    columns = (column,) if column is not None else _names(parts, opening)
    key = NamedColumns(columns, name)
    if word == "UNIQUE":
        return replace(table, unique=(*table.unique, key))
    return replace(table, foreign_keys=(*table.foreign_keys, key))


def _with_members(table: TableText) -> TableText:
    columns = table.columns
    for expression, _ in table.checks:
        listed = members_of_check(expression)
        if listed and (column := columns.get(listed[0])) is not None:
            columns[listed[0]] = replace(column, members=listed[1])
    return table


def members_of_check(expression: str) -> tuple[str, tuple[str, ...]] | None:
    """Read `column IN ('a', 'b')`: the folded column and its members."""
    parts = _without_parentheses(significant_of(tokens(expression)))
    shape = [t.text.upper() for t in parts[1:3]]
    if shape != ["IN", "("] or closing_of(parts, 2) != len(parts) - 1:
        return None
    items = parts[3:-1]
    values, commas = items[::2], items[1::2]
    plain = all(t.kind == "text" or t.text.isdigit() for t in values)
    if not values or not plain or any(t.text != "," for t in commas):
        return None
    return folded(unquoted(parts[0].text)), tuple(unquoted(t.text) for t in values)


def without_parentheses(expression: str) -> str:
    """Return an expression without the parentheses around the whole of it."""
    return span_of(expression, _without_parentheses(significant_of(tokens(expression))))


def _without_parentheses(parts: list[Token]) -> list[Token]:
    while len(parts) > 1 and parts[0].text == "(" and closing_of(parts, 0) == len(parts) - 1:
        parts = parts[1:-1]
    return parts


def _names(parts: Sequence[Token], opening: int | None) -> tuple[str, ...]:
    if opening is None:
        return ()
    inside = parts[opening + 1 : closing_of(parts, opening)]
    return tuple(
        unquoted(definition.body[0].text)
        for definition in definitions_in(inside)
        if definition.body
    )


def _inner(parts: Sequence[Token], opening: int, sql: str) -> str | None:
    if parts[opening].text != "(":
        return None
    return span_of(sql, parts[opening + 1 : closing_of(parts, opening)]) or None


def span_of(sql: str, parts: Sequence[Token]) -> str:
    """Return the text that the tokens stand for, with what lies between them."""
    return sql[parts[0].start : parts[-1].end] if parts else ""


def closing_of(parts: Sequence[Token], opening: int) -> int:
    """Return the position of the `)` that closes the `(` at `opening`, or the end."""
    depth = 0
    for position in range(opening, len(parts)):
        depth += {"(": 1, ")": -1}.get(parts[position].text, 0)
        if depth == 0:
            return position
    return len(parts)


def significant_of(parts: Sequence[Token]) -> list[Token]:
    """Return the tokens that are neither space nor comment."""
    return [t for t in parts if t.kind not in ("space", "line", "block")]


def _comment_text(token: Token) -> str:
    if token.kind == "line":
        return token.text.lstrip("-").strip()
    lines = token.text.removeprefix("/*").removesuffix("*/").splitlines()
    return " ".join(_cleaned(lines))


def _cleaned(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        text = line.strip().strip("*").strip()
        if text:
            yield text


def joined(comments: Sequence[str]) -> str | None:
    """Return comments as one; None when they say nothing."""
    return " ".join(c for c in comments if c) or None
