"""Every link there is, in one list: declared, curated and inferred; verified ones come later.

What a link costs the planner (lower is better, see `cost`): 1.0 declared or curated, 1.1 verified,
1.5–3.5 inferred, by confidence. On top: 0.5 for a bookkeeping column (who changed the row), 0.5
for a table without rows, up to 0.3 for a table that everything refers to.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipeline.authored import find_column
from pipeline.errors import QueryError, RefusedError, did_you_mean
from pipeline.graph.codes import error, warning
from pipeline.graph.conditions import ConditionError, Place, rewritten
from pipeline.graph.measure import Probe, TooSlowError, cardinality
from pipeline.joins import reversed_
from pipeline.text import singular, words
from schemas.facts import Catalog, Evidence, Link, LinkOrigin, Profile, Table
from schemas.knowledge import Relationship
from schemas.results import Problem

BASE_COSTS: dict[LinkOrigin, float] = {
    "declared": 1.0,
    "curated": 1.0,
    "verified": 1.1,
    "inferred": 1.5,
}
DOUBT_COST = 2.0
"""Of an inferred link: times what its confidence lacks of 1."""
BOOKKEEPING_COST = 0.5
EMPTY_COST = 0.5
HUB_COST = 0.1
"""Of a link to a table that many refer to: per doubling beyond `HUB_LINKS` links."""
HUB_LINKS = 4
HUB_COST_MOST = 0.3

_STRENGTH: dict[LinkOrigin, int] = {"declared": 0, "curated": 1, "verified": 2, "inferred": 3}
_BOOKKEEPING = frozenset(
    {"created", "modified", "updated", "changed", "deleted", "inserted", "edited"}
)
_KEY_WORDS = frozenset(
    {"id", "key", "fk", "code", "no", "nr", "num", "number", "guid", "uuid", "ref"}
)

Ends = tuple[tuple[str, tuple[str, ...]], ...]


def declared(catalog: Catalog, profile: Profile) -> tuple[list[Link], list[Problem]]:
    """Return the foreign keys that lead somewhere, and a problem for each that doesn't.

    Those that rows break come with what was counted, and a problem too.
    """
    links = []
    problems = []
    broken = {link.key: link.evidence for link in profile.broken_keys}
    for table in catalog.tables:
        for link in table.foreign_keys:
            if link.state == "ok":
                promised, counted = _promised(link, table), broken.get(link.key)
                if counted is not None:
                    problems.append(_orphaned(link, counted))
                    promised = replace(counted, cardinality=promised.cardinality)
                links.append(replace(link, evidence=promised))
            else:
                problems.append(_dangling(link))
    return links, problems


def _promised(link: Link, table: Table) -> Evidence:
    """Return what a foreign key says by itself: it leads to one row."""
    many = not table.has_key(link.columns)
    return Evidence(cardinality=cardinality(many_left=many, many_right=False))


def _orphaned(link: Link, evidence: Evidence) -> Problem:
    shown = f"{_columns(link.table, link.columns)} → {_columns(link.to_table, link.to_columns)}"
    rows = f"{evidence.orphans:,} of {evidence.rows:,} references"
    return warning(
        "KG207",
        f"the foreign key {shown} is declared, but {rows} find no row",
        "mend the rows, or join with LEFT JOIN so that none is lost",
    )


def _dangling(link: Link) -> Problem:
    shown = f"{_columns(link.table, link.columns)} → {_columns(link.to_table, link.to_columns)}"
    if link.state == "external":
        return warning(
            "KG201",
            f"the foreign key {shown} leads out of the scope",
            f"include {link.to_table} in kb.yaml if its rows matter",
        )
    missing = "table" if link.state == "missing_table" else "column"
    return warning(
        "KG201",
        f"the foreign key {shown} names a {missing} that doesn't exist",
        "drop or mend the constraint in the database",
    )


def curated(
    relationships: Iterable[Relationship], catalog: Catalog, probe: Probe | None
) -> tuple[list[Link], list[Problem]]:
    """Return the relationships of semantic.yaml as links, measured when a database is there."""
    links = []
    problems: list[Problem] = []
    for relationship in relationships:
        link = _resolved(relationship, catalog, problems)
        if link is not None:
            links.append(measured(link, probe, problems))
    return links, problems


def title(relationship: Relationship) -> str:
    """Return how problems call a relationship of semantic.yaml."""
    left, right = ", ".join(relationship.from_columns), ", ".join(relationship.to_columns)
    return f"the relationship {left} → {right}"


def _resolved(relationship: Relationship, catalog: Catalog, problems: list[Problem]) -> Link | None:
    shown = title(relationship)
    left = _side(relationship.from_columns, catalog, shown, problems)
    right = _side(relationship.to_columns, catalog, shown, problems)
    if left is None or right is None:
        return None
    if len(left[1]) != len(right[1]):
        message = f"{shown} pairs {len(left[1])} columns with {len(right[1])}"
        problems.append(error("KG203", message, "name as many columns on both sides"))
        return None
    condition = None
    if relationship.condition:
        places = [Place(left[0], "t0"), Place(right[0], "t1")]
        try:
            rewritten(relationship.condition, places, catalog)
            condition = rewritten(relationship.condition, places, catalog, by_name=True)
        except ConditionError as failure:
            message = f"the condition of {shown}: {failure.problem}"
            problems.append(error("KG206", message, failure.fix))
            return None
    return Link(
        table=left[0].name,
        columns=left[1],
        to_table=right[0].name,
        to_columns=right[1],
        origin="curated",
        condition=condition,
        description=relationship.description or None,
    )


def _side(
    names: Sequence[str], catalog: Catalog, shown: str, problems: list[Problem]
) -> tuple[Table, tuple[str, ...]] | None:
    found: list[tuple[Table, str]] = []
    for name in names:
        table, column = find_column(name, catalog)
        if table is None or column is None:
            problems.append(no_column("KG202", shown, name, catalog))
            return None
        found.append((table, column.name))
    tables = dict.fromkeys(table.name for table, _ in found)
    if len(tables) != 1:
        message = f"one side of {shown} names columns of several tables"
        fix = "name columns of one table on each side"
        problems.append(error("KG203", message, fix))
        return None
    return found[0][0], tuple(column for _, column in found)


def no_column(code: str, item: str, name: str, catalog: Catalog) -> Problem:
    """Return the problem of an item that names a `table.column` which isn't there."""
    table, _ = find_column(name, catalog)
    table_name, _, column = name.rpartition(".")
    if table is not None:
        columns = [c.name for c in table.columns]
        fix = did_you_mean(column, columns, f"use one of {', '.join(columns[:8])}")
        return error(code, f"{item}: table {table.name} has no column `{column}`", fix)
    if not table_name:
        return error(code, f"{item}: `{name}` is no `table.column`", "write table.column")
    fix = did_you_mean(table_name, catalog.by_name, "name a table that `dblore tables` lists")
    return error(code, f"{item}: there is no table `{table_name}`", fix)


