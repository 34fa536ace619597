"""The processes that run callers' statements: killed when need be, else warm, never too many."""

import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pipeline.database.connect import open_database
from pipeline.database.page import Limits
from pipeline.database.source import resolve
from pipeline.database.workers import Call, Workers, hard_limit
from pipeline.errors import DbloreError, QueryError, SourceError
from tests import engines, postgres_databases

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
DEAF = (
    "SELECT instr(replace(hex(zeroblob(2000000)), '0', 'a'), "
    "replace(hex(zeroblob(1000000)), '0', 'a') || 'b')"
)
"""One call of one function: SQLite looks at no clock and at no interrupt while it runs."""


@pytest.fixture
def workers():
    pool = Workers()
    yield pool
    pool.close()


@pytest.fixture
def shop(make_db):
    path = make_db("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2);")
    return resolve(str(path), Path(), {})


def duck(tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="the duckdb extra isn't installed")
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a")
    return resolve(str(path), Path(), {})


def pids(pool):
    return [worker._process.pid for worker in pool._idle]


def test_a_statement_that_no_interrupt_reaches_loses_its_process(workers, shop):
    started = time.monotonic()

    with pytest.raises(QueryError) as caught:
        workers.run(shop, DEAF, Limits(seconds=0.3))

    assert "ran longer than 0.3 s" in caught.value.problem
    assert time.monotonic() - started < 2.5
    assert workers.run(shop, "SELECT count(*) FROM t", Limits()).rows == [[2]]


def test_a_statement_that_can_be_interrupted_keeps_its_process(workers, shop):
    workers.run(shop, "SELECT 1", Limits())
    before = pids(workers)

    with pytest.raises(QueryError) as caught:
        workers.run(shop, ENDLESS, Limits(seconds=0.2))

    assert "ran longer than 0.2 s" in caught.value.problem
    assert workers.run(shop, "SELECT 1", Limits()).rows == [[1]]
    assert pids(workers) == before


def test_a_statement_that_needs_too_much_memory_fails_and_the_parent_does_not_grow(workers, shop):
    workers.run(shop, "SELECT 1", Limits())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    greedy = "SELECT " + ", ".join(f"hex(zeroblob({4_000_000 + n}))" for n in range(100))

    with pytest.raises(QueryError) as caught:
        workers.run(shop, greedy, Limits(seconds=20))

    assert "memory" in caught.value.problem
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024
    assert workers.run(shop, "SELECT count(*) FROM t", Limits()).rows == [[2]]


