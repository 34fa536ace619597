"""What a column's type means: its family, its members, what a domain adds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pipeline.database.ddl.drafts import Alias, Script
from pipeline.database.ddl.reader import Reader
from pipeline.database.families import family
from pipeline.database.servers import mysql_text
from pipeline.database.servers.postgres_types import about, listed, row_of
from pipeline.database.sqlite_ddl import Token, members_of_check
from schemas.facts import Check, Column

TSQL = ("tsql", "fabric")
POSTGRES = ("postgres", "redshift", "materialize", "risingwave")
# pg_dump puts parentheses round what is cast: ((c)::text = ANY ((ARRAY[…])::text[]))
_ROUND_NAME = re.compile(r"""\(("(?:[^"]|"")+"|[a-z_][\w$]*)\)(?=::)""")
_SCHEMA = re.compile(r"""(?:\w+|"(?:[^"]|"")*")\.(?=[\w"])""")
_WRAPPED = re.compile(r"(?:(?:LowCardinality|Nullable)\()+")
_ROUND_ARRAY = re.compile(r"\((ARRAY\[[^\]]*\])\)(?=::)")


def typed(column: Column, script: Script, dialect: str) -> Column:
    """Return a column with what its type means: family, members, what a domain adds."""
    native = column.native_type
    alias = _alias(native, script)
    members = alias.members if alias else ()
    base = native
    if alias is not None:
        base = "enum" if alias.members else alias.native_type
        inner = _alias(base, script)
        base = inner.native_type if inner and not inner.members else base
        column = replace(
            column,
            nullable=column.nullable and alias.nullable,
            default=column.default if column.default is not None else alias.default,
        )
    if dialect == "clickhouse":
        column = replace(
            column, nullable=base.startswith(("Nullable(", "LowCardinality(Nullable("))
        )
        base = _WRAPPED.sub("", base).rstrip(")") if _WRAPPED.match(base) else base
    base = _SCHEMA.sub("", base.partition("<")[0])
    word = base.partition("(")[0].strip().casefold()
    if word in ("enum", "set", "enum8", "enum16") and "(" in base:
        members = mysql_text.members("enum", base)
        base = "enum"
    return replace(column, family=family(base.strip('"'), dialect), enum_members=members)


def with_fields(native: str, script: Script) -> str:
    """Return a type as it is spelled, and the fields of a composite type that it holds."""
    fields = _fields(native, script)
    return f"{native} {fields}" if fields else native


def _fields(native: str, script: Script) -> str:
    if native.endswith("]"):
        inner = _fields(native[: native.rindex("[")].rstrip(), script)
        return f"{inner}[]" if inner and not inner.endswith("]") else inner
    alias = _alias(native, script)
    if alias is not None:
        return "" if alias.members else _fields(alias.native_type, script)
    parts = next(filter(None, map(script.parts.get, _keys(native, script))), ())
    return row_of(
        (part.name, _fields(part.native_type, script) or part.native_type) for part in parts
    )


def _alias(native: str, script: Script) -> Alias | None:
    if not script.types or native.endswith("]"):
        return None
    found = (script.types.get(key) for key in _keys(native, script))
    return next((alias for alias in found if alias is not None), None)


def _keys(native: str, script: Script) -> tuple[str, ...]:
    """Return what a type may be kept under."""
    if native.endswith('"'):
        return (script.type_key(native[native[:-1].rindex('"') + 1 : -1]),)
    name = native.rpartition(".")[2]
    spellings = (name, name.lower(), name.upper()) if script.folds else (name,)
    return tuple(map(script.type_key, spellings))


def alias_checks(column: Column, script: Script) -> tuple[Check, ...]:
    """Return the checks that a column's domain adds, about the column."""
    alias = _alias(column.native_type, script)
    if alias is None:
        return ()
    return tuple(Check(about(c.expression, column.name), c.name) for c in alias.checks)


def type_text(item: Reader, tokens: Sequence[Token], default_schema: str | None) -> str:
    """Return a type as the engine's catalogue would spell it: one blank, no default schema."""
    if not tokens:
        return ""
    start, end = tokens[0].start, tokens[-1].end
    pieces = [t for t in item.pieces if start <= t.start < end and not t.is_comment]
    if item.lexis.dialect in (*TSQL, "sqlite"):
        spelled = [item.lexis.name(t) if t.kind == "name" else t.text for t in pieces]
    else:
        spelled = [t.text for t in pieces]
    spelled = [" " if t.kind == "space" else s for t, s in zip(pieces, spelled, strict=True)]
    for at, (before, piece) in enumerate(pairwise(pieces), start=1):
        is_gap = piece.start > before.end and "space" not in (before.kind, piece.kind)
        if is_gap:  # blanks that were left out, or a comment
            spelled[at] = f" {spelled[at]}"
    schemas = {default_schema, "sys"} if item.lexis.dialect in TSQL else {default_schema}
    if len(pieces) > 2 and pieces[1].text == "." and item.lexis.name_of(pieces[0]) in schemas:
        spelled = spelled[2:]
    return "".join(spelled).strip()


def members_of(check: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the column, and what a check says that it may hold; None if it says another thing."""
    plain = _ROUND_ARRAY.sub(r"\1", _ROUND_NAME.sub(r"\1", check))
    return listed(plain) or members_of_check(check)
