"""Which binary columns hold texts, and how an engine reads them as such.

MediaWiki keeps its titles in VARBINARY, others their keys and names in BLOB or BYTEA. Where all
that is stored is printable UTF-8, a column is profiled and joined as the text that it is, and
judged as one: what is personal in it is withheld.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipeline.database.connect import Database, Row
from pipeline.database.families import family
from pipeline.errors import QueryError
from pipeline.profile import sampling
from schemas.facts import Catalog, Column, ColumnProfile, Table, TableProfile

LONGEST = 1000
"""Bytes; what is longer is a document, whatever it is written in."""
_LOOKED_AT = 300
"""Rows that are looked at before all are asked."""
_LEAST = 2
"""Characters: one printable byte is a flag or a number as likely."""
_BREAKS = frozenset("\t\r\n")
_READ_AS = {
    "sqlite": "CAST({} AS TEXT)",
    "mysql": "CONVERT({} USING utf8mb4)",
    "postgres": "convert_from({}, 'UTF8')",
    "duckdb": "decode({})",
}
_WRITTEN_AS = {
    "sqlite": "CAST({} AS BLOB)",
    "postgres": "convert_to({}, 'UTF8')",
    "duckdb": "encode({})",
}
"""MariaDB compares texts and bytes as they are."""
_LENGTH = {"duckdb": "octet_length({})"}
_WRONG = {
    "mysql": "SUM(CASE WHEN CAST(CONVERT({0} USING utf8mb4) AS BINARY) <> {0} THEN 1 ELSE 0 END)",
    "postgres": "MIN(LENGTH(convert_from({0}, 'UTF8'))) * 0",
    "duckdb": "MIN(LENGTH(decode({0}))) * 0",
}
"""How many values aren't UTF-8; engines that convert nothing else fail. SQLite converts anything,
and what isn't UTF-8 is left out wherever it is read."""


def read_as_text(name: str, dialect: str) -> str:
    """Return an expression for the text in a binary column."""
    return _READ_AS[dialect].format(name)


def as_kind_of(key: Column, column: Column, value: str, dialect: str) -> str:
    """Return a value of `column` as bytes where `key` holds bytes, as text where it holds texts.

    The key stays as it is: its index finds it.
    """
    to_bytes, is_bytes = (family(c.native_type, dialect) == "binary" for c in (key, column))
    if to_bytes == is_bytes or "text" not in (key.family, column.family):
        return value
    return (_WRITTEN_AS if to_bytes else _READ_AS).get(dialect, "{}").format(value)


def columns(
    database: Database, table: Table, source: str, fetch: Callable[[str], list[Row]]
) -> tuple[Column, ...]:
    """Return the binary columns whose values are all printable UTF-8.

    Args:
        database: whose dialect is spoken.
        table: whose columns they are.
        source: what its rows are read from.
        fetch: runs a statement.
    """
    asked = [column for column in table.columns if column.family == "binary"]
    if database.dialect not in _READ_AS or not asked:
        return ()
    names = [database.quote(column.name) for column in asked]
    length = _LENGTH.get(database.dialect, "LENGTH({})").format
    begins = ", ".join(
        f"CASE WHEN {length(name)} <= {LONGEST} THEN {name} END,"
        f" CASE WHEN {length(name)} > {LONGEST} THEN 1 END"
        for name in names
    )
    select = sampling.first(database.dialect, f"SELECT {begins} FROM {source}", _LOOKED_AT)
    try:
        rows = fetch(select)
    except QueryError:
        return ()
    likely = [
        column
        for i, column in enumerate(asked)
        if not any(row[2 * i + 1] for row in rows) and _are_texts([row[2 * i] for row in rows])
    ]
    return _without_wrong(database, likely, source, fetch)


def as_read(catalog: Catalog, profiles: Mapping[str, TableProfile]) -> Catalog:
    """Return a catalogue in which a binary column that was profiled as text is one."""
    tables = []
    for table in catalog.tables:
        profile = profiles.get(table.name)
        known = {c.column: c for c in profile.columns} if profile is not None else {}
        if any(is_text(column, known.get(column.name)) for column in table.columns):
            read = tuple(
                replace(column, family="text")
                if is_text(column, known.get(column.name))
                else column
                for column in table.columns
            )
            table = replace(table, columns=read)  # noqa: PLW2901  # the same one as it is read
        tables.append(table)
    return replace(catalog, tables=tuple(tables))


def is_text(column: Column, profile: ColumnProfile | None) -> bool:
    """Return whether a column is binary and was profiled as text: only texts have lengths."""
    return column.family == "binary" and profile is not None and profile.max_length is not None


def _without_wrong(
    database: Database,
    likely: Sequence[Column],
    source: str,
    fetch: Callable[[str], list[Row]],
) -> tuple[Column, ...]:
    """Return the columns of which no row holds anything else."""
    wrong = _WRONG.get(database.dialect)
    if wrong is None or not likely:
        return tuple(likely)
    counts = ", ".join(wrong.format(database.quote(column.name)) for column in likely)
    try:
        found = fetch(f"SELECT {counts} FROM {source}")[0]
    except QueryError:
        if len(likely) == 1:
            return ()
        halves = likely[: len(likely) // 2], likely[len(likely) // 2 :]
        return tuple(c for half in halves for c in _without_wrong(database, half, source, fetch))
    return tuple(column for column, n in zip(likely, found, strict=True) if not n)


def _are_texts(values: Sequence[Any]) -> bool:
    stored = [value for value in values if value is not None]
    texts = [text for value in stored if (text := _text(value)) is not None]
    return len(texts) == len(stored) and any(len(text) >= _LEAST for text in texts)


def _text(value: Any) -> str | None:
    if isinstance(value, bytes | bytearray | memoryview):
        try:
            value = bytes(value).decode("utf-8")
        except UnicodeDecodeError:
            return None
    if not isinstance(value, str):
        return None
    return value if all(c.isprintable() or c in _BREAKS for c in value) else None
