"""The guard on single kinds of nodes: what isn't told by the kind alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from pipeline.database.guard import dotted, functions, nodes
from pipeline.database.guard.calls import Look
from pipeline.database.guard.text import MYSQL_FAMILY
from pipeline.errors import did_you_mean

_SESSION_HINTS = ("SET_VAR", "RESOURCE_GROUP")
_TIME_HINT = re.compile(r"MAX_EXECUTION_TIME\s*\(\s*(?P<milliseconds>\w*)", re.IGNORECASE)
_MOST_MILLISECONDS = 60_000  # a hint counts before the session's own limit
_SAMPLERS = {"", "SYSTEM", "BERNOULLI", "RESERVOIR", "BLOCK", "ROW", "SYSTEM_ROWS", "SYSTEM_TIME"}


def _table(look: Look, node: Any) -> None:
    look.tables.check(node)


def _describe(look: Look, node: Any) -> None:
    target = node.this
    inside = isinstance(node.parent, exp.Subquery | exp.From | exp.Table)
    if not inside or not isinstance(target, exp.Table | exp.Query):
        raise look.text.refusal(
            f"{type(node).__name__.upper()} is no query",
            look.text.position(node),
            fix="use describe_table",
        )


def _operator(look: Look, node: Any) -> None:
    schema = str(node.args.get("operator") or "").rpartition(".")[0].strip('" ').casefold()
    if schema not in ("", "pg_catalog"):
        raise look.text.refusal(
            f"an operator of the schema {schema} is a user-defined function",
            look.text.position(node),
            fix="use an operator of pg_catalog",
        )


def _sample(look: Look, node: Any) -> None:
    method = node.args.get("method")
    if (method.name.upper() if method is not None else "") not in _SAMPLERS:
        raise look.text.refusal(
            f"the sampling method {method.name} isn't known",
            look.text.position(node),
            fix="use SYSTEM or BERNOULLI",
        )


def _table_hint(look: Look, node: Any) -> None:
    for hint in node.expressions:
        if hint.name.upper() in nodes.LOCK_HINTS:
            raise look.text.refusal(
                f"the hint {hint.name.upper()} locks rows",
                look.text.position(hint) or look.text.position(node),
                fix="leave it out",
            )


def _hint(look: Look, node: Any) -> None:
    if look.dialect not in MYSQL_FAMILY:
        return
    for hint in node.expressions:
        # what the parser can't read as hints, it keeps as text
        named = hint.upper() if isinstance(hint, str) else hint.name.upper()
        for word in _SESSION_HINTS:
            if word in named:
                raise look.text.refusal(
                    f"the hint {word} changes the session",
                    look.text.find(word),
                    fix="leave it out",
                )
    for match in _TIME_HINT.finditer(look.text.sql):
        asked = match["milliseconds"]
        if not asked.isdecimal() or not 0 < int(asked) <= _MOST_MILLISECONDS:
            raise look.text.refusal(
                f"the hint {match[0]}) lifts the limit of time",
                match.start(),
                fix=f"ask for 1 to {_MOST_MILLISECONDS:,} milliseconds, or leave it out",
            )


def _rows_of(look: Look, node: Any) -> None:
    """`TABLE('name')` names its table in a text, where a stage or any table may stand."""
    if isinstance(node.this, exp.Literal):
        raise look.text.refusal(
            "TABLE('…') names its table in a text",
            look.text.position(node),
            fix="write the table's plain name",
        )


def _server_value(look: Look, node: Any) -> None:
    """`@@name` reads a setting; some hold paths and passwords."""
    name = node.name.casefold()
    if look.dialect in MYSQL_FAMILY and name not in functions.MYSQL_VARIABLES:
        raise look.text.refusal(
            f"@@{node.name} is not among the settings that are open to queries",
            look.text.position(node),
            fix=did_you_mean(name, sorted(functions.MYSQL_VARIABLES), "leave it out"),
        )


RULES: dict[type, Callable[[Look, Any], None]] = {
    exp.Table: _table,
    exp.Dot: dotted.check_dot,
    exp.Column: dotted.check_column,
    exp.Star: dotted.check_star,
    exp.Describe: _describe,
    exp.Summarize: _describe,
    exp.Operator: _operator,
    exp.TableSample: _sample,
    exp.WithTableHint: _table_hint,
    exp.Hint: _hint,
    exp.SessionParameter: _server_value,
    exp.TableFromRows: _rows_of,
}
"""By the kind of a node; each refuses by raising."""
