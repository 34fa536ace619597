"""Where statements end: files of any size are divided line by line, and data is passed over.

Only statements that can say something of structure are kept. Client commands, COPY data, INSERT
and the bodies of routines cost little more than reading them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipeline.database.ddl.lexing import Closer, Lexis
from pipeline.database.names import name_set

_KEPT = frozenset(
    ["CREATE", "ALTER", "DROP", "COMMENT", "RENAME", "EXEC", "EXECUTE", "SET", "USE", "COPY"]
)
_VERBS = _KEPT | name_set(
    "ANALYZE ATTACH BEGIN CALL CHECKPOINT CLUSTER COMMIT DECLARE DELETE DENY DETACH DO END EXPLAIN "
    "FLUSH GRANT IF IMPORT INSERT INSTALL LOAD LOCK MERGE OPTIMIZE PRAGMA PRINT PURGE REFRESH "
    "REINDEX RELEASE REPLACE RESET REVOKE ROLLBACK SAVEPOINT SECURITY SELECT SHOW START SYSTEM "
    "TRUNCATE UNLOCK UPDATE UPSERT VACUUM VALUES WITH"
)
"""What statements that are passed over begin with; other words are no SQL, or a broken rest."""
_LONGEST = 4_000_000
"""Characters of a statement that is kept; a quote that nothing closes would take the whole file."""
_NEVER_RUN = 999_999
"""The version in comments that no MySQL executes, such as `/*M!999999\\- enable sandbox */`."""

_ROUTINE = re.compile(
    r"(?is)\s*(?:create|alter)\b(?:(?!\bas\b|\()[^;])*?\b(function|procedure|proc|trigger|package|event)\b"
)
_VIEW = re.compile(r"(?is)\s*(?:create|alter)\s+(?:or\s+\w+\s+)?(?:\w+\s+){0,3}?view\b")
_BLOCKS = re.compile(
    r"(?i)\b(?:(?P<open>begin|case)|(?P<close>end)(?!\s+(?:if|loop|while|repeat|for)\b))\b"
)
_DELIMITER = re.compile(r"(?i)\s*delimiter\s+(\S+)")
_CLIENT = {  # lines of clients, by dialect; any dialect has psql's, since dumps are often its
    "sqlite": re.compile(r"\s*\.\w"),
    "oracle": re.compile(
        r"(?i)\s*(?:@|(?:prompt|rem|remark|spool|whenever|define|undefine|show|exit|quit|conn|connect|"
        r"start|set\s+(?:echo|define|sqlblanklines|feedback|heading|verify|serveroutput|scan|term\w*))\b)"
    ),
    "tsql": re.compile(r"\s*:\w"),
}
_PSQL = re.compile(r"\s*\\")
_GO = re.compile(r"(?i)\s*go(?:\s+\d+)?\s*;?\s*(?:--.*)?\Z")
_SLASH = re.compile(r"\s*/\s*\Z")
_TSQL_START = re.compile(
    r"""(?ix)\s*(?:create\b|insert\b|use\b|if\b|print\b|grant\b|declare\b|exec(?:ute)?\b|go\b
    |set\s+(?!null\b|default\b)|drop\s+(?!column\b|constraint\b)
    |alter\s+(?:table|view|proc|procedure|function|trigger|schema|database|authorization|index)\b)"""
)
_WORD = re.compile(r"\w+")
_EXECUTABLE = re.compile(r"/\*M?!(\d*)")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, without what ends it."""

    text: str
    file: str
    line: int

    @property
    def place(self) -> str:
        """`file:line`."""
        return f"{self.file}:{self.line}"


