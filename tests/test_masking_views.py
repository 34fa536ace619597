"""Masking through views, computed columns and tables of one name."""

import dataclasses

import pytest

from pipeline.database import guard
from pipeline.database.masking import lineage as masking
from schemas.facts import Catalog, Column, Key, Routine, Table

SENSITIVE = {"customers": ("email",)}


def table(name, columns, **more):
    kinds = [Column(column, "", "other") for column in columns.split()]
    return Table(more.pop("full", name), name, columns=tuple(kinds), **more)


def view(name, columns, definition):
    return table(name, columns, kind="view", definition=definition)


def shop(*tables, dialect="sqlite", **more):
    customers = table("customers", "id email country", primary_key=Key(("id",)))
    tables = (customers, *tables)
    return Catalog(dialect=dialect, database="shop", tables=tables, **more)


def marks(sql, catalog, sensitive=SENSITIVE):
    tree = guard.check(sql, catalog.dialect, catalog=catalog)
    masks = masking.find(tree, catalog.dialect, catalog=catalog, sensitive=sensitive)
    if masks is None:
        return None
    return masks.hidden and "".join("X" if hidden else "." for hidden in masks.hidden)


@pytest.mark.req("B9", part="views")
@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        pytest.param("CREATE VIEW v AS SELECT id, email AS a FROM customers", ".X", id="renamed"),
        pytest.param(
            "CREATE VIEW v(a, b) AS SELECT id, lower(email) FROM customers", ".X", id="list"
        ),
        pytest.param("SELECT id, count(email) FROM customers GROUP BY id", None, id="only counted"),
        pytest.param(
            "SELECT id, country FROM customers WHERE email > 'a'", None, id="only filtered"
        ),
        pytest.param("SELECT * FROM customers", "XX", id="of another width than it was"),
        pytest.param("SELEKT id, email FROM customers", "XX", id="can't be parsed"),
        pytest.param("SELEKT id, email FROM orders", None, id="can't be parsed, of other tables"),
        pytest.param(None, "XX", id="hidden from the login"),
    ],
)
def test_a_view_carries_what_its_definition_reads(definition, expected):
    catalog = shop(table("orders", "id status"), view("v", "a b", definition))

    assert marks("SELECT * FROM v", catalog) == expected


def test_a_view_of_a_view_carries_the_value_on():
    catalog = shop(
        view("a", "x", "CREATE VIEW a AS SELECT y FROM b"),
        view("b", "y", "CREATE VIEW b AS SELECT email || '' AS y FROM customers"),
    )

    assert marks("SELECT id, x FROM customers JOIN a", catalog) == ".X"


def test_a_view_that_calls_a_function_of_users_is_masked():
    routine = Routine("all_mails", "function")
    definition = "CREATE VIEW v AS SELECT 1, all_mails()"
    catalog = shop(view("v", "n x", definition), routines=(routine,))

    assert marks("SELECT * FROM v", catalog) == ".X"


def test_a_marked_column_of_a_view_is_masked_whatever_its_definition_says():
    catalog = shop(view("v", "a b", "CREATE VIEW v AS SELECT 1, 2"))

    assert marks("SELECT a, b FROM v", catalog, {"v": ["B"]}) == ".X"


def test_a_computed_column_carries_what_its_expression_reads():
    columns = (
        Column("mail", "", "text"),
        Column("short", "", "text", generated="stored", expression='lower("mail")'),
        Column("n", "", "integer", generated="virtual", expression="id + 1"),
    )
    catalog = shop(Table("staff", "staff", columns=columns))

    assert marks("SELECT * FROM staff", catalog, {"staff": ("mail",)}) == "XX."


def test_the_number_of_a_row_is_masked_where_it_is_a_sensitive_key():
    catalog = shop()

    assert (
        marks("SELECT rowid, oid, country FROM customers", catalog, {"customers": ["id"]}) == "XX."
    )


def test_tables_of_one_name_are_told_apart_by_their_schema():
    other = table("customers", "id note email", schema="crm", full="crm.customers")
    catalog = shop(other, dialect="postgres", default_schema="public")

    assert marks("SELECT * FROM customers", catalog) == ".X."
    assert marks("SELECT * FROM public.customers", catalog) == ".X."
    assert marks("SELECT * FROM crm.customers", catalog) is None
    assert marks("SELECT * FROM crm.customers", catalog, {"crm.customers": ["note"]}) == ".X."
    assert marks("SELECT * FROM customers", catalog, {"crm.customers": ["note"]}) is None


def test_names_with_odd_characters_are_found_whatever_their_case():
    catalog = shop(table('a "b"; --', "id e-mail"))
    sensitive = {'a "b"; --': ["E-Mail"]}

    assert marks('SELECT id, "E-MAIL" FROM "A ""b""; --"', catalog, sensitive) == ".X"


def test_another_catalogue_is_read_anew():
    before = shop(view("v", "a", "CREATE VIEW v AS SELECT id AS a FROM customers"))
    changed = view("v", "a", "CREATE VIEW v AS SELECT email AS a FROM customers")
    after = dataclasses.replace(before, tables=(before.tables[0], changed))

    assert marks("SELECT a FROM v", before) is None
    assert marks("SELECT a FROM v", after) == "X"
    assert marks("SELECT a FROM v", after, {"customers": ["country"]}) is None


@pytest.mark.parametrize(
    ("view_text", "expected"),
    [
        ("SELECT count(*) AS n FROM customers WHERE CAST(email AS INT) > 0", True),
        ("SELECT n FROM inner_one", True),
        ("SELECT count(*) AS n FROM orders", False),
    ],
)
def test_errors_of_a_view_that_reads_a_sensitive_column_and_shows_none_may_quote_it(
    view_text, expected
):
    inner = view("inner_one", "n", "SELECT count(*) AS n FROM customers WHERE lower(email) > 'a'")
    catalog = shop(table("orders", "id status"), inner, view("v", "n", view_text))
    tree = guard.check("SELECT n FROM v", catalog.dialect, catalog=catalog)

    found = masking.touches(tree, catalog.dialect, catalog=catalog, sensitive=SENSITIVE)

    assert found is expected
    assert marks("SELECT n FROM v", catalog) is None
