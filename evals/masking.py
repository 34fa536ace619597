"""Run random statements with masks on, and look for values that show all the same.

python -m evals.masking [--count N] [--seed N] [--postgres URL]
"""

from __future__ import annotations

import argparse
import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from evals.masking_statements import TABLES, Statements
from pipeline.database import guard
from pipeline.database.masking import lineage as masking
from pipeline.errors import DbloreError, RefusedError
from schemas.facts import Catalog, Column, Key, Table

SENSITIVE = {"people": ("name", "email", "salary"), "Odd Names": ("e-mail",)}
_PARTS = 4
"""Characters of a value that nobody should see together."""
_VIEW = "SELECT id, email AS address, country FROM people"
_ROWS: dict[str, list[tuple[Any, ...]]] = {
    "people": [
        (1, "NQZX-000417", "VKJW-000123@HG", "fi", 918273001),
        (2, "NQZX-000528", "VKJW-000234@HG", "se", 918273002),
        (3, "NQZX-000639", "VKJW-000345@HG", "fi", 918273003),
        (4, None, "VKJW-000456@HG", None, None),
    ],
    "orders": [(1, 1, 20, "open"), (2, 1, 30, "paid"), (3, 2, 40, "open"), (4, 4, 50, None)],
    "Odd Names": [(1, "VKJW-000567@HG", "a"), (2, "VKJW-000678@HG", "b")],
}

Run = Callable[[str], tuple[list[str], list[Sequence[Any]]]]
"""Runs a statement: names of the columns and the rows; raises whatever the engine says."""


def catalog(dialect: str) -> Catalog:
    """Return the catalogue of the tables that the statements read."""
    return Catalog(
        dialect=dialect,
        database="shop",
        default_schema={"postgres": "public", "mysql": None}.get(dialect, "main"),
        tables=tuple(
            Table(
                name,
                name,
                kind="view" if name == "contacts" else "table",
                columns=tuple(Column(column, "", "other") for column, _ in columns),
                primary_key=Key(("id",)),
                definition=f"CREATE VIEW contacts AS {_VIEW}" if name == "contacts" else None,
            )
            for name, columns in TABLES.items()
        ),
    )


def setup() -> list[str]:
    """Return the statements that make the tables; each runs on SQLite, DuckDB and PostgreSQL."""
    script = []
    for name, rows in _ROWS.items():
        kinds = {"number": "BIGINT", "text": "VARCHAR(80)"}
        columns = ", ".join(f'"{column}" {kinds[kind]}' for column, kind in TABLES[name])
        script.append(f'CREATE TABLE "{name}" ({columns})')
        values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
        script.append(f'INSERT INTO "{name}" VALUES {values}')
    return [*script, f"CREATE VIEW contacts AS {_VIEW}"]


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int) else f"'{value}'"


def secret_parts() -> frozenset[str]:
    """Return every piece of a sensitive value that is long enough to tell something."""
    found = set()
    for table, columns in SENSITIVE.items():
        at = [i for i, (name, _) in enumerate(TABLES[table]) if name in columns]
        for row in _ROWS[table]:
            for value in (str(row[i]).casefold() for i in at if row[i] is not None):
                found |= {value[i : i + _PARTS] for i in range(len(value) - _PARTS + 1)}
    return frozenset(found)


def visible(sql: str, dialect: str, run: Run) -> tuple[str, str]:
    """Run a statement and return what became of it, and all that a caller sees of the result.

    What became of it is `refused`, `failed` (the engine's own error), `open` (nothing is masked),
    `masked`, `unfollowed` (all is masked), or `misjudged` (all, as it isn't as wide as expected).
    """
    known = catalog(dialect)
    try:
        tree = guard.check(sql, dialect, catalog=known)
        masks = masking.find(tree, dialect, catalog=known, sensitive=SENSITIVE)
    except RefusedError:
        return "refused", ""
    try:
        names, rows = run(sql)
    except Exception as error:  # noqa: BLE001 - each engine has errors of its own
        return "failed", masking.scrubbed(str(error), sql)
    if masks is None:
        return "open", _text(names, rows, (False,) * len(names))
    became = "masked" if masks.hidden is not None else "unfollowed"
    if masks.hidden is not None and len(masks.hidden) != len(names):
        became = "misjudged"
    return became, _text(names, rows, masks.of(len(names)))


