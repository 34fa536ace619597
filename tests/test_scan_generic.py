"""Databases that only SQLAlchemy is asked about: what its drivers tell, lose and can't tell."""

import logging
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import event
from sqlalchemy.dialects import oracle

from pipeline import artifacts, scan
from pipeline.database.connect import open_database
from pipeline.database.servers import reflection
from pipeline.database.servers.reflected import Reflected
from pipeline.database.source import resolve
from schemas.models import Catalog
from schemas.settings import KbSettings
from tests import engines, mariadb_databases, postgres_databases

SHOP = """
CREATE TABLE customer (
    id INTEGER PRIMARY KEY, email VARCHAR(80) NOT NULL UNIQUE, born DATE,
    price DECIMAL(10,2) DEFAULT 1 CHECK (price > 0)
);
CREATE TABLE "order" (
    customer_id INTEGER NOT NULL REFERENCES customer (id), "line no" INTEGER,
    PRIMARY KEY (customer_id, "line no")
);
CREATE TABLE part (
    id INTEGER PRIMARY KEY, whole_id INTEGER, line INTEGER,
    FOREIGN KEY (whole_id, line) REFERENCES "order" (customer_id, "line no")
);
CREATE VIEW v AS SELECT id FROM customer;
"""
DUCK = (
    SHOP
    + """
CREATE TYPE mood AS ENUM ('sad', 'it''s ok');
CREATE TABLE feeling (m mood, tags VARCHAR[]);
CREATE SCHEMA other; CREATE TABLE other.customer (a INTEGER); CREATE TABLE other.alone (a INTEGER);
COMMENT ON TABLE customer IS 'who buys'; COMMENT ON COLUMN customer.email IS 'where to write';
"""
)


def through_sqlalchemy(path):
    return replace(resolve(str(path), Path(), {}), path=None)


@pytest.fixture
def make_duck(tmp_path):
    """Return a function that makes a DuckDB file; duckdb-engine can't reflect it."""
    import duckdb  # an absent driver is a failure

    def make(sql=DUCK, name="shop.duckdb"):
        path = tmp_path / name
        with closing(duckdb.connect(str(path))) as connection:
            connection.execute(sql)
        return resolve(str(path), Path(), {})

    return make


def facts(catalog):
    """What the generic path must tell like an engine's own reader, types by their family."""
    return {
        table.name: (
            table.kind,
            [(c.name, c.family, c.nullable, c.default, c.comment) for c in table.columns],
            table.primary_key and table.primary_key.columns,
            [key.columns for key in table.unique],
            [(k.columns, k.to_table, k.to_columns, k.state) for k in table.foreign_keys],
            len(table.checks),
            table.comment,
            bool(table.definition),
        )
        for table in catalog.tables
    }


def both(source, schemas=()):
    """Return the catalogue as the engine's own reader tells it, and as the generic path does."""
    with open_database(source) as database:
        own = database.read_catalog(schemas)
    generic = through_sqlalchemy(source.path) if source.path else source
    with open_database(generic) as database:
        return own, reflection.read(database, schemas)


@pytest.mark.req("SCAN-05")
@pytest.mark.req("SCAN-14", part="generic reflection")
@pytest.mark.parametrize("schemas", [(), ("main",), ("OTHER", "main")])
def test_what_a_broken_driver_cannot_tell_comes_from_information_schema(make_duck, schemas):
    own, found = both(make_duck(), schemas)

    expected = facts(own)
    if not schemas:  # the schema of the URL alone
        expected = {name: told for name, told in expected.items() if not name.startswith("other.")}
    assert facts(found) == expected
    assert len(found.tables) == {(): 5, ("main",): 5}.get(schemas, 7)
    assert not found.unreadable
    assert "columns" in found.notes[0]
    assert "come from INFORMATION_SCHEMA" in found.notes[0]
    if not schemas:
        assert found.by_name["feeling"].columns[0].enum_members == ("sad", "it's ok")


@pytest.mark.req("SCAN-05")
def test_a_fallback_is_a_note_on_the_terminal_and_in_the_catalogue(make_duck, tmp_path, caplog):
    source, out = through_sqlalchemy(make_duck().path), tmp_path / "catalog.json"

    with caplog.at_level(logging.WARNING, "dblore.scan"):
        scan.build(source=source, settings=KbSettings(name="t"), out=out)

    catalog = artifacts.read(out, Catalog)
    (note,) = (n for n in catalog.notes if n.startswith("NOTE: "))
    assert note in caplog.text
    assert "primary keys, foreign keys" in note
    warned = "the driver warns: duckdb-engine doesn't yet support reflection on indices"
    assert warned in catalog.notes


