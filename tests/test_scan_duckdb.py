"""DuckDB: what a scan reads from the catalogue."""

from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from pipeline import scan
from pipeline.database import fingerprint
from pipeline.database.connect import open_database
from pipeline.database.source import resolve
from schemas.settings import KbSettings

ODD_NAMES = [
    "with space", " leading", "trailing ", 'quo"te', "it's", "dot.ted", "bra[ck]et", "semi;colon",
    "back`tick", "back\\slash", "per%cent", "--comment", "/*x*/", "年", "3pointplay", "select",
    "line\nbreak", "tab\tchar", "?", "$1", ":param", "{brace}", "a,b", "a(b)", "NULL", "😀",
    "x" * 128,
]  # fmt: skip

DDL = r"""
CREATE TYPE mood AS ENUM ('sad', 'it''s ok', 'a, b', '(');
CREATE SEQUENCE numbers START 5;
CREATE SCHEMA "we.ird ""s"; CREATE SCHEMA other; CREATE SCHEMA empty_schema;
CREATE TABLE kinds (
    id INTEGER PRIMARY KEY DEFAULT nextval('numbers'), said VARCHAR DEFAULT 'nextval(1)', m mood,
    ms mood[], l INTEGER[], a INTEGER[3], s STRUCT(a INTEGER[], "b) b" VARCHAR),
    mp MAP(VARCHAR, INTEGER), un UNION(n INTEGER, t VARCHAR), h HUGEINT, bn BIGNUM, u UUID,
    iv INTERVAL, tz TIMESTAMPTZ, tzn TIMESTAMPTZ_NS, ns TIMESTAMP_NS, tt TIMETZ, j JSON, v VARIANT,
    d DECIMAL(38, 10), f FLOAT, bl BLOB, bits BIT, ok BOOLEAN, day DATE, t TIME, g GEOMETRY);
CREATE TABLE made (
    price DOUBLE, qty INTEGER NOT NULL CHECK (qty > 0), total DOUBLE AS (price * qty),
    st VARCHAR CHECK (st IN ('new', 'it''s')), "We ird" AS (qty + 1),
    CONSTRAINT named CHECK (price >= 0 AND qty < 10));
CREATE TABLE parent (a INTEGER, b VARCHAR, code INTEGER UNIQUE, PRIMARY KEY (b, a),
    UNIQUE (a, code));
CREATE TABLE child (
    id INTEGER PRIMARY KEY, x INTEGER, y VARCHAR, code INTEGER REFERENCES parent (code),
    up INTEGER REFERENCES child, FOREIGN KEY (y, x) REFERENCES parent (b, a));
CREATE INDEX by_both ON parent (b, code); CREATE UNIQUE INDEX once ON made (qty);
CREATE INDEX by_term ON made ((price || ', )'), lower(st), "We ird");
CREATE TABLE other.parent (k INTEGER PRIMARY KEY);
CREATE TABLE other.child (k INTEGER REFERENCES other.parent (k));
CREATE TABLE "we.ird ""s".parent (k INTEGER PRIMARY KEY);
CREATE TABLE nothing AS SELECT 1 AS a WHERE false;
CREATE VIEW looks AS SELECT a, b AS "B b" FROM parent; CREATE VIEW other.looks AS FROM other.parent;
CREATE TABLE grows (a INTEGER); CREATE VIEW grown AS SELECT * FROM grows;
ALTER TABLE grows ADD COLUMN later DATE;
CREATE TABLE gone (a INTEGER); CREATE VIEW broken AS SELECT * FROM gone;
CREATE VIEW broken_too AS SELECT * FROM broken; DROP TABLE gone;
CREATE MACRO lost(x) AS x; CREATE VIEW other.calls AS SELECT lost(1) AS a; DROP MACRO lost;
CREATE MACRO plus(a, b := 5) AS a + b; CREATE MACRO twice(a) AS a * 2, (a, b) AS a * b;
CREATE MACRO typed(a INTEGER, b VARCHAR) AS a;
CREATE MACRO up_to(n) AS TABLE SELECT * FROM range(n);
CREATE MACRO other.own(x) AS x;
COMMENT ON TABLE parent IS 'those above'; COMMENT ON COLUMN parent.code IS 'a; code';
COMMENT ON VIEW looks IS 'a look'; COMMENT ON COLUMN looks.a IS 'seen'; COMMENT ON TABLE made IS '';
COMMENT ON MACRO plus IS 'adds'; COMMENT ON MACRO TABLE up_to IS 'counts';
CREATE TRIGGER tells AFTER INSERT ON grows REFERENCING NEW TABLE AS n FOR EACH STATEMENT
    INSERT INTO nothing SELECT 1;
CREATE TEMP TABLE passing (a INTEGER); CREATE TEMP VIEW passing_view AS SELECT 1 AS a;
CREATE TEMP MACRO passing_macro(a) AS a;
CREATE SCHEMA other.inner_one; CREATE TABLE other.inner_one.parent (a INTEGER);
"""


