"""What the guard lets pass also runs on the engines, through the door that all callers use."""

import json
from pathlib import Path
from random import Random

import pytest

from evals.guard_engines import database, failure, fixtures, items, main
from evals.guard_lexing import compare
from evals.guard_tables import CATALOGS
from pipeline.database.connect import open_database
from tests.engines import server

ALLOWED = Path(__file__).parent / "guard" / "allowed.yaml"
NOT_RUN = {
    "sqlite": {
        "where name glob": "orders has no column of that name",
        "from generate_series": "an extension that Python's SQLite doesn't have",
    },
    "duckdb": {
        "x -> x>1": "the old arrow of lambdas is off by default since DuckDB 2",
        "columns(c ->": "the old arrow of lambdas is off by default since DuckDB 2",
    },
    "postgres": {"concat_ws('-',a,b)": "customers has no such columns"},
    "mysql": {
        "payload->'$.a'": "MariaDB lacks MySQL's arrows",
        "shop.orders": "the database has another name here",
        "match(note)": "the fixtures have no FULLTEXT index",
        "any_value": "MariaDB lacks MySQL's ANY_VALUE",
    },
}
"""Statements that pass the guard and can't run here, by a piece of their text, with the reason."""


@pytest.mark.req("SAFE-04", part="allowed statements run")
@pytest.mark.req("B10", part="allowed statements run")
@pytest.mark.parametrize("dialect", NOT_RUN)
def test_allowed_statements_run_on_their_engine(dialect, tmp_path):
    if dialect in ("postgres", "mysql"):
        server("mariadb" if dialect == "mysql" else dialect, required=False)
    statements = items([ALLOWED], dialect)

    with database(dialect, tmp_path) as source:
        failed = [f for item in statements if (f := failure(source, item)) is not None]

    unforeseen = [f for f in failed if not any(piece in f.sql for piece in NOT_RUN[dialect])]
    assert unforeseen == []
    assert len(failed) == len(NOT_RUN[dialect]), "a reason not to run is out of date"
    assert len(statements) - len(failed) >= 15


@pytest.mark.req("SAFE-04", part="read as the engine reads")
@pytest.mark.parametrize(
    ("dialect", "texts"), [("sqlite", 500), ("duckdb", 300), ("postgres", 100), ("mysql", 30)]
)
def test_quotes_and_comments_are_read_as_the_engine_reads_them(dialect, texts, tmp_path):
    if dialect in ("postgres", "mysql"):
        server("mariadb" if dialect == "mysql" else dialect, required=False)

    with database(dialect, tmp_path) as source, open_database(source) as opened:
        reading = compare(opened, texts, Random(3))

    assert reading.differences == []
    assert reading.judged >= texts // 50, "hardly a text was taken by both"


def test_the_fixtures_make_the_tables_of_the_catalogue(tmp_path):
    with database("sqlite", tmp_path) as source:
        failed = [
            failure(source, {"id": table.name, "sql": f'SELECT {names} FROM "{table.name}"'})
            for table in CATALOGS["sqlite"].tables
            for names in [", ".join(f'"{column.name}"' for column in table.columns)]
        ]

    assert failed == [None] * len(CATALOGS["sqlite"].tables)


def test_fixtures_are_written_in_the_dialect():
    made = "\n".join(fixtures("mysql"))

    assert "`a;b` INT" in made
    assert "payload JSON" in made
    assert "{" + "q}" not in made


def test_the_eval_says_what_failed_and_leaves_out_the_unverified(tmp_path, capsys):
    corpus = tmp_path / "allow.yaml"
    corpus.write_text(
        "- {id: A1, dialect: sqlite, sql: SELECT count(*) FROM orders}\n"
        "- {id: A2, dialect: sqlite, sql: SELECT nothing FROM orders}\n"
        "- {id: A3, dialect: sqlite, verified: false, sql: SELECT nothing FROM orders}\n",
        encoding="utf-8",
    )

    status = main(["--allow", str(corpus), "--dialect", "sqlite", "--json"])

    outcome = json.loads(capsys.readouterr().out)["sqlite"]
    assert status == 1
    assert (outcome["total"], outcome["ran"]) == (2, 1)
    assert [f["id"] for f in outcome["failures"]] == ["A2"]
