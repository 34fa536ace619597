"""What a profile states of tables and columns."""

import pytest

from evals import profile_speed
from pipeline import profile
from pipeline.database.sqlite import SqliteDatabase
from pipeline.errors import ArtifactError
from schemas.models import ValueCount
from tests.profile_kit import Kit


@pytest.fixture
def kit(make_db, tmp_path):
    """Return a function from SQL to a `Kit`."""
    return lambda sql: Kit(tmp_path, make_db(sql))


@pytest.mark.req("PROF-01", part="SQLite")
def test_rows_nulls_distinct_values_range_lengths_and_padding_are_counted(kit):
    column = kit(
        "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('b '), ('a'), ('a'), (NULL), ('ccc');"
    ).column()

    assert (column.nulls, column.distinct) == (1, 3)
    assert (column.minimum, column.maximum) == ("a", "ccc")
    assert (column.min_length, column.max_length, column.padded) == (1, 3, 1)


@pytest.mark.req("PROF-01", part="SQLite")
def test_an_empty_table_and_an_all_null_column_have_figures(kit):
    found = kit("CREATE TABLE t (v TEXT); CREATE TABLE u (w INTEGER); INSERT INTO u VALUES (NULL);")

    profile = found.build()

    assert (profile.by_table["t"].rows, profile.by_table["t"].column("v").distinct) == (0, 0)
    assert profile.by_table["u"].column("w").nulls == 1


@pytest.mark.req("PROF-02", part="SQLite")
@pytest.mark.req("B5", part="SQLite")
def test_a_dictionary_holds_every_literal_as_stored_most_frequent_first(kit):
    column = kit(
        "CREATE TABLE t (v CHAR(3));"
        "INSERT INTO t VALUES ('H  '), ('H  '), ('L  '), ('l  '), ('M'), ('H'), (NULL);"
    ).column()

    assert column.values[0] == ValueCount("H  ", 2)
    assert sorted(v.value for v in column.values) == ["H", "H  ", "L  ", "M", "l  "]
    assert column.values_complete
    assert column.variants == (("H", "H  "), ("L  ", "l  "))


@pytest.mark.req("C24")
def test_a_longer_list_is_a_sample_of_frequent_values_and_says_so(kit):
    column = kit(
        "CREATE TABLE t (v TEXT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)"
        "INSERT INTO t SELECT 'word ' || (i % 2500) FROM n;"
        "INSERT INTO t VALUES ('word 7'), ('word 7');"
    ).column()

    assert not column.values_complete
    assert (len(column.values), column.distinct) == (200, 2500)
    assert column.values[0] == ValueCount("word 7", 5)


@pytest.mark.req("PROF-02", part="SQLite")
def test_names_are_listed_and_ids_guids_and_long_texts_are_not(kit):
    found = kit(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, product_name TEXT, guid TEXT, note TEXT, n INT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)"
        "INSERT INTO t SELECT i, 'Tent ' || i, printf('%08x-0000-4000-8000-%012x', i, i),"
        " 'A long remark that nobody would ever type, no. ' || i || hex(zeroblob(40)), i FROM n;"
    ).build()

    listed = {c.column: len(c.values) for c in found.by_table["t"].columns if c.values}
    assert listed == {"product_name": 1500}


@pytest.mark.req("PROF-04", part="SQLite")
def test_a_row_cap_samples_and_marks_method_and_size(kit):
    found = kit(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
        "INSERT INTO t SELECT i, CASE WHEN i < 2500 THEN 'a' ELSE 'b' END FROM n;"
    )

    table = found.build(rows=500).by_table["t"]

    assert table.rows == 5000
    assert table.sample.method == "hash of the row id"
    assert 400 <= table.sample.rows <= 500
    assert {v.value for v in table.column("v").values} == {"a", "b"}
    assert not table.column("v").values_complete


@pytest.mark.req("PROF-04", part="SQLite")
def test_workers_change_nothing_but_the_time(kit):
    found = kit(
        "".join(
            f"CREATE TABLE t{i} (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t{i} VALUES (1, 'x');"
            for i in range(12)
        )
    )

    found.build(workers=1)
    one = found.out.read_bytes()
    found.build(workers=8)

    assert found.out.read_bytes() == one


@pytest.mark.req("PROF-04", part="no more connections than workers")
@pytest.mark.req("PROF-05", part="one pass a table")
def test_tables_are_read_over_as_many_connections_as_workers_and_each_in_one_pass(kit, monkeypatch):
    tables = 6
    found = kit(
        "".join(
            f"CREATE TABLE t{i} (id INTEGER PRIMARY KEY, n REAL, day TEXT, w TEXT);"
            f"INSERT INTO t{i} VALUES (1, 0.5, '2024-01-01', 'x'), (2, 1.5, '2024-01-02', 'y');"
            for i in range(tables)
        )
    )
    opened, asked = [], []
    real_open, real_fetch = profile.open_database, SqliteDatabase.fetch

    def fetch(database, sql, *arguments, **options):
        asked.append(sql)
        return real_fetch(database, sql, *arguments, **options)

    monkeypatch.setattr(profile, "open_database", lambda s: opened.append(s) or real_open(s))
    monkeypatch.setattr(SqliteDatabase, "fetch", fetch)
    found.build(workers=2)

    assert 1 <= len(opened) <= 2
    passes = [sql for sql in asked if "COUNT(*)" in sql.upper() and "MIN(" in sql.upper()]
    assert len(passes) == tables
    assert all(f'"{c}"' in sql for sql in passes for c in ("id", "n", "day", "w"))


