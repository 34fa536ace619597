"""References to several tables: an id column whose type column says which table is meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from pipeline.profile.candidates import Candidate, Candidates, Key
from pipeline.profile.containment import Containment
from pipeline.profile.kinds import words as word_set
from pipeline.profile.name_parts import TableName
from pipeline.profile.naming import Match
from pipeline.profile.naming_words import ANYTHING
from pipeline.text import singular, words
from schemas.facts import Column, Link, Scalar, Table

Measure = Callable[[Candidate, str], "Containment | None"]

_TYPES = word_set("type kind class table model entity typ tipo art tabelle tabla tabela")
_ESCAPES = ("mysql", "bigquery", "databricks", "spark", "hive", "clickhouse")
"""Dialects in whose texts a backslash must be doubled."""
_MOST_TYPES = 20
_LEAST_REFERENCES = 20
_LEAST_COVERED = 0.2
_FULL_NAME = 0.9
_ALL = 0.98
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class _Pair:
    table: Table
    column: Column
    type_column: Column
    stem: tuple[str, ...]
    """What the id's name says of all targets: `order` in `reference_order_id`."""
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class _Branch:
    value: Scalar
    candidate: Candidate
    data: Containment
    strength: float


def infer(candidates: Candidates, measure: Measure) -> list[Link]:
    """Return one link a type value and its table, with the condition that picks its rows."""
    links: list[Link] = []
    for pair in _pairs(candidates):
        options = [_options(candidates, pair, value, measure) for value in pair.values]
        settled = [found[0] for found in options if _is_clear(found)]
        branches = [b for found in options if (b := _chosen(found, settled, candidates))]
        named = any(b.strength >= _FULL_NAME for b in branches)
        targets = {b.candidate.target.name for b in branches}
        if (named or len(branches) > 1) and (len(targets) > 1 or named):
            links += [_link(pair, branch, candidates.dialect) for branch in branches]
    return links


def _pairs(candidates: Candidates) -> Iterator[_Pair]:
    for table in candidates.tables:
        declared = {name for link in table.foreign_keys for name in link.columns}
        types = [column for column in table.columns if _tells_type(column)]
        for column in table.columns:
            name = candidates.column_name(table, column)
            own = table.primary_key is not None and table.primary_key.columns == (column.name,)
            if own or column.name in declared or not name.stem or name.suffix == "code":
                continue
            if not name.suffix and not set(name.stem) & ANYTHING:
                continue
            pair = _paired(candidates, table, column, name.stem, types)
            if pair is not None:
                yield pair


def _tells_type(column: Column) -> bool:
    last = (words(column.name) or [""])[-1]
    return last in _TYPES or last.endswith("type")  # `transactiontype`


def _paired(
    candidates: Candidates, table: Table, column: Column, stem: tuple[str, ...], types: list[Column]
) -> _Pair | None:
    """Return the id column with its type column: of the same stem, else the table's only one."""
    same = [
        t
        for t in types
        if t is not column and "".join(map(singular, words(t.name)[:-1])) == "".join(stem)
    ]  # `commentable` may have been divided, where there is a table called `table`
    is_open = bool(set(stem) & ANYTHING - {"parent"}) or stem[-1].endswith("able")
    if not same and not (is_open and len(types) == 1):
        return None
    if same and not is_open and not _names_tables(candidates, table, same[0]):
        return None
    chosen = same[0] if same else types[0]
    profile = candidates.profile(table, chosen)
    values = tuple(v.value for v in profile.values)
    is_whole = profile.values_complete or len(values) == profile.distinct  # of a sample all it has
    if not is_whole or not 1 <= len(values) <= _MOST_TYPES:
        return None
    rest = tuple(word for word in stem if word not in ANYTHING and not word.endswith("able"))
    return _Pair(table, column, chosen, () if same else rest, values)


def _names_tables(candidates: Candidates, table: Table, type_column: Column) -> bool:
    values = candidates.profile(table, type_column).values
    return any(
        _name_strength(v.value, name) >= _FULL_NAME
        for v in values
        for name in candidates.names.values()
    )


def _options(candidates: Candidates, pair: _Pair, value: Scalar, measure: Measure) -> list[_Branch]:
    """Return the tables that a type value may mean, best name first, that hold all its rows."""
    where = _condition(candidates.quote(pair.type_column.name), value, candidates.dialect)
    found: list[_Branch] = []
    for key in candidates.keys:
        names = candidates.names[key.table.name]
        strength = _name_strength(value, names)
        if (
            not strength
            or not _is_main_key(key)
            or not all(word in "".join(names.words) for word in pair.stem)
        ):
            continue
        match = Match(strength, "its type column names the table")
        candidate = candidates.candidate(pair.table, pair.column, key, match)
        if not candidates.may_join(candidate):
            continue
        data = measure(candidate, where)
        if data is not None and _holds(strength, data, key, has_stem=bool(pair.stem)):
            found.append(_Branch(value, candidate, data, strength))
    found.sort(
        key=lambda b: (
            -b.strength,
            b.candidate.target.schema != pair.table.schema,
            -_covered(b),
            candidates.position(b.candidate.target),
        )
    )
    return found


