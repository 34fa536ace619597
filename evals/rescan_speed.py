"""What a build costs when nothing, or one table, changed: `python -m evals.rescan_speed SOURCE…`.

SOURCE is what `source:` of kb.yaml may be: a SQLite or DuckDB file, a PostgreSQL or MariaDB URL. It
is only read: the measured database is a copy, in a temporary folder or beside it on its server,
gone at the end; so the login must be one that may create databases.

Nothing changed: `dblore build` of the copy, in turns with a plain doit of seven trivial tasks;
whole processes, wall time and processor time. One table changed: a row of one table of the copy,
then the profile stage, with the tables that it read again and the statements on joins that it ran.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from evals import idle
from pipeline import profile
from pipeline.authored import load_settings
from pipeline.database.source import Source, resolve
from pipeline.kb import Kb
from pipeline.profile.pace import Step

_NAME = f"dblore_rescan_{os.getpid()}"
Change = Callable[[], None]


def figures(source_text: str, *, runs: int) -> dict[str, Any]:
    """Return what a build of an unchanged database costs, and one after a change of one table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with _copy(resolve(source_text, Path(), os.environ), folder) as (source, change):
            kb = _knowledge_base(folder, source)
            return {**_unchanged(kb, folder, runs), **_changed(kb, source, change)}


def _unchanged(kb: Kb, folder: Path, runs: int) -> dict[str, Any]:
    commands = idle.warmed(
        {"build": idle.build_of(kb.folder), "plain": idle.plain_doit(folder / "plain")}
    )
    before = kb.lock.read_bytes()
    medians = idle.in_turns(commands, runs)
    plain, build = medians["plain"], medians["build"]
    return {
        "runs": runs,
        "nothing_done": kb.lock.read_bytes() == before,
        "plain_ms": idle.ms(plain.wall),
        "build_ms": idle.ms(build.wall),
        "ratio": round(build.wall / plain.wall, 2),
        "beyond_twice_plain_ms": idle.ms(build.wall - 2 * plain.wall),
        "plain_cpu_ms": idle.ms(plain.processor),
        "build_cpu_ms": idle.ms(build.processor),
        "cpu_ratio": round(build.processor / plain.processor, 2),
    }


def _changed(kb: Kb, source: Source, change: Change) -> dict[str, Any]:
    found: dict[str, Any] = {}
    cache = kb.build / "measured-cache"
    for name in ("first", "again", "one_changed"):
        if name == "one_changed":
            change()
        known = _keys(cache)
        read: list[str] = []
        started = time.perf_counter()
        profile.build(
            source=source,
            settings=load_settings(kb.settings),
            catalog=kb.catalog,
            semantic=kb.semantic,
            out=kb.build / "measured" / "profile.json",
            progress=partial(_note, read),
            cache=cache,
        )
        found[f"{name}_ms"] = idle.ms(time.perf_counter() - started)
        found[f"{name}_tables_read"] = len(read)
        found[f"{name}_join_statements"] = len(_keys(cache) - known)
        if name == "one_changed":
            found["read_again"] = sorted(read)[:9]
    return found


def _note(read: list[str], step: Step) -> None:
    if step.finished:
        read.append(step.finished)


def _keys(cache: Path) -> set[str]:
    """Return the keys of what is kept of the search for joins."""
    path = cache.with_name(f"{cache.name}-joins")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {json.loads(line)["key"] for line in lines}


def _knowledge_base(folder: Path, source: Source) -> Kb:
    kb = Kb(folder / "kb")
    kb.folder.mkdir()
    text = json.dumps(str(source.path) if source.path is not None else source.url)
    kb.settings.write_text(f"name: rescan\nsource: {text}\nembedder: none\n", encoding="utf-8")
    return kb