def test_a_view_that_fails_or_never_ends_gets_an_error_and_the_rest_goes_on(kit, monkeypatch):
    monkeypatch.setattr("pipeline.profile.measure.VIEW_SECONDS", 0.2)
    found = kit(
        "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('x');"
        "CREATE VIEW v_fails AS SELECT abs(-9223372036854775808) AS a FROM t;"
        "CREATE VIEW v_endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT i FROM n;"
        "CREATE VIEW v_fine AS SELECT v FROM t;"
    )

    tables = found.build().by_table

    assert "overflow" in tables["v_fails"].error
    assert "longer than 0.2 s" in tables["v_endless"].error
    assert tables["v_endless"].rows is None
    assert tables["v_fine"].column("v").values == (ValueCount("x", 1),)
    assert tables["t"].error is None


def test_names_that_need_quoting_are_profiled(kit):
    found = kit(
        'CREATE TABLE "年" ("select" TEXT, "it\'s" TEXT, "x""y" TEXT, "a.b" TEXT, "end " TEXT);'
        "INSERT INTO \"年\" VALUES ('1', '2', '3', '4', '5');"
    )

    table = found.build().by_table["年"]

    assert [c.values[0].value for c in table.columns] == ["1", "2", "3", "4", "5"]


def test_300_columns_are_measured_in_chunks(kit):
    columns = ", ".join(f"c{i} INTEGER" for i in range(300))
    found = kit(f"CREATE TABLE t ({columns}); INSERT INTO t (c299) VALUES (7);")

    table = found.build().by_table["t"]

    assert len(table.columns) == 300
    assert table.column("c299").maximum == 7


def test_a_wide_table_has_the_dictionaries_of_narrow_ones_at_a_fraction_of_their_queries(
    kit, monkeypatch
):
    types = ("TEXT", "TEXT COLLATE NOCASE", "INTEGER", "DATE", "", "TEXT")
    values = ("'b'), ('a'), ('b '", "'x'), ('X'), ('y'", "3), (1), (3", "'2024-01-01'), (NULL), (1")
    rows = [part.split("), (") for part in (*values, "1), ('1'), (1.0", "'same'), (NULL), ('same'")]
    columns = [f"c{i} {types[i % 6]}" for i in range(120)]
    inserts = [", ".join(rows[i % 6][row] for i in range(120)) for row in range(3)] * 3
    wide = f"CREATE TABLE t ({', '.join(columns)}); INSERT INTO t VALUES ({'), ('.join(inserts)});"
    narrow = "".join(
        f"CREATE TABLE n{i} (c{i} {types[i]}); INSERT INTO n{i} SELECT c{i} FROM t;"
        for i in range(6)
    )
    asked = []
    fetch = SqliteDatabase.fetch
    monkeypatch.setattr(
        SqliteDatabase,
        "fetch",
        lambda self, sql, *a, **k: asked.append(sql) or fetch(self, sql, *a, **k),
    )

    found = kit(wide + narrow).build()

    table = found.by_table["t"]
    assert [c.values for c in table.columns] == [
        found.by_table[f"n{i % 6}"].columns[0].values for i in range(120)
    ]
    assert all(c.values for c in table.columns)
    assert sum("GROUP BY" in sql and 'FROM "t"' in sql for sql in asked) <= 2
    assert not any("GROUP BY" in sql and 'FROM "n5"' in sql for sql in asked)


def test_bytes_damaged_text_and_infinity_never_reach_the_file(kit):
    found = kit(
        "CREATE TABLE t (v TEXT, b BLOB, f REAL);"
        "INSERT INTO t VALUES (CAST(x'ff41' AS TEXT), x'0102', 9e999), ('good', x'03', 1.5);"
    )

    table = found.build().by_table["t"]

    assert [v.value for v in table.column("v").values] == ["good"]
    assert not table.column("v").values_complete
    assert (table.column("b").nulls, table.column("b").minimum) == (0, None)
    assert table.column("f").maximum == "inf"


def test_the_account_says_what_was_found(kit):
    found = kit(
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, email TEXT, country TEXT);"
        "INSERT INTO customer VALUES (1, 'a@x.test', 'GB'), (2, 'b@x.test', 'GB');"
    )

    found.build()

    assert found.account == "2 rows, 1 dictionary, 1 sensitive column, 0 inferred joins"


def test_a_missing_catalogue_is_an_error_that_says_what_to_run(kit):
    found = kit("CREATE TABLE t (v TEXT);")
    found.catalog.unlink()

    with pytest.raises(ArtifactError) as failure:
        found.build()

    assert "catalog.json does not exist" in failure.value.problem
    assert "dblore build" in failure.value.fix


def test_the_measurement_of_its_speed_reads_every_table_twice_over(kit):
    found = kit("CREATE TABLE t (v TEXT, b BLOB); CREATE TABLE u (w INTEGER);")

    figures = profile_speed.figures(found.source, runs=1)

    assert (figures["tables"], figures["columns"], figures["unreadable"]) == (2, 3, 0)
    assert figures["floor_ms"] >= 0
    assert figures["ratio"] > 0
