"""Cards as Markdown: each line says where it comes from, and nothing breaks out of it."""

import pytest

from pipeline.cards import ColumnCard, TableCard
from schemas.models import (
    Column,
    ColumnProfile,
    Evidence,
    Key,
    Link,
    Table,
    TableProfile,
    ValueCount,
)
from serve import cards


def column_card(name="status", family="text", **known):
    profile = known.pop("profile", ColumnProfile(name))
    return ColumnCard(Column(name, family.upper(), family), profile, **known)


def line_of(column, rows=100):
    table = Table("orders", "orders", columns=(column.column,))
    return cards.column_line(column, TableCard(table, TableProfile("orders", rows)))


@pytest.mark.req("CTX-05", part="cards")
def test_every_line_of_a_card_ends_with_its_origin():
    status = column_card(description="How far it is.", description_origin="human")
    table = Table("orders", "orders", columns=(status.column,), comment="All orders")
    link = Link("orders", ("status",), "states", ("code",), description="the state")
    card = TableCard(
        table, TableProfile("orders", 3), (status,), "All orders", "database comment",
        ("sales",), "one order", ("since 2020",), "Sales", links=(link,),
    )  # fmt: skip

    text = cards.card_markdown(card)

    told = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(told) == 8
    assert all(line.endswith("]") for line in told), text


@pytest.mark.req("B5", part="cards")
@pytest.mark.parametrize(
    ("complete", "distinct", "expected"),
    [
        pytest.param(True, 2, "codes (complete): `'O'` = open (9), `'P'` = paid (1)", id="all"),
        pytest.param(False, 40, "codes (2 of 40): `'O'` = open (9), `'P'` = paid (1)", id="some"),
        pytest.param(False, None, "codes (perhaps not all): ", id="unmeasured"),
    ],
)
def test_a_code_list_says_whether_it_is_complete(complete, distinct, expected):
    values = (ValueCount("O", 9), ValueCount("P", 1))
    profile = ColumnProfile("status", distinct=distinct, values=values, values_complete=complete)

    line = line_of(column_card(profile=profile, meanings={"O": "open", "P": "paid"}))

    assert expected in line


def test_a_code_that_is_not_stored_is_said_to_be_so():
    line = line_of(
        column_card(
            profile=ColumnProfile("status", values_complete=True), meanings={"X": "cancelled"}
        )
    )

    assert "`'X'` = cancelled (not in the data)" in line


@pytest.mark.req("C24", part="cards")
def test_values_that_are_not_all_are_labelled_and_variants_are_told():
    values = tuple(ValueCount(f"City number {n}", 9 - n) for n in range(8))
    profile = ColumnProfile("city", distinct=900, values=values, variants=(("Rome", "ROME "),))

    line = line_of(column_card("city", profile=profile))

    assert "values (5 of 900): `'City number 0'` (9)" in line
    assert "stored in several spellings: `'Rome'`, `'ROME '`" in line


def test_a_number_shows_its_range_rather_than_examples():
    values = tuple(ValueCount(n, 1) for n in range(50))
    profile = ColumnProfile("hours", distinct=900, minimum=0, maximum=99, values=values)

    line = line_of(column_card("hours", "integer", profile=profile))

    assert "`0` … `99`" in line
    assert "values" not in line


def test_no_value_of_a_sensitive_column_is_shown():
    profile = ColumnProfile("email", distinct=9, minimum="a@x", maximum="z@x", padded=3)

    line = line_of(column_card("email", sensitive=True, meanings={"a@x": ""}, profile=profile))

    assert "@x" not in line
    assert "sensitive: no value is kept" in line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\n# b", "a # b", id="line breaks"),
        pytest.param("paid [human]", r"paid \[human\]", id="a forged origin"),
        pytest.param("`x` <b>", r"\`x\` \<b>", id="code and HTML"),
        pytest.param("a\u202eb", "a b", id="direction marks"),
    ],
)
def test_untrusted_text_stays_text(text, expected):
    assert cards.plain(text) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("H ", "`'H '`", id="padding is kept"),
        pytest.param("it's", "`'it''s'`", id="a quote"),
        pytest.param("a`b", "``'a`b'``", id="a backtick"),
        pytest.param("a\nb", "`'a' || char(10) || 'b'`", id="a line break by its number"),
        pytest.param("\x1b[1m", "`char(27) || '[1m'`", id="a control character, too"),
        pytest.param(4, "`4`", id="a number"),
        pytest.param(True, "`TRUE`", id="a truth value"),
    ],
)
def test_a_value_is_shown_as_the_literal_that_finds_it(value, expected):
    assert cards.literal(value, None, "sqlite") == expected


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0, "0 %"), (0.002, "< 1 %"), (0.5, "50 %"), (0.999, "> 99 %"), (1, "100 %")],
)
def test_only_none_is_0_percent_and_only_all_is_100(share, expected):
    assert cards.share(share) == expected


