"""The guard on tables: each must be one that the catalogue, the query or a short list knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from pipeline.database.guard_text import Text
from pipeline.database.names import name_set
from pipeline.errors import did_you_mean
from schemas.facts import Catalog, Table

_SELF_RECURSIVE = {"sqlite", "tsql", "fabric", "oracle"}  # need no word RECURSIVE
_FOLDED_UP = {"oracle", "snowflake", "db2"}
_CASE_BLIND = {"sqlite", "duckdb", "tsql", "fabric", "bigquery"}
_NAMING = (exp.Table, exp.Subquery, exp.CTE, exp.Lateral, exp.Alias, exp.UDTF)
_MOST_PARTS = 3
_DEFAULT_SCHEMAS = {
    "sqlite": {"main"},
    "duckdb": {"main"},
    "postgres": {"public"},
    "tsql": {"dbo"},
    "fabric": {"dbo"},
}
_SYSTEM_COLUMNS = {"ctid", "oid", "tableoid", "xmin", "xmax", "cmin", "cmax"}

_INFORMATION_SCHEMA = name_set("""
    character_sets check_constraints collations columns constraint_column_usage
    constraint_table_usage domains element_types key_column_usage parameters partitions
    referential_constraints routines schemata sequences statistics table_constraints tables triggers
    view_column_usage view_table_usage views column_field_paths
    """)
_ORACLE_DICTIONARY = name_set(
    """
    col_comments cons_columns constraints ind_columns indexes mviews objects sequences synonyms
    tab_cols tab_columns tab_comments tables tab_partitions types views
    """
)
_HARMLESS: dict[str, frozenset[str]] = {
    "postgres": name_set("""
        pg_aggregate pg_am pg_attrdef pg_attribute pg_cast pg_class pg_collation pg_constraint
        pg_database pg_depend pg_description pg_enum pg_extension pg_index pg_indexes pg_inherits
        pg_language pg_matviews pg_namespace pg_opclass pg_operator pg_partitioned_table pg_proc
        pg_range pg_sequence pg_sequences pg_stat_all_tables pg_stat_user_indexes
        pg_stat_user_tables pg_statio_user_tables pg_tables pg_tablespace pg_timezone_names
        pg_trigger pg_type pg_views
        """),
    "mysql": frozenset(["dual"]),
    "sqlite": name_set("""
        sqlite_master sqlite_schema pragma_collation_list pragma_function_list
        pragma_module_list pragma_pragma_list pragma_table_list json_each json_tree
        """),
    "duckdb": name_set("""
        duckdb_columns duckdb_constraints duckdb_indexes duckdb_schemas duckdb_tables duckdb_types
        duckdb_views pg_attribute pg_class pg_constraint pg_description pg_enum pg_index pg_indexes
        pg_namespace pg_tables pg_type pg_views sqlite_master sqlite_schema
        """),
    "tsql": name_set("""
        all_columns all_objects all_views check_constraints columns computed_columns
        default_constraints extended_properties foreign_key_columns foreign_keys identity_columns
        index_columns indexes key_constraints objects parameters partitions procedures schemas
        sequences sql_expression_dependencies sysobjects syscolumns tables triggers types views
        """),
    "oracle": frozenset(
        f"{whose}_{what}" for whose in ("all", "user") for what in _ORACLE_DICTIONARY
    )
    | {"dual"},
}
_SYSTEM_SCHEMAS = {
    "postgres": {"pg_catalog", "pg_toast"},
    "mysql": {"mysql", "performance_schema", "sys"},
    "duckdb": {"pg_catalog", "system"},
    "tsql": {"sys", "master", "msdb"},
    "oracle": {"sys", "system"},
    "snowflake": {"snowflake", "account_usage", "organization_usage"},
}
_SYSTEM_NAMES = {
    "postgres": re.compile(r"pg_\w+"),
    "sqlite": re.compile(r"(sqlite|pragma)_\w+|dbstat|json_each|json_tree"),
    "duckdb": re.compile(r"(duckdb|pragma)_\w+"),
    "tsql": re.compile(r"sys(logins|users|servers|processes|configures|databases)|dm_\w+"),
    "oracle": re.compile(r"(dba|all|user|cdb)_\w+|g?v_?\$\w+|\w+\$"),
}


class Tables:
    """What the tables of one statement are."""

    def __init__(self, text: Text, catalog: Catalog | None, allowed: frozenset[str]) -> None:
        self.text = text
        self.dialect = {"redshift": "postgres", "fabric": "tsql"}.get(text.dialect, text.dialect)
        self.catalog = catalog
        self.allowed = allowed
        self._bound: dict[str, set[str] | None] = {}
        self._named: set[str] = set()

    def learn(self, found: Sequence[Any]) -> None:
        """Note which names the statement itself gives to tables and columns."""
        for node in found:
            if not isinstance(node, _NAMING) or node.arg_key == "indexed":
                continue
            alias = node.args.get("alias")
            if isinstance(node, exp.Alias):
                self._named.add(node.alias.casefold())
                continue
            if isinstance(alias, exp.TableAlias):
                self._named |= {column.name.casefold() for column in alias.columns}
            table = self._find(node) if isinstance(node, exp.Table) else None
            if table is not None and self.is_cte(node):
                table = None
            name = node.alias_or_name.casefold()
            columns = {c.name.casefold() for c in table.columns} if table else None
            if name in self._bound:
                known = self._bound[name]
                columns = known | columns if known is not None and columns is not None else None
            self._bound[name] = columns

    def is_bound(self, qualifier: str) -> bool:
        """Whether the statement has a table of that name or alias."""
        return qualifier.casefold() in self._bound

    def columns_of(self, qualifier: str) -> set[str] | None:
        """Return the folded columns of the scanned table behind a name; None when it isn't one."""
        columns = self._bound.get(qualifier.casefold())
        return columns | _SYSTEM_COLUMNS | self._named if columns is not None else None

    def is_given(self, folded: str) -> bool:
        """Whether the statement itself gives that name to a column."""
        return folded in self._named

    def scanned(self, node: Any) -> Table | None:
        """Return the scanned table that a node reads; None for a CTE, a function, a system view."""
        return None if self.is_cte(node) else self._find(node)

    def is_known_column(self, name: str) -> bool:
        """Whether a scanned table or the statement itself has a column of that name."""
        folded = name.casefold()
        tables = self.catalog.tables if self.catalog else ()
        return folded in self._named or any(
            column.name.casefold() == folded for table in tables for column in table.columns
        )

    def check(self, node: Any) -> None:
        """Refuse a table that is none, or that nobody knows.

        Raises:
            RefusedError: with the nearest name.
        """
        if node.args.get("rows_from") or isinstance(node.this, exp.Func):
            return  # the functions in it are checked as such
        if node.arg_key == "indexed":
            return  # SQLite's INDEXED BY names an index
        if not isinstance(node.this, exp.Identifier) or node.args.get("format"):
            self._refuse_place(node)
        parts = self._parts(node)
        if node.this.args.get("temporary") or node.this.args.get("global_"):
            self._refuse_place(node)
        if len(parts) > _MOST_PARTS:
            self._refuse_place(node)
        if self.is_cte(node):
            return
        self._refuse_system(node, parts)
        if ".".join(parts).casefold() in self.allowed or self._is_harmless(parts):
            return
        if self.catalog is None:
            self._refuse_path(node, parts)
        elif self._find(node) is None:
            raise self.text.refusal(
                f"the catalogue has no table {'.'.join(parts)}",
                self.text.position(node),
                fix=did_you_mean(
                    parts[-1],
                    [table.name for table in self.catalog.tables],
                    "use a table that list_tables names, or let kb.yaml allow it under "
                    "`allow_tables:`",
                ),
            )

    def _parts(self, node: Any) -> list[str]:
        names = [str(part.name) for part in node.parts]
        if self.dialect == "bigquery":  # `p.d.INFORMATION_SCHEMA.JOBS` comes with one dot inside
            names = [name for part in names for name in part.split(".")]
            if "INFORMATION_SCHEMA" in map(str.upper, names):
                names = names[-_MOST_PARTS:]
        return names

    def _refuse_place(self, node: Any) -> None:
        written = node.sql(dialect=self.text.dialect)[:80]
        raise self.text.refusal(
            f"{written} is no table of this database",
            self.text.position(node),
            fix="read tables of this database by their plain name",
        )

    def _refuse_path(self, node: Any, parts: Sequence[str]) -> None:
        """With no catalogue to look in, at least files, stages and links are told from tables."""
        name = parts[-1]
        quoted_file = self.dialect == "duckdb" and re.search(r"[.*]", name)
        if quoted_file or re.search(r"[/\\@]|://|^$", name) or name.startswith("#"):
            self._refuse_place(node)

    def _refuse_system(self, node: Any, parts: Sequence[str]) -> None:
        if not self._is_system(parts) or self._is_harmless(parts):
            return
        if self._is_scanned_exactly(parts):
            return
        raise self.text.refusal(
            f"{'.'.join(parts)} is a system object that isn't open to queries",
            self.text.position(node),
            fix="structure is in information_schema and in the catalogue: use describe_table",
        )

    def _is_system(self, parts: Sequence[str]) -> bool:
        *above, name = [part.casefold() for part in parts]
        if "information_schema" in above or set(above) & _SYSTEM_SCHEMAS.get(self.dialect, set()):
            return True
        pattern = _SYSTEM_NAMES.get(self.dialect)
        return pattern is not None and pattern.fullmatch(name) is not None

    def _is_harmless(self, parts: Sequence[str]) -> bool:
        *above, name = [part.casefold() for part in parts]
        if "information_schema" in above:
            return name in _INFORMATION_SCHEMA
        listed = name in _HARMLESS.get(self.dialect, frozenset())
        if self.dialect == "tsql":
            return listed and "sys" in above
        allowed_above = _SYSTEM_SCHEMAS.get(self.dialect, set()) | {"main"}
        return listed and set(above) <= allowed_above

    def _is_scanned_exactly(self, parts: Sequence[str]) -> bool:
        """A table of users may be called like a system table, where it is scanned as such."""
        above = {part.casefold() for part in parts[:-1]}
        hidden = above & (_SYSTEM_SCHEMAS.get(self.dialect, set()) | {"information_schema"})
        tables = self.catalog.tables if self.catalog else ()
        return not hidden and any(t.object_name == parts[-1] for t in tables)

    def _find(self, node: Any) -> Table | None:
        """Return the scanned table that a node names, whatever the case of the letters."""
        if self.catalog is None or not isinstance(node.this, exp.Identifier):
            return None
        *above, name = [part.name.casefold() for part in node.parts]
        for table in self.catalog.tables:
            if table.object_name.casefold() == name and self._is_above(table, above):
                return table
        return None

    def _is_above(self, table: Table, above: Sequence[str]) -> bool:
        assert self.catalog is not None
        if not above:
            return True
        schemas = {(table.schema or self.catalog.default_schema or "").casefold()}
        database = self.catalog.database.casefold()
        if table.schema is None:
            schemas |= _DEFAULT_SCHEMAS.get(self.dialect, set()) | {database}
        if above[-1] not in schemas:
            return False
        return len(above) == 1 or above[0] == database

    def is_cte(self, table: Any) -> bool:
        """Whether a CTE that can be seen from there has that name."""
        if table.args.get("db") is not None:
            return False
        node = table
        while (parent := node.parent) is not None:
            if isinstance(parent, exp.With):
                index = parent.expressions.index(node)
                recursive = parent.args.get("recursive") or self.dialect in _SELF_RECURSIVE
                visible = parent.expressions[: index + 1 if recursive else index]
            else:
                clause = parent.args.get("with_")
                visible = clause.expressions if clause not in (None, node) else []
            if any(self._same(cte, table) for cte in visible):
                return True
            node = parent
        return False

    def _same(self, cte: Any, table: Any) -> bool:
        """Whether the engine takes both names for the same."""
        alias = cte.args["alias"].this
        return self._folded(alias) == self._folded(table.this)

    def _folded(self, identifier: Any) -> str:
        name = str(identifier.name)
        if self.dialect in _CASE_BLIND:
            return name.casefold()
        if identifier.args.get("quoted") or self.dialect == "mysql":
            return name
        return name.upper() if self.dialect in _FOLDED_UP else name.lower()
