"""Tables and views of MariaDB and MySQL, from the rows that the catalogue holds of them."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.database.connect import Row
from pipeline.database.names import table_id
from pipeline.database.servers import mysql_text
from pipeline.database.servers.mysql_queries import Found
from schemas.facts import Check, Column, Index, Key, Table, TableKind, Unreadable

NO_TABLES = ("SEQUENCE", "TEMPORARY")
"""What the catalogue lists among tables, and is none, or gone with its session."""
_VERSIONED = "SYSTEM VERSIONED"
_ELSEWHERE = ("FEDERATED", "CONNECT", "SPIDER")
"""Engines whose rows lie outside the server."""
_USUAL_ENGINE = "InnoDB"


@dataclass(frozen=True, slots=True)
class Place:
    """A database, and how its tables are called."""

    database: str
    schema: str | None
    """What stands before the names of its tables; None for the default database's."""

    def id(self, name: str) -> str:
        """Return how a table of this database is called."""
        return table_id(name, self.schema)


def read(row: Row, place: Place, found: Found, *, is_mariadb: bool) -> Table | Unreadable:
    """Return a table without its foreign keys, or why it can't be read.

    Args:
        row: name, type, engine, comment and options, as INFORMATION_SCHEMA.TABLES has them.
        place: where it lies.
        found: what else the catalogue says.
        is_mariadb: MySQL writes some things otherwise.
    """
    name, table_type, engine, comment, _ = row
    is_view = table_type in ("VIEW", "SYSTEM VIEW")
    listed = found.columns.get(name, [])
    readable = [column for column in listed if _may_be_read(column)]
    lost = _why_lost(row, listed, readable)
    if lost is not None:
        return Unreadable(place.id(name), "view" if is_view else "table", *lost)
    json = {mysql_text.json_column(str(check[1])) for check in found.checks.get(name, ())}
    columns = tuple(
        _column(column, json, is_view=is_view, is_mariadb=is_mariadb) for column in readable
    )
    names = frozenset(column.name for column in columns)
    own = frozenset(c.name for c in columns if c.expression != "ROW END")
    keys, indexes, traits = _indexes(found.indexes.get(name, []), names, own)
    kind: TableKind = "view" if is_view else "foreign_table" if engine in _ELSEWHERE else "table"
    return Table(
        name=place.id(name),
        object_name=name,
        schema=place.schema,
        kind=kind,
        columns=columns,
        primary_key=next((key for key in keys if key.name == "PRIMARY"), None),
        unique=tuple(key for key in keys if key.name != "PRIMARY"),
        checks=_checks(found.checks.get(name, []), is_mariadb=is_mariadb),
        indexes=indexes,
        comment=None if is_view else comment or None,
        definition=_definition(found.views.get(name), place) if is_view else None,
        partitions=found.partitions.get(name),
        options=(*_options(table_type, engine), *_invisible(readable), *traits),
    )


def _may_be_read(column: Row) -> bool:
    return "select" in column[-1].split(",")


def _why_lost(row: Row, listed: list[Row], readable: list[Row]) -> tuple[str, str] | None:
    """Return the server's name of the error that reading would bring, and its words."""
    _, table_type, engine, comment, _ = row
    if table_type == "VIEW":
        if comment not in (None, "", "VIEW"):  # views have no comments of their own
            return "ER_VIEW_INVALID", comment
        if not listed:
            return "ER_VIEW_INVALID", "what it reads is gone, or the login may not read it"
    elif not listed and engine is None:
        return "ER_CANT_OPEN_FILE", comment or "the server tells nothing of it"
    if not readable:
        return "ER_TABLEACCESS_DENIED_ERROR", "the login may not select from it"
    return None