def measured(link: Link, probe: Probe | None, problems: list[Problem]) -> Link:
    """Return the link with its evidence; what can't be measured stays unmeasured and is told."""
    shown = f"{_columns(link.table, link.columns)} → {_columns(link.to_table, link.to_columns)}"
    evidence: Evidence | None = None
    if probe is not None:
        try:
            with probe.checking(f"relationship {shown}"):
                evidence = probe.link(link)
        except TooSlowError:
            message = f"measuring {shown} was {probe.stopped}"
            problems.append(warning("KG205", message, "index the columns"))
        except (QueryError, RefusedError) as failure:
            message = f"measuring {shown} failed: {failure.problem}"
            problems.append(warning("KG205", message, failure.fix))
    if evidence is not None and evidence.matched_share in (None, 0):
        message = f"the relationship {shown} matches no row"
        problems.append(warning("KG204", message, "check columns and condition against the data"))
    return replace(link, evidence=evidence)


def inferred(profile: Profile, catalog: Catalog) -> list[Link]:
    """Return the joins of the profile whose tables and columns are still there."""
    return [link for link in profile.joins if _exists(link, catalog)]


def _exists(link: Link, catalog: Catalog) -> bool:
    sides = ((link.table, link.columns), (link.to_table, link.to_columns))
    for name, columns in sides:
        table = catalog.by_name.get(name)
        if table is None or any(table.column(column) is None for column in columns):
            return False
    return True


def merged(links: Iterable[Link]) -> list[Link]:
    """Return each join once, in key order: the strongest origin wins, what it lacks is kept.

    A join is the same read from either end and with its column pairs in any order.
    """
    kept: dict[tuple[Ends, str], Link] = {}
    for link in sorted(links, key=lambda link: (_STRENGTH[link.origin], link.key)):
        identity = (_ends(link), link.condition or "")
        known = kept.get(identity)
        kept[identity] = link if known is None else _completed(known, link)
    return sorted(kept.values(), key=lambda link: link.key)


def _ends(link: Link) -> Ends:
    pairs = sorted(zip(link.columns, link.to_columns, strict=True))
    turned = sorted(zip(link.to_columns, link.columns, strict=True))
    here = ((link.table, tuple(a for a, _ in pairs)), (link.to_table, tuple(b for _, b in pairs)))
    there = (
        (link.to_table, tuple(a for a, _ in turned)),
        (link.table, tuple(b for _, b in turned)),
    )
    return min(here, there)


