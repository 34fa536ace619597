"""PostgreSQL: when a database counts as changed, and what leaves no trace in a catalogue."""

import time
from dataclasses import replace
from itertools import pairwise

import pytest
from sqlalchemy import event, make_url

from pipeline import artifacts
from pipeline.database import fingerprint
from pipeline.database.connect import open_database
from tests import engines, postgres_databases

DDL = """
CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN posint AS int;
CREATE TABLE a (id int PRIMARY KEY, m mood, p posint, n int DEFAULT 1);
CREATE TABLE b (id int PRIMARY KEY, a_id int CONSTRAINT up REFERENCES a);
CREATE INDEX ix ON b (a_id); CREATE VIEW v AS SELECT id FROM a;
CREATE FUNCTION f(x int) RETURNS int LANGUAGE sql AS 'SELECT x';
CREATE FUNCTION t() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TABLE parts (id int, v int) PARTITION BY LIST (id);
CREATE TABLE part_1 PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE place (id int); CREATE TABLE capital () INHERITS (place);
CREATE VIEW of_parts AS SELECT * FROM parts; CREATE VIEW of_view AS SELECT * FROM of_parts;
CREATE MATERIALIZED VIEW stored AS SELECT * FROM a;
CREATE FUNCTION asks() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM a';
CREATE VIEW of_function AS SELECT asks() AS n;
CREATE VIEW of_system AS SELECT relname FROM pg_class;
CREATE SCHEMA s; CREATE TABLE s.a (id int); CREATE TYPE place_on_map AS (x int);
"""
STRUCTURAL = [
    "ALTER TABLE a ADD COLUMN x int",
    "ALTER TABLE a RENAME COLUMN n TO n2",
    "ALTER TABLE b ALTER a_id TYPE bigint",
    "ALTER TABLE a ALTER n2 SET DEFAULT 2",
    "ALTER TABLE a ALTER n2 SET NOT NULL",
    "ALTER TABLE a DROP COLUMN x",
    "COMMENT ON TABLE a IS 'one'",
    "COMMENT ON TABLE a IS 'two'",
    "COMMENT ON COLUMN a.id IS 'key'",
    "COMMENT ON FUNCTION f(int) IS 'f'",
    "ALTER TYPE mood ADD VALUE 'glad' BEFORE 'ok'",
    "ALTER TYPE mood RENAME VALUE 'glad' TO 'merry'",
    "ALTER TYPE place_on_map ADD ATTRIBUTE y int",
    "ALTER TYPE place_on_map RENAME ATTRIBUTE y TO z",
    "ALTER TYPE place_on_map RENAME TO spot",
    "ALTER DOMAIN posint ADD CONSTRAINT positive CHECK (VALUE > 0)",
    "ALTER DOMAIN posint SET DEFAULT 1",
    "ALTER TABLE a ADD CONSTRAINT c CHECK (id > 0) NOT VALID",
    "ALTER TABLE a VALIDATE CONSTRAINT c",
    "ALTER TABLE a RENAME CONSTRAINT c TO d",
    "ALTER TABLE b DROP CONSTRAINT up",
    "ALTER INDEX ix RENAME TO ix2",
    "DROP INDEX ix2",
    "CREATE OR REPLACE VIEW v AS SELECT id FROM a WHERE id > 1",
    "CREATE OR REPLACE FUNCTION f(x int) RETURNS int LANGUAGE sql AS 'SELECT x + 1'",
    "CREATE TRIGGER g BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION t()",
    "DROP TRIGGER g ON a",
    "ALTER TABLE a RENAME TO a2",
    "CREATE TABLE part_2 PARTITION OF parts FOR VALUES IN (2)",
    "ALTER TABLE parts DETACH PARTITION part_2",
    "ALTER TABLE capital NO INHERIT place",
    "ALTER TABLE b ENABLE ROW LEVEL SECURITY",
    "CREATE POLICY first ON b USING (id < 1)",
    "ALTER POLICY first ON b USING (id < 2)",
    "DROP POLICY first ON b",
    "ALTER TABLE b FORCE ROW LEVEL SECURITY",
    "ALTER VIEW v SET (security_barrier = true)",
    "REFRESH MATERIALIZED VIEW stored WITH NO DATA",
    "ALTER TABLE s.a SET SCHEMA public",
    "GRANT SELECT ON b TO {reader}",
    "REVOKE SELECT ON b FROM {reader}",
    "GRANT SELECT (id) ON b TO {reader}",
    "COMMENT ON DATABASE {database} IS 'shop'",
]
DATA = [
    ("INSERT INTO a VALUES (1)", {"public.a", "public.v"}),
    ("UPDATE a SET n = 2", {"public.a", "public.v"}),
    ("DELETE FROM a", {"public.a", "public.v"}),
    ("INSERT INTO b VALUES (1)", {"public.b"}),
    ("TRUNCATE b", {"public.b"}),
    ("INSERT INTO parts VALUES (1, 1)", {"public.parts", "public.of_parts", "public.of_view"}),
    ("INSERT INTO capital VALUES (1)", {"public.place", "public.capital"}),
    ("INSERT INTO s.a VALUES (1)", {"s.a"}),
    ("REFRESH MATERIALIZED VIEW stored", {"public.stored"}),
]


