"""The guard on functions: what a statement calls, wherever the call stands and however written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from pipeline.database.guard import functions, nodes
from pipeline.database.guard.tables import Tables
from pipeline.database.guard.text import Text
from pipeline.errors import RefusedError, did_you_mean

CALLED = "called"
"""Where a function node's `meta` keeps the name it was called by."""


@dataclass(slots=True)
class Look:
    """One statement and what is known about the names in it."""

    text: Text
    tables: Tables
    allow_functions: frozenset[str]
    dialect: str = field(init=False)
    routines: frozenset[str] = field(init=False)
    """The folded names of functions that users wrote."""

    def __post_init__(self) -> None:
        self.dialect = self.text.dialect
        self.routines = self.tables.known.routines if self.tables.known else frozenset()


def check_call(look: Look, node: Any) -> None:
    """Refuse a call of a function that isn't known to only compute.

    Raises:
        RefusedError: with the function's name and the nearest that may be called.
    """
    name = called(node)
    if name is None:
        return
    schema = schema_of(node)
    refuse_denied(look, node)
    folded = name.casefold()
    full = f"{schema}.{name}".casefold() if schema else folded
    if full in look.allow_functions or (not schema and folded in look.allow_functions):
        return
    if schema and not _is_pure_schema(look, node, schema, folded):
        raise _bad_call(look, node, f"{schema}.{name}", _whose(look, schema))
    if folded in look.routines:
        raise _bad_call(look, node, name, "is a function of users")
    typed = type(node).__name__ in nodes.FUNCTIONS and look.dialect not in functions.COMPLETE
    if not typed and not functions.is_listed(name, look.dialect):
        raise _bad_call(look, node, name, _UNLISTED)
    _check_arguments(look, node, folded)


_DENIED = "can reach beyond the query"
_UNLISTED = "is not on the list of functions that only compute"


def _whose(look: Look, schema: str) -> str:
    return _UNLISTED if look.tables.is_system_schema(schema) else "is a function of users"


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
    by_schema = schema and functions.is_denied_schema(schema, look.dialect)
    if as_table or by_schema or functions.is_denied(name, look.dialect):
        full = f"{schema}.{name}" if schema not in ("", "…") else name
        raise _bad_call(look, node, full, _DENIED)


def _is_pure_schema(look: Look, node: Any, schema: str, name: str) -> bool:
    if schema.casefold() in functions.PURE_SCHEMAS.get(look.dialect, ()):
        return True
    if name in functions.METHODS.get(look.dialect, ()) and schema.casefold() != "dbo":
        return True
    # DuckDB chains calls on values: name.upper(); the name is checked like any other.
    return look.dialect == "duckdb" and not isinstance(node.parent, exp.Table)


def _bad_call(look: Look, node: Any, name: str, why: str) -> RefusedError:
    fix = "compute it in another way, or let kb.yaml allow it under `allow_functions:`"
    if why is _DENIED:
        fix = "leave it out; it can't be allowed"
    elif why is _UNLISTED:
        near = did_you_mean(name, sorted(functions.listed(look.dialect)), fix)
        fix = near if near is fix else f"{near} Otherwise {fix}"
    return look.text.refusal(f"the function {name} {why}", look.text.position(node), fix=fix)


def _check_arguments(look: Look, node: Any, name: str) -> None:
    if name not in functions.SETTING_READERS and name not in functions.REPEATING:
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
    if name not in functions.REPEATING:
        return
    for count in arguments:  # whichever it is: a method's value isn't among them
        if isinstance(count, exp.Literal) and not count.is_string and _is_big(count.name):
            raise look.text.refusal(
                f"{name} would make a value of {count.name} characters",
                look.text.position(node),
                fix=f"ask for at most {functions.LONGEST:,}",
            )


def called(node: Any) -> str | None:
    """Return the name by which a function is called, if the node is a call with a name."""
    if isinstance(node, exp.Anonymous):
        return str(node.this.name if isinstance(node.this, exp.Expr) else node.this)
    if isinstance(node, exp.AnonymousAggFunc):
        return str(node.name)
    meta = node._meta  # noqa: SLF001 - `meta` would make a dict for each node
    return meta.get(CALLED) if meta else None


def schema_of(node: Any) -> str:
    """Return what stands before the dot of a call: `a` of `a.f(x)`; '' for a bare call."""
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


def _is_big(number: str) -> bool:
    try:
        return float(number) > functions.LONGEST
    except ValueError:
        return False
