"""docs/reference/engines.md is what the tests and the code say, and versions are those tested."""

import sqlite3
from pathlib import Path

import duckdb
import pytest

from pipeline.database.connect import open_database
from tests import engine_scenario, engines, engines_page

WRITTEN = Path(__file__).parent.parent / "docs" / "reference" / "engines.md"


@pytest.fixture(scope="module")
def page():
    return engines_page.page()


@pytest.mark.req("SCAN-14", part="the page of engines")
def test_the_page_of_engines_is_up_to_date(page):
    assert WRITTEN.read_text(encoding="utf-8") == page, "run: python -m tests.reference_pages"


def test_engines_differ_on_the_page_where_their_code_does(page):
    (cells,) = [
        line.strip("| ").split(" | ")
        for line in page.splitlines()
        if line.startswith("| of each table")
    ]

    assert cells[1:] == ["–", "–", "yes", "yes", "yes", "–", "–"]
    assert ("firebird", "sqlalchemy-firebird") in engines_page.others(known=False)
    assert ("snowflake", "snowflake-sqlalchemy") in engines_page.others(known=True)


@pytest.mark.parametrize("engine", engine_scenario.ENGINES, ids=lambda engine: engine.title)
def test_the_version_that_is_said_to_be_tested_is_the_one_here(engine, request):
    required = request.config.getoption("require_engines")
    queries = {"postgres": "SHOW server_version", "mysql": "SELECT version()"}
    files = {"sqlite": sqlite3.sqlite_version, "duckdb": duckdb.__version__}

    version = files.get(engine.dialect)
    if version is None:
        name = {"mysql": "mariadb"}.get(engine.dialect, engine.dialect)
        with open_database(engines.server(name, required=required)) as database:
            version = str(database.fetch(queries[engine.dialect])[0][0])

    if not required and not version.startswith(engine.tested):
        pytest.skip(f"{engine.title} {version} here; the page tells of {engine.tested}")
    assert version.startswith(engine.tested)
