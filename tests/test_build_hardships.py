"""The build when things go wrong: killed, twice at once, without its database, damaged."""

import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from pipeline import lock, tasks
from pipeline.kb import Kb
from tests.build_kb import ALL, KNOWLEDGE_GRAPH, SHOP, change, contents, stages_run


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


def test_an_interval_does_not_put_off_what_waits_for_the_database(built):
    settings = built.settings.read_text(encoding="utf-8")
    built.settings.write_text(settings + "rescan: 1d\n", encoding="utf-8")
    source = (built.folder / "../../source.sqlite").resolve()
    source.rename(source.with_suffix(".away"))
    built.knowledge_graph.write_text(
        KNOWLEDGE_GRAPH.replace("kind: event", "kind: event, filter: amount_cents > 10"),
        encoding="utf-8",
    )
    stages_run(built, offline=True)
    source.with_suffix(".away").rename(source)

    assert stages_run(built)[0] == "graph"
    assert "unverified" not in built.graph.read_text(encoding="utf-8")