def test_an_inferred_join_says_how_much_of_it_matched():
    link = Link(
        "orders", ("customer",), "customers", ("id",), "inferred",
        evidence=Evidence(matched_share=0.98, orphans=2, cardinality="many_to_one"),
    )  # fmt: skip

    line = cards.join_line(link)

    assert line == "- `orders.customer = customers.id` · many to one, 2 orphans [inferred 98 %]"


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        pytest.param("postgres", "`'a' || chr(10) || 'b'`", id="PostgreSQL"),
        pytest.param("tsql", "`'a' + NCHAR(10) + 'b'`", id="SQL Server"),
        pytest.param("mysql", r"`'a\nb'`", id="MySQL"),
    ],
)
def test_a_line_break_is_written_as_the_dialect_does(dialect, expected):
    assert cards.literal("a\nb", None, dialect) == expected


@pytest.mark.parametrize(
    ("value", "dialect", "expected"),
    [
        pytest.param("Infinity", "sqlite", "`9e999`", id="infinity"),
        pytest.param("-Infinity", "sqlite", "`-9e999`", id="less than all"),
        pytest.param("Infinity", "postgres", "`'Infinity'`", id="where it has a name"),
        pytest.param("inf", "sqlite", "`9e999`", id="as Python spells it"),
        pytest.param("nan", "postgres", "nan", id="no number is no literal"),
    ],
)
def test_numbers_that_json_lacks_are_shown_as_the_dialect_has_them(value, dialect, expected):
    assert cards.literal(value, None, dialect, "float") == expected


def test_infinity_is_a_word_in_a_column_of_texts():
    assert cards.literal("Infinity", None, "sqlite", "text") == "`'Infinity'`"


@pytest.mark.parametrize(
    ("name", "dialect", "expected"),
    [
        pytest.param("Item No", "sqlite", '- `"Item No"` ', id="a blank"),
        pytest.param("select", "sqlite", '- `"select"` ', id="a reserved word"),
        pytest.param("Group", "tsql", "- `[Group]` ", id="SQL Server"),
        pytest.param("total", "sqlite", "- `total` ", id="a plain name"),
        pytest.param("a\nb", "sqlite", r'- `"a\nb"` (with characters', id="a line break"),
    ],
)
def test_a_column_is_named_as_sql_needs_it(name, dialect, expected):
    item = column_card(name)
    table = Table("orders", "orders", columns=(item.column,))

    line = cards.column_line(item, TableCard(table, TableProfile("orders", 1)), dialect=dialect)

    assert line.startswith(expected)


def test_keys_and_references_are_named_as_sql_needs_them():
    item = column_card("Item No")
    table = Table("Price List", "Price List", columns=(item.column,), primary_key=Key(("Item No",)))
    link = Link("Price List", ("Item No",), "Goods In", ("Group",))
    card = TableCard(table, TableProfile("Price List", 1), (item,), links=(link,))

    text = cards.card_markdown(card, dialect="sqlite")

    assert 'primary key: `"Item No"`' in text
    assert '→ `"Goods In"."Group"`' in text


def test_half_a_character_has_no_sql_and_says_so():
    shown = cards.literal("\ud800", None, "sqlite")

    assert shown == r"""`"\ud800"` (with characters that can't be shown, escaped here)"""
