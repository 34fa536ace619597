"""What is read again when a part of a database changed, and what a kill leaves."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest

from pipeline import artifacts, tasks
from pipeline.kb import Kb
from pipeline.profile import cache as caches
from pipeline.profile import measure
from pipeline.stamps import stamps
from schemas.facts import Catalog
from tests import engines, mariadb_databases, postgres_databases
from tests.profile_kit import Kit

TABLES = """
CREATE TABLE customer (customer_id int PRIMARY KEY, name varchar(20));
CREATE TABLE orders (order_id int PRIMARY KEY, customer_id int);
CREATE TABLE supplier (supplier_id int PRIMARY KEY, name varchar(20));
CREATE TABLE part (part_id int PRIMARY KEY, supplier_id int);
INSERT INTO customer VALUES (11, 'a'), (12, 'b'), (13, 'c');
INSERT INTO orders VALUES (1, 11), (2, 11), (3, 13);
INSERT INTO supplier VALUES (21, 'a'), (22, 'b'), (23, 'c');
INSERT INTO part VALUES (1, 21), (2, 22), (3, 22);
CREATE VIEW sold AS SELECT customer_id FROM orders;
CREATE VIEW bought AS SELECT supplier_id FROM part;
CREATE VIEW bought_twice AS SELECT supplier_id FROM bought;
"""
ENDING = """
import os, signal, sys
from pipeline import tasks
from pipeline.kb import Kb
from pathlib import Path
from pipeline.profile import cache

left = int(sys.argv[2])
put = cache.Kept.put

def put_and_end(self, key, value):
    global left
    put(self, key, value)
    left -= 1
    if left == 0:
        os.kill(os.getpid(), int(sys.argv[3]))

cache.Kept.put = put_and_end
tasks.run(Kb(Path(sys.argv[1])), ("scan", "profile"), quiet=True)
"""


class Run:
    """Builds of one knowledge base's profile: what each read and asked."""

    def __init__(self, folder, source):
        self.kit = Kit(folder, source)
        self.cache = folder / "cache"
        self.joins = folder / "cache-joins"

    def __call__(self, **settings):
        """Build, and return the tables that were read and the number of new answers on joins."""
        known, read = self.answers(), set()
        self.profile = self.kit.build(
            cache=self.cache,
            progress=lambda step: read.add(step.finished),
            **settings,
        )
        return {name.rpartition(".")[2] for name in read if name}, len(self.answers() - known)

    def answers(self):
        return set(caches.Kept(self.joins)._known)

    def is_as_clean(self):
        """Whether a build without a cache writes the same bytes."""
        written = self.kit.out.read_bytes()
        self.kit.build()
        return self.kit.out.read_bytes() == written


@pytest.fixture
def server(request):
    return lambda name: engines.server(name, required=request.config.getoption("require_engines"))


@contextmanager
def database(server, engine):
    """Yield a database of `TABLES` on a server, and what runs statements in it."""
    if engine == "postgres":
        with postgres_databases.database(server(engine), "incremental", TABLES) as source:
            yield source, lambda sql: postgres_databases.run_counted(source, sql)
        return
    name, at = mariadb_databases.own("incremental"), server(engine)
    texts = [text for text in TABLES.split(";") if text.strip()]
    mariadb_databases.run(at.url, f"CREATE DATABASE {name}", f"USE {name}", *texts)
    try:
        yield (
            mariadb_databases.named(at, database=name),
            lambda sql: mariadb_databases.run(at.url, f"USE {name}", sql),
        )
    finally:
        mariadb_databases.run(at.url, f"DROP DATABASE {name}")


@pytest.mark.req("PROF-06", part="per table")
@pytest.mark.parametrize("engine", ["postgres", "mariadb"])
def test_one_changed_table_is_read_again_with_its_views_and_its_joins(server, engine, tmp_path):
    with database(server, engine) as (source, run):
        build = Run(tmp_path, source)
        first, said = build(), [build.kit.account]
        unchanged = build()
        said.append(build.kit.account)
        run("INSERT INTO part VALUES (4, 23)")
        changed = build()
        said.append(build.kit.account)
        is_as_clean = build.is_as_clean()

    assert first[0] == {"customer", "orders", "supplier", "part", "sold", "bought", "bought_twice"}
    assert {(link.table.rpartition(".")[2]) for link in build.profile.joins} == {"orders", "part"}
    assert unchanged == (set(), 0)
    assert changed[0] == {"part", "bought", "bought_twice"}
    assert "anew" not in said[0]
    assert said[1].endswith(", none of 7 tables read anew")
    assert said[2].endswith(", 3 of 7 tables read anew")
    assert 0 < changed[1] < first[1]
    assert is_as_clean


