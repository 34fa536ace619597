"""SQLite files as they are found: locked, damaged, half written, oddly named, read-only."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path, PureWindowsPath

import pytest

from pipeline.database import fingerprint, sqlite
from pipeline.database.connect import open_database
from pipeline.database.source import resolve
from pipeline.errors import SourceError


@pytest.fixture
def readonly_folder():
    """A folder, and what makes it and its files read-only for the rest of the test."""
    folder = Path(tempfile.mkdtemp(prefix="dblore-"))
    as_root = os.geteuid() == 0

    def freeze():
        for path in folder.iterdir():
            path.chmod(0o444)
        folder.chmod(0o555)
        if as_root:
            os.seteuid(65534)  # root may write everywhere

    yield folder, freeze
    if as_root:
        os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def frozen_wal(readonly_folder):
    """A WAL database without -wal file, in a folder where nothing can be made."""
    folder, freeze = readonly_folder
    path = folder / "wal.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA journal_mode=WAL; CREATE TABLE t AS SELECT 1 AS a;")
    freeze()
    return path


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX file modes")
def test_a_wal_file_in_a_read_only_folder_can_be_read(frozen_wal):
    source = resolve(str(frozen_wal), Path(), {})

    with open_database(source) as database:
        assert database.fetch("SELECT a FROM t") == [(1,)]


@pytest.mark.req("C30", part="a source in a read-only folder")
@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX file modes")
def test_a_wal_file_in_a_read_only_folder_is_left_as_it_is(frozen_wal):
    before = frozen_wal.read_bytes(), frozen_wal.stat().st_mtime_ns
    source = resolve(str(frozen_wal), Path(), {})

    known = fingerprint.fingerprints(source)
    with open_database(source) as database:
        database.read_catalog()
        database.fetch("SELECT count(*), max(a) FROM t")

    assert [path.name for path in frozen_wal.parent.iterdir()] == [frozen_wal.name]
    assert (frozen_wal.read_bytes(), frozen_wal.stat().st_mtime_ns) == before
    assert fingerprint.fingerprints(source) == known


def test_rows_in_the_write_ahead_log_are_seen(make_db):
    path = make_db("PRAGMA journal_mode=WAL; CREATE TABLE t (a)")
    source = resolve(str(path), Path(), {})
    with closing(sqlite3.connect(path)) as writer:
        before = fingerprint.data(source)
        writer.execute("INSERT INTO t VALUES (1)")
        writer.commit()

        with open_database(source) as database:
            assert database.fetch("SELECT a FROM t") == [(1,)]
        assert fingerprint.data(source) != before


def test_a_locked_file_says_so(make_db, monkeypatch):
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    path = make_db()
    source = resolve(str(path), Path(), {})
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")

        with pytest.raises(SourceError) as caught:
            open_database(source)

    assert "is locked by another program" in caught.value.problem
    assert "wait until" in caught.value.fix


def test_a_damaged_file_says_so(make_db):
    path = make_db()
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * (len(content) - 100))

    with pytest.raises(SourceError) as caught:
        open_database(resolve(str(path), Path(), {}))

    assert "damaged or encrypted" in caught.value.problem


LEFT_LOG = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode=WAL")
connection.execute("CREATE TABLE t AS SELECT 1 AS a")
os._exit(0)
"""
LEFT_JOURNAL = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size=1")
connection.execute("CREATE TABLE t (a)")
connection.execute("BEGIN")
connection.executemany("INSERT INTO t VALUES (?)", [("x" * 1000,)] * 500)
os._exit(0)
"""


def stop_midway(program, path):
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX file modes")
def test_a_log_that_cannot_be_read_in_says_what_to_do(readonly_folder):
    folder, freeze = readonly_folder
    path = folder / "wal.sqlite"
    stop_midway(LEFT_LOG, path)
    (folder / "wal.sqlite-shm").unlink()
    freeze()

    with pytest.raises(SourceError) as caught:
        open_database(resolve(str(path), Path(), {}))

    assert "has a write-ahead log beside it (wal.sqlite-wal)" in caught.value.problem
    assert "sqlite3 wal.sqlite" in caught.value.fix


def test_a_transaction_that_broke_off_says_what_to_do(tmp_path):
    path = tmp_path / "hot.sqlite"
    stop_midway(LEFT_JOURNAL, path)
    before = path.read_bytes()

    with pytest.raises(SourceError) as caught:
        open_database(resolve(str(path), Path(), {}))

    assert "has a rollback journal beside it (hot.sqlite-journal)" in caught.value.problem
    assert path.read_bytes() == before


def test_a_wal_file_in_a_folder_that_can_be_written_is_never_taken_for_unchanging(tmp_path):
    path = tmp_path / "wal.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA journal_mode=WAL; CREATE TABLE t AS SELECT 1 AS a;")

    assert not sqlite._is_frozen_wal(path)


def test_a_file_that_is_replaced_while_it_is_open_is_read_to_the_end(make_db):
    path = make_db("CREATE TABLE t AS SELECT 1 AS a")
    newer = make_db("CREATE TABLE t AS SELECT 2 AS a", name="newer.sqlite")

    with open_database(resolve(str(path), Path(), {})) as database:
        newer.replace(path)
        old = database.fetch("SELECT a FROM t")
    with open_database(resolve(str(path), Path(), {})) as database:
        new = database.fetch("SELECT a FROM t")

    assert (old, new) == ([(1,)], [(2,)])


def test_a_file_whose_end_is_missing_is_damaged(make_db):
    path = make_db()
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])

    with (
        pytest.raises(SourceError) as caught,
        open_database(resolve(str(path), Path(), {})) as database,
    ):
        database.fetch("SELECT count(*) FROM orders")

    assert "damaged" in caught.value.problem


@pytest.mark.parametrize(
    "name",
    [
        "a?b.db",
        "a#b.db",
        "a%20b.db",
        "100%.db",
        "a b.db",
        "üß.db",
        'it\'s "x".db',
        "🦆.db",
        "a&b=c.db",
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="Windows allows no such names")
def test_a_file_of_any_name_can_be_read(make_db, tmp_path, name):
    path = make_db("CREATE TABLE t AS SELECT 1 AS a", name=name)

    for text in (str(path), name, f"sqlite:///{name}"):
        source = resolve(text, tmp_path, {})
        assert source.path == path
    with open_database(source) as database:
        assert database.fetch("SELECT a FROM t") == [(1,)]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (r"C:\data\a b.db", "file:/C%3A/data/a%20b.db"),
        (r"\\server\share\x?.db", "file:////server/share/x%3F.db"),
    ],
)
def test_sqlite_gets_windows_paths_as_it_takes_them(path, uri):
    assert sqlite.file_uri(PureWindowsPath(path)) == uri
