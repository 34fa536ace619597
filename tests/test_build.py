"""The build as a whole: what runs when."""

import json
import shutil
from pathlib import Path

import pytest

from pipeline import tasks
from pipeline.errors import SettingError, SourceError
from pipeline.kb import Kb
from tests.build_kb import ALL, KNOWLEDGE_GRAPH, SEMANTIC, change, contents, stages_run


@pytest.mark.req("BLD-01")
def test_a_second_build_runs_nothing(built):
    assert stages_run(built) == []


@pytest.mark.req("BLD-01")
def test_a_touched_file_rebuilds_nothing(built):
    for path in (built.settings, built.semantic, built.knowledge_graph, built.catalog):
        path.touch()

    assert stages_run(built) == []


@pytest.mark.req("BLD-02", part="one knowledge base on SQLite")
def test_an_edited_description_runs_what_reads_it_and_embeds_one_text(built, monkeypatch):
    text = SEMANTIC.replace("Where the order stands.", "The state of the order.")
    built.semantic.write_text(text, encoding="utf-8")

    monkeypatch.chdir(built.folder.parent)
    result = tasks.run(Kb(Path("shop")), quiet=True)

    assert [done.stage for done in result.done] == ["draft", "graph", "docs", "index", "validate"]
    assert "1 embedded" in next(done.account for done in result.done if done.stage == "index")


@pytest.mark.req("BLD-02", part="one knowledge base on SQLite")
def test_a_scan_that_finds_the_same_runs_nothing_downstream(built):
    change(built, "CREATE TABLE brief (x); DROP TABLE brief;")

    again = stages_run(built)

    assert "draft" not in again
    assert "docs" not in again
    assert "index" not in again


def test_new_rows_run_the_profile_and_not_the_scan(built):
    change(built, "INSERT INTO orders VALUES (14, 2, 'O', 40)")

    again = stages_run(built)

    assert "scan" not in again
    assert again[0] == "profile"
    assert "docs" in again


def test_a_new_table_runs_every_stage(built):
    change(built, "CREATE TABLE refunds (id INTEGER PRIMARY KEY, order_id REFERENCES orders(id))")

    assert stages_run(built) == list(ALL)


def test_a_sensitive_mark_runs_the_profile_and_other_words_do_not(built):
    built.semantic.write_text(
        SEMANTIC.replace("stands.", "stands.\n        sensitive: true"), encoding="utf-8"
    )

    again = stages_run(built)

    assert again[0] == "profile"
    assert "'P'" not in built.profile.read_text(encoding="utf-8")


def test_an_output_edited_by_hand_is_made_again(built):
    original = built.graph.read_bytes()
    built.graph.write_bytes(original.replace(b"Customer", b"Kunde"))

    again = stages_run(built)

    assert again == ["graph"]
    assert built.graph.read_bytes() == original


def test_a_deleted_page_is_made_again(built):
    page = next((built.docs / "tables").iterdir())
    page.unlink()

    assert stages_run(built) == ["docs"]
    assert page.exists()


@pytest.mark.req("BLD-04")
def test_two_clean_builds_are_the_same_to_the_byte(built):
    first = contents(built)
    for path in (built.build, built.docs):
        shutil.rmtree(path)
    for path in built.folder.glob("*.json"):
        path.unlink()

    stages_run(built)

    assert contents(built) == first


@pytest.mark.req("BLD-03")
@pytest.mark.parametrize("stage", tasks.STAGES, ids=lambda stage: stage.name)
def test_a_stage_passes_where_only_its_declared_inputs_are(built, tmp_path, stage):
    alone = Kb(tmp_path / "alone" / "shop")
    alone.folder.mkdir(parents=True)
    shutil.copy(built.settings, alone.settings)
    for attribute in stage.reads.values():
        if getattr(built, attribute).exists():
            shutil.copy(getattr(built, attribute), getattr(alone, attribute))

    assert stages_run(alone, (stage.name,)) == [stage.name]

    for attribute in stage.writes.values():
        name = getattr(built, attribute).name
        assert name == "index" or same(getattr(built, attribute), getattr(alone, attribute)), name


