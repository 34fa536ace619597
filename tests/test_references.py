"""What uses what: every kind of item, in every dialect."""

import re
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from evals import references_speed
from pipeline import authored
from pipeline.kept import Kept
from pipeline.references import references
from schemas.models import Catalog, Column, Key, Metric, Semantic, Table

pytestmark = pytest.mark.req("B0", part="items and dialects")

DIALECTS = ("sqlite", "postgres", "mysql", "duckdb")


def table(name, *columns, **more):
    made = tuple(Column(column, "", "other") for column in columns)
    return Table(name, name, columns=made, primary_key=Key((columns[0],)), **more)


def shop(dialect="sqlite", *more):
    tables = (
        table("customer", "customer_id", "name", "city_code"),
        table("sales_order", "order_id", "customer_id", "total_cents", "order_status"),
        table("order_line", "order_id", "line_no", "product_id", "quantity"),
        *more,
    )
    return Catalog(dialect, "shop", tables=tables)


@pytest.fixture
def find(tmp_path):
    def find(text, graph="", catalog=None):
        (tmp_path / "semantic.yaml").write_text(textwrap.dedent(text), encoding="utf-8")
        (tmp_path / "knowledge_graph.yaml").write_text(textwrap.dedent(graph), encoding="utf-8")
        return references(
            catalog or shop(),
            authored.read_semantic(tmp_path / "semantic.yaml"),
            authored.read_knowledge_graph(tmp_path / "knowledge_graph.yaml"),
        )

    return find


def uses(found, path):
    return sorted(
        f"{use.table}.{use.column} {use.by}" if use.column else f"{use.table} {use.by}"
        for use in found.uses
        if use.item.path == path
    )


