"""What `rescan:` makes of a database that changed, and of one that can't tell."""

import dataclasses
import sqlite3
from contextlib import closing

import pytest

from pipeline import artifacts, lock, tasks
from pipeline.database import fingerprint
from pipeline.database.servers import bare
from pipeline.kb import Kb
from pipeline.staleness import Situation
from serve import cli
from tests import engines, postgres_databases
from tests.build_kb import change, stages_run

FACTS = ("scan", "profile")


@pytest.fixture
def server(request):
    return lambda name: engines.server(name, required=request.config.getoption("require_engines"))


@pytest.fixture
def postgres(server):
    ddl = """
        CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE u (id int);
        CREATE SCHEMA other; CREATE TABLE other.far (id int);
        CREATE VIEW shows_far AS SELECT id FROM other.far;
    """
    with postgres_databases.database(server("postgres"), "rescan", ddl) as source:
        yield source


def kb_of(folder, source, settings=""):
    kb = Kb(folder / "kb")
    kb.folder.mkdir(exist_ok=True)
    text = f"name: kb\nsource: {source.url}\nembedder: none\n{settings}"
    kb.settings.write_text(text, encoding="utf-8")
    return kb


def setting(kb, line):
    """Write one more line into kb.yaml."""
    kb.settings.write_text(kb.settings.read_text(encoding="utf-8") + line, encoding="utf-8")


def measured_long_ago(kb):
    """Make the lock say that all stages measured years ago."""
    known = artifacts.read(kb.lock, type(lock.read(kb)))
    times = dict.fromkeys(known.measured, "2020-01-01T00:00:00Z")
    artifacts.write(kb.lock, dataclasses.replace(known, measured=times))


@pytest.mark.req("BLD-07", part="an interval")
def test_an_interval_looks_again_when_it_is_over_and_then_at_structure_and_rows(built):
    setting(built, "rescan: 1d\n")
    change(built, "INSERT INTO orders VALUES (14, 2, 'O', 40)")
    change(built, "ALTER TABLE orders ADD COLUMN note TEXT")

    early = stages_run(built, FACTS)
    measured_long_ago(built)
    due = stages_run(built, FACTS)

    assert early == []
    assert due == ["scan", "profile"]
    assert stages_run(built, FACTS) == []


def test_a_scan_that_ran_just_now_does_not_put_off_the_look_at_the_rows(built):
    setting(built, "rescan: 1d\n")
    change(built, "INSERT INTO orders VALUES (14, 2, 'O', 40)")
    measured_long_ago(built)
    record = lock.read(built).stages["scan"]
    stale = dataclasses.replace(record, inputs={**record.inputs, "database structure": "old"})
    lock.record(built, "scan", stale, measured=False)

    assert stages_run(built, FACTS) == ["scan", "profile"]  # the catalogue is as it was


@pytest.mark.req("BLD-07", part="a database that can't tell")
def test_a_database_that_cannot_tell_counts_as_changed_and_a_note_says_how_to_change_that(
    postgres, tmp_path, caplog
):
    untold = postgres_databases.named(postgres, query={"options": "-c track_counts=off"})
    kb = kb_of(tmp_path, untold)

    runs = [stages_run(kb, FACTS) for _ in range(2)]
    reasons = [str(reason) for reason in Situation(kb).reasons(tasks.BY_NAME["profile"])]
    said = [r.message for r in caplog.records if "rescan: 1d" in r.message]
    setting(kb, "rescan: 1d\n")
    by_interval = stages_run(kb, FACTS)
    measured_long_ago(kb)
    when_due = stages_run(kb, FACTS)

    assert runs == [["scan", "profile"], ["profile"]]
    assert reasons == ["the database doesn't tell whether its data changed"]
    assert len(said) == 2
    assert (by_interval, when_due) == ([], ["profile"])


@pytest.mark.req("BLD-02", part="scope")
def test_rows_out_of_scope_count_only_where_a_view_in_scope_shows_them(postgres, tmp_path):
    kb = kb_of(tmp_path, postgres, "schemas: [public]\nexclude: [u]\n")
    stages_run(kb, FACTS)

    postgres_databases.run_counted(postgres, "INSERT INTO u VALUES (1)")
    excluded = stages_run(kb, FACTS)
    postgres_databases.run_counted(postgres, "INSERT INTO other.far VALUES (1)")
    shown = stages_run(kb, FACTS)

    assert (excluded, shown) == ([], ["profile"])


@pytest.mark.req("BLD-02", part="a server without SQLAlchemy")
@pytest.mark.parametrize("engine", ["postgres", "mariadb"])
def test_the_bare_driver_and_sqlalchemy_tell_the_same(server, engine):
    source = server(engine)
    direct = bare.answers(source, lambda spoken, ask: [spoken.structure_rows(ask)])

    with_query = fingerprint.structure(
        dataclasses.replace(source, url=f"{source.url}?connect_timeout=3")
    )

    assert direct is not None
    assert fingerprint.structure(source) == with_query


def test_a_log_beside_a_duckdb_file_that_holds_a_commit_is_a_change(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "source.duckdb"
    with closing(duckdb.connect(str(path))) as connection:
        connection.execute("CREATE TABLE t (id INTEGER)")
    kb = Kb(tmp_path / "kb")
    kb.folder.mkdir()
    text = f'name: kb\nsource: "{path}"\nembedder: none\n'
    kb.settings.write_text(text, encoding="utf-8")
    stages_run(kb, FACTS)
    with closing(duckdb.connect(str(path))) as writer:
        writer.execute("SET wal_autocheckpoint = '1TB'")
        writer.execute("PRAGMA disable_checkpoint_on_shutdown")
        writer.execute("INSERT INTO t VALUES (1)")

    assert path.with_name("source.duckdb.wal").exists()
    assert stages_run(kb, FACTS) == ["profile"]


@pytest.mark.req("C30", part="a source's write-ahead log")
def test_a_commit_that_lies_in_the_log_of_a_sqlite_file_is_a_change(built):
    path = Situation(built).source().path
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        stages_run(built)
        writer.execute("INSERT INTO orders VALUES (14, 2, 'O', 40)")
        writer.commit()

        assert path.with_name(f"{path.name}-wal").stat().st_size
        assert stages_run(built, FACTS) == ["profile"]


@pytest.mark.parametrize("command", [("build", "--force"), ("scan",)], ids=" ".join)
def test_a_forced_build_and_a_scan_read_every_table_anew(built, command):
    setting(built, "rescan: never\n")
    kept = built.build / "profile-cache"
    before = kept.read_bytes()
    kept.write_bytes(before.replace(b'"rows": 3', b'"rows": 99'))

    assert cli.main([*command, "--kb", str(built.folder)]) == 0

    assert sorted(kept.read_bytes().splitlines()) == sorted(before.splitlines())
