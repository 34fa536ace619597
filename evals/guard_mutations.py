"""Changes to a statement's spelling that leave what an engine does with it as it was.

A mutation takes a `Text` and `pick`, which chooses one of a list, and returns the new text, or None
where there is nothing to change. It works on the tokens of the dialect, so that it never touches
the inside of a string, a quoted name or a comment. The simplest choice of each list comes first:
hypothesis shrinks towards it.
"""

from __future__ import annotations

from evals.guard_tables import CATALOGS
from evals.guard_tokens import Mutation, Pick, Text

_COMMENTS = [
    "/**/", "/* x */", "-- x\n", "/* ' */", '/* " */', "/* ` */", "/* ; */", "/*\n*/", "-- '\n",
    '-- "\r\n', "-- ;\n", "/*+ x */", "/* -- */", "-- /*\n", "/***/", "/* $$ */", "-- $$\n",
    "/* \\ */", "-- \\\n", "/* [ */", "/* { */", "/* é */",
]  # fmt: skip
_NESTED = ["/* /* */ */", "/* /* ' */ */"]
_FLAT = ["/* /* */", "/*/*/", "/*//*/", "/* -- /* */"]
_ODD = ["/*/**/*/", "/*x/**/*/", "/*/*/ */*/", "/*/* */*/", "/* /*/**/*/ */"]
_OWN_COMMENTS = {
    "mysql": ["# '\n", "#\n", "--\t'\n", "--\n", "# */\n"],
    "bigquery": ["# '\n", "#\n", "--\n"],
    "snowflake": ["// '\n", "//\n", "--\n"],
}
_MISLEADING = ["/*/**/ {0} */", "/*/*/ {0} */ */", "/* /*/**/ {0} */ */", "/*+ /* */ {0} */"]
NESTING = frozenset(["postgres", "duckdb", "tsql"])
"""Dialects in which comments nest."""

QUOTES = {
    "mysql": ["``"],
    "bigquery": ["``"],
    "tsql": ["[]", '""'],
    "sqlite": ['""', "[]", "``"],
}
"""What stands around a quoted name; double quotes elsewhere."""

FOLDS = {"oracle": str.upper, "snowflake": str.upper, "postgres": str.lower}
"""How a bare name is stored, where that matters once it is quoted."""

_TABLES = {table.name for table in CATALOGS["mysql"].tables} | {CATALOGS["mysql"].database}

_SCHEMAS = {
    "postgres": (["pg_catalog", '"pg_catalog"', "PG_Catalog"], ["pg_catalog", "public"]),
    "duckdb": (["main", '"main"', "system.main"], ["main", "shop.main", "system.main"]),
    "sqlite": ([], ["main", '"main"', "[main]", "Main"]),
    "mysql": ([], ["shop", "`mysql`"]),
    "tsql": (["sys", "dbo"], ["dbo", "sys", "[sys]"]),
    "oracle": (["sys", '"SYS"'], ["sys"]),
}


def letter_case(text: Text, pick: Pick) -> str | None:
    """Write keywords and bare names in other letters."""
    change = pick([str.upper, str.lower, str.swapcase, _alternating])
    kept = _TABLES if text.dialect == "mysql" else ()  # where case of a table's name counts
    words = {i: t.raw for i, t in enumerate(text.tokens) if t.is_word}
    return text.replaced({i: change(raw) for i, raw in words.items() if raw not in kept})


def blanks(text: Text, pick: Pick) -> str | None:
    """Put other white space between tokens."""
    blank = pick(["\n", "\t", "  ", "\r\n", " \n\t "])
    return text.with_gaps({i: blank + text.gap(i) for i in _some_places(text, pick)})


def odd_blanks(text: Text, pick: Pick) -> str | None:
    """Put white space between tokens that only this engine takes for such."""
    blank = pick({"duckdb": ["\u00a0", "\u3000", "\ufeff"]}.get(text.dialect, ["\f"]))
    return text.with_gaps({i: blank + text.gap(i) for i in _some_places(text, pick)})


def comments(text: Text, pick: Pick) -> str | None:
    """Put comments between tokens, in place of the blanks there or before them."""
    own = _OWN_COMMENTS.get(text.dialect, [])
    comment = pick(_COMMENTS + own + (_NESTED if text.dialect in NESTING else _FLAT))
    return _with_comment(text, pick, comment)


def odd_comments(text: Text, pick: Pick) -> str | None:
    """Put comments between tokens that not every reader sees the end of."""
    return _with_comment(text, pick, pick(_ODD)) if text.dialect in NESTING else None


def _with_comment(text: Text, pick: Pick, comment: str) -> str:
    instead = pick([False, True])
    gaps = {}
    for i in _some_places(text, pick):
        gap = text.gap(i)
        tight = (
            instead and not gap.strip() and (i == 0 or text.tokens[i - 1].raw[-1:] not in "-/*+")
        )
        gaps[i] = comment if tight else f" {comment}{gap or ' '}"
    return text.with_gaps(gaps)


def misleading_comment(text: Text, pick: Pick) -> str | None:
    """Put a comment before code that ends elsewhere for a reader which nests comments otherwise.

    Such a reader takes the code after it for a comment, or for a string that opens in the comment.
    """
    if text.dialect in NESTING and pick([False, True]):
        opener, last = pick(["/*x/**/*/", "/*x/*y*/*/"]), " -- */ */"
    elif text.dialect in NESTING:
        quote = pick(["'", '"', *(["[", "`"] if text.dialect == "tsql" else ["$$"])])
        opener = pick(_MISLEADING).format(quote)
        last = f" -- {']' if quote == '[' else quote}"
    else:
        opener, last = pick(["/* /* */", "/*+ /* */", "/*/*/", "/*//*/"]), " -- */"
    place = pick(_places(text))
    return text.with_gaps({place: f" {opener} {text.gap(place)}"}) + last


