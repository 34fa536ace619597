"""The standard's own catalogue, INFORMATION_SCHEMA: a constant number of statements a schema.

Engines leave out views and columns of it, add their own, and spell its names in either case. What
isn't there is None. Rows are joined here: the standard has no key across its views that all
engines keep. It tells of no index.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pipeline.database.connect import Row
from pipeline.database.servers.findings import Findings, ForeignKey
from pipeline.database.servers.standard_columns import NAMES as COLUMN_NAMES
from pipeline.database.servers.standard_columns import column
from pipeline.errors import QueryError
from schemas.facts import Check, Column, Key, Routine, TableKind

Described = Callable[[str, Sequence[Any]], tuple[tuple[str, ...], list[Row]]]
"""Runs SQL of our own with a value for each `?`; returns the names of columns and all rows."""

SYSTEM = frozenset([
    "information_schema", "pg_catalog", "pg_toast", "sys", "system", "mysql", "performance_schema",
    "crdb_internal",
])  # fmt: skip
_CATALOG = ("SELECT current_database()", "SELECT CURRENT_CATALOG", "SELECT DB_NAME()")
_KINDS: dict[str, TableKind] = {
    "BASE TABLE": "table", "TABLE": "table", "MANAGED": "table", "DIMENSION TABLE": "table",
    "SYSTEM VERSIONED": "table", "CACHED TABLE": "table", "MEMORY TABLE": "table",
    "VIEW": "view", "MATERIALIZED VIEW": "materialized_view",
    "FOREIGN": "foreign_table", "FOREIGN TABLE": "foreign_table", "EXTERNAL": "foreign_table",
    "EXTERNAL TABLE": "foreign_table",
}  # fmt: skip
"""By table_type; what isn't listed (temporary, system) is left out."""
_NOT_NULL = re.compile(r'\(*["`\[]?(?P<name>.+?)["`\]]? IS NOT NULL\)*', re.IGNORECASE | re.DOTALL)
_CHECK = re.compile(r"CHECK\s*\((?P<clause>.*)\)", re.IGNORECASE | re.DOTALL)

_Group = Mapping[tuple[str, ...], list[Row]]