@contextmanager
def _copy(source: Source, folder: Path) -> Iterator[tuple[Source, Change]]:
    """Give a copy of a database, and what changes a row of one of its tables."""
    if source.path is not None:
        path = folder / source.path.name
        shutil.copyfile(source.path, path)
        change = _in_sqlite if source.dialect == "sqlite" else _in_duckdb
        yield resolve(str(path), folder, {}), lambda: change(path)
        return
    servers = {"postgres": _on_postgres, "mysql": _on_mariadb}
    if source.dialect not in servers:
        raise SystemExit(f"there is no copy of a {source.dialect} database")
    with servers[source.dialect](source) as change_there:
        head, _, _ = source.url.rpartition("/")
        yield resolve(f"{head}/{_NAME}", Path(), {}), change_there


def _in_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        found = _first(
            connection,
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
        )
        table = found.replace('"', '""')
        connection.execute(
            f'DELETE FROM "{table}" WHERE rowid = (SELECT max(rowid) FROM "{table}")'
        )
        connection.commit()


def _in_duckdb(path: Path) -> None:
    import duckdb

    with closing(duckdb.connect(str(path))) as connection:  # the file is the unit
        connection.execute("CREATE TABLE dblore_rescan AS SELECT 1 AS i")


def _first(connection: Any, sql: str) -> str:
    return str(connection.execute(sql).fetchone()[0])


@contextmanager
def _on_postgres(source: Source) -> Iterator[Change]:
    import psycopg
    from sqlalchemy import make_url

    url = make_url(source.url).set(drivername="postgresql")

    def run(database: str, *statements: str) -> list[Any]:
        address = url.set(database=database).render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def change() -> None:
        schema, table, column = run(
            _NAME,
            "SELECT quote_ident(n.nspname), quote_ident(c.relname), quote_ident(a.attname)"
            " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a"
            " ON a.attrelid = c.oid AND a.attnum = 1 WHERE c.relkind = 'r' AND c.reltuples > 0"
            " AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'"
            " ORDER BY c.reltuples, c.relname LIMIT 1",
        )[0]
        run(_NAME, f"UPDATE {schema}.{table} SET {column} = {column}")
        time.sleep(1)  # until the session has passed its counters on

    original = (url.database or "").replace('"', '""')
    run("postgres", f'CREATE DATABASE {_NAME} TEMPLATE "{original}"')
    try:
        run(_NAME, "ANALYZE")
        yield change
    finally:
        run("postgres", f"DROP DATABASE {_NAME} WITH (FORCE)")


@contextmanager
def _on_mariadb(source: Source) -> Iterator[Change]:
    import pymysql
    from sqlalchemy import make_url

    at = make_url(source.url)
    login = {"host": at.host, "port": at.port or 3306, "user": at.username}

    def run(*statements: str) -> list[Any]:
        with closing(pymysql.connect(**login, password=at.password or "")) as connection:
            cursor = connection.cursor()
            for statement in statements:
                cursor.execute(statement)
            connection.commit()
            return list(cursor.fetchall())

    def change() -> None:
        run(f"DELETE FROM {_NAME}.`{tables[0]}` LIMIT 1")

    original = (at.database or "").replace("`", "``")
    tables = [
        row[0].replace("`", "``")
        for row in run(f"SHOW FULL TABLES FROM `{original}` WHERE table_type = 'BASE TABLE'")
    ]
    run(f"CREATE DATABASE {_NAME}")
    try:
        for table in tables:
            run(
                f"CREATE TABLE {_NAME}.`{table}` LIKE `{original}`.`{table}`",
                f"INSERT INTO {_NAME}.`{table}` SELECT * FROM `{original}`.`{table}`",
            )
        yield change
    finally:
        run(f"DROP DATABASE {_NAME}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of each source."""
    parser = argparse.ArgumentParser(prog="python -m evals.rescan_speed", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("sources", nargs="+", metavar="SOURCE")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = {
        resolve(text, Path(), os.environ).shown: figures(text, runs=options.runs)
        for text in options.sources
    }
    if options.json:
        print(json.dumps(found, indent=1))
        return 0
    for shown, measured in found.items():
        print(shown)
        for name, value in measured.items():
            print(f"  {name:<28} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
