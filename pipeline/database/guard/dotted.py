"""The guard on names that may be calls or sequences, though no parenthesis says so.

PostgreSQL calls f for `a.f` where a has no such column, Oracle for `pkg.f` and for a bare f;
`s.NEXTVAL` advances a sequence. They pass only as columns of what their qualifier means there.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from pipeline.database.guard import functions
from pipeline.database.guard.calls import Look, called
from pipeline.database.guard.columns import Verdict
from pipeline.database.guard.postgres_names import RECORDS, may_act
from pipeline.errors import did_you_mean

_SEQUENCE_COLUMNS = frozenset(["oracle", "snowflake", "db2", "mysql"])
_SEQUENCES = frozenset(["NEXTVAL", "CURRVAL"])
_WITHOUT_STRUCTS = frozenset(["postgres", "redshift"])  # where `(x).name` can be a call of name(x)
_DATA_IN_ORACLE = re.compile(r"(all|user)_tab_col(umn)?s")
_VALUES_OF_COLUMNS = frozenset(["low_value", "high_value"])
_FIELD = "write the column's name, or call the function openly"
_ALIAS = "name the columns where the value comes from: … AS x(a, b)"


def check_column(look: Look, node: Any) -> None:
    """Refuse a column that may be a call, a sequence, a placeholder or a link.

    Raises:
        RefusedError: it isn't surely a column.
    """
    parts = node.args
    this, table = parts["this"], parts.get("table")
    is_star = this.__class__ is exp.Star
    if look.dialect in _WITHOUT_STRUCTS:
        if table is not None and this.__class__ is exp.Identifier and not _is_collation(node):
            _check_dotted(look, node, table, this)
        if this.__class__ is not exp.Identifier or this.args["this"][:1] != "$":
            return
    name = this.args["this"] if this.__class__ is exp.Identifier else node.name
    if name[:1] == "$" and not this.args.get("quoted"):
        raise look.text.refusal(
            f"{name} is a placeholder",
            look.text.position(node),
            fix="write the value itself into the statement",
        )
    if look.dialect in _SEQUENCE_COLUMNS and not is_star:
        _check_sequence(look, node, name)
    if look.dialect == "oracle":
        _check_oracle(look, node, name)


def _is_collation(node: Any) -> bool:
    return isinstance(node.parent, exp.Collate) and node.arg_key == "expression"


def _check_sequence(look: Look, node: Any, name: str) -> None:
    if name.upper() not in _SEQUENCES or not isinstance(node.this, exp.Identifier):
        return
    table = node.args.get("table")
    if table is None:
        folded = name.casefold()
        is_column = look.tables.is_known_column(folded) or look.tables.is_given(folded)
    else:
        is_column = look.tables.columns.judge(node, table, node.this) == "column"
    if not is_column:
        raise look.text.refusal(
            f"{node.table + '.' if node.table else ''}{name} advances or reads a sequence",
            look.text.position(node),
            fix="read the column that the sequence fills",
        )


def _is_called(look: Look, name: str) -> bool:
    """Whether a function of that name is known that may do more than compute."""
    return may_act(name) or name.casefold() in look.routines


def _may_be_column(look: Look, verdict: Verdict, name: str) -> bool:
    """Whether a name counts as a column where the columns aren't all known."""
    if verdict in ("column", "none"):
        return verdict == "column"
    if _is_called(look, name):
        return False
    if verdict == "function" or (verdict == "nothing" and look.dialect == "postgres"):
        has_catalogue = look.tables.known is not None
        return look.tables.is_known_column(name) if has_catalogue else verdict == "nothing"
    return True


def _check_dotted(look: Look, node: Any, table: Any, this: Any) -> None:
    columns = look.tables.columns
    verdict = columns.judge(node, table, this)
    if verdict == "column":
        return
    name = columns.folded(this)
    if _may_be_column(look, verdict, name):
        return
    fix = "use a column of that table"
    if verdict == "function":
        fix = _ALIAS
    elif verdict == "none":
        fix = did_you_mean(name, columns.named(columns.folded(table)), fix)
    known = "has no column" if verdict == "none" else "isn't known to have a column"
    raise look.text.refusal(
        f"{table.name} {known} {this.name}, so {table.name}.{this.name} would call a function",
        look.text.position(node),
        fix=fix,
    )


def check_dot(look: Look, node: Any) -> None:
    """Refuse `(x).name` unless it is a column of a composite: else it calls name(x).

    Raises:
        RefusedError: it isn't surely a column.
    """
    if look.dialect not in _WITHOUT_STRUCTS or not isinstance(node.expression, exp.Identifier):
        return
    if isinstance(node.parent, exp.DataType):
        return  # the name of a type: x::schema.type
    name = look.tables.columns.folded(node.expression)
    if _is_field(look, node, name):
        return
    raise look.text.refusal(
        f"(…).{node.expression.name} would call the function {node.expression.name}",
        look.text.position(node.expression),
        fix=f"only columns that are known are read like that; {_FIELD}",
    )


