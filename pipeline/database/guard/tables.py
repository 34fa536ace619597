"""The guard on tables: each must be one that the catalogue, the query or a short list knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlglot import exp

from pipeline.database.guard.known import known
from pipeline.database.guard.text import Text
from pipeline.database.names import name_set
from pipeline.errors import did_you_mean
from schemas.facts import Catalog, Table

_SELF_RECURSIVE = {"sqlite", "tsql", "fabric", "oracle"}  # need no word RECURSIVE
_FOLDED_UP = {"oracle", "snowflake", "db2"}
_CASE_BLIND = {"sqlite", "duckdb", "tsql", "fabric", "bigquery"}
_NAMING = (exp.Table, exp.Subquery, exp.CTE, exp.Lateral, exp.Alias, exp.UDTF)
_MOST_PARTS = 3
_PATH = re.compile(r"[/\\@]|:|^$")
_NEVER_TABLES = {
    "duckdb": {"desc", "describe", "show", "summarize", "table"},
    "mysql": {"desc", "describe", "show", "table"},
    "postgres": {"desc", "table"},
}
"""Words that no table is called without quotes: `(TABLE 'x')` reads x, which the parser takes for
a table of that name with an alias."""

_SYSTEM_COLUMNS = {"ctid", "oid", "tableoid", "xmin", "xmax", "cmin", "cmax"}

_INFORMATION_SCHEMA = name_set("""
    character_sets check_constraints collations columns constraint_column_usage
    constraint_table_usage domains element_types key_column_usage parameters partitions
    referential_constraints routines schemata sequences statistics table_constraints tables triggers
    view_column_usage view_table_usage views column_field_paths databases functions
    materialized_views procedures schemata_options table_options table_storage
    """)
_ORACLE_DICTIONARY = name_set(
    """
    col_comments cons_columns constraints ind_columns indexes mviews objects sequences synonyms
    tab_cols tab_columns tab_comments tables tab_partitions types views
    """
)
_MADE_BY_MARIADB = re.compile(r"seq_\d+_to_\d+(_step_\d+)?")
"""Rows of numbers: https://mariadb.com/kb/en/sequence-storage-engine/."""
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
        all_columns all_objects all_views allocation_units check_constraints columns
        computed_columns databases dm_db_index_usage_stats dm_db_partition_stats
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
    "clickhouse": {"system"},
    "trino": {"system"},
}
_SYSTEM_NAMES = {
    "postgres": re.compile(r"pg_\w+"),
    "redshift": re.compile(r"(pg|stl|stv|svl|svcs)_\w+"),
    "sqlite": re.compile(r"(sqlite|pragma)_\w+|dbstat|json_each|json_tree"),
    "duckdb": re.compile(r"(duckdb|pragma)_\w+"),
    "tsql": re.compile(r"sys(logins|users|servers|processes|configures|databases)"),
    "oracle": re.compile(
        r"(dba|cdb)_\w+|g?v_?\$\w+|x\$\w+|\w+\$|(session|role)_(privs|roles)|role_\w+_privs"
        r"|(all|user)_(users|db_links|source|\w+_privs(_\w+)?|jobs|scheduler_\w+|credentials"
        r"|policies|\w*histograms|\w*audit\w*)"
    ),
}


@cache
def _names(kind: type) -> bool:
    """Whether nodes of that kind give names to tables or columns."""
    return issubclass(kind, _NAMING)


