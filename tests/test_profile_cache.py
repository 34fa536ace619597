"""What an interrupted or earlier run leaves to the next one."""

import sqlite3
from contextlib import closing, suppress

import pytest

from tests.profile_kit import Kit


@pytest.fixture
def kit(make_db, tmp_path):
    """Return a function from SQL to a `Kit`."""
    return lambda sql: Kit(tmp_path, make_db(sql))


@pytest.mark.req("PROF-09", part="resuming")
def test_an_interrupted_run_keeps_its_finished_tables(kit, tmp_path):
    sql = "".join(f"CREATE TABLE t{i} (v TEXT); INSERT INTO t{i} VALUES ('x');" for i in range(6))
    found = kit(sql)
    cache = tmp_path / "build" / "profile-cache"
    found.build()
    clean = found.out.read_bytes()
    found.out.unlink()

    def stop_after_three(step):
        if step.tables == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        found.build(cache=cache, progress=stop_after_three, workers=1)
    assert not found.out.exists()
    resumed = []
    found.build(cache=cache, progress=lambda step: resumed.append(step) if step.finished else None)

    assert len(resumed) == 3
    assert (resumed[-1].tables, resumed[-1].of_tables, resumed[-1].rows) == (6, 6, 3)
    assert found.out.read_bytes() == clean


@pytest.mark.req("PROF-06", part="per file")
def test_unchanged_data_is_not_read_again_and_changed_data_is(kit, tmp_path):
    found = kit("CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('x');")
    cache, read = tmp_path / "cache", []

    def build_again(**settings):
        read.clear()
        found.build(cache=cache, progress=lambda step: read.append(step.finished), **settings)
        return [name for name in read if name]

    assert build_again() == ["t"]
    assert build_again() == []
    assert build_again(values=False) == ["t"]
    with closing(sqlite3.connect(found.source.path)) as connection:
        connection.execute("INSERT INTO t VALUES ('y')")
        connection.commit()
    assert build_again() == ["t"]


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"sensitive": ("v",)}, id="a mark"),
        pytest.param({"values": False}, id="no values"),
        pytest.param({"enabled": False}, id="no profile"),
    ],
)
def test_what_may_no_longer_be_kept_leaves_the_cache_even_if_the_run_ends_early(
    kit, tmp_path, settings
):
    found = kit("CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('Aardvark');")
    cache = tmp_path / "cache"
    found.build(cache=cache)
    assert "Aardvark" in cache.read_text()

    def stop(*_):
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        found.build(cache=cache, progress=stop, **settings)

    assert not cache.exists() or "Aardvark" not in cache.read_text()


def test_a_damaged_cache_is_as_good_as_none(kit, tmp_path):
    found = kit("CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('x');")
    cache = tmp_path / "cache"
    cache.write_bytes(b'{"key": "\xff\n[1]\n{"key": "a", "profile": {"nope": 1}}\n')

    profile = found.build(cache=cache)

    assert profile.by_table["t"].rows == 1
