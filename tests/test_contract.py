"""The contract: models, their JSON, their schemas."""

import json
from pathlib import Path

import jsonschema
import pytest

from schemas import codec, generate
from schemas.models import Catalog, Column, Evidence, Key, Link, Table

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
