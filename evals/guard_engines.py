"""Do the statements that the guard lets pass also run, through the door that all callers use?

    python -m evals.guard_engines --allow FILE… [--dialect NAME] [--json]

Each item of SQLite, DuckDB, PostgreSQL and MySQL runs with `read()`, on the tables of fixtures.sql,
in a file or a database that is made for it and dropped at the end; items with `verified: false` are
left out. The servers are those of DBLORE_TEST_POSTGRES and DBLORE_TEST_MARIADB, or the usual ports.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evals.guard_tables import CATALOGS
from evals.yaml_files import read_yaml
from pipeline.database.query import read
from pipeline.database.source import Source, resolve
from pipeline.errors import DbloreError

FIXTURES = Path(__file__).with_name("fixtures.sql")
DIALECTS = ("sqlite", "duckdb", "postgres", "mysql")
SERVERS = {
    "postgres": ("DBLORE_TEST_POSTGRES", "postgresql+psycopg://postgres@127.0.0.1:5432/postgres"),
    "mysql": ("DBLORE_TEST_MARIADB", "mysql+pymysql://root@127.0.0.1:3306/mysql"),
}
_JSON = {"sqlite": "TEXT", "duckdb": "JSON", "postgres": "JSONB", "mysql": "JSON"}


@dataclass(frozen=True, slots=True)
class Failure:
    """A statement that passes the guard, or should, but doesn't return."""

    id: str
    sql: str
    error: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the statements of one dialect."""

    total: int
    ran: int
    failures: tuple[Failure, ...]
    absent: str | None = None
    """Why there is no such engine here; then nothing ran."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; return 0 when every statement returned, else 1."""
    options = _options(arguments)
    wanted = [options.dialect] if options.dialect else DIALECTS
    outcomes = {dialect: measure(dialect, items(options.allow, dialect)) for dialect in wanted}
    if options.json:
        shown = {dialect: asdict(outcome) for dialect, outcome in outcomes.items()}
        print(json.dumps(shown, ensure_ascii=False, indent=1))
    else:
        for dialect, outcome in outcomes.items():
            _print(dialect, outcome)
    return 0 if all(outcome.ran == outcome.total for outcome in outcomes.values()) else 1


def items(files: Sequence[Path], dialect: str) -> list[dict[str, Any]]:
    """Return the items of a dialect which aren't said to be unverified."""
    return [
        item
        for file in files
        for item in read_yaml(file)
        if item["dialect"] == dialect and item.get("verified", True)
    ]


def measure(dialect: str, of: Sequence[dict[str, Any]]) -> Outcome:
    """Run items on a database made for them."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        try:
            source = stack.enter_context(database(dialect, folder))
        except Exception as error:  # noqa: BLE001 - each driver has its own for "no server"
            return Outcome(len(of), 0, (), absent=f"{type(error).__name__}: {_first_line(error)}")
        failures = [f for item in of if (f := failure(source, item)) is not None]
    return Outcome(len(of), len(of) - len(failures), tuple(failures))


def failure(source: Source, item: dict[str, Any]) -> Failure | None:
    """Run one item; return how it failed, if it did."""
    try:
        read(source, item["sql"], catalog=CATALOGS[source.dialect])
    except DbloreError as error:
        return Failure(str(item["id"]), item["sql"], error.problem)
    return None


def database(dialect: str, folder: Path) -> Any:
    """Return a context manager that makes a database with the fixtures and gives its source."""
    makers: dict[str, Callable[[Path], Any]] = {
        "sqlite": _sqlite,
        "duckdb": _duckdb,
        "postgres": _postgres,
        "mysql": _mysql,
    }
    return makers[dialect](folder)


def fixtures(dialect: str) -> list[str]:
    """Return the statements that make the tables."""
    lines = FIXTURES.read_text(encoding="utf-8").splitlines()
    quote = "`" if dialect == "mysql" else '"'
    return [
        line.replace("{q}", quote).replace("{json}", _JSON[dialect])
        for line in lines
        if line and not line.startswith("--")
    ]


@contextmanager
def _sqlite(folder: Path) -> Iterator[Source]:
    path = folder / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("\n".join(fixtures("sqlite")))
    yield resolve(str(path), Path(), {})


@contextmanager
def _duckdb(folder: Path) -> Iterator[Source]:
    import duckdb

    path = folder / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in fixtures("duckdb"):
            connection.execute(statement)
    yield resolve(str(path), Path(), {})


@contextmanager
def _postgres(_: Path) -> Iterator[Source]:
    import psycopg

    def connect(url: Any) -> Any:
        plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
        return psycopg.connect(plain, autocommit=True, connect_timeout=5)

    with _own_database("postgres", connect) as (connection, source):
        with suppress(psycopg.Error):  # a contrib module, which not every server has
            connection.execute("CREATE EXTENSION pg_trgm")
        yield source


@contextmanager
def _mysql(_: Path) -> Iterator[Source]:
    import pymysql

    def connect(url: Any) -> Any:
        connection = pymysql.connect(
            host=url.host,
            port=url.port or 3306,
            user=url.username,
            password=url.password or "",
            database=url.database,
            connect_timeout=5,
            autocommit=True,
        )
        return closing(connection)

    with _own_database("mysql", connect) as (_connection, source):
        yield source


@contextmanager
def _own_database(dialect: str, connect: Callable[[Any], Any]) -> Iterator[tuple[Any, Source]]:
    """Make a database of a name that nobody has, with the fixtures; drop it at the end."""
    from sqlalchemy import make_url

    variable, usual = SERVERS[dialect]
    url = make_url(os.environ.get(variable, usual))
    name = f"dblore_guard_{uuid.uuid4().hex[:12]}"
    with connect(url) as outer:
        _run(outer, [f"CREATE DATABASE {name}"])
        try:
            with connect(url.set(database=name)) as inner:
                _run(inner, fixtures(dialect))
                named = url.set(database=name).render_as_string(hide_password=False)
                yield inner, resolve(named, Path(), {})
        finally:
            force = " WITH (FORCE)" if dialect == "postgres" else ""
            _run(outer, [f"DROP DATABASE {name}{force}"])


def _run(connection: Any, statements: Sequence[str]) -> None:
    with closing(connection.cursor()) as cursor:
        for statement in statements:
            cursor.execute(statement)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0]


def _print(dialect: str, outcome: Outcome) -> None:
    print(f"{dialect}: {outcome.ran} of {outcome.total} ran")
    if outcome.absent:
        print(f"  not here: {outcome.absent}")
    for item in outcome.failures:
        print(f"  FAILS {item.id}: {item.sql}\n    {item.error}")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.guard_engines", description=__doc__)
    parser.add_argument("--allow", nargs="+", type=Path, required=True, metavar="FILE")
    parser.add_argument("--dialect", choices=DIALECTS, help="run only items of this dialect")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
