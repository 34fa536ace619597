"""Value linking: from what a question says to what is exactly stored."""

import pytest

from serve.knowledge import KnowledgeBase
from serve.values import link_values, quoted_words
from tests.shop_kb import make_kb


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    return KnowledgeBase.open(make_kb(tmp_path_factory.mktemp("values"))).index


def linked(index, question):
    return [(m.table, m.column, m.value, m.how) for m in link_values(index, question, {})]


@pytest.mark.req("CTX-01", part="value linking")
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param(
            "orders from SWEDEN", ("customer", "country", "Sweden ", "exact"), id="padding"
        ),
        pytest.param("all bikes", ("product", "category", "Bikes", "exact"), id="case"),
        pytest.param(
            "mountain bikes sold",
            ("product", "product_name", "Mountain Bike", "exact"),
            id="plural",
        ),
        pytest.param(
            "the red helmet", ("product", "product_name", "Helmet, Red", "words"), id="word order"
        ),
        pytest.param("cancelled ones", ("Order Header", "status", 6, "meaning"), id="code meaning"),
        pytest.param("size 'H'", ("product", "size", "H  ", "exact"), id="a quoted code"),
    ],
)
def test_a_phrase_finds_the_stored_literal(index, question, expected):
    found = linked(index, question)

    assert expected in found


def test_a_phrase_that_several_columns_hold_is_shown_for_all(index):
    found = linked(index, "what about Norway")

    assert {(table, column) for table, column, *_ in found} == {
        ("customer", "country"), ("product", "category"),
    }  # fmt: skip


def test_the_longest_phrase_wins(index):
    found = linked(index, "mountain bike")

    assert [value for *_, value, _ in found] == ["Mountain Bike"]


@pytest.mark.parametrize("question", ["in 2024", "5 or 6 of them", "an s", ""])
def test_numbers_and_single_letters_are_no_values(index, question):
    assert linked(index, question) == []


def test_words_inside_a_longer_value_name_no_table(index):
    question = "the half-price lamp, and its price"

    matches = link_values(index, question, {})

    assert quoted_words(question, matches) == {"half", "lamp"}


@pytest.mark.parametrize("question", ["'", '"', "a" * 10_000, "\x00\ud800", "x'; DROP TABLE value"])
def test_any_text_can_be_linked(index, question):
    assert isinstance(link_values(index, question, {}), tuple)