class Tables:
    """What the tables of one statement are."""

    def __init__(self, text: Text, catalog: Catalog | None, allowed: frozenset[str]) -> None:
        self.text = text
        self.dialect = {"redshift": "postgres", "fabric": "tsql"}.get(text.dialect, text.dialect)
        self.known = None if catalog is None else known(catalog)
        self.allowed = allowed
        self._bound: dict[str, frozenset[str] | None] = {}
        self._named: set[str] = set()
        self._names: dict[int, list[str]] = {}
        self._scanned: dict[int, Table | None] = {}
        self._ctes: set[str] = set()
        self._is_cte: dict[int, bool] = {}

    def learn(self, found: Sequence[Any]) -> None:
        """Note which names the statement itself gives to tables and columns."""
        naming = [n for n in found if _names(n.__class__) and n.arg_key != "indexed"]
        for node in naming:
            if isinstance(node, exp.Alias):
                self._named.add(node.alias.casefold())
            elif isinstance(node, exp.CTE):
                self._ctes.add(node.alias.casefold())
        for node in naming:
            if not isinstance(node, exp.Alias):
                self._bind(node)

    def _bind(self, node: Any) -> None:
        alias = node.args.get("alias")
        if isinstance(alias, exp.TableAlias):
            self._named |= {column.name.casefold() for column in alias.columns}
        table = self.scanned(node) if isinstance(node, exp.Table) else None
        name = node.alias_or_name.casefold()
        columns = self.known.columns(table) if table and self.known else None
        if name in self._bound:
            before = self._bound[name]
            columns = before | columns if before is not None and columns is not None else None
        self._bound[name] = columns

    def is_bound(self, qualifier: str) -> bool:
        """Whether the statement has a table of that name or alias."""
        return qualifier.casefold() in self._bound

    def columns_of(self, qualifier: str) -> frozenset[str] | None:
        """Return the folded columns of the scanned table behind a name; None when it isn't one."""
        columns = self._bound.get(qualifier.casefold())
        return columns | _SYSTEM_COLUMNS | self._named if columns is not None else None

    def has_column(self, qualifier: str, folded: str) -> bool | None:
        """Whether the scanned table behind a name has a column; None when it isn't scanned."""
        columns = self._bound.get(qualifier.casefold())
        if columns is None:
            return None
        return folded in columns or folded in _SYSTEM_COLUMNS or folded in self._named

    def is_given(self, folded: str) -> bool:
        """Whether the statement itself gives that name to a column."""
        return folded in self._named

    def is_system_schema(self, schema: str) -> bool:
        """Whether the engine itself keeps what stands in that schema."""
        folded = schema.casefold()
        own = _SYSTEM_SCHEMAS.get(self.dialect, set())
        return folded == "information_schema" or folded in own

    def scanned(self, node: Any) -> Table | None:
        """Return the scanned table that a node reads; None for a CTE, a function, a system view."""
        if self.known is None or not isinstance(node.this, exp.Identifier):
            return None
        key = id(node)
        if key not in self._scanned:
            names = [name.casefold() for name in self._parts(node)]
            self._scanned[key] = None if self.is_cte(node) else self.known.find(names)
        return self._scanned[key]

    def is_known_column(self, name: str) -> bool:
        """Whether a scanned table or the statement itself has a column of that name."""
        folded = name.casefold()
        if folded in self._named:
            return True
        return self.known is not None and folded in self.known.every_column

    def check(self, node: Any) -> None:
        """Refuse a table that is none, or that nobody knows.

        Raises:
            RefusedError: with the nearest name.
        """
        if not self.check_openness(node) or self.is_cte(node):
            return
        parts = self._parts(node)
        if ".".join(parts).casefold() in self.allowed or self._is_harmless(parts):
            return
        if self.known is not None and self.scanned(node) is not None:
            return
        self._refuse_path(node, parts)
        if self.known is not None:
            raise self.text.refusal(
                f"the catalogue has no table {'.'.join(parts)}",
                self.text.position(node),
                fix=did_you_mean(
                    parts[-1],
                    [table.name for table in self.known.tables],
                    "use a table that list_tables names, or let kb.yaml allow it under "
                    "`allow_tables:`",
                ),
            )

    def check_openness(self, node: Any) -> bool:
        """Refuse a file, a stage, a link, a system object; return whether it names a table.

        Raises:
            RefusedError: it is no table that kb.yaml could allow.
        """
        if node.args.get("rows_from") or isinstance(node.this, exp.Func):
            return False  # the functions in it are checked as such
        if node.arg_key == "indexed":
            return False  # SQLite's INDEXED BY names an index
        if not isinstance(node.this, exp.Identifier) or node.args.get("format"):
            self._refuse_place(node)
        parts = self._parts(node)
        if node.this.args.get("temporary") or node.this.args.get("global_"):
            self._refuse_place(node)
        if len(parts) > _MOST_PARTS:
            self._refuse_place(node)
        self._refuse_word(node)
        if not self.is_cte(node):
            self._refuse_system(node, parts)
        return True

    def _refuse_word(self, node: Any) -> None:
        word = node.name.casefold()
        if word in _NEVER_TABLES.get(self.dialect, ()) and not node.this.args.get("quoted"):
            raise self.text.refusal(
                f"{word.upper()} {node.alias or '…'} is a statement within the query",
                self.text.position(node),
                fix="read the table in FROM by its plain name",
            )

    def _parts(self, node: Any) -> list[str]:
        names = self._names.get(id(node))
        if names is None:
            above = [node.args.get("catalog"), node.args.get("db")]
            if above == [None, None] and node.this.__class__ is exp.Identifier:
                names = [str(node.this.name)]
            else:
                names = [str(part.name) for part in node.parts]
            if self.dialect == "bigquery":  # `p.d.INFORMATION_SCHEMA.JOBS` has a dot inside
                names = [name for part in names for name in part.split(".")]
                if "INFORMATION_SCHEMA" in map(str.upper, names):
                    names = names[-_MOST_PARTS:]
            self._names[id(node)] = names
        return names

    def _refuse_place(self, node: Any) -> None:
        written = node.sql(dialect=self.text.dialect).partition(" ")[0][:80]
        start = self.text.find("@") if written.startswith("@") else self.text.position(node)
        raise self.text.refusal(
            f"{written} is {self._what(node, written)}no table of this database",
            start,
            fix="read tables of this database by their plain name",
        )

    def _what(self, node: Any, written: str) -> str:
        """Return what a name stands for that is none of a table, as far as it can be told."""
        if len(self._parts(node)) > _MOST_PARTS or "..." in written:
            return "a name of four parts or more (on another server) and "
        if "@" in written:
            kinds = {"oracle": "a database link", "snowflake": "a stage", "tsql": "a variable"}
            return f"{kinds[self.dialect]} and " if self.dialect in kinds else ""
        if node.name.startswith("#") or "#" in written[:2]:
            return "a temporary table and "
        is_file = re.search(r"[/\\]", written) or (self.dialect == "duckdb" and "." in written)
        return "a file and " if is_file else ""

    def _refuse_path(self, node: Any, parts: Sequence[str]) -> None:
        """Refuse files, stages and links, which are told from tables even with no catalogue."""
        name = parts[-1]
        quoted_file = self.dialect == "duckdb" and re.search(r"[.*]", name)
        is_path = _PATH.search(name) or any(_PATH.search(part) for part in parts[:-1] if part)
        if quoted_file or is_path or name.startswith("#"):
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
        pattern = _SYSTEM_NAMES.get(self.text.dialect) or _SYSTEM_NAMES.get(self.dialect)
        return pattern is not None and pattern.fullmatch(name) is not None

    def _is_harmless(self, parts: Sequence[str]) -> bool:
        *above, name = [part.casefold() for part in parts]
        if "information_schema" in above:
            return name in _INFORMATION_SCHEMA
        if self.dialect == "mysql" and not above and _MADE_BY_MARIADB.fullmatch(name):
            return True
        listed = name in _HARMLESS.get(self.dialect, frozenset())
        if self.dialect == "tsql":
            return listed and "sys" in above
        allowed_above = _SYSTEM_SCHEMAS.get(self.dialect, set()) | {"main"}
        return listed and set(above) <= allowed_above

    def _is_scanned_exactly(self, parts: Sequence[str]) -> bool:
        """A table of users may be called like a system table, where it is scanned as such."""
        above = {part.casefold() for part in parts[:-1]}
        hidden = above & (_SYSTEM_SCHEMAS.get(self.dialect, set()) | {"information_schema"})
        return not hidden and self.known is not None and self.known.has_object(parts[-1])

    def is_cte(self, table: Any) -> bool:
        """Whether a CTE that can be seen from there has that name."""
        if table.args.get("db") is not None or table.name.casefold() not in self._ctes:
            return False
        key = id(table)
        if key not in self._is_cte:
            self._is_cte[key] = self._sees_cte(table)
        return self._is_cte[key]

    def _sees_cte(self, table: Any) -> bool:
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
