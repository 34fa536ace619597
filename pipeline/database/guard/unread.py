"""What the guard says of a statement that the parser can't read: in words of SQL, with the place.

Constructs that are known to stop the parser are refused by their name; of others, the refusal says
where the reading stopped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.database.guard.respelled import STRINGS, word
from pipeline.database.guard.statements import phrase
from pipeline.database.guard.text import Text, place
from pipeline.errors import RefusedError

_LONGEST = 40
_OWN_STATEMENT = "send one SELECT; T-SQL needs nothing between two statements"
_IN_CTE = "compute it with window functions, with joins or in CTEs"
_PIPE = "write that step as a SELECT over the ones before it"
_MODEL_CALL = "read columns of tables; no models are run here"
_LIST = "read information_schema.tables or information_schema.columns, or use list_tables"


@dataclass(frozen=True, slots=True)
class _Construct:
    """Words in a row, and what is said where they stand unquoted."""

    words: tuple[str, ...]
    """Each with its alternatives, as `A|B`; `*` is any name, `''` a text."""

    says: str
    """`{}` stands for the words as they are written."""

    fix: str
    begin: int = 0
    """Which of the words begins it; those before are where it must stand."""


def _all(*items: tuple[str, str, str]) -> tuple[_Construct, ...]:
    """Return constructs from their words, says and fix; `^` stands before the word that begins."""
    found = []
    for written, says, fix in items:
        words = written.split()
        begin = words.index("^") if "^" in words else 0
        found.append(_Construct(tuple(w for w in words if w != "^"), says, fix, begin))
    return tuple(found)


_IS_STATEMENT = "{} is a statement of its own in T-SQL"
_CONSTRUCTS = {
    "tsql": _all(
        ("ENABLE|DISABLE TRIGGER", _IS_STATEMENT, _OWN_STATEMENT),
        ("BEGIN|END|MOVE|GET CONVERSATION", _IS_STATEMENT, _OWN_STATEMENT),
        ("ADD|DROP SIGNATURE|COUNTER", _IS_STATEMENT, _OWN_STATEMENT),
        ("RECEIVE", _IS_STATEMENT, _OWN_STATEMENT),
        ("SEND ON", _IS_STATEMENT, _OWN_STATEMENT),
        ("ELSE SELECT", "{} is part of a program", "send one SELECT, without IF and ELSE"),
        ("CHANGETABLE (", "{}…) can't be judged here", "read the table itself"),
        (":: *", "the old call {} can't be judged here", "write sys. before it instead of ::"),
    ),
    "oracle": _all(
        ("MODEL DIMENSION|PARTITION|RETURN|MAIN|REFERENCE|IGNORE|KEEP|UNIQUE",
         "a MODEL clause can't be judged here", _IN_CTE),
        ("EXTERNAL MODIFY", "{} is not allowed", "read the table as it is defined"),
        ("XMLPARSE (", "{}…) can't be judged here: it may fetch what its text names",
         "read the text itself, or a column of the type XMLTYPE"),
        ("XMLQUERY|XMLTABLE|XMLEXISTS (", "the XQuery of {}…) can't be judged here",
         "write the XQuery as one plain text: '…'"),
        ("VERSIONS BETWEEN", "{} with these bounds can't be judged here",
         "write MINVALUE, MAXVALUE or numbers as bounds"),
        ("NEW *", "a constructor ({}) would call code of a type", "write its attributes instead"),
        ("TREAT (", "a method after TREAT(…) would call code of a type",
         "read attributes of the object instead"),
        ("& *", "the variable {} is not allowed", "write the value itself into the statement"),
    ),
    "bigquery": _all(
        ("|> EXPORT DATA", "{} is not allowed", "select the rows: no files are written here"),
        ("|> CALL|CREATE|DELETE|DROP|INSERT|UPDATE", "the pipe operator {} is not allowed", _PIPE),
        ("|> *", "the pipe operator {} can't be judged here", _PIPE),
        ("SELECT ^ WITH *", "SELECT {} can't be judged here", "write a plain SELECT"),
        ("FROM|JOIN ^ [ *", "{} …] is legacy SQL", "write `project.data.table` in backticks"),
        ("(|, ^ TABLE *", "a table of a dataset as an argument ({} …) can't be judged here",
         "read the table itself in FROM"),
        ("GRAPH_TABLE (", "{}…) can't be judged here", "read the tables of the graph in FROM"),
    ),
    "duckdb": _all(
        ("( ^ SHOW", "SHOW is a statement within the query", _LIST),
        ("( ^ DESCRIBE )", "DESCRIBE is a statement within the query", _LIST),
        ("REDUCE (", "{}…) can't be judged here", "write list_reduce(list, lambda)"),
        ("FROM|JOIN ^ [", "a list in FROM names files, and no table of this database",
         "read tables of this database by their plain name"),
    ),
    "sqlite": _all(
        ("SELECT|,|( ^ MATCH (", "the function match needs a full-text table before it",
         "write: table MATCH 'words'"),
    ),
    "postgres": _all(
        ("USING OPERATOR ( * .", "an operator of another schema ({} …) is a user-defined function",
         "use an operator of pg_catalog"),
        ("* . * ''", "{} is a cast to a type of that schema", "write CAST('…' AS schema.type)"),
        ("ONLY ( ", "{}…) can't be judged here", "write FROM ONLY and the table's name"),
    ),
}  # fmt: skip
_MODEL_CALLS = re.compile(
    r"(PREDICTION|CLUSTER|FEATURE)(_\w+)?|VECTOR_EMBEDDING|ORA_DM_PARTITION_NAME"
)


def known_construct(text: Text) -> RefusedError | None:
    """Return the refusal of a construct that is known to stop the parser, if there is one."""
    dialect = {"fabric": "tsql", "redshift": "postgres"}.get(text.dialect, text.dialect)
    for construct in _CONSTRUCTS.get(dialect, ()):
        for index in range(len(text.tokens)):
            part = text.tokens[index : index + len(construct.words)]
            if _is(part, construct.words):
                first = index + construct.begin
                said = _written(text, first, construct.words[construct.begin :])
                return text.refusal(
                    construct.says.format(said),
                    text.tokens[first].start,
                    fix=construct.fix,
                )
    return _model_call(text) if dialect == "oracle" else None


def _written(text: Text, index: int, found: Sequence[str]) -> str:
    if found[0] == "|>":
        return f"|> {phrase(text, index + 1)}"
    has_value = found[-1] == "''"  # values don't belong into messages
    last = text.tokens[index + len(found) - (2 if has_value else 1)]
    written = " ".join(text.sql[text.tokens[index].start : last.end + 1].split())[:_LONGEST]
    if has_value:
        return f"{written} '…'"
    return written if "*" in found else written.upper()


def _is(tokens: Sequence[Any], wanted: Sequence[str]) -> bool:
    return len(tokens) == len(wanted) and all(map(_fits, tokens, wanted))


def _fits(token: Any, wanted: str) -> bool:
    if wanted == "''":
        return token.token_type in STRINGS
    if wanted == "*":
        return bool(re.match(r"\w", token.text)) and token.token_type not in STRINGS
    return word(token) == wanted if wanted == "|>" else word(token) in wanted.split("|")


def _model_call(text: Text) -> RefusedError | None:
    for token, after in zip(text.tokens, text.tokens[1:], strict=False):
        if word(after) == "(" and _MODEL_CALLS.fullmatch(word(token)):
            return text.refusal(
                f"the function {token.text} runs a model, which can't be judged here",
                token.start,
                fix=_MODEL_CALL,
            )
    return None


def unreadable(text: Text, error: Exception) -> RefusedError:
    """Return the refusal of a statement that the parser stopped in, with where it stopped."""
    details: Sequence[dict[str, Any]] = getattr(error, "errors", None) or [{}]
    first = details[0]
    near, start = _stopped(text, first)
    where = f" near {near!r}" if near else ""
    shown = f" ({place(text.sql, start)})" if start is not None else ""
    return RefusedError(
        f"this can't be read as {text.dialect} SQL{where}{shown}: "
        f"{_said(str(first.get('description') or ''))}",
        fix="correct the syntax; only one SELECT of this dialect runs",
    )


def _stopped(text: Text, found: dict[str, Any]) -> tuple[str, int | None]:
    """Return the word at which the parser stopped, and its offset."""
    near = str(found.get("highlight") or "").strip()
    for token in text.tokens:
        if (token.line, token.col) == (found.get("line"), found.get("col")):
            return text.sql[token.start : token.end + 1][:_LONGEST], int(token.start)
    return near[:_LONGEST], None


_EXPECTED = re.compile(r"Expect(?:ing|ed) (?P<what>[^\w\s<]+|[A-Z]+)\.?")
_SAID = (
    ("Expected table name", "the name of a table is expected there"),
    ("Required keyword", "a part of the expression is missing there"),
    ("No expression was parsed", "there is no statement"),
)


def _said(description: str) -> str:
    """Return what the parser says in words that don't name its insides."""
    expected = _EXPECTED.fullmatch(description)
    if expected is not None:
        return f"{expected['what']} is expected there"
    for begin, said in _SAID:
        if description.startswith(begin):
            return said
    return "it isn't expected there"


def untokenizable(sql: str, dialect: str, error: Exception) -> RefusedError:
    """Return the refusal of a text that can't even be divided into words."""
    open_quote = re.fullmatch(r"Missing (.+) from \d+:(\d+)", str(error.__cause__ or ""))
    if open_quote is not None and int(open_quote[2]) < len(sql):
        start = int(open_quote[2])
        mark = open_quote[1] if sql[start].isalnum() else sql[start]
        what = f"the quote {mark} ({place(sql, start)}) is not closed"
    elif "/*" in sql:
        what = "a quote or a comment is not closed"
    else:
        what = "a quote is not closed"
    return RefusedError(
        f"this can't be read as {dialect} SQL: {what}",
        fix="close every quote and comment, then send it again",
    )
