"""What lint reads in descriptions: claims about values, and lists of codes."""

import pytest

from pipeline import cards
from pipeline.lint import claims, prose_codes
from schemas.models import (
    Catalog,
    Column,
    ColumnProfile,
    Graph,
    Profile,
    Semantic,
    Table,
    TableProfile,
    ValueCount,
)


def card(family="text", values=(), **measured):
    columns = (Column("c", "T", family),)
    known = tuple(ValueCount(value, 10) for value in values)
    profile = ColumnProfile("c", values=known, values_complete=bool(known), **measured)
    catalog = Catalog("sqlite", "d", tables=(Table("t", "t", columns=columns),))
    facts = Profile((TableProfile("t", rows=100, columns=(profile,)),))
    return cards.cards(catalog, facts, Semantic(), Graph())["t"]


NULLS = card(nulls=12, distinct=40)
NUMBERS = card("integer", nulls=0, distinct=9, minimum=-1, maximum=7)
CURRENCIES = card(values=("EUR", "GBP "), nulls=0, distinct=2)
DECIMALS = card("decimal", nulls=0, distinct=5, minimum="0.00", maximum="9.50")
LENGTHS = card(nulls=0, distinct=50, min_length=5, max_length=8)


@pytest.mark.req("B14", part="description against the profile")
@pytest.mark.parametrize(
    ("of", "text", "measured"),
    [
        (NULLS, "Who ordered; never empty.", "12 of 100 rows are null"),
        (NULLS, "Always set.", "12 of 100 rows are null"),
        (NULLS, "The legal name (never null).", "12 of 100 rows are null"),
        (NULLS, "Never filled; left over.", "88 of 100 rows hold a value"),
        (NULLS, "The number is unique.", "88 rows hold 40 distinct values"),
        (NUMBERS, "Pieces, never negative.", "the least value is -1"),
        (NUMBERS, "Between 1 and 5.", "the values go from -1 to 7"),
        (NUMBERS, "1 (bad) to 5 (very good).", "the values go from -1 to 7"),
        (NUMBERS, "Ranges from 0 to 5.", "the values go from -1 to 7"),
        (DECIMALS, "Rate, never zero.", "some rows hold 0"),
        (DECIMALS, "Between 0 and 5, rounded.", "the values go from 0 to 9.5"),
        (CURRENCIES, "Always EUR.", "other values are stored: 'GBP '"),
        (LENGTHS, "Always 8 characters.", "the values have 5 to 8 characters"),
    ],
)
def test_a_claim_that_the_data_refutes_is_found(of, text, measured):
    found = list(claims.of_column(of, of.columns[0], text))

    assert [contradiction.measured for contradiction in found] == [measured]


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (NULLS, "Never empty for shops."),
        (NULLS, "Never empty when the order was paid."),
        (NULLS, "If it was shipped, always set."),
        (NULLS, "Should be always set."),
        (NULLS, "Unique identification number for the state. Foreign key to State."),
        (NULLS, "Required for FileStream."),
        (NULLS, "Empty until it is shipped."),
        (NUMBERS, "Always between 1 and 5 for rated ones."),
        (NUMBERS, "Tickets take between 1 and 5 days."),
        (NUMBERS, "From 1 to n."),
        (NUMBERS, "Between -1 and 7."),
        (NUMBERS, "Positive in, negative out."),
        (CURRENCIES, "Always the currency of the order."),
        (CURRENCIES, "Always EUR before 2024."),
        (LENGTHS, "Always 8 characters in new rows."),
        (card(nulls=0, distinct=1, values=("EUR ",)), "Always EUR."),
        (card(nulls=100, distinct=0), "Never filled."),
    ],
)
def test_what_is_true_or_said_under_a_condition_is_let_be(of, text):
    assert list(claims.of_column(of, of.columns[0], text)) == []


@pytest.mark.req("B14", part="codes in prose")
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (
            "Order status. 1 = In process; 2 = Approved; 3 = Backordered",
            {"1": "In process", "2": "Approved", "3": "Backordered"},
        ),
        ("M = Married, S = Single", {"M": "Married", "S": "Single"}),
        ("0 = Do not use. 1 = Preferred, if any.", {"0": "Do not use", "1": "Preferred, if any"}),
        ("'P' means private, 'B' means business.", {"P": "private", "B": "business"}),
        ("Kind: W: web shop, T: telephone", {"W": "web shop", "T": "telephone"}),
        ("A - active\nX - closed", {"A": "active", "X": "closed"}),
        ("Date of the end. NULL = Current department.", {}),
        ("Computed as SubTotal + TaxAmt = TotalDue.", {}),
        ("Between 10:30 and 12:45.", {}),
        ("1 = yes", {}),
        ("total_cents = goods_cents - discount_cents; net = goods", {}),
    ],
)
def test_codes_that_only_a_sentence_explains_are_read(text, codes):
    assert prose_codes.find(text) == codes
