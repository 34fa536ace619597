"""DDL as folders of migrations hold it: what was made is changed, file by file."""

import pytest

from schemas.models import Check, Index, Key
from tests.ddl_kit import columns, keys, read

FIRST = """\
CREATE TABLE customers (id serial PRIMARY KEY, name varchar(50), old text, city text);
CREATE TABLE orders (
    id integer NOT NULL, customer integer REFERENCES customers, at date,
    total numeric(10, 2) CHECK (total > 0),
    CONSTRAINT orders_key PRIMARY KEY (id),
    CONSTRAINT one_a_day UNIQUE (customer, at)
);
CREATE TABLE gone (id integer);
CREATE INDEX by_city ON customers (city);
CREATE INDEX by_old ON customers (old);
CREATE VIEW gone_too AS SELECT id FROM gone;
"""
SECOND = """\
BEGIN;
ALTER TABLE customers ADD COLUMN email text NOT NULL DEFAULT '', ADD vat text,
    DROP COLUMN old, ALTER COLUMN name SET NOT NULL;
ALTER TABLE customers RENAME COLUMN city TO town;
ALTER TABLE customers RENAME TO clients;
ALTER TABLE orders ALTER total TYPE numeric(12, 2) USING total, ALTER total SET DEFAULT 1;
ALTER TABLE orders DROP CONSTRAINT one_a_day;
ALTER TABLE orders ADD CONSTRAINT late CHECK (at > '2020-01-01'), ADD UNIQUE (at);
ALTER TABLE IF EXISTS orders OWNER TO somebody;
DROP VIEW IF EXISTS gone_too, never_there CASCADE;
DROP TABLE gone;
CREATE TABLE IF NOT EXISTS orders (nothing text);
CREATE TABLE lines (order_id integer REFERENCES orders (id), n integer, PRIMARY KEY (order_id, n));
ALTER TABLE lines ADD FOREIGN KEY (n) REFERENCES nowhere (id),
    ADD CONSTRAINT bad FOREIGN KEY (n) REFERENCES clients (nothing);
DROP INDEX by_city;
COMMIT;
"""


@pytest.fixture
def catalog(tmp_path):
    return read(tmp_path, "postgres", FIRST, SECOND)


@pytest.mark.req("SCAN-15", part="migrations")
def test_later_statements_change_what_earlier_ones_made(catalog):
    clients, orders = catalog.by_name["clients"], catalog.by_name["orders"]

    assert catalog.unreadable == ()
    assert set(catalog.by_name) == {"clients", "orders", "lines"}
    assert columns(clients) == [
        ("id", "serial", "integer", False),
        ("name", "varchar(50)", "text", False),
        ("town", "text", "text", True),
        ("email", "text", "text", False),
        ("vat", "text", "text", True),
    ]
    assert clients.indexes == ()
    assert orders.column("total").native_type == "numeric(12, 2)"
    assert orders.column("total").default == "1"
    assert orders.checks == (Check("at > '2020-01-01'", "late"), Check("total > 0"))
    assert orders.unique == (Key(("at",)),)


@pytest.mark.req("SCAN-15", part="keys")
def test_keys_follow_renamed_tables_and_say_what_is_missing(catalog):
    assert keys(catalog.by_name["orders"]) == [(("customer",), "clients", ("id",), "ok")]
    assert keys(catalog.by_name["lines"]) == [
        (("n",), "clients", ("nothing",), "missing_column"),
        (("n",), "nowhere", ("id",), "missing_table"),
        (("order_id",), "orders", ("id",), "ok"),
    ]


def test_keys_out_of_the_chosen_schemas_are_external(tmp_path):
    ddl = "CREATE TABLE a.x (id int PRIMARY KEY); CREATE TABLE b.y (id int REFERENCES a.x);"

    found = read(tmp_path, "postgres", ddl, schemas=("B",))

    assert [t.name for t in found.tables] == ["b.y"]
    assert keys(found.tables[0]) == [(("id",), "a.x", ("id",), "external")]
    assert found.external == ("a.x",)


def test_mysql_changes_columns_where_they_stand(tmp_path):
    found = read(
        tmp_path,
        "mysql",
        "CREATE TABLE t (a int, b int, KEY of_b (b), UNIQUE KEY u (a));",
        "ALTER TABLE t ADD COLUMN (d int, e int), ADD c int NOT NULL AFTER a, ADD z int FIRST,"
        " CHANGE b bb varchar(9) NOT NULL COMMENT 'new', MODIFY a bigint, DROP COLUMN e,"
        " DROP INDEX u, ADD INDEX (c);"
        " ALTER TABLE t ADD CONSTRAINT k FOREIGN KEY (a) REFERENCES t (d); RENAME TABLE t TO s;"
        " ALTER TABLE s DROP FOREIGN KEY k;",
    )

    assert columns(found.by_name["s"]) == [
        ("z", "int", "integer", True),
        ("a", "bigint", "integer", True),
        ("c", "int", "integer", False),
        ("bb", "varchar(9)", "text", False),
        ("d", "int", "integer", True),
    ]
    assert found.by_name["s"].column("bb").comment == "new"
    assert found.by_name["s"].indexes == (Index("c", ("c",)), Index("of_b", ("bb",)))
    assert found.by_name["s"].unique == ()
    assert keys(found.by_name["s"]) == []