class InformationSchema:
    """Asks one database; remembers which views it lacks."""

    def __init__(self, described: Described, dialect: str) -> None:
        self._described = described
        self._dialect = dialect
        self._spelled: dict[str, str | None] = {}
        """How each view is called here; None if it isn't there."""
        self._current: str | None = None
        self.notes: list[str] = []

    def tables(self, schema: str | None) -> dict[str, TableKind] | None:
        """Return the kinds of a schema's tables and views."""
        rows = self._ask("tables", "table", schema, "table_name", "table_type")
        if rows is None:
            return None
        return {name: _KINDS[kind.upper()] for name, kind in rows if (kind or "").upper() in _KINDS}

    def read(self, schema: str | None) -> Findings:
        """Return all that is told of a schema; of the default one, where it has no name, of all."""
        found = Findings(
            kinds=self.tables(schema),
            columns=self._columns(schema),
            comments=self._comments(schema),
            definitions=self.definitions(schema),
        )
        constraints = self._ask(
            "table_constraints", "table", schema,
            "table_name", "constraint_name", "constraint_type",
        )  # fmt: skip
        usage = self._usage(schema)
        if constraints is not None:
            self._constraints(found, constraints, schema, usage)
        return found

    def definitions(self, schema: str | None) -> dict[str, str]:
        """Return the SQL of views, as far as this login may see it."""
        rows = self._ask("views", "table", schema, "table_name", "view_definition") or []
        return {name: text.strip() for name, text in rows if text}

    def schemas(self) -> list[str]:
        """Return the schemas in which users' tables lie."""
        rows = self._ask("tables", "table", None, "table_schema") or ()
        return sorted({str(row[0]) for row in rows})

    def schemas_of(self, names: Iterable[str]) -> dict[str, set[str]]:
        """Return the schemas in which tables of these names lie, whichever those are."""
        wanted = set(names)
        found: dict[str, set[str]] = defaultdict(set)
        for name, schema in self._ask("tables", "table", None, "table_name", "table_schema") or ():
            if name in wanted:
                found[name].add(schema)
        return found

    def routines(self, schema: str | None) -> list[tuple[str, Routine]] | None:
        """Return functions and procedures, each with its schema."""
        rows = self._ask(
            "routines", "routine", schema, "routine_schema", "specific_name", "routine_name",
            "routine_type", "data_type|dtd_identifier", "routine_comment|comment|remarks",
        )  # fmt: skip
        if rows is None:
            return None
        found = self._ask(
            "parameters", "specific", schema, "specific_name", "ordinal_position",
            "parameter_mode", "parameter_name", "data_type|dtd_identifier",
        )  # fmt: skip
        parameters = _grouped([row for row in found or () if row[1] and row[4]], 1)
        routines = [
            (
                str(of),
                Routine(
                    name=name,
                    kind="procedure" if (kind or "").upper() == "PROCEDURE" else "function",
                    arguments=", ".join(_argument(p) for p in parameters.get((specific,), ())),
                    returns=returns if (kind or "").upper() != "PROCEDURE" else None,
                    comment=comment or None,
                ),
            )
            for of, specific, name, kind, returns, comment in rows
            if name
        ]
        return sorted(routines, key=lambda r: (r[0], r[1].name, r[1].arguments))

    def _columns(self, schema: str | None) -> dict[str, tuple[Column, ...]] | None:
        rows = self._ask("columns", "table", schema, "table_name", *COLUMN_NAMES)
        if rows is None:
            return None
        by_table: dict[str, list[Row]] = defaultdict(list)
        for table, *rest in rows:
            by_table[table].append(tuple(rest))
        return {
            table: tuple(column(row, self._dialect) for row in sorted(rest, key=_position))
            for table, rest in by_table.items()
        }

    def _comments(self, schema: str | None) -> dict[str, str] | None:
        rows = self._ask("tables", "table", schema, "table_name", "table_comment|comment|remarks")
        if rows is None or all(row[1] is None for row in rows):
            return None  # not of the standard: most engines have no such column
        return {name: text for name, text in rows if text}

    def _constraints(
        self, found: Findings, rows: Sequence[Row], schema: str | None, usage: _Group | None
    ) -> None:
        of_kind: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for table, name, kind in rows:
            of_kind[(kind or "").upper()].append((name, table))
        found.check_constraints = self._checks(found, of_kind["CHECK"], schema)
        if usage is None:
            return
        primary = _keys(of_kind["PRIMARY KEY"], usage)
        unique = _keys(of_kind["UNIQUE"], usage)
        found.primary_keys = {table: keys[0] for table, keys in primary.items()}
        found.unique_constraints = {
            table: tuple(sorted(keys, key=lambda k: (k.columns, k.name or "")))
            for table, keys in unique.items()
        }
        found.foreign_keys = self._foreign_keys(of_kind["FOREIGN KEY"], usage, schema)

    def _usage(self, schema: str | None) -> _Group | None:
        """Return the columns of keys by (constraint, table)."""
        rows = self._ask(
            "key_column_usage", "table", schema, "constraint_name", "table_name",
            "ordinal_position", "column_name", "position_in_unique_constraint",
            "referenced_table_schema", "referenced_table_name", "referenced_column_name",
        )  # fmt: skip
        return None if rows is None else _grouped(rows, 2)

    def _foreign_keys(
        self, keys: Sequence[tuple[str, str]], usage: _Group, schema: str | None
    ) -> dict[str, tuple[ForeignKey, ...]] | None:
        direct = any(part[4] for key in keys for part in usage.get(key, ()))
        told = None if direct else self._references(schema)
        if not direct and told is None and keys:
            return None
        found: dict[str, list[ForeignKey]] = defaultdict(list)
        for key in keys:
            parts = usage.get(key, [])
            link = _told_directly(key, parts) if direct else self._told_by(key, parts, told or {})
            if link is not None:
                found[key[1]].append(link)
        return {table: tuple(links) for table, links in found.items()}

    def _references(self, schema: str | None) -> dict[str, tuple[str, str, list[Row]]] | None:
        """Return by a foreign key's name the schema, table and columns of the key it leads to."""
        rows = self._ask(
            "referential_constraints", "constraint", schema, "constraint_name",
            "unique_constraint_schema", "unique_constraint_name",
        )  # fmt: skip
        if rows is None:
            return None
        targets: dict[str, dict[str, list[tuple[str, list[Row]]]]] = {}
        for of in sorted({str(row[1]) for row in rows if row[1]}):
            by_name: dict[str, list[tuple[str, list[Row]]]] = defaultdict(list)
            for (name, table), parts in (self._usage(of) or {}).items():
                by_name[name].append((table, parts))
            targets[of] = by_name
        leads: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for name, of, unique in rows:
            leads[name].add((str(of), unique))
        found = {}
        for name, places in leads.items():
            of, unique = next(iter(places))
            there = targets.get(of, {}).get(unique, [])
            if len(places) == 1 and len(there) == 1:
                found[name] = (of, *there[0])
            elif len(places) > 1 or len(there) > 1:
                self.notes.append(
                    f"several keys are called {name}, so it isn't told where it leads"
                )
        return found

    def _told_by(
        self, key: tuple[str, str], parts: Sequence[Row], told: Mapping[str, Any]
    ) -> ForeignKey | None:
        target = told.get(key[0])
        if target is None or not parts:
            return None
        schema, table, there = target
        by_position = {int(part[0]): part[1] for part in there}
        names = [by_position.get(int(part[2] or part[0])) for part in parts]
        if None in names:
            return None
        columns = tuple(str(part[1]) for part in parts)
        return ForeignKey(columns, schema, table, tuple(map(str, names)), key[0])

    def _checks(
        self, found: Findings, keys: Sequence[tuple[str, str]], schema: str | None
    ) -> dict[str, tuple[Check, ...]] | None:
        rows = self._ask(
            "check_constraints", "constraint", schema, "constraint_name", "check_clause"
        )
        if rows is None:
            return None
        owners: dict[str, list[str]] = defaultdict(list)
        for name, table in keys:
            owners[name].append(table)
        checks: dict[str, list[Check]] = defaultdict(list)
        for name, text in rows:
            clause = _clause(text or "")
            for table in owners[name] if len(owners[name]) == 1 else ():
                not_null = _NOT_NULL.fullmatch(clause)
                columns = (found.columns or {}).get(table, ())
                if not (not_null and any(c.name == not_null["name"] for c in columns)):
                    checks[table].append(Check(clause, name))
        return {
            table: tuple(sorted(own, key=lambda c: (c.expression, c.name or "")))
            for table, own in checks.items()
        }

    def _ask(self, view: str, owner: str, schema: str | None, *wanted: str) -> list[Row] | None:
        """Return columns of a view of INFORMATION_SCHEMA; None if the engine has no such view.

        Args:
            view: its name.
            owner: what its columns of schema and catalog are called after, such as `table`.
            schema: which one; None: all that users made.
            wanted: names of columns, or several with | between, of which the first is taken that
                is there. The first one must be there; others are None where they aren't.
        """
        names = [f"{owner}_schema", f"{owner}_catalog", *wanted]
        answer = self._answer(view, f"{owner}_schema", schema)
        if answer is None:
            return None
        labels, rows = answer
        places = {label.casefold(): place for place, label in reversed(list(enumerate(labels)))}
        picked = [
            next((places[one] for one in name.split("|") if one in places), None) for name in names
        ]
        if picked[2] is None:
            return None
        found = [tuple(_plain(row[p]) if p is not None else None for p in picked) for row in rows]
        if schema is None:
            found = [row for row in found if str(row[0]).casefold() not in SYSTEM]
        catalogs = {row[1] for row in found}
        if len(catalogs) > 1:
            current = self._catalog()
            found = [row for row in found if row[1] == current or current not in catalogs]
        return [row[2:] for row in found]

    def _answer(
        self, view: str, schema_column: str, schema: str | None
    ) -> tuple[tuple[str, ...], list[Row]] | None:
        spellings = [self._spelled[view]] if view in self._spelled else [view, view.upper()]
        for spelled in filter(None, spellings):
            is_upper = spelled != view
            place = "INFORMATION_SCHEMA" if is_upper else "information_schema"
            sql = f"SELECT * FROM {place}.{spelled}"
            if schema is not None:
                sql += f" WHERE {schema_column.upper() if is_upper else schema_column} = ?"
            try:
                answer = self._described(sql, () if schema is None else (schema,))
            except QueryError:
                continue
            self._spelled[view] = spelled
            return answer
        self._spelled[view] = None
        return None

    def _catalog(self) -> str | None:
        for sql in _CATALOG if self._current is None else ():
            try:
                self._current = str(self._described(sql, ())[1][0][0])
            except (QueryError, IndexError):
                continue
            break
        return self._current


