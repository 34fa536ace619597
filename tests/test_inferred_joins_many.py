"""Undeclared joins of many tables: names decide, and the search stays in bounds."""

import random
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from evals import joins as evaluation
from pipeline import artifacts
from schemas.models import Catalog, Link
from tests.join_databases import profiled


@pytest.mark.req("SCAN-06", part="SQLite")
def test_among_200_tables_whose_ids_all_run_from_1_names_decide(tmp_path):
    path = tmp_path / "many.sqlite"
    make_many(path, seed=7)

    found = profiled(path, tmp_path)

    catalog = artifacts.read(tmp_path / "catalog.json", Catalog)
    assert sum(len(table.foreign_keys) for table in catalog.tables) == 0
    gold = declared(path, tmp_path)
    score = evaluation.compare(gold, found.joins)
    assert score.precision >= 0.9, score.false
    assert score.recall >= 0.8, score.missed


NOUNS = (
    "customer", "order", "invoice", "product", "supplier", "employee", "branch", "region",
    "country", "currency", "category", "warehouse", "shipment", "payment", "contract", "project",
    "task", "ticket", "campaign", "lead", "vehicle", "driver", "route", "station", "machine",
    "sensor", "reading", "batch", "recipe", "ingredient", "course", "student", "teacher", "exam",
    "grade", "room", "booking", "guest", "hotel", "flight", "airport", "airline", "ticket_class",
    "seat", "patient", "doctor", "ward", "treatment", "insurance", "claim",
)  # fmt: skip


def make_many(path, seed):
    """Write 200 tables of four naming habits, ids 1…n, and the gold in a table of its own."""
    chance = random.Random(seed)
    gold, tables = [], []
    for noun in NOUNS[:50]:
        tables += [
            (noun, ()),
            (f"{noun}_type", ()),
            (f"{noun}_line", (noun,)),
            (f"{noun}_log", (noun,)),
        ]
    with closing(sqlite3.connect(path)) as connection:
        for name, parents in tables:
            key = "id" if len(name) % 2 else f"{name}_id"
            others = chance.sample(NOUNS[:50], 2)
            refs = {f"{p}_id": p for p in (*parents, *others) if p != name}
            if name in NOUNS:
                refs[f"{name}_type_id"] = f"{name}_type"
            columns = "".join(f", {column} INTEGER" for column in refs)
            connection.execute(
                f'CREATE TABLE "{name}" ({key} INTEGER PRIMARY KEY, note TEXT{columns})'
            )
            gold += [(name, column, parent) for column, parent in refs.items()]
        sizes = {name: chance.randint(20, 120) for name, _ in tables}
        for name, _ in tables:
            mine = [(c, p) for t, c, p in gold if t == name]
            marks = ", ".join("?" * (2 + len(mine)))
            connection.executemany(
                f'INSERT INTO "{name}" VALUES ({marks})',
                [
                    (i, "n", *(chance.randint(1, sizes[p]) for _, p in mine))
                    for i in range(1, sizes[name] + 1)
                ],
            )
        connection.execute("CREATE TABLE zz_gold (a TEXT, b TEXT, c TEXT)")
        connection.executemany("INSERT INTO zz_gold VALUES (?, ?, ?)", gold)
        connection.commit()


def declared(path, folder):
    """Return the catalogue with the generator's references as declared keys."""
    catalog = artifacts.read(folder / "catalog.json", Catalog)
    with closing(sqlite3.connect(path)) as connection:
        gold = connection.execute("SELECT a, b, c FROM zz_gold").fetchall()
    keys = {t.name: t.primary_key.columns for t in catalog.tables if t.primary_key}
    return replace(
        catalog,
        tables=tuple(
            replace(
                t, foreign_keys=tuple(Link(a, (b,), c, keys[c]) for a, b, c in gold if a == t.name)
            )
            for t in catalog.tables
        ),
    )
