"""What a long build shows on a terminal and elsewhere, and what it says when it is stopped."""

import io
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress

import pytest

from pipeline import reporter as reporters
from pipeline.database.connect import open_database
from pipeline.profile.pace import Pace, sizes
from pipeline.reporter import Reporter
from schemas.models import Column, Table, TableProfile
from tests.profile_databases import ENGINES, made

ENDLESS = (
    "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    " SELECT COUNT(*) AS c FROM n WHERE i < 1e12"
)
BUILD = [sys.executable, "-m", "serve.cli", "build", "--kb"]


@pytest.fixture
def slow_kb(tmp_path):
    """Return a knowledge base of three small tables and a view that is given up after a while."""
    with closing(sqlite3.connect(tmp_path / "source.sqlite")) as connection:
        for i in range(3):
            connection.execute(f"CREATE TABLE t{i} (v TEXT)")
            connection.execute(f"INSERT INTO t{i} VALUES ('a'), ('b')")
        connection.execute(ENDLESS)
        connection.commit()
    folder = tmp_path / "kb"
    folder.mkdir()
    (folder / "kb.yaml").write_text("name: slow\nsource: ../source.sqlite\nembedder: none\n")
    return folder


def _stop_when_tables_are_kept(process, folder):
    cache, until = folder / "build" / "profile-cache", time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        if cache.exists() and cache.read_bytes().count(b"\n") == 3:
            process.send_signal(signal.SIGINT)
            return
        time.sleep(0.01)


@pytest.mark.req("PROF-09", part="Ctrl-C, a pipe")
def test_a_build_that_is_stopped_says_what_is_kept_and_how_to_go_on(slow_kb):
    process = subprocess.Popen([*BUILD, slow_kb], stderr=subprocess.PIPE, text=True)
    _stop_when_tables_are_kept(process, slow_kb)

    said = process.communicate(timeout=60)[1]

    assert process.returncode == 130, said
    assert "stopped: 3 tables are profiled and kept; `dblore build` goes on from there" in said
    assert "up to date" not in said
    assert "3 of 4" not in said  # a quick one doesn't count aloud
    assert "Traceback" not in said


@pytest.mark.req("PROF-09", part="a terminal")
def test_a_terminal_shows_a_bar_with_tables_and_rows(slow_kb):
    terminal, other_end = pty.openpty()
    process = subprocess.Popen([*BUILD, slow_kb], stdout=other_end, stderr=other_end)
    os.close(other_end)
    _stop_when_tables_are_kept(process, slow_kb)

    shown = b""
    with suppress(OSError):  # Linux ends a terminal so
        while part := os.read(terminal, 4096):
            shown += part
    os.close(terminal)

    assert process.wait(timeout=60) == 130
    assert b"profile" in shown
    assert b"of 4 tables" in shown
    assert b"%" in shown
    assert b"\x1b[?25h" in shown  # the cursor is back


@pytest.mark.req("PROF-09", part="plain lines")
def test_elsewhere_a_line_now_and_then_tells_rows_rate_and_time_left(monkeypatch):
    monkeypatch.setattr(reporters, "_LINE_SECONDS", 0.0)
    clock = iter((0.0, 10.0, 20.0))
    monkeypatch.setattr("pipeline.profile.pace.now", lambda: next(clock))
    tables = [_table("small"), _table("large")]
    pace = Pace(tables, known=1, sizes={"small": 800, "large": 7_800})
    stream = io.StringIO()
    reporter = Reporter(stream, {})

    reporter.progress(pace.step(TableProfile("small", rows=1_000)))
    reporter.progress(pace.step(TableProfile("large", rows=9_000)))

    first, last = (line.strip() for line in stream.getvalue().splitlines())
    assert first == "2 of 3 tables, 1,000 rows, 100 rows/s, about 80 s left"
    assert last == "3 of 3 tables, 10,000 rows, 500 rows/s"


def test_a_part_of_a_table_counts_by_its_rows():
    pace = Pace([_table("small"), _table("large")], known=0, sizes={"small": 800, "large": 7_800})

    pace.reached("large", 0.5)

    step = pace.step()
    assert (step.tables, step.rows) == (0, 3_900)
    assert step.share == pytest.approx(4_000 / 9_000)


def _table(name):
    return Table(name, name, columns=(Column("v", "TEXT", "text"),))


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_tell_about_how_large_tables_are(engine, tmp_path, pytestconfig):
    required = pytestconfig.getoption("--require-engines")
    analyze = {"postgres": "ANALYZE", "mariadb": "ANALYZE TABLE t", "sqlite": "", "duckdb": ""}
    statements = [
        "CREATE TABLE t (id INTEGER PRIMARY KEY)",
        f"INSERT INTO t VALUES {', '.join(f'({n})' for n in range(1, 301))}",
        analyze[engine],
    ]
    database_of = made(engine, tmp_path, *filter(None, statements), required=required)
    with database_of as source, open_database(source) as database:
        tables = database.read_catalog().tables
        found = sizes(database, tables, most=None)
        capped = sizes(database, tables, most=100)

    assert 250 <= found["t"] <= 350
    assert capped["t"] == 100
