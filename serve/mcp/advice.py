"""What an agent is told to do: the tool before the command, and builds are people's work."""

from __future__ import annotations

import re

_TOOLS = {
    "tables": "list_tables",
    "table": "describe_table",
    "search": "search_knowledge",
    "path": "find_join_path",
    "context": "get_sql_context",
    "query": "run_sql",
}
_READING = re.compile(rf"`?\bdblore ({'|'.join(_TOOLS)})\b(?: [^`]*`|`)?")
_WORKING = re.compile(r"\bdblore [a-z]|\bpip install\b|\.yaml\b")
_TWICE = re.compile(r"\b(\w+), or \1,? ?")


def for_the_agent(fix: str) -> str:
    """Return advice that a caller without a shell can follow.

    Reading commands become the tools that do the same; what only a person can do, such as a
    build or an edit, is to be asked for.
    """
    said = _TWICE.sub(r"\1 ", _READING.sub(lambda match: _TOOLS[match[1]], fix))
    return f"ask the user for this: {said}" if _WORKING.search(said) else said
