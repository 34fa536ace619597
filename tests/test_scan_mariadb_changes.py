"""MariaDB: what tells that a scan or a profile is stale, and that neither is."""

import itertools

import pytest

from pipeline.database import fingerprint
from pipeline.database.connect import open_database
from pipeline.kb import Kb
from tests import engines
from tests.build_kb import stages_run
from tests.mariadb_databases import named, own, run
from tests.profile_kit import Kit

NAME = own("changes")
SHORT = 6
"""Rows that are told when the details aren't asked for."""

CHANGES = {
    "a column": "ALTER TABLE a ADD c int",
    "a type": "ALTER TABLE a MODIFY v varchar(21)",
    "a default": "ALTER TABLE a ALTER v SET DEFAULT 'x'",
    "a comment": "ALTER TABLE a COMMENT 'new'",
    "an order": "ALTER TABLE a MODIFY id int AFTER v",
    "an index": "CREATE INDEX i ON a (v)",
    "an index that is off": "ALTER TABLE a ALTER INDEX i IGNORED",
    "a check": "ALTER TABLE a ADD CONSTRAINT c CHECK (id > 0)",
    "a key": "ALTER TABLE b ADD CONSTRAINT f FOREIGN KEY (id) REFERENCES a (id)",
    "a view": "CREATE OR REPLACE VIEW w AS SELECT id, 2 FROM a",
    "a trigger": "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET new.v = 1",
    "a routine": "CREATE FUNCTION f() RETURNS int RETURN 1",
    "an argument": "CREATE OR REPLACE FUNCTION f(a int) RETURNS int RETURN 1",
    "a partition": "ALTER TABLE p ADD PARTITION PARTITIONS 1",
    "a table": "DROP TABLE c",
}


@pytest.fixture(scope="module")
def busy(request):
    server = engines.server("mariadb", required=request.config.getoption("require_engines"))
    run(
        server.url,
        f"DROP DATABASE IF EXISTS `{NAME}`",
        f"CREATE DATABASE `{NAME}`",
        f"USE `{NAME}`",
        "CREATE TABLE a (id int UNIQUE, v varchar(20))",
        "CREATE TABLE b (id int)",
        "CREATE TABLE c (id int) ENGINE=Aria",
        "CREATE TABLE p (id int) PARTITION BY HASH (id) PARTITIONS 2",
        "CREATE VIEW w AS SELECT id, 1 FROM a",
        "INSERT INTO a VALUES (1, 'x'), (2, 'y')",
        "INSERT INTO b VALUES (1)",
        "INSERT INTO c VALUES (1)",
    )
    yield named(server, database=NAME)
    run(server.url, f"DROP DATABASE `{NAME}`")


@pytest.mark.req("PROF-06", part="MariaDB")
def test_each_change_of_rows_shows_in_its_table_alone(busy):
    def stamps():
        with open_database(busy) as database:
            found = database.table_stamps()
        return {name.rpartition(".")[2]: stamp for name, stamp in found.items()}

    told = [stamps()]
    for change in (
        "UPDATE a SET v = 'z' WHERE id = 1",
        "TRUNCATE b",
        "INSERT INTO a VALUES (3,'')",
    ):
        run(busy.url, f"USE `{NAME}`", change)
        told.append(stamps())

    changed = [{n for n in "ab" if x[n] != y[n]} for x, y in itertools.pairwise(told)]
    assert changed == [{"a"}, {"b"}, {"a"}]
    assert set(told[0]) == {"a", "b", "c", "p"}


@pytest.mark.req("PROF-06", part="MariaDB")
def test_a_write_within_the_same_second_is_never_missed(busy):
    with open_database(busy) as database:
        told = [database.data_rows()]
        for table in ("b", "c", "p", "b"):
            run(busy.url, f"INSERT INTO `{NAME}`.{table} VALUES (10)")
            told.append(database.data_rows())

    assert all(x != y for x, y in itertools.pairwise(told))


@pytest.mark.req("BLD-02", part="MariaDB")
def test_every_structural_change_shows_and_no_change_of_rows(busy):
    with open_database(busy) as database:
        seen = [database.structure_rows()]
        run(busy.url, f"INSERT INTO `{NAME}`.b VALUES (7)")
        assert database.structure_rows() == seen[0]

        for change in CHANGES.values():
            run(busy.url, f"USE `{NAME}`", "SET foreign_key_checks = 0", change)
            seen.append(database.structure_rows())

    unseen = [what for what, x, y in zip(CHANGES, seen, seen[1:], strict=False) if x == y]
    assert unseen == []


@pytest.fixture
def settling(busy):
    name = own("settling")
    run(
        busy.url,
        f"CREATE DATABASE `{name}`",
        f"CREATE TABLE `{name}`.a (id int)",
        f"INSERT INTO `{name}`.a VALUES (0)",  # of a table without a change there is no time
    )
    yield named(busy, database=name)
    run(busy.url, f"DROP DATABASE `{name}`")


@pytest.mark.req("BLD-02", part="MariaDB")
def test_a_definition_of_just_now_is_told_by_its_time_at_once_and_later(settling):
    with open_database(settling) as database:
        at_once = database.structure_rows()
        run(settling.url, f"INSERT INTO `{own('settling')}`.a VALUES (1)")
        with_row = database.structure_rows()
        run(settling.url, f"ALTER TABLE `{own('settling')}`.a COMMENT 'new'")
        after = database.structure_rows()

    assert len(at_once) == SHORT  # it didn't take the details to tell
    assert at_once == with_row
    assert at_once != after


def test_a_build_soon_after_a_definition_warns_of_no_change_and_leaves_nothing_to_do(
    settling, tmp_path, caplog
):
    kb = Kb(tmp_path / "kb")
    kb.folder.mkdir()
    text = f"name: kb\nsource: {settling.url}\nembedder: none\n"
    kb.settings.write_text(text, encoding="utf-8")

    first = stages_run(kb, ("scan", "profile"))
    again = stages_run(kb, ("scan", "profile"))

    assert (first, again) == (["scan", "profile"], [])
    assert "changed while" not in caplog.text


def test_a_replaced_function_makes_a_view_that_asks_it_due_and_no_table(settling, tmp_path):
    name = own("settling")
    create = f"CREATE OR REPLACE FUNCTION `{name}`.f(x int) RETURNS int RETURN x + {{}}"
    view = f"CREATE VIEW `{name}`.v AS SELECT `{name}`.f(id) AS n FROM `{name}`.a"
    run(settling.url, create.format(1), view)
    kit = Kit(tmp_path, settling)
    whole, read = [], []

    def maximum():
        whole.append(fingerprint.data(settling))
        profile = kit.build(tmp_path / "cache", lambda step: read.append(step.finished))
        return profile.by_table["v"].column("n").maximum

    before = maximum()
    read.clear()
    run(settling.url, create.format(5))
    after = maximum()

    assert (before, after) == (1, 5)
    assert whole[0] != whole[1]
    assert [table for table in read if table] == ["v"]


@pytest.mark.req("BLD-02", part="MariaDB")
def test_a_url_without_a_database_looks_at_all_that_the_login_may_see(busy):
    with open_database(named(busy, database="")) as database:
        stamps, structure = database.table_stamps(), database.structure_rows()

    assert {f"{NAME}.{table}" for table in "ap"} <= set(stamps)
    assert all(count for what, count, *_ in structure if what in ("columns", "tables", "views"))
