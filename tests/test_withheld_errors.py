"""What an engine says of SQL of our own: names stay, values that it quotes don't."""

import pytest

from pipeline.database.connect import open_database
from pipeline.errors import DbloreError
from tests.profile_databases import ENGINES, made

VALUE = "Krzyz 918273"
_MEMBER = (
    "CREATE TABLE member (id INT PRIMARY KEY, full_name VARCHAR(40))",
    f"INSERT INTO member VALUES (1, '{VALUE}')",
)
_QUOTING = {
    "sqlite": ("json_extract('{}', full_name)",),
    "duckdb": ("full_name::INT", "strptime(full_name, '%Y')", "nextval(full_name)"),
    "postgres": (
        "full_name::int", "to_date(full_name, 'YYYY')", "full_name::regclass", "full_name::json",
        "full_name::inet",
    ),
    "mariadb": ("CAST((SELECT UpdateXML(full_name, '/a', 'b')) AS CHAR)",),
}  # fmt: skip
_BROKEN = {
    "sqlite": "no such column: m.gone_1",
    "duckdb": "gone_1",
    "postgres": 'relation "gone_1" does not exist',
    "mariadb": "gone_1",
}


@pytest.fixture(scope="module", params=ENGINES)
def database(request, tmp_path_factory):
    engine = request.param
    required = request.config.getoption("--require-engines")
    with (
        made(engine, tmp_path_factory.mktemp(engine), *_MEMBER, required=required) as source,
        open_database(source) as opened,
    ):
        yield engine, opened


@pytest.mark.req("PROF-03", part="errors")
def test_no_error_of_our_own_sql_quotes_a_value(database):
    engine, opened = database
    told = []
    for expression in _QUOTING[engine]:
        try:
            opened.fetch(f"SELECT {expression} FROM {opened.quote('member')}")
        except DbloreError as error:
            told.append(f"{error} {error.__cause__}")

    assert len(told) == len(_QUOTING[engine]) or engine == "mariadb"  # which mostly only warns
    assert not [text for text in told if "Krzyz" in text or "918273" in text]


@pytest.mark.parametrize("table", ["gone_1", "gone 2"])
def test_a_name_that_leads_to_nothing_is_told(database, table):
    _, opened = database

    with pytest.raises(DbloreError) as caught:
        opened.fetch(f"SELECT COUNT(*) FROM {opened.quote(table)}")

    assert table in caught.value.problem
