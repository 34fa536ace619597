"""The structure of a SQLite file, in a constant number of statements.

Each pragma is asked for all tables at once through its table-valued form; only when one broken
object makes that fail are they asked for one by one (https://www.sqlite.org/pragma.html#pragfunc).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from pipeline.database.connect import Row
from pipeline.database.families import family
from pipeline.database.names import match_name, table_id
from pipeline.database.sqlite_ddl import (
    TableText,
    folded,
    index_parts,
    module_of,
    parse_table,
    parse_view_comment,
    tokens,
)
from pipeline.errors import QueryError
from schemas.facts import (
    Catalog,
    Check,
    Column,
    Index,
    Key,
    Link,
    LinkState,
    Routine,
    Table,
    TableKind,
    Unreadable,
)

if TYPE_CHECKING:
    from pipeline.database.sqlite import SqliteDatabase

_MASTER = """
SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master
WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name, type
"""
_TABLE_LIST = "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main'"
_COLUMNS = """
SELECT m.name, x.name, x.type, x."notnull", x.dflt_value, x.pk, x.hidden
FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS x
WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite~_%' ESCAPE '~' {one}
ORDER BY m.name, x.cid
"""
_FOREIGN_KEYS = """
SELECT m.name, f.id, f."table", f."from", f."to"
FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS f
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite~_%' ESCAPE '~' {one}
ORDER BY m.name, f.id, f.seq
"""
_INDEXES = """
SELECT m.name, l.name, l."unique", l.origin, l.partial, i.cid, i.name
FROM sqlite_master AS m, pragma_index_list(m.name) AS l, pragma_index_xinfo(l.name) AS i
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite~_%' ESCAPE '~' AND i.key {one}
ORDER BY m.name, l.name, i.seqno
"""
_HIDDEN_BY_MODULE, _VIRTUAL, _STORED = 1, 2, 3
_EXPRESSION = -2  # cid of an index term that is no column

_FIRES = {"BEFORE", "AFTER", "INSTEAD", "INSERT", "DELETE", "UPDATE"}

# SQLite before 3.37 can't say which tables are shadows: suffixes of the modules it ships with.
SHADOWS = {
    "fts3": ("content", "segdir", "segments"),
    "fts4": ("content", "docsize", "segdir", "segments", "stat"),
    "fts5": ("config", "content", "data", "docsize", "idx"),
    "rtree": ("node", "parent", "rowid"),
    "rtree_i32": ("node", "parent", "rowid"),
    "geopoly": ("node", "parent", "rowid"),
}


@dataclass(frozen=True, slots=True)
class _Object:
    kind: str
    name: str
    table: str
    sql: str


@dataclass(frozen=True, slots=True)
class _Found:
    """What the pragmas said, by table."""

    columns: dict[str, list[Row]]
    foreign_keys: dict[str, list[Row]]
    indexes: dict[str, list[Row]]
    index_sql: dict[str, str]


def read(database: SqliteDatabase) -> Catalog:
    """Return the structure of the file that `database` has open."""
    objects = [_Object(*row) for row in database.fetch(_MASTER)]
    listed = _table_list(database)
    shadows = _shadows(objects, listed)
    relations = [o for o in objects if o.kind in ("table", "view") and o.name not in shadows]
    unreadable: dict[str, Unreadable] = {}
    found = _Found(
        columns=_per_table(database, _COLUMNS, relations, unreadable),
        foreign_keys=_per_table(database, _FOREIGN_KEYS, relations, unreadable),
        indexes=_per_table(database, _INDEXES, relations, unreadable),
        index_sql={o.name: o.sql for o in objects if o.kind == "index"},
    )
    names = frozenset(o.name for o in relations if o.name not in unreadable)
    tables = [
        _table(o, found, names, listed.get(o.name)) for o in relations if o.name not in unreadable
    ]
    return Catalog(
        dialect="sqlite",
        database=database.source.database,
        tables=tuple(sorted(tables, key=lambda t: t.name)),
        routines=_triggers(objects),
        unreadable=tuple(unreadable[name] for name in sorted(unreadable)),
    )


def _table_list(database: SqliteDatabase) -> dict[str, Row]:
    try:
        return {row[0]: row for row in database.fetch(_TABLE_LIST)}
    except QueryError:  # before 3.37
        return {}


def _shadows(objects: Sequence[_Object], listed: dict[str, Row]) -> set[str]:
    shadows = {name for name, row in listed.items() if row[1] == "shadow"}
    for item in objects:
        module = module_of(item.sql) if _is_virtual(item.sql) else None
        shadows |= {f"{item.name}_{suffix}" for suffix in SHADOWS.get(module or "", ())}
    return shadows


def _is_virtual(sql: str) -> bool:
    return re.match(r"(?i)\s*create\s+virtual\s", sql) is not None


def _per_table(
    database: SqliteDatabase,
    sql: str,
    relations: Sequence[_Object],
    unreadable: dict[str, Unreadable],
) -> dict[str, list[Row]]:
    try:
        return _grouped(database.fetch_structure(sql.format(one="")))
    except QueryError:
        rows: list[Row] = []
    for item in relations:
        if item.name in unreadable:
            continue
        try:
            rows += database.fetch_structure(sql.format(one="AND m.name = ?"), (item.name,))
        except QueryError as error:
            cause = error.__cause__ or error
            unreadable[item.name] = Unreadable(
                name=table_id(item.name),
                kind=item.kind,
                error_class=type(cause).__name__,
                problem=database.source.safe(cause),
            )
    return _grouped(rows)


def _grouped(rows: Iterable[Row]) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        grouped.setdefault(row[0], []).append(row[1:])
    return grouped


def _table(item: _Object, found: _Found, names: frozenset[str], listed: Row | None) -> Table:
    is_virtual = _is_virtual(item.sql)
    is_view = item.kind == "view"
    text = TableText() if is_view or is_virtual else parse_table(item.sql)
    without_rowid, strict = _options(item.sql, listed)
    rows = [r for r in found.columns.get(item.name, []) if r[5] != _HIDDEN_BY_MODULE]
    key = tuple(r[0] for r in sorted((r for r in rows if r[4]), key=lambda r: r[4]))
    is_rowid = len(key) == 1 and not without_rowid and _declared_integer(rows, key[0], item.sql)
    rowid = key[0] if is_rowid and not (is_view or is_virtual) else None
    unique, indexes = _indexes(item.name, found, text)
    links = _links(item.name, found, names, text)
    refers = {column for link in links for column in link.columns}
    kind: TableKind = "view" if is_view else "virtual_table" if is_virtual else "table"
    module = module_of(item.sql) if is_virtual else None
    traits = (module, "STRICT" if strict else None, "WITHOUT ROWID" if without_rowid else None)
    return Table(
        name=table_id(item.name),
        object_name=item.name,
        kind=kind,
        columns=tuple(_column(r, text, rowid, refers) for r in rows),
        primary_key=Key(key, text.primary_key) if key else None,
        unique=unique,
        foreign_keys=links,
        checks=tuple(sorted((Check(e, n) for e, n in text.checks), key=lambda c: c.expression)),
        indexes=indexes,
        comment=parse_view_comment(item.sql) if is_view else text.comment,
        definition=item.sql if is_view else None,
        options=tuple(trait for trait in traits if trait),
    )


def _options(sql: str, listed: Row | None) -> tuple[bool, bool]:
    """Return whether the table is WITHOUT ROWID and whether it is STRICT."""
    if listed is not None:
        return bool(listed[2]), bool(listed[3])
    tail = sql.rpartition(")")[2].upper()
    return re.search(r"WITHOUT\s+ROWID", tail) is not None, "STRICT" in tail


def _declared_integer(rows: Sequence[Row], name: str, sql: str) -> bool:
    """Whether the column stands for the rowid: `INTEGER PRIMARY KEY`, not `… DESC`."""
    declared = next(r[1] for r in rows if r[0] == name)
    descending = re.search(r"(?i)integer\s+primary\s+key\s+desc\b", sql)
    return str(declared).upper() == "INTEGER" and descending is None


def _column(row: Row, text: TableText, rowid: str | None, refers: set[str]) -> Column:
    name, native_type, not_null, default, _, hidden = row
    said = text.columns.get(folded(name))
    return Column(
        name=name,
        native_type=native_type,
        family=family(native_type, "sqlite"),
        nullable=not not_null and name != rowid,
        default=default,
        generated={_VIRTUAL: "virtual", _STORED: "stored"}.get(hidden),  # type: ignore[arg-type]  # the values are the literals
        expression=said.expression if said and hidden in (_VIRTUAL, _STORED) else None,
        identity=name == rowid and name not in refers,  # else it takes the other's number
        comment=said.comment if said else None,
        enum_members=said.members if said else (),
    )


def _indexes(
    table: str, found: _Found, text: TableText
) -> tuple[tuple[Key, ...], tuple[Index, ...]]:
    """Return the unique constraints and the indexes that were created as such."""
    terms: dict[str, list[Row]] = {}
    for name, *rest in found.indexes.get(table, []):
        terms.setdefault(name, []).append(tuple(rest))
    named = {tuple(c.casefold() for c in u.columns): u.name for u in text.unique}
    unique: list[Key] = []
    indexes: list[Index] = []
    for name, rows in terms.items():
        is_unique, origin, is_partial = rows[0][:3]
        columns = tuple(column or "" for *_, column in rows)
        if origin == "u":
            unique.append(Key(columns, named.get(tuple(c.casefold() for c in columns))))
        elif origin == "c":
            written, where = index_parts(found.index_sql.get(name, ""))
            columns = tuple(
                (written[i] if i < len(written) else "") if cid == _EXPRESSION else column
                for i, (*_, cid, column) in enumerate(rows)
            )
            indexes.append(Index(name, columns, bool(is_unique), where if is_partial else None))
    return tuple(sorted(unique, key=lambda k: k.columns)), tuple(
        sorted(indexes, key=lambda i: i.name)
    )


def _links(table: str, found: _Found, names: frozenset[str], text: TableText) -> tuple[Link, ...]:
    """Return the foreign keys, each once, with the tables' own names."""
    keys: dict[int, list[Row]] = {}
    for identifier, *rest in found.foreign_keys.get(table, []):
        keys.setdefault(identifier, []).append(tuple(rest))
    named = {tuple(c.casefold() for c in f.columns): f.name for f in text.foreign_keys}
    links: dict[object, Link] = {}
    for rows in keys.values():
        link = _link(table, rows, found, names, named)
        links.setdefault(link.key, link)
    return tuple(sorted(links.values(), key=lambda k: (k.columns, k.to_table, k.to_columns)))


