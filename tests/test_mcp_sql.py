"""The tool `run_sql`: guarded, limited, cancelled for good."""

import json
import sys
import time

import anyio
import anyio.to_thread
import pytest
from mcp import Client

from pipeline.database.page import Limits
from serve.mcp.server import create_server
from tests.mcp_kbs import BUDGET, build_shop, call, text_of

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    return build_shop(tmp_path_factory.mktemp("shop"))


@pytest.fixture(params=["auto", "legacy"])
def era(request):
    """Return how the client negotiates: the 2026-07-28 protocol, or an `initialize` handshake."""
    return request.param


async def test_rows_are_returned_as_data_that_can_not_break_the_table(shop):
    result = await call(
        create_server(shop),
        "run_sql",
        {"sql": "SELECT id, note, 0.5 AS half FROM orders WHERE id < 12 ORDER BY id"},
    )

    assert result.structured_content["columns"] == ["id", "note", "half"]
    assert result.structured_content["rows"] == [
        [10, None, 0.5],
        [11, "gift | <b>wrap</b>", 0.5],
    ]
    assert text_of(result).splitlines()[3:] == [
        "| 10 | NULL | 0.5 |",
        "| 11 | gift \\| \\<b>wrap\\</b> | 0.5 |",
    ]


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("DELETE FROM orders", id="a write"),
        pytest.param("SELECT 1; SELECT 2", id="two statements"),
        pytest.param("SELECT load_extension('x')", id="a function with side effects"),
        pytest.param("SELECT * FROM nothing", id="an unknown table"),
        pytest.param("SELECT nothing FROM orders", id="an unknown column"),
    ],
)
async def test_what_must_not_or_can_not_run_is_an_error_with_advice(shop, sql):
    result = await call(create_server(shop), "run_sql", {"sql": sql})

    assert result.is_error
    assert "fix: " in text_of(result)


async def test_a_long_result_is_cut_to_whole_rows_and_says_so(shop):
    sql = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) "
        "SELECT i, printf('%0100d', i) AS padded FROM n"
    )

    result = await call(create_server(shop), "run_sql", {"sql": sql, "limit": 200})

    rows = result.structured_content["rows"]
    assert 20 < len(rows) < 200
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    assert all(len(row[1]) == 100 for row in rows)
    assert result.structured_content["truncated"]
    assert "to keep the answer short" in text_of(result)
    assert len(text_of(result)) <= BUDGET
    assert len(json.dumps(result.structured_content)) <= BUDGET


async def test_a_row_that_is_too_wide_is_cut_and_says_so(shop):
    columns = ", ".join(f"printf('%01900d', 1) AS c{n}" for n in range(30))

    result = await call(create_server(shop), "run_sql", {"sql": f"SELECT {columns} FROM islands"})

    assert not result.is_error, text_of(result)
    assert len(result.structured_content["rows"][0]) == 30
    assert "texts are cut" in text_of(result)
    assert len(text_of(result)) <= BUDGET
    assert len(json.dumps(result.structured_content, ensure_ascii=False)) <= BUDGET


SLOW = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) "
    "SELECT COUNT(*) FROM n"
)


@pytest.mark.req("MCP-02", part="the time limit on SQLite")
async def test_a_statement_ends_at_its_time_limit(shop):
    started = time.monotonic()

    result = await call(create_server(shop, limits=Limits(seconds=0.5)), "run_sql", {"sql": SLOW})

    assert result.is_error
    assert time.monotonic() - started < 4


@pytest.mark.req("MCP-02", part="cancellation on SQLite")
async def test_a_cancelled_call_stops_its_statement(shop, era):
    server = create_server(shop)
    threads = busy_threads()

    async with Client(server, mode=era) as client:
        await client.call_tool("run_sql", {"sql": "SELECT 1"})
        with anyio.move_on_after(0.5):
            await client.call_tool("run_sql", {"sql": SLOW})
        assert await anyio.to_thread.run_sync(ends_within_two_seconds, threads)


async def test_two_hundred_calls_at_once_all_get_their_own_answer(shop):
    answers = {}

    async def ask(client, number):
        sql = f"SELECT {number} AS n, count(*) AS orders FROM orders"
        result = await client.call_tool("run_sql", {"sql": sql})
        answers[number] = result.structured_content["rows"]

    async with Client(create_server(shop)) as client, anyio.create_task_group() as calls:
        for number in range(200):
            calls.start_soon(ask, client, number)

    (count,) = {rows[0][1] for rows in answers.values()}
    assert answers == {number: [[number, count]] for number in range(200)}
    assert count


async def test_other_tools_answer_while_statements_take_all_places(shop):
    server = create_server(shop, limits=Limits(seconds=3))

    async with Client(server) as client:
        await client.call_tool("list_tables", {})
        async with anyio.create_task_group() as calls:
            for _ in range(12):
                calls.start_soon(client.call_tool, "run_sql", {"sql": SLOW})
            await anyio.sleep(0.3)
            with anyio.fail_after(2):
                result = await client.call_tool("list_tables", {})
            calls.cancel_scope.cancel()

    assert not result.is_error


def ends_within_two_seconds(threads):
    deadline = time.monotonic() + 2
    while busy_threads() > threads and time.monotonic() < deadline:
        time.sleep(0.02)
    return busy_threads() <= threads


def busy_threads():
    """Return how many threads run SQL at the moment."""
    names = set()
    for frame in sys._current_frames().values():
        current = frame
        while current is not None:
            if current.f_code.co_name == "_run_sql":
                names.add(id(frame))
            current = current.f_back
    return len(names)
