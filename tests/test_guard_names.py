"""The guard on names: which table, column or function a name stands for, on real databases."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from evals.guard_engines import database
from pipeline.database import guard
from pipeline.database.connect import open_database
from pipeline.database.query import read
from pipeline.database.source import resolve
from pipeline.errors import RefusedError
from schemas.facts import Catalog, Column, Routine, Table
from tests.engines import server

POSTGRES = """
CREATE SCHEMA sales;
CREATE SCHEMA evil;
CREATE TABLE sales.invoice(id int, total numeric, purged text);
INSERT INTO sales.invoice VALUES (1, 9.5, 'no');
CREATE TABLE sales.secret(id int);
CREATE TABLE public.secret(word text);
INSERT INTO public.secret VALUES ('hidden row');
CREATE TABLE public.parcels(id int, payload jsonb, tags text[]);
INSERT INTO public.parcels VALUES (1, '{"a": 1}', '{x,y}');
CREATE TABLE public."PARCELS"(word text);
CREATE FUNCTION public.purge(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION public.purge_all(public.parcels) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION evil.lower(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
CREATE AGGREGATE evil.sum(int) (SFUNC = int4pl, STYPE = int);
"""


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    server("postgres", required=False)
    with database("postgres", tmp_path_factory.mktemp("names")) as source:
        engine = create_engine(source.url)
        with engine.begin() as connection:
            connection.exec_driver_sql(POSTGRES)
        engine.dispose()
        yield source


@pytest.fixture(scope="module")
def scanned(postgres):
    with open_database(postgres) as opened:
        return opened.read_catalog(), opened.read_catalog(["sales"])


def refusal(sql, dialect, catalog):
    with pytest.raises(RefusedError) as caught:
        guard.check(sql, dialect, catalog=catalog)
    return caught.value


def table(name, *columns, schema=None):
    given = tuple(Column(column, "text", "text") for column in columns)
    full = f"{schema}.{name}" if schema else name
    return Table(full, name, schema=schema, columns=given)


@pytest.mark.req("SAFE-01")
@pytest.mark.parametrize(
    ("sql", "named"),
    [
        pytest.param("SELECT x.purge AS purge FROM unnest(ARRAY[1]) x", "x.purge", id="value"),
        pytest.param("SELECT o.purge_all FROM parcels o", "o.purge_all", id="row"),
        pytest.param("SELECT (o).purge_all AS purge_all FROM parcels o", "purge_all", id="row ()"),
        pytest.param("SELECT evil.lower('A')", "evil.lower", id="schema"),
        pytest.param(
            "SELECT evil.sum(id) FILTER (WHERE true) FROM parcels", "evil.sum", id="aggregate"
        ),
        pytest.param("SELECT purge(1)", "purge", id="open call"),
    ],
)
def test_functions_that_users_wrote_are_not_called_however_it_is_written(scanned, sql, named):
    everything, _ = scanned

    assert named in refusal(sql, "postgres", everything).problem


@pytest.mark.req("SAFE-01")
@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("SELECT lower('A')", id="a built-in that another schema has too"),
        pytest.param("SELECT sum(o.id) FILTER (WHERE o.id > 0) FROM parcels o", id="filter"),
        pytest.param("SELECT e.key, e.value FROM parcels o, jsonb_each(o.payload) e", id="record"),
        pytest.param("SELECT (jsonb_each(o.payload)).key FROM parcels o", id="field of a record"),
        pytest.param(
            "SELECT (x).key, (x).value FROM (SELECT jsonb_each(payload) x FROM parcels) s",
            id="field of a record from a subquery",
        ),
        pytest.param(
            "SELECT t.tag, t.n FROM parcels o, LATERAL unnest(o.tags) WITH ORDINALITY AS t(tag, n)",
            id="ordinality",
        ),
        pytest.param(
            "SELECT r.a FROM json_to_recordset('[{\"a\": 1}]') AS r(a int)", id="column list"
        ),
        pytest.param("SELECT (o).id, (o.*).id FROM parcels o", id="field of a row"),
        pytest.param("SELECT s.n FROM (SELECT count(*) AS n FROM parcels) s", id="derived"),
        pytest.param(
            "WITH RECURSIVE a AS (SELECT b.x FROM b), b AS (SELECT 1 AS x) SELECT a.x FROM a",
            id="CTE that follows",
        ),
        pytest.param(
            "SELECT i.purged, public.parcels.id FROM sales.invoice i, public.parcels", id="schemas"
        ),
        pytest.param(
            "SELECT p.id FROM parcels o LEFT JOIN LATERAL "
            "(SELECT p.id FROM sales.invoice p WHERE p.id = o.id) p ON true",
            id="an alias within its own subquery",
        ),
    ],
)
def test_dotted_names_that_are_columns_pass_and_run(postgres, scanned, sql):
    everything, _ = scanned

    assert read(postgres, sql, catalog=everything).rows


@pytest.mark.req("SAFE-01")
def test_a_bare_name_stands_for_no_table_of_another_schema(postgres, scanned):
    _, sales = scanned

    error = refusal("SELECT * FROM secret", "postgres", sales)

    assert "no table secret" in error.problem
    assert error.fix == "did you mean sales.secret?"
    assert read(postgres, "SELECT * FROM sales.secret", catalog=sales).rows == []


@pytest.mark.req("SAFE-01")
@pytest.mark.parametrize("name", ['"Parcels"', 'public."pARCELS"', "postgres.parcels"])
def test_a_name_in_other_letters_is_another_table_where_the_engine_says_so(scanned, name):
    everything, _ = scanned

    guard.check('SELECT word FROM "PARCELS"', "postgres", catalog=everything)
    guard.check("SELECT id FROM PaRcElS", "postgres", catalog=everything)
    assert "no table" in refusal(f"SELECT * FROM {name}", "postgres", everything).problem


@pytest.mark.req("SAFE-01")
def test_a_user_table_called_like_a_system_table_is_read_by_its_schema_only():
    shop = Catalog(
        "postgres", "shop", default_schema="app", tables=(table("pg_shadow", "id", schema="app"),)
    )

    guard.check("SELECT * FROM app.pg_shadow", "postgres", catalog=shop)

    assert "pg_shadow" in refusal("SELECT * FROM pg_shadow", "postgres", shop).problem


@pytest.mark.req("SAFE-01")
def test_mysql_tells_tables_apart_by_the_case_of_their_names():
    shop = Catalog("mysql", "shop", tables=(table("orders", "id"),))

    guard.check("SELECT * FROM shop.orders", "mysql", catalog=shop)

    assert refusal("SELECT * FROM Orders", "mysql", shop).fix == "did you mean orders?"


@pytest.mark.req("SAFE-01")
@pytest.mark.parametrize(("name", "passes"), [("evil.lower", True), ("lower", False)])
def test_a_routine_bars_a_built_in_only_where_a_bare_name_reaches_it(name, passes):
    routines = (Routine(name, "function"),)
    shop = Catalog("postgres", "shop", tables=(table("t", "a"),), routines=routines)

    if passes:
        guard.check("SELECT lower(a) FROM t", "postgres", catalog=shop)
    else:
        problem = refusal("SELECT lower(a) FROM t", "postgres", shop).problem
        assert "lower is a user-defined function" in problem


@pytest.mark.req("SAFE-01")
@pytest.mark.parametrize(
    ("sql", "passes"),
    [
        pytest.param("SELECT e.name FROM emp e", True, id="column"),
        pytest.param("SELECT e.raise_pay FROM emp e", False, id="no column of the table"),
        pytest.param("SELECT raise_pay FROM emp", False, id="no column of any table"),
        pytest.param("SELECT name FROM emp ORDER BY name", True, id="bare column"),
        pytest.param("SELECT name AS n FROM emp ORDER BY n", True, id="alias in ORDER BY"),
        pytest.param("SELECT level FROM dual CONNECT BY level < 5", True, id="pseudo-column"),
        pytest.param("SELECT emp_seq.nextval AS nextval FROM emp", False, id="sequence"),
        pytest.param(
            "SELECT s.nextval FROM (SELECT name AS nextval FROM emp) s", True, id="column nextval"
        ),
    ],
)
def test_oracle_names_without_a_column_are_calls(sql, passes):
    shop = Catalog("oracle", "shop", default_schema="hr", tables=(table("emp", "id", "name"),))

    if passes:
        guard.check(sql, "oracle", catalog=shop)
    else:
        refusal(sql, "oracle", shop)


@pytest.mark.req("SAFE-01")
def test_a_later_cte_is_seen_where_sqlite_sees_it(tmp_path):
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t(a)")
    source = resolve(str(path), Path(), {})
    sql = "WITH a AS (SELECT * FROM b), b AS (SELECT 1 AS x) SELECT a.x FROM a"
    with open_database(source) as opened:
        catalog = opened.read_catalog()

    assert read(source, sql, catalog=catalog).rows == [[1]]
