"""Changes that put a statement, or a call in it, into other surroundings without losing its effect.

They work like those of `guard_mutations`.
"""

from __future__ import annotations

from evals import guard_forms as forms
from evals.guard_mutations import FOLDS
from evals.guard_tokens import Mutation, Pick, Text

_QUERIES = ("SELECT", "WITH", "VALUES", "TABLE", "FROM", "(", "PIVOT")
_WRITES = ("INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE")


def nesting(text: Text, pick: Pick) -> str | None:
    """Put a query inside another one."""
    if not text.tokens or text.tokens[0].raw.upper() not in _QUERIES or _has_semicolon(text):
        return None
    shell = pick(forms.SHELLS + forms.OWN_SHELLS.get(text.dialect, []))
    return shell.format(_closed(text))


def concatenation(text: Text, pick: Pick) -> str | None:
    """Put a statement beside a harmless one."""
    # T-SQL takes the bare name of a procedure for a call only where a batch begins.
    is_named = bool(text.tokens) and text.tokens[0].kind == "VAR"
    own = [] if is_named else forms.OWN_FIRSTS.get(text.dialect, [])
    return pick(forms.FIRSTS + own).format(_closed(text))


def write_in_query(text: Text, pick: Pick) -> str | None:
    """Put a statement that writes where a query may stand."""
    if not text.tokens or text.tokens[0].raw.upper() not in _WRITES or _has_semicolon(text):
        return None
    returning = "" if "returning" in text.sql.lower() else " RETURNING *"
    shells = [
        "WITH w AS ({0}) SELECT * FROM w",
        "WITH w AS ({0}) SELECT 1",
        "SELECT * FROM ({0}) w",
        "WITH a AS (WITH w AS ({0}) SELECT * FROM w) SELECT * FROM a",
        "WITH RECURSIVE w AS ({0}) SELECT * FROM w",
        "EXPLAIN ANALYZE {0}",
        "SELECT 1 WHERE EXISTS ({0})",
        "WITH w AS (SELECT 1) {0}",
    ]
    return pick(shells).format(_closed(text) + returning)


def call(text: Text, pick: Pick) -> str | None:
    """Put a call into other surroundings: casts, arguments, behind strings that mislead."""
    found = _calls(text)
    if not found:
        return None
    start, end, in_from = pick(found)
    written = text.sql[start:end]
    if in_from:
        choices = forms.SOURCES + forms.OWN_SOURCES.get(text.dialect, [])
    else:
        choices = forms.AROUND + forms.OWN_AROUND.get(text.dialect, [])
    form = pick(choices)
    rest = text.sql[end:]
    if "--" in form or " # " in form or "#'" in form:
        rest = "\n" + rest  # the form ends in a comment
    return text.sql[:start] + form.format(written) + rest


def call_form(text: Text, pick: Pick) -> str | None:
    """Write a call in the other found that the dialect has for it."""
    calls = _calls(text)
    if not calls or text.dialect not in ("postgres", "duckdb"):
        return None
    start, end, in_from = pick(calls)
    name, argument = _taken_apart(text, start, end)
    plain = name.rpartition(".")[2]
    found = [f"{name} ({argument})", f"{name}(VARIADIC ARRAY[{argument}])"]
    if text.dialect == "postgres":
        one = argument.strip() and "," not in argument
        found += [f"{name}(ALL {argument})"] if one else []
        if one and name.casefold().removeprefix("pg_catalog.") == plain.casefold():
            found.append(f"({argument}).{plain}")
            found.append(f"(SELECT x.{plain} FROM unnest(ARRAY[{argument}]) x)")
        found.append(f"(ROW(1, {name}({argument}))).f2")
    elif argument.strip() and not in_from:
        first, _, others = argument.partition(",")
        found += [f"({first}).{plain}({others})", f"{first}.{plain}({others})"]
    return text.sql[:start] + pick(found) + text.sql[end:]


def scalar_and_source(text: Text, pick: Pick) -> str | None:
    """Call in FROM what was called in SELECT, and the other way round."""
    calls = [c for c in _calls(text) if c[2] or text.dialect in ("postgres", "duckdb")]
    if not calls:
        return None
    start, end, in_from = pick(calls)
    written = text.sql[start:end]
    found = [f"(SELECT {written}) w"] if in_from else [f"(SELECT count(*) FROM {written} AS w)"]
    if text.dialect == "postgres":
        found.append(f"(SELECT (w).* FROM {written} AS w)" + (" v" if in_from else ""))
    return text.sql[:start] + pick(found) + text.sql[end:]


def aliases(text: Text, pick: Pick) -> str | None:
    """Give a table that is read another name, or the name of a harmless function or table."""
    found = [
        i
        for i in range(1, len(text.tokens))
        if text.tokens[i].is_name and text.tokens[i - 1].raw.upper() in ("FROM", "JOIN")
        if i + 1 == len(text.tokens) or text.tokens[i + 1].raw == ")"
    ]
    if not found or _has_qualifiers(text):
        return None
    index = pick(found)
    fold = FOLDS.get(text.dialect, str)
    names = ["w", "AS w", "AS orders", f'AS "{fold("orders")}"', "AS lower"]
    return text.replaced({index: f"{text.tokens[index].raw} {pick(names)}"})


def _has_semicolon(text: Text) -> bool:
    return any(token.raw == ";" for token in text.tokens)


def _has_qualifiers(text: Text) -> bool:
    """Whether a table is named before a column: its alias would have to stand there, too."""
    return any(
        token.raw == "." and text.tokens[i - 1].is_name and text.tokens[i - 2].raw != "FROM"
        for i, token in enumerate(text.tokens)
    )


def _closed(text: Text) -> str:
    """Return the text, with a line break when a comment to the line's end may stand last."""
    open_end = text.gap(len(text.tokens)).strip() or "--" in text.sql.rpartition("\n")[2]
    return text.sql + ("\n" if open_end else "")


def _calls(text: Text) -> list[tuple[int, int, bool]]:
    """Return where calls begin and end, and whether they stand in FROM."""
    found = []
    for i, token in enumerate(text.tokens[:-1]):
        if not (token.is_name and text.tokens[i + 1].raw == "("):
            continue
        end = _closing(text, i + 1)
        first = i
        while first > 1 and text.tokens[first - 1].raw == "." and text.tokens[first - 2].is_name:
            first -= 2
        before = text.tokens[first - 1].raw.upper() if first else ""
        if end is None or before in (".", "INTO", "TABLE", "AS", "@", ")") or not first:
            continue
        source = before in ("FROM", "JOIN", "LATERAL")
        found.append((text.tokens[first].start, text.tokens[end].end, source))
    return found


def _taken_apart(text: Text, start: int, end: int) -> tuple[str, str]:
    """Return the name of a call, without comments in it, and what stands in its brackets."""
    inside = [token for token in text.tokens if start <= token.start < end]
    bracket = next(i for i, token in enumerate(inside) if token.raw == "(")
    name = "".join(token.raw for token in inside[:bracket])
    return name, text.sql[inside[bracket].end : end - 1]


def _closing(text: Text, index: int) -> int | None:
    depth = 0
    for i in range(index, len(text.tokens)):
        depth += {"(": 1, ")": -1}.get(text.tokens[i].raw, 0)
        if depth == 0:
            return i
    return None


WRAPPINGS: dict[str, Mutation] = {
    "nesting": nesting,
    "concatenation": concatenation,
    "write in a query": write_in_query,
    "call": call,
    "call form": call_form,
    "scalar and source": scalar_and_source,
    "aliases": aliases,
}
"""By name."""