def _grouped(rows: Iterable[Row], length: int) -> dict[tuple[str, ...], list[Row]]:
    """Return rows by their first values and without them, in the order of the value behind."""
    grouped: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: int(row[length] or 0)):
        grouped[row[:length]].append(row[length:])
    return grouped


def _keys(names: Sequence[tuple[str, str]], usage: _Group) -> dict[str, list[Key]]:
    keys: dict[str, list[Key]] = defaultdict(list)
    for key in names:
        columns = tuple(str(part[1]) for part in usage.get(key, ()))
        if columns:
            keys[key[1]].append(Key(columns, key[0]))
    return keys


def _told_directly(key: tuple[str, str], parts: Sequence[Row]) -> ForeignKey | None:
    """Return a key from the columns that MySQL and others add to KEY_COLUMN_USAGE."""
    if not parts or not parts[0][4]:
        return None
    return ForeignKey(
        columns=tuple(str(part[1]) for part in parts),
        to_schema=parts[0][3],
        to_table=str(parts[0][4]),
        to_columns=tuple(str(part[5]) for part in parts),
        name=key[0],
    )


def _argument(row: Row) -> str:
    _, mode, name, native = row
    mode = mode if mode and mode.upper() != "IN" else None
    return " ".join(str(part) for part in (mode, name, native) if part)


def _clause(text: str) -> str:
    whole = _CHECK.fullmatch(text.strip())
    return (whole["clause"] if whole else text).strip()


def _position(row: Row) -> int:
    return int(row[1] or 0)


def _plain(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
