"""Write the pages of docs/reference that say what code does: cli, tools, guard, engines, lint.

`python -m tests.reference_pages` writes them; a test fails when a page isn't what this writes.
"""

import argparse
import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import anyio
from mcp import Client

from serve import cli
from serve.mcp.server import create_server
from tests import engines_page, guard_page, lint_page

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"

CLI_HEAD = """\
# Command line

Data goes to stdout, talk to stderr. Exit statuses are in [errors](errors.md).

A knowledge base is named by `--kb` or the environment variable `DBLORE_KB`; else it is the
current folder or the only one below `kb/`. A database is named by `--db`, `source` in `kb.yaml` or
`DBLORE_DB`, in this order.
"""
TOOLS_HEAD = """\
# Tools

What an agent can call. `dblore mcp --toolsets` chooses the sets; the default is `knowledge`, and
`sql` when there is a database. An answer is text, with the same as structured content, of at most
12,000 characters: what doesn't fit is named, with the call that gets it. All of these tools only
read. An unknown argument, table or column is an error that says what there is.
"""
TITLES = {
    "knowledge": "what the database means and how its tables meet",
    "sql": "read-only statements on the source database",
}


def cli_page():
    """Return docs/reference/cli.md."""
    top = cli.parser()
    (commands,) = (a for a in top._actions if isinstance(a, argparse._SubParsersAction))
    blocks = [CLI_HEAD]
    for name, parser in commands.choices.items():
        rows = [_option(action) for action in parser._actions if action.dest != "help"]
        blocks.append(f"## dblore {name}\n\n{parser.description}\n\n{_table(rows)}")
        blocks.append(f"```console\n$ {parser.epilog.removeprefix('example: ')}\n```\n")
    return "\n".join(blocks)


def _option(action):
    if not action.option_strings:
        optional = action.nargs == "?"
        return f"`{action.dest}`" + (" (optional)" if optional else ""), action.help or ""
    value = f" {action.metavar or action.dest.upper()}" if action.nargs != 0 else ""
    return f"`{', '.join(action.option_strings)}{value}`", action.help or ""


def tools_page():
    """Return docs/reference/tools.md."""
    return anyio.run(_tools_page)


async def _tools_page():
    blocks = [TOOLS_HEAD]
    with tempfile.TemporaryDirectory() as folder:
        for toolset, title in TITLES.items():
            blocks.append(f"## {toolset}: {title}\n")
            server = create_server(
                Path(folder), database=_empty_database(folder), toolsets=[toolset]
            )
            async with Client(server) as client:
                blocks += [_tool(tool) for tool in (await client.list_tools()).tools]
    return "\n".join(blocks)


def _empty_database(folder):
    path = Path(folder) / "empty.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS t (id)")
    return str(path)


def _tool(tool):
    schema = tool.input_schema
    rows = []
    for name, about in schema["properties"].items():
        needed = name in schema.get("required", ())
        default = "needed" if needed else f"`{json.dumps(about['default'])}`"
        rows.append((f"`{name}`", default, about["description"] + _bounds(about)))
    heads = ("argument", "default", "meaning")
    return f"### {tool.name}\n\n{tool.description}\n\n{_table(rows, heads)}"


def _bounds(about):
    if "minimum" in about:
        upward = f"to {about['maximum']:,}" if "maximum" in about else "or more"
        return f" {about['minimum']:,} {upward}."
    of = about.get("items", {}).get("enum", ())
    return f" Of {', '.join(f'`{value}`' for value in of)}." if of else ""


def _table(rows, heads=("option", "meaning")):
    filled = [heads, ["---"] * len(heads), *rows]
    return "".join(
        f"| {' | '.join(c.replace('|', chr(92) + '|') for c in row)} |\n" for row in filled
    )


if __name__ == "__main__":
    (REFERENCE / "cli.md").write_text(cli_page(), encoding="utf-8")
    (REFERENCE / "tools.md").write_text(tools_page(), encoding="utf-8")
    (REFERENCE / "guard.md").write_text(guard_page.page(), encoding="utf-8")
    (REFERENCE / "lint.md").write_text(lint_page.page(), encoding="utf-8")
    (REFERENCE / "engines.md").write_text(engines_page.page(), encoding="utf-8")
