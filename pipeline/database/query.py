"""The only way in which SQL that a caller, a person or a model wrote is run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pipeline.database.connect import Database
from pipeline.database.masking.masks import Masks, Sensitive
from pipeline.database.page import DEFAULT_LIMITS, Limits, Result
from pipeline.database.source import Source, no_database
from pipeline.database.workers import READ, Call, How, pool
from pipeline.errors import QueryError, did_you_mean
from schemas.facts import Catalog

_UNKNOWN_COLUMN = re.compile(
    r"""(?ix)
    no\ such\ column:\ (?P<sqlite>.+)
  | column\ "?(?P<postgres>[^"]+?)"?\ does\ not\ exist
  | unknown\ column\ '(?P<mysql>[^']+)'
  | referenced\ column\ "(?P<duckdb>[^"]+)"
  | invalid\ column\ name\ '(?P<tsql>[^']+)'
    """
)
_UNKNOWN_TABLE = re.compile(
    r"""(?ix)
    no\ such\ table:\ (?P<sqlite>\S+)
  | relation\ "(?P<postgres>[^"]+)"\ does\ not\ exist
  | table\ '(?P<mysql>[^']+)'\ doesn't\ exist
  | table\ with\ name\ (?P<duckdb>\S+)\ does\ not\ exist
  | invalid\ object\ name\ '(?P<tsql>[^']+)'
    """
)
LONGEST_LIST = 600
"""Characters of a list of columns in an error."""


__all__ = ["DEFAULT_LIMITS", "Call", "Limits", "Result", "prove", "read", "tally"]


def read(
    source: Source | Database,
    sql: str,
    *,
    catalog: Catalog | None,
    limits: Limits = DEFAULT_LIMITS,
    sensitive: Sensitive | None = None,
    call: Call | None = None,
) -> Result:
    """Check `sql` with the guard, run it as it is, and return what fits into `limits`.

    It runs in a process of its own, whose session is read-only where the engine can, and is rolled
    back.

    Args:
        source: what to ask; of an open connection only where it leads to.
        sql: one statement.
        catalog: the tables that there are; None: any plain name passes.
        limits: what it may cost and return.
        sensitive: the columns whose values are masked in the result.
        call: by which another thread can cancel it.

    Raises:
        RefusedError: the guard doesn't let it through; nothing ran.
        QueryError: the database failed to run it, it took too long, or it was cancelled.
        SourceError: the database can't be reached, or there is none.
    """
    return _asked(source, sql, READ, catalog, limits, sensitive, call)


def prove(
    source: Source | Database,
    sql: str,
    *,
    catalog: Catalog | None,
    limits: Limits = DEFAULT_LIMITS,
    sensitive: Sensitive | None = None,
) -> tuple[str, ...]:
    """Have the guard and the engine look `sql` through without reading data.

    What passes names only what is there, in types that fit, as far as the engine tells before it
    runs a statement. Arguments and errors are those of `read`; errors quote no value of a
    sensitive column.

    Returns:
        The names of the result's columns; none where the engine doesn't say.
    """
    return _asked(source, sql, How("prove"), catalog, limits, sensitive, None).columns


def tally(
    source: Source | Database,
    sql: str,
    *,
    catalog: Catalog | None,
    limits: Limits = DEFAULT_LIMITS,
    sensitive: Sensitive | None = None,
    order: tuple[int, ...] = (),
) -> Result:
    """Run `sql` as `read` does; return the columns and, in place of rows, what `Tally` says.

    Args:
        source: as of `read`, as are the others.
        sql: one statement.
        catalog: the tables that there are.
        limits: of them, `rows` and `seconds` count.
        sensitive: the columns whose values don't enter the checksum.
        order: the places of the columns by which the result is sorted: that order counts.
    """
    return _asked(source, sql, How("tally", order), catalog, limits, sensitive, None)


def _asked(
    source: Source | Database,
    sql: str,
    how: How,
    catalog: Catalog | None,
    limits: Limits,
    sensitive: Sensitive | None,
    call: Call | None,
) -> Result:
    """Check a statement with the guard and pass it on."""
    from pipeline.database import guard

    named = source.source if isinstance(source, Database) else source
    if named.kind != "database":
        raise no_database(named)
    pool().warm(named.dialect)  # it starts while the guard looks
    tree = guard.check(
        sql,
        named.dialect,
        catalog=catalog,
        allow_functions=named.allow_functions,
        allow_tables=named.allow_tables,
    )
    asked = _Asked(named, sql, how, limits, tree, catalog, call)
    return _masked(asked, sensitive) if sensitive else _run(asked)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A statement that the guard let pass."""

    source: Source
    sql: str
    how: How
    limits: Limits
    tree: Any
    catalog: Catalog | None
    call: Call | None


