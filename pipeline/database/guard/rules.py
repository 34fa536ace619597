"""The guard on single kinds of nodes: what isn't told by the kind alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from pipeline.database.guard import functions, nodes
from pipeline.database.guard.calls import Look
from pipeline.database.guard.text import MYSQL_FAMILY
from pipeline.errors import did_you_mean

_SAMPLERS = {"", "SYSTEM", "BERNOULLI", "RESERVOIR", "BLOCK", "ROW", "SYSTEM_ROWS", "SYSTEM_TIME"}
_SEQUENCE_COLUMNS = {"oracle", "snowflake", "db2", "mysql"}
_SEQUENCES = {"NEXTVAL", "CURRVAL"}
_WITHOUT_STRUCTS = {"postgres", "redshift"}  # where `(x).name` can be a call of name(x)
_VALUE = "write the value itself into the statement"


def _table(look: Look, node: Any) -> None:
    look.tables.check(node)


def _dot(look: Look, node: Any) -> None:
    """`(x).name` is a column of a composite, or a call of name(x) in disguise."""
    if look.dialect not in _WITHOUT_STRUCTS or not isinstance(node.expression, exp.Identifier):
        return
    if isinstance(node.parent, exp.DataType):
        return  # the name of a type: x::schema.type
    name = node.expression.name
    if _is_called(look, name) or not look.tables.is_known_column(name):
        raise look.text.refusal(
            f"(…).{name} would call the function {name}",
            look.text.position(node.expression),
            fix="only columns that the catalogue knows are read like that; write the column's "
            "name, or call the function openly",
        )


def _column(look: Look, node: Any) -> None:
    parts = node.args
    this, table = parts["this"], parts.get("table")
    name = this.args["this"] if this.__class__ is exp.Identifier else node.name
    qualifier = table.name if table is not None else ""
    if name[:1] == "$" or look.dialect in _SEQUENCE_COLUMNS:
        _refuse_odd_column(look, node, name)
    if look.dialect == "oracle":
        _oracle_column(look, node, name, qualifier)
    elif qualifier and look.dialect in _WITHOUT_STRUCTS and not isinstance(this, exp.Star):
        _composite_column(look, node, name, qualifier)


def _refuse_odd_column(look: Look, node: Any, name: str) -> None:
    if name[:1] == "$" and not node.this.args.get("quoted"):
        raise look.text.refusal(f"{name} is a placeholder", look.text.position(node), fix=_VALUE)
    if name.upper() in _SEQUENCES and not look.tables.is_known_column(name):
        raise look.text.refusal(
            f"{node.table + '.' if node.table else ''}{name} advances or reads a sequence",
            look.text.position(node),
            fix="read the column that the sequence fills",
        )


def _is_called(look: Look, name: str) -> bool:
    """Whether a function of that name is known: one out of reach, of users or of the engine."""
    folded = name.casefold()
    of_engine = folded.startswith(("pg_", "lo_"))
    return of_engine or folded in look.routines or functions.is_denied(name, look.dialect)


def _composite_column(look: Look, node: Any, name: str, qualifier: str) -> None:
    folded = name.casefold()
    has_column = look.tables.has_column(qualifier, folded)
    if has_column:
        return
    is_hidden = _is_called(look, name) and not look.tables.is_known_column(name)
    if has_column is False or is_hidden:
        columns = look.tables.columns_of(qualifier)
        raise look.text.refusal(
            f"{qualifier} has no column {name}, so {qualifier}.{name} would call a function",
            look.text.position(node),
            fix=did_you_mean(name, sorted(columns or ()), "use a column of that table"),
        )


def _oracle_column(look: Look, node: Any, name: str, qualifier: str) -> None:
    """Oracle calls functions without parentheses: what is no column may be one."""
    written = f"{qualifier}.{name}" if qualifier else name
    if "@" in name and not node.this.args.get("quoted"):
        raise look.text.refusal(
            f"{written} reaches through a database link",
            look.text.position(node),
            fix="read tables of this database by their plain name",
        )
    if isinstance(node.this, exp.Star) or look.tables.is_known_column(name):
        return
    if qualifier:
        outermost = node.parts[0].name  # of t.doc.a.b, a path into JSON
        is_bound = look.tables.is_bound(qualifier) or look.tables.is_bound(outermost)
        is_call = not is_bound and not _is_pattern_variable(node, qualifier)
        why = "belongs to no table of the query"
    else:
        in_table = isinstance(node.parent, exp.Anonymous) and node.parent.name.upper() == "TABLE"
        is_call = in_table or _reads_only_dual(node)
        is_call = is_call and name.casefold() not in functions.ORACLE_VALUES
        why = "is no column"
    if is_call:
        raise look.text.refusal(
            f"{written} {why}, so it would be a call",
            look.text.position(node),
            fix="use the name or alias of a table in FROM",
        )


def _reads_only_dual(column: Any) -> bool:
    """Whether the query around a column reads nothing or Oracle's one-row table: no columns."""
    query = column.find_ancestor(exp.Select)
    if query is None or query.args.get("joins") or query.args.get("laterals"):
        return False
    source = query.args.get("from_") or query.args.get("from")
    read = source.this if source is not None else None
    return read is None or (isinstance(read, exp.Table) and read.name.casefold() == "dual")


def _is_pattern_variable(node: Any, name: str) -> bool:
    """Whether MATCH_RECOGNIZE around a node gives that name to rows."""
    around = node.find_ancestor(exp.MatchRecognize)
    if around is None:
        return False
    pattern = around.args.get("pattern")
    return (
        pattern is not None and re.search(rf"\b{re.escape(name)}\b", str(pattern.name)) is not None
    )


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
            f"an operator of the schema {schema} is a function of users",
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
        for word in ("SET_VAR", "RESOURCE_GROUP"):
            if word in named:
                raise look.text.refusal(
                    f"the hint {word} changes the session",
                    look.text.find(word),
                    fix="leave it out",
                )


def _rows_of(look: Look, node: Any) -> None:
    """`TABLE('name')` names its table in a text, where a stage or any table may stand."""
    if isinstance(node.this, exp.Literal):
        raise look.text.refusal(
            "TABLE('…') names its table in a text",
            look.text.position(node),
            fix="write the table's plain name",
        )


RULES: dict[type, Callable[[Look, Any], None]] = {
    exp.Table: _table,
    exp.Dot: _dot,
    exp.Column: _column,
    exp.Describe: _describe,
    exp.Summarize: _describe,
    exp.Operator: _operator,
    exp.TableSample: _sample,
    exp.WithTableHint: _table_hint,
    exp.Hint: _hint,
    exp.TableFromRows: _rows_of,
}
"""By the kind of a node; each refuses by raising."""
