"""The structure of MariaDB and MySQL databases, in about a dozen statements for each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pipeline.database.connect import Row
from pipeline.database.names import match_name, table_id
from pipeline.database.servers import mysql_queries, mysql_tables
from pipeline.database.servers.mysql_queries import Fetch, Found, ServerFacts
from pipeline.database.servers.mysql_tables import Place
from pipeline.errors import QueryError, SettingError
from pipeline.text import counted
from schemas.facts import Catalog, Link, LinkState, Routine, Table, Unreadable

_KINDS = ("FUNCTION", "PROCEDURE")  # MariaDB also has packages
_ALL_OF = re.compile(r"(?is)GRANT (?P<what>.+?) ON (?P<place>\*|`(?:[^`]|``)*`|[^\s.]+)\.\* TO ")
_WILD = {"%": ".*", "_": ".", "*": ".*"}


@dataclass(frozen=True)
class _Scanned:
    """One database, as far as this login sees it."""

    place: Place
    found: Found
    results: tuple[Table | Unreadable, ...]

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The readable ones by their own name."""
        return {t.object_name: t for t in self.results if isinstance(t, Table)}

    @property
    def unreadable(self) -> list[Unreadable]:
        """The others."""
        return [found for found in self.results if isinstance(found, Unreadable)]

    @cached_property
    def names(self) -> frozenset[str]:
        """All tables and views that the server lists, readable or not."""
        return frozenset(row[0] for row in self.found.tables)

    def called(self, name: str) -> str:
        """Return the name of a table in the case in which it is listed."""
        return name if name in self.names else match_name(name, self.names) or name


def read(fetch: Fetch, database: str, schemas: Sequence[str]) -> Catalog:
    """Return the structure of the URL's database, or else of the chosen ones.

    Raises:
        SettingError: the URL names no database, and none is chosen.
        QueryError: the server doesn't answer a question.
    """
    server = mysql_queries.server(fetch)
    scanned = {place.database: _scanned(fetch, server, place) for place in _places(server, schemas)}
    sees = _Sight(fetch)
    linker = _Linker(scanned, sees)
    tables = [
        replace(table, foreign_keys=linker.links(table, one))
        for one in scanned.values()
        for table in one.tables.values()
    ]
    unreadable = [lost for one in scanned.values() for lost in one.unreadable]
    routines = [routine for one in scanned.values() for routine in _routines(one)]
    only = next(iter(scanned)) if len(scanned) == 1 else ""
    return Catalog(
        dialect="mysql",
        database=database,
        default_schema=server.default,
        comment=server.databases.get(only),
        tables=tuple(sorted(tables, key=lambda t: t.name)),
        routines=tuple(sorted(routines, key=lambda r: (r.table or "", r.name, r.kind))),
        unreadable=tuple(sorted(unreadable, key=lambda lost: lost.name)),
        notes=tuple(note for one in scanned.values() for note in _notes(one, sees)),
    )


class _Sight:
    """Tells, where it matters, whether the login sees all tables of a database."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._grants: list[str] | None = None

    def all_of(self, database: str) -> bool:
        """Return whether a right to select holds for the whole database."""
        if self._grants is None:
            try:
                self._grants = [str(row[0]) for row in self._fetch("SHOW GRANTS")]
            except QueryError:
                self._grants = []
        return any(_grants_all(line, database) for line in self._grants)


def _grants_all(line: str, database: str) -> bool:
    grant = _ALL_OF.match(line)
    if grant is None:
        return False
    rights = {right.strip().upper() for right in grant["what"].split(",")}
    if rights.isdisjoint(("SELECT", "ALL", "ALL PRIVILEGES")):
        return False
    wanted = grant["place"].strip("`").replace("``", "`")
    pattern = "".join(
        _WILD.get(part) or re.escape(part.removeprefix("\\"))
        for part in re.findall(r"\\.|.", wanted, re.DOTALL)
    )
    return re.fullmatch(pattern, database, re.DOTALL) is not None


def _places(server: ServerFacts, schemas: Sequence[str]) -> Iterator[Place]:
    """Return the databases to read; a chosen one that isn't there has no tables."""
    if schemas:
        known = (match_name(name, server.databases) for name in schemas)
        yield from (Place(name, name) for name in dict.fromkeys(filter(None, known)))
    elif server.default:
        name = match_name(server.default, server.databases) or server.default
        yield Place(name, None)
    else:
        raise SettingError(
            "the URL of the source names no database of the server",
            fix="write its name behind the host, mysql://host/name, or choose some by `schemas:`",
        )


