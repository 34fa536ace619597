"""The guard on the tree: each node is looked at, wherever it stands."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from pipeline.database import guard_functions as functions
from pipeline.database import guard_nodes as nodes
from pipeline.database import guard_quotes as quotes
from pipeline.database.guard_tables import Tables
from pipeline.database.guard_text import MYSQL_FAMILY, Text
from pipeline.errors import did_you_mean
from schemas.facts import Catalog

_SAMPLERS = {"", "SYSTEM", "BERNOULLI", "RESERVOIR", "BLOCK", "ROW", "SYSTEM_ROWS", "SYSTEM_TIME"}
CALLED = "called"
"""Where a function node's `meta` keeps the name it was called by."""

_SEQUENCES = {"NEXTVAL", "CURRVAL"}
_WITHOUT_STRUCTS = {"postgres", "redshift"}  # where `(x).name` can be a call of name(x)


class Walk:
    """One look at one statement."""

    def __init__(
        self,
        text: Text,
        catalog: Catalog | None,
        *,
        allow_functions: frozenset[str],
        allow_tables: frozenset[str],
    ) -> None:
        self.text = text
        self.dialect = text.dialect
        self.allow_functions = allow_functions
        self.tables = Tables(text, catalog, allow_tables)
        self.routines = {
            routine.name.rpartition(".")[2].casefold()
            for routine in (catalog.routines if catalog else ())
            if routine.kind != "trigger"
        }

    def check(self, tree: Any) -> None:
        """Refuse the first thing that isn't known to be harmless."""
        found = list(tree.walk(bfs=False, prune=_is_hint))
        self.tables.learn(found)
        for node in found:
            self._check_kind(node)
            self._check_call(node)
            rule = _RULES.get(type(node))
            if rule is not None:
                rule(self, node)
        if self.dialect == "sqlite" and self.tables.catalog is not None:
            quotes.check(self.text, self.tables, found, self.tables.catalog)

    def _check_kind(self, node: Any) -> None:
        kind = type(node).__name__
        if kind in nodes.SYNTAX or kind in nodes.FUNCTIONS or isinstance(node, exp.Anonymous):
            return
        if isinstance(node, exp.AnonymousAggFunc) or self._is_known_parameter(node):
            return
        found = nodes.SPOKEN.get(kind) or kind
        if isinstance(node, exp.Func) and kind not in nodes.SPOKEN:
            found = f"the function {_called(node) or kind}"
        fix = "write the value itself into the statement"
        if not isinstance(node, exp.Parameter | exp.Placeholder):
            fix = "leave it out; only statements that read run here"
        raise self.text.refusal(f"{found} is not allowed", self.text.position(node), fix=fix)

    def _is_known_parameter(self, node: Any) -> bool:
        """Whether it is `$1` for the first column, in Snowflake, or a value of the server."""
        if not isinstance(node, exp.Parameter):
            return False
        if self.dialect == "snowflake":
            return isinstance(node.this, exp.Literal)
        # T-SQL's @@version and its kin come as a variable of a variable.
        is_global = isinstance(node.parent, exp.Parameter) or isinstance(node.this, exp.Parameter)
        return self.dialect in ("tsql", "fabric") and is_global

    # -- functions ---------------------------------------------------------------------------

    def _check_call(self, node: Any) -> None:
        name = _called(node)
        if name is None:
            return
        schema = _schema_of(node)
        full = f"{schema}.{name}".casefold() if schema else name.casefold()
        if functions.is_denied(name) or (schema and functions.is_denied(schema)):
            raise self._bad_call(node, name, "can reach beyond the query", known=False)
        if full in self.allow_functions or (not schema and name.casefold() in self.allow_functions):
            return
        if schema and not self._is_pure_schema(node, schema, name):
            raise self._bad_call(node, f"{schema}.{name}", "is a function of users", known=False)
        if name.casefold() in self.routines:
            raise self._bad_call(node, name, "is a function of users", known=False)
        typed = type(node).__name__ in nodes.FUNCTIONS
        if not typed and not functions.is_listed(name, self.dialect):
            raise self._bad_call(
                node, name, "is not on the list of functions that only compute", known=True
            )
        self._check_arguments(node, name.casefold())

    def _is_pure_schema(self, node: Any, schema: str, name: str) -> bool:
        if schema.casefold() in functions.PURE_SCHEMAS.get(self.dialect, ()):
            return True
        if name.casefold() in functions.METHODS.get(self.dialect, ()):
            return True
        # DuckDB chains calls on values: name.upper(); the name is checked like any other.
        return self.dialect == "duckdb" and not isinstance(node.parent, exp.Table)

    def _bad_call(self, node: Any, name: str, why: str, *, known: bool) -> Exception:
        otherwise = (
            "compute it in another way, or let kb.yaml allow it under `allow_functions:`"
            if not functions.is_denied(name)
            else "leave it out; it can't be allowed"
        )
        fix = otherwise
        if known:
            fix = did_you_mean(name, sorted(functions.listed(self.dialect)), otherwise)
        if fix is not otherwise:
            fix = f"{fix} Otherwise {otherwise}"
        return self.text.refusal(f"the function {name} {why}", self.text.position(node), fix=fix)

    def _check_arguments(self, node: Any, name: str) -> None:
        arguments = _arguments(node)
        if name == "current_setting":
            setting = arguments[0] if arguments else None
            if not (isinstance(setting, exp.Literal) and "." not in setting.name):
                raise self.text.refusal(
                    "current_setting reads settings that applications keep secrets in",
                    self.text.position(node),
                    fix="name one of the server's own settings as plain text, e.g. 'TimeZone'",
                )
        position = functions.REPEATING.get(name)
        if position is not None and len(arguments) > position:
            count = arguments[position]
            if isinstance(count, exp.Literal) and not count.is_string and _big(count.name):
                raise self.text.refusal(
                    f"{name} would make a value of {count.name} characters",
                    self.text.position(node),
                    fix=f"ask for at most {functions.LONGEST:,}",
                )

    # -- single kinds of nodes ----------------------------------------------------------------

    def _table(self, node: Any) -> None:
        self.tables.check(node)

    def _dot(self, node: Any) -> None:
        """`(x).name` is a column of a composite, or a call of name(x) in disguise."""
        if self.dialect not in _WITHOUT_STRUCTS or not isinstance(node.expression, exp.Identifier):
            return
        name = node.expression.name
        if functions.is_denied(name) or not self.tables.is_known_column(name):
            raise self.text.refusal(
                f"(…).{name} would call the function {name}",
                self.text.position(node.expression),
                fix="only columns that the catalogue knows are read like that; write the column's "
                "name, or call the function openly",
            )

    def _column(self, node: Any) -> None:
        name, qualifier = node.name, node.table
        if name.startswith("$") and not node.this.args.get("quoted"):
            raise self.text.refusal(
                f"{name} is a placeholder",
                self.text.position(node),
                fix="write the value itself into the statement",
            )
        sequence = name.upper() in _SEQUENCES and self.dialect in ("oracle", "snowflake", "db2")
        if sequence and not self.tables.is_known_column(name):
            raise self.text.refusal(
                f"{qualifier or ''}.{name} advances or reads a sequence",
                self.text.position(node),
                fix="read the column that the sequence fills",
            )
        if not qualifier or isinstance(node.this, exp.Star):
            return
        if self.dialect in _WITHOUT_STRUCTS:
            self._composite_column(node, name, qualifier)
        elif self.dialect == "oracle" and not self.tables.is_bound(qualifier):
            raise self.text.refusal(
                f"{qualifier}.{name} belongs to no table of the query, so it would be a call",
                self.text.position(node),
                fix="use the name or alias of a table in FROM",
            )

    def _composite_column(self, node: Any, name: str, qualifier: str) -> None:
        columns = self.tables.columns_of(qualifier)
        hidden_call = functions.is_denied(name) or name.casefold() in self.routines
        if columns is None:
            wrong = hidden_call and not self.tables.is_known_column(name)
        else:
            wrong = name.casefold() not in columns
        if wrong:
            raise self.text.refusal(
                f"{qualifier} has no column {name}, so {qualifier}.{name} would call a function",
                self.text.position(node),
                fix=did_you_mean(name, sorted(columns or ()), "use a column of that table"),
            )

    def _describe(self, node: Any) -> None:
        target = node.this
        inside = isinstance(node.parent, exp.Subquery | exp.From | exp.Table)
        if not inside or not isinstance(target, exp.Table | exp.Query):
            raise self.text.refusal(
                f"{type(node).__name__.upper()} is no query",
                self.text.position(node),
                fix="use describe_table",
            )

    def _operator(self, node: Any) -> None:
        schema = str(node.args.get("operator") or "").rpartition(".")[0].strip('" ').casefold()
        if schema not in ("", "pg_catalog"):
            raise self.text.refusal(
                f"an operator of the schema {schema} is a function of users",
                self.text.position(node),
                fix="use an operator of pg_catalog",
            )

    def _sample(self, node: Any) -> None:
        method = node.args.get("method")
        if (method.name.upper() if method is not None else "") not in _SAMPLERS:
            raise self.text.refusal(
                f"the sampling method {method.name} isn't known",
                self.text.position(node),
                fix="use SYSTEM or BERNOULLI",
            )

    def _table_hint(self, node: Any) -> None:
        for hint in node.expressions:
            if hint.name.upper() in nodes.LOCK_HINTS:
                raise self.text.refusal(
                    f"the hint {hint.name.upper()} locks rows",
                    self.text.position(hint) or self.text.position(node),
                    fix="leave it out",
                )

    def _hint(self, node: Any) -> None:
        if self.dialect not in MYSQL_FAMILY:
            return
        for hint in node.expressions:
            if hint.name.upper() in ("SET_VAR", "RESOURCE_GROUP"):
                raise self.text.refusal(
                    f"the hint {hint.name.upper()} changes the session",
                    self.text.position(hint),
                    fix="leave it out",
                )


