"""Undeclared joins: names must agree, data must prove them, and chance proves nothing."""

import json
from pathlib import Path

import pytest

from evals import joins as evaluation
from pipeline import artifacts, scan
from pipeline.database.connect import open_database
from pipeline.database.source import resolve
from pipeline.profile import inclusion
from pipeline.profile.columns import Rules, profile
from schemas.models import Catalog, KbSettings, ProfileSettings
from tests.join_databases import SETTINGS, profiled, rows


@pytest.fixture
def joins_of(make_db, tmp_path):
    """Return a function from SQL to the joins that are inferred, by (table, column)."""

    def infer(sql):
        found = profiled(make_db(sql), tmp_path).joins
        return {(link.table, *link.columns, link.condition or ""): link for link in found}

    return infer


@pytest.mark.req("SCAN-06", part="SQLite")
@pytest.mark.req("B6", part="SQLite")
def test_a_column_named_after_a_table_joins_it_with_its_evidence(joins_of):
    found = joins_of(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER);"
        + rows("customers", 50, "'c'")
        + rows("orders", 200, "CASE WHEN i % 10 = 0 THEN NULL ELSE i % 40 + 1 END")
        + "UPDATE orders SET customer_id = 999 WHERE id = 1;"
    )

    link = found["orders", "customer_id", ""]
    assert (link.to_table, link.to_columns, link.origin) == ("customers", ("id",), "inferred")
    evidence = link.evidence
    assert (evidence.method, evidence.rows, evidence.orphans) == ("full", 180, 1)
    assert evidence.matched_share == round(179 / 180, 6)
    assert (evidence.distinct, evidence.to_distinct, evidence.null_share) == (37, 50, 0.1)
    assert evidence.covered_share == 0.72
    assert evidence.cardinality == "many_to_one"
    assert 0.8 < evidence.confidence < 1


@pytest.mark.req("B6", part="SQLite")
@pytest.mark.parametrize(
    ("references", "unique", "cardinality"),
    [(40, "", "many_to_one"), (40, "UNIQUE", "one_to_one"), (400, "", "one_to_one")],
)
def test_few_references_that_differ_do_not_make_a_rule(joins_of, references, unique, cardinality):
    found = joins_of(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT);"
        f"CREATE TABLE complaints (id INTEGER PRIMARY KEY, customer_id INTEGER {unique});"
        + rows("customers", 5000, "'c'")
        + rows("complaints", references, f"5000 - {5000 // references - 1} * i")
    )

    assert found["complaints", "customer_id", ""].evidence.cardinality == cardinality


@pytest.mark.req("B6", part="SQLite")
def test_the_first_rows_of_a_table_never_make_a_rule(make_db, tmp_path):
    sql = (
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, customer_id INTEGER);"
        + rows("customers", 500, "'c'")
        + rows("visits", 2000, "i % 500 + 1")
    )

    capped = KbSettings(name="test", profile=ProfileSettings(rows=400))

    (link,) = profiled(make_db(sql), tmp_path, capped).joins

    assert link.evidence.method == "sample"
    assert (link.evidence.cardinality, link.evidence.covered_share) == ("many_to_one", None)


@pytest.mark.req("B6", part="SQLite")
def test_several_keys_between_two_tables_stay_several_labelled_joins(joins_of):
    found = joins_of(
        "CREATE TABLE address (address_id INTEGER PRIMARY KEY, city TEXT);"
        "CREATE TABLE sales_order (order_id INTEGER PRIMARY KEY, bill_to_address_id INTEGER,"
        " ship_to_address_id INTEGER);"
        + rows("address", 60, "'x'")
        + rows("sales_order", 100, "i % 60 + 1", "i % 55 + 1")
    )

    assert found["sales_order", "bill_to_address_id", ""].label == "bill to"
    assert found["sales_order", "ship_to_address_id", ""].label == "ship to"
    assert len(found) == 2


@pytest.mark.req("C12")
@pytest.mark.req("B6", part="names")
def test_a_name_never_joins_a_name_and_a_suffix_alone_never_joins(joins_of):
    found = joins_of(
        "CREATE TABLE some_other_foobar (id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
        "CREATE TABLE widget (id INTEGER PRIMARY KEY, foobar_id INTEGER, name TEXT UNIQUE);"
        + rows("some_other_foobar", 100, "'n' || i")
        + rows("widget", 100, "i", "'n' || i")
    )

    assert found == {}


