"""The scan of SQLite: everything that its catalogue and its SQL text tell."""

import logging
import random
import sqlite3
import string
from contextlib import closing
from pathlib import Path

import pytest

from pipeline import artifacts, scan
from pipeline.database.connect import open_database
from pipeline.database.source import resolve
from schemas.models import Catalog, Check, Index, KbSettings, Key


@pytest.fixture
def scanned(make_db, tmp_path):
    """Return a function that scans a database made from SQL text."""

    def run(sql, **settings):
        out = tmp_path / "catalog.json"
        source = resolve(str(make_db(sql)), Path(), {})
        scan.build(source=source, settings=KbSettings(name="t", **settings), out=out)
        return artifacts.read(out, Catalog)

    return run


def column(catalog, table, name):
    return catalog.by_name[table].column(name)


@pytest.mark.req("SCAN-02", part="SQLite")
def test_columns_keep_their_order_type_and_rules(scanned):
    catalog = scanned(
        "CREATE TABLE t (z NVARCHAR(50) NOT NULL DEFAULT 'x', a MONEY, id INTEGER PRIMARY KEY)"
    )

    found = [(c.name, c.native_type, c.nullable, c.default) for c in catalog.by_name["t"].columns]
    assert found == [
        ("z", "NVARCHAR(50)", False, "'x'"),
        ("a", "MONEY", True, None),
        ("id", "INTEGER", False, None),
    ]


@pytest.mark.req("SCAN-02", part="SQLite")
@pytest.mark.parametrize(
    ("native", "family"),
    [
        ("INT", "integer"), ("BIGINT UNSIGNED", "integer"), ("CHARINT", "integer"),
        ("DECIMAL(10,2)", "decimal"), ("MONEY", "decimal"), ("double precision", "float"),
        ("FLOATING POINT", "float"), ("VARCHAR2(100)", "text"), ("NATIVE CHARACTER(70)", "text"),
        ("BOOLEAN", "boolean"), ("BIT", "boolean"), ("TINYINT(1)", "boolean"), ("DATE", "date"),
        ("DATETIME", "timestamp"), ("TIMESTAMP WITH TIME ZONE", "timestamp"), ("TIME", "time"),
        ("BLOB", "binary"), ("JSON", "json"), ("UUID", "uuid"), ("POINT", "geometry"),
        ("", "other"), ("STRANGE", "decimal"), ("STRANGE_TEXT", "text"),
    ],
)  # fmt: skip
def test_a_type_has_the_family_of_its_name_or_else_of_its_affinity(scanned, native, family):
    catalog = scanned(f"CREATE TABLE t (a {native})")

    assert column(catalog, "t", "a").family == family


@pytest.mark.req("SCAN-02", part="SQLite")
def test_generated_columns_keep_their_expression_even_on_one_line(scanned):
    catalog = scanned(
        "CREATE TABLE t (a INT, b INT AS (a*2) STORED, c INT GENERATED ALWAYS AS (a*(3+1)) VIRTUAL)"
    )

    found = [(c.name, c.generated, c.expression) for c in catalog.by_name["t"].columns]
    assert found == [("a", None, None), ("b", "stored", "a*2"), ("c", "virtual", "a*(3+1)")]


@pytest.mark.req("SCAN-02", part="SQLite")
def test_only_a_key_that_stands_for_the_rowid_is_numbered_by_the_engine(scanned):
    catalog = scanned(
        "CREATE TABLE rowid_key (id INTEGER PRIMARY KEY);"
        "CREATE TABLE int_key (id INT PRIMARY KEY);"
        "CREATE TABLE without (id INTEGER PRIMARY KEY) WITHOUT ROWID;"
        "CREATE TABLE descending (id INTEGER PRIMARY KEY DESC);"
        "CREATE TABLE extends (id INTEGER PRIMARY KEY REFERENCES rowid_key(id));"
    )

    numbered = {t.name for t in catalog.tables if t.columns[0].identity}
    nullable = {t.name for t in catalog.tables if t.columns[0].nullable}
    assert numbered == {"rowid_key"}
    assert nullable == {"int_key", "descending"}


