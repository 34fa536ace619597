"""What a statement that can't be parsed is refused for, and how clauses are called.

A refusal names the words that did it, not the parser's trouble with them.
"""

from __future__ import annotations

import re

from sqlglot import TokenType

from pipeline.database.guard import functions, nodes
from pipeline.database.guard.statements import (
    QUOTED,
    first_word,
    instead_of,
    next_words,
    no_query,
    phrase,
)
from pipeline.database.guard.text import TSQL_FAMILY, Text
from pipeline.database.guard.unread import known_construct
from pipeline.database.names import name_set
from pipeline.errors import RefusedError

_QUERY_WORDS = name_set("FROM PIVOT SELECT TABLE UNPIVOT VALUES WITH")
_LONGEST = 80


def _package_call(text: Text, index: int) -> str | None:
    """Return `ML.PREDICT` where a call of a package that can't be called begins."""
    package, *rest = [token.text for token in text.tokens[index : index + 4]]
    is_call = len(rest) == 3 and rest[0] == "." and rest[2] == "("
    if is_call and functions.is_denied_schema(package, text.dialect):
        return f"{package}.{rest[1]}"
    return None


def blame(text: Text) -> RefusedError | None:
    """Return the refusal of what a statement that can't be parsed holds, if it is something known.

    A function out of reach comes before clauses, those before words of other statements.
    """
    for index, token in enumerate(text.tokens[:-1]):
        is_call = text.tokens[index + 1].text == "(" and token.token_type != TokenType.STRING
        is_denied = is_call and functions.is_denied(token.text, text.dialect)
        name = token.text if is_denied else _package_call(text, index)
        if name is not None:
            return text.refusal(
                f"the function {name} can reach beyond the query",
                token.start,
                fix="leave it out; it can't be allowed",
            )
    word = "" if text.tokens[0].token_type in QUOTED else first_word(text.tokens[0])
    if word.isidentifier() and word not in _QUERY_WORDS:
        return no_query(text, 0, word)
    construct = known_construct(text)
    if construct is not None:
        return construct
    for find in (_clause, _statement_word):
        for index, token in enumerate(text.tokens):
            if token.token_type in QUOTED:
                continue
            refusal = find(text, index)
            if refusal is not None:
                return refusal
    return None


_CLAUSES = {
    "INTO OUTFILE": "select the rows: no files are written here",
    "INTO DUMPFILE": "select the rows: no files are written here",
    "INTO @": "select the value: there are no variables here",
    "FOR UPDATE": "leave it out: rows are read without locks",
    "FOR SHARE": "leave it out: rows are read without locks",
    "FOR NO": "leave it out: rows are read without locks",
    "FOR KEY": "leave it out: rows are read without locks",
    "LOCK IN": "leave it out: rows are read without locks",
    "PROCEDURE ANALYSE": "leave it out; only statements that read run here",
    "NEXT VALUE": "read the column that the sequence fills",
    "PREVIOUS VALUE": "read the column that the sequence fills",
    "REPLACE INTO": "only SELECT (or WITH … SELECT) runs here; the data can't be changed",
    "EXTERNAL (": "read tables of this database by their plain name",
    "WITH FUNCTION": "write the expression itself into the SELECT",
    "WITH PROCEDURE": "write the expression itself into the SELECT",
}


def clause(text: Text, first: str) -> tuple[str, int] | None:
    """Return the words and the place of a clause: of INTO, of NEXT or, for LOCK, of a row lock."""
    for index, token in enumerate(text.tokens):
        if token.token_type in QUOTED:
            continue
        begin = " ".join(next_words(text, index)[:2])
        is_lock = begin.split()[0] in ("FOR", "LOCK") and begin in _CLAUSES
        if first == "LOCK" and is_lock:
            return f"a row lock ({phrase(text, index)})", token.start
        if first != "LOCK" and begin.split()[0] == first:
            return phrase(text, index), token.start
    return None


def _clause(text: Text, index: int) -> RefusedError | None:
    token = text.tokens[index]
    fix = _CLAUSES.get(" ".join(next_words(text, index)[:2]))
    if fix is not None:
        return text.refusal(f"{phrase(text, index)} is not allowed", token.start, fix=fix)
    if text.dialect in TSQL_FAMILY and token.text.upper() in nodes.LOCK_HINTS:
        return text.refusal(
            f"the hint {token.text.upper()} locks rows", token.start, fix="leave it out"
        )
    if token.text in _MARKS and _is_glued(text, index):
        name, start = variable(text, token.start)
        return text.refusal(
            f"the variable {name} is not allowed",
            start,
            fix="write the value itself into the statement",
        )
    return None


_MARKS = ("@", ":", "$", "?")


def _is_glued(text: Text, index: int) -> bool:
    """Whether a mark begins a name: it stands free to the left and touches a name at the right."""
    token = text.tokens[index]
    before = text.sql[token.start - 1 : token.start]
    after = text.sql[token.end + 1 : token.end + 2]
    return (not before or before in " \t\n(,=<>+-*/@") and (after.isalnum() or after in "_@")


def variable(text: Text, start: int | None) -> tuple[str, int | None]:
    """Return a variable or a placeholder as it is written, with its marks, and its place."""
    if start is None:
        return "", start
    while start > 0 and text.sql[start - 1] in _MARKS:
        start -= 1
    match = re.compile(r"[@:$?%]*\w*").match(text.sql, start)
    return (match[0] if match else "")[:_LONGEST], start


def _statement_word(text: Text, index: int) -> RefusedError | None:
    token = text.tokens[index]
    word = token.text.upper()
    if word not in nodes.WRITING_WORDS:
        return None
    return text.refusal(
        f"{phrase(text, index)} is not allowed in a query", token.start, fix=instead_of(word)
    )
