"""Undeclared joins in the naming habits of shops, trackers, ERPs and CMSs."""

import pytest

from tests.join_databases import profiled, rows


@pytest.fixture
def joins_of(make_db, tmp_path):
    """Return a function from SQL to the joins that are inferred, as (table, columns, target)."""

    def infer(sql):
        found = profiled(make_db(sql), tmp_path).joins
        return {(link.table, ", ".join(link.columns), link.to_table): link for link in found}

    return infer


def table(name, *columns, key="id"):
    """Return a CREATE TABLE with an integer key."""
    rest = "".join(f", {column}" for column in columns)
    return f"CREATE TABLE {name} ({key} INTEGER PRIMARY KEY{rest});"


ORDERS = (
    "CREATE TABLE order_line (order_id INT, line_no INT, qty INT, PRIMARY KEY (order_id, line_no));"
    + rows("order_line", 120, "1", "i").replace("SELECT i, 1", "SELECT (i + 2) / 3, i % 3 + 1")
)


@pytest.mark.req("SCAN-06", part="SQLite")
def test_two_columns_that_bear_the_names_of_a_key_join_it_together(joins_of):
    found = joins_of(
        ORDERS
        + table("claim", "order_id INT", "order_line_no INT", key="claim_id")
        + rows("claim", 40, "i", "i % 3 + 1")
    )

    link = found["claim", "order_id, order_line_no", "order_line"]
    assert (link.to_columns, link.origin) == (("order_id", "line_no"), "inferred")
    evidence = link.evidence
    assert (evidence.rows, evidence.orphans, evidence.to_distinct) == (40, 0, 120)
    assert (evidence.distinct, evidence.covered_share) == (40, round(40 / 120, 6))
    assert (evidence.cardinality, evidence.null_share) == ("one_to_one", None)
    assert evidence.confidence > 0.8


@pytest.mark.req("B6", part="SQLite")
def test_a_running_number_under_another_key_is_no_part_of_a_reference(joins_of):
    found = joins_of(
        ORDERS + "CREATE TABLE return_item (return_id INT, line_no INT, order_id INT,"
        " PRIMARY KEY (return_id, line_no));" + rows("return_item", 40, "1", "i")
    )

    assert not [key for key in found if "line_no" in key[1]]


@pytest.mark.req("C13")
def test_two_tables_that_number_what_belongs_to_a_product_do_not_join_each_other(joins_of):
    found = joins_of(
        table("product", "title TEXT", key="product_id")
        + "CREATE TABLE image (product_id INT, seq INT, x INT, PRIMARY KEY (product_id, seq));"
        "CREATE TABLE review (product_id INT, seq INT, x INT, PRIMARY KEY (product_id, seq));"
        + rows("product", 40, "'p'")
        + "INSERT INTO image SELECT p.product_id, n.product_id, 1 FROM product p JOIN product n"
        " ON n.product_id <= CASE WHEN p.product_id % 5 = 0 THEN 9 ELSE 1 END;"
        "INSERT INTO review SELECT product_id, seq, 5 FROM image WHERE seq < 4;"
    )

    assert set(found) == {("image", "product_id", "product"), ("review", "product_id", "product")}


@pytest.mark.req("SCAN-06", part="SQLite")
def test_keys_that_begin_with_a_tenant_join_in_all_their_roles(joins_of):
    key = "tenant_id INT, id INT"
    found = joins_of(
        f"CREATE TABLE addresses ({key}, city TEXT, PRIMARY KEY (tenant_id, id));"
        f"CREATE TABLE orders ({key}, bill_to_address_id INT, ship_to_address_id INT,"
        " PRIMARY KEY (tenant_id, id));"
        + rows("addresses", 90, "i", "'x'").replace("SELECT i, i", "SELECT i % 3, i / 3")
        + rows("orders", 200, "i", "i % 20 + 1", "i % 23 + 1").replace(
            "SELECT i, i,", "SELECT i % 3, i / 3,"
        )
    )

    bill = found["orders", "tenant_id, bill_to_address_id", "addresses"]
    ship = found["orders", "tenant_id, ship_to_address_id", "addresses"]
    assert (bill.label, ship.label) == ("bill to", "ship to")