def _scanned(fetch: Fetch, server: ServerFacts, place: Place) -> _Scanned:
    found = mysql_queries.database(fetch, server, place.database)
    results = tuple(
        mysql_tables.read(row, place, found, is_mariadb=server.is_mariadb)
        for row in found.tables
        if row[1] not in mysql_tables.NO_TABLES
    )
    return _Scanned(place, found, results)


class _Linker:
    """Makes links of foreign keys, once all tables that are scanned are known."""

    def __init__(self, scanned: Mapping[str, _Scanned], sees: _Sight) -> None:
        self._scanned = scanned
        self._sees = sees

    def links(self, table: Table, own: _Scanned) -> tuple[Link, ...]:
        """Return a table's foreign keys, each once."""
        keys: dict[str, list[Row]] = {}
        for name, *rest in own.found.foreign_keys.get(table.object_name, []):
            keys.setdefault(name, []).append(tuple(rest))
        readable = {column.name for column in table.columns}
        links: dict[object, Link] = {}
        for name, parts in keys.items():
            if readable.issuperset(part[1] for part in parts):
                link = self._link(table, name, parts)
                links.setdefault(link.key, link)
        return tuple(sorted(links.values(), key=lambda k: (k.columns, k.to_table, k.to_columns)))

    def _link(self, table: Table, name: str, parts: list[Row]) -> Link:
        """Return one foreign key: its parts are (position, column, database, table, column)."""
        schema, target = parts[0][2], parts[0][3]
        to_columns = tuple(part[4] for part in parts)
        there = self._scanned.get(match_name(schema, self._scanned) or schema)
        state: LinkState = "external"
        if there is not None:
            target = there.called(target)
            state, to_columns = self._state(there, target, to_columns)
        return Link(
            table=table.name,
            columns=tuple(part[1] for part in parts),
            to_table=there.place.id(target) if there else table_id(target, schema),
            to_columns=to_columns,
            name=name,
            state=state,
        )

    def _state(
        self, there: _Scanned, target: str, columns: tuple[str, ...]
    ) -> tuple[LinkState, tuple[str, ...]]:
        """Return what a key leads to, and its columns as that table calls them."""
        found = there.tables.get(target)
        if found is None:
            is_gone = target not in there.names and self._sees.all_of(there.place.database)
            return ("missing_table" if is_gone else "external"), columns
        own = [column.name for column in found.columns]
        called = tuple(match_name(column, own) or column for column in columns)
        return ("ok" if set(called) <= set(own) else "missing_column"), called


def _routines(one: _Scanned) -> Iterator[Routine]:
    for name, table, timing, event in one.found.triggers:
        yield Routine(
            name=one.place.id(name),
            kind="trigger",
            arguments=f"{timing} {event}",
            table=one.place.id(table),
        )
    for specific, name, kind, returns, comment in one.found.routines:
        if kind in _KINDS:
            parameters = one.found.parameters.get(specific, [])
            yield Routine(
                name=one.place.id(name),
                kind="function" if kind == "FUNCTION" else "procedure",
                arguments=", ".join(_argument(row) for row in parameters if row[1] == kind),
                returns=(returns or None) if kind == "FUNCTION" else None,
                comment=comment or None,
            )


def _argument(row: Row) -> str:
    """Return a parameter: (position, kind of its routine, mode, name, type)."""
    _, kind, mode, name, native = row
    parts = (mode if kind == "PROCEDURE" else None, name, native)
    return " ".join(part for part in parts if part)


def _notes(one: _Scanned, sees: _Sight) -> Iterator[str]:
    tables = one.tables.values()
    where = f" of {one.place.schema}" if one.place.schema else ""
    untold = sum(1 for t in tables if t.kind == "view" and not t.definition)
    if untold:
        yield (
            f"the login may not see the SQL of {counted(untold, 'view')}{where}: "
            "GRANT SHOW VIEW lets it"
        )
    hidden = [t.name for t in tables if _hides_columns(t, one)]
    if hidden and not sees.all_of(one.place.database):
        yield f"the login may not read some columns of {', '.join(sorted(hidden))}"


def _hides_columns(table: Table, one: _Scanned) -> bool:
    """Whether there are columns left out, or places in their order that none of them takes."""
    rows = one.found.columns.get(table.object_name, [])
    is_gapless = max((int(row[0]) for row in rows), default=0) == len(rows)
    return len(table.columns) < len(rows) or not is_gapless
