"""Commands that read: context, search, table, tables, path, stats, query."""

from __future__ import annotations

import argparse
import json
import sys
import unicodedata
from typing import Any

from pipeline.errors import SettingError
from serve.cli import arguments
from serve.cli.arguments import Commands, add_database, add_json, add_kb, command, say, tell


def add_commands(commands: Commands) -> None:
    """Add the commands of this module."""
    for parser in (*_add_questions(commands), *_add_tables(commands), *_add_queries(commands)):
        add_kb(parser)
        add_json(parser)


def _add_questions(commands: Commands) -> list[argparse.ArgumentParser]:
    context = command(
        commands,
        "context",
        run_context,
        "Print what an agent needs to write the SQL for a question.",
        'dblore context --kb kb/shop "Which customers bought most last year?"',
    )
    context.add_argument("question")
    budget = context.add_mutually_exclusive_group()
    budget.add_argument(
        "--budget", type=int, metavar="N", help="characters at most (default 12000)"
    )
    budget.add_argument(
        "--tokens", type=int, metavar="N", help="tokens at most (4 characters each)"
    )
    search = command(
        commands,
        "search",
        run_search,
        "Search tables, columns, metrics, terms, entities, relations and examples.",
        'dblore search --kb kb/shop "discount" -k 5',
    )
    search.add_argument("query")
    search.add_argument("-k", type=int, default=10, metavar="N", help="hits at most (default 10)")
    search.add_argument("--kind", action="append", default=[], help="only this kind; repeatable")
    return [context, search]


def _add_tables(commands: Commands) -> list[argparse.ArgumentParser]:
    table = command(
        commands, "table", run_table, "Print all that is known of a table.", "dblore table orders"
    )
    table.add_argument("table")
    tables = command(
        commands,
        "tables",
        run_tables,
        "List tables with what they mean.",
        "dblore tables '*order*'",
    )
    tables.add_argument("pattern", nargs="?", default="*", help="glob on the name")
    path = command(
        commands, "path", run_path, "Print how to join two tables.", "dblore path orders customers"
    )
    path.add_argument("from_table")
    path.add_argument("to_table")
    return [table, tables, path]


def _add_queries(commands: Commands) -> list[argparse.ArgumentParser]:
    stats = command(
        commands,
        "stats",
        run_stats,
        "Print counts, sizes, coverage, the index's model.",
        "dblore stats",
    )
    query = command(
        commands,
        "query",
        run_query,
        "Run one read-only statement, guarded and limited.",
        'dblore query --kb kb/shop "SELECT COUNT(*) FROM orders"',
    )
    query.add_argument("sql")
    query.add_argument(
        "--rows", type=int, default=200, metavar="N", help="rows at most (default 200)"
    )
    query.add_argument(
        "--timeout", type=float, default=30.0, metavar="S", help="seconds (default 30)"
    )
    add_database(query)
    return [stats, query]


def run_context(options: argparse.Namespace) -> int:
    """Print the context pack of a question."""
    from serve.context import DEFAULT_BUDGET, context

    budget = options.tokens * 4 if options.tokens else options.budget or DEFAULT_BUDGET
    pack = context(_open(options), options.question, budget=budget)
    if options.json:
        arguments.print_json(pack.data())
    else:
        say(pack.markdown().rstrip())
    return 0


def run_search(options: argparse.Namespace) -> int:
    """Print the hits of a search, best first."""
    from schemas import codec
    from serve.cards import visible
    from serve.search import search

    hits = search(_open(options), options.query, limit=options.k, kinds=tuple(options.kind))
    if options.json:
        arguments.print_json([codec.to_json(hit) for hit in hits])
        return 0
    for hit in hits:
        say(f"{hit.kind:<9} {visible(hit.ref)}")
        if hit.text:
            say(f"          {_short(hit.text)}")
    if not hits:
        tell("nothing found; try other words, or: dblore tables")
    return 0


def run_table(options: argparse.Namespace) -> int:
    """Print a table's card."""
    from schemas import codec
    from serve.cards import card_markdown

    base = _open(options)
    card = base.table(options.table)
    if options.json:
        arguments.print_json(codec.to_json(card))
    else:
        say(card_markdown(card, dialect=base.facts.catalog.dialect).rstrip())
    return 0