def quoting(text: Text, pick: Pick) -> str | None:
    """Quote bare names of functions and tables."""
    found = [i for i, token in enumerate(text.tokens) if token.kind == "VAR" and _named(text, i)]
    if not found:
        return None
    quote = pick(QUOTES.get(text.dialect, ['""']))
    fold = FOLDS.get(text.dialect, str)
    chosen = pick([found, *([i] for i in found)])
    return text.replaced({i: quote[0] + fold(text.tokens[i].raw) + quote[1] for i in chosen})


def schema(text: Text, pick: Pick) -> str | None:
    """Put the schema before the name of a function or a table."""
    functions, tables = _SCHEMAS.get(text.dialect, ([], []))
    found = [
        (i, prefix)
        for i, token in enumerate(text.tokens)
        if token.is_name and _raw(text, i - 1) not in (".", "::") and _named(text, i)
        for prefix in (functions if _raw(text, i + 1) == "(" else tables)
        if _raw(text, i + 1) != "."
    ]
    if not found:
        return None
    index, prefix = pick(found)
    return text.replaced({index: f"{prefix}.{text.tokens[index].raw}"})


def strings(text: Text, pick: Pick) -> str | None:
    """Write a string that is an argument in another way."""
    found = [
        i
        for i, token in enumerate(text.tokens)
        if token.kind == "STRING" and token.raw[:1] == "'" and _plain(token.raw[1:-1])
        if _raw(text, i - 1) in ("(", ",")
    ]
    if not found:
        return None
    index = pick(found)
    value = text.tokens[index].raw[1:-1]
    return text.replaced({index: pick(_spellings(value, text.dialect))})


def ends(text: Text, pick: Pick) -> str | None:
    """Add what an engine ignores after or before a statement."""
    if text.sql.rstrip().endswith(";"):
        return None  # two of them are one too many for SQLite
    before, after = pick([("", ";"), ("", " ; "), ("\n", "\n"), ("", ";\n-- x"), ("", "; /* ' */")])
    return f"{before}{text.sql}{after}" if "\n" not in text.gap(len(text.tokens)) else None


def _raw(text: Text, index: int) -> str:
    return text.tokens[index].raw if 0 <= index < len(text.tokens) else ""


def _places(text: Text) -> list[int]:
    """Return where blanks may be put: where some are, around brackets, commas and dots of names."""
    found = [0]
    for i in range(1, len(text.tokens)):
        left, right = text.tokens[i - 1], text.tokens[i]
        bracket = left.raw in "(,)" or (right.raw in "(,)" and left.raw not in ("@", "$", "#"))
        dot = (left.raw == "." and right.is_name) or (right.raw == "." and left.is_name)
        inside = text.dialect == "snowflake" and "@" in text.sql  # the path of a stage
        if right.kind != "HINT" and (text.gap(i) or (not inside and (bracket or dot))):
            found.append(i)  # a hint is none unless it follows its word
    return found


def _some_places(text: Text, pick: Pick) -> list[int]:
    places = _places(text)
    return pick([places, *([i] for i in places)])


def _named(text: Text, index: int) -> bool:
    """Whether a name is that of a function or a table, as far as the tokens around it tell."""
    before, after = _raw(text, index - 1).upper(), _raw(text, index + 1)
    return after in ("(", ".") or before in ("FROM", "JOIN", ".", "TABLE", "INTO", "UPDATE")


def _spellings(value: str, dialect: str) -> list[str]:
    middle = len(value) // 2
    left, right = value[:middle], value[middle:]
    joined = f"concat('{left}', '{right}')" if dialect == "mysql" else f"'{left}' || '{right}'"
    found = [f"('{value}')", joined]
    if dialect in ("postgres", "duckdb"):
        coded = "".join(f"\\x{ord(c):02x}" for c in value if ord(c) < 128)
        found += [f"$${value}$$", f"$q${value}$q$", f"E'{coded}'", f"'{left}'\n'{right}'"]
    elif dialect == "mysql":
        found += [f"'{left}' '{right}'", f"0x{value.encode().hex() or '00'}", f"_utf8mb4'{value}'"]
        found += [f'"{value}"', f"N'{value}'"]
    elif dialect == "sqlite":
        found.append(f"CAST(x'{value.encode().hex()}' AS TEXT)")
    elif dialect == "bigquery":
        found += [f'"{value}"', f"r'{value}'", f"'''{value}'''", f'"""{value}"""']
    elif dialect == "oracle":
        found += [f"q'[{value}]'", f"N'{value}'", f"nq'!{value}!'"]
    elif dialect == "tsql":
        found = [f"N'{value}'", f"'{left}' + '{right}'"]
    elif dialect == "snowflake":
        found.append(f"$${value}$$")
    return found


def _plain(value: str) -> bool:
    return not set(value) & set("'\\$!]\"`\n")


def _alternating(word: str) -> str:
    return "".join(c.upper() if i % 2 else c.lower() for i, c in enumerate(word))


SPELLINGS: dict[str, Mutation] = {
    "letter case": letter_case,
    "blanks": blanks,
    "odd blanks": odd_blanks,
    "comments": comments,
    "odd comments": odd_comments,
    "misleading comment": misleading_comment,
    "quoting": quoting,
    "schema": schema,
    "strings": strings,
    "ends": ends,
}
"""By name."""

HARMLESS = ("letter case", "blanks", "comments", "ends")
"""Those that a statement which only reads must survive, too."""