def _link(
    table: str,
    rows: Sequence[Row],
    found: _Found,
    names: frozenset[str],
    named: dict[tuple[str, ...], str | None],
) -> Link:
    written = rows[0][0]
    target = match_name(written, names)
    own = [r[0] for r in found.columns.get(table, [])]
    columns = tuple(match_name(r[1], own) or r[1] for r in rows)
    there = found.columns.get(target or "", [])
    if any(r[2] is None for r in rows):  # no column list: the parent's primary key
        parent_key = sorted((r for r in there if r[4]), key=lambda r: r[4])
        to_columns = tuple(r[0] for r in parent_key)
    else:
        to_columns = tuple(match_name(r[2], [t[0] for t in there]) or r[2] for r in rows)
    state: LinkState = "ok"
    if target is None:
        state = "missing_table"
    elif len(columns) != len(to_columns) or not set(to_columns) <= {r[0] for r in there}:
        state = "missing_column"
    return Link(
        table=table_id(table),
        columns=columns,
        to_table=table_id(target or written),
        to_columns=to_columns,
        name=named.get(tuple(c.casefold() for c in columns)),
        state=state,
    )


def _triggers(objects: Sequence[_Object]) -> tuple[Routine, ...]:
    return tuple(
        Routine(
            name=o.name,
            kind="trigger",
            arguments=_event(o.sql),
            table=table_id(o.table),
        )
        for o in objects
        if o.kind == "trigger"
    )


def _event(sql: str) -> str:
    """Return when a trigger fires, e.g. `AFTER UPDATE OF price`."""
    pieces = tokens(sql)
    start = next((i for i, t in enumerate(pieces) if t.word in _FIRES), len(pieces))
    head = takewhile(lambda t: t.word != "ON", pieces[start:])
    return " ".join("".join(t.text for t in head if not t.is_comment).split())