@pytest.mark.req("PROF-06", part="what is written meanwhile")
def test_what_is_written_while_tables_are_read_is_stale_and_never_fresh(server, tmp_path):
    with database(server, "postgres") as (source, run):
        build = Run(tmp_path, source)
        written = []

        def write(*_):
            if not written:
                written.append(run("INSERT INTO customer VALUES (14, 'd')"))

        build.kit.build(cache=build.cache, progress=write, workers=1)
        again = build()[0]

    assert "customer" in again
    assert build.profile.by_table["customer"].rows == 4


def test_a_view_of_a_table_of_which_nobody_can_tell_has_no_stamp(server, tmp_path):
    with database(server, "mariadb") as (source, run):
        run("CREATE VIEW elsewhere AS SELECT user FROM mysql.user")
        run("CREATE FUNCTION f() RETURNS int READS SQL DATA RETURN (SELECT count(*) FROM part)")
        run("CREATE VIEW asks AS SELECT f() AS n FROM customer")
        catalog = artifacts.read(Kit(tmp_path, source).catalog, Catalog)
        before = stamps(source, catalog)
        run("INSERT INTO supplier VALUES (24, 'd')")
        after = stamps(source, catalog)

    assert "elsewhere" not in before
    assert {name for name in before if before[name] != after[name]} == {"supplier", "asks"}


@pytest.mark.req("PROF-06", part="views that take too long")
def test_a_view_that_took_too_long_is_tried_again_when_the_data_changed(
    make_db, tmp_path, monkeypatch
):
    monkeypatch.setattr(measure, "VIEW_SECONDS", 0.05)
    path = make_db("""
        CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('x');
        CREATE VIEW slow AS WITH RECURSIVE n (i) AS
            (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT count(*) AS c FROM n;
    """)
    build = Run(tmp_path, path)

    first, again = build()[0], build()[0]
    error = build.profile.by_table["slow"].error
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO t VALUES ('y')")
        connection.commit()
    changed = build()[0]

    assert (first, again, changed) == ({"slow", "t"}, set(), {"slow", "t"})
    assert "longer than 0.05 s" in error


def test_only_numbers_are_kept_of_the_search_for_joins(make_db, tmp_path):
    build = Run(tmp_path, make_db(TABLES))

    build()

    assert build.answers()
    assert not {"'a'", '"a"', "customer"} & set(build.joins.read_text().replace(",", " ").split())


@pytest.mark.req("PROF-09", part="killed")
@pytest.mark.parametrize(
    ("engine", "end", "after"),
    [
        pytest.param("sqlite", signal.SIGINT, 3, id="Ctrl-C between tables of SQLite"),
        pytest.param("sqlite", signal.SIGKILL, 8, id="a kill between joins of SQLite"),
        pytest.param("postgres", signal.SIGKILL, 3, id="a kill between tables of PostgreSQL"),
        pytest.param("postgres", signal.SIGINT, 8, id="Ctrl-C between joins of PostgreSQL"),
    ],
)
def test_a_profile_that_is_ended_keeps_what_it_finished(
    server, make_db, tmp_path, engine, end, after
):
    if engine == "sqlite":
        ends_and_goes_on(f'"{make_db(TABLES)}"', tmp_path / "kb", end, after)
        return
    with database(server, engine) as (source, _):
        ends_and_goes_on(source.url, tmp_path / "kb", end, after)


def ends_and_goes_on(source, folder, end, after):
    folder.mkdir()
    settings = f"name: killed\nsource: {source}\nembedder: none\nprofile: {{workers: 1}}\n"
    (folder / "kb.yaml").write_text(settings, encoding="utf-8")
    caches_of = [folder / "build" / name for name in ("profile-cache", "profile-cache-joins")]

    command = [sys.executable, "-c", ENDING, str(folder), str(after), str(int(end))]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    kept = [lines(path) for path in caches_of]
    went_on = tasks.run(Kb(folder), ("scan", "profile"), quiet=True)

    assert ended.returncode != 0
    assert (len(kept[0]), len(kept[1])) == (min(after, 7), max(0, after - 7))
    assert [done.stage for done in went_on.done] == ["profile"]
    for path, before in zip(caches_of, kept, strict=True):
        now = lines(path)
        assert now[: len(before)] == before  # and none of them a second time:
        assert len(set(now)) == len(now)
    assert lines(caches_of[1])


def lines(path):
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def test_a_line_that_a_kill_cut_short_harms_neither_those_before_nor_those_after(tmp_path):
    path = tmp_path / "cache"
    kept = caches.Kept(path)
    kept.put("a", 1)
    path.write_bytes(path.read_bytes() + b'{"key": "b", "val')

    caches.Kept(path).put("c", 3)

    found = caches.Kept(path)
    assert [found.get(key) for key in "abc"] == [1, None, 3]
    found.keep_only({"a", "c"})
    assert "val\n" not in path.read_text()
