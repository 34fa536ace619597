"""What the three files of people hold, key by key: the readers that build the models.

`schemas/{kb,semantic,knowledge_graph}.schema.json` say the same to editors; a test holds the two
together.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, get_args

import yaml

from pipeline.authored.reading import (
    Place,
    Read,
    Reading,
    choice,
    count,
    flag,
    listing,
    mapping,
    needed_text,
    optional_text,
    record,
    text,
    texts,
    whole,
)
from pipeline.authored.yaml_nodes import is_null, typed
from schemas.facts import Cardinality
from schemas.knowledge import (
    Domain,
    Entity,
    EntityKind,
    Example,
    Expectation,
    GlossaryTerm,
    KnowledgeGraph,
    Metric,
    Polymorphic,
    PolymorphicTarget,
    Relation,
    Relationship,
    RowRange,
    Semantic,
    SemanticColumn,
    SemanticTable,
)
from schemas.settings import KbSettings, ProfileSettings

_RESCAN = re.compile(r"on-change|always|never|[1-9][0-9]{0,5}[smhdw]")


def _patterns(reading: Reading, node: yaml.Node, place: Place) -> tuple[str, ...]:
    """Read regular expressions."""
    patterns = texts(reading, node, place)
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            reading.refuse(
                node, place, f"`{pattern}` is no regular expression: {error}", "mend the pattern"
            )
    return patterns


def _one_or_more(reading: Reading, node: yaml.Node, place: Place) -> tuple[str, ...]:
    """Read a list of texts, or one text."""
    if isinstance(node, yaml.ScalarNode) and not is_null(node):
        return tuple(filter(None, (text(reading, node, place),)))
    return texts(reading, node, place)


def _rescan(reading: Reading, node: yaml.Node, place: Place) -> str | None:
    value = None if is_null(node) else text(reading, node, place)
    if value is not None and not _RESCAN.fullmatch(value):
        reading.unfit(node, place, "on-change, always, never or an interval such as 6h or 1d")
    return value


_PROFILE_KEYS = record(
    ProfileSettings,
    {
        "rows": whole,
        "workers": whole,
        "values": flag,
        "enabled": flag,
        "sensitive": _patterns,
    },
)


def _profile(reading: Reading, node: yaml.Node, place: Place) -> ProfileSettings | None:
    """Read `profile:`, which may be just `false` or `true`."""
    value = typed(node) if isinstance(node, yaml.ScalarNode) else None
    if isinstance(value, bool):
        return ProfileSettings(enabled=value, stated=True)
    if isinstance(node, yaml.ScalarNode) and not is_null(node):
        reading.unfit(node, place, "a map with rows, workers, values, sensitive, or false")
        return None
    settings: ProfileSettings | None = _PROFILE_KEYS(reading, node, place)
    return replace(settings, stated=not is_null(node)) if settings is not None else None


def settings_shape(default_name: str) -> Read:
    """Return the reader of kb.yaml; `default_name` is the folder's."""

    def build(**given: Any) -> KbSettings:
        return KbSettings(**{"name": default_name, **{k: v for k, v in given.items() if v != ""}})

    return record(
        build,
        {
            "name": text,
            "description": text,
            "source": text,
            "ddl": _one_or_more,
            "dialect": text,
            "schemas": texts,
            "include": texts,
            "exclude": texts,
            "profile": _profile,
            "rescan": _rescan,
            "embedder": text,
            "llm": optional_text,
            "allow_functions": texts,
            "allow_tables": texts,
        },
    )


_COLUMN = record(
    SemanticColumn,
    {
        "description": text,
        "synonyms": texts,
        "values": mapping(text),
        "sensitive": flag,
        "unit": optional_text,
    },
    lone="description",
)

_TABLE = record(
    SemanticTable,
    {
        "description": text,
        "synonyms": texts,
        "grain": optional_text,
        "notes": texts,
        "domain": optional_text,
        "hidden": flag,
        "columns": mapping(_COLUMN),
    },
    parts="columns",
)

_DATABASE = record(
    dict,
    {
        "name": text,
        "description": text,
        "dialect_notes": texts,
        "housekeeping_columns": texts,
    },
)

_DOMAIN = record(
    dict,
    {"description": text, "tables": texts},
    lone="description",
)


def _domains(reading: Reading, node: yaml.Node, place: Place) -> tuple[Domain, ...]:
    named = mapping(_DOMAIN)(reading, node, place)
    return tuple(Domain(name, **given) for name, given in named.items())


def _targets(reading: Reading, node: yaml.Node, place: Place) -> tuple[str, ...]:
    """Read columns written `table.column`."""
    columns = texts(reading, node, place)
    for column in columns:
        if not all(column.rpartition(".")):
            reading.refuse(
                node,
                place,
                f"expected `table.column`, found `{column}`",
                "write the table, a dot and the column",
            )
    return columns


