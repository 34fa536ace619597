"""The guard on the tree: each node is looked at, wherever it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from sqlglot import exp

from pipeline.database.guard import blame, functions, nodes, quotes
from pipeline.database.guard.calls import Look, called, check_call, refuse_denied
from pipeline.database.guard.columns import CALLED
from pipeline.database.guard.kept import DROPPED
from pipeline.database.guard.rules import RULES
from pipeline.errors import RefusedError

_CLAUSES = {"Into": "INTO", "Lock": "LOCK", "NextValueFor": "NEXT"}
_HINTS = frozenset([exp.Hint, exp.WithTableHint, exp.QueryOption])
"""They look like calls inside; their rules judge them whole."""

_SCALARS = frozenset([str, bool, int, type(None)])


def check_tree(look: Look, tree: Any) -> None:
    """Refuse the gravest thing that isn't known to be harmless; of several, the first.

    Raises:
        RefusedError: there is such a thing.
    """
    found = _nodes(tree)
    look.tables.learn(found)
    try:
        for node in found:
            _check(look, node)
    except RefusedError:
        _refuse_the_gravest(look, found)
        raise
    _refuse_unseen(look)
    if look.dialect == "sqlite" and look.tables.known is not None:
        quotes.check(look.text, look.tables, found)


def _nodes(tree: Any) -> list[Any]:
    """Return all nodes but plain names, each before what is in it, as far as possible in order.

    sqlglot's own walk passes over lists within lists; this one doesn't.
    """
    found = []
    stack = [tree]
    while stack:
        node = stack.pop()
        kind = node.__class__
        if kind is list or kind is tuple:
            stack.extend(reversed(node))
            continue
        if not isinstance(node, exp.Expr):
            continue
        found.append(node)
        if kind in _HINTS:
            continue
        meta = node._meta  # noqa: SLF001 - `meta` would make a dict for each node
        if meta and DROPPED in meta:
            stack.extend(meta.pop(DROPPED))
        for value in reversed(node.args.values()):
            kind = value.__class__
            if kind is list:
                stack.extend(value[::-1])
            elif kind not in _SCALARS and not (kind is exp.Identifier and _is_leaf(value)):
                stack.append(value)
    return found


def _is_leaf(identifier: Any) -> bool:
    """Whether a name is but a name, so that what holds it is all there is to judge."""
    return identifier.args["this"].__class__ is str


def _check(look: Look, node: Any) -> None:
    kind = type(node)
    is_plain, rule = _plans.get(kind) or _plan(kind)
    meta = node._meta  # noqa: SLF001 - `meta` would make a dict for each node
    if not is_plain:
        _check_kind(look, node)
        check_call(look, node)
    elif meta and CALLED in meta:
        check_call(look, node)
    if rule is not None:
        rule(look, node)


_plans: dict[type, tuple[bool, Callable[[Look, Any], None] | None]] = {}


def _plan(kind: Any) -> tuple[bool, Callable[[Look, Any], None] | None]:
    """Return how nodes of a kind are judged: whether they are plain syntax, and by which rule."""
    is_plain = kind.__name__ in nodes.SYNTAX and not issubclass(kind, exp.Func)
    plan = _plans[kind] = (is_plain, RULES.get(kind))
    return plan


def _refuse_the_gravest(look: Look, found: Sequence[Any]) -> None:
    """Refuse what reaches out or writes before what is merely unknown."""
    for node in found:
        if type(node).__name__ in nodes.WRITING:
            _check_kind(look, node)
        refuse_denied(look, node)
        if isinstance(node, exp.Table):
            look.tables.check_openness(node)


def _refuse_unseen(look: Look) -> None:
    """Refuse a denied call that the tree doesn't show: the parser keeps some parts as bare text."""
    for token, after in pairwise(look.text.tokens):
        if after.text != "(" or token.token_type.name in look.text.LITERALS:
            continue
        name = token.text
        if functions.is_denied(name, look.dialect) and not look.tables.has_column_list(name):
            raise look.text.refusal(
                f"the function {name} can reach beyond the query",
                token.start,
                fix="leave it out; it can't be allowed",
            )


def _check_kind(look: Look, node: Any) -> None:
    kind = type(node).__name__
    if kind in nodes.SYNTAX or kind in nodes.FUNCTIONS or isinstance(node, exp.Anonymous):
        return
    if isinstance(node, exp.AnonymousAggFunc) or _is_known_parameter(look, node):
        return
    fix = "leave it out; only statements that read run here"
    if isinstance(node, exp.Parameter | exp.Placeholder):
        fix = "write the value itself into the statement"
    found, start = _spoken(look, node)
    raise look.text.refusal(f"{found} is not allowed", start, fix=fix)


def _spoken(look: Look, node: Any) -> tuple[str, int | None]:
    """Return how a refusal calls a node, in words of SQL, and where it stands."""
    kind = type(node).__name__
    start = look.text.position(node)
    if kind in _CLAUSES:
        clause = blame.clause(look.text, _CLAUSES[kind])
        return clause or (nodes.SPOKEN[kind], start)
    if isinstance(node, exp.Parameter | exp.Placeholder):
        if look.dialect == "oracle" and isinstance(node, exp.Parameter):
            return f"the database link @{node.name}", start
        word = "variable" if isinstance(node, exp.Parameter) else "placeholder"
        name, start = blame.variable(look.text, start)
        return f"the {word} {name}".rstrip(), start
    if isinstance(node, exp.Func) and kind not in nodes.SPOKEN:
        name, start = look.text.call(called(node) or node.sql_name(), start)
        return f"the function {name}", start
    return nodes.SPOKEN.get(kind) or f"the syntax {kind}", start


def _is_known_parameter(look: Look, node: Any) -> bool:
    """Whether it is `$1` for the first column, in Snowflake, or a value of the server."""
    if not isinstance(node, exp.Parameter):
        return False
    if look.dialect == "snowflake":
        return isinstance(node.this, exp.Literal)
    # T-SQL's @@version and its kin come as a variable of a variable.
    is_global = isinstance(node.parent, exp.Parameter) or isinstance(node.this, exp.Parameter)
    return look.dialect in ("tsql", "fabric", "bigquery") and is_global