def _is_clear(found: list[_Branch]) -> bool:
    """Return whether the first table is named better, or covered far more, than the second."""
    if len(found) < 2:  # no second
        return bool(found)
    first, second = found[:2]
    home = first.candidate.table.schema  # before a table of the same name in another schema
    at_home = [b.candidate.target.schema == home for b in (first, second)]
    is_named = first.strength >= _FULL_NAME and at_home == [True, False]
    return first.strength > second.strength or is_named or _covered(first) > 1.5 * _covered(second)


def _chosen(found: list[_Branch], settled: list[_Branch], candidates: Candidates) -> _Branch | None:
    """Return the table that is meant: a clear one, or the only one akin to the other branches'.

    `S` may be `sales_order` or `shipment`; beside `P` for `purchase_order` it is the order.
    """
    if not found or _is_clear(found):
        return found[0] if found else None
    heads = {candidates.names[b.candidate.target.name].stems[-1][-1] for b in settled}
    best = [b for b in found if b.strength == found[0].strength]
    akin = [b for b in best if candidates.names[b.candidate.target.name].stems[-1][-1] in heads]
    return akin[0] if len(akin) == 1 else None


def _holds(strength: float, data: Containment, key: Key, *, has_stem: bool) -> bool:
    if strength >= _FULL_NAME:
        return data.matched_share >= _HALF
    covered = data.covered(key.profile.distinct) or 0
    return (
        data.matched_share >= _ALL
        and data.rows >= _LEAST_REFERENCES
        and (covered >= _LEAST_COVERED or has_stem)
    )


def _covered(branch: _Branch) -> float:
    return branch.data.covered(branch.candidate.key_profile.distinct) or 0.0


def _is_main_key(key: Key) -> bool:
    primary = key.table.primary_key
    return primary is None or primary.columns == (key.column.name,)


def _name_strength(value: Scalar, name: TableName) -> float:
    """Return how well a type value names a table: 0.95 in full, less when it is a short code."""
    if not isinstance(value, str):
        return 0.0
    parts = re.split(r"[\\/.:]", value.strip())
    found = tuple(singular(word) for word in words(parts[-1]))
    if not found:
        return 0.0
    for start in range(len(parts)):  # `App\\Models\\Invoice`, `sale.order`
        whole = "".join(singular(word) for part in parts[start:] for word in words(part))
        if any(whole == "".join(stem) for stem in name.called):
            return 0.95
    if len(found) > 1 and name.words[: len(found)] == found:  # `DirectMessage` in its channels
        return _FULL_NAME
    code = "".join(found)
    if len(found) > 1:
        return 0.0
    if len(code) == 1:
        return (
            0.7
            if name.words[0].startswith(code)
            else 0.6 * any(w.startswith(code) for w in name.words)
        )
    if code == name.initials or any(
        len(code) > 2 and w.startswith(code) for w in name.words
    ):  # two letters begin too many words
        return 0.8
    return 0.0


def _condition(column: str, value: Scalar, dialect: str) -> str:
    if not isinstance(value, str):
        return f"{column} = {value}"
    if dialect in _ESCAPES:
        value = value.replace("\\", "\\\\")
    return f"{column} = '" + value.replace("'", "''") + "'"


def _link(pair: _Pair, branch: _Branch, dialect: str) -> Link:
    name = f"{_plain(pair.table.name)}.{_plain(pair.type_column.name)}"
    key = branch.candidate.key_profile
    evidence = branch.data.evidence(to_distinct=key.distinct, null_share=None, is_key=False)
    return Link(
        pair.table.name,
        (pair.column.name,),
        branch.candidate.target.name,
        (branch.candidate.key.name,),
        origin="inferred",
        condition=_condition(name, branch.value, dialect),
        evidence=replace(
            evidence,
            confidence=round(
                min(0.95, branch.strength + 0.1 * bool(pair.stem)) * branch.data.matched_share, 3
            ),
            reasons=(
                "the type column says which table is meant",
                branch.data.found(),
            ),
        ),
    )


def _plain(name: str) -> str:
    """Return a name as `table.column` of a condition has it: quoted only where it must be."""
    return (
        name
        if re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)?", name)
        else '"' + name.replace('"', '""') + '"'
    )