@pytest.mark.req("SCAN-11", part="generic reflection")
def test_the_number_of_statements_does_not_grow_with_the_tables(make_duck):
    counts = []

    for tables in (2, 40):
        sql = "".join(
            f"CREATE TABLE t{n} (id INT PRIMARY KEY); CREATE VIEW v{n} AS SELECT 1 AS one;"
            for n in range(tables)
        )
        source = through_sqlalchemy(make_duck(sql, f"{tables}.duckdb").path)
        with open_database(source) as database:
            sent = []
            event.listen(database.engine, "before_cursor_execute", lambda *a: sent.append(a[2]))  # noqa: B023 - read before the next turn
            assert len(database.read_catalog().tables) == 2 * tables
        counts.append(sum("information_schema" in sql for sql in sent))

    assert counts[0] == counts[1] > 5


@pytest.mark.req("SCAN-05")
@pytest.mark.req("SCAN-10", part="generic reflection")
def test_a_broken_view_is_recorded_and_a_part_that_a_driver_lacks_is_noted(make_db):
    path = make_db("CREATE TABLE t (a INTEGER PRIMARY KEY); CREATE VIEW w AS SELECT b FROM gone;")

    with open_database(through_sqlalchemy(path)) as database:
        catalog = database.read_catalog()

    assert [t.name for t in catalog.tables] == ["t"]
    assert catalog.by_name["t"].primary_key.columns == ("a",)
    (lost,) = catalog.unreadable
    assert (lost.name, lost.kind, lost.error_class) == ("w", "view", "OperationalError")
    assert "gone" in lost.problem
    assert "comments can't be read with this driver (NotImplementedError)" in catalog.notes
    assert "routines and triggers can't be read with this driver" in catalog.notes


@pytest.mark.req("SCAN-14", part="generic reflection")
def test_postgresql_through_the_generic_path_tells_the_same(request):
    server = engines.server("postgres", required=request.config.getoption("require_engines"))
    more = """
        CREATE SCHEMA crm; CREATE DOMAIN mail AS varchar(9);
        CREATE TABLE crm.person (id INT PRIMARY KEY, x XML, m mail, n INT REFERENCES customer (id));
        COMMENT ON TABLE crm.person IS 'people'; COMMENT ON COLUMN crm.person.x IS 'extra';
        CREATE FUNCTION crm.twice(n INT) RETURNS INT LANGUAGE sql AS 'SELECT 2 * n';
        CREATE MATERIALIZED VIEW mv AS SELECT id FROM customer;
    """

    with postgres_databases.database(server, "generic", SHOP, more) as source:
        own, found = both(source)
        _, chosen = both(source, ("crm",))

    assert facts(found) == facts(own)
    assert found.by_name["crm.person"].columns[1].native_type == "xml"
    assert any("whose type it doesn't know" in n and "crm.person" in n for n in found.notes)
    assert any("Did not recognize type 'xml'" in note for note in found.notes)
    assert [(r.name, r.arguments, r.returns) for r in found.routines] == [
        ("crm.twice", "n integer", "integer")
    ]
    assert [t.name for t in chosen.tables] == ["crm.person"]
    assert chosen.by_name["crm.person"].foreign_keys[0].to_table == "public.customer"
    assert chosen.by_name["crm.person"].foreign_keys[0].state == "external"


@pytest.mark.req("SCAN-14", part="generic reflection")
def test_mariadb_through_the_generic_path_tells_the_same(request):
    server = engines.server("mariadb", required=request.config.getoption("require_engines"))
    name = mariadb_databases.own("generic")
    unchecked = SHOP.replace(" CHECK (price > 0)", "")  # its driver tells no check of a column
    statements = [s for s in unchecked.replace('"', "`").split(";") if s.strip()]
    statements.append("CREATE TABLE `tick``s` (`a``b` INT, ip INET6)")  # which the driver misreads

    try:
        mariadb_databases.run(server.url, f"CREATE DATABASE {name}", f"USE {name}", *statements)
        own, found = both(mariadb_databases.named(server, database=name))
    finally:
        mariadb_databases.run(server.url, f"DROP DATABASE IF EXISTS {name}")

    expected, told = facts(own), facts(found)
    expected.pop("v"), told.pop("v")  # a view's columns are nullable to one, not to the other
    assert told == expected
    assert [c.native_type for c in found.by_name["tick`s"].columns] == ["int(11)", "inet6"]


def test_names_of_a_dialect_that_folds_them_are_the_engines_own():
    inspector = SimpleNamespace(engine=SimpleNamespace(dialect=oracle.dialect()))
    names = Reflected(inspector, "oracle", lambda: None)

    assert [names.real(name) for name in ("orders", "Orders", "select", "odd name")] == [
        "ORDERS", "Orders", "select", "odd name",
    ]  # fmt: skip
