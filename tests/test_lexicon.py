"""Words: stems that match across forms, synonyms, and names that were run together."""

import pytest

from pipeline.lexicon import expanded, folded, related, segments, split_words, stem


@pytest.mark.parametrize(
    "forms",
    [
        pytest.param(["cancel", "cancelled", "canceled", "cancels"], id="doubled consonants"),
        pytest.param(["category", "categories"], id="y and ies"),
        pytest.param(["ship", "shipped", "shipping", "shipment"], id="a deed and its noun"),
        pytest.param(["purchase", "purchased", "purchases", "purchasing"], id="a silent e"),
        pytest.param(["sell", "sold"], id="irregular"),
        pytest.param(["rate", "rates", "rated"], id="short words"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms):
    stems = {stem(form) for form in forms}

    assert len(stems) == 1


@pytest.mark.parametrize("words", [("status", "state"), ("news", "new"), ("address", "add")])
def test_different_words_keep_different_stems(words):
    assert stem(words[0]) != stem(words[1])


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        pytest.param("turnover", "sale", id="a synonym"),
        pytest.param("reviewer", "review", id="the deed of a doer"),
        pytest.param("cust", "customer", id="an abbreviation"),
        pytest.param("supplies", "supplier", id="the doer of a deed"),
        pytest.param("supply", "vendor", id="what a doer is also called"),
    ],
)
def test_a_word_leads_to_what_it_may_stand_for(word, meant):
    assert stem(meant) in related(word)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        pytest.param("salesorderheader", ["sales", "order", "header"], id="three words"),
        pytest.param("SALESORDERHEADER", ["sales", "order", "header"], id="capitals"),
        pytest.param("billofmaterials", ["bill", "of", "materials"], id="a short word inside"),
        pytest.param("custacctbal", ["cust", "acct", "bal"], id="abbreviations"),
        pytest.param("customer", ["customer"], id="a word of its own"),
        pytest.param("rowguid", ["rowguid"], id="not made of words"),
        pytest.param("年度売上", ["年度売上"], id="another script"),
    ],
)
def test_names_run_together_are_taken_apart(name, parts):
    assert split_words(name) == parts


def test_a_long_nonsense_name_takes_no_time():
    assert segments("x" * 2_000) == ("x" * 2_000,)


def test_searchable_words_hold_the_whole_the_parts_and_the_long_forms():
    assert expanded("listprice_qty") == ["listprice", "list", "price", "qty", "quantity"]


def test_values_are_compared_without_case_padding_and_plural():
    assert folded("Mountain Bikes ") == folded("mountain bike")
