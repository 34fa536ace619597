"""Clauses of single dialects: short keys, copies, tables of types, texts that letters announce."""

import pytest

from schemas.models import Index, Key
from tests.ddl_kit import columns, read


@pytest.mark.parametrize("dialect", ["tsql", "snowflake"])
def test_a_foreign_key_that_a_column_spells_out_is_no_primary_key(tmp_path, dialect):
    sql = "create table c (id int primary key, t int constraint up foreign key references c (id));"

    table = read(tmp_path, dialect, sql).tables[0]

    assert [name.lower() for name in table.primary_key.columns] == ["id"]
    assert [(k.columns[0].lower(), k.to_columns[0].lower()) for k in table.foreign_keys] == [
        ("t", "id")
    ]
    assert table.foreign_keys[0].name.lower() == "up"


def test_a_bare_key_is_mysqls_primary_key_alone(tmp_path):
    mysql = read(tmp_path, "mysql", "create table c (id int key, u int unique key);")

    assert mysql.tables[0].primary_key == Key(("id",), "PRIMARY")
    assert mysql.tables[0].unique == (Key(("u",), "u"),)


@pytest.mark.parametrize("quote", ["[]", "{}", "()", "<>", "!!", "xx"])
def test_texts_of_oracle_may_hold_a_quote(tmp_path, quote):
    text = f"q'{quote[0]}it's; {quote[1]}'"
    sql = f"create table a (t varchar2(9) default {text} not null);\ncomment on table a is {text};"

    found = read(tmp_path, "oracle", f"{sql}\ncreate table b (id number);")

    assert [t.name for t in found.tables] == ["A", "B"]
    assert found.by_name["A"].columns[0].default == text
    assert not found.by_name["A"].columns[0].nullable
    assert found.by_name["A"].comment == "it's; "


def test_texts_of_postgresql_may_escape_a_quote(tmp_path):
    sql = "create table a (t text default E'it\\'s; x', d date default date'2020-01-01');"

    found = read(tmp_path, "postgres", sql, "comment on table a is e'it\\'s';create table b(i int)")

    assert [t.name for t in found.tables] == ["a", "b"]
    assert [c.default for c in found.by_name["a"].columns] == ["E'it\\'s; x'", "date'2020-01-01'"]
    assert found.by_name["a"].comment == "it's"


def test_indexes_of_mysql_follow_their_column(tmp_path):
    table = (
        "create table t (e varchar(50), f int, key k1 (e(10)), key k2 (e(10), f), key k3 (e(20)),"
        " unique k4 (e(30)));"
    )

    changed = read(tmp_path, "mysql", f"{table} alter table t change e ee varchar(20);").tables[0]
    dropped = read(tmp_path, "mysql", f"{table} alter table t drop e;").tables[0]

    assert changed.indexes == (
        Index("k1", ("ee(10)",)), Index("k2", ("ee(10)", "f")), Index("k3", ("ee",)),
    )  # fmt: skip
    assert changed.unique == (Key(("ee",), "k4"),)
    assert dropped.indexes == ()


def test_mysqls_serial_is_a_number_that_counts(tmp_path):
    sql = "create table s (a serial, b int); create table r (a bigint serial default value);"

    found = read(tmp_path, "mysql", sql)

    assert columns(found.by_name["s"])[0] == ("a", "bigint unsigned", "integer", False)
    assert columns(found.by_name["r"])[0] == ("a", "bigint", "integer", False)
    assert all(t.columns[0].identity and t.columns[0].default is None for t in found.tables)
    assert [t.unique for t in found.tables] == [(Key(("a",), "a"),)] * 2


def test_like_among_columns_puts_its_columns_there(tmp_path):
    sql = """
        create table b (x serial check (x > 0), y text default 'a' unique, primary key (x));
        create table p (like b, z int);
        create table q (a int, like b including all excluding comments, z int);
    """

    found = read(tmp_path, "postgres", sql)

    p, q = found.by_name["p"], found.by_name["q"]
    assert columns(p) == [
        ("x", "integer", "integer", False),
        ("y", "text", "text", True),
        ("z", "int", "integer", True),
    ]
    assert (p.primary_key, p.unique, p.checks, p.columns[1].default) == (None, (), (), None)
    assert not p.columns[0].identity
    assert [c.name for c in q.columns] == ["a", "x", "y", "z"]
    assert (q.primary_key, q.unique) == (Key(("x",)), (Key(("y",)),))
    assert [c.expression for c in q.checks] == ["x > 0"]
    assert (q.columns[1].identity, q.columns[2].default) == (True, "'a'")


@pytest.mark.parametrize(
    ("dialect", "kind", "more"),
    [
        pytest.param("postgres", "as", "n with options primary key, t not null", id="PostgreSQL"),
        pytest.param("oracle", "as object", "n primary key, t not null", id="Oracle"),
    ],
)
def test_a_table_of_a_type_has_its_columns(tmp_path, dialect, kind, more):
    sql = (
        f"create type ty {kind} (n int, t varchar(9));\n/\ncreate table o of ty ({more});"
        "create table other of nothing;"
    )

    found = read(tmp_path, dialect, sql if dialect == "oracle" else sql.replace("/\n", ""))

    table, other = sorted(found.tables, key=lambda t: len(t.name))
    assert [(c.name.lower(), c.native_type, c.nullable) for c in table.columns] == [
        ("n", "int", False),
        ("t", "varchar(9)", False),
    ]
    assert [name.lower() for name in table.primary_key.columns] == ["n"]
    assert other.columns == ()
    assert any("can't be told: nothing says what" in note for note in found.notes)


@pytest.mark.parametrize(
    ("dialect", "stays"), [("oracle", True), ("teradata", True), ("postgres", False)]
)
def test_global_temporary_tables_of_some_engines_stay(tmp_path, dialect, stays):
    sql = "create global temporary table g (id int) on commit delete rows; create table t (id int);"

    found = read(tmp_path, dialect, sql)

    assert [t.options for t in found.tables if t.name.lower() == "g"] == (
        [("GLOBAL TEMPORARY",)] if stays else []
    )
