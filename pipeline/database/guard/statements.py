"""The guard on the words of a statement: what begins it, what follows it, what a parser trips over.

A refusal names the words that did it, not the parser's trouble with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlglot import TokenType

from pipeline.database.guard import functions, nodes
from pipeline.database.guard.text import TSQL_FAMILY, Text
from pipeline.database.names import name_set
from pipeline.errors import RefusedError

QUOTED = (TokenType.IDENTIFIER, TokenType.STRING)
_MOST_WORDS = 4
_LONGEST = 80
_ONE_WORD = name_set("DELETE INSERT MERGE REPLACE SELECT TRUNCATE UPDATE VALUES WITH")
_KEYWORDS = nodes.STATEMENT_WORDS | name_set("""
    ALL ANALYSE AS BINARY CURSOR DATA DATABASE DUMPFILE EXTENSION FOR FOREIGN FROM FUNCTION GLOBAL
    IMMEDIATE IN INDEX INFILE INTO KEY LOCAL LOCKED LOGS MASTER MATERIALIZED MODE NEXT NO NOWAIT OF
    ON OR OUTFILE PREVIOUS PROCEDURE PROGRAM READ ROLE SCHEMA SECRET SELECT SESSION SHARE SKIP STDIN
    STDOUT SYSTEM TABLE TABLES TEMP TEMPORARY TO TRANSACTION TRIGGER TYPE UNLOGGED USER USING VALUE
    VARIABLE VIEW WITH WORK WRITE
    """)
_ENDS = name_set("AS FROM USING WHERE")
_PHRASE = re.compile(r"[@#:$]?\w[\w$@#.]*(?:\s+[A-Za-z_@#][\w$@#.]*){0,3}")
_BLOCK = re.compile(  # a program: its `;` divide no statements
    r"WITH (FUNCTION|PROCEDURE)\b|(IF|LOOP|WHILE|FOR|REPEAT|CASE)\b"
    r"|BEGIN (?!TRAN|WORK|READ|ISOLATION|DEFERRED|IMMEDIATE|EXCLUSIVE|;)"
    r"|CREATE (OR REPLACE )?(TEMP \w+|TEMPORARY \w+|TRIGGER|FUNCTION|PROCEDURE|PACKAGE|TYPE)\b"
)
_INSTEAD = (
    (
        "SHOW PRAGMA DESCRIBE DESC LIST LS",
        "only SELECT runs here; table structure is in the catalogue: use describe_table",
    ),
    (
        "SUMMARIZE",
        "only SELECT runs here: use describe_table, or select min, max, count and avg of columns",
    ),
    ("EXPLAIN", "only SELECT runs here, and plans aren't shown: send the SELECT itself"),
    (
        "CALL DO EXEC EXECUTE PREPARE DEALLOCATE",
        "only SELECT runs here: read the tables that the procedure reads, without calling it",
    ),
    (
        "BEGIN COMMIT END RELEASE ROLLBACK SAVEPOINT START XA",
        "leave transactions out: send the SELECT alone",
    ),
    ("SET RESET USE DISCARD", "leave settings as they are: send the SELECT alone"),
    ("DECLARE", "write the value itself into the SELECT"),
    (
        "COPY EXPORT GET PUT REMOVE RM UNLOAD",
        "select the rows: no files are read or written here",
    ),
    ("ATTACH DETACH INSTALL LOAD", "only tables of this database are read: send a SELECT"),
    ("HANDLER", "read the table with SELECT"),
    (
        "FLUSH KILL LISTEN LOCK NOTIFY UNLISTEN UNLOCK WAITFOR",
        "send the SELECT alone: nothing is locked, awaited or administered here",
    ),
)
_FIXES = {word: fix for words, fix in _INSTEAD for word in words.split()}


def instead_of(word: str) -> str:
    """Return what to write instead of a statement that begins with `word`."""
    only = "only SELECT (or WITH … SELECT) runs here"
    if word not in nodes.STATEMENT_WORDS:
        return _FIXES.get(word, only)
    return _FIXES.get(word, f"{only}; the data can't be changed")


def refuse_other_statements(text: Text) -> None:
    """Refuse what isn't a query, and a second statement, by the words that begin them.

    Raises:
        RefusedError: the first word is no query's, or there is more than one statement.
    """
    if not text.tokens:
        raise RefusedError("there is no statement", fix="send one SELECT statement")
    starts = _starts(text.tokens) if ";" in text.sql else [0]
    if not starts:
        raise RefusedError("there is no statement", fix="send one SELECT statement")
    if len(starts) > 1:
        raise _second(text, starts)
    first = text.tokens[starts[0]]
    word = first_word(first)
    if word in nodes.STATEMENT_WORDS and first.token_type not in QUOTED:
        raise no_query(text, starts[0], word)
    if text.dialect in TSQL_FAMILY:
        _refuse_reserved_words(text)
        _refuse_lock_hints(text)
    if text.dialect == "snowflake":
        _refuse_flow(text)
    if text.dialect == "oracle":
        _refuse_xquery(text)


def _starts(tokens: Sequence[Any]) -> list[int]:
    """Return where statements begin, as indexes of tokens."""
    found = []
    at_start = True
    for index, token in enumerate(tokens):
        is_end = token.token_type == TokenType.SEMICOLON
        if at_start and not is_end:
            found.append(index)
        at_start = is_end
    return found


def _second(text: Text, starts: Sequence[int]) -> RefusedError:
    """Return the refusal of several statements: each is named, and the place of the second."""
    head = " ".join(next_words(text, starts[0]))
    if _BLOCK.match(head):
        return no_query(text, starts[0], head.partition(" ")[0])
    first, second, *more = [phrase(text, start) for start in starts]
    then = f"; then {', '.join(more)}" if more else ""
    found = f"a second statement ({second}{then}) follows the first"
    if first_word(text.tokens[starts[0]]) in nodes.STATEMENT_WORDS:
        found = f"{first} is no query, and a second statement ({second}{then}) follows it"
    return text.refusal(
        found,
        text.tokens[starts[1]].start,
        fix="send one SELECT at a time, without anything after `;`",
    )


def no_query(text: Text, index: int, word: str) -> RefusedError:
    """Return the refusal of a statement that begins at a token with a word of no query."""
    found = phrase(text, index)
    return text.refusal(f"{found} is no query", text.tokens[index].start, fix=instead_of(word))


def no_query_at(text: Text, start: int | None, kind: str) -> RefusedError:
    """Return the refusal of a tree that is none of a query, found at the offset `start`."""
    first = text.tokens[0]
    if first.token_type in (TokenType.WITH, TokenType.L_PAREN, TokenType.SELECT):
        found = nodes.SPOKEN.get(kind, kind)
        return text.refusal(f"{found} is no query", start, fix=instead_of(found))
    return no_query(text, 0, first_word(first))


def first_word(token: Any) -> str:
    """Return a token's first word in capitals; '' for an empty text."""
    words: list[str] = token.text.upper().split()
    return words[0] if words else ""