def _text(names: list[str], rows: list[Sequence[Any]], hidden: Sequence[bool]) -> str:
    shown = [
        str(value) for row in rows for value, is_hidden in zip(row, hidden, strict=True)
        if not is_hidden
    ]  # fmt: skip
    return "\n".join([*names, *shown])


def leaks(text: str) -> list[str]:
    """Return the pieces of sensitive values that stand in a text."""
    folded = text.casefold()
    return sorted(part for part in secret_parts() if part in folded)


def sqlite_run() -> Run:
    """Return what runs statements on a SQLite database in memory."""
    connection = sqlite3.connect(":memory:")
    for statement in setup():
        connection.execute(statement)

    def run(sql: str) -> tuple[list[str], list[Sequence[Any]]]:
        cursor = connection.execute(sql)
        return [column[0] for column in cursor.description], cursor.fetchall()

    return run


def duckdb_run() -> Run:
    """Return what runs statements on a DuckDB database in memory."""
    import duckdb

    connection = duckdb.connect(":memory:", config={"threads": "1"})
    for statement in setup():
        connection.execute(statement)

    def run(sql: str) -> tuple[list[str], list[Sequence[Any]]]:
        cursor = connection.execute(sql)
        return [column[0] for column in cursor.description], list(cursor.fetchall())

    return run


def postgres_run(connection: Any) -> Run:
    """Return what runs statements on PostgreSQL, in tables that go with the session."""
    for statement in setup():
        temporary = statement.replace("CREATE ", "CREATE TEMPORARY ", 1)
        connection.execute(temporary if statement.startswith("CREATE") else statement)
    connection.commit()

    def run(sql: str) -> tuple[list[str], list[Sequence[Any]]]:
        try:
            cursor = connection.execute(sql)
            return [column.name for column in cursor.description], cursor.fetchall()
        finally:
            connection.rollback()

    return run


@dataclass(slots=True)
class Tally:
    """What became of many statements."""

    counts: dict[str, int] = field(default_factory=dict)
    leaked: list[str] = field(default_factory=list)


def measure(dialect: str, run: Run, *, count: int, seed: int) -> Tally:
    """Run `count` random statements and look at each result."""
    tally = Tally()
    random = Random(seed)
    for _ in range(count):
        sql = Statements(random, dialect).statement()
        became, text = visible(sql, dialect, run)
        tally.counts[became] = tally.counts.get(became, 0) + 1
        if leaks(text):
            tally.leaked.append(sql)
    return tally


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the eval from the command line; exit status 1 when a value showed."""
    parser = argparse.ArgumentParser(prog="evals.masking", description=__doc__)
    parser.add_argument("--count", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", help="connection string of a server to use as well")
    chosen = parser.parse_args(arguments)
    runs = {"sqlite": sqlite_run(), "duckdb": duckdb_run()}
    if chosen.postgres:
        import psycopg

        try:
            runs["postgres"] = postgres_run(psycopg.connect(chosen.postgres))
        except psycopg.OperationalError as error:
            raise DbloreError(
                "the server of --postgres doesn't answer", fix="start it, or leave the option out"
            ) from error
    tallies = {
        dialect: measure(dialect, run, count=chosen.count, seed=chosen.seed)
        for dialect, run in runs.items()
    }
    report = {d: {**t.counts, "leaked": t.leaked} for d, t in tallies.items()}
    print(json.dumps(report, indent=2, ensure_ascii=False))
    return 1 if any(t.leaked for t in tallies.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