def build(path, *statements):
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return resolve(str(path), Path(), {})


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    odd = [
        f"CREATE TABLE {quoted(name)} ({quoted(name)} INTEGER PRIMARY KEY, up INTEGER"
        f" REFERENCES {quoted(name)} ({quoted(name)})); CREATE INDEX {quoted('i' + name)}"
        f" ON {quoted(name)} ({quoted(name)}, up)"
        for name in ODD_NAMES
    ]
    return build(tmp_path_factory.mktemp("duck") / "all.duckdb", DDL, *odd)


@pytest.fixture(scope="module")
def catalog(source):
    with open_database(source) as database:
        return database.read_catalog()


@pytest.mark.req("SCAN-02", part="DuckDB")
def test_columns_have_duckdbs_own_type_and_a_family(catalog):
    kinds = catalog.by_name["kinds"]

    assert {c.name: c.family for c in kinds.columns} == {
        "id": "integer", "said": "text", "m": "enum", "ms": "array", "l": "array", "a": "array",
        "s": "other", "mp": "other", "un": "other", "h": "integer", "bn": "integer", "u": "uuid",
        "iv": "interval", "tz": "timestamp", "tzn": "timestamp", "ns": "timestamp", "tt": "time",
        "j": "json", "v": "json", "d": "decimal", "f": "float", "bl": "binary", "ok": "boolean",
        "day": "date", "t": "time", "g": "geometry", "bits": "binary",
    }  # fmt: skip
    assert kinds.column("s").native_type == 'STRUCT(a INTEGER[], "b) b" VARCHAR)'
    assert kinds.column("m").enum_members == ("sad", "it's ok", "a, b", "(")
    assert kinds.column("ms").enum_members == ()


@pytest.mark.req("SCAN-02", part="DuckDB")
def test_defaults_numbering_and_computed_columns_are_told(catalog):
    kinds, made = catalog.by_name["kinds"], catalog.by_name["made"]

    assert [(c.name, c.default) for c in kinds.columns if c.default] == [
        ("id", "nextval('numbers')"),
        ("said", "'nextval(1)'"),
    ]
    assert [c.name for c in kinds.columns if c.identity] == ["id"]
    assert [
        (c.name, c.generated, c.expression, c.default) for c in made.columns if c.generated
    ] == [
        ("total", "virtual", "CAST((price * qty) AS DOUBLE)", None),
        ("We ird", "virtual", "CAST((qty + 1) AS INTEGER)", None),
    ]
    assert [c.name for c in made.columns if not c.nullable] == ["qty"]


@pytest.mark.req("SCAN-02", part="DuckDB")
def test_keys_checks_and_indexes_are_read(catalog):
    parent, child, made = (catalog.by_name[name] for name in ("parent", "child", "made"))

    assert parent.primary_key.columns == ("b", "a")
    assert [k.columns for k in parent.unique] == [("a", "code"), ("code",)]
    assert [(k.columns, k.to_table, k.to_columns, k.state) for k in child.foreign_keys] == [
        (("code",), "parent", ("code",), "ok"),
        (("up",), "child", ("id",), "ok"),
        (("y", "x"), "parent", ("b", "a"), "ok"),
    ]
    assert [c.expression for c in made.checks] == [
        "((price >= 0) AND (qty < 10))",
        "(qty > 0)",
        "(st IN ('new', 'it''s'))",
    ]
    assert made.column("st").enum_members == ("new", "it's")
    assert [(i.name, i.columns, i.unique) for i in (*parent.indexes, *made.indexes)] == [
        ("by_both", ("b", "code"), False),
        ("by_term", ("price || ', )'", "lower(st)", "We ird"), False),
        ("once", ("qty",), True),
    ]


@pytest.mark.req("SCAN-02", part="DuckDB")
def test_comments_of_tables_columns_views_and_macros_are_read(catalog):
    parent, looks = catalog.by_name["parent"], catalog.by_name["looks"]

    assert (parent.comment, parent.column("code").comment) == ("those above", "a; code")
    assert (looks.comment, looks.column("a").comment) == ("a look", "seen")
    assert catalog.by_name["made"].comment is None
    assert [r.comment for r in catalog.routines if r.comment] == ["adds", "counts"]


@pytest.mark.req("SCAN-02", part="DuckDB")
def test_macros_and_triggers_are_routines(catalog):
    found = [(r.name, r.kind, r.arguments, r.returns, r.table) for r in catalog.routines]

    assert found == [
        ("other.own", "function", "x", None, None),
        ("plus", "function", "a, b", None, None),
        ("twice", "function", "a", None, None),
        ("twice", "function", "a, b", None, None),
        ("typed", "function", "a INTEGER, b VARCHAR", None, None),
        ("up_to", "function", "n", "TABLE", None),
        ("tells", "trigger", "AFTER INSERT", None, "grows"),
    ]