def next_words(text: Text, index: int) -> list[str]:
    """Return some tokens from `index` on as words in capitals."""
    words = [token.text.upper() for token in text.tokens[index : index + _MOST_WORDS]]
    return [word or "''" for word in words]


def phrase(text: Text, index: int, most: int = _MOST_WORDS) -> str:
    """Return the words with which something begins, e.g. `COPY customers TO PROGRAM`.

    It ends before the first value, since values don't belong into messages.
    """
    token = text.tokens[index]
    word = first_word(token)
    if word in _ONE_WORD and not _BLOCK.match(" ".join(next_words(text, index))):
        return word
    match = _PHRASE.match(text.sql, token.start)
    if match is None or token.token_type in QUOTED:
        return str(token.text)[:_LONGEST]
    words = [w.upper() if w.upper() in _KEYWORDS else w for w in match[0].split()[:most]]
    words[0] = words[0] if words[0][0] in "@#:$" else words[0].upper()
    ends = [i for i, w in enumerate(words) if w.upper() in _ENDS and "PROGRAM" not in words[i:]]
    return " ".join(words[: ends[0]] if ends and ends[0] else words)[:_LONGEST]


def _refuse_reserved_words(text: Text) -> None:
    """T-SQL needs no `;` between statements: one begins wherever such a word stands."""
    for index, token in enumerate(text.tokens):
        word = token.text.upper()
        if word not in nodes.TSQL_WORDS or token.token_type.name in text.QUOTED:
            continue
        after = text.tokens[index + 1] if index + 1 < len(text.tokens) else None
        if word == "USE" and after is not None and after.text.upper() in ("HINT", "PLAN"):
            continue  # in OPTION (…)
        if word == "FETCH" and _is_row_limit(text, index):
            continue
        if after is not None and after.text == "(" and functions.is_denied(word):
            raise text.refusal(
                f"the function {word} can reach beyond the query",
                token.start,
                fix="leave it out; it can't be allowed",
            )
        raise text.refusal(
            f"{phrase(text, index)} is a statement of its own in T-SQL",
            token.start,
            fix=f"send one SELECT; a column of that name is written [{token.text}]",
        )


def _is_row_limit(text: Text, index: int) -> bool:
    """Whether FETCH belongs to OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY, and reads no cursor."""
    before = text.tokens[index - 1].text.upper() if index else ""
    which, count = [*next_words(text, index)[1:3], "", ""][:2]
    is_count = count == "(" or count[:1].isdigit()
    return before in ("ROW", "ROWS") and which in ("FIRST", "NEXT") and is_count


def _refuse_lock_hints(text: Text) -> None:
    """Hints stand in parentheses after a table, with or without WITH: `FROM t AS o (UPDLOCK)`.

    The parser takes what follows an alias for names of columns.
    """
    after_name = False
    open_after_name: list[bool] = []
    for token in text.tokens:
        quoted = token.token_type.name in text.QUOTED
        word = "" if quoted else token.text.upper()
        if word == "(":
            open_after_name.append(after_name)
        elif word == ")" and open_after_name:
            open_after_name.pop()
        elif word in nodes.LOCK_HINTS and open_after_name[-1:] == [True]:
            raise text.refusal(f"the hint {word} locks rows", token.start, fix="leave it out")
        after_name = quoted or word[-1:].isalnum() or word[-1:] == "_"


def _refuse_flow(text: Text) -> None:
    """Snowflake's `->>` chains whole statements; the parser takes it for an operator."""
    for token in text.tokens:
        if token.text == "->>" and token.token_type not in QUOTED:
            raise text.refusal(
                "the flow operator ->> begins a second statement",
                token.start,
                fix="send one SELECT at a time; JSON is read with `:`",
            )


_XQUERY = re.compile(r"\b(doc|doc-available|collection|unparsed-text)\s*\(|\bora:view|\boradb:")
_XML_READERS = name_set("XMLQUERY XMLTABLE XMLEXISTS")


def _refuse_xquery(text: Text) -> None:
    """An XQuery text can read other tables, files and addresses."""
    for index, token in enumerate(text.tokens[2:], 2):
        if token.token_type != TokenType.STRING or not _XQUERY.search(token.text):
            continue
        reader = text.tokens[index - 2]
        if reader.text.upper() in _XML_READERS:
            raise text.refusal(
                f"the function {reader.text} would read a document or a table named in its text",
                reader.start,
                fix="pass the XML value to it, and read tables in FROM",
            )
