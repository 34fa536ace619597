"""Fields of structured types, and columns that hold sensitive ones."""

import pytest

from pipeline import artifacts
from pipeline.database.connect import open_database
from pipeline.database.query import read
from pipeline.database.source import resolve
from pipeline.database.type_fields import fields
from schemas.models import Catalog
from tests.join_databases import profiled
from tests.profile_databases import made
from tests.profile_kit import Kit


@pytest.mark.parametrize(
    ("native", "names"),
    [
        ('STRUCT(a INTEGER[], "b) b" VARCHAR, c STRUCT(email VARCHAR)[])',
         ["a", "b) b", "c", "email"]),
        ("MAP(VARCHAR, STRUCT(pw VARCHAR))", ["pw"]),
        ("UNION(n INTEGER, t VARCHAR)", ["n", "t"]),
        ("STRUCT<a INT64, email STRING>", ["a", "email"]),
        ("struct<a:int,email:string>", ["a", "email"]),
        ("Tuple(email String, n Int32)", ["email", "n"]),
        ("row(a integer, email varchar)", ["a", "email"]),
        ("OBJECT(email VARCHAR)", ["email"]),
        ('addr[] ROW(a int4range, "b, c" ROW(email "my type")[], d mood)[]',
         ["a", "b, c", "email", "d"]),
        ('odd ROW(a bit varying(3), "b ""x""" int, c ROW(email text))',
         ["a", 'b "x"', "c", "email"]),
        ("ENUM('struct(a')", []),
        ("STRUCT(", []),
        ("VARCHAR(20)", []),
    ],
)  # fmt: skip
def test_the_fields_of_a_type_are_told_at_all_depths(native, names):
    assert [field.name for field in fields(native)] == names


@pytest.mark.req("PROF-03")
def test_a_column_with_a_sensitive_field_is_sensitive_and_masked(tmp_path):
    import duckdb  # an absent driver is a failure

    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE visit (id INTEGER, place STRUCT(city VARCHAR, level INTEGER),"
            ' who STRUCT(age INTEGER, logins STRUCT("password" VARCHAR)[]));'
            "INSERT INTO visit SELECT i, {'city': 'Oulu', 'level': 1},"
            " {'age': 3, 'logins': [{'password': 'pw-' || i}]} FROM range(40) AS r(i)"
        )

    table = profiled(path, tmp_path).by_table["visit"]

    assert table.column("who").sensitive_why == (
        "password, key or other secret: the name says so (password, in a field of it)"
    )
    assert not table.column("place").sensitive
    source = resolve(str(path), tmp_path, {})
    with open_database(source) as database:
        catalog = database.read_catalog()
    for sql in ("SELECT who FROM visit", "SELECT who.logins FROM visit v", "SELECT * FROM visit"):
        result = read(source, sql, catalog=catalog, sensitive={"visit": frozenset({"who"})})
        assert "pw-" not in str(result.rows)


_COMPOSITES = (
    "CREATE TYPE mood AS ENUM ('calm')",
    "CREATE TYPE plain AS (n int, feels mood, span int4range, bits bit varying(3))",
    "CREATE TYPE addr AS (street text, email text)",
    "CREATE DOMAIN home AS addr",
    'CREATE TYPE deep AS (n int, "Old Homes" home[])',
    "CREATE VIEW x AS SELECT ROW('Aardvark 1', 'a@x.test')::addr AS x",
    "CREATE TABLE emp (id int PRIMARY KEY, a addr, b addr[], c home, d deep, e plain, f jsonb)",
    "INSERT INTO emp SELECT 1, x, ARRAY[x], x, NULL, ROW(2, 'calm', NULL, NULL)::plain FROM x",
    "DROP VIEW x",
    "CREATE VIEW v AS SELECT id, (a).street AS way, (e).n AS n FROM emp",
)


@pytest.mark.req("PROF-03")
def test_composite_types_of_postgresql_are_looked_into(tmp_path, request):
    required = request.config.getoption("--require-engines")
    with made("postgres", tmp_path, *_COMPOSITES, required=required) as source:
        kit = Kit(tmp_path, source)
        found = kit.build()
        catalog = artifacts.read(kit.catalog, Catalog)
        result = read(
            source,
            "SELECT a, b[1] AS one, way, n FROM emp JOIN v USING (id)",
            catalog=catalog,
            sensitive={"emp": [c.column for c in found.by_table["emp"].columns if c.sensitive]},
        )

    types = {column.name: column.native_type for column in catalog.by_name["emp"].columns}
    assert types["d"] == 'deep ROW(n integer, "Old Homes" ROW(street text, email text)[])'
    assert types["f"] == "jsonb"
    assert {t.table: [c.column for c in t.columns if c.sensitive] for t in found.tables} == {
        "emp": ["a", "b", "c", "d"],
        "v": ["way"],
    }
    assert "Aardvark" not in kit.out.read_text(encoding="utf-8")
    assert result.masked == ("a", "one", "way")
    assert "Aardvark" not in str(result.rows)
    assert result.rows[0][3] == 2
