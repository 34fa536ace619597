"""The guard on tables: each must be one that the catalogue, the query or a short list knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

from sqlglot import exp

from pipeline.database.guard import system_names
from pipeline.database.guard.columns import Columns
from pipeline.database.guard.known import folded, known
from pipeline.database.guard.text import Text
from pipeline.errors import did_you_mean
from schemas.facts import Catalog, Table

_SELF_RECURSIVE = {"sqlite", "tsql", "fabric", "oracle"}  # need no word RECURSIVE
_FOLDED_UP = {"oracle", "snowflake", "db2"}
_CASE_BLIND = {"sqlite", "duckdb", "tsql", "fabric", "bigquery"}
_NAMING = (exp.Table, exp.Subquery, exp.CTE, exp.Lateral, exp.Alias, exp.UDTF)
_MOST_PARTS = 3
_PATH = re.compile(r"[/\\@]|:|^$")
_FILE = re.compile(
    r"[ctp]sv|txt|parquet|pq|(nd|geo)?jsonl?|gz|zst|xlsx|arrow|avro|db", re.IGNORECASE
)
_NEVER_TABLES = {
    "duckdb": {"desc", "describe", "pragma", "show", "summarize", "table"},
    "mysql": {"desc", "describe", "show", "table"},
    "postgres": {"desc", "table"},
}
"""Words that no table is called without quotes: `(TABLE 'x')` reads x, which the parser takes for
a table of that name with an alias."""


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
        self._names: dict[int, list[str]] = {}
        self._scanned: dict[int, Table | None] = {}
        self._naming: list[Any] = []
        self._ctes: set[str] = set()
        self._cte_of: dict[int, Any] = {}

    def learn(self, found: Sequence[Any]) -> None:
        """Note which names the statement itself gives to tables and columns."""
        self._naming = [n for n in found if _names(n.__class__) and n.arg_key != "indexed"]
        for node in self._naming:
            if isinstance(node, exp.CTE):
                self._ctes.add(node.alias.casefold())

    @cached_property
    def columns(self) -> Columns:
        """The columns of what the statement reads."""
        return Columns(self, self._naming)

    @cached_property
    def _named(self) -> set[str]:
        named = set()
        for node in self._naming:
            alias = node.args.get("alias")
            if isinstance(node, exp.Alias):
                named.add(node.alias.casefold())
            elif isinstance(alias, exp.TableAlias):
                named |= {column.name.casefold() for column in alias.columns}
        return named

    def reads(self, pattern: re.Pattern[str]) -> bool:
        """Whether the statement reads a table whose name is like that."""
        tables = (node for node in self._naming if isinstance(node, exp.Table))
        return any(pattern.fullmatch(node.name.casefold()) for node in tables)

    def has_column_list(self, name: str) -> bool:
        """Whether the statement itself names the columns of something called so: `x(a, b)`."""
        aliases = (node.args.get("alias") for node in self._naming)
        return any(
            isinstance(alias, exp.TableAlias) and alias.columns and alias.name == name
            for alias in aliases
        )

    def is_given(self, folded: str) -> bool:
        """Whether the statement itself gives that name to a column."""
        return folded in self._named

    def is_system_schema(self, schema: str) -> bool:
        """Whether the engine itself keeps what stands in that schema."""
        return system_names.is_schema(schema, self.dialect)

    def scanned(self, node: Any) -> Table | None:
        """Return the scanned table that a node reads; None for a CTE, a function, a system view."""
        if self.known is None or not isinstance(node.this, exp.Identifier):
            return None
        key = id(node)
        if key not in self._scanned:
            self._scanned[key] = None if self.is_cte(node) else self._find(node)
        return self._scanned[key]

    def _find(self, node: Any) -> Table | None:
        assert self.known is not None
        written = self.text.dialect
        above = [node.args.get("catalog"), node.args.get("db")]
        if self.dialect == "bigquery" or not all(
            part is None or isinstance(part, exp.Identifier) for part in above
        ):
            names = [name.casefold() for name in self._parts(node)]
        else:
            names = [folded(part, written) for part in (*above, node.this) if part is not None]
        return self.known.find(names)

    def is_known_column(self, name: str) -> bool:
        """Whether a scanned table has a column of that name, as the engine compares it."""
        return self.known is not None and name in self.known.every_column

    def check(self, node: Any) -> None:
        """Refuse a table that is none, or that nobody knows.

        Raises:
            RefusedError: with the nearest name.
        """
        if not self.check_openness(node) or self.is_cte(node):
            return
        parts = self._parts(node)
        if ".".join(parts).casefold() in self.allowed or system_names.is_harmless(
            parts, self.dialect
        ):
            return
        if self.known is not None and self.scanned(node) is not None:
            return
        self._refuse_path(node, parts)
        if self.known is not None:
            raise self.text.refusal(
                f"the catalogue has no table {'.'.join(parts)}",
                self.text.position(node),
                fix=self._instead(parts[-1]),
            )

    def _instead(self, name: str) -> str:
        assert self.known is not None
        alike = [t.name for t in self.known.tables if t.object_name.casefold() == name.casefold()]
        if alike:
            return f"did you mean {' or '.join(alike[:3])}?"
        return did_you_mean(
            name,
            [table.name for table in self.known.tables],
            "use a table that list_tables names, or let kb.yaml allow it under `allow_tables:`",
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
        is_duckdb = self.dialect == "duckdb"
        # DuckDB reads the file data.csv where it finds no such table
        is_file = is_duckdb and (
            re.search(r"[.*]", name) or (len(parts) > 1 and _FILE.fullmatch(name))
        )
        is_path = _PATH.search(name) or any(_PATH.search(part) for part in parts[:-1] if part)
        if is_file or is_path or name.startswith("#"):
            self._refuse_place(node)

    def _refuse_system(self, node: Any, parts: Sequence[str]) -> None:
        if not system_names.is_system(
            parts, self.dialect, self.text.dialect
        ) or system_names.is_harmless(parts, self.dialect):
            return
        if self._is_scanned_exactly(node, parts):
            return
        raise self.text.refusal(
            f"{'.'.join(parts)} is a system object that isn't open to queries",
            self.text.position(node),
            fix="structure is in information_schema and in the catalogue: use describe_table",
        )

    def _is_scanned_exactly(self, node: Any, parts: Sequence[str]) -> bool:
        """A table of users may be called like a system table, where it is scanned as such."""
        if any(self.is_system_schema(part) for part in parts[:-1]):
            return False
        if self.dialect == "postgres" and len(parts) == 1:
            return False  # pg_catalog is searched before all other schemas
        table = self.scanned(node)
        return table is not None and table.object_name == parts[-1]

    def is_cte(self, table: Any) -> bool:
        """Whether a CTE that can be seen from there has that name."""
        return bool(self._ctes) and self.cte_of(table) is not None

    def cte_of(self, table: Any) -> Any:
        """Return the CTE that a table's name stands for; None if for none."""
        if not self._ctes or table.args.get("db") is not None:
            return None
        if table.name.casefold() not in self._ctes:
            return None
        key = id(table)
        if key not in self._cte_of:
            self._cte_of[key] = self._visible_cte(table)
        return self._cte_of[key]

    def _visible_cte(self, table: Any) -> Any:
        node = table
        while (parent := node.parent) is not None:
            if isinstance(parent, exp.With):
                index = parent.expressions.index(node)
                visible = parent.expressions[: self._last_visible(parent, index)]
            else:
                clause = parent.args.get("with_")
                visible = clause.expressions if clause not in (None, node) else []
            for cte in visible:
                if self._same(cte, table):
                    return cte
            node = parent
        return None

    def _last_visible(self, clause: Any, index: int) -> int:
        """Return how many CTEs of a WITH can be seen from the one at an index."""
        is_recursive = bool(clause.args.get("recursive"))
        if self.dialect == "sqlite" or (self.dialect == "postgres" and is_recursive):
            return len(clause.expressions)  # later ones too
        return index + 1 if is_recursive or self.dialect in _SELF_RECURSIVE else index

    def _same(self, cte: Any, table: Any) -> bool:
        """Whether the engine takes both names for the same."""
        alias = cte.args["alias"].this
        return self._folded(alias) == self._folded(table.this)

    def _folded(self, identifier: Any) -> str:
        if self.dialect in _CASE_BLIND or identifier.args.get("quoted"):
            name = str(identifier.name)
            return name.casefold() if self.dialect in _CASE_BLIND else name
        if self.dialect in _FOLDED_UP:
            return str(identifier.name).upper()
        return folded(identifier, self.text.dialect)