def _masked(asked: _Asked, sensitive: Sensitive) -> Result:

    from pipeline.database.masking import lineage

    tree, dialect, catalog = asked.tree, asked.source.dialect, asked.catalog
    if not lineage.touches(tree, dialect, catalog=catalog, sensitive=sensitive):
        return _run(asked)
    masks = lineage.find(tree, dialect, catalog=catalog, sensitive=sensitive)
    try:
        return _run(asked, masks, is_quiet=True)
    except QueryError as error:  # `from None`: engines quote values, and so does the cause
        raise QueryError(lineage.scrubbed(error.problem, asked.sql), fix=error.fix) from None


def _run(asked: _Asked, masks: Masks | None = None, *, is_quiet: bool = False) -> Result:
    try:
        return pool().run(
            asked.source,
            asked.sql,
            asked.limits,
            how=asked.how,
            masks=masks,
            is_quiet=is_quiet,
            call=asked.call,
        )
    except QueryError as error:
        raise _with_nearest_column(error, asked.tree, asked.catalog) from error


def _with_nearest_column(error: QueryError, tree: Any, catalog: Catalog | None) -> QueryError:
    """Return the error with the nearest column of the tables that the statement reads."""
    if catalog is None:
        return error
    missing = _UNKNOWN_TABLE.search(error.problem)
    if missing is not None:
        return _with_nearest_table(error, missing[missing.lastgroup or 0], catalog)
    match = _UNKNOWN_COLUMN.search(error.problem)
    if match is None:
        return error
    from sqlglot import exp

    wrong = match[match.lastgroup or 0].strip().rpartition(".")[2].strip("\"'`[]")
    tables = [catalog.find(node.name) for node in tree.find_all(exp.Table)]
    known = [(table.name, column.name) for table in tables if table for column in table.columns]
    if not known:
        return error
    if any(column.casefold() == wrong.casefold() for _, column in known):
        return QueryError(
            error.problem,
            fix="the database has changed since it was scanned; build again: dblore build",
        )
    listed = ", ".join(dict.fromkeys(column for _, column in known))
    otherwise = f"the columns are {listed}" if len(listed) <= LONGEST_LIST else "see describe_table"
    advice = did_you_mean(wrong, [column for _, column in known], otherwise)
    return QueryError(error.problem, fix=advice)


def _with_nearest_table(error: QueryError, wrong: str, catalog: Catalog) -> QueryError:
    """Return the error with the table that may be meant: of another schema, or built anew."""
    if wrong in catalog.by_name:
        fix = "the database has changed since it was scanned; build again: dblore build"
        return QueryError(error.problem, fix=fix)
    bare = wrong.rpartition(".")[2]
    same = [table.name for table in catalog.tables if table.object_name == bare]
    otherwise = "use a table that list_tables names"
    advice = (
        f"did you mean {' or '.join(same[:3])}?"
        if same
        else did_you_mean(bare, catalog.by_name, otherwise)
    )
    return QueryError(error.problem, fix=advice)