@pytest.mark.req("C13")
@pytest.mark.req("B6", part="siblings")
def test_two_references_to_one_parent_never_join_each_other(joins_of):
    found = joins_of(
        "CREATE TABLE product (product_id INTEGER PRIMARY KEY, title TEXT);"
        "CREATE TABLE stock (stock_id INTEGER PRIMARY KEY, product_id INTEGER);"
        "CREATE TABLE review (review_id INTEGER PRIMARY KEY, product_id INTEGER);"
        + rows("product", 80, "'p'")
        + rows("stock", 80, "i")
        + rows("review", 300, "i % 70 + 1")
    )

    assert {(link.table, link.to_table) for link in found.values()} == {
        ("stock", "product"),
        ("review", "product"),
    }


@pytest.mark.req("B6", part="SQLite")
def test_of_unique_parents_with_the_same_key_the_nearest_is_meant(joins_of):
    found = joins_of(
        "CREATE TABLE party (party_id INTEGER PRIMARY KEY, kind TEXT);"
        "CREATE TABLE person (party_id INTEGER PRIMARY KEY, shoe INTEGER);"
        "CREATE TABLE person_phone (phone_id INTEGER PRIMARY KEY, party_id INTEGER);"
        + rows("party", 300, "'k'")
        + rows("person", 200, "40")
        + rows("person_phone", 250, "i % 200 + 1")
    )

    assert found["person_phone", "party_id", ""].to_table == "person"
    assert found["person", "party_id", ""].to_table == "party"
    assert found["person", "party_id", ""].evidence.cardinality == "one_to_one"


@pytest.mark.req("C15")
def test_a_self_reference_is_found_and_a_department_is_not_its_own_manager(joins_of):
    found = joins_of(
        "CREATE TABLE category (id INTEGER PRIMARY KEY, parent_id INTEGER, title TEXT);"
        "CREATE TABLE department (id INTEGER PRIMARY KEY, manager_id INTEGER);"
        + rows("category", 30, "CASE WHEN i > 3 THEN i % 3 + 1 END", "'t'")
        + rows("department", 30, "i")
    )

    assert found["category", "parent_id", ""].to_table == "category"
    assert ("department", "manager_id", "") not in found


def test_tables_without_any_declared_key_still_get_their_joins(joins_of):
    found = joins_of(
        "CREATE TABLE KUNDEN (KUNDEN_NR TEXT, ORT TEXT);"
        "CREATE TABLE AUFTRAEGE (AUFTRAG_NR TEXT, KUNDEN_NR TEXT);"
        + rows("KUNDEN", 40, "'Ulm'").replace("SELECT i,", "SELECT 'K' || (1000 + i),")
        + rows("AUFTRAEGE", 90, "'K' || (1001 + i % 40)").replace("SELECT i,", "SELECT 'A' || i,")
    )

    link = found["AUFTRAEGE", "KUNDEN_NR", ""]
    assert (link.to_table, link.to_columns) == ("KUNDEN", ("KUNDEN_NR",))
    assert "by measurement" in " ".join(link.evidence.reasons)


@pytest.mark.parametrize(
    ("column", "table", "key"),
    [
        pytest.param("cust_id", "customer", "id", id="abbreviation"),
        pytest.param("dept_no", "department", "dept_no", id="same name as the key"),
        pytest.param("customerid", "customer", "customerid", id="written without gaps"),
        pytest.param("from_currency_code", "currency", "currency_code", id="role before the key"),
        pytest.param("soh_id", "sales_order_header", "id", id="initials"),
        pytest.param("order_id", "order_header", "id", id="table suffix that says nothing"),
        pytest.param("fk_product", "products", "id", id="leading fk"),
    ],
)
def test_the_usual_spellings_of_a_reference_are_understood(joins_of, column, table, key):
    found = joins_of(
        f"CREATE TABLE {table} ({key} INTEGER PRIMARY KEY, x TEXT);"
        f"CREATE TABLE thing (thing_id INTEGER PRIMARY KEY, {column} INTEGER);"
        + rows(table, 60, "'x'")
        + rows("thing", 120, "i % 58 + 1")
    )

    assert found["thing", column, ""].to_table == table


