"""Error texts and warnings of engines without the values that they quote."""

from __future__ import annotations

import re

_GAP = "…"
_OURS = re.compile(
    r"(?P<head>[\w ]+ says: |the server stopped the statement: |another session [\w ]+: "
    r"|the statement takes [\w ]+: |the connection to \S+ broke: |.+? can't be read: )(?P<said>.*)",
    re.DOTALL,
)
"""What stands in our errors before an engine's own words."""
_OURS_ALONE = re.compile(
    r"(the statement|a value or a row|DuckDB takes it|\d+ other statements) .*"
)
_MORE = re.compile(r"\s(DETAIL|CONTEXT|HINT|QUERY|STATEMENT): .*", re.DOTALL)
_VALUE_FREE = re.compile(r"(Binder|Parser) Error: ")  # DuckDB, before it reads a row
_GUESSES = re.compile(
    r"""(?sx) /\*.*?(\*/|$) | --[^\n]* | \#[^\n]* | '(?:[^']|'')*' | "(?:[^"]|"")*" | `[^`]*`
    | \$(\w*)\$.*?\$\2\$ | \b\d[\w.]*"""
)
_TEXTS = re.compile(r"""/\*.*?(\*/|$) | '(?:[^']|'')*'""", re.DOTALL | re.VERBOSE)
_NO_SUCH_NAME = re.compile(
    r"(relation|schema|table) \"[^\"]*\" does not exist|Table '[^']*' doesn't exist"
    r"|no such (table|column): [\w.]+"
)
"""What names, not rows, are the reason of."""
_NAMED_VALUE = re.compile(
    r"(?P<before>\b(with value|cast value|index(?= -?\d)|Codepoint|out of range:) )"
    r"(?P<value>\S.*?)(?P<after>( can't be cast| to [A-Z]| out of valid range).*|$)"
)
_PREFIX = re.compile(r"(Conversion|Out of Range|Invalid Input|Catalog) Error: ")
_TAIL = re.compile(r"(?P<head>[^:]*: )(?P<tail>.+)")
_INPUT_ERROR = re.compile(r"Invalid Input Error: (?!Could not |Invalid |Failed |Map keys )")
_NO_SUCH = re.compile(r"Catalog Error: .* with name (?P<name>\S+) does not exist")
_NUMBERED = re.compile(r"""\((?P<code>\d+), (?P<mark>['"])(?P<text>.*)(?P=mark)\)""", re.DOTALL)
_OPERATORS = re.compile(r"operator does not exist: |function .* does not exist")
_WORD = re.compile(r"\S+")
_PLAIN = re.compile(r"""\W+|[("'`\[]*([A-Za-z_]+(['.-][A-Za-z_]+)*)?[)\]"'`.,:;!?…]*""")
_SIGNATURE = re.compile(r"(?P<name>[A-Za-z_]\w*)\([a-z]+[,)]*")
_COUNTED = re.compile(r"(row|line|column|position|argument|byte|level) $", re.IGNORECASE)
_TYPE = re.compile(
    r"(U?(BIG|SMALL|TINY|HUGE)?INT\d*|FLOAT\d?|DOUBLE|UTF-?8\w*|utf8mb\d|(DECIMAL|NUMERIC)\(\d+,\d+\))\W*"
)


def scrubbed(text: str, sql: str, *, is_ours: bool = False) -> str:
    """Return what an engine says of a statement without values that may come from the data.

    Kept is the first line, and the lines that show the statement itself. Quoted pieces, numbers and
    odd words that don't stand in the statement become `…`; a name the engine merely proposes can
    become one too.

    Args:
        text: of the error or warning: an engine's, or the `problem` of one of ours.
        sql: the statement.
        is_ours: it is one of our own: the names that it quotes are those of the catalogue, and a
            name that isn't in it may be a value that some function looks up.
    """
    ours = _OURS.fullmatch(text)
    if ours:
        return ours["head"] + _said(ours["said"], sql, is_ours=is_ours)
    return text if _OURS_ALONE.fullmatch(text) else _said(text, sql, is_ours=is_ours)