def test_a_statement_can_not_fill_the_disk(shop):
    sorting = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 30) "
        "SELECT hex(zeroblob(1000000)) || i AS s FROM n ORDER BY 1"
    )
    code = (
        "import sys; from pathlib import Path; from pipeline.database import worker\n"
        "from pipeline.database.connect import open_database\n"
        "from pipeline.database.source import resolve\n"
        "worker.DISK_MB = 4\n"
        "with open_database(resolve(sys.argv[1], Path(), {}), bounded=True) as database:\n"
        "    worker._bound(512)\n"
        "    database.read_rows(sys.argv[2], bool, timeout_seconds=30)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(shop.path), sorting],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode
    assert "pipeline.errors." in done.stderr


def test_duckdb_can_not_take_more_memory_than_a_statement_may(workers, tmp_path):
    with pytest.raises(QueryError):
        workers.run(duck(tmp_path), "SELECT length(repeat('x', 4000000000))", Limits(seconds=5))


@pytest.mark.parametrize("sql", [pytest.param(ENDLESS, id="soft"), pytest.param(DEAF, id="hard")])
def test_a_cancelled_call_ends_within_the_grace_and_says_so(workers, shop, sql):
    call = Call()
    workers.run(shop, "SELECT 1", Limits())
    threading.Timer(0.2, call.cancel).start()
    started = time.monotonic()

    with pytest.raises(QueryError) as caught:
        workers.run(shop, sql, Limits(seconds=30), call=call)

    assert caught.value.problem == "the statement was cancelled"
    assert time.monotonic() - started < 3.5
    assert workers.run(shop, "SELECT 1", Limits()).rows == [[1]]


def test_a_call_that_was_cancelled_before_never_starts(workers, shop):
    call = Call()
    call.cancel()

    with pytest.raises(QueryError) as caught:
        workers.run(shop, "SELECT 1", Limits(), call=call)

    assert caught.value.problem == "the statement was cancelled"
    assert not pids(workers)


def test_statements_beyond_the_bound_wait_and_all_get_their_own_answer(shop):
    workers = Workers(most=3)
    seen = []

    def ask(number):
        rows = workers.run(shop, f"SELECT {number}, count(*) FROM t", Limits()).rows
        seen.append(workers._busy)
        return rows

    with ThreadPoolExecutor(40) as threads:
        answers = list(threads.map(ask, range(80)))
    workers.close()

    assert answers == [[[number, 2]] for number in range(80)]
    assert max(seen) <= 3


def test_who_waits_too_long_or_is_cancelled_while_waiting_is_told(shop):
    workers = Workers(most=1)
    call, first = Call(), Call()
    with ThreadPoolExecutor(3) as threads:
        slow = threads.submit(workers.run, shop, ENDLESS, Limits(seconds=60), call=first)
        while not workers._busy:
            time.sleep(0.01)
        patient = threads.submit(workers.run, shop, "SELECT 1", Limits(seconds=60), call=call)
        with pytest.raises(QueryError) as hasty:
            workers.run(shop, "SELECT 1", Limits(seconds=0.1))
        call.cancel()
        with pytest.raises(QueryError) as stopped:
            patient.result(timeout=5)
        first.cancel()
        with pytest.raises(QueryError):
            slow.result(timeout=10)
    workers.close()

    assert "other statements ran" in hasty.value.problem
    assert "was cancelled" in stopped.value.problem


def test_a_process_that_dies_while_idle_or_at_work_is_replaced(workers, shop):
    workers.run(shop, "SELECT 1", Limits())
    (idle,) = pids(workers)
    os.kill(idle, signal.SIGKILL)
    while workers._idle[0].is_alive():
        time.sleep(0.01)

    assert workers.run(shop, "SELECT 1", Limits()).rows == [[1]]
    (busy,) = pids(workers)
    threading.Timer(0.2, os.kill, [busy, signal.SIGKILL]).start()
    with pytest.raises(QueryError) as caught:
        workers.run(shop, ENDLESS, Limits())

    assert "ended the process" in caught.value.problem
    assert workers.run(shop, "SELECT 1", Limits()).rows == [[1]]


def test_the_process_goes_when_its_parent_is_killed(shop):
    code = (
        "import sys, threading; from pathlib import Path\n"
        "from pipeline.database.page import Limits; from pipeline.database.source import resolve\n"
        "from pipeline.database.workers import Workers\n"
        "pool = Workers(); source = resolve(sys.argv[1], Path(), {})\n"
        "pool.run(source, 'SELECT 1', Limits())\n"
        "print(pool._idle[0]._process.pid, flush=True)\n"
        f"pool.run(source, {ENDLESS!r}, Limits(seconds=60))\n"
    )
    arguments = [sys.executable, "-c", code, str(shop.path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as parent:
        pid = int(parent.stdout.readline())
        parent.kill()

    deadline = time.monotonic() + 5
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(pid)


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_file_that_was_replaced_is_read_anew(workers, shop, tmp_path):
    assert workers.run(shop, "SELECT count(*) FROM t", Limits()).rows == [[2]]
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    other.replace(shop.path)

    assert workers.run(shop, "SELECT count(*) FROM t", Limits()).rows == [[0]]


def test_an_error_of_megabytes_is_cut_before_it_leaves_the_process(workers, shop):
    endless = "SELECT json_extract('{}', '$' || replace(hex(zeroblob(3000000)), '0', 'x'))"

    with pytest.raises(QueryError) as caught:
        workers.run(shop, endless, Limits())

    assert len(caught.value.problem) < 5_000


def test_a_column_that_is_called_by_megabytes_has_a_short_name(workers, shop):
    name = "x" * 15_000

    result = workers.run(shop, f"SELECT 1 AS {name}", Limits())

    assert result.rows == [[1]]
    assert len(result.columns[0]) < 300


def test_what_a_pivot_leaves_behind_is_gone_with_its_connection(workers, tmp_path):
    source = duck(tmp_path)
    workers.run(source, "PIVOT t ON a USING count(*)", Limits())

    left = workers.run(
        source, "SELECT count(*) FROM duckdb_types() WHERE type_name LIKE '%pivot%'", Limits()
    )

    assert left.rows == [[0]]


def test_a_duckdb_file_is_free_for_its_writers_soon_after_a_statement(workers, tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="the duckdb extra isn't installed")
    source = duck(tmp_path)
    assert workers.run(source, "SELECT a FROM t", Limits()).rows == [[1]]

    deadline = time.monotonic() + 3
    while True:
        try:
            with duckdb.connect(str(source.path)) as connection:
                connection.execute("INSERT INTO t VALUES (2)")
            break
        except duckdb.IOException:
            assert time.monotonic() < deadline
            time.sleep(0.05)

    assert workers.run(source, "SELECT count(*) FROM t", Limits()).rows == [[2]]


def test_failures_keep_their_kind_on_the_way_out(workers, shop, tmp_path):
    with pytest.raises(QueryError) as caught:
        workers.run(shop, "SELECT nought FROM t", Limits())
    assert "no such column: nought" in caught.value.problem

    shop.path.unlink()
    with pytest.raises(DbloreError) as gone:
        workers.run(shop, "SELECT 1", Limits())
    assert isinstance(gone.value, SourceError)


@pytest.mark.parametrize("seconds", [0.1, 1.0, 2.0, 30.0])
def test_the_hard_limit_is_near_the_soft_one(seconds):
    assert seconds < hard_limit(seconds) <= 1.5 * seconds + 0.5


@pytest.fixture(params=sorted(engines.SERVERS))
def server(request):
    """A real server."""
    return engines.server(request.param, required=request.config.getoption("require_engines"))


SLOW = {
    "postgres": "SELECT count(*) FROM generate_series(1, 10000000000) AS {mark}",
    "mysql": "WITH RECURSIVE {mark}(n) AS "
    "(SELECT 1 UNION ALL SELECT n + 1 FROM {mark} WHERE n < 900) "
    "SELECT count(*) FROM {mark} a, {mark} b, {mark} c, {mark} d",
}
RUNNING = {
    "postgres": "SELECT count(*) FROM pg_stat_activity "
    "WHERE application_name = '{mark}' AND state = 'active'",  # its query is that of the cursor
    "mysql": "SELECT count(*) FROM information_schema.processlist WHERE info LIKE '%{mark}%' "
    "AND id <> connection_id()",
}


def marked(server, mark):
    """Return the server under a session name, by which PostgreSQL tells what runs."""
    if server.dialect != "postgres":
        return server
    return postgres_databases.named(server, query={"application_name": mark})


def gone_after(server, mark):
    """Return the seconds after which the server doesn't run the statement any more."""
    started = time.monotonic()
    with open_database(server) as database:
        while database.fetch(RUNNING[server.dialect].replace("{mark}", mark))[0][0]:
            assert time.monotonic() - started < 5
            time.sleep(0.02)
    return time.monotonic() - started


@pytest.mark.req("MCP-02", part="the time limit on PostgreSQL, MariaDB")
def test_a_server_has_dropped_a_statement_two_seconds_after_its_limit(workers, server):
    mark = f"late_{os.getpid()}"

    with pytest.raises(QueryError) as caught:
        workers.run(
            marked(server, mark), SLOW[server.dialect].replace("{mark}", mark), Limits(seconds=0.5)
        )

    assert "0.5 s" in caught.value.problem
    assert gone_after(server, mark) < 2


def test_a_server_has_dropped_a_statement_soon_after_its_command_was_interrupted(server):
    mark = f"interrupted_{os.getpid()}"
    sql = SLOW[server.dialect].replace("{mark}", mark)
    code = "import sys; from serve.cli import main; sys.exit(main(sys.argv[1:]))"
    arguments = [sys.executable, "-c", code, "query", "--db", marked(server, mark).url, sql]
    with subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as command:
        wait_until_running(server, mark)
        command.send_signal(signal.SIGINT)

    assert command.returncode == 130
    assert gone_after(server, mark) < 3


def wait_until_running(server, mark):
    deadline = time.monotonic() + 20
    with open_database(server) as database:
        while not database.fetch(RUNNING[server.dialect].replace("{mark}", mark))[0][0]:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.req("MCP-02", part="cancellation on PostgreSQL, MariaDB")
def test_a_server_has_dropped_a_statement_two_seconds_after_it_was_cancelled(workers, server):
    mark = f"cancelled_{os.getpid()}"
    call = Call()
    sql = SLOW[server.dialect].replace("{mark}", mark)

    def cancel():
        wait_until_running(server, mark)
        call.cancel()

    with ThreadPoolExecutor(1) as other:
        cancelling = other.submit(cancel)
        with pytest.raises(QueryError) as caught:
            workers.run(marked(server, mark), sql, Limits(seconds=60), call=call)
        cancelling.result()

    assert "cancelled" in caught.value.problem
    assert gone_after(server, mark) < 2