_RELATIONSHIP_KEYS = record(
    Relationship,
    {"from": _targets, "to": _targets, "condition": optional_text, "description": text},
    required=("from", "to"),
    renamed={"from": "from_columns", "to": "to_columns"},
)


def _relationship(reading: Reading, node: yaml.Node, place: Place) -> Relationship | None:
    relationship: Relationship | None = _RELATIONSHIP_KEYS(reading, node, place)
    if relationship is None:
        return None
    counts = (len(relationship.from_columns), len(relationship.to_columns))
    if counts[0] != counts[1]:
        reading.refuse(
            node,
            place,
            f"`from` has {counts[0]} columns, `to` has {counts[1]}",
            "list the columns pairwise: the first of `from` equals the first of `to`, and so on",
        )
    return relationship


_ROW_KEYS = record(RowRange, {"min": count, "max": count})


def _rows(reading: Reading, node: yaml.Node, place: Place) -> RowRange | None:
    """Read a number of rows, or the least and the most."""
    if not isinstance(node, yaml.MappingNode):
        number = count(reading, node, place)
        return None if number is None else RowRange(number, number)
    rows: RowRange = _ROW_KEYS(reading, node, place)
    if rows.min is not None and rows.max is not None and rows.min > rows.max:
        problem = f"`min` is {rows.min}, more than `max`, {rows.max}"
        reading.refuse(node, place, problem, "exchange the two")
    return rows


def _columns(reading: Reading, node: yaml.Node, place: Place) -> tuple[str, ...]:
    """Read the names of a result's columns; some engines leave one without a name."""
    read = texts if isinstance(node, yaml.ScalarNode) else listing(text)
    return read(reading, node, place)


EXPECTATION: Read = record(
    Expectation, {"columns": _columns, "rows": _rows, "checksum": optional_text}
)


def _semantic(database: dict[str, Any] | None = None, **given: Any) -> Semantic:
    return Semantic(**(database or {}), **given)


SEMANTIC: Read = record(
    _semantic,
    {
        "database": _DATABASE,
        "domains": _domains,
        "tables": mapping(_TABLE),
        "relationships": listing(_relationship),
        "glossary": listing(
            record(
                GlossaryTerm,
                {
                    "term": needed_text,
                    "synonyms": texts,
                    "definition": text,
                    "sql": optional_text,
                    "tables": texts,
                },
                required=("term",),
            )
        ),
        "metrics": listing(
            record(
                Metric,
                {
                    "name": needed_text,
                    "synonyms": texts,
                    "definition": text,
                    "sql": needed_text,
                },
                required=("name", "sql"),
            )
        ),
        "examples": listing(
            record(
                Example,
                {"question": needed_text, "sql": needed_text, "expect": EXPECTATION},
                required=("question", "sql"),
            )
        ),
    },
)

_ENTITY_KEYS = record(
    Entity,
    {
        "name": needed_text,
        "kind": choice(*get_args(EntityKind)),
        "description": text,
        "synonyms": texts,
        "table": text,
        "key": texts,
        "label": optional_text,
        "filter": optional_text,
        "is_a": optional_text,
        "attributes": texts,
    },
    required=("name",),
)


def _entity(reading: Reading, node: yaml.Node, place: Place) -> Entity | None:
    entity: Entity | None = _ENTITY_KEYS(reading, node, place)
    if entity is not None and not (entity.table or entity.is_a):
        reading.refuse(
            node, place, "lacks `table`", "add `table: …`, or `is_a: …` to take a parent's"
        )
    return entity


_POLYMORPHIC = record(
    Polymorphic,
    {
        "column": needed_text,
        "type_column": needed_text,
        "targets": listing(
            record(
                PolymorphicTarget,
                {"type": needed_text, "object": needed_text, "predicate": optional_text},
                required=("type", "object"),
            )
        ),
    },
    required=("column", "type_column", "targets"),
)

_RELATION_KEYS = record(
    Relation,
    {
        "subject": needed_text,
        "predicate": needed_text,
        "object": text,
        "cardinality": choice(*get_args(Cardinality)),
        "via": texts,
        "on": optional_text,
        "polymorphic": _POLYMORPHIC,
        "condition": optional_text,
        "description": text,
    },
    required=("subject", "predicate"),
)


def _relation(reading: Reading, node: yaml.Node, place: Place) -> Relation | None:
    relation: Relation | None = _RELATION_KEYS(reading, node, place)
    if relation is not None and not (relation.object or relation.polymorphic):
        reading.refuse(
            node, place, "lacks `object`", "add `object: …`, or `polymorphic:` with its targets"
        )
    return relation


KNOWLEDGE_GRAPH: Read = record(
    KnowledgeGraph,
    {"entities": listing(_entity), "relations": listing(_relation)},
)
