"""The commands draft, accept and schema: what they print, and what they tell to do next."""

import json

import pytest

from pipeline.accept import COMMENTS, KINDS
from serve import cli
from serve.cli import authoring


@pytest.fixture
def run(built, capsys):
    """Return a function that runs a command on a built shop: status, stdout, stderr."""

    def call(*words):
        capsys.readouterr()
        status = cli.main([*words, "--kb", str(built.folder)])
        return (status, *capsys.readouterr())

    return call


def test_the_command_knows_every_kind():
    assert (*KINDS, COMMENTS) == authoring._KINDS


def test_a_choice_is_asked_for(run):
    status, out, err = run("accept")

    assert (status, out) == (2, "")
    assert "nothing is chosen" in err
    assert "--all --dry-run" in err
    assert run("accept", "orders", "--all")[0] == 2


@pytest.mark.req("SEM-02", part="--in-place")
def test_draft_in_place_takes_everything_over_and_says_what_is_next(run, built):
    before = built.semantic.read_text(encoding="utf-8")

    status, out, err = run("draft", "--in-place")

    after = built.semantic.read_text(encoding="utf-8")
    assert status == 0
    assert f"{built.semantic}: " in out
    assert "Identifies the order." in after
    assert "Identifies the order." not in before
    assert all(line in after.splitlines() for line in before.splitlines())
    assert "described: " in err
    assert f"dblore build --kb {built.folder}" in err
    assert "Identifies the order." not in built.draft.read_text(encoding="utf-8")
    assert run("accept", "--all")[1] == f"{built.semantic}: 0 new entries\n"


def test_what_was_taken_over_can_be_had_as_json(run, built):
    status, out, _ = run("accept", "orders.id", "--json")

    (made,) = json.loads(out)["made"]
    assert status == 0
    assert made == {
        "target": "orders.id",
        "field": "description",
        "text": "Identifies the order.",
        "source": "guessed: it is the primary key",
    }
    assert run("table", "orders")[1].count("Identifies the order. [accepted draft]") == 1


@pytest.mark.req("SEM-05", part="schemas for editors, offline")
def test_schemas_are_printed_and_copied_beside_people_s_files(run, built):
    status, out, _ = run("schema", "semantic.yaml")
    assert status == 0
    assert json.loads(out)["title"] == "semantic.yaml"

    assert "evaluation" in run("schema")[1].split()
    assert "did you mean semantic?" in run("schema", "semantc")[2]

    copied = run("schema", "--copy")[1].splitlines()
    assert [path.rpartition("/")[2] for path in copied] == [
        "kb.schema.json",
        "semantic.schema.json",
        "knowledge_graph.schema.json",
        "evaluation.schema.json",
    ]
    assert json.loads((built.folder / ".schemas" / "evaluation.schema.json").read_bytes())


def test_where_nothing_was_taken_over_nothing_is_to_be_built(run, built):
    run("accept", "--all")

    err = run("accept", "--all")[2]

    assert "0 new entries" not in err
    assert "dblore build" not in err
    assert f"dblore coverage --kb {built.folder}" in err