@pytest.mark.req("SCAN-10", part="DuckDB")
def test_views_have_todays_columns_and_broken_ones_are_recorded(catalog):
    views = [t for t in catalog.tables if t.kind == "view"]

    assert {t.name: [c.name for c in t.columns] for t in views} == {
        "grown": ["a", "later"],  # DuckDB's catalogue has it as it once was
        "looks": ["a", "B b"],
        "other.looks": ["k"],
    }
    assert catalog.by_name["looks"].definition.startswith("CREATE VIEW looks AS SELECT a, b AS")
    assert [(u.name, u.kind, u.error_class) for u in catalog.unreadable] == [
        ("broken", "view", "CatalogException"),
        ("broken_too", "view", "CatalogException"),
        ("other.calls", "view", "CatalogException"),
        ("other.inner_one", "schema", "NotImplementedError"),
    ]


@pytest.mark.req("SCAN-12", part="DuckDB")
def test_system_and_temporary_objects_are_left_out(catalog):
    own = {"kinds", "made", "parent", "child", "nothing", "grows", "looks", "grown"}
    others = {"other.parent", "other.child", "other.looks", '"we.ird ""s".parent'}

    odd = {t.name for t in catalog.tables if t.object_name in ODD_NAMES}
    assert {t.name for t in catalog.tables} - odd == own | others
    assert catalog.by_name["other.child"].foreign_keys[0].to_table == "other.parent"
    assert [c.name for c in catalog.by_name["other.parent"].columns] == ["k"]


@pytest.mark.req("SCAN-09", part="DuckDB")
def test_the_order_of_creation_leaves_no_trace(tmp_path):
    statements = [
        "CREATE TABLE p (id INTEGER PRIMARY KEY, n INTEGER)",
        "CREATE SCHEMA s; CREATE TABLE s.t (a INTEGER)",
        "CREATE VIEW v AS SELECT 1 AS x",
        "CREATE MACRO m(a) AS a + 1",
        "CREATE TYPE mood AS ENUM ('sad', 'ok')",
    ]
    late = ["CREATE INDEX i2 ON p (n)", "CREATE INDEX i1 ON p (n)", "COMMENT ON TABLE p IS 'x'"]
    written = []
    for step in (1, -1):
        path = tmp_path / "source.duckdb"
        with closing(duckdb.connect(str(path))) as connection:
            connection.execute(";".join(statements[::step] + late[::step]))
        out = tmp_path / str(step) / "catalog.json"
        source = resolve(str(path), Path(), {})
        scan.build(source=source, settings=KbSettings(name="t"), out=out)
        written.append(out.read_bytes())
        path.unlink()

    assert written[0] == written[1]


@pytest.mark.req("SCAN-03", part="DuckDB")
def test_chosen_schemas_alone_are_read_and_named(source):
    with open_database(source) as database:
        one = database.read_catalog(["OTHER"])
        none = database.read_catalog(["empty_schema"])

    assert [t.name for t in one.tables] == ["other.child", "other.looks", "other.parent"]
    assert one.by_name["other.child"].foreign_keys[0].to_table == "other.parent"
    assert [r.name for r in one.routines] == ["other.own"]
    assert (none.tables, none.routines) == ((), ())


@pytest.mark.req("SCAN-13", part="DuckDB")
def test_any_name_survives_and_can_be_asked_for(source, catalog):
    tables = {t.object_name: t for t in catalog.tables}

    with open_database(source) as database:
        for name in ODD_NAMES:
            table = tables[name]
            assert table.columns[0].name == name
            assert table.primary_key.columns == (name,)
            assert table.foreign_keys[0].to_columns == (name,)
            assert table.foreign_keys[0].to_table == table.name
            assert [(i.name, i.columns) for i in table.indexes] == [("i" + name, (name, "up"))]
            column = database.quote(table.columns[0].name)
            assert database.fetch(f"SELECT {column} FROM {database.table(table)}") == []


@pytest.mark.req("SCAN-11", part="DuckDB")
def test_the_number_of_statements_does_not_grow_with_the_tables(source, tmp_path):
    small = build(tmp_path / "small.duckdb", "CREATE TABLE t (a INTEGER)")

    counts = [statements_of_a_scan(file) for file in (small, source)]

    assert counts[0] == counts[1] < 10


def statements_of_a_scan(source):
    asked = []
    with open_database(source) as database:
        fetch = database.fetch
        database.fetch = lambda sql: asked.append(sql) or fetch(sql)
        database.read_catalog()
    return len(asked)


def test_each_change_of_the_structure_shows_in_its_fingerprint(tmp_path):
    source = build(tmp_path / "t.duckdb", "CREATE TABLE t (a INTEGER)")
    seen = [fingerprint.structure(source)]

    for change in (
        "COMMENT ON COLUMN t.a IS 'now'",
        "CREATE INDEX i ON t (a)",
        "CREATE MACRO m(a) AS a",
        "CREATE VIEW v AS SELECT 1 AS a",
    ):
        build(source.path, change, "INSERT INTO t VALUES (1)")
        seen.append(fingerprint.structure(source))
    build(source.path, "INSERT INTO t VALUES (1)")

    assert len(set(seen)) == 5
    assert fingerprint.structure(source) == seen[-1]