@pytest.mark.req("SCAN-02", part="SQLite")
def test_keys_checks_and_indexes_are_told_with_their_names(scanned):
    catalog = scanned(
        """
        CREATE TABLE t (
            a INT CONSTRAINT positive CHECK (a > 0),
            b TEXT UNIQUE,
            c TEXT,
            d TEXT,
            CONSTRAINT pk PRIMARY KEY (c, a),
            CONSTRAINT both UNIQUE (d, c)
        );
        CREATE UNIQUE INDEX by_lower ON t (lower(b), d DESC) WHERE d IS NOT NULL;
        """
    )

    table = catalog.by_name["t"]
    assert table.primary_key == Key(("c", "a"), "pk")
    assert table.unique == (Key(("b",)), Key(("d", "c"), "both"))
    assert table.checks == (Check("a > 0", "positive"),)
    assert table.indexes == (
        Index("by_lower", ("lower(b)", "d"), unique=True, where="d IS NOT NULL"),
    )


@pytest.mark.req("SCAN-02", part="SQLite")
def test_a_check_that_lists_values_tells_the_members(scanned):
    catalog = scanned(
        "CREATE TABLE t (s TEXT CHECK (s IN ('it''s', 'b')), n INT,"
        " o TEXT CHECK (o IN ('x') OR o > 'y'), CHECK ((n IN (1, 2))))"
    )

    assert column(catalog, "t", "s").enum_members == ("it's", "b")
    assert column(catalog, "t", "n").enum_members == ("1", "2")
    assert column(catalog, "t", "o").enum_members == ()


@pytest.mark.req("SCAN-02", part="SQLite")
@pytest.mark.parametrize(
    ("sql", "state", "to"),
    [
        pytest.param("p(code)", "ok", ("p", ("code",)), id="ok"),
        pytest.param("P(CODE)", "ok", ("p", ("code",)), id="other case"),
        pytest.param("p", "ok", ("p", ("id",)), id="no column list"),
        pytest.param("gone(id)", "missing_table", ("gone", ("id",)), id="missing table"),
        pytest.param("p(gone)", "missing_column", ("p", ("gone",)), id="missing column"),
        pytest.param("two", "missing_column", ("two", ("a", "b")), id="key of another length"),
    ],
)
def test_a_foreign_key_is_resolved_or_its_state_says_why_not(scanned, sql, state, to):
    catalog = scanned(
        "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);"
        "CREATE TABLE two (a INT, b INT, PRIMARY KEY (a, b));"
        f"CREATE TABLE c (x INT CONSTRAINT fk REFERENCES {sql})"
    )

    (link,) = catalog.by_name["c"].foreign_keys
    assert (link.state, (link.to_table, link.to_columns), link.name) == (state, to, "fk")


@pytest.mark.req("SCAN-02", part="SQLite")
def test_composite_self_circular_and_repeated_keys_are_each_told_once(scanned):
    catalog = scanned(
        """
        CREATE TABLE a (x INT, y INT, up INT REFERENCES a(x), b_id INT REFERENCES b(id),
                        PRIMARY KEY (x, y));
        CREATE TABLE b (id INT PRIMARY KEY, x INT, y INT, z INT REFERENCES b(id),
                        FOREIGN KEY (y, x) REFERENCES a(y, x), FOREIGN KEY (z) REFERENCES b(id));
        """
    )

    links = [(k.table, k.columns, k.to_table, k.to_columns)
             for t in catalog.tables for k in t.foreign_keys]  # fmt: skip
    assert links == [
        ("a", ("b_id",), "b", ("id",)),
        ("a", ("up",), "a", ("x",)),
        ("b", ("y", "x"), "a", ("y", "x")),
        ("b", ("z",), "b", ("id",)),
    ]


@pytest.mark.req("SCAN-02", part="SQLite")
def test_comments_beside_a_definition_become_comments(scanned):
    catalog = scanned(
        """CREATE TABLE t ( -- one row per order
            id INTEGER PRIMARY KEY, /* number
                                     * on paper */
            st INT DEFAULT 1, -- 1 = open, 2 = closed
            -- not of a column
            note TEXT CHECK (note <> '-- no comment'),
            last TEXT -- the last
        );
        CREATE TABLE u -- all users
            (id INT);
        CREATE TABLE v (
            -- one row per visit
            id INT
        );
        CREATE VIEW w /* what is open */ AS -- by hand
            SELECT id -- not this
            FROM t;
        """
    )

    comments = {c.name: c.comment for c in catalog.by_name["t"].columns}
    assert comments == {
        "id": "number on paper", "st": "1 = open, 2 = closed", "note": None, "last": "the last",
    }  # fmt: skip
    assert {t.name: t.comment for t in catalog.tables} == {
        "t": "one row per order", "u": "all users", "v": "one row per visit",
        "w": "what is open by hand",
    }  # fmt: skip


