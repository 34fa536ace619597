"""Which tables and columns a text for people names.

A word counts as a name only where it is written as one: in backticks, as `Table.Column`, or in the
way identifiers are (`CustomerID`, `customer_id`). Everything else is language: `order`, `Size`.
A name that leads to nothing is told only if it looks like a column of this very database.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from pipeline.database.names import name_set
from pipeline.lineage.near import Near
from pipeline.references.vocabulary import Vocabulary, is_compound
from schemas.facts import Catalog, Table

_HINT = re.compile(
    r"[`._A-Z](?:(?<=`)|(?<=[^\W_][._])(?=\w)|(?<=[a-z\d][A-Z])|(?<=[A-Z][A-Z])(?=[a-z]))"
)
"""Where something may be named; it is found by its first character, so that the long texts that
name nothing cost next to nothing."""
_QUOTES = ("'", '"', "“")
_COLUMN_WORDS = ("column", "field")
_APART = re.compile(r"[ \n](?:column|field)\b")
"""They and quotes make a difference to the words around them."""
_TOKEN = re.compile(
    r"""(?P<quoted>'[^'\n]{0,80}'(?!\w)|"[^"\n]{0,80}"|“[^”\n]{0,80}”)
    |(?P<address>\b\w{1,40}://\S+|\S{1,80}@\S{1,200}|(?<![\w.])[\w.-]{0,200}/[\w./-]+)
    |`(?P<ticked>[^`\n]{1,200})`
    |(?P<path>[^\W\d]\w*(?:\.[^\W\d]\w*)+)
    |(?P<word>[^\W\d]\w*)""",
    re.VERBOSE,
)
_NAME = re.compile(r"[^\W\d][\w$]*")
_DOTTED = re.compile(
    r'(?:"[^"]+"|\[[^\]]+\]|[^\W\d][\w$ ]*?)(?:\.(?:"[^"]+"|\[[^\]]+\]|[^\W\d][\w$ ]*?))*'
)
_FILES = name_set("""
    csv json xml txt xls xlsx sql py js ts html htm com org net io md pdf doc docx yaml yml zip gz
    exe dll log ini jpg png svg parquet db sqlite de eu uk
    """)
_READ = 50_000
"""Characters of a text that are read; nobody names a column behind as many."""
_BEFORE = 40
_LONGEST = 500
"""Characters of a name, of schema, table and column."""
_CLOSE = 0.8
"""How alike, 0–1, a word must be to a column to be taken for it misspelt."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A name that leads to nothing."""

    text: str
    reason: str
    nearest: str | None
    start: int
    """Where it stands in the text."""


@dataclass(slots=True)
class Mentions:
    """What a text names."""

    places: dict[tuple[str, str | None], None] = field(default_factory=dict)
    missing: list[Missing] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    is_ticked: bool = False
    is_told: bool = True
    """It is told if it leads to nothing."""


class Prose:
    """Reads texts about one database."""

    def __init__(self, catalog: Catalog, near: Near) -> None:
        self._near = near
        self._known = Vocabulary(catalog)

    def read(self, text: str, own: Sequence[Table]) -> Mentions:
        """Return what a text names.

        Args:
            text: of people.
            own: the tables that it is about, whose columns it may name alone.
        """
        found = Mentions()
        if not _may_name(text):
            return found
        words: list[_Word] = []
        text = text[:_READ]
        for match in _tokens(text):
            kind = match.lastgroup
            if match.end() - match.start() > _LONGEST:
                continue
            if kind == "path":
                words += self._path(match["path"], match.start(), found, text)
            elif kind == "ticked":
                words += self._ticked(match["ticked"], match.start("ticked"), found)
            elif kind == "word":
                words += self._word(match, text, own, found)
        # A bare name may be of a table that is named further on in the same text.
        tables = [*own, *(self._known.by_name(t) for t, _ in found.places)]
        for word in words:
            self._bare(word, tables, own, found)
        return found

    def _word(
        self, match: re.Match[str], text: str, own: Sequence[Table], found: Mentions
    ) -> list[_Word]:
        word, start, end = match["word"], match.start(), match.end()
        if is_compound(word):
            before = text[max(0, start - _BEFORE) : start].rstrip()
            is_code = before.endswith(("=", "→")) or text[end : end + 1] == "("
            return [_Word(word, start, is_told=not is_code)]
        if own and re.match(r"\s+(?:column|field)\b", text[end : end + 12]):
            for table in own:
                if self._known.column(table, word) == word:
                    found.places[table.name, word] = None
        return []

    def _ticked(self, text: str, start: int, found: Mentions) -> list[_Word]:
        if _NAME.fullmatch(text):
            return [_Word(text, start, is_ticked=True)]
        if "." in text and _DOTTED.fullmatch(text):
            return self._path(text, start, found, text, is_ticked=True)
        words = []  # a piece of SQL, a code with its meaning, …
        for match in _TOKEN.finditer(text):
            if match.lastgroup == "path":
                words += self._path(match["path"], start + match.start(), found, text)
            elif match.lastgroup == "word":
                is_told = is_compound(match["word"]) and text[match.end() : match.end() + 1] != "("
                at = start + match.start()
                words.append(_Word(match["word"], at, is_ticked=True, is_told=is_told))
        return words

    def _path(
        self, path: str, start: int, found: Mentions, text: str, *, is_ticked: bool = False
    ) -> list[_Word]:
        """Read `Table.Column`, with a schema or without."""
        parts = [part.strip('"[]') for part in path.split(".")]
        if parts[-1].casefold() in _FILES and not is_ticked:
            return []
        for cut in range(len(parts) - 1, 0, -1):
            table = self._known.table(".".join(parts[:cut]))
            if table is None:
                continue
            rest = ".".join(parts[cut:])
            column = self._known.column(table, rest)
            if column is not None:
                found.places[table.name, column] = None
                return []
            found.places[table.name, None] = None
            follows = text[start + len(path) : start + len(path) + 1]
            if is_ticked or self._is_meant(rest, table, follows):
                reason = f"table {table.name} has no column `{rest}`"
                near = self._near.column(rest, [table])
                found.missing.append(Missing(path, reason, near, start))
            return []
        table = self._known.table(path)
        if table is not None:
            found.places[table.name, None] = None
            return []
        return [
            _Word(part, start + path.find(part), is_ticked, is_told=False)
            for part in parts
            if is_compound(part)
        ]

    def _is_meant(self, name: str, table: Table, follows: str) -> bool:
        """Whether what stands behind `Table.` is a column; after a full stop a sentence begins."""
        if is_compound(name) or "." in name or not name[0].isupper() or name.isupper():
            return follows != "("
        return self._closest(name, table) >= _CLOSE

    def _bare(
        self, word: _Word, tables: Sequence[Table], own: Sequence[Table], found: Mentions
    ) -> None:
        for table in tables:
            column = self._known.column(table, word.text)
            if column is not None:
                found.places[table.name, column] = None
                return
        table_of_name = self._known.table(word.text)
        if table_of_name is not None:
            found.places[table_of_name.name, None] = None
            return
        if not word.is_told or not own or not is_compound(word.text):
            return
        if self._known.is_name(word.text, own) or not self._looks_like_column(word.text, own):
            return
        whose = " and ".join(dict.fromkeys(table.name for table in own))
        reason = f"table {whose} has no column `{word.text}`"
        near = self._near.column(word.text, own)
        found.missing.append(Missing(word.text, reason, near, word.start))

    def _looks_like_column(self, word: str, own: Sequence[Table]) -> bool:
        if not self._known.is_of_style(word):
            return False
        if self._known.ends_like_column(word):
            return True
        return any(self._closest(word, table) >= _CLOSE for table in own)

    def _closest(self, word: str, table: Table) -> float:
        folded = word.casefold()
        matcher = SequenceMatcher(b=folded, autojunk=False)
        best = 0.0
        for column in table.columns:
            matcher.set_seq1(column.name.casefold())
            if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
                best = max(best, matcher.ratio())
        return best


def _may_name(text: str) -> bool:
    """Whether a name may stand in the text; in most stands none."""
    return _HINT.search(text) is not None or _is_apart(text)


def _is_apart(text: str) -> bool:
    if any(map(text.__contains__, _QUOTES)):
        return True
    return any(map(text.__contains__, _COLUMN_WORDS)) and _APART.search(text) is not None


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield what may be a name, and more where the text needs a closer look."""
    if _is_apart(text):
        yield from _TOKEN.finditer(text)
        return
    end = 0
    for hint in _HINT.finditer(text):
        if hint.start() < end:
            continue
        start = max(text.rfind(" ", end, hint.start()), text.rfind("\n", end, hint.start())) + 1
        for match in _TOKEN.finditer(text, max(start, end)):
            if match.start() > hint.start():
                end = match.start()  # nothing stands before it
                break
            end = match.end()
            yield match
        else:
            return
