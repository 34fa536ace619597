"""What the codes of graph.json mean: KG0xx of entities, KG1xx of relations, KG2xx of links.

An error fails the item; a warning lets it stand.
"""

from __future__ import annotations

from typing import Literal

from schemas.results import Problem

CODES = {
    "KG001": "two entities have the same name",
    "KG002": "an entity has neither `table` nor `is_a`",
    "KG003": "an entity's table doesn't exist",
    "KG004": "a column of an entity (key, label, attribute) doesn't exist",
    "KG005": "an entity's `is_a` names no entity",
    "KG006": "`is_a` runs in a circle",
    "KG007": "an entity's parent failed",
    "KG008": "a filter isn't a safe SQL condition",
    "KG009": "a filter names a column that its table doesn't have",
    "KG010": "the database can't run the filter",
    "KG011": "a filter matches no row",
    "KG012": "a filter keeps every row of the table or of the parent",
    "KG013": "an entity's key isn't unique",
    "KG014": "an entity has no key: its table has no primary key and none was named",
    "KG015": "a measurement of an entity took too long",
    "KG101": "a relation names no entity that exists",
    "KG102": "an entity of a relation failed",
    "KG103": "no join leads from one table to the other",
    "KG104": "`via` names a column that doesn't exist",
    "KG105": "`via` doesn't lead from the subject to the object",
    "KG106": "`on` can't be read as `a.x = b.y [AND …]`",
    "KG107": "a condition isn't a safe SQL condition over the tables of the relation",
    "KG108": "several joins are equally good and `via` names none",
    "KG109": "the join would fan out: many to one and then one to many",
    "KG110": "the join that `via` spells out fans out",
    "KG111": "the database can't run the join",
    "KG112": "a measurement of a relation took too long",
    "KG113": "the join finds no pair",
    "KG114": "some references find nothing on the other side",
    "KG115": "the declared cardinality is contradicted by the data",
    "KG116": "the data is narrower than the declared cardinality",
    "KG117": "a polymorphic type doesn't occur in the data",
    "KG118": "a type in the data has no target",
    "KG119": "a column of a polymorphic reference doesn't exist, or a target has no single key",
    "KG120": "a relation is stated twice",
    "KG121": "a relation has no object",
    "KG201": "a declared foreign key leads to nothing within the scope",
    "KG202": "a relationship of semantic.yaml names a table or column that doesn't exist",
    "KG203": "a relationship of semantic.yaml isn't one list of columns for another",
    "KG204": "a relationship of semantic.yaml matches no row",
    "KG205": "a relationship of semantic.yaml couldn't be measured",
    "KG206": "the condition of a relationship isn't a safe SQL condition over its tables",
    "KG207": "rows break a declared foreign key: their parent is missing",
}


def error(code: str, message: str, fix: str = "") -> Problem:
    """Return a problem that fails its item."""
    return _problem(code, "error", message, fix)


def warning(code: str, message: str, fix: str = "") -> Problem:
    """Return a problem that lets its item stand."""
    return _problem(code, "warning", message, fix)


def _problem(code: str, severity: Literal["error", "warning"], message: str, fix: str) -> Problem:
    assert code in CODES, code
    return Problem(code, severity, message, fix)


def failed(problems: tuple[Problem, ...] | list[Problem]) -> bool:
    """Whether one of the problems is an error."""
    return any(problem.severity == "error" for problem in problems)
