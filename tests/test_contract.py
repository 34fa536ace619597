"""The contract: models, their JSON, their schemas."""

import json
from pathlib import Path

import jsonschema
import pytest

from schemas import codec, generate
from schemas.models import (
    Catalog,
    Column,
    ColumnProfile,
    Evidence,
    Key,
    Link,
    Table,
    ValueCount,
)

SCHEMAS = Path(generate.__file__).parent

CATALOG = Catalog(
    "sqlite",
    "shop",
    tables=(
        Table(
            "orders",
            "orders",
            columns=(Column("id", "INTEGER", "integer", nullable=False),),
            primary_key=Key(("id",)),
            foreign_keys=(Link("orders", ("id",), "orders", ("id",), evidence=Evidence(rows=0)),),
        ),
    ),
)


def test_the_committed_schemas_are_those_of_the_models():
    written = {path: (SCHEMAS / path).read_text(encoding="utf-8") for path in generate.texts()}

    assert written == generate.texts()


def test_a_model_survives_the_way_to_json_and_back():
    data = json.loads(json.dumps(codec.to_json(CATALOG)))

    assert codec.from_json(Catalog, data) == CATALOG


def test_json_holds_no_defaults_but_keeps_a_measured_zero():
    data = codec.to_json(CATALOG)

    assert data["tables"][0]["foreign_keys"][0]["evidence"] == {"rows": 0}
    assert "comment" not in data["tables"][0]


def test_the_schema_accepts_what_the_model_writes():
    schema = json.loads((SCHEMAS / "catalog.schema.json").read_text(encoding="utf-8"))

    found = list(jsonschema.Draft202012Validator(schema).iter_errors(codec.to_json(CATALOG)))

    assert found == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"dialect": 3}, "int 3", id="another type"),
        pytest.param({"colour": "red"}, "no field 'colour'", id="unknown field"),
        pytest.param({"format": "dblore.catalog/9"}, "expected one of", id="another version"),
        pytest.param({"tables": {}}, "dict", id="object for an array"),
    ],
)
def test_json_of_another_shape_is_refused_with_what_was_found(change, said):
    data = codec.to_json(CATALOG) | change

    with pytest.raises(ValueError, match=said):
        codec.from_json(Catalog, data)


@pytest.mark.parametrize(
    ("column", "said"),
    [
        pytest.param({"name": "id", "native_type": "INT"}, "family", id="a field is missing"),
        pytest.param({"nullable": 1}, "int 1", id="a number for a flag"),
        pytest.param({"comment": 5}, "int 5", id="a number for an optional text"),
        pytest.param({"family": "colour"}, "expected one of", id="no such choice"),
        pytest.param({"enum_members": "ab"}, "str 'ab'", id="a text for a list"),
        pytest.param({"colour": "red"}, "Column has no field 'colour'", id="unknown field"),
        pytest.param(["id"], "list", id="a list for an object"),
    ],
)
def test_what_is_wrong_in_a_small_object_is_told_as_well(column, said):
    whole = {"name": "id", "native_type": "INT", "family": "integer"}
    wrong = column if isinstance(column, list) or "name" in column else whole | column

    with pytest.raises(ValueError, match=said):
        codec.from_json(Table, {"name": "t", "object_name": "t", "columns": [whole, wrong]})


def test_what_is_left_out_has_its_default_and_a_count_is_no_flag():
    assert codec.from_json(ValueCount, {"value": "a", "count": 2}) == ValueCount("a", 2)
    with pytest.raises(ValueError, match="bool True"):
        codec.from_json(ValueCount, {"value": 1, "count": True})
    assert codec.from_json(ColumnProfile, {"column": "a"}) == ColumnProfile("a")
    measured = codec.from_json(Evidence, {"matched_share": 1})
    assert (measured, type(measured.matched_share)) == (Evidence(matched_share=1.0), float)
