"""Commands that serve: mcp."""

from __future__ import annotations

import argparse
import math

from pipeline.errors import SettingError
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


def run_mcp(options: argparse.Namespace) -> int:
    """Run the server until its client goes away."""
    from serve.mcp.stdio import run_stdio

    if not 0 < options.query_timeout < math.inf:
        raise SettingError("--query-timeout must be above 0 seconds", fix="leave it out")
    kb = arguments.kb(options)
    names = tuple(n.strip() for n in options.toolsets.split(",")) if options.toolsets else None
    run_stdio(
        kb.folder,
        database=arguments.database(options),
        toolsets=names,
        query_timeout=options.query_timeout,
    )
    return 0