def same(one, other):
    if one.is_file():
        return one.read_bytes() == other.read_bytes()
    names = [p.relative_to(one) for p in one.rglob("*") if p.is_file()]
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


@pytest.mark.req("BLD-08", "MCP-03")
def test_a_clone_whose_source_is_gone_needs_only_the_index(built, tmp_path):
    clone = Kb(tmp_path / "clone" / "shop")
    shutil.copytree(built.folder, clone.folder, ignore=shutil.ignore_patterns("build"))

    assert stages_run(clone) == ["index"]
    assert stages_run(clone) == []


@pytest.mark.req("BLD-08")
def test_facts_stay_when_the_database_is_gone_and_new_graph_items_are_unverified(built, caplog):
    (built.folder / "../../source.sqlite").unlink()
    built.knowledge_graph.write_text(
        KNOWLEDGE_GRAPH.replace("relations:", "  - {name: Country, table: countries}\nrelations:"),
        encoding="utf-8",
    )

    again = stages_run(built)

    entities = json.loads(built.graph.read_text(encoding="utf-8"))["entities"]
    states = {item["entity"]["name"]: item["status"] for item in entities}
    assert again == ["graph", "docs", "index", "validate"]
    assert states["Country"] == "unverified"
    assert "keeping the facts of" in caplog.text


@pytest.mark.req("BLD-08")
def test_offline_builds_what_needs_no_database(built):
    text = SEMANTIC.replace("Where the order stands.", "The state of the order.")
    built.semantic.write_text(text, encoding="utf-8")
    change(built, "CREATE TABLE unseen (id)")

    again = stages_run(built, offline=True)

    assert again == ["draft", "graph", "docs", "index", "validate"]


def test_a_database_that_was_never_read_and_is_not_there_is_an_error(shop):
    (shop.folder / "../../source.sqlite").unlink()

    error = tasks.run(shop, quiet=True).error

    assert isinstance(error, SourceError)
    assert error.exit_status == 4
    assert "source.sqlite" in error.problem
    assert not shop.catalog.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("name: shop\nsorce: x\n", "sorce", id="unknown key"),
        pytest.param(
            "name: shop\nsource: ${NO_SUCH_VARIABLE}\n", "NO_SUCH_VARIABLE", id="variable"
        ),
        pytest.param("name: [\n", "kb.yaml", id="no YAML"),
        pytest.param("name: shop\nsource: x\nrescan: daily\n", "rescan", id="unknown policy"),
    ],
)
def test_settings_that_cannot_be_used_are_one_clear_error(shop, text, said):
    shop.settings.write_text(text, encoding="utf-8")

    error = tasks.run(shop, quiet=True).error

    assert isinstance(error, SettingError)
    assert said in error.problem
    assert error.fix
    assert not shop.catalog.exists()


def test_a_rejected_file_put_right_again_leaves_nothing_to_do(built):
    settings = built.settings.read_text(encoding="utf-8")
    built.settings.write_text(settings + "sorce: x\n", encoding="utf-8")
    built.semantic.write_text(SEMANTIC + "metrcs: []\n", encoding="utf-8")

    error = tasks.run(built, quiet=True).error
    built.settings.write_text(settings, encoding="utf-8")
    built.semantic.write_text(SEMANTIC, encoding="utf-8")

    assert error is not None
    assert stages_run(built) == []


def test_never_leaves_the_database_alone_and_always_reads_it(built):
    change(built, "INSERT INTO orders VALUES (14, 2, 'O', 40)")
    settings = built.settings.read_text(encoding="utf-8")
    built.settings.write_text(settings + "rescan: never\n", encoding="utf-8")

    never = stages_run(built)
    built.settings.write_text(settings + "rescan: always\n", encoding="utf-8")
    always = stages_run(built)

    assert never == []
    assert always[:2] == ["scan", "profile"]
    assert stages_run(built)[:2] == ["scan", "profile"]