@pytest.mark.req("SCAN-02", part="SQLite")
def test_views_and_triggers_are_told(scanned):
    catalog = scanned(
        "CREATE TABLE t (a INT); CREATE VIEW v AS SELECT a, a AS b FROM t;"
        "CREATE TRIGGER g AFTER UPDATE OF a ON t BEGIN SELECT 1; END;"
    )

    view = catalog.by_name["v"]
    assert (view.kind, view.definition) == ("view", "CREATE VIEW v AS SELECT a, a AS b FROM t")
    assert [c.name for c in view.columns] == ["a", "b"]
    (trigger,) = catalog.routines
    assert (trigger.name, trigger.kind, trigger.table, trigger.arguments) == (
        "g", "trigger", "t", "AFTER UPDATE OF a",
    )  # fmt: skip


def test_table_options_are_told(scanned):
    catalog = scanned(
        "CREATE TABLE s (k TEXT PRIMARY KEY, v ANY) STRICT, WITHOUT ROWID; CREATE TABLE n (a)"
    )

    assert catalog.by_name["s"].options == ("STRICT", "WITHOUT ROWID")
    assert catalog.by_name["n"].options == ()


@pytest.mark.req("SCAN-12", part="SQLite")
def test_shadow_and_system_tables_are_left_out(scanned):
    catalog = scanned(
        "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT);"
        "CREATE VIRTUAL TABLE docs USING fts5(title, body);"
        "CREATE VIRTUAL TABLE boxes USING rtree(id, minx, maxx); ANALYZE;"
    )

    found = {t.name: (t.kind, t.options, [c.name for c in t.columns]) for t in catalog.tables}
    assert found == {
        "a": ("table", (), ["id"]),
        "docs": ("virtual_table", ("fts5",), ["title", "body"]),
        "boxes": ("virtual_table", ("rtree",), ["id", "minx", "maxx"]),
    }


@pytest.mark.req("SCAN-10", part="SQLite, without --strict")
def test_broken_and_circular_views_are_recorded_and_the_scan_goes_on(scanned, caplog):
    with caplog.at_level(logging.WARNING, "dblore.scan"):
        catalog = scanned(
            "CREATE TABLE t (a); CREATE VIEW good AS SELECT a FROM t;"
            "CREATE VIEW bad AS SELECT * FROM gone; CREATE VIEW worse AS SELECT nope FROM t;"
            "CREATE VIEW one AS SELECT * FROM two; CREATE VIEW two AS SELECT * FROM one;"
        )

    assert [t.name for t in catalog.tables] == ["good", "t"]
    assert [(u.name, u.kind, u.error_class) for u in catalog.unreadable] == [
        (name, "view", "OperationalError") for name in ("bad", "one", "two", "worse")
    ]
    assert "no such table: main.gone" in catalog.unreadable[0].problem
    assert "view bad can't be read (OperationalError)" in caplog.text


ODD_NAMES = [
    "with space", " leading", "trailing ", 'quo"te', "it's", "dot.ted", "bra[ck]et", "semi;colon",
    "back`tick", "per%cent", "sla/sh", "--comment", "/*x*/", "年", "3pointplay", "select", "order",
    "line\nbreak", "tab\tchar", "%s", ":param", "?", "{brace}", "$dollar", "a,b", "a(b)", "NULL",
    "😀", "e\u0301", "é", "x" * 128,
]  # fmt: skip