@pytest.fixture(scope="module")
def server(request):
    return engines.server("postgres", required=request.config.getoption("require_engines"))


@pytest.fixture(scope="module")
def counted(server):
    with postgres_databases.database(server, "counted", DDL) as source:
        yield source


def later(ask, before):
    """Return what is told once the server has counted what a session did that has just ended."""
    end = time.monotonic() + 5
    while (found := ask()) == before and time.monotonic() < end:
        time.sleep(0.02)
    return found


def stamps(source):
    with open_database(source) as database:
        return database.table_stamps()


def test_each_change_of_the_structure_changes_its_fingerprint_and_rows_do_not(server):
    reader = postgres_databases.own("change_reader")
    with (
        postgres_databases.role(server, "change_reader"),
        postgres_databases.database(server, "change", DDL) as source,
        open_database(postgres_databases.named(source, username=reader)) as database,
        postgres_databases.session(source) as run,
    ):
        seen = [database.structure_rows()]
        unnoticed = []
        for statement in STRUCTURAL:
            own = postgres_databases.own("change")
            run(statement.format(reader=reader, database=own))
            seen.append(database.structure_rows())
            if seen[-1] == seen[-2]:
                unnoticed.append(statement)
        run("INSERT INTO b VALUES (2); TRUNCATE b; ANALYZE", "VACUUM FULL b", "REINDEX TABLE b")
        after = database.structure_rows()

    assert unnoticed == []
    assert after == seen[-1]


def test_a_changed_row_changes_the_stamps_of_what_shows_it_and_of_nothing_else(counted):
    with open_database(counted) as database:
        seen, whole = [database.table_stamps()], [database.data_rows()]
        for statement, _ in DATA:
            postgres_databases.run(counted, statement)
            seen.append(later(database.table_stamps, seen[-1]))
            whole.append(database.data_rows())

    changed = [
        {name for name in after if after[name] != before[name]} for before, after in pairwise(seen)
    ]
    assert changed == [expected for _, expected in DATA]
    assert all(before != after for before, after in pairwise(whole))
    # what such views show may change alone
    assert not {"public.of_function", "public.of_system", "public.part_1"} & set(seen[0])


FUNCTIONS = """
CREATE TABLE t (id int, day date);
CREATE FUNCTION inner_one(x int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT x';
CREATE FUNCTION outer_one(x int) RETURNS int IMMUTABLE LANGUAGE plpgsql
    AS 'BEGIN RETURN inner_one(x); END';
CREATE OPERATOR ## (FUNCTION = outer_one, RIGHTARG = int);
CREATE VIEW plain AS SELECT id, concat(day, upper('x')) AS text FROM t;
CREATE VIEW of_function AS SELECT outer_one(id) AS n FROM t;
CREATE VIEW of_operator AS SELECT id FROM t WHERE ## id > 1;
CREATE VIEW of_view AS SELECT n FROM of_function;
"""


def test_a_replaced_function_changes_the_stamps_of_views_that_ask_one_and_of_nothing_else(server):
    body = "RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT x + 1'"
    with postgres_databases.database(server, "function", FUNCTIONS) as source:
        before = stamps(source)
        postgres_databases.run(source, f"CREATE OR REPLACE FUNCTION inner_one(x int) {body}")
        after = stamps(source)

    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"public.of_function", "public.of_operator", "public.of_view"}
    assert set(after) == {*changed, "public.t", "public.plain"}


def test_a_view_that_asks_what_changes_alone_has_no_stamp(server):
    asks = {
        "clock": "SELECT id FROM t WHERE now() > day",
        "word_of_time": "SELECT id FROM t WHERE day < current_date",
        "age": "SELECT age(day) AS a FROM t",
        "chance": "SELECT random() AS r FROM t",
        "setting": "SELECT current_setting('app.user', true) AS s FROM t",
        "size": "SELECT pg_relation_size('t') AS s",
        "operator": "SELECT @@@ id AS n FROM t",
    }
    more = """
        CREATE FUNCTION reads(x int) RETURNS bigint STABLE LANGUAGE sql AS 'SELECT count(*) FROM t';
        CREATE OPERATOR @@@ (FUNCTION = reads, RIGHTARG = int);
    """ + "".join(f"CREATE VIEW {name} AS {sql};" for name, sql in asks.items())
    with postgres_databases.database(server, "alone", FUNCTIONS, more) as source:
        told = set(stamps(source))
        whole = [fingerprint.data(source)]
        replaced = "CREATE OR REPLACE FUNCTION reads(x int) RETURNS bigint STABLE RETURN x"
        postgres_databases.run(source, replaced)
        whole.append(fingerprint.data(source))

    assert "public.plain" in told
    assert {name for name in asks if f"public.{name}" in told} == set()
    assert whole[0] != whole[1]  # and yet the next build reads them


