"""What is suggested for each table and column, and from which facts."""

import dataclasses
import json

import jsonschema
import pytest
import yaml

from pipeline import artifacts
from pipeline.authored.yaml_nodes import data_of, parse
from pipeline.cards import ColumnCard, TableCard
from pipeline.draft import suggest
from pipeline.needs import kinds
from schemas.models import (
    Column,
    ColumnProfile,
    Evidence,
    Link,
    Table,
    TableProfile,
    ValueCount,
)


@pytest.mark.req("SEM-02", part="without --in-place")
def test_every_undescribed_table_and_column_is_listed_in_the_shape_of_semantic_yaml(kb):
    kb.build()

    listed = {name: set(table.columns) for name, table in kb.semantic.tables.items()}
    expected = {
        t.name: {c.name for c in t.columns if c.name != "updated_at"} for t in kb.catalog.tables
    }
    assert listed == expected
    schema = json.loads((artifacts.SCHEMAS / "semantic.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(data_of(parse(kb.folder / "semantic.draft.yaml")), schema)


def test_the_draft_is_the_same_for_every_yaml_reader(kb):
    text = kb.build()

    assert set(yaml.safe_load(text)["tables"]) == {t.name for t in kb.catalog.tables}


def test_what_is_described_is_not_listed_again(kb):
    kb.build("tables: {orders: {description: Orders, grain: one, columns: {total: Sum}}}")

    orders = kb.semantic.tables["orders"]
    assert orders.description == ""
    assert orders.grain is None
    assert orders.columns["total"].description == ""
    assert "customer_id" in orders.columns


def test_codes_are_listed_as_stored_with_their_counts(kb):
    text = kb.build()

    assert kb.semantic.tables["orders"].columns["status"].values == {"N ": "", "P ": "", "S ": ""}
    assert "'N ': ''  # measured: 50 rows" in text
    assert kb.semantic.tables["orders"].columns["step"].values == {"0": "", "1": "", "2": ""}
    assert kb.semantic.tables["orders"].columns["is_paid"].values == {}
    assert kb.semantic.tables["products"].columns["title"].values == {}


def test_only_codes_without_a_meaning_are_asked_for(kb):
    kb.build("tables: {orders: {columns: {status: {description: x, values: {N: new, P: paid}}}}}")

    assert kb.semantic.tables["orders"].columns["status"].values == {"S ": ""}


@pytest.mark.req("SEM-02", part="without --in-place")
def test_database_comments_are_reused_and_say_so(kb):
    kb.comment_on("orders", "What customers bought")
    kb.comment_on("orders", "Step: 0 = begun; 1 = packed, 2: gone.", column="step")

    text = kb.build()

    assert "    description: What customers bought  # from: database comment" in text
    assert kb.semantic.tables["orders"].columns["step"].values == {
        "0": "begun",
        "1": "packed",
        "2": "gone",
    }
    assert "          1: packed  # from: database comment; measured: 67 rows" in text


def test_values_of_sensitive_columns_are_never_shown(kb):
    text = kb.build("tables: {products: {columns: {title: {sensitive: true}}}}")

    assert "@mail.test" not in text
    assert "Tent no." not in text
    assert "email: ''  # TEXT; sensitive" in text


def test_the_grain_is_guessed_from_keys(kb):
    text = kb.build()

    assert "    grain: one row per order_id, sku  # from: primary key" in text
    assert kb.semantic.tables["order_lines"].description == "Connects orders and products."


def test_keys_and_references_say_what_they_are(kb):
    kb.build()

    columns = kb.semantic.tables["orders"].columns
    assert columns["id"].description == "Identifies the order."
    assert columns["customer_id"].description == "Customer of the order; refers to customers."


def test_a_column_that_a_view_passes_on_says_where_it_comes_from(kb):
    kb.build("tables: {orders: {columns: {id: The number on the bill}}}")

    columns = kb.semantic.tables["open_orders"].columns
    assert columns["id"].description == "The number on the bill"
    assert columns["state"].description == "The same as orders.status."
    assert columns["doubled"].description == ""


def test_units_are_asked_for_and_suggested_where_facts_tell(kb):
    text = kb.build()

    orders = kb.semantic.tables["orders"].columns
    assert "        unit: ''" in text
    assert orders["tax_rate"].unit == "fraction of 1"
    products = kb.semantic.tables["products"].columns
    assert products["weight"].unit == "the unit that weight_unit names"
    assert products["price_cents"].unit is None


@pytest.mark.req("SEM-04", part="detected")
def test_bookkeeping_is_proposed_once_and_asks_for_nothing(kb):
    text = kb.build()

    assert kb.semantic.housekeeping_columns == ("updated_at",)
    assert "in 2 tables" in text
    kb.build("database: {housekeeping_columns: [updated_at]}")
    assert kb.semantic.housekeeping_columns == ()


def test_deleted_rows_are_a_note_until_somebody_notes_it(kb):
    kb.build()

    note = "Leave out deleted rows of customers, unless asked for them: deleted_at IS NULL."
    assert kb.semantic.dialect_notes == (note,)
    kb.build("database: {dialect_notes: [Mind deleted_at]}")
    assert kb.semantic.dialect_notes == ()


def test_measured_joins_are_suggested_with_their_evidence(kb):
    sure = Link(
        "order_lines", ("sku",), "customers", ("kind",), "inferred",
        evidence=Evidence("full", rows=1200, matched_share=1.0),
    )  # fmt: skip
    unsure = dataclasses.replace(
        sure, columns=("quantity",), evidence=Evidence("full", rows=9, matched_share=0.7)
    )
    kb.profile = dataclasses.replace(kb.profile, joins=(sure, unsure))

    text = kb.build()

    (join,) = kb.semantic.relationships
    assert (join.from_columns, join.to_columns) == (("order_lines.sku",), ("customers.kind",))
    assert "# measured: all of 1,200 references find a row" in text
    kb.build("relationships: [{from: customers.kind, to: order_lines.sku}]")
    assert kb.semantic.relationships == ()


def test_the_condition_of_a_measured_join_is_kept(kb):
    join = Link(
        "order_lines", ("quantity",), "orders", ("id",), "inferred",
        condition="order_lines.sku = 'SKU-1'", evidence=Evidence("full", 40, 1.0),
    )  # fmt: skip
    other = dataclasses.replace(join, to_table="customers", condition="order_lines.sku = 'x: y'")
    kb.profile = dataclasses.replace(kb.profile, joins=(join, other))

    kb.build()

    found = {join.to_columns: join.condition for join in kb.semantic.relationships}
    assert found == {
        ("orders.id",): "order_lines.sku = 'SKU-1'",
        ("customers.id",): "order_lines.sku = 'x: y'",
    }
    assert kb.semantic.tables["order_lines"].columns["quantity"].description == (
        "Quantity of the order line; refers to customers or orders, depending on its type."
    )


@pytest.mark.parametrize(
    ("name", "family", "values", "coded"),
    [
        pytest.param("status", "integer", (1, 2, 5), True, id="numbered status"),
        pytest.param("whim", "integer", (0, 1, 2), True, id="small numbers from 0"),
        pytest.param("stars", "integer", (1, 2, 3, 4, 5), False, id="plural is a count"),
        pytest.param("reorder_point", "integer", (5, 10, 15), False, id="far apart"),
        pytest.param("quantity", "integer", (1, 2, 3), False, id="measure"),
        pytest.param("is_paid", "integer", (0, 1), False, id="yes or no"),
        pytest.param("kind", "text", ("P ", "B "), True, id="letters"),
        pytest.param("active", "text", ("Y", "N"), False, id="yes or no in letters"),
        pytest.param("status", "text", ("open", "paid", "cancelled"), False, id="plain words"),
        pytest.param("country", "text", ("GB", "FI", "SE"), False, id="public codes"),
        pytest.param("country", "text", ("1", "2", "3"), True, id="house codes of countries"),
        pytest.param("state", "text", ("D", "P", "X"), True, id="letters of a state"),
        pytest.param("state", "text", ("NEW", "RUN", "END"), True, id="state of a thing"),
        pytest.param("ship_address_state", "text", ("WA", "OR"), False, id="state in an address"),
        pytest.param("prefix", "text", ("A", "B", "C"), True, id="letters before a number"),
        pytest.param("name_prefix", "text", ("Mr", "Ms", "Dr"), False, id="titles"),
        pytest.param("status", "text", ("0", "1"), True, id="two answers to no question"),
        pytest.param("kind", "integer", (0, 1), True, id="two kinds"),
        pytest.param("is_type_locked", "text", ("0", "1"), False, id="asks"),
        pytest.param("status", "text", ("Y", "N"), False, id="yes or no of a state"),
        pytest.param("active_flag", "text", ("0", "1"), False, id="flag"),
        pytest.param("size", "text", ("44", "46", "48", "M"), False, id="sizes"),
        pytest.param("agent_init", "text", ("BMD", "AKL"), False, id="initials"),
    ],
)
def test_codes_are_told_from_words_counts_and_answers(name, family, values, coded):
    column = ColumnCard(
        Column(name, "", family),
        ColumnProfile(name, values=tuple(ValueCount(v, 9) for v in values), values_complete=True),
    )
    card = TableCard(Table("t", "t", columns=(column.column,)), TableProfile("t"), (column,))

    assert kinds.is_coded(card, column) is coded


@pytest.mark.parametrize(
    ("table", "column", "to_table", "text"),
    [
        pytest.param(
            "Employees", "ReportsTo", "Employees", "Reports to another row of Employees.", id="to"
        ),
        pytest.param(
            "categories", "parent_id", "categories", "The parent: another row of categories.",
            id="itself",
        ),
        pytest.param("orders", "shipped_by", "shippers", "Shipped by a row of shippers.", id="by"),
        pytest.param(
            "CustomerCustomerDemo",
            "CustomerTypeID",
            "CustomerDemographics",
            "Customer type of the customer demo; refers to CustomerDemographics.",
            id="a word twice",
        ),
    ],
)  # fmt: skip
def test_a_reference_is_told_as_people_would_say_it(table, column, to_table, text):
    link = Link(table, (column,), to_table, ("id",), "declared")
    card = ColumnCard(Column(column, "", "integer"), ColumnProfile(column))
    of = TableCard(Table(table, table), TableProfile(table), (card,), links=(link,))

    assert suggest._about_column(of, card).text == text
