"""DL0xx: names that lead to nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.authored import name_faults
from pipeline.errors import did_you_mean
from pipeline.lineage.near import ADD_FROM, NO_FROM
from pipeline.lint.rule import Found, Rule
from pipeline.lint.world import World, shown
from schemas.references import Unresolved

_NO_TABLE = "there is no table"


def _faults(world: World, *codes: str, severity: str = "error") -> Iterator[Found]:
    for fault in name_faults(world.document, world.catalog):
        if fault.code in codes and fault.severity == severity:
            yield Found(fault.target, fault.message, fault.fix, fault.place, what=fault.message)


def _tables(world: World) -> Iterator[Found]:
    for lacking in _unresolved(world):
        if lacking.reason.startswith(_NO_TABLE):
            yield _lack(lacking)


def _columns(world: World) -> Iterator[Found]:
    for lacking in _unresolved(world):
        is_table = lacking.reason.startswith(_NO_TABLE)
        if not is_table and "no entity" not in lacking.reason:
            yield _lack(lacking)


def _entities(world: World) -> Iterator[Found]:
    for lacking in _unresolved(world):
        if "no entity" in lacking.reason:
            yield _lack(lacking)


def _in_prose(world: World) -> Iterator[Found]:
    for lacking in world.unresolved:
        if lacking.by == "prose":
            yield _lack(lacking)


def _unresolved(world: World) -> Iterator[Unresolved]:
    for lacking in world.unresolved:
        if lacking.by != "prose" and lacking.text:
            yield lacking


def _lack(lacking: Unresolved) -> Found:
    item = lacking.item
    named = f"{'term' if item.kind == 'glossary' else item.kind} {shown(item.name)}"
    target = item.name if item.kind in ("table", "column", "codes") else named
    reason = shown(lacking.reason, 200)
    near = f"did you mean {lacking.nearest}?" if lacking.nearest else "name one that there is"
    if lacking.reason.startswith(NO_FROM):
        near = ADD_FROM
    return Found(
        target,
        reason
        if item.kind in ("table", "column") and lacking.by == "place"
        else f"{target}: {reason}",
        near,
        lacking.keys,
        item.file,
        what=lacking.text,
        at=(lacking.line, lacking.column) if lacking.line else None,
    )


def _patterns(world: World) -> Iterator[Found]:
    for found in _faults(world, "empty-pattern", "unknown-column", severity="warning"):
        if found.place[0] != "domains" or re.search(r"[*?\[]", found.message):
            yield found  # a plain name is told as an unknown table
    known = {domain.name for domain in world.semantic.domains}
    for table in world.tables if known else ():
        domain = table.said.domain
        if domain and domain not in known:
            yield Found(
                table.card.name,
                f"the domain `{domain}` of {table.card.name} is not listed under `domains:`",
                did_you_mean(domain, known, "add it there with a description"),
                ("tables", table.written, "domain"),
            )


def _doubled(world: World) -> Iterator[Found]:
    yield from _faults(world, "described-twice", "mixed-tables")


RULES = (
    Rule(
        "DL001",
        "unknown-table",
        "error",
        "A table that the catalogue doesn't have: as an entry, in a join, in SQL.",
        "What is said of it reaches nobody; SQL that reads it fails.",
        "Use the name that is offered; after a rename, move what was said.",
        "tables:\n  ordrs: {description: …}  # there is no table `ordrs`",
        _tables,
    ),
    Rule(
        "DL002",
        "unknown-column",
        "error",
        "A column that its table doesn't have: as an entry, in a join, in SQL, in a filter.",
        "What is said of it reaches nobody; SQL that reads it fails.",
        "Use the name that is offered; after a rename, move what was said.",
        "columns:\n  staus: State.  # table orders has no column `staus`",
        _columns,
    ),
    Rule(
        "DL003",
        "empty-pattern",
        "warning",
        "A pattern of a domain that fits no table, a housekeeping column that no table has, a "
        "domain "
        "of a table that isn't listed under `domains:`.",
        "It has no effect, and nobody notices.",
        "Correct or remove it.",
        "domains:\n  Sales: {tables: [sale_*]}  # no table fits `sale_*` of domain Sales",
        _patterns,
    ),
    Rule(
        "DL004",
        "unclear-entry",
        "error",
        "Two entries for one table, and a side of a join that names columns of several tables.",
        "Which of the two counts is chance; such a join can't be used.",
        "Merge the entries; name columns of one table on each side.",
        "tables:\n  orders: …\n  Orders: …  # `Orders` and `orders` are the same table",
        _doubled,
    ),
    Rule(
        "DL005",
        "unknown-entity",
        "error",
        "A relation whose subject or object is no entity of knowledge_graph.yaml.",
        "The relation isn't used.",
        "Use the name that is offered, or add the entity.",
        "relations:\n  - {subject: Custmer, predicate: places, object: Order}  # there is no "
        "entity `Custmer`",
        _entities,
    ),
    Rule(
        "DL006",
        "unknown-name-in-text",
        "warning",
        "A description, note or definition that names a column that its table doesn't have. Only "
        "what "
        "is written as a name: in backticks, as `Table.Column`, or as identifiers are (`cust_no`).",
        "Agents copy names from texts into SQL.",
        "Use the name that is offered; after a rename, correct the text.",
        "customer_id: Foreign key to Customer.BusinessEntityID.  # table Customer has no column …",
        _in_prose,
    ),
)
