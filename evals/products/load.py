"""Make the database of a product, with the list of its references.

    python -m evals.products.load PRODUCT TARGET [--scale N] [--seed N] [--gold FILE]

PRODUCT is a file beside this one (`discourse`, `mediawiki`, `hospital`, `warenwirtschaft`); TARGET
a URL (`postgresql://…`, `mysql://…`) of an empty database or the path of a new SQLite file.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from evals.products import kinds, notation
from evals.products.notation import Column, Product, Table
from evals.products.rows import Rows

_BATCH = 5000


def main(argv: list[str] | None = None) -> int:
    """Make one database."""
    parser = argparse.ArgumentParser(prog="python -m evals.products.load", description=__doc__)
    parser.add_argument("product", help="name of a product's file")
    parser.add_argument("target", help="URL of an empty database, or path of a SQLite file")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the rows")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gold", type=Path, help="write the references here")
    options = parser.parse_args(argv)
    product = named(options.product)
    load(product, options.target, scale=options.scale, seed=options.seed)
    if options.gold:
        options.gold.write_text(gold(product), "utf-8")
    return 0


def named(name: str) -> Product:
    """Return a product by its name."""
    return notation.read((Path(__file__).parent / f"{name}.txt").read_text("utf-8"))


def gold(product: Product) -> str:
    """Return a product's references as `evals.joins --gold` reads them."""
    lines = [
        f"{table}({', '.join(columns)}) -> {to}({', '.join(keys)})\n"
        for (table, columns), (to, keys) in product.gold()
    ]
    return "".join(sorted(lines))


def load(product: Product, target: str, *, scale: float = 1.0, seed: int = 1) -> None:
    """Make the tables of a product in a database, and their rows."""
    connection, dialect, mark = _connect(target)
    rows = Rows(product, seed, scale)
    with closing(connection):
        cursor = connection.cursor()
        for statement in statements(product, dialect):
            cursor.execute(statement)
        for name, table in product.tables.items():
            marks = ", ".join([mark] * len(table.columns))
            for part in _parts(rows.of(name)):
                cursor.executemany(f"INSERT INTO {_quoted(name, dialect)} VALUES ({marks})", part)
        connection.commit()


def statements(product: Product, dialect: str) -> Iterator[str]:
    """Yield the DDL of a product."""
    for table in product.tables.values():
        lines = [_definition(product, table, column, dialect) for column in table.columns]
        if table.primary:
            lines.append(f"PRIMARY KEY ({_list(table.primary, dialect)})")
        lines += [f"UNIQUE ({_list(names, dialect)})" for names in table.unique]
        yield f"CREATE TABLE {_quoted(table.name, dialect)} (\n  " + ",\n  ".join(lines) + "\n)"


def _definition(product: Product, table: Table, column: Column, dialect: str) -> str:
    binary = "bin" in column.options
    kind = kinds.native_type(_kind(product, column), dialect, binary=binary)
    is_set = column.name in table.primary or not column.share("null")
    is_set = is_set and "uq" not in column.options
    return f"{_quoted(column.name, dialect)} {kind}" + (" NOT NULL" if is_set else "")


def _kind(product: Product, column: Column) -> str:
    """Return the kind that a reference takes from what it refers to."""
    while column.target or column.branches:
        table, name = column.target or (column.branches[0].table, column.branches[0].column)
        column = product.tables[table].column(name)
    return "big" if column.kind == "pk" else column.kind


def _connect(target: str) -> tuple[Any, str, str]:
    if "://" not in target:
        return sqlite3.connect(target), "sqlite", "?"
    url = urlsplit(target)
    host, user = url.hostname or "", unquote(url.username or "")
    if url.scheme.startswith("postgres"):
        import psycopg

        found = psycopg.connect(host=host, user=user, port=url.port or 5432, dbname=url.path[1:])
        return found, "postgresql", "%s"
    import pymysql

    password = unquote(url.password or "")
    return (
        pymysql.connect(
            host=host,
            user=user,
            port=url.port or 3306,
            password=password,
            database=url.path[1:],
            charset="utf8mb4",
        ),
        "mysql",
        "%s",
    )


def _parts(rows: Sequence[tuple[Any, ...]]) -> Iterator[Sequence[tuple[Any, ...]]]:
    for start in range(0, len(rows), _BATCH):
        yield rows[start : start + _BATCH]


def _quoted(name: str, dialect: str) -> str:
    sign = "`" if dialect == "mysql" else '"'
    return f"{sign}{name}{sign}"


def _list(names: Sequence[str], dialect: str) -> str:
    return ", ".join(_quoted(name, dialect) for name in names)


if __name__ == "__main__":
    raise SystemExit(main())
