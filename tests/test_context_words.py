"""Words of the question: sides of trade, short forms, other languages."""

import pytest

from pipeline.cards import cards
from pipeline.lexicon import expanded, segments, spelled_out
from schemas.models import Catalog, Column, Graph, Link, Profile, Semantic, Table
from serve.context import shortened, trade
from serve.context.ranking import query_words


def of_tables(*names, links=()):
    tables = tuple(Table(n, n, columns=(Column("id", "INTEGER", "integer"),)) for n in names)
    catalog = Catalog("sqlite", "shop", tables=tables)
    references = tuple(Link(a, (f"{b}_id",), b, ("id",)) for a, b in links)
    return trade.trade_of(cards(catalog, Profile(), Semantic(), Graph(links=references)), {})


@pytest.fixture(scope="module")
def works():
    return of_tables(
        "client",
        "vendor",
        "sales_order",
        "sales_order_line",
        "purchase_order",
        "work_order",
        "sales_person",
        links=[
            ("sales_order", "client"),
            ("sales_order_line", "sales_order"),
            ("purchase_order", "vendor"),
        ],
    )


@pytest.mark.parametrize(
    ("question", "side"),
    [
        pytest.param("How many orders are open?", "sales", id="orders alone"),
        pytest.param("What was our turnover in May?", "sales", id="turnover"),
        pytest.param("Which clients bought most?", "sales", id="clients buy"),
        pytest.param("Who purchased more than once?", "sales", id="they purchase"),
        pytest.param("Which orders are open at our vendors?", "purchases", id="vendors"),
        pytest.param("How much have we spent this year?", "purchases", id="we spend"),
        pytest.param("Purchase orders of May", "purchases", id="purchase orders"),
        pytest.param("Work orders with scrap", "other", id="work orders"),
        pytest.param("Which parts have they sold us?", "purchases", id="sold to us"),
        pytest.param("What have we paid for bolts?", "purchases", id="we pay"),
        pytest.param("What margin do we have?", "sales", id="margin"),
    ],
)
def test_words_of_trade_mean_sales_unless_the_question_says_otherwise(works, question, side):
    meant = trade.sides_meant(question, works)

    assert set(meant.values()) == {side}


def test_documents_of_trade_are_told_by_names_and_references(works):
    assert works.heads == {"sales": "sales_order", "purchases": "purchase_order"}
    assert works.documents["sales_order_line"].side == "sales"
    assert works.documents["work_order"].side == "other"
    assert "sales_person" not in works.documents


@pytest.mark.parametrize(
    ("question", "comes"),
    [
        pytest.param("Who can supply us with bolts?", True, id="supply us"),
        pytest.param("What do they charge us?", True, id="charge us"),
        pytest.param("Whom do we owe money?", True, id="we owe"),
        pytest.param("What do we pay our staff?", False, id="staff is paid too"),
        pytest.param("What did clients send us?", False, id="clients"),
        pytest.param("How much gear was sent back to us?", False, id="sent back"),
    ],
)
def test_who_does_something_for_us_is_a_supplier(works, question, comes):
    assert trade.comes_to_us(question, works) is comes
    assert works.suppliers == "vendor"


def test_orders_that_refer_to_suppliers_only_are_purchases():
    traded = of_tables("suppliers", "orders", links=[("orders", "suppliers")])

    assert traded.heads == {"purchases": "orders"}


def test_nothing_is_for_sale_where_there_are_no_documents():
    traded = of_tables("patient", "ward")

    assert trade.sides_meant("Which orders were sold?", traded) == {}


@pytest.mark.parametrize(
    ("word", "name"),
    [
        pytest.param("patients", "pat", id="beginning"),
        pytest.param("staff", "stf", id="consonants"),
        pytest.param("shifts", "shft", id="plural"),
        pytest.param("allergy", "alrg", id="doubled letters"),
    ],
)
def test_a_word_that_the_schema_never_spells_out_is_found_in_its_short_form(word, name):
    asked = shortened.with_short_forms(query_words(word), (), frozenset({name, "xyz"}))

    assert name in asked[0].stems
    assert "xyz" not in asked[0].stems


def test_a_word_that_names_a_table_needs_no_short_form():
    asked = query_words("patients")

    found = shortened.with_short_forms(asked, {"patient"}, frozenset({"pat"}))

    assert found == asked


def test_business_words_of_other_languages_are_spelled_out():
    assert spelled_out("rechnung") == ["invoice"]
    assert "customer" in expanded("KUNDE")


def test_a_word_of_the_synonyms_is_never_taken_apart():
    assert segments("invoice") == ("invoice",)


def test_a_verb_that_looks_like_a_word_of_trade_is_none(works):
    meant = trade.sides_meant("How many days does it usually take?", works)

    assert meant == {}
