"""The build as a whole: what runs when, and what a run leaves behind."""

import dataclasses
import hashlib
import importlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from pipeline import lock, tasks
from pipeline.errors import SettingError, SourceError
from pipeline.kb import Kb

SHOP = """
CREATE TABLE countries (code TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, email TEXT, country TEXT NOT NULL REFERENCES countries(code)
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers(id),
    status TEXT NOT NULL,
    amount_cents INTEGER NOT NULL
);
INSERT INTO countries VALUES ('GB', 'Great Britain'), ('FI', 'Finland');
INSERT INTO customers VALUES (1, 'a@x.test', 'GB'), (2, 'b@x.test', 'FI'), (3, NULL, 'FI');
INSERT INTO orders VALUES (10, 1, 'O', 100), (11, 1, 'P', 250), (12, 2, 'P', 75), (13, 3, 'C', 5);
"""
SEMANTIC = """\
database:
  name: Shop
tables:
  orders:
    description: One row per order.
    columns:
      status:
        description: Where the order stands.
        values: {O: open, P: paid, C: cancelled}
metrics:
  - name: revenue
    definition: Paid orders, in cents.
    sql: SELECT SUM(amount_cents) FROM orders WHERE status = 'P'
examples:
  - question: How many orders are open?
    sql: SELECT COUNT(*) FROM orders WHERE status = 'O'
"""
KNOWLEDGE_GRAPH = """\
entities:
  - {name: Customer, table: customers}
  - {name: Order, table: orders, kind: event}
relations:
  - {subject: Order, predicate: placed_by, object: Customer, cardinality: many_to_one}
"""
ALL = tuple(stage.name for stage in tasks.STAGES)


@pytest.fixture
def shop(tmp_path, make_db):
    """Return a knowledge base over the shop that was never built."""
    folder = tmp_path / "kb" / "shop"
    folder.mkdir(parents=True)
    make_db(SHOP)
    (folder / "kb.yaml").write_text("name: shop\nsource: ../../source.sqlite\n", encoding="utf-8")
    (folder / "semantic.yaml").write_text(SEMANTIC, encoding="utf-8")
    (folder / "knowledge_graph.yaml").write_text(KNOWLEDGE_GRAPH, encoding="utf-8")
    return Kb(folder)


@pytest.fixture
def built(shop):
    """Return the same, built."""
    assert stages_run(shop) == list(ALL)
    return shop


def stages_run(kb, stages=(), **how):
    result = tasks.run(kb, stages, quiet=True, **how)
    assert result.error is None
    return [outcome.stage for outcome in result.done]


def change(kb, sql):
    with closing(sqlite3.connect(kb.folder / "../../source.sqlite")) as connection:
        connection.executescript(sql)


def contents(kb):
    """Every artifact with the hash of its bytes; times that the lock notes are left out."""
    found = {}
    for path in sorted(kb.folder.rglob("*")):
        name = path.relative_to(kb.folder).as_posix()
        if path.is_file() and name != "kb.lock.json" and not name.startswith("build/"):
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    for path in sorted((kb.index / (kb.index / "current").read_text("utf-8").strip()).iterdir()):
        found[f"index/{path.name}"] = hashlib.sha256(path.read_bytes()).hexdigest()
    stages = lock.read(kb).stages
    found["lock"] = repr(sorted((name, dataclasses.astuple(s)) for name, s in stages.items()))
    return found


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


def test_what_was_not_verified_for_want_of_the_database_is_verified_when_it_is_back(built):
    source = (built.folder / "../../source.sqlite").resolve()
    source.rename(source.with_suffix(".away"))
    built.knowledge_graph.write_text(
        KNOWLEDGE_GRAPH.replace("kind: event", "kind: event, filter: amount_cents > 10"),
        encoding="utf-8",
    )
    without = stages_run(built)
    again_without = stages_run(built)
    source.with_suffix(".away").rename(source)

    back = stages_run(built)

    assert without == ["graph", "docs", "index", "validate"]
    assert again_without == []
    assert back[0] == "graph"
    assert "validate" in back
    assert "unverified" not in built.graph.read_text(encoding="utf-8")
    assert stages_run(built) == []


