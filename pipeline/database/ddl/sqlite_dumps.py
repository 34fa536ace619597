"""Virtual tables in dumps of SQLite, which are rows of its own schema table there.

`.dump` can't create such a table without running its module, so it writes
`INSERT INTO sqlite_schema(…)VALUES('table','ft','ft',0,'CREATE VIRTUAL TABLE ft …');`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_ROW = re.compile(
    r"INSERT INTO sqlite_(?:schema|master)\(type,name,tbl_name,rootpage,sql\)"
    r"\s*VALUES\('table',(?:'(?:[^']|'')*',){2}0,'(?=CREATE VIRTUAL TABLE\b)",
    re.IGNORECASE,
)
_END = re.compile(r"(?:[^']|'')*'\);\s*\Z")


def with_virtual_tables(lines: Iterable[str]) -> Iterator[str]:
    """Yield as many lines, in which such a row is the statement that it holds."""
    is_inside = False
    for line in lines:
        rest = line
        if not is_inside:
            row = _ROW.match(line)
            if row is None:
                yield line
                continue
            rest = line[row.end() :]
        is_inside = _END.match(rest) is None
        if is_inside:
            yield rest.replace("''", "'")
        else:
            yield rest[: rest.rindex("'")].replace("''", "'") + ";\n"
