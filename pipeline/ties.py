"""Whether rows tie at the cut of a LIMIT, so that the engine may choose which of them come."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from pipeline.database import query
from pipeline.database.grammar import grammar, parsed
from pipeline.database.page import Limits
from pipeline.database.source import Source
from pipeline.errors import DbloreError, SourceError
from pipeline.expectations import nature
from schemas.facts import Catalog

Cut = Literal["", "ties", "unknown"]
_MOST = 10_000
"""Rows that are read to look at the last two."""


def at_the_cut(source: Source, sql: str, catalog: Catalog, limits: Limits) -> Cut:
    """Return whether the row after the last has the same sort key; '' also where nothing is cut.

    Raises:
        SourceError: the database can't be reached.
    """
    tree = parsed(sql, catalog.dialect)
    cut = _limit(tree)
    if cut is None:
        return ""
    places = nature(sql, catalog.dialect).order
    if len(places) < len(tree.args["order"].expressions) or cut >= _MOST:
        return "unknown"
    longer = tree.limit(cut + 1).sql(dialect=grammar(catalog.dialect))
    try:  # no value of it is shown, or told in an error
        result = query.read(source, longer, catalog=catalog, limits=replace(limits, rows=cut + 1))
    except SourceError:
        raise
    except DbloreError:
        return "unknown"
    if len(result.rows) <= cut or cut == 0:
        return ""
    last, after = ([row[place] for place in places] for row in result.rows[cut - 1 :])
    return "ties" if last == after else ""


def _limit(tree: Any) -> int | None:
    """Return how many rows a sorted query is cut to; None where that isn't so or not said."""
    from sqlglot import exp

    if not isinstance(tree, exp.Query) or tree.args.get("order") is None:
        return None
    limit = tree.args.get("limit")
    count = limit.expression if isinstance(limit, exp.Limit) else None
    if not isinstance(count, exp.Literal) or not count.name.isdecimal():
        return None
    return int(count.name)