@pytest.mark.req("B6", part="SQLite")
def test_a_key_name_that_many_tables_have_says_no_more_than_id(joins_of):
    found = joins_of(
        "".join(
            table(f"{name}_entity", "x TEXT", key="entity_id") + rows(f"{name}_entity", size, "'x'")
            for name, size in (("customer", 60), ("product", 50), ("quote", 40))
        )
        + table("product_entity_price", "entity_id INT", "customer_id INT", key="price_id")
        + rows("product_entity_price", 150, "i % 50 + 1", "i % 60 + 1")
    )

    assert set(found) == {
        ("product_entity_price", "entity_id", "product_entity"),
        ("product_entity_price", "customer_id", "customer_entity"),
    }


def test_a_table_is_called_without_its_module_where_no_other_is_called_so(joins_of):
    found = joins_of(
        table("res_users", "login TEXT")
        + table("res_partner", "city TEXT")
        + table("res_currency", "iso TEXT")
        + table("uom_uom", "x TEXT")
        + table("sale_order", "partner_id INT", "create_uid INT", "uom_id INT", "status INT")
        + rows("res_users", 25, "'l' || i")
        + rows("res_partner", 90, "'c'")
        + rows("res_currency", 30, "'i' || i")
        + rows("uom_uom", 22, "'x'")
        + rows("sale_order", 200, "i % 90 + 1", "i % 25 + 1", "i % 22 + 1", "i % 4")
    )

    assert set(found) == {
        ("sale_order", "partner_id", "res_partner"),
        ("sale_order", "create_uid", "res_users"),
        ("sale_order", "uom_id", "uom_uom"),
    }


def test_zero_that_stands_for_no_row_is_counted_apart(joins_of):
    found = joins_of(
        table("posts", "post_parent INT", "post_author INT", key="ID")
        + table("users", "login TEXT", key="ID")
        + rows("users", 40, "'u' || i")
        + rows("posts", 300, "CASE WHEN i % 10 < 8 THEN 0 ELSE i - 1 END", "i % 40 + 1")
    )

    parent = found["posts", "post_parent", "posts"].evidence
    assert (parent.rows, parent.orphans) == (300, 240)
    assert "0 stands for no row in 240 others" in parent.reasons
    assert ("posts", "post_author", "users") in found


def test_a_parent_without_an_end_is_a_row_of_another_table(joins_of):
    found = joins_of(
        table("sales_order", "state TEXT")
        + table("sales_order_payment", "parent_id INT")
        + rows("sales_order", 60, "'new'")
        + rows("sales_order_payment", 60, "61 - i")
    )

    assert set(found) == {("sales_order_payment", "parent_id", "sales_order")}


@pytest.mark.req("SCAN-06", part="SQLite")
def test_a_model_column_names_the_tables_of_its_id_column(joins_of):
    found = joins_of(
        table("sale_order", "x TEXT")
        + table("crm_lead", "x TEXT")
        + table("message", "model TEXT", "res_id INT", "parent_id INT")
        + rows("sale_order", 90, "'x'")
        + rows("crm_lead", 70, "'x'")
        + rows(
            "message",
            200,
            "CASE i % 2 WHEN 0 THEN 'sale.order' ELSE 'crm.lead' END",
            "i % 70 + 1",
            "CASE WHEN i > 9 THEN i - 9 END",
        )
    )

    assert {(link.table, link.to_table, link.condition) for link in found.values()} == {
        ("message", "sale_order", "message.model = 'sale.order'"),
        ("message", "crm_lead", "message.model = 'crm.lead'"),
        ("message", "message", None),
    }


@pytest.mark.req("SCAN-06", part="SQLite")
def test_a_number_that_is_unique_within_a_primary_key_of_several_columns_is_joined(joins_of):
    found = joins_of(
        "CREATE TABLE booking (booking_id INT, at TEXT, seats INT, PRIMARY KEY (booking_id, at));"
        + rows("booking", 60, "'2024-01-' || (10 + i % 9)", "i % 4")
        + table("payment", "booking_id INT")
        + rows("payment", 50, "i + 3")
    )

    link = found["payment", "booking_id", "booking"]
    assert set(found) == {("payment", "booking_id", "booking")}
    assert "the key is unique by measurement, not by declaration" in link.evidence.reasons