@pytest.mark.req("SCAN-06", part="SQLite")
def test_a_polymorphic_reference_becomes_one_join_a_type_with_its_condition(joins_of):
    found = joins_of(
        "CREATE TABLE work_order (work_order_id INTEGER PRIMARY KEY, x TEXT);"
        "CREATE TABLE sales_order (sales_order_id INTEGER PRIMARY KEY, x TEXT);"
        "CREATE TABLE movement (movement_id INTEGER PRIMARY KEY, movement_type TEXT,"
        " reference_order_id INTEGER);"
        + rows("work_order", 90, "'x'")
        + rows("sales_order", 150, "'x'")
        + rows("movement", 400, "CASE i % 2 WHEN 0 THEN 'W' ELSE 'S' END", "i % 80 + 1")
    )

    assert {key[2]: link.to_table for key, link in found.items()} == {
        "movement.movement_type = 'W'": "work_order",
        "movement.movement_type = 'S'": "sales_order",
    }


@pytest.mark.req("SCAN-06", part="SQLite")
def test_type_values_that_are_table_names_join_and_ghosts_do_not(joins_of):
    found = joins_of(
        "CREATE TABLE invoice (id INTEGER PRIMARY KEY, x TEXT);"
        "CREATE TABLE city (id INTEGER PRIMARY KEY, x TEXT);"
        "CREATE TABLE remark (id INTEGER PRIMARY KEY, remarkable_type TEXT, remarkable_id INTEGER);"
        "INSERT INTO invoice VALUES (1, 'a'), (2, 'b'), (3, 'c');"
        "INSERT INTO city VALUES (1, 'a'), (3, 'b');"
        "INSERT INTO remark VALUES (1, 'Invoice', 1), (2, 'App\\Models\\City', 3), (3, 'Ghost', 9);"
    )

    assert sorted(link.to_table for link in found.values()) == ["city", "invoice"]


def test_a_table_called_table_takes_nothing_from_what_ends_in_able(joins_of):
    found = joins_of(
        "CREATE TABLE tables (id INTEGER PRIMARY KEY, seats INTEGER);"
        "CREATE TABLE photo (id INTEGER PRIMARY KEY, x TEXT);"
        "CREATE TABLE note (id INTEGER PRIMARY KEY, commentable_type TEXT, commentable_id INTEGER);"
        + rows("tables", 30, "4")
        + rows("photo", 400, "'x'")
        + rows("note", 300, "'Photo'", "i % 390 + 1")
    )

    assert [link.to_table for link in found.values()] == ["photo"]


@pytest.mark.req("B6", part="SQLite")
def test_names_of_a_letter_join_nothing(joins_of):
    found = joins_of(
        "CREATE TABLE vers (id INTEGER PRIMARY KEY, x INTEGER);"
        "CREATE TABLE fkc (x INTEGER PRIMARY KEY, y TEXT);"
        + rows("vers", 1, "1")
        + rows("fkc", 1, "'a'")
    )

    assert found == {}


def test_a_key_short_for_its_own_table_refers_to_no_other_that_begins_so(joins_of):
    found = joins_of(
        "CREATE TABLE salesorderheader (salesorderid INTEGER PRIMARY KEY, x TEXT);"
        "CREATE TABLE salesorderdetail (salesorderdetailid INTEGER PRIMARY KEY,"
        " salesorderid INTEGER);"
        + rows("salesorderheader", 100, "'x'")
        + rows("salesorderdetail", 300, "i % 100 + 1")
    )

    assert [link.table for link in found.values()] == ["salesorderdetail"]


def test_a_declared_key_is_not_inferred_again(joins_of):
    found = joins_of(
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, x TEXT);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id));"
        + rows("customer", 30, "'x'")
        + rows("orders", 60, "i % 30 + 1")
    )

    assert found == {}


@pytest.mark.req("B6", part="SQLite")
def test_what_could_not_be_measured_is_not_offered(joins_of):
    found = joins_of(
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, x TEXT);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER);"
        + rows("customer", 30, "'x'")
    )

    assert found == {}


