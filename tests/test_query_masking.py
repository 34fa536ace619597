"""Sensitive values on their way through `query.read`, the server and the command line."""

import json
from pathlib import Path

import pytest

from pipeline.database.connect import open_database
from pipeline.database.query import read
from pipeline.database.source import resolve
from pipeline.errors import QueryError
from serve.cli import main
from serve.mcp.server import create_server
from tests.mcp_kbs import build_shop, call, text_of

SENSITIVE = {"people": frozenset(["email"])}
PEOPLE = (
    "CREATE TABLE people (id INTEGER, email TEXT, town TEXT);"
    "INSERT INTO people VALUES (1, 'ada@x.test', 'London'), (2, 'ada@x.test', 'Turku'), "
    "(3, NULL, 'Turku');"
)


@pytest.fixture(params=["sqlite", "duckdb"])
def people(request, make_db, tmp_path):
    if request.param == "sqlite":
        return resolve(str(make_db(PEOPLE)), Path(), {})
    duckdb = pytest.importorskip("duckdb", reason="the duckdb extra isn't installed")
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(PEOPLE)
    return resolve(str(path), Path(), {})


def asked(source, sql, **options):
    with open_database(source) as database:
        catalog = database.read_catalog()
    return read(source, sql, catalog=catalog, sensitive=SENSITIVE, **options)


@pytest.mark.req("B9", part="run_sql")
def test_a_sensitive_value_comes_back_as_a_token_that_is_equal_for_equal_values(people):
    result = asked(people, "SELECT id, email AS address, town FROM people ORDER BY id")

    first, second, third = (row[1] for row in result.rows)
    assert first == second
    assert first.startswith("<masked ")
    assert third is None
    assert [row[2] for row in result.rows] == ["London", "Turku", "Turku"]
    assert result.masked == ("address",)
    assert any("people.email" in note for note in result.notes)


@pytest.mark.req("B9", part="counting and joining")
def test_sensitive_values_are_counted_and_joined_as_they_are(people):
    result = asked(
        people,
        "SELECT count(DISTINCT a.email) AS addresses, count(*) AS pairs "
        "FROM people a JOIN people b ON a.email = b.email",
    )

    assert result.rows == [[1, 4]]
    assert result.masked == ()
    assert result.notes == ()


@pytest.mark.req("B9", part="grouping by token")
def test_groups_of_sensitive_values_can_be_told_apart(people):
    result = asked(people, "SELECT email, count(*) AS n FROM people GROUP BY email ORDER BY n")

    assert [row[1] for row in result.rows] == [1, 2]
    assert result.rows[0][0] is None
    assert "ada" not in json.dumps(result.rows)


def test_an_error_of_the_engine_quotes_no_sensitive_value(tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="the duckdb extra isn't installed")
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(PEOPLE)

    with pytest.raises(QueryError) as caught:
        asked(resolve(str(path), Path(), {}), "SELECT count(email::INTEGER) AS n FROM people")

    assert "ada" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_table_that_was_built_anew_since_the_scan_is_masked_whole(make_db):
    source = resolve(str(make_db(PEOPLE)), Path(), {})
    with open_database(source) as database:
        catalog = database.read_catalog()
    source.path.unlink()
    make_db(PEOPLE.replace("email TEXT, town TEXT", "town TEXT, email TEXT"))

    result = read(source, "SELECT * FROM people", catalog=catalog, sensitive=SENSITIVE)

    assert "ada" not in json.dumps(result.rows)
    assert any("has changed since" in note for note in result.notes)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    return build_shop(tmp_path_factory.mktemp("masked"))


SQL = "SELECT email FROM customers WHERE email IS NOT NULL ORDER BY id LIMIT 1"


@pytest.mark.anyio
@pytest.mark.req("B9", part="--unmask is a server option")
async def test_the_server_masks_unless_it_was_started_with_unmask(served):
    masked = await call(create_server(served), "run_sql", {"sql": SQL})
    shown = await call(create_server(served, unmask=True), "run_sql", {"sql": SQL})

    (value,) = masked.structured_content["rows"][0]
    assert value.startswith("<masked ")
    assert "note: masked: email" in text_of(masked)
    (value,) = shown.structured_content["rows"][0]
    assert "@" in value


def test_the_command_line_masks_too(served, capsys):
    assert main(["query", "--kb", str(served), SQL]) == 0

    said = capsys.readouterr()
    assert said.out.splitlines()[1].startswith("<masked ")
    assert "note: masked: email" in said.err