POLICIES = """
CREATE TYPE spot AS (x int); CREATE TABLE places (at spot, near spot[]);
CREATE TABLE mine (id int, who text, day date); CREATE VIEW of_mine AS SELECT * FROM mine;
CREATE TABLE other (id int); CREATE VIEW of_other AS SELECT * FROM other;
ALTER TABLE mine ENABLE ROW LEVEL SECURITY; CREATE POLICY few ON mine USING (id < 1);
"""
ALONE = [
    pytest.param("id IN (SELECT id FROM other)", id="another table"),
    pytest.param("who = current_setting('app.user', true)", id="a setting"),
    pytest.param("day < current_date", id="the time"),
    pytest.param("asks(id)", id="a function"),
]
"""What a policy may ask that changes without a trace."""


@pytest.fixture
def guarded(server):
    """A database with a policy, as a login that it holds for, and as its owner."""
    with (
        postgres_databases.role(server, "policy_reader") as reader,
        postgres_databases.database(server, "policy", POLICIES) as source,
    ):
        postgres_databases.run(source, f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {reader}")
        yield source, postgres_databases.named(source, username=reader)


def test_a_changed_policy_changes_the_stamps_of_what_it_hides_rows_of(guarded):
    owner, reader = guarded
    login = make_url(reader.url).username
    postgres_databases.run(
        owner,
        "CREATE FUNCTION own(x int) RETURNS bool IMMUTABLE RETURN x > 0",
        "CREATE POLICY of_function ON mine USING (own(id))",
    )
    seen = [stamps(reader)]
    for change in (
        "ALTER POLICY few ON mine USING (id < 2 AND who = current_user)",
        "CREATE POLICY more ON mine AS RESTRICTIVE USING (id > 0)",
        "DROP POLICY more ON mine",
        f"GRANT pg_read_all_stats TO {login}",
        "CREATE OR REPLACE FUNCTION own(x int) RETURNS bool IMMUTABLE RETURN x > 1",
        f"ALTER TABLE mine OWNER TO {login}",
        "ALTER TABLE mine FORCE ROW LEVEL SECURITY",
    ):
        postgres_databases.run(owner, change)
        seen.append(stamps(reader))
    postgres_databases.run(owner, "ALTER TABLE mine OWNER TO current_user")

    changed = [{name for name in b if a[name] != b[name]} for a, b in pairwise(seen)]
    assert changed == [{"public.mine", "public.of_mine"}] * len(changed)


@pytest.mark.parametrize("condition", ALONE)
def test_a_policy_that_asks_more_than_the_row_leaves_no_stamp_where_it_holds(guarded, condition):
    owner, reader = guarded
    asks = "CREATE FUNCTION asks(int) RETURNS bool STABLE LANGUAGE sql AS 'SELECT true'"
    postgres_databases.run(owner, asks, f"ALTER POLICY few ON mine USING ({condition})")

    assert set(stamps(reader)) == {"public.places", "public.other", "public.of_other"}
    assert set(stamps(owner)) == {*stamps(reader), "public.mine"}


def test_an_attribute_more_changes_the_stamps_of_tables_with_such_columns(guarded):
    owner, _ = guarded
    before = stamps(owner)
    postgres_databases.run(owner, "ALTER TYPE spot ADD ATTRIBUTE y int")

    after = stamps(owner)
    assert [name for name in after if after[name] != before[name]] == ["public.places"]


def test_a_database_made_anew_from_another_template_counts_as_changed(server):
    rows = "CREATE TABLE t (id int CHECK (id > {0})); INSERT INTO t VALUES ({0} + 1)"
    with (
        postgres_databases.database(server, "template", rows.format(0)) as template,
        postgres_databases.database(
            server, "copy", options=f"TEMPLATE {postgres_databases.own('template')}"
        ) as copy,
    ):
        before = fingerprint.fingerprints(copy), stamps(copy)
        own = postgres_databases.own("copy")
        postgres_databases.run(template, "UPDATE t SET id = 2")
        postgres_databases.run(
            server,
            f"DROP DATABASE {own}",
            f"CREATE DATABASE {own} TEMPLATE {postgres_databases.own('template')}",
        )
        after = fingerprint.fingerprints(copy), stamps(copy)

    assert all(before[0][kind] != after[0][kind] for kind in ("structure", "data"))
    assert before[1]["public.t"] != after[1]["public.t"]


@pytest.mark.parametrize("table", [False, True])
def test_counters_that_begin_anew_never_look_unchanged(counted, table):
    reset = "pg_stat_reset_single_table_counters('s.a'::regclass)" if table else "pg_stat_reset()"
    rows = "DELETE FROM s.a; INSERT INTO s.a VALUES (1)"
    postgres_databases.run(counted, f"SELECT {reset}", rows)
    before = stamps(counted)
    postgres_databases.run(counted, f"SELECT {reset}", rows)

    assert stamps(counted)["s.a"] != before["s.a"]


def test_a_server_that_counts_no_changes_says_that_it_cannot_tell(counted):
    uncounted = postgres_databases.named(counted, query={"options": "-c track_counts=off"})

    assert stamps(uncounted) is None
    assert fingerprint.data(uncounted) == fingerprint.UNKNOWN


@pytest.mark.req("SCAN-11", part="PostgreSQL")
def test_the_number_of_statements_grows_neither_with_tables_nor_with_schemas(counted):
    more = ";".join(f"CREATE SCHEMA s{i}; CREATE TABLE s{i}.t (u text UNIQUE)" for i in range(60))
    asked = []
    with open_database(counted) as database:
        event.listen(database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
        before = len(database.read_catalog().tables), len(asked)
        postgres_databases.run(counted, more)
        after = len(database.read_catalog().tables), len(asked)

    assert after == (before[0] + 60, 2 * before[1])
    assert before[1] == 10


@pytest.mark.req("SCAN-09", part="PostgreSQL")
def test_neither_order_of_creation_nor_collation_leaves_a_trace(server, tmp_path):
    ddl = [
        'CREATE TABLE "B" (id int PRIMARY KEY, x int UNIQUE)',
        "CREATE TABLE a_b (id int PRIMARY KEY)",
        "CREATE TABLE ab (id int PRIMARY KEY)",
        "CREATE SCHEMA é; CREATE TABLE é.é (id int)",
        "CREATE FUNCTION f(x text) RETURNS text LANGUAGE sql AS 'SELECT x'",
        "CREATE FUNCTION f(x int) RETURNS int LANGUAGE sql AS 'SELECT x'",
    ]
    later = [
        'ALTER TABLE ab ADD CONSTRAINT "K" FOREIGN KEY (id) REFERENCES "B"',
        "ALTER TABLE ab ADD CONSTRAINT k FOREIGN KEY (id) REFERENCES a_b",
        "CREATE INDEX i2 ON ab (id)",
        'CREATE INDEX "I1" ON ab (id)',
        "CREATE TRIGGER t BEFORE UPDATE ON ab EXECUTE FUNCTION tsvector_update_trigger()",
    ]
    written = []
    for step, locale in ((1, "C"), (-1, "C.UTF-8")):
        options = f"TEMPLATE template0 ENCODING UTF8 LC_COLLATE '{locale}' LC_CTYPE '{locale}'"
        statements = [*ddl[::step], *later[::step]]
        with (
            postgres_databases.database(server, "order", *statements, options=options) as source,
            open_database(source) as database,
        ):
            out = tmp_path / str(step) / "catalog.json"
            artifacts.write(out, replace(database.read_catalog(), database="same"))
            written.append(out.read_bytes())

    assert written[0] == written[1]


@pytest.mark.req("SCAN-13", part="PostgreSQL, other encodings")
@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_of_another_encoding_is_read_as_far_as_names_are_text(server, encoding):
    ddl = """
        CREATE TABLE plain (id int, "grün" text, n int);
        COMMENT ON TABLE plain IS 'café'; CREATE TABLE "bär" (id int)
    """
    options = f"TEMPLATE template0 ENCODING {encoding} LC_COLLATE 'C' LC_CTYPE 'C'"
    with postgres_databases.database(server, "encoding", options=options) as source:
        client = f"SET client_encoding = {encoding};"
        postgres_databases.run(source, client + ddl, encoding="latin-1")
        with open_database(source) as database:
            catalog = database.read_catalog()
            known = database.table_stamps()

    assert "public.plain" in known
    plain = catalog.by_name["plain"]
    if encoding == "LATIN1":
        assert [c.name for c in plain.columns] == ["id", "grün", "n"]
        assert (plain.comment, list(catalog.by_name)) == ("café", ["bär", "plain"])
        return
    assert [c.name for c in plain.columns] == ["id", "n"]
    assert (plain.comment, list(catalog.by_name)) == ("caf\ufffd", ["plain"])
    assert [(u.name, u.kind, u.error_class) for u in catalog.unreadable] == [
        ("b\ufffdr", "table", "UnicodeDecodeError"),
        ("plain.gr\ufffdn", "column", "UnicodeDecodeError"),
    ]
