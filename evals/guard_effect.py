"""What statements that got past the guard do, on files and servers made for it and destroyed after.

Nothing here is read-only: that is the point. The servers are those of `evals.throwaway`, never ones
that somebody uses; files are opened in a process of their own, with little memory and time.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from evals import throwaway
from evals.guard_engines import fixtures

SECONDS = 5
_MEMORY = 2 << 30

# Run with `-c`: the file's kind and path, the fixtures and the statement come on stdin as JSON.
_IN_PROCESS = """
import json, resource, sys
kind, path, fixtures, sql, memory = json.load(sys.stdin)
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
module = __import__("sqlite3" if kind == "sqlite" else "duckdb")
connection = module.connect(path)
for statement in fixtures:
    connection.execute(statement)
try:
    rows = connection.execute(sql).fetchmany(3)
    print("runs:", str(rows)[:150])
except BaseException as error:
    print("fails:", (str(error).splitlines() or [""])[0][:150])
"""


def effects(dialect: str, statements: Sequence[str]) -> list[str]:
    """Run statements on an engine of our own; return for each `runs: …`, `fails: …` or why not."""
    if dialect not in ("sqlite", "duckdb", "postgres", "mysql"):
        return ["not run: no engine"] * len(statements)
    try:
        with throwaway.workspace() as folder, _runner(dialect, folder) as run:
            return [run(sql) for sql in statements]
    except throwaway.AbsentError as error:
        return [f"not run: {error}"] * len(statements)


@contextmanager
def _runner(dialect: str, folder: Path) -> Any:
    """Give the function that runs one statement on an engine with the fixtures."""
    if dialect in ("sqlite", "duckdb"):
        yield lambda sql: _in_process(dialect, folder, sql)
        return
    made = throwaway.postgres if dialect == "postgres" else throwaway.mariadb
    with made(folder) as server:
        prepare = fixtures(dialect)
        if dialect == "mysql":
            prepare = ["CREATE DATABASE shop", "USE shop", *prepare]
        with closing(server.connect()) as connection:
            _execute(connection, prepare)
        yield lambda sql: _on_server(dialect, server.connect, sql)


def _in_process(dialect: str, folder: Path, sql: str) -> str:
    path = folder / f"{len(list(folder.iterdir()))}.{dialect}"
    given = json.dumps([dialect, str(path), fixtures(dialect), sql, _MEMORY])
    try:
        done = subprocess.run(
            [sys.executable, "-c", _IN_PROCESS],
            input=given,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            cwd=folder,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"runs: for more than {SECONDS} s"
    return done.stdout.strip() or f"ends the process with status {done.returncode}"


def _on_server(dialect: str, connect: Callable[[], Any], sql: str) -> str:
    with closing(connect()) as connection:
        settings = [f"SET statement_timeout = {SECONDS * 1000}"]
        if dialect == "mysql":
            settings = [f"SET max_statement_time = {SECONDS}", "USE shop"]
        _execute(connection, settings)
        try:
            rows = _execute(connection, [sql])
        except Exception as error:  # noqa: BLE001 - each driver has its own
            return f"fails: {(str(error).splitlines() or [''])[0][:150]}"
        return f"runs: {str(rows)[:150]}"


def _execute(connection: Any, statements: Sequence[str]) -> Any:
    """Run statements; return some rows of the last, if it has any."""
    with closing(connection.cursor()) as cursor:
        for statement in statements:
            cursor.execute(statement)
        with suppress(Exception):
            return cursor.fetchmany(3)
    return None
