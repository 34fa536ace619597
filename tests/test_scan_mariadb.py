"""MariaDB and MySQL: what a scan reads from the catalogue."""

import pytest
from sqlalchemy import event

from pipeline import artifacts, scan
from pipeline.database.connect import open_database
from pipeline.database.servers import mysql_text
from pipeline.errors import SettingError
from schemas.models import Catalog, Check, Index, KbSettings, Key
from tests import engines
from tests.mariadb_databases import named, own, run

NAME = own("scan")
OTHER, MANY = f"{NAME}_o'", f"{NAME}_m"
READER, PARTIAL = f"{NAME}_r", f"{NAME}_p"
ODD_NAMES = [
    "with space", " leading", 'quo"te', "it's", "dot.ted", "bra[ck]et", "semi;colon", "back`tick",
    "per%cent", "sla/sh", "back\\slash", "--comment", "/*x*/", "年", "3point", "select", "order",
    "line\nbreak", "tab\tchar", "%s", "%(x)s", ":param", "?", "{brace}", "$dollar", "a,b", "a(b)",
    "NULL", "e\u0301", "é", "zero\u200bwidth", "Twin", "twin", "x" * 64,
]  # fmt: skip

DDL = r"""
CREATE TABLE types (
    id int unsigned AUTO_INCREMENT PRIMARY KEY, e enum('a','b,c','it''s','d\\e','',')') DEFAULT 'a',
    s set('x','y z'), flag boolean DEFAULT true, small tinyint(4), b1 bit, b3 bit(3) DEFAULT b'101',
    y year, j json, doc longtext, u uuid, ip inet6, g point NOT NULL, z int(5) ZEROFILL,
    latin varchar(4) CHARACTER SET latin1, three char(4) CHARACTER SET utf8mb3, d decimal(65,30),
    big bigint unsigned, bin varbinary(7), `when` datetime(6), r double,
    FULLTEXT KEY words (doc), SPATIAL KEY places (g)) COMMENT 'type''s';
CREATE TABLE defaults (
    literal varchar(20) DEFAULT 'it''s', word varchar(9) DEFAULT 'NULL', number decimal(5,2)
    DEFAULT 1.5, sum int DEFAULT (1+2), now datetime DEFAULT current_timestamp ON UPDATE
    current_timestamp, none int DEFAULT NULL, must int NOT NULL, called varchar(36) DEFAULT uuid());
CREATE TABLE generated_cols (
    price decimal(10,2), qty int, total decimal(12,2) AS (price * qty) VIRTUAL,
    kept decimal(12,2) AS (price * qty) PERSISTENT, hidden int INVISIBLE DEFAULT 4);
CREATE TABLE checked (
    level int CHECK (level BETWEEN 1 AND 3), low int, high int,
    CONSTRAINT ordered CHECK (low < high), CHECK (low <> 'it''s'));
CREATE TABLE indexed (
    a varchar(50) COMMENT '1 = open; <b>x</b> | y', b int, c int,
    KEY prefix (a(5), b), KEY falling (b DESC, c), KEY off (c) IGNORED, UNIQUE KEY pair (c, b),
    UNIQUE KEY short (a(9)));
CREATE TABLE parent (b int, a int, code char(2) NOT NULL UNIQUE, PRIMARY KEY (b, a));
CREATE TABLE child (
    id int PRIMARY KEY, y int, x int, code char(2), up int, away int, bill int, ship int,
    CONSTRAINT pair FOREIGN KEY (y, x) REFERENCES parent (b, a),
    CONSTRAINT by_code FOREIGN KEY (code) REFERENCES parent (code),
    CONSTRAINT self FOREIGN KEY (up) REFERENCES child (id),
    CONSTRAINT out_of_scope FOREIGN KEY (away) REFERENCES `OTHER`.child (id));
CREATE TABLE department (id int PRIMARY KEY, head int);
CREATE TABLE employee (id int PRIMARY KEY, works int REFERENCES department (id));
ALTER TABLE department ADD FOREIGN KEY (head) REFERENCES employee (id);
SET foreign_key_checks = 0;
CREATE TABLE lost (id int, gone int, CONSTRAINT lost FOREIGN KEY (gone) REFERENCES nowhere (id));
SET foreign_key_checks = 1;
CREATE TABLE no_key (a int);
CREATE TABLE measure (id int, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (year(at))
    SUBPARTITION BY HASH (id) SUBPARTITIONS 3
    (PARTITION p1 VALUES LESS THAN (2026), PARTITION p2 VALUES LESS THAN MAXVALUE);
CREATE TABLE myisam_t (id int PRIMARY KEY) ENGINE=MyISAM;
CREATE TABLE merged (id int PRIMARY KEY) ENGINE=MERGE UNION=(myisam_t);
CREATE TABLE csv_t (a int NOT NULL) ENGINE=CSV;
CREATE TABLE versioned (id int PRIMARY KEY, v int) WITH SYSTEM VERSIONING;
CREATE TABLE periods (
    id int PRIMARY KEY, s timestamp(6) GENERATED ALWAYS AS ROW START,
    e timestamp(6) GENERATED ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME (s, e))
    WITH SYSTEM VERSIONING;
CREATE SEQUENCE seq_1;
CREATE TABLE numbered (id int DEFAULT (next value for seq_1) PRIMARY KEY);
CREATE TEMPORARY TABLE passing (id int);
CREATE VIEW v1 AS SELECT c.id, p.code AS `co``de`, '`NAME`.' AS t
    FROM child c JOIN parent p USING (code);
CREATE VIEW `view with space` AS SELECT id FROM v1;
CREATE VIEW v_slow AS SELECT sleep(30) AS s FROM child;
CREATE TABLE base (id int);
CREATE VIEW v_broken AS SELECT id FROM base;
DROP TABLE base;
CREATE TABLE cut (id int, q int);
CREATE VIEW v_cut AS SELECT q FROM cut;
ALTER TABLE cut DROP q;
CREATE TRIGGER stamp BEFORE INSERT ON child FOR EACH ROW SET new.up = 1;
CREATE FUNCTION price(n int, `wo``rd` enum('a','b')) RETURNS decimal(10,2) DETERMINISTIC
    COMMENT 'of one' RETURN 1.5;
CREATE PROCEDURE tidy(IN a int, OUT b varchar(10)) SELECT 1;
"""
USERS = (
    f"CREATE USER {READER}",
    f"GRANT SELECT ON `{NAME}`.* TO {READER}",
    f"CREATE USER {PARTIAL}",
    f"GRANT SELECT (id, up) ON `{NAME}`.child TO {PARTIAL}",
    f"GRANT SELECT ON `{NAME}`.employee TO {PARTIAL}",
    f"GRANT SELECT ON `{NAME}`.lost TO {PARTIAL}",
    f"GRANT INSERT ON `{NAME}`.parent TO {PARTIAL}",
    f"GRANT DELETE ON `{NAME}`.no_key TO {PARTIAL}",
)
CLEAN = (
    *(f"DROP DATABASE IF EXISTS `{name}`" for name in (NAME, OTHER, MANY)),
    *(f"DROP USER IF EXISTS {user}" for user in (READER, PARTIAL)),
)


