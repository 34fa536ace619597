"""What may be said of a result before it is there, and whether a result is as it was pinned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.database.grammar import parsed
from pipeline.database.names import name_set
from pipeline.database.tally import MOST_ROWS, VERSION, Tally
from pipeline.text import counted
from schemas.knowledge import Expectation, RowRange

_PASSING = name_set("""
    current_date current_time current_timestamp current_datetime current_localtime
    current_localtimestamp get_current_time get_current_timestamp localtime localtimestamp now today
    getdate getutcdate sysdate sysdatetime sysutcdatetime sysdatetimeoffset systimestamp utc_date
    utc_time utc_timestamp curdate curtime clock_timestamp statement_timestamp
    transaction_timestamp timeofday
    rand random randn randomblob newid uuid uuid_short uuidv4 uuidv7 gen_random_uuid generate_uuid
    uuid_generate_v1 uuid_generate_v4 newsequentialid
    connection_id pg_backend_pid last_insert_id last_insert_rowid changes total_changes
    txid_current pg_current_xact_id current_user session_user current_role
    """)
"""Functions that give something else at another time, by chance, or to somebody else."""
_MOMENTS = frozenset(["now", "today", "tomorrow", "yesterday"])
"""Texts that engines read as a moment that moves."""


@dataclass(frozen=True, slots=True)
class Nature:
    """What the text of a statement tells of its results."""

    order: tuple[int, ...] = ()
    """The places of the columns by which they are sorted, as far as these are in the result."""
    passing: str = ""
    """Why it gives something else tomorrow, e.g. `now`; '' when it needn't."""
    loose: str = ""
    """Why the engine may choose which rows come, e.g. `LIMIT without ORDER BY`; '' when not."""
    known: bool = True
    """Every function in it is one that sqlglot knows."""


def nature(sql: str, dialect: str) -> Nature:
    """Return what the text of a statement tells of its results."""
    from sqlglot import exp

    tree = parsed(sql, dialect)
    if tree is None:
        return Nature(known=False)
    return Nature(
        _order(tree, exp),
        _passing(tree, exp),
        _loose(tree, exp),
        known=not any(tree.find_all(exp.Anonymous, exp.Command, exp.UserDefinedFunction)),
    )


def _order(tree: Any, exp: Any) -> tuple[int, ...]:
    """Return the places of the columns by which a query sorts, up to the first that it hides."""
    order = tree.args.get("order")
    while order is None and isinstance(tree, exp.Subquery):
        tree = tree.this
        order = tree.args.get("order")
    if order is None or not isinstance(tree, exp.Query):
        return ()
    items = tree.selects
    if any(item.find(exp.Star) and not item.find(exp.Func) for item in items):
        return ()
    names = {item.alias_or_name.casefold(): n for n, item in reversed(list(enumerate(items)))}
    texts = {item.unalias().sql(): n for n, item in reversed(list(enumerate(items)))}
    places: list[int] = []
    for term in order.expressions:
        key = term.this if isinstance(term, exp.Ordered) else term
        place = None
        if isinstance(key, exp.Literal) and not key.is_string:
            place = int(key.name) - 1 if key.name.isdecimal() else None
        elif isinstance(key, exp.Column) and not key.table:
            place = names.get(key.name.casefold())
        place = texts.get(key.sql()) if place is None else place
        if place is None or not 0 <= place < len(items):
            break
        places.append(place)
    return tuple(places)


def _passing(tree: Any, exp: Any) -> str:
    for node in tree.find_all(exp.Func, exp.Literal):
        if isinstance(node, exp.Literal):
            if node.is_string and node.name.strip().casefold() in _MOMENTS:
                return f"'{node.name.strip()}'"
            continue
        name = (node.name if isinstance(node, exp.Anonymous) else node.sql_name()).casefold()
        if name in _PASSING:
            return str(name)
        is_bare = not any(True for _ in node.iter_expressions())
        if is_bare and name in {"date", "datetime", "time", "julianday", "unixepoch"}:
            return f"{name}()"
    return ""


def _loose(tree: Any, exp: Any) -> str:
    if tree.find(exp.TableSample):
        return "a sample"
    for query in tree.find_all(exp.Query):
        if query.args.get("limit") is not None and query.args.get("order") is None:
            return "LIMIT without ORDER BY"
    return ""


def rows_to_read(expect: Expectation) -> int:
    """Return how many rows have to be read to tell whether a result is as pinned."""
    rows = expect.rows or RowRange()
    return max(MOST_ROWS, rows.min or 0, rows.max or 0)


def differences(
    expect: Expectation, columns: Sequence[str], tally: Tally, *, is_masked: bool = False
) -> tuple[str, ...]:
    """Return how a result differs from what is pinned; names of columns are compared by letter.

    Args:
        expect: what is pinned.
        columns: of the result.
        tally: of the result.
        is_masked: whether columns of it are masked, for the text.
    """
    found = []
    if expect.columns and [c.casefold() for c in expect.columns] != [c.casefold() for c in columns]:
        found.append(_columns_differ(expect.columns, columns))
    if expect.rows is not None and not _fits(expect.rows, tally):
        has = f"more than {tally.rows:,} rows" if tally.has_more else counted(tally.rows, "row")
        found.append(f"the result has {has}, pinned {_told(expect.rows)}")
    if expect.checksum and not found:
        found += _values_differ(expect.checksum, tally, is_masked=is_masked)
    return tuple(found)


def _columns_differ(pinned: Sequence[str], columns: Sequence[str]) -> str:
    have, want = {c.casefold() for c in columns}, {c.casefold() for c in pinned}
    gone = [name for name in pinned if name.casefold() not in have]
    new = [name for name in columns if name.casefold() not in want]
    if not gone and not new:
        return f"the columns come in another order: {', '.join(columns)}"
    parts = [f"lacks {', '.join(gone)}"] if gone else []
    parts += [f"has {', '.join(new)} besides"] if new else []
    return f"the result {' and '.join(parts)}, against what is pinned"


def _values_differ(pinned: str, tally: Tally, *, is_masked: bool) -> list[str]:
    if tally.has_more:
        return [f"a result of more than {tally.rows:,} rows has no checksum, but one is pinned"]
    if not pinned.startswith(f"{VERSION}-"):
        return [f"the pinned checksum isn't one that this dblore computes ({VERSION}-…)"]
    if tally.checksum is None:
        return ["all columns are masked now, so that there is no checksum to compare"]
    if tally.checksum != pinned:
        but = " (of those that aren't masked)" if is_masked else ""
        return [f"the values{but} aren't those that are pinned"]
    return []


def _fits(rows: RowRange, tally: Tally) -> bool:
    is_too_few = rows.min is not None and tally.rows < rows.min and not tally.has_more
    is_too_many = rows.max is not None and (tally.rows > rows.max or tally.has_more)
    return not is_too_few and not is_too_many


def _told(rows: RowRange) -> str:
    least = rows.min or 0
    if rows.max is None:
        return f"are {least:,} or more"
    return f"are {least:,}" if least == rows.max else f"are {least:,} to {rows.max:,}"
