"""What of a caller's statement DuckDB runs: one that reads, with every value whole.

The Python client loses values: months of an INTERVAL become 30 days, nanoseconds are cut, infinity
becomes the year 9999. Columns of such types are read as DuckDB's own text instead.
"""

from __future__ import annotations

from typing import Any

from pipeline.errors import QueryError

_INEXACT = frozenset([
    "date", "interval", "time_ns", "timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns",
    "timestamp with time zone", "timestamptz_ns", "timestamp_ns with time zone",
])  # fmt: skip
"""Types that the client doesn't hand over whole."""
_NESTED = frozenset(["list", "array", "struct", "tuple", "map", "union"])


def prepared(connection: Any, sql: str) -> tuple[tuple[str, ...], str]:
    """Return the names of the columns and the SQL to run.

    That is `sql` itself or, where a column's type needs it, `sql` as it stands inside a SELECT
    that casts those columns. DuckDB has taken it for one query by then, so it can't break out.

    Raises:
        QueryError: DuckDB takes it for several statements, or for one that isn't a query.
    """
    statement, is_pivot = _only_query(connection, sql)
    if is_pivot:  # its columns are known only when it has run
        described = connection.execute(sql).description
        names = tuple(column[0] for column in described)
        kinds = [column[1] for column in described]
    else:
        relation = connection.sql(statement)
        names, kinds = tuple(relation.columns), list(relation.types)
    exact = [_exact(kind) for kind in kinds]
    if not any(exact):
        return names, sql
    casts = [f"CAST(#{n} AS {kind})" if kind else f"#{n}" for n, kind in enumerate(exact, 1)]
    return names, f"SELECT {', '.join(casts)} FROM (\n{_without_end(sql)}\n)"


def bound(connection: Any, sql: str) -> tuple[str, ...]:
    """Return the names of the columns of a query that isn't run; of a PIVOT without a list none.

    Raises:
        QueryError: as `prepared` does.
    """
    statement, is_pivot = _only_query(connection, sql)
    return () if is_pivot else tuple(connection.sql(statement).columns)


def _only_query(connection: Any, sql: str) -> tuple[Any, bool]:
    """Return the statement, and whether it is a PIVOT without a list: DuckDB makes two of it."""
    sql.encode()  # half a character is the caller's fault, which the client says otherwise
    made = connection.extract_statements(sql)
    written = [statement for statement in made if statement.query.strip()]
    written = written or made[-1:]  # what DuckDB 1 makes of a PIVOT has no text
    if len(written) != 1:
        raise QueryError(
            f"DuckDB takes it for {len(written)} statements, not for one", fix="send one SELECT"
        )
    kind = written[0].type.name
    if kind not in ("SELECT", "MULTI"):
        raise QueryError(
            f"DuckDB takes it for {kind}, which is no query", fix="write it as a SELECT"
        )
    return written[0], kind == "MULTI" or len(made) > 1


def _exact(kind: Any) -> str | None:
    """Return the SQL type that brings its values whole; None if its own type does."""
    name = getattr(kind, "id", None)
    if name in _INEXACT:
        return "VARCHAR"
    if name not in _NESTED:
        return None
    children = kind.children
    inner = [(label, child, _exact(child)) for label, child in children if hasattr(child, "id")]
    if not any(exact for _, _, exact in inner):
        return None
    parts = [(label, exact or str(child)) for label, child, exact in inner]
    if name in ("list", "array"):
        return f"{parts[0][1]}[{'' if name == 'list' else dict(children)['size']}]"
    if name == "map":
        return f"MAP({parts[0][1]}, {parts[1][1]})"
    if name == "union":
        parts = parts[1:]  # the first is its tag
    if not all(label for label, _ in parts):  # a row without names
        return "VARCHAR"
    fields = ", ".join(f'"{label.replace(chr(34), chr(34) * 2)}" {kind}' for label, kind in parts)
    return f"{name.upper()}({fields})"


def _without_end(sql: str) -> str:
    """Return the SQL up to its closing semicolon, which may have comments about it."""
    import duckdb

    text = sql.encode()
    ends = [start for start, _ in duckdb.tokenize(sql) if text[start : start + 1] == b";"]
    return text[: ends[0]].decode() if ends else sql