@pytest.fixture(scope="module")
def server(request):
    found = engines.server("mariadb", required=request.config.getoption("require_engines"))
    run(found.url, *CLEAN)
    yield found
    run(found.url, *CLEAN)


@pytest.fixture(scope="module")
def source(server):
    """A database with something of everything, and one beside it."""
    script = DDL.replace("NAME", NAME).replace("OTHER", OTHER)
    odd = [name.replace("`", "``") for name in ODD_NAMES]
    run(
        server.url,
        f"CREATE DATABASE `{OTHER}`",
        f"CREATE TABLE `{OTHER}`.child (id int PRIMARY KEY, v int)",
        f"CREATE DATABASE `{NAME}` COMMENT 'all kinds' CHARACTER SET utf8mb4",
        f"USE `{NAME}`",
        "SET sql_mode = ''",
        *(text for text in script.split(";\n") if text.strip()),
        *(f"CREATE TABLE `{name}` (`{name}` int) ENGINE=MEMORY" for name in odd),  # the fastest
        *USERS,
    )
    return named(server, database=NAME)


def scanned(source, folder, **settings):
    out = folder / "catalog.json"
    scan.build(source=source, settings=KbSettings(name="t", **settings), out=out)
    return artifacts.read(out, Catalog)


@pytest.fixture(scope="module")
def catalog(source, tmp_path_factory):
    return scanned(source, tmp_path_factory.mktemp("scan"))