def test_measurements_stop_at_the_time_limit_and_say_so(make_db, tmp_path):
    path = make_db(
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, x TEXT);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER);"
        + rows("customer", 30, "'x'")
        + rows("orders", 60, "i % 30 + 1")
    )
    source = resolve(str(path), Path(), {})
    scan.build(source=source, settings=SETTINGS, out=tmp_path / "catalog.json")
    catalog = artifacts.read(tmp_path / "catalog.json", Catalog)

    with open_database(source) as database:
        known = {t.name: profile(database, t, Rules()) for t in catalog.tables}
        found = inclusion.infer(database, catalog, known, seconds=0)

    assert found.links == ()
    assert "1 possible join wasn't measured" in found.notes[0]


def test_the_evaluation_hides_declared_keys_and_counts_chains_neither_way(
    make_db, tmp_path, capsys
):
    path = make_db(
        "CREATE TABLE region (region_id INTEGER PRIMARY KEY, x TEXT);"
        "CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, region_id INTEGER REFERENCES region);"
        "CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, shop_id INTEGER REFERENCES shop,"
        " odd INTEGER REFERENCES region);"
        + rows("region", 30, "'x'")
        + rows("shop", 60, "i % 30 + 1")
        + rows("sale", 90, "i % 60 + 1", "i % 30 + 1")
    )
    profiled(path, tmp_path)
    (tmp_path / "kb.yaml").write_text(f"source: {path}\n", encoding="utf-8")

    status = evaluation.main(["--kb", str(tmp_path), "--json"])

    found = json.loads(capsys.readouterr().out)
    assert status == 0
    assert (found["precision"], found["recall"], found["false"]) == (1.0, 0.6667, [])
    assert found["missed"] == ["sale(odd) -> region(region_id)"]


HOSPITAL = (
    "CREATE TABLE tb_stf (id_stf INTEGER PRIMARY KEY, tx_nm TEXT);"
    "CREATE TABLE tb_enc (id_enc INTEGER PRIMARY KEY, no_enc TEXT UNIQUE, id_stf_att INT);"
    "CREATE TABLE wards (id INTEGER PRIMARY KEY, ward_code TEXT UNIQUE);"
    "CREATE TABLE tb_enc_dx (id_enc_dx INTEGER PRIMARY KEY, x INT);"
    "CREATE TABLE tb_rx (id_rx INTEGER PRIMARY KEY, id_stf_prs INT, cd_wrd TEXT, id_enc_dx INT);"
    "CREATE TABLE lab_orders (order_no INTEGER PRIMARY KEY, encounter_id INT, no_of_stf INT);"
    "CREATE TABLE feedback (id INTEGER PRIMARY KEY, encounter_no TEXT, enclosure TEXT);"
    + rows("tb_stf", 40, "'n' || i")
    + rows("tb_enc", 90, "'E' || (7000 + i)", "i % 40 + 1")
    + rows("wards", 12, "'W' || i")
    + rows("tb_enc_dx", 60, "i")
    + rows("tb_rx", 200, "i % 40 + 1", "'W' || (i % 12 + 1)", "i % 60 + 1")
    + rows("lab_orders", 150, "i % 90 + 1", "i % 40 + 1")
    + rows("feedback", 70, "'E' || (7000 + i)", "'x' || i")
)


@pytest.mark.req("SCAN-06", part="SQLite")
@pytest.mark.parametrize(
    ("place", "target"),
    [
        pytest.param(("tb_rx", "id_stf_prs"), ("tb_stf", "id_stf"), id="kind, table, role"),
        pytest.param(("tb_enc", "id_stf_att"), ("tb_stf", "id_stf"), id="another role"),
        pytest.param(("tb_rx", "id_enc_dx"), ("tb_enc_dx", "id_enc_dx"), id="no role but a table"),
        pytest.param(("tb_rx", "cd_wrd"), ("wards", "ward_code"), id="kind first, word short"),
        pytest.param(("lab_orders", "encounter_id"), ("tb_enc", "id_enc"), id="the table is short"),
        pytest.param(("feedback", "encounter_no"), ("tb_enc", "no_enc"), id="another unique key"),
        pytest.param(("lab_orders", "no_of_stf"), None, id="a count"),
        pytest.param(("feedback", "enclosure"), None, id="a word that only begins alike"),
    ],
)
def test_short_names_with_the_kind_in_front_are_understood(joins_of, place, target):
    found = joins_of(HOSPITAL)

    link = found.get((*place, ""))
    assert (link and (link.to_table, *link.to_columns)) == target
