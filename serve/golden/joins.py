"""Whether a context writes out the joins that an answer takes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.authored import find_column
from pipeline.lineage.near import Near
from schemas.golden import GoldenCheck
from schemas.models import Catalog, Link
from serve import cards
from serve.context.pack import ContextPack
from serve.knowledge import Facts

Side = tuple[str, str]
"""Table and column, as the catalogue calls them."""
Join = frozenset[frozenset[Side]]
"""The pairs of columns that are equal."""

_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


def check_joins(facts: Facts, needed: Sequence[str], pack: ContextPack) -> GoldenCheck:
    """Return whether the pack writes out every join; one may have more columns than are needed."""
    shown = [_of_link(link) for link in _links(facts, pack)]
    missing = []
    for text in needed:
        join, unknown = _of_text(text, facts.catalog)
        if unknown:
            detail = f"there is no column {unknown} (in {text}){_offer(unknown, facts.catalog)}"
            return GoldenCheck("joins", "failed", detail)
        if not any(join <= other for other in shown):
            missing.append(text)
    if not missing:
        return GoldenCheck("joins", "passed")
    has = "; ".join(line.on for line in pack.joins) or "none"
    return GoldenCheck("joins", "failed", f"missing {'; '.join(missing)}, shown {has}")


def _links(facts: Facts, pack: ContextPack) -> list[Link]:
    """Return the links of the joins that a pack writes out."""
    written = {(line.table, line.to_table, line.on) for line in pack.joins}
    ends = {(table, to_table) for table, to_table, _ in written}
    return [
        link
        for link in facts.graph.links
        if (link.table, link.to_table) in ends
        and (link.table, link.to_table, cards.on_sql(link, facts.catalog.dialect)) in written
    ]


def _of_link(link: Link) -> Join:
    pairs = zip(link.columns, link.to_columns, strict=True)
    return frozenset(frozenset([(link.table, a), (link.to_table, b)]) for a, b in pairs)


def _of_text(text: str, catalog: Catalog) -> tuple[Join, str]:
    """Return the pairs of columns of `a.x = b.y [AND …]`, and a column that there isn't, or ''."""
    pairs = []
    for term in _AND.split(text.strip()):
        sides: list[Side] = []
        for written in term.split("="):
            table, column = find_column(_bare(written), catalog)
            if table is None or column is None:
                return frozenset(), written.strip()
            sides.append((table.name, column.name))
        pairs.append(frozenset(sides))
    return frozenset(pairs), ""


def _offer(name: str, catalog: Catalog) -> str:
    """Return `: did you mean …?` with the column that may be meant, or its table; '' for none."""
    bare = _bare(name)
    table, _ = find_column(bare, catalog)
    names = Near(catalog)
    if table is None:
        near = names.table(bare.rpartition(".")[0])
    else:
        column = names.column(bare.rpartition(".")[2], [table])
        near = f"{table.name}.{column}" if column else None
    return f": did you mean {near}?" if near else ""


def _bare(name: str) -> str:
    """Return a column's name without the quotes that SQL may need."""
    return re.sub(r"[\"`\[\]]", "", name).strip()