def column(catalog, table, name):
    return catalog.by_name[table].column(name)


@pytest.mark.req("SCAN-02", part="MariaDB")
@pytest.mark.parametrize(
    ("name", "native", "family", "members"),
    [
        ("id", "int(10) unsigned", "integer", ()),
        ("e", r"enum('a','b,c','it''s','d\\e','',')')", "enum",
         ("a", "b,c", "it's", "d\\e", "", ")")),
        ("s", "set('x','y z')", "enum", ("x", "y z")), ("flag", "tinyint(1)", "boolean", ()),
        ("small", "tinyint(4)", "integer", ()), ("b1", "bit(1)", "boolean", ()),
        ("b3", "bit(3)", "binary", ()), ("y", "year(4)", "integer", ()),
        ("j", "longtext", "json", ()), ("doc", "longtext", "text", ()), ("u", "uuid", "uuid", ()),
        ("ip", "inet6", "other", ()), ("g", "point", "geometry", ()),
        ("z", "int(5) unsigned zerofill", "integer", ()), ("latin", "varchar(4)", "text", ()),
        ("three", "char(4)", "text", ()), ("d", "decimal(65,30)", "decimal", ()),
        ("big", "bigint(20) unsigned", "integer", ()), ("bin", "varbinary(7)", "binary", ()),
        ("when", "datetime(6)", "timestamp", ()), ("r", "double", "float", ()),
    ],
)  # fmt: skip
def test_a_column_has_the_engines_type_its_family_and_members(
    catalog, name, native, family, members
):
    found = column(catalog, "types", name)

    assert (found.native_type, found.family, found.enum_members) == (native, family, members)


@pytest.mark.req("SCAN-02", part="MariaDB")
def test_defaults_are_sql_and_tell_a_word_from_an_expression(catalog):
    found = {c.name: (c.default, c.nullable) for c in catalog.by_name["defaults"].columns}

    assert found == {
        "literal": ("'it''s'", True),
        "word": ("'NULL'", True),
        "number": ("1.50", True),
        "sum": ("(1 + 2)", True),
        "now": ("current_timestamp()", True),
        "none": (None, True),
        "must": (None, False),
        "called": ("uuid()", True),
    }
    assert [column(catalog, t, "id").identity for t in ("types", "numbered", "child")] == [
        True,
        True,
        False,
    ]


@pytest.mark.req("SCAN-02", part="MariaDB")
def test_generated_and_invisible_columns_are_told(catalog):
    table = catalog.by_name["generated_cols"]

    found = [(c.name, c.generated, c.expression, c.default) for c in table.columns[2:]]
    assert found == [
        ("total", "virtual", "`price` * `qty`", None),
        ("kept", "stored", "`price` * `qty`", None),
        ("hidden", None, None, "4"),
    ]
    assert table.options == ("INVISIBLE COLUMN hidden",)


@pytest.mark.req("SCAN-02", part="MariaDB")
def test_checks_comments_and_indexes_are_told(catalog):
    table = catalog.by_name["indexed"]

    assert catalog.by_name["checked"].checks == (
        Check(r"`level` between 1 and 3"),
        Check("`low` < `high`", "ordered"),
        Check(r"`low` <> 'it\'s'", "CONSTRAINT_1"),
    )
    assert table.unique == (Key(("a",), "short"), Key(("c", "b"), "pair"))
    assert table.indexes == (
        Index("falling", ("b DESC", "c")),
        Index("off", ("c",)),
        Index("prefix", ("a(5)", "b")),
    )
    assert table.options == ("IGNORED INDEX off",)
    assert catalog.by_name["types"].options == ("FULLTEXT INDEX words", "SPATIAL INDEX places")
    assert table.column("a").comment == "1 = open; <b>x</b> | y"
    assert (catalog.by_name["types"].comment, catalog.comment) == ("type's", "all kinds")