def lacks(found):
    return [(lack.item.path, lack.text, lack.nearest, lack.line) for lack in found.unresolved]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_metric_uses_what_its_statement_reads(find, dialect):
    found = find(
        """
        metrics:
          - name: net sales
            sql: |
              WITH paid AS (SELECT * FROM sales_order WHERE order_status = 5)
              SELECT c.name, SUM(p.total_cents) AS total
              FROM paid p JOIN customer c USING (customer_id)
              GROUP BY c.name ORDER BY total
        """,
        catalog=shop(dialect),
    )

    assert lacks(found) == []
    assert uses(found, "metrics[1]") == [
        "customer sql",
        "customer.customer_id sql",
        "customer.name sql",
        "sales_order sql",
        "sales_order.customer_id sql",
        "sales_order.order_status sql",
        "sales_order.total_cents sql",
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_name_that_leads_to_nothing_is_told_with_its_line_and_the_nearest_name(find, dialect):
    found = find(
        """
        examples:
          - question: How much?
            sql: |
              SELECT SUM(total_cent)
              FROM sales_order
              WHERE order_status IN (SELECT status FROM order_lines)
        """,
        catalog=shop(dialect),
    )

    assert lacks(found) == [
        ("examples[1]", "total_cent", "total_cents", 5),
        ("examples[1]", "order_lines", "order_line", 7),
    ]


def test_a_description_names_columns_as_columns_are_written(find):
    found = find(
        """
        tables:
          sales_order:
            description: Ordered by the customer; see order_line.product_id and `city_code`.
            columns:
              total_cents: Sum over OrderLine; order_status tells more, and so does store_id.
        """
    )

    assert uses(found, "tables.sales_order") == [
        "order_line.product_id prose",
        "sales_order place",
    ]
    assert uses(found, "tables.sales_order.columns.total_cents") == [
        "sales_order.order_status prose",
        "sales_order.total_cents place",
    ]
    assert lacks(found) == [("tables.sales_order.columns.total_cents", "store_id", "order_id", 6)]


def test_the_graph_is_followed_as_well(find):
    found = find(
        "",
        """
        entities:
          - {name: Customer, table: customer, label: nam}
          - {name: Order, table: sales_order, filter: total_cents > 0}
        relations:
          - {subject: Customer, predicate: places, object: Order, via: [sales_order.customer_id]}
        """,
    )

    assert uses(found, "entities[2].filter") == ["sales_order sql", "sales_order.total_cents sql"]
    assert uses(found, "relations[1]") == [
        "customer place",
        "sales_order place",
        "sales_order.customer_id place",
    ]
    assert lacks(found) == [("entities[1]", "nam", "name", 3)]


def test_golden_questions_use_their_tables_joins_and_statement(tmp_path):
    (tmp_path / "evaluation.yaml").write_text(
        "- question: How many?\n"
        "  tables: [customer, product]\n"
        "  joins: [sales_order.customer_id = customer.customer_id]\n"
        "  sql: SELECT COUNT(*) FROM order_line WHERE quantity > 1\n",
        encoding="utf-8",
    )

    found = references(
        shop(),
        authored.Document(tmp_path / "semantic.yaml", Semantic()),
        evaluation=authored.read_evaluation(tmp_path / "evaluation.yaml"),
    )

    assert uses(found, "[1]") == [
        "customer place",
        "customer.customer_id place",
        "order_line sql",
        "order_line.quantity sql",
        "sales_order place",
        "sales_order.customer_id place",
    ]
    assert lacks(found) == [("[1]", "product", None, 2)]


def test_a_view_uses_what_its_definition_reads(find):
    view = table(
        "open_orders",
        "order_id",
        kind="view",
        definition="CREATE VIEW open_orders AS SELECT order_id FROM sales_order",
    )

    found = find("", catalog=shop("sqlite", view))

    assert uses(found, "tables.open_orders") == ["sales_order sql", "sales_order.order_id sql"]


def test_a_statement_that_cannot_be_read_is_told_once_and_the_rest_is_read(find):
    found = find(
        """
        metrics:
          - {name: broken, sql: SELECT FROM WHERE (}
          - {name: whole, sql: SELECT COUNT(*) FROM customer}
        """
    )

    [broken] = found.unresolved
    assert (broken.item.name, broken.text, broken.line) == ("broken", "", 3)
    assert uses(found, "metrics[2]") == ["customer sql"]


def test_paths_lead_to_the_entry(find, tmp_path: Path):
    found = find("tables:\n  customer:\n    columns:\n      name: How\n")

    [of_table, of_column] = found.items
    assert (of_table.line, of_column.line, of_column.column) == (2, 4, 7)
    assert found.of("customer", "name") == (found.by_item[of_column][0],)


def bicycles():
    return Catalog(
        "sqlite",
        "bicycles",
        tables=(
            table("Sales__Customer", "CustomerID", "PersonID", "StoreID", "TerritoryID"),
            table("Sales__SalesOrderHeader", "SalesOrderID", "CustomerID", "Status", "ShipDate"),
            table("Production__Document", "DocumentNode", "FileName", "FileExtension", "Status"),
            table("Production__WorkOrder", "WorkOrderID", "ProductID", "OrderQty", "StockedQty"),
            table("Production__Product", "ProductID", "Name", "Size", "SizeUnitMeasureCode"),
        ),
    )


@pytest.mark.parametrize(
    ("text", "named", "lacking"),
    [
        pytest.param(
            "Foreign key to Customer.CustomerID.",
            ["Sales__Customer.CustomerID prose"],
            [],
            id="a table without what is put before all names",
        ),
        pytest.param(
            "Customer identification number. Foreign key to Customer.BusinessEntityID.",
            ["Sales__Customer prose"],
            ["Customer.BusinessEntityID"],
            id="a column that its table doesn't have",
        ),
        pytest.param(
            "The one of Customer.The next.", ["Sales__Customer prose"], [], id="full stop"
        ),
        pytest.param("Parent of the item (StoreeID).", [], ["StoreeID"], id="no column anywhere"),
        pytest.param("As `CustomerId` says.", ["{own}.CustomerID prose"], [], id="case"),
        pytest.param("See also StoreID.", [], [], id="a column of another table"),
        pytest.param(
            "W = WorkOrder, S = SalesOrder", ["Production__WorkOrder prose"], [], id="codes"
        ),
        pytest.param(
            "ROWGUIDCOL number. Required for FileStream.", [], [], id="words of the engine"
        ),
        pytest.param("Stored by AdventureWorks on GitHub, PayPal, eBay.", [], [], id="products"),
        pytest.param("For example, .doc, data.csv or SalesOrderHeader.csv", [], [], id="files"),
        pytest.param("Write to a.CustomerID@x.org, http://x.org/StoreeID", [], [], id="addresses"),
        pytest.param("'in_StoreeID' or \"StoreeID\" as it is stored", [], [], id="quoted values"),
        pytest.param("Unit of measure for Status column.", ["{own}.Status prose"], [], id="a word"),
        pytest.param("The order, its date and status.", [], [], id="language"),
        pytest.param("Sent as store_id by the old shop.", [], [], id="another way of writing"),
        pytest.param("The WidgetQty of old.", [], [], id="a rare ending"),
        pytest.param("1 = CourierID", [], [], id="a meaning of a code"),
        pytest.param(
            "Where `Status = 5 AND ShipDat IS NULL`.",
            ["{own}.Status prose"],
            ["ShipDat"],
            id="a piece of SQL",
        ),
        pytest.param("As returned by ConcatID(x).", [], [], id="a function"),
    ],
)
def test_what_a_text_names_and_what_is_only_language(find, text, named, lacking):
    own = "Sales__SalesOrderHeader"

    found = find(
        f"tables:\n  {own}:\n    description: >-\n      {text}\n",
        catalog=bicycles(),
    )

    told = [use for use in uses(found, f"tables.{own}") if use.endswith("prose")]
    assert told == [name.format(own=own) for name in named]
    assert [lack.text for lack in found.unresolved] == lacking


def test_statements_are_read_once_while_their_tables_stay_what_they_are(find, tmp_path):
    text = "examples:\n  - {question: q, sql: 'SELECT name, citycode FROM customer'}\n"
    before = find(text)
    kept = Kept(tmp_path / "kept")
    document = authored.read_semantic(tmp_path / "semantic.yaml")

    first = references(shop(), document, kept=kept)
    again = references(shop(), document, kept=Kept(tmp_path / "kept"))
    wider = table("customer", "customer_id", "name", "citycode")
    other = replace(shop(), tables=(wider, *shop().tables[1:]))
    changed = references(other, document, kept=Kept(tmp_path / "kept"))

    assert first == again == before
    assert len(before.unresolved) == 1
    assert changed.unresolved == ()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda text: "{" + text + "\x00", id="no JSON"),
        pytest.param(lambda text: re.sub('"value": .*', '"value": 5}', text), id="a number"),
        pytest.param(lambda text: text.replace('"missing": [[', '"missing": [[5, '), id="more"),
        pytest.param(lambda text: text.replace('"columns"', '"places"'), id="another key"),
        pytest.param(lambda text: text.replace('"named"', '"called"'), id="nothing named"),
        pytest.param(lambda text: re.sub('("named": ).*?, "st', r'\1[[5, 5]], "st', text), id="5"),
        pytest.param(lambda text: re.sub('("tables": ).*?]', r'\1["gone"]', text), id="no table"),
        pytest.param(lambda text: re.sub('("tables": ).*?]', r'\1[["a"]]', text), id="a list"),
        pytest.param(
            lambda text: re.sub('("columns": ).*?]', r'\1[["customer", 5]]', text), id="no column"
        ),
        pytest.param(
            lambda text: text.replace('"missing": [["nam"', '"missing": [[{}'), id="no text"
        ),
    ],
)
def test_a_damaged_cache_is_as_good_as_none(find, tmp_path, damage):
    before = find("examples:\n  - {question: q, sql: SELECT nam FROM customer}\n")
    document = authored.read_semantic(tmp_path / "semantic.yaml")
    references(shop(), document, kept=Kept(tmp_path / "kept"))
    text = (tmp_path / "kept").read_text(encoding="utf-8")
    assert damage(text) != text
    (tmp_path / "kept").write_text(damage(text), encoding="utf-8")

    found = references(shop(), document, kept=Kept(tmp_path / "kept"))

    assert found == before
    assert len(found.unresolved) == 1


