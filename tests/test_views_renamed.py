"""Names of firms and things that views show under names that sound personal."""

import pytest

from tests.profile_kit import Kit

DATABASE = """
CREATE TABLE shippers (id INTEGER PRIMARY KEY, company_name TEXT, name TEXT, label TEXT);
CREATE TABLE party (id INTEGER PRIMARY KEY, name TEXT, value TEXT, F017 TEXT, company_name TEXT);
CREATE TABLE accounts (id INTEGER PRIMARY KEY, name TEXT, empty_company_name TEXT);
INSERT INTO shippers VALUES (1, 'Speedy Express', 'Speedy', 'a'), (2, 'United Package', 'UP', 'b');
INSERT INTO party VALUES (1, 'Ann Lee', 'x', 'y', 'z@example.org'), (2, 'Bo', 'x', 'y', 'b@c.org');
INSERT INTO accounts VALUES (1, 'Ann Lee', NULL), (2, 'Bo Ek', NULL);
"""


@pytest.mark.parametrize(
    ("source", "is_sensitive"),
    [
        pytest.param("SELECT company_name AS {} FROM shippers", False, id="name of a firm"),
        pytest.param("SELECT s.name AS {} FROM shippers s", False, id="name of what a row is"),
        pytest.param("SELECT x AS {} FROM (SELECT name AS x FROM shippers)", False, id="nested"),
        pytest.param("SELECT name AS {} FROM party", True, id="name of whatever a row is"),
        pytest.param("SELECT value AS {} FROM party", True, id="a value of anything"),
        pytest.param("SELECT F017 AS {} FROM party", True, id="a name that tells nothing"),
        pytest.param("SELECT company_name AS {} FROM party", True, id="values say so"),
        pytest.param("SELECT name AS {} FROM accounts", True, id="firms and persons"),
        pytest.param("SELECT empty_company_name AS {} FROM accounts", True, id="nothing stored"),
        pytest.param("SELECT trim(company_name) AS {} FROM shippers", True, id="computed"),
    ],
)
def test_a_view_renames_the_name_of_a_thing_and_it_stays_one(
    make_db, tmp_path, source, is_sensitive
):
    view = f"CREATE VIEW v AS {source.format('customer_name')};"

    found = Kit(tmp_path, make_db(DATABASE + view)).column("customer_name", "v")

    assert found.sensitive is is_sensitive


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param("v: {columns: {customer_name: {sensitive: true}}}", id="view"),
        pytest.param("shippers: {columns: {company_name: {sensitive: true}}}", id="source"),
    ],
)
def test_what_people_say_counts_more(make_db, tmp_path, marked):
    view = "CREATE VIEW v AS SELECT company_name AS customer_name FROM shippers;"
    kit = Kit(tmp_path, make_db(DATABASE + view))
    kit.semantic.write_text(f"tables: {{{marked}}}", encoding="utf-8")

    assert kit.column("customer_name", "v").sensitive