def _column(row: Row, json: set[str | None], *, is_view: bool, is_mariadb: bool) -> Column:
    _, name, data_type, native, nullable, told, extra, expression, comment, _ = row
    extra = extra or ""
    upper = extra.upper()
    is_stored = "STORED GENERATED" in upper or "PERSISTENT" in upper
    generated = is_stored or "VIRTUAL GENERATED" in upper
    default = None
    if not (is_view or generated):  # a view's are those of the columns below
        default = mysql_text.default(told, data_type, extra, is_mariadb=is_mariadb)
    if generated and not is_mariadb:
        expression = mysql_text.unescaped(expression or "")
    return Column(
        name=name,
        native_type=native,
        family=mysql_text.type_family(
            data_type, native, is_json=data_type == "json" or name in json
        ),
        nullable=nullable == "YES",
        default=default,
        generated=("stored" if is_stored else "virtual") if generated else None,
        expression=(expression or None) if generated else None,
        identity="AUTO_INCREMENT" in upper or (default or "").startswith("nextval("),
        comment=comment or None,
        enum_members=mysql_text.members(data_type, native),
    )


def _indexes(
    rows: list[Row], names: frozenset[str], own: frozenset[str]
) -> tuple[list[Key], tuple[Index, ...], list[str]]:
    """Return unique keys, other indexes, and what sets an index apart.

    Args:
        rows: of INFORMATION_SCHEMA.STATISTICS, in order.
        names: the columns that may be read; an index of others is left out.
        own: those without the one that a system-versioned table adds to each unique key, which
            tells versions of a row apart, of which a reader sees the current one.
    """
    by_name: dict[str, list[Row]] = {}
    for name, *rest in rows:
        by_name.setdefault(name, []).append(tuple(rest))
    keys, indexes, traits = [], [], []
    for name, parts in by_name.items():
        columns = [part[1] for part in parts]
        if not all(column is None or column in names for column in columns):
            continue
        is_unique = not int(parts[0][2])
        kind, ignored, is_visible = parts[0][5], parts[0][7], parts[0][8]
        if is_unique and None not in columns:
            keys.append(Key(tuple(c for c in columns if c in own) or tuple(columns), name))
        else:
            indexes.append(Index(name, tuple(_part(part) for part in parts), is_unique))
        if kind in ("FULLTEXT", "SPATIAL"):
            traits.append(f"{kind} INDEX {name}")
        if ignored == "YES" or is_visible == "NO":
            traits.append(f"{'IGNORED' if ignored else 'INVISIBLE'} INDEX {name}")
    keys.sort(key=lambda key: (key.columns, key.name or ""))
    return keys, tuple(sorted(indexes, key=lambda i: i.name)), sorted(traits)


def _part(row: Row) -> str:
    """Return a column of an index, with the length of its prefix and its direction."""
    _, column, _, collation, length, kind, expression, *_ = row
    if column is None:
        return f"({mysql_text.unescaped(expression or '')})"
    is_prefix = length is not None and kind == "BTREE"
    return f"{column}{f'({length})' if is_prefix else ''}{' DESC' if collation == 'D' else ''}"


def _checks(rows: list[Row], *, is_mariadb: bool) -> tuple[Check, ...]:
    """Return the check constraints; one of a column alone has no name of its own."""
    checks = [
        Check(
            clause if is_mariadb else mysql_text.unescaped(clause),
            None if level == "Column" else name,
        )
        for name, clause, level in rows
    ]
    return tuple(sorted(checks, key=lambda c: (c.expression, c.name or "")))


def _definition(text: str | None, place: Place) -> str | None:
    if not text:  # the login lacks SHOW VIEW
        return None
    return text if place.schema else mysql_text.without_database(text, place.database)


def _options(table_type: str, engine: str | None) -> list[str]:
    options = [engine] if engine and engine != _USUAL_ENGINE else []
    return [*options, _VERSIONED] if table_type == _VERSIONED else options


def _invisible(rows: list[Row]) -> list[str]:
    return [f"INVISIBLE COLUMN {row[1]}" for row in rows if "INVISIBLE" in (row[6] or "").upper()]