def test_conditions_may_name_tables_entities_and_columns_in_any_case(find):
    mixed = Catalog(
        "postgres",
        "shop",
        default_schema="public",
        tables=(table("Customer", "CustomerID", "Kind"), table("Order", "OrderID", "CustomerID")),
    )
    found = find(
        """
        relationships:
          - from: Order.CustomerID
            to: Customer.CustomerID
            condition: customer.kind = 'P' AND "order".orderid > 1
        glossary:
          - {term: shop, sql: kind = 'S', tables: [Customer]}
          - {term: shop without a table, sql: kind = 'S'}
        """,
        """
        entities:
          - {name: Buyer, table: Customer}
          - {name: Purchase, table: Order}
        relations:
          - {subject: Buyer, predicate: makes, object: Purchase,
             "on": buyer.customerid = purchase.CustomerID, condition: Purchase.colour = 1}
        """,
        mixed,
    )

    assert "Customer.Kind sql" in uses(found, "relationships[1]")
    assert "Customer.CustomerID sql" in uses(found, "relations[1]")
    assert lacks(found) == [
        ("glossary[1]", "kind", "Kind", 7),  # PostgreSQL doesn't find it so
        ("relations[1]", "Purchase.colour", None, 7),
    ]


def test_references_of_many_tables_are_the_same_each_time():
    figures = references_speed.measure(60, 30, 20, references_speed.run_here)

    assert figures["same_each_time"]
    assert (figures["items"], figures["unresolved"]) == (60 // 2 * 21 + 20, 0)


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("SELECT " + "(" * 3000, id="nested"),
        pytest.param("SELECT 'a", id="an open quote"),
        pytest.param("SELECT 1; SELECT 2", id="two statements"),
        pytest.param("DELETE FROM customer", id="no query"),
        pytest.param("name", id="a name"),
        pytest.param("\x00", id="a control character"),
        pytest.param("", id="nothing"),
        pytest.param("-- x", id="a comment"),
        pytest.param("SELECT 1 AS " + "a" * 200_000, id="endless"),
    ],
)
def test_text_that_is_no_query_is_one_finding(tmp_path, sql):
    semantic = Semantic(metrics=(Metric("odd", sql),))

    found = references(shop(), authored.Document(tmp_path / "semantic.yaml", semantic))

    assert [lack.text for lack in found.unresolved] == [""]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(
            "metrics: [{name: m, sql: SELECT SUM(quantity)}]",
            "the query has no FROM; `order_line` has `quantity`",
            id="query",
        ),
        pytest.param(
            "metrics: [{name: m, sql: 'SELECT ORDER_ID + 1'}]",
            "the query has no FROM; `sales_order`, `order_line` have `ORDER_ID`",
            id="several tables",
        ),
        pytest.param(
            "metrics: [{name: m, sql: SELECT SUM(net)}]",
            "the query has no FROM, and no table has a column `net`",
            id="no such column",
        ),
    ],
)
def test_a_statement_that_reads_no_table_is_told_which_tables_have_its_columns(find, text, reason):
    assert [lack.reason for lack in find(text).unresolved] == [reason]


def test_what_a_statement_without_from_is_told_follows_the_catalogue(tmp_path):
    (tmp_path / "semantic.yaml").write_text("metrics: [{name: m, sql: SELECT SUM(net)}]")
    document = authored.read_semantic(tmp_path / "semantic.yaml")
    graph = authored.read_knowledge_graph(tmp_path / "none.yaml")

    def reasons(*more):
        found = references(shop("sqlite", *more), document, graph, kept=Kept(tmp_path / "kept"))
        return [lack.reason for lack in found.unresolved]

    assert reasons() == ["the query has no FROM, and no table has a column `net`"]
    assert reasons(table("bill", "net")) == ["the query has no FROM; `bill` has `net`"]


@pytest.mark.parametrize("piece", ["``", "a.", "x", "''", "A1_", "a@b.", "/a", "Zz "])
def test_a_name_behind_a_long_run_of_anything_is_found(find, piece):
    junk = piece * (20_000 // len(piece))  # by the square of its length it would take minutes

    found = find(f'tables: {{customer: {{description: "{junk} , sales_order.order_id"}}}}')

    assert found.of("sales_order", "order_id")