def test_sql_server_alters_adds_and_renames(tmp_path):
    found = read(
        tmp_path,
        "tsql",
        "CREATE TABLE dbo.t (id int)\nALTER TABLE t ADD a int NOT NULL, b datetime2(7) NULL\n"
        "ALTER TABLE t ALTER COLUMN id bigint NOT NULL\nGO\n"
        "EXEC sp_rename 'dbo.t.a', 'c', 'COLUMN'\nGO\nEXEC sp_rename N'dbo.t', N's'\n"
        "ALTER TABLE s DROP COLUMN b\nGO\n",
    )

    assert columns(found.by_name["s"]) == [
        ("id", "bigint", "integer", False),
        ("c", "int", "integer", False),
    ]


@pytest.mark.parametrize(
    ("dialect", "written", "names"),
    [
        pytest.param("postgres", 'CREATE TABLE Aa (Bb int, "Cc" int)', ("aa", "bb", "Cc"), id="pg"),
        pytest.param("oracle", 'CREATE TABLE Aa (Bb int, "Cc" int)', ("AA", "BB", "Cc"), id="ora"),
        pytest.param("mysql", "CREATE TABLE Aa (Bb int, `Cc` int)", ("Aa", "Bb", "Cc"), id="mysql"),
        pytest.param("sqlite", "CREATE TABLE Aa (Bb, [Cc d])", ("Aa", "Bb", "Cc d"), id="sqlite"),
        pytest.param("postgres", 'CREATE TABLE "a.""b" ("; x" int, "y\n" int)',
                     ('a."b', "; x", "y\n"), id="odd"),
    ],
)  # fmt: skip
def test_names_are_what_the_engine_would_store(tmp_path, dialect, written, names):
    (table,) = read(tmp_path, dialect, written).tables

    assert (table.object_name, *(c.name for c in table.columns)) == names


def test_tables_that_differ_only_in_case_are_two(tmp_path):
    found = read(
        tmp_path,
        "mysql",
        "DROP TABLE IF EXISTS `A`; CREATE TABLE `A` (x int);"
        "DROP TABLE IF EXISTS `a`; CREATE TABLE `a` (y int);",
    )

    assert [t.name for t in found.tables] == ["A", "a"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        pytest.param("SELECT * FROM a", ["id", "b"], id="all columns"),
        pytest.param("SELECT a.*, x.b AS bb FROM a JOIN a x ON true", ["id", "b", "bb"], id="both"),
        pytest.param("WITH q AS (SELECT id AS i FROM a) SELECT i FROM q", ["i"], id="CTE"),
        pytest.param("SELECT id FROM a UNION SELECT 2", ["id"], id="union"),
        pytest.param("SELECT z.b FROM v1 z", ["b"], id="a later view"),
    ],
)
def test_columns_of_views_come_from_their_queries(tmp_path, query, names):
    ddl = "CREATE TABLE a (id bigint, b uuid);"

    found = read(tmp_path, "postgres", ddl, f"CREATE VIEW v AS {query};",
                 "CREATE VIEW v1 AS SELECT b FROM a;")  # fmt: skip

    types = {"id": "bigint", "i": "bigint", "b": "uuid", "bb": "uuid"}
    view = found.by_name["v"]
    assert [c.name for c in view.columns] == names
    if "UNION" not in query:
        assert [c.native_type for c in view.columns] == [types[name] for name in names]


def test_a_query_that_cant_be_read_leaves_a_view_without_columns_and_says_so(tmp_path):
    ddl = "CREATE TABLE a (id int); CREATE VIEW v AS SELECT FROM WHERE; CREATE VIEW w (x) AS SELEC;"

    found = read(tmp_path, "postgres", ddl)

    assert found.by_name["v"].columns == ()
    assert [c.name for c in found.by_name["w"].columns] == ["x"]
    assert any("columns of v can't be told" in note for note in found.notes)


def test_what_is_not_read_goes_on_and_is_named_with_file_and_line(tmp_path):
    ddl = (
        "CREATE TABLE good (id int);\n\nCREATE TABLE bad (id int,, x int);\n"
        "CREATE TABLE ok (i int);"
    )

    found = read(tmp_path, "postgres", ddl)

    assert [t.name for t in found.tables] == ["good", "ok"]
    (lost,) = found.unreadable
    assert (lost.name, lost.kind) == ("bad", "table")
    assert lost.problem.startswith("001.sql:3: ")


@pytest.mark.parametrize(
    ("ddl", "said"),
    [
        pytest.param("CREATE TABLE a (x int, y int, x text)", "two columns x", id="a column twice"),
        pytest.param("CREATE TABLE a", "neither columns nor a query", id="no columns"),
        pytest.param("CREATE TABLE a (x int", "never closed", id="cut off"),
        pytest.param("CREATE TABLE a (LIKE nowhere)", "which isn't there", id="a copy of nothing"),
        pytest.param("CREATE VIEW a", "needs AS", id="a view without a query"),
    ],
)
def test_a_table_that_cannot_be_read_says_why(tmp_path, ddl, said):
    found = read(tmp_path, "postgres", f"CREATE TABLE good (id int);{ddl};")

    assert [t.name for t in found.tables] == ["good"]
    assert said in found.unreadable[0].problem


def test_keys_of_columns_that_are_not_there_are_left_out_and_noted(tmp_path):
    ddl = "CREATE TABLE a (x int, PRIMARY KEY (y), FOREIGN KEY (z) REFERENCES a (x));"

    found = read(tmp_path, "postgres", ddl)

    assert found.tables[0].primary_key is None
    assert found.tables[0].foreign_keys == ()
    assert [note for note in found.notes if "a key of a names" in note]