@pytest.mark.req("SCAN-06", part="SQLite")
def test_a_join_of_a_whole_key_is_told_once(joins_of):
    found = joins_of(
        "CREATE TABLE address (tenant_id INT, id INT, city TEXT, PRIMARY KEY (tenant_id, id));"
        "CREATE TABLE orders (tenant_id INT, id INT, address_id INT, PRIMARY KEY (tenant_id, id));"
        + rows("address", 90, "i", "'x'").replace("SELECT i, i", "SELECT i % 3, i")
        + rows("orders", 40, "i", "i").replace("SELECT i, i, i", "SELECT i % 3, 500 + i, i")
    )

    assert set(found) == {("orders", "tenant_id, address_id", "address")}


@pytest.mark.req("SCAN-06", part="SQLite")
@pytest.mark.parametrize(
    ("short", "column"),
    [
        pytest.param("ord", "order_id", id="a short name"),
        pytest.param("ord", "parent_order_id", id="in a role"),
        pytest.param("cust_addr", "customer_address_id", id="each word"),
        pytest.param("inv", "inventory_id", id="one of two that it is short for"),
    ],
)
def test_a_table_may_be_called_by_a_usual_short_form(joins_of, short, column):
    found = joins_of(
        table(short, "x INT")
        + rows(short, 60, "7")
        + table("scan", f"{column} INT")
        + rows("scan", 50, "i + 8")
    )

    assert set(found) == {("scan", column, short)}


RESULTS = (
    "CREATE TABLE lab_result (lab_order_no INT, line_no INT, value REAL,"
    " PRIMARY KEY (lab_order_no, line_no));"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)"
    " INSERT INTO lab_result SELECT a.i, b.i, 0.5 FROM n AS a JOIN n AS b"
    " ON b.i <= CASE WHEN a.i % 5 = 0 THEN 9 ELSE 1 END;"
)


@pytest.mark.req("SCAN-06", part="SQLite")
def test_a_table_called_after_another_refers_to_the_whole_key_that_it_holds(joins_of):
    found = joins_of(
        RESULTS
        + table("lab_result_comment", "lab_order_no INT", "line_no INT")
        + "INSERT INTO lab_result_comment SELECT rowid, lab_order_no, line_no FROM lab_result"
        " WHERE lab_order_no % 2 = 0;"
    )

    assert ("lab_result_comment", "lab_order_no, line_no", "lab_result") in found


@pytest.mark.req("B6", part="SQLite")
def test_a_table_called_after_another_may_number_rows_of_its_own(joins_of):
    found = joins_of(
        RESULTS + "CREATE TABLE lab_result_image (lab_order_no INT, line_no INT, x INT,"
        " PRIMARY KEY (lab_order_no, line_no));"
        "INSERT INTO lab_result_image SELECT lab_order_no, line_no, 1 FROM lab_result"
        " WHERE lab_order_no % 2 = 0;"
    )

    assert not [key for key in found if "line_no" in key[1]]


WORK = table(
    "work_order", "opened_by INT", "assigned_to INT", "ack_by INT", "created_by INT"
) + rows(
    "work_order", 60, "1000 + 7 * (i % 12)", "1000 + 7 * (i % 8)", "1000 + 7 * (i % 6)", "i % 9"
)


@pytest.mark.req("SCAN-06", part="SQLite")
@pytest.mark.parametrize(
    ("people", "expected"),
    [
        pytest.param(["technician"], {"opened_by", "assigned_to", "ack_by"}, id="the only ones"),
        pytest.param(["technician", "inspector"], set(), id="of two occupations"),
        pytest.param(["customer"], set(), id="not those who are served"),
    ],
)
def test_who_did_something_is_of_the_only_table_of_an_occupation(joins_of, people, expected):
    tables = "".join(
        table(name, "title TEXT", key=f"{name[:4]}_no")
        + rows(name, 30, "'x'").replace("SELECT i, 'x'", "SELECT 1000 + 7 * i - 7, 'x'")
        for name in people
    )

    assert {key[1] for key in joins_of(tables + WORK)} == expected


@pytest.mark.req("SCAN-06", part="SQLite")
def test_numbers_that_refer_to_rows_are_no_codes(make_db, tmp_path):
    sql = table("employee", "reports_to INT", "level INT") + rows(
        "employee", 60, "CASE WHEN i > 9 THEN i % 5 + 1 END", "i % 5"
    )

    found = profiled(make_db(sql), tmp_path)

    columns = found.by_table["employee"]
    assert [link.columns for link in found.joins] == [("reports_to",)]
    assert columns.column("reports_to").values == ()
    assert len(columns.column("level").values) == 5