@pytest.mark.req("SCAN-13", part="SQLite")
def test_any_identifier_survives_and_can_be_selected_from(make_db, tmp_path):
    def quoted(name):
        return '"' + name.replace('"', '""') + '"'

    path = make_db(
        ";".join(
            f"CREATE TABLE {quoted(n)} ({quoted(n)} TEXT /* c */, b INT REFERENCES {quoted(n)},"
            f" UNIQUE ({quoted(n)}), CHECK ({quoted(n)} <> 'a'));"
            f"CREATE INDEX {quoted('i' + n)} ON {quoted(n)} (b)"
            for n in ODD_NAMES
        )
    )
    source = resolve(str(path), Path(), {})

    scan.build(source=source, settings=KbSettings(name="t"), out=tmp_path / "catalog.json")

    catalog = artifacts.read(tmp_path / "catalog.json", Catalog)
    assert sorted(t.object_name for t in catalog.tables) == sorted(ODD_NAMES)
    assert len(catalog.by_name) == len(ODD_NAMES)
    with open_database(source) as database:
        for table in catalog.tables:
            names = [c.name for c in table.columns]
            assert names == [table.object_name, "b"]
            assert table.unique == (Key((table.object_name,)),)
            assert table.columns[0].comment == "c"
            columns = ", ".join(map(database.quote, names))
            assert database.fetch(f"SELECT {columns} FROM {database.table(table)}") == []


def test_names_with_dots_and_quotes_are_quoted_so_that_no_two_are_alike(scanned):
    catalog = scanned('CREATE TABLE "a.b" (x); CREATE TABLE "q""r" (x); CREATE TABLE c (x)')

    assert [(t.name, t.object_name) for t in catalog.tables] == [
        ('"a.b"', "a.b"), ('"q""r"', 'q"r'), ("c", "c"),
    ]  # fmt: skip


@pytest.mark.req("SCAN-09", part="SQLite")
def test_the_order_of_creation_leaves_no_trace(make_db, tmp_path):
    statements = [
        "CREATE TABLE p (id INTEGER PRIMARY KEY, n INT)",
        "CREATE TABLE c (a INT REFERENCES p, b INT REFERENCES p(id), CHECK (a > 0), CHECK (b > 0))",
        "CREATE VIEW v AS SELECT 1 AS x",
    ]
    late = ["CREATE INDEX i2 ON p (n)", "CREATE INDEX i1 ON p (n)"]
    written = []
    for number, order in enumerate((1, -1)):
        path = make_db(";".join(statements[::order] + late[::order]))
        source = resolve(str(path), Path(), {})
        out = tmp_path / str(number) / "catalog.json"
        scan.build(source=source, settings=KbSettings(name="t"), out=out)
        written.append(out.read_bytes())
        path.unlink()

    assert written[0] == written[1]


@pytest.mark.req("SCAN-11", part="SQLite")
@pytest.mark.parametrize("tables", [3, 60])
def test_the_number_of_statements_does_not_grow_with_the_tables(make_db, tables):
    path = make_db(
        ";".join(
            f"CREATE TABLE t{i} (id INTEGER PRIMARY KEY, up INT REFERENCES t0, u TEXT UNIQUE)"
            for i in range(tables)
        )
    )
    with open_database(resolve(str(path), Path(), {})) as database:
        asked = []
        database.connection.set_trace_callback(asked.append)
        database.read_catalog()

    own = [s for s in asked if not s.startswith("--") and "pragma " not in s.casefold()[:8]]
    assert len(own) == 5


@pytest.mark.req("SCAN-07")
def test_a_scan_writes_nothing_but_its_catalogue(make_db, tmp_path):
    path = make_db()
    folder = tmp_path / "kb"
    folder.mkdir()
    (folder / "semantic.yaml").write_text("tables: {}", encoding="utf-8")
    before = path.read_bytes()

    account = scan.build(
        source=resolve(str(path), Path(), {}),
        settings=KbSettings(name="t"),
        out=folder / "catalog.json",
    )

    assert account == "2 tables, 7 columns, 1 foreign key"
    assert sorted(p.name for p in folder.iterdir()) == ["catalog.json", "semantic.yaml"]
    assert path.read_bytes() == before


def test_random_text_in_place_of_a_create_statement_does_not_end_a_scan(make_db):
    random.seed(7)
    alphabet = string.ascii_letters + "()'\"`[]-*/,; \n"
    path = make_db("CREATE TABLE t (a INT, b TEXT)")
    for _ in range(30):
        comment = "".join(random.choice(alphabet) for _ in range(40)).replace("*/", "")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("DROP TABLE IF EXISTS u")
            connection.execute(f"CREATE TABLE u (a INT /* {comment} */, b TEXT)")
        with open_database(resolve(str(path), Path(), {})) as database:
            table = database.read_catalog().by_name["u"]

        assert [c.name for c in table.columns] == ["a", "b"]
