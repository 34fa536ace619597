"""The guard on functions: what a statement calls, wherever the call stands and however written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from pipeline.database.guard import columns, functions, nodes, sizes
from pipeline.database.guard.tables import Tables
from pipeline.database.guard.text import Text
from pipeline.errors import RefusedError, did_you_mean

CALLED = columns.CALLED


@dataclass(slots=True)
class Look:
    """One statement and what is known about the names in it."""

    text: Text
    tables: Tables
    allow_functions: frozenset[str]
    dialect: str = field(init=False)
    routines: frozenset[str] = field(init=False)
    """The folded names of functions that users wrote, in whatever schema."""

    reached_routines: frozenset[str] = field(init=False)
    """Those that a bare name may call."""

    def __post_init__(self) -> None:
        self.dialect = self.text.dialect
        known = self.tables.known
        self.routines = known.routines if known else frozenset()
        self.reached_routines = known.reached_routines if known else frozenset()


def check_call(look: Look, node: Any) -> None:
    """Refuse a call of a function that isn't known to only compute.

    Raises:
        RefusedError: with the function's name and the nearest that may be called.
    """
    name = called(node)
    schema = schema_of(node)
    if name is None:
        if schema and isinstance(node, exp.Func):  # one that the parser has a syntax for
            _refuse_schema(look, node, schema)
        return
    refuse_denied(look, node)
    folded = name.casefold()
    full = f"{schema}.{name}".casefold() if schema else folded
    if full in look.allow_functions or (not schema and folded in look.allow_functions):
        return
    if schema and functions.is_in_pure_package(schema, folded, look.dialect):
        return
    if schema and not _is_pure_schema(look, node, schema, folded):
        raise _bad_call(look, node, f"{schema}.{name}", _whose(look, schema))
    if not schema and folded in look.reached_routines:
        raise _bad_call(look, node, name, _OF_USERS)
    typed = type(node).__name__ in nodes.FUNCTIONS and look.dialect not in functions.COMPLETE
    if not typed and not functions.is_listed(name, look.dialect):
        raise _bad_call(look, node, name, _UNLISTED)
    _check_arguments(look, node, folded)


_DENIED = "can reach beyond the query"
_OF_USERS = "is a user-defined function"
_UNLISTED = "is not on the list of functions that only compute"


def _refuse_schema(look: Look, node: Any, schema: str) -> None:
    name, _ = look.text.call(node.sql_name(), None)
    own = name.rpartition(".")[2]
    if f"{schema}.{own}".casefold() in look.allow_functions:
        return
    if not _is_pure_schema(look, node, schema, own.casefold()):
        raise _bad_call(look, node, f"{schema}.{own}", _whose(look, schema))


def _whose(look: Look, schema: str) -> str:
    return _UNLISTED if look.tables.is_system_schema(schema) else _OF_USERS


def refuse_denied(look: Look, node: Any) -> None:
    """Refuse a call of what no setting can allow.

    Raises:
        RefusedError: the function or its schema is on the deny-list.
    """
    name = called(node)
    if name is None:
        return
    schema = schema_of(node)
    as_table = isinstance(node.parent, exp.Table) and name.casefold() in (
        functions.DENIED_AS_TABLE.get(look.dialect, ())
    )
    if schema and functions.is_in_pure_package(schema, name, look.dialect):
        return
    by_schema = schema and functions.is_denied_schema(schema, look.dialect)
    if as_table or by_schema or functions.is_denied(name, look.dialect):
        full = f"{schema}.{name}" if schema not in ("", "…") else name
        raise _bad_call(look, node, full, _DENIED)


def _is_pure_schema(look: Look, node: Any, schema: str, name: str) -> bool:
    folded = schema.casefold()
    if folded in functions.PURE_SCHEMAS.get(look.dialect, ()):
        return True
    if name in functions.METHODS.get(look.dialect, ()):
        return _is_method(look, node, schema, name)
    # DuckDB chains calls on values: name.upper(); the name is checked like any other.
    return look.dialect == "duckdb" and not isinstance(node.parent, exp.Table)


def _is_method(look: Look, node: Any, owner: str, name: str) -> bool:
    """Whether what is called stands on a column: `c.value('…')`, not in the schema c."""
    tables = look.tables
    folded = owner.casefold()
    if folded == "…":  # on what another call returned
        return True
    if folded == "dbo" or not tables.columns.are_there:
        return False
    if tables.columns.is_source(folded):
        return True
    known = tables.known is not None
    if known and not (tables.is_known_column(folded) or tables.is_given(folded)):
        return False
    # With no catalogue, the arguments must be those that the method has.
    count = functions.METHODS[look.dialect][name]
    arguments = _arguments(node)
    texts = all(isinstance(a, exp.Literal) and a.is_string for a in arguments)
    return len(arguments) == count and (texts or name.startswith("st"))


def _bad_call(look: Look, node: Any, name: str, why: str) -> RefusedError:
    fix = "compute it in another way, or let kb.yaml allow it under `allow_functions:`"
    if why is _DENIED:
        fix = "leave it out; it can't be allowed"
    elif why is _UNLISTED:
        near = did_you_mean(name, sorted(functions.listed(look.dialect)), fix)
        fix = near if near is fix else f"{near} Otherwise {fix}"
    return look.text.refusal(f"the function {name} {why}", look.text.position(node), fix=fix)


def _check_arguments(look: Look, node: Any, name: str) -> None:
    if name not in functions.SETTING_READERS and name not in _SIZED:
        return
    arguments = _arguments(node)
    if name in functions.SETTING_READERS:
        allowed = functions.SETTING_READERS[name]
        setting = arguments[0] if arguments else None
        named = setting.name if isinstance(setting, exp.Literal) and setting.is_string else ""
        if named.casefold() not in allowed:
            raise look.text.refusal(
                f"{name} reads settings in which secrets are kept",
                look.text.position(node),
                fix="name one of the usual settings as plain text, e.g. "
                + ("'TimeZone'" if name == "current_setting" else "'USERENV'"),
            )
    if name in functions.SETTING_READERS:
        return
    length = sizes.too_long(name, arguments, is_dotted=isinstance(node.parent, exp.Dot))
    if length is not None:
        raise look.text.refusal(
            f"{name} would make a value of {length:.10g} characters",
            look.text.position(node),
            fix=f"ask for at most {sizes.LONGEST:,}",
        )


_SIZED = frozenset(sizes.REPEATING) | sizes.FORMATTING


def called(node: Any) -> str | None:
    """Return the name by which a function is called, if the node is a call with a name."""
    if isinstance(node, exp.Anonymous):
        return str(node.this.name if isinstance(node.this, exp.Expr) else node.this)
    if isinstance(node, exp.AnonymousAggFunc):
        return str(node.name)
    meta = node._meta  # noqa: SLF001 - `meta` would make a dict for each node
    return meta.get(CALLED) if meta else None


_AROUND = (exp.Window, exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls)
"""What stands around a call and within its dot: `a.f(x) FILTER (…)`."""


def schema_of(node: Any) -> str:
    """Return what stands before the dot of a call: `a` of `a.f(x)`; '' for a bare call."""
    parent = node.parent
    while isinstance(parent, _AROUND) and parent.this is node:
        node, parent = parent, parent.parent
    if isinstance(parent, exp.Dot) and parent.expression is node:
        left = parent.this
        return str(left.name) if isinstance(left, exp.Identifier | exp.Column | exp.Dot) else "…"
    if isinstance(parent, exp.Table) and parent.this is node:
        return str(parent.db)
    if isinstance(parent, exp.Column) and parent.this is node:
        return str(parent.table)
    return ""


def _arguments(node: Any) -> list[Any]:
    if isinstance(node, exp.Anonymous):
        return list(node.expressions)
    values = [node.args.get(key) for key in node.arg_types]
    flat = [v for value in values for v in (value if isinstance(value, list) else [value])]
    return [v for v in flat if isinstance(v, exp.Expr)]