def is_engines(text: str) -> bool:
    """Whether the problem of an error of ours tells the words of an engine."""
    return _OURS.fullmatch(text) is not None


def _said(text: str, sql: str, *, is_ours: bool) -> str:
    numbered = _NUMBERED.fullmatch(text.strip())
    if numbered:
        return _said(numbered["text"], sql, is_ours=is_ours)
    lines = text.strip().splitlines() or [""]
    is_of_names = _VALUE_FREE.match(lines[0]) or _NO_SUCH_NAME.fullmatch(lines[0])
    if is_of_names and not is_ours:
        return text
    known = _Known(sql, _TEXTS if is_ours else _GUESSES)
    first = _MORE.sub("", lines[0])
    kept = [_words(_tail(_named(_quoted(first, known)), known), known)]
    kept += [line for line in lines[1:] if _shows(line, sql)]
    return "\n".join(kept)


class _Known:
    """The bare names in the statement: what a caller quotes could be a list of guesses."""

    def __init__(self, sql: str, without: re.Pattern[str]) -> None:
        self.sql = without.sub(" ", sql).casefold()

    def has(self, piece: str) -> bool:
        """Whether a piece stands in it, not as part of longer words."""
        folded = re.escape(piece.casefold())
        return re.search(rf"(?<!\w){folded}(?!\w)", self.sql) is not None


def _shows(line: str, sql: str) -> bool:
    """Whether a line shows the statement (`LINE 1: …`)."""
    match = re.match(r"\s*LINE \d+: (?P<part>.*)$", line)
    return match is not None and match["part"].strip().removesuffix("...").strip(". ") in sql


def _quoted(line: str, known: _Known) -> str:
    for mark in "\"'`":
        at = [m.start() for m in re.finditer(re.escape(mark), line)]
        # The ' of "can't" and the like opens no quotation.
        at = [i for i in at if mark != "'" or not re.match(r"(?<=n)'t\b", line[i:])]
        at = [
            i
            for i in at
            if not (mark == "'" and re.search(r"\b([Cc]an|[Dd]oesn|[Ii]sn)$", line[:i]))
        ]
        if not at:
            continue
        pieces = [line[i + 1 : j] for i, j in zip(at[::2], at[1::2], strict=False)]
        if len(at) % 2 == 0 and all(known.has(piece) for piece in pieces if piece):
            continue
        # A value may hold the mark itself: all from the first to the last one goes.
        end = at[-1] + 1 if len(at) > 1 else len(line)
        line = f"{line[: at[0]]}{mark}{_GAP}{mark}{line[end:]}"
    return line


def _named(line: str) -> str:
    return _NAMED_VALUE.sub(lambda m: f"{m['before']}{_GAP}{m['after'] or ''}", line)


def _tail(line: str, known: _Known) -> str:
    """Leave out what follows a colon, where messages append what they are about."""
    if _INPUT_ERROR.match(line):
        return f"Invalid Input Error: {_GAP}"
    named = _NO_SUCH.match(line)
    prefix = _PREFIX.match(line)
    start = prefix.end() if prefix else 0
    match = _TAIL.fullmatch(line, start)
    if match is None or _OPERATORS.search(line) or (named and known.has(named["name"])):
        return line
    tail = match["tail"]
    is_gap = re.search(r"""["'`]…["'`]""", tail)
    is_said = known.has(tail.strip(" \"'`"))
    return line if is_gap or is_said else f"{line[:start]}{match['head']}{_GAP}"


def _words(line: str, known: _Known) -> str:
    """Leave out numbers and odd words that don't stand in the statement."""

    def judged(match: re.Match[str]) -> str:
        word = match[0]
        bare = word.strip("()[]\"'`.,:;!?")
        is_count = bare.isdigit() and _COUNTED.search(line[: match.start()])
        if _PLAIN.fullmatch(word) or _TYPE.fullmatch(word) or is_count:
            return word
        call = _SIGNATURE.fullmatch(word)
        bare = call["name"] if call else bare
        return word if bare and known.has(bare) else _GAP

    return re.sub(rf"{_GAP}(\s+{_GAP})+", _GAP, _WORD.sub(judged, line))
