"""The structure of a SQL Server database, from its catalogue views in a constant number of queries.

No server runs where dblore is tested: the statements are parsed, and rows as the documentation
shows them are turned into tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pipeline.database.connect import Row
from pipeline.database.names import match_name, table_id
from pipeline.database.servers import tsql_queries as queries
from pipeline.database.servers import tsql_tables as tables
from pipeline.database.servers.findings import with_states
from pipeline.database.servers.tsql_tables import Relation
from schemas.facts import Catalog, Routine, Table, TableKind, Unreadable

Fetch = Callable[[str], list[Row]]

_KINDS: dict[str, TableKind] = {"U": "table", "V": "view"}
_NO_RIGHT = "InsufficientPrivilege"
_ROUTINES: dict[str, Literal["function", "procedure", "aggregate"]] = {
    "P": "procedure", "PC": "procedure", "AF": "aggregate",
}  # fmt: skip
_TABLE_VALUED = ("IF", "TF", "FT")


def read(fetch: Fetch, database: str, schemas: Sequence[str] = ()) -> Catalog:
    """Return the structure of the database that `fetch` asks.

    Args:
        fetch: runs a query and returns all rows.
        database: its name, if the server tells none.
        schemas: the ones to read; none: all that users made.

    Raises:
        QueryError: the catalogue views can't be read in this way.
    """
    return _Reader(fetch, database, schemas).read()


class _Reader:
    """Reads one database; collects what can't be read."""

    def __init__(self, fetch: Fetch, database: str, schemas: Sequence[str]) -> None:
        self._fetch = fetch
        self._wanted = schemas
        [(name, self._default, self._comment)] = fetch(queries.SERVER)
        self._database = name or database
        self._schemas = self._chosen(fetch(queries.SCHEMAS))
        self._queries = queries.Queries(self._schemas)
        self._names: dict[int, str] = {}
        self._unreadable: list[Unreadable] = []

    def read(self) -> Catalog:
        """Return the whole."""
        found = [Relation(*row) for row in self._fetch(self._queries.tables())]
        self._names = {r.id: self._named(r.schema, r.name) for r in found}
        self._columns = tables.grouped(self._fetch(self._queries.columns()))
        self._indexes = tables.grouped(self._fetch(self._queries.indexes()))
        self._keys = tables.grouped(self._fetch(self._queries.foreign_keys()))
        self._checks = tables.grouped(self._fetch(self._queries.checks()))
        made = [table for r in found if (table := self._table(r)) is not None]
        known = {table.name for table in made}
        made = [with_states(table, known) for table in made]
        links = (link for table in made for link in table.foreign_keys)
        return Catalog(
            dialect="tsql",
            database=self._database,
            default_schema=self._default,
            comment=self._comment or None,
            tables=tuple(sorted(made, key=lambda t: t.name)),
            external=tuple(sorted({k.to_table for k in links if k.state == "external"})),
            routines=(*self._routines(), *self._triggers(known)),
            unreadable=tuple(sorted(self._unreadable, key=lambda lost: (lost.name, lost.kind))),
        )

    def _chosen(self, rows: Sequence[Row]) -> dict[int, str]:
        by_number = {int(number): str(name) for number, name in rows}
        if not self._wanted:
            return by_number
        wanted = {match_name(name, by_number.values()) for name in self._wanted}
        return {number: name for number, name in by_number.items() if name in wanted}

    def _schema(self, number: int) -> str | None:
        """Return the schema if a name needs it."""
        return self._in_name(self._schemas[number])

    def _in_name(self, schema: str) -> str | None:
        return None if schema == self._default and not self._wanted else schema

    def _named(self, schema: int, name: str) -> str:
        return table_id(name, self._schema(schema))

    def _table(self, relation: Relation) -> Table | None:
        name, kind = self._names[relation.id], _KINDS[relation.type]
        shown, hidden = tables.columns(self._columns.get(relation.id, ()))
        if not shown:
            self._lose(name, kind, "this login has no right to select from it")
            return None
        for column in hidden:
            problem = "this login has no right to select it"
            self._lose(f"{name}.{table_id(column)}", "column", problem)
        own = frozenset(column.name for column in shown)
        primary, unique, indexes, traits = tables.keys(self._indexes.get(relation.id, ()), own)
        links, unproven = tables.links(name, self._keys.get(relation.id, ()), own, self._target)
        checks, unchecked = tables.checks(self._checks.get(relation.id, ()))
        return Table(
            name=name,
            object_name=relation.name,
            schema=self._schema(relation.schema),
            kind="materialized_view" if relation.is_indexed_view else kind,
            columns=shown,
            primary_key=primary,
            unique=unique,
            foreign_keys=links,
            checks=checks,
            indexes=indexes,
            comment=relation.comment or None,
            definition=relation.definition.strip() if relation.definition else None,
            partitions=relation.partitions if relation.partitions > 1 else None,
            options=tuple(sorted((*traits, *unproven, *unchecked))),
        )

    def _target(self, number: int, schema: str, name: str) -> str:
        return self._names.get(number) or table_id(name, self._in_name(schema))

    def _routines(self) -> tuple[Routine, ...]:
        parameters = tables.grouped(self._fetch(self._queries.parameters()))
        found = []
        for number, schema, name, kind, comment in self._fetch(self._queries.routines()):
            own = parameters.get(number, [])
            returns = next((_type(row) for row in own if row[0] == 0), None)
            found.append(
                Routine(
                    name=self._named(schema, name),
                    kind=_ROUTINES.get(kind, "function"),
                    arguments=", ".join(_argument(row) for row in own if row[0] > 0),
                    returns="table" if kind in _TABLE_VALUED else returns,
                    comment=comment or None,
                )
            )
        return tuple(sorted(found, key=lambda r: (r.name, r.kind)))

    def _triggers(self, known: set[str]) -> tuple[Routine, ...]:
        events: dict[tuple[str, str, bool, bool, str | None], list[str]] = {}
        for number, name, is_instead, is_disabled, event, comment in self._fetch(
            self._queries.triggers()
        ):
            table = self._names.get(number)
            if table in known:
                key = (str(table), name, bool(is_instead), bool(is_disabled), comment or None)
                events.setdefault(key, []).append(event)
        return tuple(
            Routine(
                name=name,
                kind="trigger",
                arguments=f"{'INSTEAD OF' if is_instead else 'AFTER'} {' OR '.join(on)}"
                + (", disabled" if is_disabled else ""),
                comment=comment,
                table=table,
            )
            for (table, name, is_instead, is_disabled, comment), on in sorted(
                events.items(), key=lambda item: item[0][:2]
            )
        )

    def _lose(self, name: str, kind: str, problem: str) -> None:
        self._unreadable.append(Unreadable(name, kind, _NO_RIGHT, problem))


def _type(row: Row) -> str:
    _, _, name, schema, is_user_defined, length, precision, scale, _ = row
    return tables.native(name, schema, is_user_defined, (length, precision, scale))


def _argument(row: Row) -> str:
    return f"{row[1]} {_type(row)}{' OUTPUT' if row[8] else ''}"
