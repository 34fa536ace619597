"""The guard on words that the parser takes for keywords, and the engine for functions of users.

`load(id)` is a call where LOAD is no reserved word; the parser reads a column with other names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import TokenType, exp

from pipeline.database.guard.text import Text
from pipeline.database.names import name_set
from pipeline.errors import RefusedError

_BEFORE_PARENTHESES = name_set("""
    ALL AND ANY AS BETWEEN BY CASE DISTINCT ELSE EXCEPT EXISTS FROM HAVING IN INTERSECT JOIN
    LATERAL LIKE LIMIT NOT OFFSET ON OR SELECT SOME THEN UNION USING VALUES WHEN WHERE WITH
    """)
_AFTER_CALLS = ("FILTER", "OVER")
_NEVER_OPERATORS = {"postgres": (TokenType.RLIKE,), "redshift": (TokenType.RLIKE,)}
"""Words for operators that this dialect writes with marks alone."""


def check(text: Text, parser: Any, tree: Any) -> None:
    """Refuse a call of a function whose name the parser takes for a keyword.

    Raises:
        RefusedError: there is such a call; nobody knows what the function does.
    """
    no_operators = _NEVER_OPERATORS.get(text.dialect, ())
    odd = {TokenType.UNKNOWN, *no_operators}
    suspects = list(_suspects(text, parser.FUNC_TOKENS - odd))
    if not suspects:
        return
    for token in suspects:
        if token.token_type in no_operators:
            raise _refusal(text, token.text, token.start)
    for node in tree.find_all(exp.Aliases, exp.TableAlias):
        if isinstance(node, exp.Aliases) and not isinstance(node.this, exp.Func):
            raise _refusal(text, node.this.name, text.position(node))
        # a table's other names of columns need another name of the table
        if isinstance(node, exp.TableAlias) and node.columns and node.this is None:
            named = node.parent
            if isinstance(named, exp.Table):
                raise _refusal(text, named.name, text.position(named))


def _suspects(text: Text, of_functions: Any) -> Iterator[Any]:
    for index, token in enumerate(text.tokens):
        if token.token_type != TokenType.L_PAREN or index == 0:
            continue
        named = text.tokens[index - 1]
        if named.token_type in of_functions or not named.text[:1].isalpha():
            continue
        word = named.text.upper()
        if word in _BEFORE_PARENTHESES:
            continue
        if word in _AFTER_CALLS and index > 1 and text.tokens[index - 2].text == ")":
            continue
        yield named


def _refusal(text: Text, name: str, start: int | None) -> RefusedError:
    return text.refusal(
        f"the function {name} is not on the list of functions that only compute",
        start,
        fix="compute it in another way, or quote its name and let kb.yaml allow it under "
        "`allow_functions:`",
    )
