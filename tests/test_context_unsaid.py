"""What a question leaves unsaid: names of persons, addresses, goods, words without a place."""

import pytest

from pipeline import artifacts
from pipeline.kb import Kb
from schemas.models import Catalog, Column, Graph, Key, Link, Profile, Table
from serve.context import context
from serve.knowledge import KnowledgeBase
from tests.shop_kb import make_kb


def table(name, *columns):
    made = tuple(Column(c, "TEXT", "text") for c in columns)
    return Table(name, name, columns=made, primary_key=Key((columns[0],)))


TABLES = (
    table("orders", "order_no", "client_no", "rep_no", "ship_to", "territory_no", "state"),
    table("order_lines", "line_no", "order_no", "product_no", "quantity", "price"),
    table("products", "product_no", "label"),
    table("clients", "client_no", "company", "rep_no"),
    table("employees", "employee_no", "first_name", "last_name"),
    table("address", "address_no", "street", "country_no"),
    table("country", "country_no", "label"),
    table("territory", "territory_no", "country"),
    table("suppliers", "supplier_no", "company"),
    table("purchases", "purchase_no", "supplier_no", "total"),
    table("clients_bak", "client_no", "company", "copied_at"),
    table("notes", "note_no", "client_no", "body"),
)
LINKS = (
    Link("orders", ("client_no",), "clients", ("client_no",)),
    Link("orders", ("rep_no",), "employees", ("employee_no",)),
    Link("orders", ("ship_to",), "address", ("address_no",)),
    Link("orders", ("territory_no",), "territory", ("territory_no",)),
    Link("order_lines", ("order_no",), "orders", ("order_no",)),
    Link("order_lines", ("product_no",), "products", ("product_no",)),
    Link("clients", ("rep_no",), "employees", ("employee_no",)),
    Link("address", ("country_no",), "country", ("country_no",)),
    Link("purchases", ("supplier_no",), "suppliers", ("supplier_no",)),
    Link("clients_bak", ("client_no",), "clients", ("client_no",)),
    Link("notes", ("client_no",), "clients_bak", ("client_no",)),
    Link("notes", ("client_no",), "clients", ("client_no",)),
    Link("orders", ("client_no",), "clients_bak", ("client_no",)),
)


@pytest.fixture(scope="module")
def trader(tmp_path_factory):
    kb = Kb(tmp_path_factory.mktemp("trader"))
    kb.settings.write_text("name: bare\nsource: gone.sqlite\nembedder: none\n", encoding="utf-8")
    artifacts.write(kb.catalog, Catalog("sqlite", "bare", tables=TABLES))
    artifacts.write(kb.profile, Profile())
    artifacts.write(kb.graph, Graph(links=LINKS))
    return KnowledgeBase.open(kb.folder)


@pytest.mark.parametrize(
    ("question", "needed"),
    [
        pytest.param("What state are Linda Mitchell's orders in?", "employees", id="whose"),
        pytest.param("Orders handled by Margaret Park", "employees", id="by whom"),
        pytest.param("How many orders did François Tremblay take?", "employees", id="accents"),
        pytest.param("Margaret Park?", "employees", id="a name and nothing else"),
        pytest.param(
            "Which clients ordered most, and who looks after them?", "employees", id="who else"
        ),
        pytest.param("To which countries were orders sent?", "address", id="where to"),
        pytest.param("To which countries were orders sent?", "country", id="places said"),
        pytest.param("What was ordered in May?", "products", id="what"),
        pytest.param("What did Contoso order?", "products", id="what by whom"),
        pytest.param("Who can supply us with bolts?", "suppliers", id="a doer of a deed"),
        pytest.param("Whom do we pay the most?", "suppliers", id="whom we pay"),
        pytest.param("What is our turnover?", "order_lines", id="lines hold the money"),
        pytest.param("What does the backup of clients hold?", "clients_bak", id="a backup"),
    ],
)
def test_what_a_question_leaves_unsaid_is_shown(trader, question, needed):
    pack = context(trader, question)

    assert needed in pack.tables


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("How many Orders have State New?", id="words of the schema"),
        pytest.param("Show Orders per State", id="at the beginning"),
    ],
)
def test_capitals_alone_are_no_person(trader, question):
    roles = {card.name: card.role for card in context(trader, question).cards}

    assert "person" not in roles.values()


def test_a_copy_is_no_bridge(trader):
    pack = context(trader, "orders with notes")

    roles = {card.name: card.role for card in pack.cards}
    assert roles["clients"] == "bridge"
    assert "clients_bak" not in roles


def test_words_that_stand_nowhere_lead_by_meaning_and_are_said_to_be_a_guess(tmp_path):
    kb = KnowledgeBase.open(make_kb(tmp_path, embedder="fastembed"))

    pack = context(kb, "bicycles and apparel")

    assert "product" in pack.tables
    assert "No word of the question leads to a table" in pack.markdown()