_RULES = {
    exp.Table: Walk._table,  # noqa: SLF001 - the table of this module's own methods
    exp.Dot: Walk._dot,  # noqa: SLF001
    exp.Column: Walk._column,  # noqa: SLF001
    exp.Describe: Walk._describe,  # noqa: SLF001
    exp.Summarize: Walk._describe,  # noqa: SLF001
    exp.Operator: Walk._operator,  # noqa: SLF001
    exp.TableSample: Walk._sample,  # noqa: SLF001
    exp.WithTableHint: Walk._table_hint,  # noqa: SLF001
    exp.Hint: Walk._hint,  # noqa: SLF001
}


def _is_hint(node: Any) -> bool:
    """Hints look like calls; `_hint` and `_table_hint` judge them whole."""
    return isinstance(node, exp.Hint | exp.WithTableHint | exp.QueryOption)


def _called(node: Any) -> str | None:
    """Return the name by which a function is called, if the node is a call with a name."""
    if isinstance(node, exp.Anonymous):
        return str(node.this.name if isinstance(node.this, exp.Expr) else node.this)
    if isinstance(node, exp.AnonymousAggFunc):
        return str(node.name)
    called: str | None = node.meta.get(CALLED)
    return called


def _schema_of(node: Any) -> str:
    parent = node.parent
    if isinstance(parent, exp.Dot) and parent.expression is node:
        left = parent.this
        return str(left.name) if isinstance(left, exp.Identifier | exp.Column | exp.Dot) else "…"
    if isinstance(parent, exp.Table) and parent.this is node:
        return str(parent.db)
    return ""


def _arguments(node: Any) -> list[Any]:
    if isinstance(node, exp.Anonymous):
        return list(node.expressions)
    values = [node.args.get(key) for key in node.arg_types]
    return [v for v in values if isinstance(v, exp.Expr)]


def _big(number: str) -> bool:
    try:
        return float(number) > functions.LONGEST
    except ValueError:
        return False
