"""Locks of other sessions and cut connections: what they cost passes with them."""

from contextlib import contextmanager

import pytest

from pipeline import artifacts, tasks
from pipeline.database import fingerprint
from pipeline.database.connect import open_database
from pipeline.database.servers import postgres, server
from pipeline.errors import PassingError
from pipeline.kb import Kb
from schemas.facts import Catalog, Profile
from tests import engines, mariadb_databases, postgres_databases
from tests.build_kb import stages_run
from tests.profile_kit import Kit

FACTS = ("scan", "profile")
TABLES = (
    "CREATE TABLE held (id int PRIMARY KEY, net int DEFAULT 7 CHECK (net > 0))",
    "CREATE TABLE free (id int PRIMARY KEY)",
    "CREATE VIEW shown AS SELECT id, net FROM held",
    "INSERT INTO held VALUES (1, 10), (2, 20)",
    "INSERT INTO free VALUES (1)",
)
LOCKS = {
    "postgres": ("BEGIN", "LOCK TABLE held IN ACCESS EXCLUSIVE MODE"),
    "mariadb": ("LOCK TABLES held WRITE, free READ",),
}


@pytest.fixture
def at(request, monkeypatch):
    """Return a function from an engine to its server, at which nobody waits long for a lock."""
    monkeypatch.setattr(server, "LOCK_SECONDS", 0.3)
    monkeypatch.setitem(postgres._SETTINGS, "lock_timeout", "300ms")
    return lambda name: engines.server(name, required=request.config.getoption("require_engines"))


@contextmanager
def database(at, engine, *more):
    if engine == "postgres":
        with postgres_databases.database(at(engine), "passing", *TABLES, *more) as source:
            yield source
        return
    name, place = mariadb_databases.own("passing"), at(engine)
    mariadb_databases.run(place.url, f"CREATE DATABASE {name}", f"USE {name}", *TABLES, *more)
    try:
        yield mariadb_databases.named(place, database=name)
    finally:
        mariadb_databases.run(place.url, f"DROP DATABASE {name}")


@contextmanager
def locked(source, engine):
    """Keep everybody else from the table `held`."""
    if engine == "postgres":
        with postgres_databases.session(source) as run:
            run(*LOCKS[engine])
            yield
        return
    with mariadb_databases.session(source.url) as run:
        run(*LOCKS[engine])
        yield


def kb_of(folder, source):
    kb = Kb(folder / "kb")
    kb.folder.mkdir()
    text = f"name: kb\nsource: {source.url}\nembedder: none\n"
    kb.settings.write_text(text, encoding="utf-8")
    return kb


def error_of(kb, table):
    found = artifacts.read(kb.profile, Profile).tables
    return next(t.error for t in found if t.table.rpartition(".")[2] == table)


def test_a_lock_during_a_scan_leaves_the_facts_and_the_next_build_scans(at, tmp_path, caplog):
    with database(at, "postgres") as source:
        kb = kb_of(tmp_path, source)
        stages_run(kb, FACTS)
        before = kb.catalog.read_bytes()
        postgres_databases.run(source, "ALTER TABLE free ADD COLUMN note text")
        with locked(source, "postgres"):
            held = tasks.run(kb, ("scan",), quiet=True)
        kept = kb.catalog.read_bytes()
        stages_run(kb, ("scan",))

    assert held.error is None
    assert "another session locks" in held.unreachable.problem
    assert kept == before
    assert "keeping the facts of" in caplog.text
    assert artifacts.read(kb.catalog, Catalog).find("free").column("note") is not None


def test_a_first_scan_of_what_is_locked_fails_with_a_fix_and_writes_nothing(at, tmp_path):
    with database(at, "postgres") as source, locked(source, "postgres"):
        kb = kb_of(tmp_path, source)
        error = tasks.run(kb, ("scan",), quiet=True).error

    assert "another session locks" in error.problem
    assert "run it again when that session is done" in error.fix
    assert error.exit_status == 4
    assert not kb.catalog.exists()


@pytest.mark.parametrize("engine", ["postgres", "mariadb"])
def test_a_locked_table_is_read_by_the_next_build(at, engine, tmp_path, caplog):
    with database(at, engine) as source:
        kb = kb_of(tmp_path, source)
        stages_run(kb, ("scan",))
        with locked(source, engine):
            stages_run(kb, ("profile",))
        first = [error_of(kb, table) for table in ("held", "shown", "free")]
        retried = tasks.run(kb, ("profile",), quiet=True).done
        second = [error_of(kb, table) for table in ("held", "shown", "free")]
        idle = stages_run(kb, ("profile",))

    assert all("another session locks" in error for error in first[:2])
    assert all("the next build reads it" in error for error in first[:2])
    assert first[2] is None
    assert "is read at the next build" in caplog.text
    assert [outcome.stage for outcome in retried] == ["profile"]
    assert "2 of 3 tables read anew" in retried[0].account
    assert second == [None, None, None]
    assert idle == []


@pytest.mark.parametrize("engine", ["postgres", "mariadb"])
def test_a_lock_ends_a_statement_before_its_time_limit_does(at, engine, monkeypatch):
    monkeypatch.undo()
    with database(at, engine) as source, open_database(source) as opened:
        with locked(source, engine), pytest.raises(PassingError, match="another session locks"):
            opened.fetch("SELECT count(*) FROM shown", timeout_seconds=1.3)

        assert opened.fetch("SELECT count(*) FROM shown", timeout_seconds=1.3) == [(2,)]


@pytest.mark.parametrize("engine", ["postgres", "mariadb"])
def test_a_table_whose_connection_was_cut_is_read_over_another_one(at, engine, tmp_path):
    with database(at, engine) as source:
        kit = Kit(tmp_path, source)
        cut = []

        def cut_all(_step):
            if not cut:
                cut.append(cut_sessions(source, engine))

        profile = kit.build(progress=cut_all, workers=1)

    assert cut == [1]
    assert [table.error for table in profile.tables] == [None, None, None]


def cut_sessions(source, engine):
    """Cut every other session of the database; return how many there were."""
    with open_database(source) as other:
        if engine == "postgres":
            return other.fetch(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )[0][0]
        found = other.fetch(
            "SELECT id FROM information_schema.processlist "
            "WHERE db = database() AND id <> connection_id()"
        )
    mariadb_databases.run(source.url, *(f"KILL {number}" for (number,) in found))
    return len(found)


def test_a_write_elsewhere_moves_only_what_stands_in_for_a_tables_stamp(at):
    parted = "CREATE TABLE parted (id int) PARTITION BY HASH (id) PARTITIONS 2"
    with database(at, "mariadb", parted) as source:
        before = fingerprint.data(source)
        name = mariadb_databases.own("elsewhere")
        mariadb_databases.run(
            source.url, f"CREATE DATABASE {name}", f"CREATE TABLE {name}.t (id int)",
            f"INSERT INTO {name}.t VALUES (1)", f"DROP DATABASE {name}",
        )  # fmt: skip
        after = fingerprint.data(source)
        untold = fingerprint.unsure_tables(source)

    assert any(name.endswith("parted") for name in untold)
    assert before.partition(" ")[0] == after.partition(" ")[0]
    assert before != after
