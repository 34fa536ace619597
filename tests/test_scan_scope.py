"""What a scan takes in: globs, schemas, keys that lead out of them, and nothing left."""

import logging
from pathlib import Path

import pytest

from pipeline import artifacts, scan
from pipeline.database.source import resolve
from pipeline.errors import SettingError
from schemas.facts import Unreadable
from schemas.models import Catalog, Column, KbSettings, Table


@pytest.fixture
def scanned(make_db, tmp_path):
    """Return a function that scans a database made from SQL text."""

    def run(sql, **settings):
        out = tmp_path / "catalog.json"
        source = resolve(str(make_db(sql)), Path(), {})
        scan.build(source=source, settings=KbSettings(name="t", **settings), out=out)
        return artifacts.read(out, Catalog)

    return run


@pytest.mark.req("SCAN-04", part="SQLite")
def test_globs_choose_tables_ignoring_case_and_one_that_matches_nothing_is_noted(scanned, caplog):
    with caplog.at_level(logging.WARNING, "dblore.scan"):
        catalog = scanned(
            "CREATE TABLE Sales_A (x); CREATE TABLE sales_b (x); CREATE TABLE other (x)",
            include=("SALES_*", "gone_*"),
            exclude=("*_b",),
        )

    assert [t.name for t in catalog.tables] == ["Sales_A"]
    assert catalog.notes == ("include: gone_* matches no table",)
    assert "gone_*" in caplog.text


@pytest.mark.req("SCAN-04", part="SQLite")
def test_a_key_to_a_table_outside_the_scope_is_external(scanned):
    catalog = scanned(
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (x INT REFERENCES p)",
        exclude=("p",),
    )

    assert catalog.external == ("p",)
    assert catalog.by_name["c"].foreign_keys[0].state == "external"


UNREADABLE = (
    Unreadable("Secret", "table", "E", "no right"),
    Unreadable("crm.lost", "view", "E", "no right"),
    Unreadable('crm."odd.name".col', "column", "E", "no right"),
    Unreadable("hr", "schema", "E", "no right"),
)


@pytest.mark.req("SCAN-04", part="what can't be read")
@pytest.mark.parametrize(
    ("include", "exclude", "left"),
    [
        pytest.param((), (), ["Secret", "crm.lost", 'crm."odd.name".col', "hr"], id="no globs"),
        pytest.param(("t",), (), ["hr"], id="a table of any schema"),
        pytest.param(("public.*",), (), ["Secret"], id="the default schema"),
        pytest.param(("crm.*",), ("LOST",), ['crm."odd.name".col'], id="a schema but a table"),
        pytest.param((), ("odd.name", "hr.*"), ["Secret", "crm.lost"], id="a column by its table"),
        pytest.param(("hr.x", "t"), (), ["hr"], id="a table of a schema that can't be read"),
        pytest.param(
            (), ("hr.x",), ["Secret", "crm.lost", 'crm."odd.name".col', "hr"], id="not all"
        ),
    ],
)
def test_globs_choose_among_what_cannot_be_read_too(include, exclude, left):
    table = Table("t", "t", columns=(Column("a", "int", "integer"),))
    catalog = Catalog("postgres", "d", "public", tables=(table,), unreadable=UNREADABLE)

    found = scan.in_scope(catalog, include, exclude)

    assert [lost.name for lost in found.unreadable] == left
    assert not found.notes


def test_a_scope_that_leaves_nothing_says_how_to_widen_it(scanned):
    with pytest.raises(SettingError) as caught:
        scanned("CREATE TABLE t (a)", exclude=("*",))

    assert "leave none of the 1 table of" in caught.value.problem
    assert "there is, for example, t" in caught.value.fix


def test_a_schema_that_is_not_there_is_noted(scanned):
    catalog = scanned("CREATE TABLE t (a)", schemas=("main", "nope"))

    assert catalog.notes == ("schemas: nope matches no table",)


def test_a_database_without_tables_says_so(scanned):
    with pytest.raises(SettingError) as caught:
        scanned("PRAGMA user_version = 1")

    assert caught.value.problem.endswith("has no tables")
    assert "`source:`" in caught.value.fix
