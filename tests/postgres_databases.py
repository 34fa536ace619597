"""PostgreSQL databases that live as long as a test needs them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from sqlalchemy import make_url

from pipeline.database.connect import open_database
from pipeline.database.source import Source


def own(name: str) -> str:
    """Return a name of this run's own."""
    return f"dblore_{name}_{os.getpid()}"


@contextmanager
def session(source: Source) -> Iterator[Callable[..., None]]:
    """Yield what runs statements as they are, each on its own, in one session."""
    import psycopg  # an absent driver skips all of these tests

    address = make_url(source.url).set(drivername="postgresql")
    text = address.render_as_string(hide_password=False)

    def run_all(*statements: str, encoding: str = "utf-8") -> None:
        for statement in statements:
            connection.execute(statement.encode(encoding))

    with psycopg.connect(text, autocommit=True) as connection:
        yield run_all


def run(source: Source, *statements: str, encoding: str = "utf-8") -> None:
    """Run statements in a session that ends with them: then the server counts the rows."""
    with session(source) as run_all:
        run_all(*statements, encoding=encoding)


def run_counted(source: Source, *statements: str) -> None:
    """Run statements that change rows, and wait until the server has counted them."""
    with open_database(source) as database:
        before = database.table_stamps()
        run(source, *statements)
        end = time.monotonic() + 5
        while database.table_stamps() == before and time.monotonic() < end:
            time.sleep(0.02)


def named(source: Source, **parts: object) -> Source:
    """Return the source with another database, user or the like."""
    url = make_url(source.url).set(**parts)
    shown = f"{source.shown.rpartition('/')[0]}/{url.database}"
    return replace(source, url=url.render_as_string(hide_password=False), shown=shown)


@contextmanager
def database(server: Source, name: str, *ddl: str, options: str = "") -> Iterator[Source]:
    """Make a database of its own, and drop it afterwards."""
    full = own(name)
    run(server, f"CREATE DATABASE {full} {options}")
    try:
        source = named(server, database=full)
        run(source, *ddl)
        yield source
    finally:
        run(server, f"DROP DATABASE {full} WITH (FORCE)")


@contextmanager
def role(server: Source, name: str) -> Iterator[str]:
    """Make a login of its own, and drop it afterwards."""
    full = own(name)
    run(server, f"CREATE ROLE {full} LOGIN")
    try:
        yield full
    finally:
        run(server, f"DROP ROLE {full}")