@pytest.mark.req("SCAN-02", part="MariaDB")
def test_keys_keep_their_order_and_say_where_they_lead(catalog):
    links = {k.name: k for t in catalog.tables for k in t.foreign_keys}
    found = {
        name: (link.table, link.columns, link.to_table, link.to_columns, link.state)
        for name, link in links.items()
    }

    assert catalog.by_name["parent"].primary_key == Key(("b", "a"), "PRIMARY")
    assert catalog.by_name["no_key"].primary_key is None
    assert found == {
        "pair": ("child", ("y", "x"), "parent", ("b", "a"), "ok"),
        "by_code": ("child", ("code",), "parent", ("code",), "ok"),
        "self": ("child", ("up",), "child", ("id",), "ok"),
        "out_of_scope": ("child", ("away",), f"{OTHER}.child", ("id",), "external"),
        "employee_ibfk_1": ("employee", ("works",), "department", ("id",), "ok"),
        "department_ibfk_1": ("department", ("head",), "employee", ("id",), "ok"),
        "lost": ("lost", ("gone",), "nowhere", ("id",), "missing_table"),
    }
    assert catalog.external == (f"{OTHER}.child",)


@pytest.mark.req("SCAN-12", part="MariaDB")
def test_kinds_of_tables_are_told_apart_and_what_is_none_is_left_out(catalog):
    options = {t.name: t.options for t in catalog.tables if t.options}

    assert catalog.by_name["measure"].partitions == 6
    assert {n: options[n] for n in ("myisam_t", "merged", "csv_t", "versioned", "periods")} == {
        "myisam_t": ("MyISAM",),
        "merged": ("MRG_MyISAM",),
        "csv_t": ("CSV",),
        "versioned": ("SYSTEM VERSIONED",),
        "periods": ("SYSTEM VERSIONED",),
    }
    assert [catalog.by_name[n].primary_key.columns for n in ("versioned", "periods")] == [
        ("id",)
    ] * 2
    assert not {"seq_1", "passing"} & set(catalog.by_name)


@pytest.mark.req("SCAN-10", part="MariaDB")
def test_views_have_their_text_and_broken_ones_are_recorded(catalog):
    broken = [(lost.name, lost.kind, lost.error_class) for lost in catalog.unreadable]

    assert broken == [(name, "view", "ER_VIEW_INVALID") for name in ("v_broken", "v_cut")]
    assert catalog.by_name["v1"].definition == (
        f"select `c`.`id` AS `id`,`p`.`code` AS `co``de`,'`{NAME}`.' AS `t` "
        "from (`child` `c` join `parent` `p` on(`c`.`code` = `p`.`code`))"
    )
    assert catalog.by_name["view with space"].definition == ("select `v1`.`id` AS `id` from `v1`")
    assert catalog.by_name["v_slow"].kind == "view"


@pytest.mark.req("SCAN-02", part="MariaDB")
def test_routines_have_their_arguments_and_triggers_their_table(catalog):
    found = [(r.name, r.kind, r.arguments, r.returns, r.comment, r.table) for r in catalog.routines]

    assert found == [
        ("price", "function", "n int(11), wo`rd enum('a','b')", "decimal(10,2)", "of one", None),
        ("tidy", "procedure", "IN a int(11), OUT b varchar(10)", None, None, None),
        ("stamp", "trigger", "BEFORE INSERT", None, None, "child"),
    ]


@pytest.mark.req("SCAN-13", part="MariaDB")
def test_odd_names_of_tables_and_columns_survive_and_can_be_read(source, catalog):
    tables = {t.object_name: t for t in catalog.tables}

    assert [tables[name].columns[0].name for name in ODD_NAMES] == ODD_NAMES
    assert len(catalog.by_name) == len(tables)
    with open_database(source) as database:
        for table in tables.values():
            if "view" not in table.kind:
                listed = ", ".join(database.quote(c.name) for c in table.columns)
                database.fetch(f"SELECT {listed} FROM {database.table(table)} LIMIT 0")


@pytest.mark.req("SCAN-03", part="MariaDB")
def test_chosen_databases_are_read_whatever_the_url_says_and_tables_keep_apart(
    server, source, tmp_path
):
    nowhere = named(server, database="")

    found = scanned(nowhere, tmp_path, schemas=(NAME.upper(), OTHER))

    link = next(k for t in found.tables for k in t.foreign_keys if k.name == "out_of_scope")
    assert (link.table, link.to_table, link.state) == (f"{NAME}.child", f"{OTHER}.child", "ok")
    assert found.by_name[f"{OTHER}.child"].schema == OTHER
    assert f"from `{NAME}`.`v1`" in found.by_name[f"{NAME}.view with space"].definition