def _completed(link: Link, weaker: Link) -> Link:
    return replace(
        link,
        name=link.name or weaker.name,
        label=link.label or weaker.label,
        description=link.description or weaker.description,
        evidence=_joint(link, weaker),
    )


def _joint(link: Link, weaker: Link) -> Evidence | None:
    """Return the link's evidence, or the weaker one's where that was measured and this wasn't."""
    mine, theirs = link.evidence, weaker.evidence
    if theirs is None or (mine is not None and mine.method is not None):
        return mine
    same_way = link.table == weaker.table and set(link.columns) == set(weaker.columns)
    if not same_way:
        turned = reversed_(theirs.cardinality) if theirs.cardinality else None
        return mine or Evidence(cardinality=turned)
    cardinality = mine.cardinality if mine and mine.cardinality else theirs.cardinality
    return replace(theirs, cardinality=cardinality, confidence=None)


def finished(links: Sequence[Link], profile: Profile) -> list[Link]:
    """Return the links with their cost and, where several look alike, their labels."""
    referring = Counter(link.to_table for link in links)
    labels = _labels(links)
    done = []
    for number, link in enumerate(links):
        cost = _cost(link, referring[link.to_table], profile)
        done.append(replace(link, cost=cost, label=link.label or labels.get(number)))
    return done


def _cost(link: Link, referring: int, profile: Profile) -> float:
    cost = BASE_COSTS[link.origin]
    if link.origin == "inferred":
        confidence = link.evidence.confidence if link.evidence else None
        cost += (1 - (confidence or 0.0)) * DOUBT_COST
    if any(_is_bookkeeping(link.table, column, profile) for column in link.columns):
        cost += BOOKKEEPING_COST
    counts = [
        profile.by_table[t].rows for t in (link.table, link.to_table) if t in profile.by_table
    ]
    if 0 in counts:
        cost += EMPTY_COST
    if referring > HUB_LINKS:
        cost += min(HUB_COST_MOST, HUB_COST * math.log2(referring / HUB_LINKS))
    return round(cost, 3)


def _is_bookkeeping(table: str, column: str, profile: Profile) -> bool:
    counted = profile.by_table.get(table)
    found = counted.column(column) if counted else None
    if found is not None and found.housekeeping:
        return True
    return bool(_BOOKKEEPING & set(words(column)))


def _labels(links: Sequence[Link]) -> dict[int, str]:
    """Return labels, by place, for links that share both tables and for self-references."""
    groups: dict[frozenset[str], list[int]] = {}
    for number, link in enumerate(links):
        groups.setdefault(frozenset((link.table, link.to_table)), []).append(number)
    labels: dict[int, str] = {}
    for tables, numbers in groups.items():
        if len(numbers) > 1 or len(tables) == 1:
            labels.update(_told_apart([links[number] for number in numbers], numbers))
    return labels


def _told_apart(links: Sequence[Link], numbers: Sequence[int]) -> dict[int, str]:
    texts = [_role(link) for link in links]
    if len(set(texts)) < len(texts) or "" in texts:
        full = [
            " ".join(word for column in link.columns for word in words(column)) for link in links
        ]
        texts = [
            text if text and texts.count(text) == 1 else whole
            for text, whole in zip(texts, full, strict=True)
        ]
    return {n: text for n, text in zip(numbers, texts, strict=True) if text}


def _role(link: Link) -> str:
    """Return the words of the columns that say neither the target nor that it is a key."""
    taken = {singular(word) for word in words(link.to_table.rpartition(".")[2])} | _KEY_WORDS
    taken |= {singular(word) for column in link.to_columns for word in words(column)}
    mine = [word for column in link.columns for word in words(column)]
    return " ".join(dict.fromkeys(word for word in mine if singular(word) not in taken))


def new_link(
    table: Table,
    columns: tuple[str, ...],
    to_table: Table,
    to_columns: tuple[str, ...],
    condition: str | None = None,
) -> Link:
    """Return a link that a relation states, with the cardinality that the keys promise."""
    many_left, many_right = not table.has_key(columns), not to_table.has_key(to_columns)
    return Link(
        table=table.name,
        columns=columns,
        to_table=to_table.name,
        to_columns=to_columns,
        origin="verified",
        condition=condition,
        evidence=Evidence(cardinality=cardinality(many_left=many_left, many_right=many_right)),
    )


def _columns(table: str, columns: Sequence[str]) -> str:
    if not columns:
        return table
    return f"{table}.{columns[0]}" if len(columns) == 1 else f"{table}.({', '.join(columns)})"
