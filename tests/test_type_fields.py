"""Fields of structured types, and columns that hold sensitive ones."""

import pytest

from pipeline.database.connect import open_database
from pipeline.database.query import read
from pipeline.database.source import resolve
from pipeline.database.type_fields import fields
from tests.join_databases import profiled


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