@pytest.mark.req("SCAN-03", part="MariaDB")
def test_a_url_without_a_database_is_an_error_that_says_what_to_write(server, tmp_path):
    with pytest.raises(SettingError) as caught:
        scanned(named(server, database=""), tmp_path)

    assert "names no database" in caught.value.problem
    assert "schemas:" in caught.value.fix


@pytest.mark.req("SCAN-10", part="MariaDB")
def test_a_login_without_show_view_gets_all_but_the_texts_of_views(source, tmp_path):
    found = scanned(named(source, username=READER, database=NAME), tmp_path)

    assert found.by_name["v1"].definition is None
    assert found.notes == ("the login may not see the SQL of 3 views: GRANT SHOW VIEW lets it",)
    assert found.by_name["lost"].foreign_keys[0].state == "missing_table"
    assert len(found.unreadable) == 2


@pytest.mark.req("SCAN-10", part="MariaDB")
def test_a_login_that_sees_some_columns_gets_those_and_no_false_claims(source, tmp_path):
    found = scanned(named(source, username=PARTIAL, database=NAME), tmp_path)

    seen = {t.name: [c.name for c in t.columns] for t in found.tables}
    assert seen == {"child": ["id", "up"], "employee": ["id", "works"], "lost": ["id", "gone"]}
    assert [(lost.name, lost.error_class) for lost in found.unreadable] == [
        (name, "ER_TABLEACCESS_DENIED_ERROR") for name in ("no_key", "parent")
    ]
    assert found.by_name["lost"].foreign_keys[0].state == "external"  # it may be there, unseen
    assert found.notes == ("the login may not read some columns of child",)


@pytest.mark.req("SCAN-09", part="MariaDB")
def test_an_unchanged_database_gives_the_same_bytes(source, tmp_path):
    written = []
    for _ in range(2):
        scanned(source, tmp_path)
        written.append((tmp_path / "catalog.json").read_bytes())

    assert written[0] == written[1]


@pytest.mark.req("SCAN-11", part="MariaDB")
def test_the_number_of_statements_does_not_grow_with_the_tables(server):
    source = named(server, database=MANY)
    counts = []
    run(server.url, f"CREATE DATABASE `{MANY}`")
    for start, stop in ((0, 2), (2, 40)):
        tables = (f"CREATE TABLE `{MANY}`.t{n} (id int) ENGINE=MEMORY" for n in range(start, stop))
        run(server.url, *tables)
        with open_database(source) as database:
            said = []
            event.listen(database.engine, "before_cursor_execute", lambda *a, s=said: s.append(a))
            assert len(database.read_catalog().tables) == stop
            counts.append(len(said))

    assert counts[0] == counts[1] <= 15


@pytest.mark.req("SCAN-02", part="MySQL")
@pytest.mark.parametrize(
    ("told", "data_type", "extra", "expected"),
    [
        pytest.param("it's", "varchar", "", "'it''s'", id="a literal"),
        pytest.param("1.50", "decimal", "", "1.50", id="a number"),
        pytest.param("b'101'", "bit", "", "b'101'", id="bits"),
        pytest.param("(1 + 2)", "int", "DEFAULT_GENERATED", "(1 + 2)", id="an expression"),
        pytest.param(r"_utf8mb4\'a\'", "text", "DEFAULT_GENERATED", "_utf8mb4'a'", id="quotes"),
        pytest.param("CURRENT_TIMESTAMP(3)", "datetime", "", "CURRENT_TIMESTAMP(3)", id="now"),
        pytest.param(None, "int", "", None, id="none"),
    ],
)
def test_mysqls_bare_defaults_become_sql(told, data_type, extra, expected):
    assert mysql_text.default(told, data_type, extra, is_mariadb=False) == expected


def test_a_geometry_collection_of_mysql_is_a_geometry():
    assert mysql_text.type_family("geomcollection", "geomcollection", is_json=False) == "geometry"