def _is_field(look: Look, node: Any, name: str) -> bool:
    left = node.this
    while isinstance(left, exp.Paren):
        left = left.this
    if isinstance(left, exp.Func):
        fields = RECORDS.get((called(left) or "").casefold())
        if fields is not None:
            return name in fields
    if isinstance(left, exp.Column) and _is_field_of_row(look, left, node.expression):
        return True
    if _is_called(look, name):
        return False
    return look.tables.is_known_column(name) or name in _fields_of_calls(look)


def _is_field_of_row(look: Look, row: Any, field: Any) -> bool:
    """Whether it is a column of a whole row: `(o).id` or `(o.*).id` of a table o."""
    columns = look.tables.columns
    table = row.args.get("table")
    if isinstance(row.this, exp.Star):
        return table is not None and columns.judge(row, table, field) == "column"
    if table is not None or columns.judge(row, row.this, field) != "column":
        return False
    # a column of that name would come before the table
    own = columns.folded(row.this)
    if _is_called(look, columns.folded(field)):
        _, around = columns.around(row)
        return all(own not in shape.names and not shape.unknown for shape in around)
    return True


def _fields_of_calls(look: Look) -> frozenset[str]:
    """Return the columns of the records that functions of the statement return."""
    words = {token.text.casefold() for token in look.text.tokens}
    return frozenset(field for call in words & RECORDS.keys() for field in RECORDS[call])


def _check_oracle(look: Look, node: Any, name: str) -> None:
    """Oracle calls functions without parentheses: what is no column may be one."""
    table = node.args.get("table")
    written = f"{table.name}.{name}" if table is not None else name
    if "@" in name and not node.this.args.get("quoted"):
        raise look.text.refusal(
            f"{written} reaches through a database link",
            look.text.position(node),
            fix="read tables of this database by their plain name",
        )
    _refuse_values(look, node, name)
    if isinstance(node.this, exp.Star):
        return
    is_call = _is_oracle_call(look, node) if table is not None else _is_bare_call(look, node, name)
    if is_call:
        why = "belongs to no table of the query" if table is not None else "is no column"
        raise look.text.refusal(
            f"{written} {why}, so it would be a call",
            look.text.position(node),
            fix="use the name or alias of a table in FROM",
        )


def _refuse_values(look: Look, node: Any, name: str) -> None:
    """Refuse the values of columns that stand between the lines of Oracle's dictionary."""
    if name.casefold() in _VALUES_OF_COLUMNS and look.tables.reads(_DATA_IN_ORACLE):
        raise look.text.refusal(
            f"{name} holds a value out of the column's data",
            look.text.position(node),
            fix="select other columns of the dictionary, each by its name",
        )


def check_star(look: Look, node: Any) -> None:
    """Refuse `*` where it would hold values of data that nobody sees in its name.

    Raises:
        RefusedError: the statement reads Oracle's list of columns whole.
    """
    if look.dialect != "oracle" or isinstance(node.parent, exp.Count):
        return
    if look.tables.reads(_DATA_IN_ORACLE):
        raise look.text.refusal(
            "* holds low_value and high_value, values out of the columns' data",
            look.text.position(node),
            fix="name the columns, e.g. table_name, column_name, data_type",
        )


def _is_oracle_call(look: Look, node: Any) -> bool:
    columns = look.tables.columns
    parts = node.parts
    for index in (len(parts) - 2, 0):  # a.b, s.a.b, or a.b.c.d, a path into JSON
        qualifier, field = parts[index], parts[index + 1]
        if not columns.is_source(columns.folded(qualifier)):
            continue
        verdict = columns.judge(node, qualifier, field)
        if verdict in ("column", "none"):
            return verdict == "none"
        return functions.is_denied_schema(qualifier.name, "oracle")
    return not _is_pattern_variable(node, node.table)


def _is_bare_call(look: Look, node: Any, name: str) -> bool:
    folded = name.casefold()
    if isinstance(node.parent, exp.Anonymous) and node.parent.name.upper() == "TABLE":
        return not look.tables.is_known_column(folded)
    if folded in functions.ORACLE_VALUES or (look.tables.is_given(folded) and _is_sorted_by(node)):
        return False
    columns = look.tables.columns
    pivot = node.find_ancestor(exp.Pivot, exp.Query)
    if isinstance(pivot, exp.Pivot):
        before = columns.pivoted(pivot.parent)
        return not before.unknown and folded not in before.names
    own, around = columns.around(node)
    return not any(shape.unknown for shape in own) and all(
        folded not in shape.names for shape in around
    )


def _is_sorted_by(node: Any) -> bool:
    """Whether a name stands where the aliases of the select list count."""
    while node.parent is not None and not isinstance(node.parent, exp.Query):
        node = node.parent
    return node.arg_key in ("order", "group", "having")


def _is_pattern_variable(node: Any, name: str) -> bool:
    """Whether MATCH_RECOGNIZE around a node gives that name to rows."""
    around = node.find_ancestor(exp.MatchRecognize)
    if around is None:
        return False
    pattern = around.args.get("pattern")
    return (
        pattern is not None and re.search(rf"\b{re.escape(name)}\b", str(pattern.name)) is not None
    )
