"""The structure of any database that SQLAlchemy can reflect, a few statements a schema.

What a driver's reflection can't tell, or loses, comes from INFORMATION_SCHEMA, and a note says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from sqlalchemy import exc

from pipeline.database.names import match_name, table_id
from pipeline.database.servers.findings import PARTS, Findings, with_states
from pipeline.database.servers.generic import GenericDatabase
from pipeline.database.servers.information_schema import SYSTEM, InformationSchema
from pipeline.database.servers.reflected import Reflected, original
from pipeline.errors import SourceError
from pipeline.text import counted, shorten
from schemas.facts import Catalog, Column, Key, Link, Routine, Table, Unreadable

_ALL_SCHEMAS = {"postgres", "tsql"}
"""Dialects whose user schemas are all scanned when none is chosen."""
_SYSTEM = SYSTEM | {
    "guest", "db_owner", "db_accessadmin", "db_securityadmin", "db_ddladmin", "db_backupoperator",
    "db_datareader", "db_datawriter", "db_denydatareader", "db_denydatawriter",
}  # fmt: skip
_NEVER = NotImplementedError.__name__
"""How a driver says that it tells a part of no table."""
_SHOWN = 5
_MOST_WARNINGS = 20
_LONGEST_PROBLEM = 300


def read(database: GenericDatabase, schemas: Sequence[str]) -> Catalog:
    """Return the structure; raises SourceError when not even the names of tables can be read."""
    try:
        return _Reader(database, schemas).read()
    except exc.SQLAlchemyError as error:
        raise SourceError(
            f"the catalogue of {database.source.shown} can't be read: "
            f"{database.source.safe(getattr(error, 'orig', error))}",
            fix="give the login of `source:` the right to read the catalogue",
        ) from error


class _Reader:
    """Reads one database; collects notes on what its driver can't tell."""

    def __init__(self, database: GenericDatabase, schemas: Sequence[str]) -> None:
        self._database = database
        self._inspector = database.inspector()
        self._reflected = Reflected(self._inspector, database.dialect, database.undo)
        self._standard = InformationSchema(database.described, database.dialect)
        default = self._inspector.default_schema_name
        self._default = self._reflected.real(default) if default else None
        self._wanted = tuple(schemas)
        self._notes: list[str] = []
        self._mended: list[str] = []
        self._unreadable: list[Unreadable] = []

    def read(self) -> Catalog:
        """Return the whole."""
        schemas = self._schemas()
        tables = [table for schema in schemas for table in self._schema(schema)]
        if not tables and not self._unreadable and not self._wanted and self._default is None:
            schemas = self._user_schemas()  # the URL names none of the schemas that there are
            tables = [table for schema in schemas for table in self._schema(schema)]
        known = {table.name for table in tables}
        self._note_some(
            self._mended, "NOTE: columns that this driver's reflection loses, or whose type it "
            "doesn't know, come from INFORMATION_SCHEMA: of {}",
        )  # fmt: skip
        routines = self._routines(schemas)
        return Catalog(
            dialect=self._database.dialect,
            database=self._database.source.database,
            default_schema=self._default,
            tables=tuple(sorted((with_states(t, known) for t in tables), key=lambda t: t.name)),
            routines=routines,
            unreadable=tuple(sorted(self._unreadable, key=lambda lost: lost.name)),
            notes=(*dict.fromkeys((*self._notes, *self._standard.notes)), *self._warnings()),
        )

    def _schemas(self) -> list[str | None]:
        if not self._wanted:
            is_all = self._database.dialect in _ALL_SCHEMAS
            return self._user_schemas() if is_all else [None]
        names = self._listed_schemas()
        if any(match_name(name, names) is None for name in self._wanted):
            names += self._standard.schemas()  # some drivers list them with the database in front
        return list(dict.fromkeys(match_name(name, set(names)) or name for name in self._wanted))

    def _user_schemas(self) -> list[str | None]:
        names = (
            name
            for name in self._listed_schemas()
            if name.casefold() not in _SYSTEM and not name.casefold().startswith("pg_")
        )
        return [None if name == self._default else name for name in sorted(names)]

    def _listed_schemas(self) -> list[str]:
        try:
            return [self._reflected.real(name) for name in self._inspector.get_schema_names()]
        except Exception as error:  # noqa: BLE001 - a driver may raise anything
            self._database.undo()
            name = type(original(error)).__name__
            self._notes.append(f"schemas can't be listed with this driver ({name})")
            return [self._default] if self._default else []

    def _schema(self, schema: str | None) -> list[Table]:
        found = self._reflected.read(schema and self._reflected.given(schema))
        standard = self._completed(found, schema)
        names = self._names(found, standard, schema)
        self._one_by_one(found, names, schema)
        self._define(found, names, schema)
        readable = sorted(name for name in names if name in (found.columns or {}))
        return [self._table(name, schema, found) for name in readable]

    def _completed(self, found: Findings, schema: str | None) -> Findings | None:
        """Take from INFORMATION_SCHEMA what reflection couldn't tell or may have lost."""
        failed = dict(self._reflected.failed)
        for what, error in failed.items():
            if what.endswith("views") and error != _NEVER:
                self._note_failed([what], error, schema)
        is_doubtful = found.kinds is None or self._reflected.warned or _has_gaps(found)
        if not is_doubtful and all(found.part(part) is not None for part in PARTS):
            return None
        standard = self._standard.read(schema or self._default)
        taken = [p for p in PARTS if found.part(p) is None and found.take(p, standard)]
        if found.kinds is None and standard.kinds is not None:
            found.kinds = dict(standard.kinds)
            taken.insert(0, "tables")
        if taken:
            self._note_taken(taken, sorted({failed[part] for part in taken}), schema)
        lacking = [part for part in PARTS if found.part(part) is None]
        never = [p for p in lacking if failed[p] == _NEVER]  # the others are tried one by one
        if never:
            self._note_failed(never, _NEVER, schema)
        self._mend(found, standard, schema)
        return standard

    def _mend(self, found: Findings, standard: Findings, schema: str | None) -> None:
        """Take the columns of tables of which reflection lost some, or couldn't tell the type."""
        columns = dict(found.columns or {})
        for name, told in (standard.columns or {}).items():
            if name not in (found.kinds or {}):
                continue
            own = columns.get(name, ())
            by_name = {column.name: column for column in told}
            if {column.name for column in own} != set(by_name):
                columns[name] = told
            elif any(not column.native_type for column in own):
                columns[name] = tuple(_typed(column, by_name[column.name]) for column in own)
            else:
                continue
            self._mended.append(table_id(name, schema))
        found.columns = columns

    def _names(
        self, found: Findings, standard: Findings | None, schema: str | None
    ) -> dict[str, str]:
        """Return the kinds of all tables and views by name.

        A driver that lists those of other schemas too is found out by INFORMATION_SCHEMA.
        """
        if found.kinds is None:
            raise SourceError(
                f"the tables of {self._database.source.shown} can't be listed: "
                f"{self._reflected.failed.get('tables', 'no reason told')}",
                fix="give the login the right to read the catalogue, or update the driver",
            )
        listed = dict(found.kinds)
        told = (standard and standard.kinds) or {}
        for name, kind in told.items():
            listed.setdefault(name, kind)
            if "view" in kind or "foreign" in kind:
                listed[name] = kind if listed[name] == "table" else listed[name]
        strange = [n for n in listed if n not in told and not (found.columns or {}).get(n)]
        if told and strange:
            of = schema or self._default
            places = self._standard.schemas_of(strange)
            foreign = [name for name, schemas in places.items() if of not in schemas]
            for name in foreign:
                del listed[name]
            if foreign and standard is not None:  # then it mixes up tables of one name, too
                for part in PARTS:
                    found.take(part, standard)
        found.kinds = listed
        return dict(listed)

    def _one_by_one(self, found: Findings, names: Collection[str], schema: str | None) -> None:
        """Ask for each table alone what couldn't be told in bulk, and for tables left out."""
        failed = self._reflected.failed
        columns = found.columns or {}
        missing = [name for name in sorted(names) if not columns.get(name)]
        told, lost = self._reflected.one_by_one("columns", missing)
        found.columns = {**columns, **told}
        for name, error in lost.items():
            self._lose(name, schema, error, found)
        for part in PARTS[1:]:
            if found.part(part) is not None or failed.get(part) == _NEVER:
                continue
            readable = sorted(name for name in names if name in found.columns)
            told, lost = self._reflected.one_by_one(part, readable)
            setattr(found, part.replace(" ", "_"), {n: t for n, t in told.items() if t})
            errors = ", ".join(sorted({type(error).__name__ for error in lost.values()}))
            if lost and not told:
                self._note_failed([part], errors, schema)
            elif lost:
                names_lost = [table_id(name, schema) for name in lost]
                self._note_some(names_lost, f"{part} can't be read ({errors}): of {{}}")

    def _lose(self, name: str, schema: str | None, error: BaseException, found: Findings) -> None:
        kind = (found.kinds or {}).get(name, "table")
        problem = shorten(self._database.failures.words(error), _LONGEST_PROBLEM)
        lost = Unreadable(table_id(name, schema), kind, type(error).__name__, problem)
        self._unreadable.append(lost)

    def _define(self, found: Findings, names: Collection[str], schema: str | None) -> None:
        """Find the SQL of views: of all at once, and of each alone only where that doesn't tell."""
        views = [n for n in sorted(names) if "view" in (found.kinds or {}).get(n, "")]
        if views and not found.definitions:
            found.definitions = self._standard.definitions(schema or self._default)
        for name in views:
            text = found.definitions.get(name) or self._reflected.definition(name)
            if text:
                found.definitions[name] = text

    def _table(self, name: str, schema: str | None, found: Findings) -> Table:
        full = table_id(name, schema)
        unique = (found.unique_constraints or {}).get(name, ())
        constraints = {key.name for key in unique}
        primary = (found.primary_keys or {}).get(name)
        return Table(
            name=full,
            object_name=name,
            schema=schema,
            kind=(found.kinds or {})[name],
            columns=(found.columns or {})[name],
            primary_key=primary,
            unique=unique,
            foreign_keys=self._links(full, name, found),
            checks=(found.check_constraints or {}).get(name, ()),
            indexes=tuple(
                index
                for index in (found.indexes or {}).get(name, ())
                if index.name not in constraints
                and not (index.unique and _is_key(index.columns, primary, unique))
            ),
            comment=(found.comments or {}).get(name),
            definition=found.definitions.get(name),
        )

    def _links(self, full: str, name: str, found: Findings) -> tuple[Link, ...]:
        links: dict[object, Link] = {}
        for key in (found.foreign_keys or {}).get(name, ()):
            schema = key.to_schema or (self._default if self._wanted else None)
            if schema == self._default and not self._wanted:
                schema = None
            link = Link(
                table=full,
                columns=key.columns,
                to_table=table_id(key.to_table, schema),
                to_columns=key.to_columns,
                name=key.name,
            )
            links.setdefault(link.key, link)
        return tuple(sorted(links.values(), key=lambda k: (k.columns, k.to_table, k.to_columns)))

    def _routines(self, schemas: Iterable[str | None]) -> tuple[Routine, ...]:
        routines: list[Routine] = []
        for schema in schemas:
            found = self._standard.routines(schema or self._default)
            if found is None:
                self._notes.append("routines and triggers can't be read with this driver")
                return ()
            for of, routine in found:
                shown = None if of == self._default and not self._wanted else of
                routines.append(replace(routine, name=table_id(routine.name, shown)))
        return tuple(sorted(routines, key=lambda r: (r.name, r.arguments)))

    def _note_taken(self, parts: Sequence[str], errors: Sequence[str], schema: str | None) -> None:
        of = f" of {schema}" if schema else ""
        self._notes.append(
            f"NOTE: {', '.join(parts)}{of} come from INFORMATION_SCHEMA: this driver's reflection "
            f"can't tell them ({', '.join(errors)})"
        )

    def _note_failed(self, parts: Sequence[str], error: str, schema: str | None) -> None:
        of = f" of {schema}" if schema else ""
        self._notes.append(f"{', '.join(parts)}{of} can't be read with this driver ({error})")

    def _note_some(self, names: Sequence[str], text: str) -> None:
        if not names:
            return
        some = sorted(names)[:_SHOWN]
        more = f" and {len(names) - len(some)} more" if len(names) > len(some) else ""
        self._notes.append(text.format(", ".join(some) + more))

    def _warnings(self) -> list[str]:
        """Return what the driver warned of while it was asked."""
        texts = sorted({self._database.source.safe(text) for text in self._reflected.warned})
        notes = [f"the driver warns: {text}" for text in texts[:_MOST_WARNINGS]]
        if len(texts) > len(notes):
            notes.append(f"the driver gave {counted(len(texts) - len(notes), 'more warning')}")
        return notes


def _has_gaps(found: Findings) -> bool:
    """Whether a listed table has no columns, or a column no type."""
    columns = found.columns or {}
    return any(not columns.get(name) for name in found.kinds or ()) or any(
        not column.native_type for own in columns.values() for column in own
    )


def _typed(column: Column, told: Column | None) -> Column:
    if column.native_type or told is None:
        return column
    return replace(column, native_type=told.native_type, family=told.family)


def _is_key(columns: tuple[str, ...], primary: Key | None, unique: Iterable[Key]) -> bool:
    return any(key is not None and key.columns == columns for key in (primary, *unique))
