"""What a static reading of the imports cannot prove, a fresh interpreter can."""

import subprocess
import sys

import pytest

HEAVY = (
    "sqlalchemy", "jsonschema", "networkx", "fastembed", "onnxruntime", "numpy", "sqlglot", "rich",
    "duckdb", "yaml",
)  # fmt: skip


@pytest.mark.parametrize(
    ("code", "also"),
    [
        pytest.param("import pipeline.tasks", ("doit", "mcp"), id="the list of stages"),
        pytest.param("from serve import cli; cli.parser()", ("doit", "mcp"), id="dblore --help"),
        pytest.param("import dodo", ("mcp",), id="bare doit"),
        pytest.param("import serve.mcp.server", ("doit",), id="the MCP server"),
    ],
)
def test_start_up_imports_nothing_heavy(code, also):
    listing = f"{code}; import sys; print([m for m in {HEAVY + also} if m in sys.modules])"

    done = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, encoding="utf-8", check=True
    )

    assert done.stdout.strip() == "[]"
