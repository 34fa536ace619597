"""Commands that serve: mcp."""

from __future__ import annotations

import argparse

from serve.cli import arguments
from serve.cli.arguments import Commands, add_database, add_kb, command


def add_commands(commands: Commands) -> None:
    """Add the commands of this module."""
    mcp = command(
        commands,
        "mcp",
        run_mcp,
        "Serve a knowledge base to an agent over MCP (stdio).",
        "dblore mcp --kb kb/shop --toolsets knowledge,sql",
    )
    add_kb(mcp)
    add_database(mcp)
    mcp.add_argument(
        "--toolsets",
        metavar="NAMES",
        help="comma-separated (default: knowledge, and sql with a database)",
    )
    mcp.add_argument(
        "--query-timeout", type=float, default=30.0, metavar="S", help="seconds a statement"
    )
    mcp.add_argument("--max-rows", type=int, default=200, metavar="N", help="rows a result")
    mcp.add_argument(
        "--max-bytes", type=int, default=65_536, metavar="N", help="bytes a result, as JSON"
    )
    mcp.add_argument("--max-cell", type=int, default=2_000, metavar="N", help="characters a value")
    mcp.add_argument(
        "--unmask",
        action="store_true",
        help="show the values of sensitive columns in the rows of run_sql",
    )


def run_mcp(options: argparse.Namespace) -> int:
    """Run the server until its client goes away."""
    from pipeline.database.page import Limits
    from serve.mcp.stdio import run_stdio

    limits = Limits(
        rows=options.max_rows,
        bytes=options.max_bytes,
        cell=options.max_cell,
        seconds=options.query_timeout,
    )
    kb = arguments.kb(options)
    names = tuple(n.strip() for n in options.toolsets.split(",")) if options.toolsets else None
    run_stdio(
        kb.folder,
        database=arguments.database(options),
        toolsets=names,
        limits=limits,
        unmask=options.unmask,
    )
    return 0
