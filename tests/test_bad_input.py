"""Databases and files that aren't as they should be: one clear error, or a note and a build."""

import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from serve import cli


@pytest.fixture
def attempt(tmp_path, capsys):
    """Make a knowledge base for a file and build it; return status and what was said."""

    def call(source, *, semantic=None):
        kb = tmp_path / "kb"
        status = cli.main(["init", "--db", str(source), "--kb", str(kb)])
        if semantic is not None:
            (kb / "semantic.yaml").write_text(semantic, encoding="utf-8")
        if status == 0:
            status = cli.main(["build", "--kb", str(kb)])
        return status, capsys.readouterr().err

    return call


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(None, "there is no file", id="missing"),
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"id,name\n1,Ann\n" * 100, "neither a SQLite", id="a CSV file"),
        pytest.param(b"SQLite format 3\0" + b"\xff" * 4000, "", id="a damaged database"),
    ],
)
def test_a_file_that_is_no_database_is_one_error(tmp_path, attempt, content, said):
    path = tmp_path / "shop.sqlite"
    if content is not None:
        path.write_bytes(content)

    status, err = attempt(path)

    assert status in {2, 4}
    assert err.count("error: ") == 1
    assert "shop.sqlite" in err
    assert said in err
    assert "fix: " in err
    assert "Traceback" not in err


def test_a_database_without_tables_is_one_error(make_db, attempt):
    status, err = attempt(make_db("CREATE TABLE brief (x); DROP TABLE brief;"))

    assert status in {2, 4}
    assert "no tables" in err
    assert "Traceback" not in err


@pytest.mark.req("SCAN-10", part="SQLite")
def test_a_view_that_fails_is_counted_and_the_rest_is_built(make_db, attempt, tmp_path):
    source = make_db(
        "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE gone (x);"
        "CREATE VIEW broken AS SELECT x FROM gone; DROP TABLE gone;"
    )

    status, err = attempt(source)
    strict = cli.main(["build", "--kb", str(tmp_path / "kb"), "--strict", "--force"])

    assert status == 0
    assert "1 object couldn't be read: broken" in err
    assert strict == 3


def test_a_table_without_rows_and_one_with_bad_text_are_built(tmp_path, attempt, capsys):
    path = tmp_path / "odd.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE hollow (id INTEGER PRIMARY KEY, name TEXT);")
        connection.execute("CREATE TABLE bad (id INTEGER PRIMARY KEY, note TEXT)")
        connection.execute("INSERT INTO bad VALUES (1, CAST(x'ff41' AS TEXT))")
        connection.commit()

    status, err = attempt(path)
    capsys.readouterr()
    shown = cli.main(["table", "bad", "--kb", str(tmp_path / "kb")])

    assert (status, shown) == (0, 0), err
    assert "note" in capsys.readouterr().out


def test_meaning_for_a_column_that_is_not_there_is_told_with_the_nearest_name(make_db, attempt):
    semantic = "tables:\n  orders:\n    columns:\n      statsu: Where the order stands\n"

    status, err = attempt(make_db(), semantic=semantic)

    assert status == 0
    assert "statsu" in err
    assert "status" in err.replace("statsu", "")
    assert "semantic.yaml:4" in err


def test_an_unknown_key_in_semantic_yaml_is_one_error_with_its_line(make_db, attempt):
    status, err = attempt(make_db(), semantic="tables:\n  orders:\n    descripton: Orders\n")

    assert status == 2
    assert "semantic.yaml:3" in err
    assert "description" in err


def test_a_full_disk_is_one_error_and_the_next_build_finishes(make_db, tmp_path):
    kb = tmp_path / "kb"
    assert cli.main(["init", "--db", str(make_db()), "--kb", str(kb)]) == 0
    command = [sys.executable, "-m", "serve.cli", "build", "--kb", str(kb)]

    full = subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, preexec_fn=_small_files
    )
    again = cli.main(["build", "--kb", str(kb)])

    assert full.returncode == 2, full.stderr
    assert "can't be written" in full.stderr
    assert "Traceback" not in full.stderr
    assert again == 0
    assert not list(kb.rglob("*.dblore-tmp"))


def _small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))


def test_a_key_to_a_missing_table_that_names_no_columns_ends_no_build(make_db, tmp_path):
    source = make_db("CREATE TABLE c (owner_id INTEGER PRIMARY KEY REFERENCES nosuch)")
    kb = tmp_path / "kb"
    cli.main(["init", "--db", str(source), "--kb", str(kb)])
    with (kb / "kb.yaml").open("a", encoding="utf-8") as file:
        file.write("\nembedder: none\n")

    assert cli.main(["build", "--kb", str(kb)]) == 0
    said = (kb / "docs" / "README.md").read_text(encoding="utf-8")
    assert "c.owner_id → nosuch names a table that doesn't exist" in said
