"""The structure of a PostgreSQL database, from its own catalogue in a constant number of queries.

What speaks PostgreSQL's protocol with another catalogue behind it goes through `reflection`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipeline.database.connect import Row
from pipeline.database.names import is_servers_own, match_name, table_id
from pipeline.database.servers import postgres_queries as queries
from pipeline.database.servers.findings import with_states
from pipeline.database.servers.postgres_inheritance import Inheritance
from pipeline.database.servers.postgres_routines import routines, triggers
from pipeline.database.servers.postgres_tables import (
    KINDS,
    Attribute,
    Builder,
    Constraint,
    IndexRow,
    Relation,
)
from pipeline.database.servers.postgres_types import Types
from pipeline.errors import QueryError
from schemas.facts import Catalog, Routine, Table, Unreadable

Fetch = Callable[[str], list[Row]]

_NO_RIGHT = "InsufficientPrivilege"
"""How psycopg calls the error that reading such an object raises."""
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class _Schema:
    oid: int
    name: str
    is_usable: bool
    is_of_extension: bool


def read(fetch: Fetch, database: str, schemas: Sequence[str] = ()) -> Catalog:
    """Return the structure of the database that `fetch` asks.

    Args:
        fetch: runs a query and returns all rows; text may come as bytes.
        database: its name.
        schemas: the ones to read; none: all that users made.

    Raises:
        QueryError: this isn't quite PostgreSQL: its tables or keys can't be read in this way.
    """
    return _Reader(fetch, database, schemas).read()


class _Reader:
    """Reads one database; collects what a reader should know of the scan."""

    def __init__(self, fetch: Fetch, database: str, schemas: Sequence[str]) -> None:
        self._ask, self._database, self._wanted = fetch, database, schemas
        self._garbled: set[str] = set()
        """Texts that weren't UTF-8: no statement can name what is called so."""
        self._notes: list[str] = []
        self._unreadable: list[Unreadable] = []
        self._version, self._default, self._comment = self._fetch(queries.SERVER)[0]
        self._schemas = self._chosen([_Schema(*row) for row in self._fetch(queries.SCHEMAS)])
        self._queries = queries.Queries(self._version, self._schemas)
        self._inheritance = Inheritance(self._tried("inheritance", queries.INHERITANCE))

    def read(self) -> Catalog:
        """Return the whole."""
        found = [Relation(*row) for row in self._fetch(self._queries.relations())]
        shown = {r.oid: r for r in found if self._is_shown(r)}
        self._names = {oid: table_id(r.name, self._schema_of(r)) for oid, r in shown.items()}
        self._note_partitions(found)
        self._note_rows(shown)
        builder = Builder(
            self._attributes(),
            Types.of(self._fetch(self._queries.types())),
            [Constraint(*row) for row in self._fetch(self._queries.constraints())],
            [IndexRow(*row) for row in self._fetch(self._queries.indexes())],
        )
        known = set(self._names.values())
        tables = [with_states(self._table(r, builder), known) for r in shown.values()]
        links = (link for table in tables for link in table.foreign_keys)
        return Catalog(
            dialect="postgres",
            database=self._database,
            default_schema=self._default,
            comment=self._comment or None,
            tables=tuple(sorted(tables, key=lambda t: t.name)),
            external=tuple(sorted({k.to_table for k in links if k.state == "external"})),
            routines=self._routines(),
            unreadable=tuple(sorted(self._unreadable, key=lambda u: (u.name, u.kind))),
            notes=tuple(self._notes),
        )

    def _chosen(self, found: Sequence[_Schema]) -> dict[int, str]:
        """Return the names of the schemas to read, by oid."""
        names = [s.name for s in found]
        wanted = {match_name(name, names) for name in self._wanted}
        chosen = {}
        for schema in sorted(found, key=lambda s: s.name):
            if wanted and schema.name not in wanted:
                continue
            if schema.name in self._garbled:
                self._lose_garbled(schema.name, "schema")
            elif schema.is_of_extension and not wanted:
                self._note([schema.name], "schema {} belongs to an extension and is left out")
            elif not schema.is_usable:
                self._lose(schema.name, "schema", "this login has no right to use it")
            else:
                chosen[schema.oid] = schema.name
        return chosen

    def _is_shown(self, relation: Relation) -> bool:
        """Whether a relation becomes a table of the catalogue; records what can't be read."""
        if relation.is_partition or relation.is_of_extension:
            return False
        name = table_id(relation.name, self._schema_of(relation))
        if relation.name in self._garbled:
            self._lose_garbled(name, KINDS[relation.kind])
            return False
        if relation.is_readable or relation.is_partly_readable:
            return True
        self._lose(name, KINDS[relation.kind], "this login has no right to select from it")
        return False

    def _attributes(self) -> list[Attribute]:
        found = [Attribute(*row) for row in self._fetch(self._queries.columns())]
        if not self._garbled:
            return found
        return [replace(a, is_readable=False) if a.name in self._garbled else a for a in found]

    def _schema_of(self, relation: Relation) -> str | None:
        schema = self._schemas[relation.namespace]
        return self._schema_in_name(schema, relation.name, is_visible=relation.is_visible)

    def _schema_in_name(self, schema: str, name: str, *, is_visible: bool) -> str | None:
        """Return the schema if a name needs it: others hide a table that isn't visible."""
        is_plain = schema == self._default and is_visible and not self._wanted
        return None if is_plain and not is_servers_own(name, "postgres") else schema

    def _table(self, relation: Relation, builder: Builder) -> Table:
        table = builder.table(relation, self._schema_of(relation), self._target)
        for column in builder.hidden(relation.oid):
            name = f"{table.name}.{table_id(column.name)}"
            if column.name in self._garbled:
                self._lose_garbled(name, "column")
            else:
                self._lose(name, "column", "this login has no right to select it")
        traits = self._inheritance.traits(relation.oid, self._names)
        return replace(
            table,
            partitions=self._inheritance.partitions(relation.oid),
            options=(*table.options, *traits),
        )

    def _target(self, rule: Constraint) -> str:
        """Name the table to which a foreign key leads; a partition's is its parent."""
        known = self._names.get(self._inheritance.root(rule.target))
        if known is not None:
            return known
        schema, is_visible = rule.target_schema or "", bool(rule.target_is_visible)
        name = rule.target_name or ""
        return table_id(name, self._schema_in_name(schema, name, is_visible=is_visible))

    def _routines(self) -> tuple[Routine, ...]:
        def name(namespace: int, own: str) -> str:
            schema = self._schemas[namespace]
            return table_id(own, self._schema_in_name(schema, own, is_visible=True))

        found = routines(self._tried("routines", self._queries.routines()), name)
        rows = self._tried("triggers", self._queries.triggers())
        return (*found, *triggers(rows, self._names))

    def _tried(self, what: str, sql: str) -> list[Row]:
        """Return rows, or note that there are none to be had."""
        try:
            return self._fetch(sql)
        except QueryError as error:
            self._notes.append(f"{what} can't be read from this server: {error.problem}")
            return []

    def _fetch(self, sql: str) -> list[Row]:
        rows = self._ask(sql)
        if rows and any(isinstance(value, bytes) for value in rows[0]):
            return [tuple(map(self._decoded, row)) for row in rows]
        return rows

    def _decoded(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._decoded(item) for item in value]
        if not isinstance(value, bytes):
            return value
        text = value.decode("utf-8", "replace")
        if text.encode() != value:
            self._garbled.add(text)
        return text

    def _lose(self, name: str, kind: str, problem: str) -> None:
        self._unreadable.append(Unreadable(name, kind, _NO_RIGHT, problem))

    def _lose_garbled(self, name: str, kind: str) -> None:
        problem = "its name isn't valid UTF-8, so no statement can name it"
        self._unreadable.append(Unreadable(name, kind, UnicodeDecodeError.__name__, problem))

    def _note(self, names: Sequence[str], text: str) -> None:
        if names:
            some = sorted(names)[:_SHOWN]
            more = f" and {len(names) - len(some)} more" if len(names) > len(some) else ""
            self._notes.append(text.format(", ".join(some) + more))

    def _note_partitions(self, found: Sequence[Relation]) -> None:
        lost = [
            table_id(r.name, self._schema_of(r))
            for r in found
            if r.is_partition and self._inheritance.root(r.oid) not in self._names
        ]
        self._note(lost, "partitions whose parent isn't in the scan are left out: {}")
        extensions = [table_id(r.name, self._schema_of(r)) for r in found if r.is_of_extension]
        self._note(extensions, "tables of extensions are left out: {}")

    def _note_rows(self, shown: Mapping[int, Relation]) -> None:
        """Say where a table's rows aren't simply its own and all of them."""
        names = self._names
        parents = [n for oid, n in names.items() if self._inheritance.is_parent(oid)]
        hiding = [names[oid] for oid, r in shown.items() if r.hides_rows]
        distant = [names[oid] for oid, r in shown.items() if r.server]
        empty = [names[oid] for oid, r in shown.items() if not r.is_populated]
        self._note(parents, "rows of {} include those of the tables that inherit from them")
        self._note(hiding, "row level security shows this login only some of the rows of {}")
        self._note(distant, "read from other servers: {}")
        self._note(empty, "empty until REFRESH MATERIALIZED VIEW, and can't be read: {}")
