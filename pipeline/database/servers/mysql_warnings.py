"""What MariaDB and MySQL warn of after a statement, without row numbers and values of rows."""

from __future__ import annotations

import re

_CUT_BY_GROUP = 1260
_TOO_LONG = 1301
_AT_ROW = re.compile(r" at row \d+")
_VALUE = re.compile(r"(?<!column )'.*'")
_VALUES = re.compile(r"(?i)(incorrect|truncated|duplicate|invalid|illegal|bad|out of range)")


def said_plainly(number: int, text: str) -> str:
    """Return a warning as a sentence of its own, the same for every row that it is about."""
    if number == _CUT_BY_GROUP:
        return (
            "the server cut a value of GROUP_CONCAT at group_concat_max_len: "
            "aggregate fewer rows into it"
        )
    if number == _TOO_LONG:
        return (
            "the server returned NULL in place of a value that is longer than max_allowed_packet: "
            f"{text}"
        )
    text = _AT_ROW.sub("", text)
    if _VALUES.search(text):
        text = _VALUE.sub("'…'", text)  # from the first quote to the last: values may hold quotes
    return f"the server warns: {text}"
