"""Names and words as people read them."""

import pytest

from pipeline.text import counted, one_line, shorten, singular, words


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        pytest.param("SalesOrderID", ["sales", "order", "id"], id="camel case"),
        pytest.param("ship_to_address_id", ["ship", "to", "address", "id"], id="snake case"),
        pytest.param("HTTPServer2Log", ["http", "server", "2", "log"], id="capitals and digits"),
        pytest.param("Order Details", ["order", "details"], id="blank"),
        pytest.param("表_顧客", ["表", "顧客"], id="other scripts"),
        pytest.param("--", [], id="no word"),
    ],
)
def test_an_identifier_is_split_into_lower_case_words(identifier, expected):
    assert words(identifier) == expected


@pytest.mark.parametrize(
    ("number", "noun", "expected"),
    [
        (1, "table", "1 table"),
        (0, "table", "0 tables"),
        (1234, "entity", "1,234 entities"),
        (2, "foreign key", "2 foreign keys"),
    ],
)
def test_a_count_agrees_with_its_noun(number, noun, expected):
    assert counted(number, noun) == expected


def test_untrusted_text_becomes_one_line():
    assert one_line("a\nb\tc\x00\u2028d ") == "a b c d"


def test_text_is_cut_at_a_word_and_says_so():
    assert shorten("one two three", 9) == "one two…"
    assert shorten("short", 9) == "short"


def test_a_plural_is_found_its_singular():
    assert [singular(w) for w in ("orders", "companies", "addresses", "status", "gas")] == [
        "order",
        "company",
        "address",
        "status",
        "gas",
    ]
