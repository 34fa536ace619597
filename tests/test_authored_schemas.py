"""The JSON Schemas that editors use and the loader accept the same files."""

import json
import random
from pathlib import Path

import jsonschema
import pytest

from pipeline.authored import (
    load_knowledge_graph,
    load_semantic,
    load_settings,
    read_evaluation,
)
from pipeline.errors import SettingError

SCHEMAS = Path(__file__).resolve().parent.parent / "schemas"
LOADERS = {
    "kb": load_settings,
    "semantic": load_semantic,
    "knowledge_graph": load_knowledge_graph,
    "evaluation": read_evaluation,
}
BEYOND_SCHEMAS = ("is no regular expression", "columns, `to` has", "more than `max`", "has the id")

NOT_TEXT = [None, True, False, -1, 0, 3]
SCALARS = [
    *NOT_TEXT,
    "",
    " ",
    "a",
    "a.b",
    "orders.id",
    "a.b = c.d",
    "6h",
    "core",
    "never",
    "x: #y",
    "é",
]
JUNK = [*SCALARS, [], {}, [None], ["a", 1], [["a"]], {"a": 1}, {"sql": "a"}, {"table": None}]


def schema_of(stem):
    return json.loads((SCHEMAS / f"{stem}.schema.json").read_text(encoding="utf-8"))


def document(schema, root, chance):
    """Return a value that mostly fits `schema`, and now and then doesn't."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    if chance.random() < 0.03:
        return chance.choice(JUNK)
    fitting = []
    if "enum" in schema:
        fitting.append(lambda: chance.choice(schema["enum"]))
    options = [option for option in schema.get("anyOf", []) if "required" not in option]
    fitting += [lambda option=option: document(option, root, chance) for option in options]
    if "items" in schema:
        count = chance.randrange(3)
        fitting.append(lambda: [document(schema["items"], root, chance) for _ in range(count)])
    if "properties" in schema:
        fitting.append(lambda: known_keys(schema, root, chance))
    if isinstance(schema.get("additionalProperties"), dict):
        values = schema["additionalProperties"]
        names = chance.sample(["a", "1", "b c"], chance.randrange(3))
        fitting.append(lambda: {name: document(values, root, chance) for name in names})
    if not fitting:
        types = schema.get("type", [])
        chosen = [
            s for s in SCALARS if jsonschema.Draft202012Validator({"type": types}).is_valid(s)
        ]
        return chance.choice(chosen)
    return chance.choice(fitting)()


def known_keys(schema, root, chance):
    entries = {
        name: document(part, root, chance)
        for name, part in schema["properties"].items()
        if name in schema.get("required", []) or chance.random() < 0.5
    }
    if chance.random() < 0.02:
        entries["unknown"] = 1
    if entries and chance.random() < 0.02:
        entries.pop(chance.choice(sorted(entries)))
    return entries


@pytest.mark.req("SEM-05", part="schemas")
@pytest.mark.parametrize("stem", sorted(LOADERS))
def test_schema_and_loader_accept_the_same_files(stem, tmp_path):
    schema = schema_of(stem)
    validator = jsonschema.Draft202012Validator(schema)
    path = tmp_path / f"{stem}.yaml"
    chance = random.Random(5)
    verdicts = {True: 0, False: 0}

    for _ in range(200):
        data = document(schema, schema, chance)
        path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        try:
            LOADERS[stem](path)
            problem = ""
        except SettingError as error:
            problem = error.problem
        if not any(text in problem for text in BEYOND_SCHEMAS):
            verdicts[not problem] += 1
            assert validator.is_valid(data) == (not problem), (data, problem)

    assert min(verdicts.values()) > 25, verdicts


@pytest.mark.parametrize("stem", sorted(LOADERS))
def test_every_key_has_a_description_that_editors_show(stem):
    bare = []

    def walk(part, place):
        for name, value in part.get("properties", {}).items():
            if "description" not in value and part.get("type") != "null":
                bare.append(f"{place}.{name}")
        for name, value in part.items():
            if isinstance(value, dict) and name != "anyOf":
                walk(value, f"{place}.{name}")

    walk(schema_of(stem), stem)

    assert not [place for place in bare if "anyOf" not in place]