class Splitter:
    """Divides the lines of one file; counts what it passes over."""

    def __init__(self, lexis: Lexis, file: str) -> None:
        self._lexis, self._file = lexis, file
        self.skipped: Counter[str] = Counter()
        """How many statements were passed over, by their first word."""
        self.unclosed: int | None = None
        """The line of a quote that the file never closes."""
        self._delimiter = ";"
        self._patterns()
        self._copying = self._executable = False
        self._open: Closer | None = None
        """What closes the text, name or comment that an earlier line opened."""
        self._open_line = 0
        self._word = ""
        """The first word of the statement that is being read; '' between statements."""
        self._begin()

    def split(self, lines: Iterable[str]) -> Iterator[Statement]:
        """Yield the statements that may say something of structure."""
        for number, line in enumerate(lines, start=1):
            self._number = number
            if self._copying:
                self._copying = line.rstrip() != "\\."
                continue
            if self._is_row(line):
                self.skipped["INSERT"] += int(bool(self._word))  # the one before ends here
                self._word = "INSERT"
                continue
            if self._open is None:
                done, is_command = self._line_by_itself(line)
                if done is not None:
                    yield done
                if is_command:
                    continue
            yield from self._feed(line)
        if self._open is not None:
            self.unclosed = self._open_line
        last = self._end()
        if last is not None:
            yield last

    def _begin(self) -> None:
        self._parts: list[str] = []
        self._word = ""
        self._line = self._length = self._depth = self._blocks = self._seen = 0

    def _patterns(self) -> None:
        lexis, first = self._lexis, re.escape(self._delimiter[0])
        marks = "".join(map(re.escape, lexis.openings)) + rf"\-/#$*{first}"
        self._skipping = re.compile(rf"(?:[^{marks}]++|{lexis.quoted})*+", re.DOTALL)
        self._keeping = re.compile(rf"(?:[^{marks}()]++|{lexis.quoted})*+", re.DOTALL)
        self._comment = re.compile(rf"{lexis.line_comment}[^\n]*")

    def _is_row(self, line: str) -> bool:
        """Whether a line is one of SQL Server's INSERT statements, which no `;` divides."""
        return (
            self._word in ("", "INSERT")
            and self._open is None
            and self._lexis.dialect in ("tsql", "fabric")
            and line.startswith("INSERT ")
            and self._skipping.fullmatch(line) is not None
        )

    def _line_by_itself(self, line: str) -> tuple[Statement | None, bool]:
        """Return the statement that a line ends by being what it is, and whether it is no SQL."""
        dialect = self._lexis.dialect
        if self._word:
            if dialect in ("tsql", "fabric"):
                if _GO.match(line):
                    return self._end(), True
                if self._depth == 0 and _TSQL_START.match(line) and not self._is_whole_batch():
                    return self._end(), False
            elif dialect == "oracle" and _SLASH.match(line):
                return self._end(), True
            elif dialect == "oracle" and re.match(r"(?i)create\s", line) and self._is_routine():
                return self._end(), False
            return None, False
        delimiter = _DELIMITER.match(line) if self._lexis.is_mysql else None
        if delimiter:
            self._delimiter = delimiter[1]
            self._patterns()
            return None, True
        client = _CLIENT.get(dialect)
        is_end = _GO.match(line) or _SLASH.match(line)
        return None, bool(is_end or _PSQL.match(line) or (client and client.match(line)))

    def _is_routine(self) -> bool:
        return self._word in ("CREATE", "ALTER") and bool(_ROUTINE.match(self._head()))

    def _is_whole_batch(self) -> bool:
        return self._is_routine() or bool(_VIEW.match(self._head()))

    def _head(self) -> str:
        return "".join(self._parts[:40])[:600]

    def _feed(self, line: str) -> Iterator[Statement]:
        position = 0
        if self._open is not None:
            position = self._closed(line)
        while position < len(line):
            if not self._word:
                position = self._start(line, position)
                if position >= len(line):
                    return
            keeps = self._word in _KEPT
            run = (self._keeping if keeps else self._skipping).match(line, position)
            if run is not None and run.end() > position:
                self._keep(line[position : run.end()])
                position = run.end()
                continue
            if line.startswith(self._delimiter, position):
                position += len(self._delimiter)
                if self._goes_on():
                    self._keep(self._delimiter)
                    continue
                done = self._end()
                if done is not None:
                    yield done
                if self._copying:
                    return
                continue
            position = self._special(line, position)

    def _start(self, line: str, position: int) -> int:
        """Pass over blanks and comments; at a word the statement begins."""
        while position < len(line):
            if line.startswith("*/", position):
                self._executable = False
                position += 2
                continue
            if line[position].isspace() or line[position] == ";":
                position += 1
                continue
            if self._comment.match(line, position) or line.startswith("/*", position):
                position = self._special(line, position)
                continue
            word = _WORD.match(line, position)
            self._word = word[0].upper() if word else line[position]
            self._line = self._number
            return position
        return position

    def _special(self, line: str, position: int) -> int:
        """Step over a comment, parenthesis or opened quote at `position`; return what follows."""
        character = line[position]
        if character in "()":
            self._depth += 1 if character == "(" else -1
            self._keep(character)
            return position + 1
        comment = self._comment.match(line, position)
        if comment is not None:
            self._keep(comment[0])
            return comment.end()
        if line.startswith("/*", position):
            return self._block(line, position)
        if self._executable and line.startswith("*/", position):
            self._executable = False
            self._keep(" ")
            return position + 2
        closer = self._lexis.closer(line, position)
        if closer is not None:
            return self._opened(line, position, closer)
        self._keep(character)
        return position + 1

    def _block(self, line: str, position: int) -> int:
        executable = _EXECUTABLE.match(line, position) if self._lexis.is_mysql else None
        if executable is not None and int(executable[1] or 0) < _NEVER_RUN:
            self._executable = True
            self._keep(" ")
            return executable.end()
        closer = self._lexis.closer(line, position)
        return self._opened(line, position, closer) if closer else position + 2

    def _opened(self, line: str, start: int, closer: Closer) -> int:
        """Step over what opens at `start`; return where it ends, the line's end if it doesn't."""
        end = closer(line, start)
        if end < 0:
            self._open, self._open_line, end = closer, self._number, len(line)
        self._keep(line[start:end])
        return end

    def _closed(self, line: str) -> int:
        """Return where what an earlier line opened ends; the line's end if it doesn't."""
        end = self._open(line, 0) if self._open is not None else 0
        if end < 0:
            end = len(line)
        else:
            self._open = None
        self._keep(line[:end])
        return end

    def _keep(self, text: str) -> None:
        if self._word in _KEPT and self._length < _LONGEST:
            self._parts.append(text)
            self._length += len(text)

    def _goes_on(self) -> bool:
        """Whether a `;` stands in the body of a routine."""
        if self._delimiter != ";" or not self._is_routine():
            return False
        if self._lexis.dialect in ("tsql", "fabric", "oracle"):
            return True
        words = "".join(
            token.text if token.kind in ("word", "space") else " "
            for token in self._lexis.tokens("".join(self._parts[self._seen :]))
        )
        self._seen = len(self._parts)
        for match in _BLOCKS.finditer(words):
            self._blocks += 1 if match["open"] else -1
        return self._blocks > 0

    def _end(self) -> Statement | None:
        """Return the statement that ends here if it is worth reading, and begin the next."""
        word, text = self._word, "".join(self._parts)
        statement = Statement(text.strip(), self._file, self._line)
        is_kept = word in _KEPT and self._length < _LONGEST
        self._begin()
        if word == "COPY":
            self._copying = re.search(r"(?i)\bfrom\s+stdin\b", text) is not None
            is_kept = False
        if is_kept:
            return statement
        if word:
            self.skipped[word if word in _VERBS else "other"] += 1
        return None