def test_the_environment_does_not_redirect_a_knowledge_base(built, make_db, monkeypatch):
    monkeypatch.setenv("DBLORE_DB", str(make_db("CREATE TABLE other (id);", "other.sqlite")))

    assert stages_run(built) == []


@pytest.mark.parametrize("name", ["a=b", "with blank", "ünïcode", "100%", "a:b"])
def test_a_folder_of_any_name_is_built(tmp_path, make_db, name):
    kb = Kb(tmp_path / name)
    kb.folder.mkdir()
    make_db(SHOP)
    kb.settings.write_text("source: ../source.sqlite\nembedder: none\n", encoding="utf-8")

    assert stages_run(kb) == list(ALL)
    assert stages_run(kb) == []


@pytest.mark.parametrize("file", ["build/doit.json", "build/digests.json", "kb.lock.json"])
@pytest.mark.parametrize("text", ["[]", "5", '{"scan:shop": 5}', "[" * 100_000, "\x00"])
def test_damaged_state_is_as_good_as_none(built, file, text):
    (built.folder / file).write_text(text, encoding="utf-8")

    stages_run(built)

    assert stages_run(built) == []


def test_a_build_does_not_touch_docs_that_others_wrote(shop):
    shop.docs.mkdir()
    (shop.docs / "guide.md").write_text("precious", encoding="utf-8")

    error = tasks.run(shop, quiet=True).error

    assert "guide.md" in error.problem
    assert (shop.docs / "guide.md").read_text(encoding="utf-8") == "precious"


def test_a_database_that_changes_while_it_is_read_is_told(shop, caplog, monkeypatch):
    result = tasks.run(shop, ("scan",), quiet=True)
    assert result.error is None
    real = importlib.import_module("pipeline.profile").build

    def build_and_change(**arguments):
        account = real(**arguments)
        change(shop, "INSERT INTO orders VALUES (14, 2, 'O', 40)")
        return account

    monkeypatch.setattr("pipeline.profile.build", build_and_change)
    stages_run(shop, ("profile",))

    assert "changed while it was read" in caplog.text


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


@pytest.mark.req("BLD-05", "BLD-09")
@pytest.mark.parametrize("after", [0.3, 0.6, 0.9, 1.4])
def test_a_killed_build_leaves_whole_files_and_the_next_one_finishes(shop, after):
    process = build_process(shop)
    time.sleep(after)
    process.kill()
    process.communicate()
    for path in shop.folder.glob("*.json"):
        json.loads(path.read_text(encoding="utf-8"))
    finished = set(lock.read(shop).stages)

    again = stages_run(shop)

    assert finished.isdisjoint(again)
    assert stages_run(shop) == []
    assert not list(shop.folder.rglob("*.dblore-tmp"))


@pytest.mark.req("BLD-09")
def test_two_builds_at_once_both_succeed_and_leave_one_whole_result(shop):
    processes = [build_process(shop) for _ in range(2)]

    ends = [process.communicate(timeout=100)[1] for process in processes]

    assert [process.returncode for process in processes] == [0, 0], ends
    assert stages_run(shop) == []


@pytest.mark.req("BLD-09")
def test_a_build_that_waits_says_for_what(shop):
    from filelock import FileLock

    shop.build.mkdir()
    with FileLock(shop.build / "lock"):
        process = build_process(shop)
        said = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)

    assert "another build of" in said
    assert process.returncode == 130


@pytest.mark.req("BLD-05")
def test_a_folder_that_cannot_be_written_is_one_clear_error(built):
    change(built, "CREATE TABLE refunds (id INTEGER PRIMARY KEY)")
    before = contents(built)
    for path in (built.folder, built.build):
        path.chmod(0o555)

    process = build_process(built, as_other_user())
    said = process.communicate(timeout=60)[1]

    for path in (built.folder, built.build):
        path.chmod(0o755)
    assert process.returncode == 2
    assert "can't be written" in said
    assert "Traceback" not in said
    assert contents(built) == before


def as_other_user():
    """A command that takes root's right to write everywhere; empty for everyone else."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere, and there is no setpriv to give that right up")
    return ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]


def build_process(kb, prefix=()):
    return subprocess.Popen(
        [*prefix, sys.executable, "-m", "serve.cli", "build", "--kb", str(kb.folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