def run_tables(options: argparse.Namespace) -> int:
    """Print a line per table."""
    found = _open(options).tables(options.pattern)
    if options.json:
        rows = [
            {
                "table": card.name,
                "kind": card.table.kind,
                "rows": card.profile.rows,
                "description": card.description,
                "origin": card.description_origin,
            }
            for card in found
        ]
        arguments.print_json(rows)
        return 0
    from serve.cards import visible

    names = [visible(card.name) for card in found]
    width = max(map(len, names), default=0)
    for name, card in zip(names, found, strict=True):
        rows_text = "?" if card.profile.rows is None else f"{card.profile.rows:,}"
        say(f"{name:<{width}}  {rows_text:>11}  {_short(card.description)}".rstrip())
    if not found:
        tell(f"no table matches {options.pattern!r}; all of them: dblore tables")
    return 0


def run_path(options: argparse.Namespace) -> int:
    """Print the cheapest joins between two tables, with alternatives."""
    from serve.paths import find_paths

    found = find_paths(_open(options), options.from_table, options.to_table)
    if options.json:
        arguments.print_json(found.data())
    else:
        say(found.markdown().rstrip())
    return 0


def run_stats(options: argparse.Namespace) -> int:
    """Print what the knowledge base holds."""
    from serve.stats import stats, told

    found = stats(_open(options))
    if options.json:
        arguments.print_json(found)
        return 0
    for name, text in told(found).items():
        say(f"{name:<10} {text}")
    return 0


def run_query(options: argparse.Namespace) -> int:
    """Run a statement and print its rows."""
    from pipeline.database.query import Limits, read
    from schemas import codec

    if options.rows < 1 or options.timeout <= 0:
        raise SettingError("--rows and --timeout must be positive", fix="leave them out")
    limits = Limits(rows=options.rows, seconds=options.timeout)
    base, source = _query_source(options)
    kb = base.kb if base is not None else None
    result = read(
        source,
        options.sql,
        catalog=base.facts.catalog if kb is not None and kb.catalog.exists() else None,
        limits=limits,
        sensitive=base.facts.sensitive if kb is not None and kb.profile.exists() else None,
    )
    if options.json:
        arguments.print_json(codec.to_json(result))
        return 0
    _print_rows(result)
    return 0


def _query_source(options: argparse.Namespace) -> tuple[Any, Any]:
    """Return the knowledge base, if one is named, and the database to ask."""
    import os
    from pathlib import Path

    from pipeline.database.source import resolve
    from pipeline.staleness import Situation

    alone = arguments.new_database(options)
    if alone is not None and not (options.kb or os.environ.get("DBLORE_KB")):
        return None, resolve(alone, Path.cwd(), os.environ)
    named = arguments.database(options)
    return _open(options), Situation(arguments.kb(options), database=named).source()


def _print_rows(result: Any) -> None:
    """Print rows as a table on a terminal, as tab-separated text elsewhere."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table()
        for name in result.columns:
            table.add_column(Text(_harmless(name)))
        for row in result.rows:
            table.add_row(*(Text(_harmless(_cell(value), keep="\n")) for value in row))
        Console().print(table)
    else:
        say("\t".join(_field(name) for name in result.columns))
        for row in result.rows:
            say("\t".join(_field(value) for value in row))
    for note in result.notes:
        tell(f"note: {note}")


def _cell(value: Any) -> str:
    """Return a value as text: arrays, structures and booleans as JSON."""
    if isinstance(value, str):
        return value
    return "NULL" if value is None else json.dumps(value, ensure_ascii=False)


def _field(value: Any) -> str:
    r"""Return a value of which nothing ends a field or a line; NULL is \N, as in a COPY file."""
    return r"\N" if value is None else _harmless(_cell(value).replace("\\", "\\\\"))


def _harmless(text: str, keep: str = "") -> str:
    """Return a value whose control characters, which a terminal may obey, stand as escapes."""
    return "".join(
        ascii(c)[1:-1] if unicodedata.category(c) == "Cc" and c not in keep else c for c in text
    )


def _open(options: argparse.Namespace) -> Any:
    from serve.knowledge import KnowledgeBase

    return KnowledgeBase.open(arguments.kb(options).folder)


def _short(text: str) -> str:
    from pipeline.text import one_line, shorten
    from serve.cards import plain

    return plain(shorten(one_line(text), 110))
